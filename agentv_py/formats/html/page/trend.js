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
  const names = series.runs.map(({ name }) => cut(name, 120));
  const body = make("tbody");
  const trendless = series.runs.length < 3 ? ", no trend yet: it takes 3" : "";
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
        series.degrading ? "✗ degrading" : `${counted(series.runs.length, "run")}${trendless}`,
      ),
    ),
    make(
      "div",
      { class: "figures" },
      figures.map(([name, slope, estimates, form, unit]) => drawCurve(name, slope, estimates, form, unit, names)),
    ),
    table("run, the latest first", [">mean score", ">pass rate", ">cases~", ">errors~"], body),
    more,
    series.evaluators.length ? drawCurves("evaluator", series.evaluators) : null,
    series.slices ? drawCurves("slice", series.slices.map((slice) => ({ ...slice, name: `${slice.by} = ${slice.value}` }))) : null,
  );
}

function drawCurve(name, slope, estimates, form, unit, names) {
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
    runCurve(estimates, names, form),
  );
}

const MOST_VALUES = 12;

// A dot per run with its value, on an axis from 0 to 1. Where there are many runs, the first, the last, the lowest and the
// highest have their values beside them; every dot has one in its title.
function runCurve(estimates, names, form) {
  const [width, height, left, bottom] = [600, 200, 44, 26];
  const x = (at) => left + 20 + (estimates.length > 1 ? (at * (width - left - 50)) / (estimates.length - 1) : 0);
  const y = (value) => 16 + (1 - value) * (height - bottom - 16);
  const values = estimates.map(({ value }) => value);
  const telling = new Set([0, values.length - 1, values.indexOf(Math.min(...values)), values.indexOf(Math.max(...values))]);
  const band = [
    ...estimates.map(({ high }, at) => `${x(at).toFixed(1)},${y(high).toFixed(1)}`),
    ...estimates.map(({ low }, at) => `${x(at).toFixed(1)},${y(low).toFixed(1)}`).reverse(),
  ];
  const marks = [0, 0.5, 1].flatMap((value) => [
    draw("line", { class: "grid-line", x1: left, x2: width, y1: y(value), y2: y(value) }),
    draw("text", { class: "axis", x: left - 6, y: y(value) + 4, "text-anchor": "end" }, form(value).replace(/\.0+%$/, "%").replace(/\.?0+$/, "")),
  ]);
  const dots = values.flatMap((value, at) => [
    draw("circle", { class: "dot", cx: x(at), cy: y(value), r: 4 }, draw("title", {}, `${names[at]}: ${form(value)}`)),
    values.length <= MOST_VALUES || telling.has(at)
      ? draw("text", { class: "axis value-mark", x: x(at), y: Math.max(12, y(value) - 9), "text-anchor": "middle" }, form(value))
      : null,
  ]);
  return draw(
    "svg",
    {
      class: "runs",
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": values.map((value, at) => `${names[at]}: ${form(value)}`).join(", "),
    },
    marks,
    draw("polygon", { class: "reach", points: band.join(" ") }),
    draw("polyline", { class: "line", points: values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }),
    dots,
  );
}

function drawRun(run) {
  return make(
    "tr",
    {},
    make(
      "th",
      { scope: "row" },
      run.name,
      " ",
      make("small", { class: "muted few" }, run.timestamp ? moment(run.timestamp) : ""),
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
