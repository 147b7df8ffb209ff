// The confidences of an evaluator → sentences, one curve, and tables of attributes and bins.
function drawConfidence(section) {
  const evaluators = Object.entries(report.confidence ?? {});
  if (!evaluators.length) return;
  section.append(make("h2", {}, "Confidence"));
  for (const [evaluator, figures] of evaluators) section.append(...drawConfidenceOf(evaluator, figures));
}

function drawConfidenceOf(evaluator, figures) {
  const warnings = figures.warnings.map((text) => make("p", { class: "notice", role: "note" }, text));
  if (figures.too_few)
    return [
      make("p", {}, `${evaluator}: ${counted(figures.observations, "observation")}; figures need at least 30.`),
      ...warnings,
    ];
  const everything = figures.accept.findIndex(({ coverage }) => coverage === 1);
  const sentences = figures.accept.slice(0, everything < 0 ? undefined : everything + 1);
  const card = make(
    "div",
    { class: "card confidence" },
    make("h3", {}, evaluator),
    make("ul", { class: "sentences" }, sentences.map(({ text, threshold }) => make("li", { class: threshold === null ? "muted" : "sure" }, text))),
    make("p", { class: "muted" }, reviewText(figures)),
    make("p", { class: "muted" }, "“At least” is 95 % sure, also after the choice of the confidence."),
    coverageCurve(figures),
  );
  const known = Object.entries(figures.attributes).filter(([, own]) => !own.too_few);
  const leastTrusted = known.sort(([, a], [, b]) => (a.auroc ?? 1) - (b.auroc ?? 1) || a.accuracy - b.accuracy);
  const heads = [`>${figures.unit}s`, ">right", ">mean~", ">AUROC", ">Brier~", ">ECE~"];
  const rows = figures.unit === "field" ? leastTrusted.map(([name, own]) => confidenceRow(attributeHead(evaluator, name), own)) : [];
  for (const slice of figures.slices ?? [])
    if (!slice.too_few) rows.push(confidenceRow(make("th", { scope: "row" }, `${slice.by} = ${cut(slice.value, 60)}`), slice));
  const all = confidenceRow(make("th", { scope: "row" }, "all"), figures, "mean");
  return [...warnings, card, panel(evaluator, heads, rows, 12, "attributes", [all]), binPanel(figures)];
}

function reviewText({ review, unit }) {
  if (review[0].caught === null) return "There is no error.";
  const parts = review.map(({ budget, caught }) => `${Math.floor(100 * caught)} % at ${Math.round(100 * budget)} %`);
  return `Errors caught by a review of the least sure ${unit}s: ${parts.join(", ")}.`;
}

function confidenceRow(head, own, kind = "") {
  return make(
    "tr",
    { class: kind || undefined },
    head,
    numeric(whole.format(own.observations)),
    numeric(percent(own.accuracy)),
    numeric(three(own.mean_confidence), true),
    numeric(three(own.auroc)),
    numeric(three(own.brier), true),
    numeric(three(own.ece), true),
  );
}

// How many values each bin of confidences has, and how many of them are right.
function binPanel({ bins, unit }) {
  const rows = bins
    .filter(({ size }) => size)
    .map(({ low, high, size, confidence, accuracy }) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, `${low} to ${high}`),
        numeric(whole.format(size)),
        numeric(three(confidence)),
        gauge(accuracy),
      ),
    );
  return panel("confidence", [`>${unit}s`, ">mean", ">right"], rows.reverse(), 12, "bins");
}

// The accuracy of what is accepted, by the share that is accepted. The axis begins below the lowest accuracy.
function coverageCurve({ curve, unit }) {
  const [width, height, left, bottom] = [600, 180, 52, 34];
  const lowest = Math.min(...curve.map(({ accuracy }) => accuracy));
  const floor = Math.max(0, Math.floor((lowest - 1e-9) * 10) / 10);
  const x = (coverage) => left + coverage * (width - left - 12);
  const y = (accuracy) => 10 + ((1 - accuracy) / (1 - floor || 1)) * (height - bottom - 10);
  const path = curve.map(({ coverage, accuracy }) => `${x(coverage).toFixed(1)},${y(accuracy).toFixed(1)}`).join(" ");
  const marks = [floor, (1 + floor) / 2, 1].flatMap((value) => [
    draw("line", { class: "grid-line", x1: left, x2: width - 12, y1: y(value), y2: y(value) }),
    draw("text", { class: "axis", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, percent(value)),
  ]);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    draw("text", { class: "axis", x: x(share), y: height - 16, "text-anchor": "middle" }, `${100 * share} %`),
  );
  const dots = curve.map(({ threshold, coverage, accuracy }) =>
    draw(
      "circle",
      { class: "dot", cx: x(coverage), cy: y(accuracy), r: 3.5 },
      draw("title", {}, `≥ ${threshold}: ${percent(coverage)} of ${unit}s, ${percent(accuracy)} right`),
    ),
  );
  const label = `Accuracy by coverage: ${curve.map((p) => `${percent(p.coverage)} at ${percent(p.accuracy)}`).join(", ")}`;
  return draw(
    "svg",
    { class: "coverage", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    marks,
    draw("polyline", { class: "line", points: path }),
    dots,
    ticks,
    draw("text", { class: "axis", x: x(0.5), y: height - 2, "text-anchor": "middle" }, `share of ${unit}s that is accepted`),
  );
}
