// An expected value and one or more answers → lines with these values side by side; a line that differs is marked.
const FEW_LINES = 12;
const MANY_LINES = 60;
const MOST_LINES = 2000;

// The findings of the evaluators of one side, by path: mismatches, hits, and pairs of rows.
function findingsOf(results) {
  const findings = { marks: new PathMap(), hits: new PathMap(), pairs: new PathMap() };
  // A check of the whole answer, such as by a schema, must not hide what others found inside it.
  const pathsOf = (result) => [...hitsOf(result), ...mismatchesOf(result).map(({ path }) => path)];
  const hasFiner = results.some((result) => pathsOf(result).some((path) => path !== "$"));
  for (const result of results) {
    for (const mismatch of mismatchesOf(result)) addMark(findings.marks, mismatch, result.name);
    for (const [path, pairs] of pairingsOf(result)) findings.pairs.add(path, pairs);
    for (const path of hitsOf(result)) if (path !== "$" || !hasFiner) findings.hits.add(path, true);
  }
  return findings;
}

// Whether the table of sides has a line for a path. The name of a rule, a tool or a limit is no value of the answer.
function isInTable(path, { expected = ABSENT, candidate = ABSENT }) {
  const [first] = stepsOf(path);
  if (first === undefined || (expected === ABSENT && candidate === ABSENT)) return true;
  const isThere = (value) => valueIn([first], value) !== ABSENT || valueAt(path, value) !== ABSENT;
  return isThere(expected) || isThere(candidate);
}

// A mismatch that several evaluators found at one path is marked once, with their names.
function addMark(marks, mismatch, evaluator) {
  const known = marks.get([mismatch.path]);
  if (!known) marks.add(mismatch.path, { ...mismatch, evaluators: [evaluator] });
  else if (!known.evaluators.includes(evaluator)) known.evaluators.push(evaluator);
}

// answers: [{value, findings}]. A summary has one answer, a diff has two.
function linesOf(expected, answers) {
  const lines = [];
  walkSides(
    "",
    expected,
    answers.map((answer) => ({ ...answer, mark: null })),
    [],
    0,
    lines,
  );
  return lines;
}

function walkSides(label, expected, answers, steps, depth, lines) {
  if (lines.length >= MOST_LINES) return;
  const marked = answers.map((answer) => {
    const own = answer.findings.marks.get(steps);
    const hit = answer.hit || Boolean(answer.findings.hits.get(steps));
    const inherited = answer.mark && !isEqual(expected, answer.value) ? answer.mark : null;
    const compared = Boolean(own) || hit || answer.compared;
    return { ...answer, mark: own ?? inherited, own: Boolean(own), hit, compared };
  });
  const there = [expected, ...answers.map((answer) => answer.value)].filter((value) => value !== ABSENT);
  const nested =
    there.length > 0 &&
    (there.every(isObject) || there.every(Array.isArray)) &&
    there.some((value) => Object.keys(value).length) &&
    !there.every((value) => isShort(value, marked, steps));
  if (!nested) {
    lines.push({
      label,
      depth,
      expected,
      answers: marked,
      group: false,
      compared: marked.some((answer) => answer.compared),
    });
    return;
  }
  const group = { label, depth, expected, answers: marked, group: true, compared: true };
  if (steps.length) lines.push(group);
  const below = steps.length ? depth + 1 : depth;
  if (there.every(Array.isArray)) walkRows(expected, marked, steps, below, lines);
  else walkKeys(expected, marked, steps, below, lines);
}

// Of a value that was compared as a whole, only the parts that differ are marked.
function isEqual(value, other) {
  if (isObject(value) && isObject(other)) {
    const keys = Object.keys(value);
    return keys.length === Object.keys(other).length && keys.every((key) => isEqual(value[key], member(other, key)));
  }
  if (Array.isArray(value) && Array.isArray(other))
    return value.length === other.length && value.every((part, at) => isEqual(part, other[at]));
  return value !== ABSENT && other !== ABSENT && jsonText(value) === jsonText(other);
}

// A value takes one line if it was compared as a whole, or if it is a short list without findings about its elements.
function isShort(value, answers, steps) {
  const asWhole = ({ own, mark, findings }) => findings.hits.get(steps) || (own && mark.outcome === "mismatch");
  if (answers.some(asWhole) && jsonText(value).length <= 160) return true;
  if (!Array.isArray(value) || value.length > 8 || value.some((part) => isObject(part) || Array.isArray(part)))
    return false;
  const hasFindings = ({ findings }) =>
    findings.pairs.get(steps) ||
    value.some((_, number) => [number, `+${number}`].some((step) => findings.marks.get([...steps, String(step)])));
  return jsonText(value).length <= 80 && !answers.some(hasFindings);
}

function walkKeys(expected, answers, steps, depth, lines) {
  const values = [expected, ...answers.map((answer) => answer.value)];
  const keys = new Set(values.flatMap((value) => (value === ABSENT ? [] : Object.keys(value))));
  for (const key of keys) {
    walkSides(
      key,
      member(expected, key),
      answers.map((answer) => ({ ...answer, value: member(answer.value, key) })),
      [...steps, key],
      depth,
      lines,
    );
  }
}

function walkRows(expected, answers, steps, depth, lines) {
  const rows = expected === ABSENT ? [] : expected;
  const partners = answers.map((answer) => partnersOf(answer, rows, steps));
  rows.forEach((row, number) => {
    const others = answers.map((answer, side) => ({
      ...answer,
      value: member(answer.value, partners[side].get(number)),
    }));
    walkSides(rowLabel(number, partners), row, others, [...steps, String(number)], depth, lines);
  });
  answers.forEach((answer, side) => {
    const taken = new Set(partners[side].values());
    for (const number of (answer.value === ABSENT ? [] : answer.value).keys()) {
      if (taken.has(number)) continue;
      const others = answers.map((other, at) => ({
        ...other,
        value: at === side ? answer.value[number] : ABSENT,
        mark: at === side ? other.mark : null,
      }));
      walkSides(`+${number}`, ABSENT, others, [...steps, `+${number}`], depth, lines);
    }
  });
}

