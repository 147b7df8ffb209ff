// The filters and the order that a reader chose → the cases that fit, in this order.
const ORDER = Object.fromEntries([...Object.keys(VERDICTS).reverse(), "-"].map((code, at) => [code, at]));
const latest = index.sides.at(-1);
const state = { text: "", verdict: "", tag: "", evaluator: "", attribute: "", kind: "", change: "" };
const order = { sort: "verdict", down: false };
const evaluatorNumbers = new Map(index.evaluators.map((name, number) => [name, number]));

function isWanted(position) {
  if (state.tag && !index.tag[position].some((tag) => index.tags[tag] === state.tag)) return false;
  if (state.evaluator && resultOf(position) === null) return false;
  if (state.verdict && VERDICTS[codeOf(position)] !== state.verdict) return false;
  if (state.kind && !index.kind[position].some((kind) => index.kinds[kind] === state.kind)) return false;
  if (state.change && index.change[position] !== state.change) return false;
  return !state.attribute || wrongIn(position).includes(state.attribute);
}

// If the reader chose an evaluator, verdicts, scores and attributes are those of that evaluator.
function resultOf(position, side = latest) {
  const results = side.results[position] ?? [];
  const evaluator = evaluatorNumbers.get(state.evaluator);
  for (let at = 0; at < results.length; at += 3)
    if (results[at] === evaluator) return { code: results[at + 1], score: results[at + 2] };
  return null;
}

function codeOf(position, side = latest) {
  return state.evaluator ? (resultOf(position, side)?.code ?? "-") : side.verdict[position];
}

function scoreOf(position, side = latest) {
  return state.evaluator ? (resultOf(position, side)?.score ?? null) : side.score[position];
}

function wrongIn(position) {
  const names = (latest.wrong[position] ?? []).map((number) => index.attributes[number]);
  return names.filter(([evaluator]) => !state.evaluator || evaluator === state.evaluator).map(([, name]) => name);
}

const collator = new Intl.Collator("en", { numeric: true });
const SORTS = {
  id: (a, b) => collator.compare(index.ids[a], index.ids[b]),
  verdict: (a, b) =>
    isDiff
      ? changeRank(a) - changeRank(b) || SORTS.delta(a, b)
      : ORDER[codeOf(a)] - ORDER[codeOf(b)] || SORTS.score(a, b),
  score: (a, b) => rank(a, latest) - rank(b, latest),
  before: (a, b) => rank(a, index.sides[0]) - rank(b, index.sides[0]),
  delta: (a, b) => (deltaOf(a) ?? 0) - (deltaOf(b) ?? 0),
};

// An error has no score, and sorts below every score.
function rank(position, side) {
  return VERDICTS[codeOf(position, side)] === "error" ? -1 : (scoreOf(position, side) ?? -2);
}

function sorted(positions) {
  const turn = order.down ? -1 : 1;
  return positions.sort((a, b) => turn * SORTS[order.sort](a, b) || a - b);
}

function noteOf(position) {
  const wrong = [...new Set(wrongIn(position))];
  if (!wrong.length) return latest.note[position] ?? "";
  return wrong.slice(0, 3).join(", ") + (wrong.length > 3 ? ` and ${wrong.length - 3} more` : "");
}
