// An expected value and one answer, or two → lines that stand side by side, the differing ones marked.
const MANY_LINES = 60;
const MOST_LINES = 2000;

// What the evaluators of one side said: marks by path, paths that match, and who was paired with whom.
function findingsOf(results) {
  const found = { marks: new Said(), hits: new Said(), pairs: new Said() };
  for (const result of results) {
    for (const one of mismatchesOf(result)) found.marks.say(one.path, one);
    for (const [path, pairs] of pairingsOf(result)) found.pairs.say(path, pairs);
    for (const path of hitsOf(result)) found.hits.say(path, true);
  }
  return found;
}

// answers: [{value, findings}], one of a summary, two of a diff.
function linesOf(expected, answers) {
  const lines = [];
  walkSides(
    "",
    expected,
    answers.map((one) => ({ ...one, mark: null })),
    [],
    0,
    lines,
  );
  return lines;
}

function walkSides(label, expected, answers, steps, depth, lines) {
  if (lines.length >= MOST_LINES) return;
  const marked = answers.map((one) => {
    const own = one.findings.marks.of(steps);
    const hit = one.hit || Boolean(one.findings.hits.of(steps));
    return { ...one, mark: own ?? one.mark, own: Boolean(own), hit };
  });
  const there = [expected, ...answers.map((one) => one.value)].filter((value) => value !== ABSENT);
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
      compared: marked.some((one) => one.mark || one.hit),
    });
    return;
  }
  const group = { label, depth, expected, answers: marked, group: true, compared: true };
  if (steps.length) lines.push(group);
  const below = steps.length ? depth + 1 : depth;
  if (there.every(Array.isArray)) walkRows(expected, marked, steps, below, lines);
  else walkKeys(expected, marked, steps, below, lines);
}

// What was compared as a whole, or is a few numbers or words of which nothing is said, reads best in one line.
function isShort(value, answers, steps) {
  const asWhole = ({ own, mark, findings }) => findings.hits.of(steps) || (own && mark.outcome === "mismatch");
  if (answers.some(asWhole) && jsonText(value).length <= 160) return true;
  if (!Array.isArray(value) || value.length > 8 || value.some((part) => isObject(part) || Array.isArray(part)))
    return false;
  const told = ({ findings }) =>
    findings.pairs.of(steps) ||
    value.some((_, number) => [number, `+${number}`].some((step) => findings.marks.of([...steps, String(step)])));
  return jsonText(value).length <= 80 && !answers.some(told);
}

function walkKeys(expected, answers, steps, depth, lines) {
  const keys = new Set(
    [expected, ...answers.map((one) => one.value)].flatMap((value) => (value === ABSENT ? [] : Object.keys(value))),
  );
  for (const key of keys) {
    walkSides(
      key,
      member(expected, key),
      answers.map((one) => ({ ...one, value: member(one.value, key) })),
      [...steps, key],
      depth,
      lines,
    );
  }
}

function walkRows(expected, answers, steps, depth, lines) {
  const rows = expected === ABSENT ? [] : expected;
  const partners = answers.map((one) => partnersOf(one, rows, steps));
  rows.forEach((row, number) => {
    const others = answers.map((one, side) => ({ ...one, value: member(one.value, partners[side].get(number)) }));
    walkSides(rowLabel(number, partners), row, others, [...steps, String(number)], depth, lines);
  });
  answers.forEach((one, side) => {
    const taken = new Set(partners[side].values());
    for (const number of (one.value === ABSENT ? [] : one.value).keys()) {
      if (taken.has(number)) continue;
      const others = answers.map((other, at) => ({
        ...other,
        value: at === side ? one.value[number] : ABSENT,
        mark: at === side ? other.mark : null,
      }));
      walkSides(`+${number}`, ABSENT, others, [...steps, `+${number}`], depth, lines);
    }
  });
}

function partnersOf(answer, rows, steps) {
  const pairs = answer.findings.pairs.of(steps);
  // Rows that stand elsewhere in the expected value have no line here for their partners to stand in.
  if (pairs) return new Map(pairs.filter(([expected]) => expected < rows.length));
  return new Map(rows.map((_, number) => [number, number]));
}

function rowLabel(number, partners) {
  const elsewhere = partners
    .map((found) => found.get(number))
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
  const wrong = lines.filter((line) => line.answers.some((one) => one.mark));
  const fill = (shown) => {
    const head = make(
      "div",
      { class: "side names", role: "row" },
      ["field", ...names].map((name) => make("span", { role: "columnheader" }, name)),
    );
    box.replaceChildren(head, ...shown.map((line) => drawLine(line, names)));
  };
  if (lines.length <= MANY_LINES || !wrong.length) {
    fill(lines.slice(0, MANY_LINES));
    return lines.length <= MANY_LINES ? [box] : [box, moreLines(lines, () => fill(lines))];
  }
  fill(wrong);
  return [box, moreLines(lines, () => fill(lines))];
}

function moreLines(lines, show) {
  const words =
    lines.length >= MOST_LINES
      ? `Show the first ${whole.format(MOST_LINES)} fields`
      : `Show all ${counted(lines.length, "field")}`;
  const more = make(
    "div",
    { class: "more" },
    textButton(words, () => {
      show();
      more.remove();
    }),
  );
  return more;
}

function drawLine(line, names) {
  const wrong = line.answers.some((one) => one.mark);
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
    valueText(line.expected, line, wrong ? line.answers.find((one) => one.mark).value : ABSENT),
  );
  const answers = line.answers.map((one, side) =>
    make(
      "span",
      { class: one.mark ? "value wrong" : "value", role: "cell", "data-name": names[side + 1] },
      valueText(one.value, line, one.mark ? line.expected : ABSENT),
      whyWrong(line, one),
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
  return make("span", { class: "why" }, `${sign} ${note}`);
}

function valueText(value, line, other) {
  if (value === ABSENT) return make("span", { class: "absent" }, "absent");
  if (line.group) return Array.isArray(value) ? counted(value.length, "row") : "";
  const text = jsonText(value);
  if (typeof value === "string" && typeof other === "string") return changed(text, jsonText(other));
  return longText(text);
}

// The part between what both texts begin and end with.
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
