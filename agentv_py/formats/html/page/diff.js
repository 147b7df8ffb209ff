// A diff → its sentence, its figures, and how each case changed.
const CHANGES = [
  ["broken", "✗", "newly broken", "fail"],
  ["errored", "!", "errored", "error"],
  ["fixed", "✓", "newly fixed", "pass"],
  ["lower", "↓", "lower", "partial"],
  ["higher", "↑", "higher", "pass"],
  ["same", "=", "same", "none"],
  ["only_baseline", "−", "only before", "none"],
  ["only_candidate", "+", "only after", "none"],
];
const OUTCOMES = { better: ["✓", "pass"], worse: ["✗", "fail"], tied: ["=", "none"] };

function drawDiff() {
  const cards = report.by_target
    ? []
    : [
        shiftCard("Mean score", report.mean_score, three, three),
        shiftCard("Pass rate", report.pass_rate, percent, points),
      ];
  document.getElementById("figures").append(sentenceCard(), ...cards, changesCard());
  drawTargetShifts(document.getElementById("evaluators"));
  drawEvaluatorShifts(document.getElementById("evaluators"));
  drawSlices(document.getElementById("slices"));
  drawAttributeShifts(document.getElementById("attributes"));
  drawErrorShifts(document.getElementById("errors"));
  drawConfidenceShifts(document.getElementById("confidence"));
}

function sentenceCard() {
  const sentences = (report.by_target ?? [report]).map((shift) => {
    const [sign, verdict] = OUTCOMES[shift.verdict];
    const text = report.by_target
      ? `${shift.target || "no target"}: ${shift.sentence}`
      : shift.sentence.charAt(0).toUpperCase() + shift.sentence.slice(1);
    return make(
      "p",
      { class: "sentence" },
      make("span", { class: `sign is-${verdict}`, "aria-hidden": "true" }, sign),
      ` ${text}.`,
    );
  });
  const counts = [
    `${counted(report.matched, report.by_target ? "answer" : "case")} on both sides`,
    report.only_baseline.length && `${whole.format(report.only_baseline.length)} only before`,
    report.only_candidate.length && `${whole.format(report.only_candidate.length)} only after`,
    report.errored.length && `${whole.format(report.errored.length)} errored and left out of the figures; a run counts them as 0`,
  ];
  return make(
    "div",
    { class: "card whole" },
    make("div", { id: "sentence" }, sentences),
    make("p", { class: "muted" }, counts.filter(Boolean).join(" · ")),
  );
}

function shiftCard(name, shift, form, unit) {
  const reach = 1.15 * Math.max(Math.abs(shift.low), Math.abs(shift.high), Math.abs(shift.delta), 0.001);
  return make(
    "div",
    { class: "card third" },
    make("h3", {}, name, " ", make("small", {}, shift.verdict)),
    make("p", { class: "big" }, make("small", {}, `${form(shift.baseline)} → `), form(shift.candidate)),
    make(
      "p",
      { class: "muted" },
      `${signed(shift.delta, unit)}, 95 % interval ${signed(shift.low, unit)} to ${signed(shift.high, unit)}`,
    ),
    rangeBar({ value: shift.delta, low: shift.low, high: shift.high }, -reach, reach),
    make("p", { class: "muted" }, `p ${chance(shift.p_adjusted)}, for mean score and pass rate together`),
  );
}

function chance(share) {
  return share < 0.001 ? "< 0.001" : `= ${three(share)}`;
}

function changesCard() {
  const numbers = {
    broken: report.broken.length,
    errored: report.errored.length,
    fixed: report.fixed.length,
    lower: report.lower,
    higher: report.higher,
  };
  const buttons = CHANGES.filter(([change]) => change in numbers).map(([change, sign, words, verdict]) =>
    make(
      "button",
      { type: "button", class: `tally is-${verdict}`, title: "Show these cases", onclick: () => showCases({ change }) },
      make("span", { class: "sign", "aria-hidden": "true" }, sign),
      make("b", {}, whole.format(numbers[change])),
      make("span", {}, words),
    ),
  );
  return make("div", { class: "card third" }, make("h3", {}, "Cases"), make("div", { class: "tallies" }, buttons));
}

// The figures of each target, which are never averaged.
function drawTargetShifts(section) {
  if (!report.by_target) return;
  const rows = report.by_target.flatMap((shift) => [
    targetShiftRow(shift.target || "no target", "mean score", shift.mean_score, three, three),
    targetShiftRow("", "pass rate", shift.pass_rate, percent, points),
  ]);
  const heads = ["figure", ">before", ">after", ">change", ">95 % interval~", ">p~"];
  section.append(
    make("h2", {}, "By target"),
    panel("target", heads, rows, 40, "figures"),
    make("p", { class: "muted" }, "p is adjusted for all figures of all targets together (Holm)."),
  );
}

function targetShiftRow(target, figure, shift, form, unit) {
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, target),
    make("td", {}, figure, " ", make("small", { class: "muted" }, shift.verdict)),
    numeric(form(shift.baseline)),
    numeric(form(shift.candidate)),
    deltaCell(shift.delta, unit),
    numeric(`${signed(shift.low, unit)} to ${signed(shift.high, unit)}`, true),
    numeric(chance(shift.p_adjusted).replace("= ", ""), true),
  );
}

