// A case → the results of its evaluators, and its values side by side.
const OWN_DETAILS = new Set(["metrics", "mismatches", "mismatches_omitted", "alignment"]);

function drawCase(position) {
  const sides = isDiff ? caseAt(position) : peersOf(position).map((peer) => caseAt(peer)[0]);
  const present = sides.filter((side) => side.row);
  const own = isDiff ? present : caseAt(position);
  const when = (side) => (present.length > 1 ? `, ${sideName(sides.indexOf(side), sides)}` : "");
  return [
    drawAbout(own),
    make("p", { class: "permalink" }, make("a", { href: linkTo(position) }, "Link to this case")),
    ...drawInput(own),
    drawVerdicts(sides),
    ...drawValues(sides, present),
    ...present.flatMap((side) => drawPictures(side, when(side))),
    ...present.flatMap((side) => drawOther(side, when(side))),
  ];
}

let peers = null;

// The positions of a case: one per target, in the order of the results.
function peersOf(position) {
  const key = (at) => jsonText([index.suite[at], index.ids[at]]);
  if (!peers) {
    peers = new Map();
    for (const at of index.ids.keys()) peers.set(key(at), [...(peers.get(key(at)) ?? []), at]);
  }
  const found = peers.get(key(position));
  const targets = new Set(found.map((at) => index.target[at]));
  return targets.size === found.length ? found : [position];
}

function drawPictures(side, when) {
  return side.row.evaluator_results.flatMap((result) => [
    ...drawBoxes(result, side, when),
    ...drawPairings(result, side, when),
  ]);
}

function sideName(side, sides) {
  if (!isDiff) return plainText(sides[side].row.target ?? "candidate");
  return side === 0 ? "before" : "after";
}

function drawAbout(present) {
  const { row } = present.at(-1);
  const facts = [
    `suite ${row.suite}`,
    row.target && `target ${plainText(row.target)}`,
    typeof row.timestamp === "string" && moment(row.timestamp),
    Array.isArray(row.skipped) && `skipped: ${row.skipped.map(plainText).join(", ")}`,
    row.flaky === true && "flaky: some answers pass, others do not",
    numberOf(row.latency_ms) !== null && `answered in ${whole.format(Math.round(numberOf(row.latency_ms)))} ms`,
    numberOf(row.cost) !== null && `cost ${numberOf(row.cost)}`,
    numberOf(row.duration_ms) !== null && `${numberOf(row.duration_ms)} ms`,
    Array.isArray(row.repeats) && `repeats ${row.repeats.map((score) => three(numberOf(score))).join(" ")}`,
    numberOf(row.consistency) !== null && `consistency ${three(numberOf(row.consistency))}`,
  ];
  return make(
    "div",
    { class: "about" },
    facts.filter(Boolean).map((fact) => make("span", {}, String(fact))),
    (Array.isArray(row.tags) ? row.tags : []).map((tag) => make("span", { class: "tag" }, plainText(tag))),
  );
}

// The input of the case. A path of a document, or an address, is a link.
function drawInput(present) {
  const { row } = present.at(-1);
  if (!("input" in row)) return [];
  const documents = documentsIn(row.input);
  const links = documents.map((path) => make("li", {}, make("a", { href: linkOf(path) }, path)));
  const text = typeof row.input === "string" ? row.input : jsonText(row.input, "\n");
  return [
    make("h3", {}, "Input"),
    documents.length ? make("ul", { class: "documents" }, links) : "",
    documents[0] === row.input ? "" : make("pre", { class: "input" }, longText(text)),
  ];
}