function partnersOf(answer, rows, steps) {
  const pairs = answer.findings.pairs.get(steps);
  // The evaluator may have read its expected rows from another path. Those rows have no line here for their partners.
  if (pairs) return new Map(pairs.filter(([expected]) => expected < rows.length));
  return new Map(rows.map((_, number) => [number, number]));
}

function rowLabel(number, partners) {
  const elsewhere = partners
    .map((partnerOf) => partnerOf.get(number))
    .filter((other) => other !== undefined && other !== number);
  return elsewhere.length ? `${number} ↔ ${[...new Set(elsewhere)].join(", ")}` : String(number);
}

function member(value, key) {
  return value !== ABSENT && key !== undefined && Object.hasOwn(value, key) ? value[key] : ABSENT;
}

function drawSides(lines, names) {
  const box = make("div", {
    class: "sides",
    role: "table",
    "aria-label": "Expected and candidate, field by field",
    "--values": names.length,
  });
  const wrong = lines.filter((line) => line.answers.some((answer) => answer.mark));
  const fill = (visible) => {
    const head = make(
      "div",
      { class: "side names", role: "row" },
      ["field", ...names].map((name) => make("span", { role: "columnheader" }, name)),
    );
    box.replaceChildren(head, ...visible.map((line) => drawLine(line, names)));
  };
  if (!wrong.length || lines.length < FEW_LINES || wrong.length === lines.length) {
    fill(lines.slice(0, MANY_LINES));
    return lines.length <= MANY_LINES ? [box] : [box, linesButton(allText(lines), (more) => (fill(lines), more.remove()))];
  }
  let isShort = lines.length > MANY_LINES;
  const texts = () => (isShort ? allText(lines) : `Only differences: ${counted(wrong.length, "field")}`);
  fill(isShort ? differing(lines) : lines);
  return [
    box,
    linesButton(texts(), (more) => {
      isShort = !isShort;
      fill(isShort ? differing(lines) : lines);
      more.firstChild.textContent = texts();
    }),
  ];
}

// The lines that differ, and the objects and lists that hold them.
function differing(lines) {
  const kept = [];
  let depth = -1;
  for (const line of lines.toReversed()) {
    const holds = line.group && line.depth < depth;
    if (!holds && !line.answers.some((answer) => answer.mark)) continue;
    kept.unshift(line);
    depth = line.depth;
  }
  return kept;
}

function allText(lines) {
  return lines.length >= MOST_LINES
    ? `Show the first ${whole.format(MOST_LINES)} fields`
    : `Show all ${counted(lines.length, "field")}`;
}

function linesButton(text, onclick) {
  const more = make("div", { class: "more" }, textButton(text, () => onclick(more)));
  return more;
}

function drawLine(line, names) {
  const wrong = line.answers.some((answer) => answer.mark);
  const classes = ["side", line.group && "group", wrong && "differs", !line.compared && "uncompared"]
    .filter(Boolean)
    .join(" ");
  const expected = make(
    "span",
    {
      class: wrong && line.expected !== ABSENT ? "value expected-of-wrong" : "value",
      role: "cell",
      "data-name": names[0],
    },
    valueText(line.expected, line, wrong ? line.answers.find((answer) => answer.mark).value : ABSENT),
  );
  const answers = line.answers.map((answer, side) =>
    make(
      "span",
      { class: answer.mark ? "value wrong" : "value", role: "cell", "data-name": names[side + 1] },
      valueText(answer.value, line, answer.mark ? line.expected : ABSENT),
      whyWrong(line, answer),
    ),
  );
  return make(
    "div",
    { class: classes, role: "row", "--depth": line.depth },
    make(
      "span",
      { class: "field", role: "rowheader", title: line.compared ? undefined : "not compared" },
      line.label || "answer",
    ),
    expected,
    answers,
  );
}

function whyWrong(line, { mark, own, value }) {
  if (!mark || !own) return null;
  const [sign, word] =
    value === ABSENT ? ["−", "missing"] : line.expected === ABSENT ? ["+", "unexpected"] : ["≠", "differs"];
  const similarity = numberOf(mark.similarity);
  const note =
    typeof mark.note === "string" && mark.note
      ? mark.note
      : similarity >= 0.0005
        ? `${word}, similarity ${three(similarity)}`
        : word;
  const names = mark.evaluators?.length > 1 ? `, by ${mark.evaluators.join(" and ")}` : "";
  return make("span", { class: "why" }, `${sign} ${note}${names}`);
}

function valueText(value, line, other) {
  if (value === ABSENT) return make("span", { class: "absent" }, "absent");
  if (line.group) return Array.isArray(value) ? counted(value.length, "row") : "";
  const text = jsonText(value);
  if (typeof value === "string" && typeof other === "string") return changed(text, jsonText(other));
  return longText(text);
}

// Marks the part of a text between the beginning and the end that both texts share.
function changed(text, other) {
  let start = 0;
  while (start < Math.min(text.length, other.length) && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(text.length, other.length) - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = text.slice(start, text.length - end);
  if (!middle || text.length > 2000) return longText(text);
  return [text.slice(0, start), make("mark", {}, middle), text.slice(text.length - end)];
}

function longText(text) {
  if (text.length <= 600) return text;
  const holder = make("span", {}, cut(text, 400), " ");
  holder.append(textButton(`show all ${counted(text.length, "character")}`, () => holder.replaceChildren(text)));
  return holder;
}