function drawEvaluatorShifts(section) {
  if (!report.evaluators.length) return;
  const rows = report.evaluators.map((evaluator) =>
    make(
      "tr",
      {},
      evaluatorHead(evaluatorName(evaluator)),
      make("td", { class: "few muted" }, evaluator.type),
      numeric(three(evaluator.baseline)),
      numeric(three(evaluator.candidate)),
      deltaCell(evaluator.delta),
      numeric(`${signed(evaluator.low)} to ${signed(evaluator.high)}`, true),
      numeric(chance(evaluator.p_adjusted).replace("= ", ""), true),
    ),
  );
  const heads = ["type~", ">before", ">after", ">change", ">95 % interval~", ">p, Holm’s~"];
  section.append(make("h2", {}, "Evaluators"), panel("evaluator", heads, rows, 20, "evaluators"));
}

function drawAttributeShifts(section) {
  const shifts = report.attributes.toSorted((a, b) => (a.delta ?? 0) - (b.delta ?? 0));
  if (!shifts.length) return;
  const rows = shifts.map((shift) => {
    const evaluator = evaluatorName({ ...shift, name: shift.evaluator });
    return make(
      "tr",
      {},
      attributeHead(evaluator, shift.attribute),
      make("td", { class: "few muted name" }, evaluator),
      gauge(shift.baseline),
      gauge(shift.candidate),
      deltaCell(shift.delta),
      numeric(shift.low === null ? "–" : `${signed(shift.low)} to ${signed(shift.high)}`, true),
    );
  });
  const heads = ["evaluator~", ">F1 before", ">F1 after", ">change", ">95 % interval~"];
  section.append(make("h2", {}, "Attributes"), panel("attribute", heads, rows, 12, "attributes"));
}

// The kinds of error that became more or fewer; fewer is better.
function drawErrorShifts(section) {
  const shifts = report.error_kinds ?? [];
  if (!shifts.length) return;
  const rows = shifts.map((shift) => {
    const evaluator = evaluatorName({ ...shift, name: shift.evaluator });
    const verdict = shift.delta > 0 ? "is-fail" : "is-pass";
    return make(
      "tr",
      {},
      attributeHead(evaluator, shift.attribute),
      make("td", { class: "few muted name" }, evaluator),
      make("td", {}, shift.kind),
      numeric(whole.format(shift.baseline)),
      numeric(whole.format(shift.candidate)),
      make("td", { class: `number ${verdict}` }, signed(shift.delta, whole.format)),
    );
  });
  const heads = ["evaluator~", "kind", ">before", ">after", ">change"];
  section.append(make("h2", {}, "Errors that changed"), panel("attribute", heads, rows, 12, "kinds"));
}

function drawConfidenceShifts(section) {
  for (const shift of report.confidence ?? []) {
    const sides = [shift.baseline, shift.candidate];
    if (!sides.some(Boolean)) continue;
    const accepted = (side) => side.accept.find(({ threshold }) => threshold !== null);
    /** @type {[string, (side: any) => string][]} */
    const lines = [
      ["values", ({ observations }) => whole.format(observations)],
      ["right", ({ accuracy }) => percent(accuracy)],
      ["AUROC", ({ auroc }) => (auroc === null ? "–" : three(auroc))],
      ["ECE", ({ ece }) => three(ece)],
      ["accept", (side) => (accepted(side) ? `≥ ${accepted(side).threshold}: ${percent(accepted(side).least)}` : "–")],
    ];
    const rows = lines.map(([label, write]) =>
      make("tr", {}, make("th", { scope: "row" }, label), sides.map((side) => numeric(side ? write(side) : "–"))),
    );
    const name = evaluatorName({ ...shift, name: shift.evaluator });
    section.append(make("h2", {}, "Confidence"), panel(name, [">before", ">after"], rows, 12, "figures"));
  }
}

function deltaCell(delta, unit = three) {
  const verdict = !delta ? "muted" : delta > 0 ? "is-pass" : "is-fail";
  return make("td", { class: `number ${verdict}` }, signed(delta, unit));
}

function changeRank(position) {
  return CHANGES.findIndex(([change]) => change === index.change[position]);
}

function deltaOf(position) {
  const [before, after] = index.sides.map((side) =>
    VERDICTS[codeOf(position, side)] === "error" ? null : scoreOf(position, side),
  );
  return before === null || after === null ? null : after - before;
}

function drawPairRow(position) {
  const [, sign, words, verdict] = CHANGES[changeRank(position)];
  const scores = index.sides.map((side) =>
    make(
      "span",
      { class: `number is-${VERDICTS[codeOf(position, side)] ?? "none"}`, role: "gridcell" },
      sideText(position, side),
    ),
  );
  return make(
    "div",
    { class: "row", role: "row", "aria-level": 1 },
    make(
      "span",
      { class: `is-${verdict}`, role: "gridcell", title: words },
      make("span", { class: "sign", "aria-hidden": "true" }, sign),
      make("span", { class: "word" }, ` ${words}`),
    ),
    idCell(position),
    scores,
    make("span", { class: "number delta", role: "gridcell" }, signed(deltaOf(position))),
    make("span", { class: "note muted", role: "gridcell" }, noteOf(position)),
  );
}

function sideText(position, side) {
  const verdict = VERDICTS[codeOf(position, side)];
  if (!verdict) return "–";
  return verdict === "error" ? "! error" : `${SIGNS[verdict]} ${three(scoreOf(position, side))}`;
}
