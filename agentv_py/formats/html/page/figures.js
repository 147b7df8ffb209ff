// A summary → its figures, its evaluators, its repeats and its attributes.
function drawSummary() {
  const figures = document.getElementById("figures");
  const cards = hasSeveralTargets()
    ? []
    : [estimateCard("Pass rate", report.pass_rate, percent), estimateCard("Mean score", report.mean_score, three, errorsInMean())];
  figures.append(...cards, talliesCard(), histogramCard());
  drawGroups(document.getElementById("evaluators"));
  drawSuites(document.getElementById("evaluators"));
  drawEvaluators(document.getElementById("evaluators"));
  drawJudges(document.getElementById("evaluators"));
  drawDetection(document.getElementById("evaluators"));
  drawRepeats(document.getElementById("evaluators"));
  drawSlices(document.getElementById("slices"));
  drawAttributes(document.getElementById("attributes"));
  drawErrors(document.getElementById("errors"));
  drawConfidence(document.getElementById("confidence"));
}

// How far each judge agrees with people, where expected values hold their verdicts.
function drawJudges(section) {
  const judges = Object.entries(report.judges ?? {});
  if (!judges.length) return;
  const share = (value) => numeric(value === null ? "–" : percent(value));
  const rows = judges.map(([name, own]) =>
    make(
      "tr",
      {},
      evaluatorHead(name),
      numeric(whole.format(own.cases)),
      share(own.agreement),
      numeric(three(own.kappa)),
      share(own.base_rate),
      share(own.true_pass_rate),
      share(own.true_fail_rate),
    ),
  );
  const heads = [">cases", ">agreement", ">Cohen’s κ", ">people pass", ">TPR", ">TNR"];
  section.append(make("h2", {}, "Judges against people"), panel("judge", heads, rows, 12, "judges"));
}

function estimateCard(name, estimate, form, note = "") {
  return make(
    "div",
    { class: "card third" },
    make("h3", {}, name),
    make("p", { class: "big" }, report.cases ? form(estimate.value) : "–"),
    make("p", { class: "muted" }, `95 % interval ${form(estimate.low)} to ${form(estimate.high)}${note}`),
    rangeBar(estimate, 0, 1),
  );
}

// Errors count as 0 in the mean score; a diff leaves them out.
function errorsInMean() {
  if (!report.errors) return "";
  const others = report.cases - report.errors;
  const mean = (report.mean_score.value * report.cases) / others;
  return ` · errors count as 0${others ? `; ${three(mean)} over the ${counted(others, "other")}` : ""}`;
}

function rangeBar({ value, low, high }, from, to) {
  const at = (number) => (300 * (Math.min(to, Math.max(from, number)) - from)) / (to - from);
  const zero = from < 0 ? draw("line", { class: "zero", x1: at(0), x2: at(0), y1: 0, y2: 14 }) : null;
  return draw(
    "svg",
    { viewBox: "0 0 300 14", height: 14, preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "track", y: 5, width: 300, height: 4, rx: 2 }),
    draw("rect", { class: "reach", x: at(low), y: 3, width: Math.max(2, at(high) - at(low)), height: 8, rx: 2 }),
    zero,
    draw("rect", { class: "point", x: Math.min(296, Math.max(0, at(value) - 2)), y: 0, width: 4, height: 14, rx: 1 }),
  );
}

function talliesCard() {
  const tallies = [
    ["pass", report.passed, "passed"],
    ["partial", report.partial, "partial"],
    ["fail", report.failed, "failed"],
    ["error", report.errors, "errors"],
  ];
  const shares = draw(
    "svg",
    { viewBox: "0 0 300 14", height: 14, preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "track", width: 300, height: 14, rx: 3 }),
  );
  let left = 0;
  for (const [verdict, number] of tallies) {
    const width = report.cases ? (300 * number) / report.cases : 0;
    shares.append(
      draw("rect", {
        class: `is-${verdict}`,
        fill: "currentColor",
        x: left,
        width: Math.max(0, width - (width > 2 ? 1 : 0)),
        height: 14,
      }),
    );
    left += width;
  }
  const buttons = tallies.map(([verdict, number, word]) =>
    make(
      "button",
      {
        type: "button",
        class: `tally is-${verdict}`,
        title: "Show these cases",
        onclick: () => showCases({ verdict }),
      },
      make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
      make("b", {}, whole.format(number)),
      make("span", {}, verdict === "pass" ? word + withMisses() : word),
    ),
  );
  return make(
    "div",
    { class: "card third" },
    make("h3", {}, "Verdicts"),
    shares,
    make("div", { class: "tallies" }, buttons),
  );
}

// The spaces inside the brackets do not break.
function withMisses() {
  const number = report.passed_with_misses ?? 0;
  return number ? ` (${whole.format(number)}\u00a0with\u00a0misses)` : "";
}

