// Many runs → their scores over time, suite by suite.
function drawTrend() {
  const figures = document.getElementById("figures");
  for (const series of report.series) figures.append(drawSeries(series));
  if (!report.series.length) figures.append(make("p", { class: "muted" }, "No run."));
}

function drawSeries(series) {
  const figures = [
    ["Mean score", series.mean_score, series.runs.map((run) => run.mean_score), three, three],
    ["Pass rate", series.pass_rate, series.runs.map((run) => run.pass_rate), percent, points],
  ];
  const body = make("tbody");
  const more = folded(series.runs.map(drawRun).reverse(), 20, body, "runs");
  return make(
    "div",
    { class: "card whole" },
    make(
      "h2",
      { class: "flush" },
      series.suite,
      " ",
      make(
        "small",
        { class: series.degrading ? "is-fail" : "muted" },
        series.degrading ? "✗ degrading" : counted(series.runs.length, "run"),
      ),
    ),
    make(
      "div",
      { class: "figures" },
      figures.map((figure) => drawCurve(...figure)),
    ),
    table("run, the latest first", [">mean score", ">pass rate", ">cases~", ">errors~"], body),
    more,
    series.evaluators.length ? drawCurves("evaluator", series.evaluators) : null,
    series.slices ? drawCurves("slice", series.slices.map((slice) => ({ ...slice, name: `${slice.by} = ${slice.value}` }))) : null,
  );
}

function drawCurve(name, slope, estimates, form, unit) {
  const change =
    slope.slope === null
      ? "one run only"
      : `${signed(slope.slope, unit)} a run${slope.low === null ? "" : `, 95 % interval ${signed(slope.low, unit)} to ${signed(slope.high, unit)}`}`;
  return make(
    "div",
    { class: "half" },
    make("h3", {}, name),
    make("p", { class: "big" }, form(estimates.at(-1).value)),
    make("p", { class: "muted" }, change),
    curve(estimates, 300, 80),
  );
}

function drawRun(run) {
  return make(
    "tr",
    {},
    make(
      "th",
      { scope: "row" },
      run.timestamp ? moment(run.timestamp) : run.file,
      " ",
      make("small", { class: "muted few" }, run.timestamp ? run.file : ""),
    ),
    numeric(three(run.mean_score.value)),
    numeric(percent(run.pass_rate.value)),
    numeric(whole.format(run.cases), true),
    make("td", { class: run.errors ? "number few is-error" : "number few" }, whole.format(run.errors)),
  );
}

function drawCurves(noun, members) {
  const rows = members.map((member) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, cut(member.name, 80)),
      make(
        "td",
        {},
        curve(
          member.mean_scores.map((value) => (value === null ? null : { value, low: value, high: value })),
          120,
          24,
        ),
      ),
      numeric(three(member.mean_scores.findLast((value) => value !== null))),
      numeric(member.slope === null ? "–" : `${signed(member.slope)} a run`),
    ),
  );
  const body = make("tbody");
  const more = folded(rows, 20, body, `${noun}s`);
  return [table(noun, ["mean scores", ">latest", ">slope"], body), more];
}

// The line through the runs and the band of their intervals. The bottom is 0, the top is 1.
function curve(estimates, width, height) {
  const across = (at) => (estimates.length > 1 ? (at * width) / (estimates.length - 1) : width / 2);
  const down = (value) => (1 - value) * (height - 4) + 2;
  const known = estimates.map((estimate, at) => [estimate, across(at)]).filter(([estimate]) => estimate);
  const line = known.map(([estimate, x]) => `${x.toFixed(1)},${down(estimate.value).toFixed(1)}`);
  const band = [
    ...known.map(([estimate, x]) => `${x.toFixed(1)},${down(estimate.high).toFixed(1)}`),
    ...known.toReversed().map(([estimate, x]) => `${x.toFixed(1)},${down(estimate.low).toFixed(1)}`),
  ];
  if (line.length === 1) line.push(line[0].replace(/^[^,]+/, (x) => String(Number(x) + 3)));
  return draw(
    "svg",
    {
      class: "curve",
      viewBox: `0 0 ${width} ${height}`,
      height,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": known.map(([estimate]) => three(estimate.value)).join(", "),
    },
    draw("rect", { class: "track", y: height - 1, width, height: 1 }),
    draw("polygon", { class: "reach", points: band.join(" ") }),
    draw("polyline", { class: "line", points: line.join(" ") }),
  );
}
