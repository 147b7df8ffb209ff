// Slices → a table for each tag or metadata key: their figures, or what changed in them.
function drawSlices(section) {
  if (!report.slices?.length) return;
  const weakest = report.slices.filter((slices) => slices.weakest);
  section.append(
    make("h2", {}, "Slices"),
    ...weakest.map((slices) => make("p", { class: "notice", role: "note" }, `Weakest slice: ${slices.weakest.text}.`)),
  );
  for (const slices of report.slices) {
    const [heads, row] = isDiff ? [SHIFT_HEADS, sliceShiftRow] : [SLICE_HEADS, sliceRow];
    const rows = slices.slices.map((slice) => row(slices, slice));
    section.append(panel(sliceTitle(slices), heads, rows, 12, "slices"), ...sliceNotes(slices));
  }
}

const SLICE_HEADS = [">cases", ">pass rate", ">95 % interval~", ">mean score", ">95 % interval~", "lowest F1~"];
const SHIFT_HEADS = [">cases~", ">broken", ">fixed", ">pass rate~", ">mean score", ">95 % interval~", ">p, Holm’s~"];

function sliceTitle({ suite, target, by }) {
  return [suite, target, by].filter(Boolean).join("/");
}

function sliceHead({ by }, { value, worse }) {
  const name = cut(value, 80);
  const show = () => showCases({ tag: value });
  return make(
    "th",
    { scope: "row", title: value === name ? undefined : value },
    by === "tags" ? textButton(name, show, "Show the cases with this tag") : name,
    worse ? make("span", { class: "is-fail", title: "Worse than all other cases, more than chance explains" }, " ↓") : null,
  );
}

function sliceRow(slices, slice) {
  const few = slice.too_few && make("td", { class: "number muted" }, "too few");
  const interval = (estimate, form) => numeric(estimate ? `${form(estimate.low)} to ${form(estimate.high)}` : "", true);
  return make(
    "tr",
    {},
    sliceHead(slices, slice),
    numeric(whole.format(slice.cases)),
    few || numeric(percent(slice.pass_rate.value)),
    interval(slice.pass_rate, percent),
    slice.too_few ? numeric("") : gauge(slice.mean_score.value),
    interval(slice.mean_score, three),
    make("td", { class: "few mono" }, lowestF1(slice.f1)),
  );
}

function lowestF1(evaluators) {
  const figures = Object.values(evaluators)
    .flatMap((attributes) => Object.entries(attributes))
    .filter(([, f1]) => f1 !== null)
    .sort(([, a], [, b]) => a - b);
  return figures.length ? `${cut(figures[0][0], 40)} ${three(figures[0][1])}` : "";
}

function sliceShiftRow(slices, slice) {
  const { pass_rate: rate, mean_score: mean } = slice;
  return make(
    "tr",
    {},
    sliceHead(slices, slice),
    numeric(whole.format(slice.cases), true),
    make("td", { class: slice.broken ? "number is-fail" : "number muted" }, whole.format(slice.broken)),
    make("td", { class: slice.fixed ? "number is-pass" : "number muted" }, whole.format(slice.fixed)),
    numeric(slice.too_few ? "" : signed(rate.delta, points), true),
    slice.too_few ? make("td", { class: "number muted" }, "too few") : deltaCell(mean.delta),
    numeric(mean && mean.low !== null ? `${signed(mean.low)} to ${signed(mean.high)}` : "", true),
    numeric(mean && mean.p_adjusted !== null ? chance(mean.p_adjusted).replace("= ", "") : "", true),
  );
}

function sliceNotes(slices) {
  const isSmall = slices.slices.some((slice) => slice.too_few);
  const notes = [
    isSmall && `too few: fewer than ${counted(slices.min_cases, "case")} (--min-cases)`,
    slices.omitted && `${counted(slices.omitted, "more slice")} in no format`,
    slices.cases_without && `${counted(slices.cases_without, "case")} without a value`,
    slices.cases_beyond && `${counted(slices.cases_beyond, "case")} of further values in no slice`,
  ].filter(Boolean);
  return notes.length ? [make("p", { class: "muted" }, `${notes.join(" · ")}.`)] : [];
}
