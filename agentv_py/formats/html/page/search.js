// A text → the cases whose id, suite, tags or values hold it, searched in slices so that the page keeps responding.
const SLICE = 12;

async function find(needle, positions, ticket) {
  const pattern = new RegExp(embedded(needle), "i");
  const matches = [];
  let lines = [];
  let block = -1;
  let paused = performance.now();
  for (const position of positions) {
    if (inIndex(position, needle)) {
      matches.push(position);
      continue;
    }
    const wanted = Math.floor(position / index.per_block);
    if (wanted !== block) [block, lines] = [wanted, textOf(`block-${wanted}`).split("\n")];
    const values = lines[position % index.per_block].split("\t", 1)[0];
    if (pattern.test(values) && holds(JSON.parse(values), needle)) matches.push(position);
    if (performance.now() - paused < SLICE) continue;
    document.getElementById("count").textContent = "Searching …";
    await new Promise(requestAnimationFrame);
    if (ticket !== searching) return;
    paused = performance.now();
  }
  showFound(matches);
}

function inIndex(position, needle) {
  return [
    index.ids[position],
    index.suites[index.suite[position]],
    ...index.tag[position].map((tag) => index.tags[tag]),
  ].some((text) => text.toLowerCase().includes(needle));
}

// A pattern that finds the text as the embedded JSON spells it.
function embedded(needle) {
  const text = JSON.stringify(needle)
    .slice(1, -1)
    .replace(/[<>&#\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function holds(value, needle) {
  if (typeof value === "object" && value !== null) return Object.values(value).some((part) => holds(part, needle));
  return String(value).toLowerCase().includes(needle);
}