const DOCUMENT = /^[^\n<>"|?*]{1,400}\.(pdf|png|jpe?g|gif|webp|tiff?|bmp|svg|txt|md|html?|eml|docx?|xlsx?|csv|json|xml)$/i;

// The texts of an input that are paths of documents or addresses. No other scheme becomes a link.
function documentsIn(input) {
  const texts = typeof input === "string" ? [input] : isObject(input) ? Object.values(input) : [];
  const isSafe = (text) => isAddress(text) || !/^[a-z][a-z0-9+.-]*:/i.test(text);
  return texts.filter((text) => typeof text === "string" && DOCUMENT.test(text) && isSafe(text)).slice(0, 20);
}

function isAddress(text) {
  return /^https?:\/\//i.test(text);
}

function linkOf(path) {
  return isAddress(path) ? path : path.split("/").map(encodeURIComponent).join("/");
}

function drawVerdicts(sides) {
  const names = new Set(sides.flatMap(({ row }) => (row ? row.evaluator_results.map((result) => result.name) : [])));
  return make(
    "div",
    { class: "verdicts" },
    [...names].map((name) => drawVerdict(name, sides)),
  );
}

function drawVerdict(name, sides) {
  const results = sides.map(({ row }) => row?.evaluator_results.find((result) => result.name === name));
  const marks = results.map((result) =>
    result
      ? verdictMark(outcomeOf(result), `${outcomeOf(result)} ${three(numberOf(result.score))}`)
      : make("span", { class: "muted" }, "not run"),
  );
  const last = results.findLast(Boolean);
  const hasOne = isDiff || sides.length === 1; // several targets have several reasons
  return make(
    "div",
    { class: "verdict" },
    make("b", {}, name),
    make("span", { class: "muted" }, last.type),
    marks.flatMap((mark, at) => [between(at, sides), mark]),
    make("span", { class: "muted" }, hasOne && typeof last.reasoning === "string" ? last.reasoning : ""),
    hasOne
      ? drawMisses(last, sides[results.lastIndexOf(last)])
      : results.flatMap((result, at) => (result && drawMisses(result, sides[at])) ?? []),
  );
}

// What stands before the mark of a side: an arrow in a diff, the target where there are several.
function between(at, sides) {
  if (!isDiff) return sides.length > 1 ? make("span", { class: "muted" }, sideName(at, sides)) : "";
  return at ? make("span", { class: "muted", "aria-label": "then" }, "→") : "";
}

function outcomeOf(result) {
  return "error" in result ? "error" : result.verdict;
}

// The table of sides shows every miss whose values are known; the others are listed as text.
function drawMisses(result, side) {
  const inTable = mismatchesOf(result).filter(({ path }) => isInTable(path, side));
  const withValues = new Set(inTable.map(({ path, note }) => (note ? `${path} (${note})` : path)));
  const misses = result.misses.map(plainText).filter((miss) => !withValues.has(miss));
  const list = make("ul", { class: "misses" });
  if (isObject(result.error)) misses.unshift(`${result.error.kind ?? "error"}: ${result.error.message ?? ""}`);
  const unique = [...new Set(misses)];
  const more = folded(
    unique.map((miss) => make("li", {}, longText(miss))),
    20,
    list,
    "misses",
  );
  return unique.length ? [list, more] : null;
}

function drawValues(sides, present) {
  const names =
    present.length > 1
      ? ["expected", ...present.map((side) => sideName(sides.indexOf(side), sides))]
      : ["expected", present.length < sides.length ? sideName(sides.indexOf(present[0]), sides) : "candidate"];
  const values = present.map((side) => ({
    value: "candidate" in side ? side.candidate : ABSENT,
    findings: findingsOf(side.row.evaluator_results),
  }));
  const expected = "expected" in present.at(-1) ? present.at(-1).expected : ABSENT;
  if (expected === ABSENT && values.every(({ value }) => value === ABSENT)) return drawMismatches(present, names);
  const notes =
    isDiff && present.length > 1 && jsonText(present[0].expected ?? null) !== jsonText(present[1].expected ?? null)
      ? [make("p", { class: "notice" }, "The expected value changed between the two runs; this table shows the later one.")]
      : [];
  return [
    make("h3", {}, "Expected and candidate"),
    ...notes,
    ...drawSides(linesOf(expected, values), names),
    ...omitted(present),
  ];
}

function omitted(present) {
  const number = Math.max(
    0,
    ...present.flatMap(({ row }) =>
      row.evaluator_results.map((result) => numberOf(details(result).mismatches_omitted) ?? 0),
    ),
  );
  return number
    ? [make("p", { class: "muted" }, `${counted(number, "further miss", "further misses")} without values.`)]
    : [];
}

// The mismatches of all evaluators; one that several evaluators found is listed once, with their names.
function distinctMismatches(results) {
  const distinct = new Map();
  for (const result of results)
    for (const mismatch of mismatchesOf(result)) {
      const key = jsonText(mismatch);
      if (!distinct.has(key)) distinct.set(key, { ...mismatch, evaluators: [] });
      distinct.get(key).evaluators.push(result.name);
    }
  return [...distinct.values()];
}

// If the results hold no data, only the values of the misses are known.
function drawMismatches(present, names) {
  const lines = present.flatMap(({ row }, side) =>
    distinctMismatches(row.evaluator_results).map((mark) => ({
      label: mark.path,
      depth: 0,
      group: false,
      compared: true,
      expected: member(mark, "expected"),
      answers: present.map((_, at) =>
        at === side ? { value: member(mark, "actual"), mark, own: true } : { value: ABSENT, mark: null },
      ),
    })),
  );
  return lines.length ? [make("h3", {}, "What differed"), ...drawSides(lines, names)] : [];
}

function drawOther({ row }, when) {
  const parts = [];
  if (isObject(row.metadata) && Object.keys(row.metadata).length) parts.push(["Metadata", row.metadata]);
  for (const result of row.evaluator_results) {
    const rest = Object.entries(details(result)).filter(([key]) => !OWN_DETAILS.has(key));
    if (rest.length) parts.push([`Details of ${result.name}`, Object.fromEntries(rest)]);
  }
  return parts.map(([title, value]) =>
    make("details", {}, make("summary", {}, title + when), make("pre", {}, longText(jsonText(value, "\n")))),
  );
}
