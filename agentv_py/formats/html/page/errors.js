// The kinds of error → tables of attributes, of lists and of named patterns; each leads to its cases.
function drawErrors(section) {
  const evaluators = Object.entries(report.error_kinds ?? {});
  if (!evaluators.length) return;
  section.append(make("h2", {}, "Kinds of error"));
  for (const [evaluator, errors] of evaluators) section.append(...drawErrorsOf(evaluator, errors));
}

const KINDS = ["misread", "missed", "invented", "type", "unreadable", "unknown"];
const ROW_KINDS = ["missed", "invented", "duplicated"];

function drawErrorsOf(evaluator, errors) {
  const total = (counts) => KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const worstFirst = Object.entries(errors.attributes)
    .filter(([, counts]) => total(counts))
    .sort(([, a], [, b]) => total(b) - total(a));
  const shown = KINDS.filter((kind) => worstFirst.some(([, counts]) => counts[kind]));
  const rows = worstFirst.map(([name, counts]) =>
    make(
      "tr",
      {},
      attributeHead(evaluator, name),
      numeric(whole.format(counts.right), true),
      shown.map((kind) => make("td", { class: "number" }, counts[kind] ? kindButton(evaluator, name, kind, counts[kind]) : "0")),
    ),
  );
  const lists = Object.entries(errors.lists).map(([path, counts]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", class: "mono" }, path),
      ROW_KINDS.map((kind) => numeric(whole.format(counts[kind]))),
    ),
  );
  const parts = [];
  if (rows.length) parts.push(panel(evaluator, [">right~", ...shown.map((kind) => `>${kind}`)], rows, 12, "attributes"));
  if (errors.patterns.length)
    parts.push(panel("usual errors", ["attribute", ">times", "example~"], patternRows(errors), 12, "usual errors"));
  if (lists.length) parts.push(panel("rows of lists", ROW_KINDS.map((kind) => `>${kind}`), lists, 12, "lists"));
  return [...parts, ...errorNotes(errors).map((text) => make("p", { class: "muted" }, text))];
}

function kindButton(evaluator, attribute, kind, count) {
  const show = () => showCases({ evaluator, attribute, kind });
  return textButton(whole.format(count), show, `Show the cases with this kind of error: ${kind}`);
}

function patternRows(errors) {
  return errors.patterns.map(({ pattern, attribute, count }) => {
    const example = errors.examples[pattern];
    const show = () => showCases({ kind: pattern });
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, textButton(pattern, show, "Show the cases with this error")),
      make("td", { class: "mono" }, attribute),
      numeric(whole.format(count)),
      make("td", { class: "few" }, example ? exampleText(example) : ""),
    );
  });
}

function exampleText({ case_id: id, path, expected, actual }) {
  const values = expected === null && actual === null ? "" : `: ${cut(jsonText(expected), 40)} → ${cut(jsonText(actual), 40)}`;
  return [textButton(cut(id, 60), () => showCases({ text: id }), "Show this case"), ` ${cut(path, 80)}${values}`];
}

function errorNotes({ attributes, unreadable_answers: unreadable, cases_without_values: bare }) {
  const unknown = Object.values(attributes).reduce((sum, counts) => sum + counts.unknown, 0);
  return [
    unreadable && `${counted(unreadable, "answer")} without valid JSON, in no line above.`,
    unknown && `Unknown: ${counted(unknown, "error")} of cases with more than 50 misses, of which rows list 50.`,
    bare && `${counted(bare, "case")} without values (--no-data), so no usual errors and no duplicated rows can be seen.`,
  ].filter(Boolean);
}