// A picture for each target, all of them on one scale.
function histogramCard() {
  const histograms = Object.entries(index.histograms);
  const most = Math.max(...histograms.flatMap(([, bins]) => bins), 1);
  const pictures = histograms.flatMap(([target, bins]) => [
    histograms.length > 1 ? make("h4", {}, target || "no target") : null,
    drawHistogram(target, bins, most),
  ]);
  return make(
    "div",
    { class: "card whole" },
    make("h3", {}, "Score distribution ", make("small", {}, `tallest bar ${counted(most, "case")}`)),
    pictures,
    make(
      "div",
      { class: "scale muted" },
      ["0", "0.25", "0.5", "0.75", "1"].map((mark) => make("span", {}, mark)),
    ),
  );
}

function drawHistogram(target, bins, most) {
  const width = 600 / bins.length;
  const bars = bins.map((number, bin) => {
    const height = number ? Math.max(2, (90 * number) / most) : 0;
    const range = `${(bin / bins.length).toFixed(2)} to ${((bin + 1) / bins.length).toFixed(2)}: ${counted(number, "case")}`;
    return draw(
      "rect",
      { class: "bar", x: bin * width + 1, y: 90 - height, width: width - 2, height },
      draw("title", {}, range),
    );
  });
  const label = bins
    .map((number, bin) => (number ? `${number} from ${(bin / bins.length).toFixed(2)}` : ""))
    .filter(Boolean)
    .join(", ");
  return draw(
    "svg",
    {
      viewBox: "0 0 600 92",
      height: 92,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `Scores${target && ` of ${target}`}: ${label || "none"}`,
    },
    bars,
    draw("rect", { class: "track", y: 90, width: 600, height: 1 }),
  );
}

// The figures of each suite where there are several, and the gates: met or missed.
function drawSuites(section) {
  const gates = report.gates ?? [];
  if (!report.by_suite && !gates.length) return;
  if (!report.by_suite) {
    section.append(make("h2", {}, "Gates"), make("ul", { class: "gates" }, gates.map(drawGate)));
    return;
  }
  const rows = report.by_suite.map((suite) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, suite.suite),
      numeric(whole.format(suite.cases)),
      numeric(suite.pass_rate ? percent(suite.pass_rate.value) : "–"),
      suite.mean_score ? gauge(suite.mean_score.value) : numeric("–"),
      make("td", { class: suite.errors ? "number is-error" : "number" }, whole.format(suite.errors)),
      make("td", {}, make("ul", { class: "gates" }, suite.gates.map(drawGate))),
    ),
  );
  const heads = [">cases", ">pass rate", ">mean score", ">errors", "gates"];
  section.append(make("h2", {}, "Suites"), panel("suite", heads, rows, 20, "suites"));
}

function drawGate({ met, text }) {
  const verdict = met ? "pass" : "fail";
  return make(
    "li",
    { class: `gate is-${verdict}` },
    make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
    ` ${text}`,
  );
}

// Figures of all cases would average several targets, which have their own.
function hasSeveralTargets() {
  return report.pass_rate === null;
}

// A column per target, or per whatever the report is grouped by.
function drawGroups(section) {
  if (!report.groups) return;
  const { by, groups } = report.groups;
  const starred = (group, figure, text) => (group.best.includes(figure) ? `${text} ★` : text);
  const milliseconds = (value) => (value === null ? "–" : `${whole.format(Math.round(value))} ms`);
  /** @type {[string, (group: any) => any][]} */
  const lines = [
    ["cases", (group) => whole.format(group.cases)],
    ["mean score", (group) => starred(group, "mean_score", three(group.mean_score.value))],
    ["pass rate", (group) => starred(group, "pass_rate", percent(group.pass_rate.value))],
  ];
  if (groups.some(({ cost }) => cost !== null))
    lines.push(["cost", ({ cost }) => (cost === null ? "–" : Number(cost.toPrecision(4)))]);
  for (const share of ["p50", "p95"])
    if (groups.some((group) => group.latency_ms[share] !== null))
      lines.push([`${share} latency`, (group) => milliseconds(group.latency_ms[share])]);
  lines.push(["errors", (group) => whole.format(group.errors)]);
  const rows = lines.map(([label, write]) =>
    make("tr", {}, make("th", { scope: "row" }, label), groups.map((group) => numeric(String(write(group))))),
  );
  const heads = groups.map(({ name }) => `>${name}`);
  section.append(make("h2", {}, `By ${by}`), panel(by, heads, rows, lines.length, "figures"));
  if (groups.some(({ best }) => best.length))
    section.append(make("p", { class: "muted" }, `★ is better than every other ${by}, more than chance explains.`));
}

// An evaluator's name, after its suite and its target where there are several.
function evaluatorName({ suite, target, name }) {
  return [suite, target, name].filter(Boolean).join("/");
}

