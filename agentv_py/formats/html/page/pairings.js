// The pairs of rows of two lists → two columns of rows, with lines between partners.
const STEP_HEIGHT = 30;
const MOST_PAIRS = index.tables.most_pairs;

function drawPairings(result, side, when) {
  return pairingsOf(result).map(([path, pairs]) =>
    drawPairing(path + when, pairs, expectedAt(path, result, side.expected), valueAt(path, side.candidate)),
  );
}

function drawPairing(path, pairs, expected, candidate) {
  const complete = pairs.length < MOST_PAIRS;
  const left = rowsOf(
    expected,
    pairs.map(([row]) => row),
  );
  const right = rowsOf(
    candidate,
    pairs.map(([, row]) => row),
  );
  /** @type {[Set<number>, Set<number>]} */
  const tied = [new Set(pairs.map(([row]) => row)), new Set(pairs.map(([, row]) => row))];
  const isPlain =
    pairs.every(([a, b, similarity]) => a === b && similarity === 1) &&
    tied[0].size === left.length &&
    tied[1].size === right.length;
  const picture = make(
    "div",
    { class: "pairing" },
    column("expected", left, tied[0], complete),
    ties(pairs, Math.max(left.length, right.length)),
    column("candidate", right, tied[1], complete),
  );
  if (!complete) picture.append(make("p", { class: "legend muted" }, `The results hold only the first ${MOST_PAIRS} pairs.`));
  return make(
    "details",
    { class: "paired", ...(isPlain ? {} : { open: "" }) },
    make("summary", {}, `Pairing of ${path}: ${counted(pairs.length, "pair")}, ${loners(left, right, tied, complete)}`),
    picture,
  );
}

function loners(left, right, [expected, candidate], complete) {
  if (!complete) return "more rows than the results hold";
  const [missing, surplus] = [left.length - expected.size, right.length - candidate.size];
  if (!missing && !surplus) return "every row has a partner";
  return `${whole.format(missing)} missing, ${whole.format(surplus)} unexpected`;
}

// If the results hold no data, the pairs tell how many rows there are.
function rowsOf(list, numbers) {
  if (Array.isArray(list)) return list.slice(0, 2 * MOST_PAIRS);
  return Array.from({ length: Math.max(-1, ...numbers) + 1 }, () => ABSENT);
}

function column(name, rows, tied, complete) {
  const items = rows.map((row, number) => {
    const alone = complete && !tied.has(number);
    const words = `${number}  ${row === ABSENT ? "" : preview(row)}`;
    return make("li", { class: alone ? "alone" : undefined, title: words }, words, alone ? " (no partner)" : "");
  });
  return make("ol", { "aria-label": `${name} rows` }, items);
}

function preview(row) {
  if (!isObject(row)) return cut(jsonText(row), 60);
  return cut(
    Object.values(row)
      .filter((value) => typeof value !== "object" || value instanceof Numeral)
      .map(plainText)
      .join(" · "),
    60,
  );
}

function ties(pairs, rows) {
  const height = Math.max(1, rows) * STEP_HEIGHT;
  const lines = pairs.map(([left, right, similarity]) => {
    const [from, to] = [left * STEP_HEIGHT + 13, right * STEP_HEIGHT + 13];
    const near = similarity !== undefined && similarity !== null && similarity < 1;
    return draw(
      "path",
      { class: near ? "tie near" : "tie", d: `M2 ${from} C44 ${from} 44 ${to} 86 ${to}` },
      draw("title", {}, `${left} with ${right}, similarity ${three(similarity)}`),
    );
  });
  const words = pairs.map(([left, right]) => `${left} with ${right}`).join(", ");
  return draw(
    "svg",
    { viewBox: `0 0 88 ${height}`, height, role: "img", "aria-label": `Pairs: ${words || "none"}` },
    lines,
  );
}