function drawEvaluators(section) {
  if (!report.evaluators.length) return;
  const rows = report.evaluators.map((evaluator) =>
    make(
      "tr",
      {},
      evaluatorHead(evaluatorName(evaluator)),
      make("td", { class: "few muted" }, evaluator.type),
      gauge(evaluator.mean_score),
      numeric(percent(evaluator.pass_rate)),
      numeric(whole.format(evaluator.cases), true),
      make("td", { class: evaluator.errors ? "number is-error" : "number" }, whole.format(evaluator.errors)),
    ),
  );
  const heads = ["type~", ">mean score", ">pass rate", ">cases~", ">errors"];
  section.append(make("h2", {}, "Evaluators"), panel("evaluator", heads, rows, 20, "evaluators"));
}

// COCO's figures of the evaluators that detect objects.
function drawDetection(section) {
  for (const [evaluator, figures] of Object.entries(report.detection?.evaluators ?? {})) {
    const names = Object.keys(figures);
    const halves = [names.filter((name) => name.startsWith("AP")), names.filter((name) => name.startsWith("AR"))];
    for (const half of halves) {
      const cells = half.map((name) => numeric(three(figures[name])));
      const row = make("tr", {}, make("th", { scope: "row" }, evaluator), cells);
      section.append(
        panel(
          "objects found",
          half.map((name) => `>${name}`),
          [row],
          1,
          "rows",
        ),
      );
    }
  }
}

// Cases with several answers: all of them together, then the weakest.
function drawRepeats(section) {
  const { repeats } = report;
  if (!repeats) return;
  const heads = [">best~", ">mean", ">variance~", ">std dev~", ">consistency", "ranking~"];
  const name = make("th", { scope: "row" }, `all ${counted(repeats.cases, "case")}`);
  const ranking = repeats.ranking.map(({ repeat }) => repeat);
  const rows = repeats.weakest.map((weak) => repeatsRow(caseHead(weak.case_id), weak, weak.ranking));
  const all = repeatsRow(name, repeats, ranking, "mean");
  const flaky = `${whole.format(repeats.flaky)} of ${counted(repeats.cases, "case")} with several answers`;
  section.append(
    make("h2", {}, "Repeats"),
    make("p", { class: "muted" }, `${flaky} ${repeats.flaky === 1 ? "is" : "are"} flaky: some answers pass, others do not.`),
    panel("case", heads, rows, 5, "of the weakest cases", [all]),
  );
  if (repeats.left_out.length)
    section.append(make("p", { class: "muted" }, `Not in the consistency: ${repeats.left_out.join(", ")}`));
}

function repeatsRow(head, figures, ranking, kind) {
  return make(
    "tr",
    { class: kind },
    head,
    numeric(three(figures.best), true),
    gauge(figures.mean),
    numeric(three(figures.variance), true),
    numeric(three(figures.standard_deviation), true),
    gauge(figures.consistency),
    make("td", { class: "few" }, ranking.join(" ")),
  );
}

function drawAttributes(section) {
  const evaluators = Object.entries(report.metrics);
  if (!evaluators.length) return;
  section.append(make("h2", {}, "Attributes"));
  for (const [evaluator, { attributes, micro, macro }] of evaluators) {
    const weakestFirst = Object.entries(attributes).sort(([, a], [, b]) => weakness(a) - weakness(b));
    const rows = weakestFirst.map(([name, counts]) => attributeRow(evaluator, name, counts));
    const heads = [">precision", ">recall", ">F1", ">95 % interval~", ">TP~", ">TN~", ">FP~", ">FN~", ">support~"];
    const means = [meanRow("micro", micro), meanRow("macro", macro)];
    section.append(panel(evaluator, heads, rows, 12, "attributes", means));
  }
}

function weakness(counts) {
  return counts.f1 ?? (counts.fp || counts.fn ? 0 : 2);
}

function attributeRow(evaluator, name, counts) {
  const plain = make("th", { scope: "row", class: "mono" }, name);
  const head = counts.fp || counts.fn ? attributeHead(evaluator, name) : plain;
  return make("tr", {}, head, gauge(counts.precision), gauge(counts.recall), gauge(counts.f1), intervalCell(counts.intervals.f1), countCells(counts));
}

function meanRow(name, means) {
  return make(
    "tr",
    { class: "mean" },
    make("th", { scope: "row" }, name),
    gauge(means.precision),
    gauge(means.recall),
    gauge(means.f1),
    intervalCell(null),
    countCells(means),
  );
}

function intervalCell(interval) {
  return numeric(interval ? `${three(interval.low)} to ${three(interval.high)}` : "", true);
}

function countCells(counts) {
  return ["tp", "tn", "fp", "fn", "support"].map((key) =>
    numeric(counts[key] === undefined ? "" : whole.format(counts[key]), true),
  );
}
