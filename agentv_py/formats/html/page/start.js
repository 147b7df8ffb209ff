// The parts of the page → drawn once, in reading order.
function start() {
  const suites = (report.suites ?? report.series.map(({ suite }) => suite)).join(", ") || "No suite";
  document.title = `${suites} · ${report.kind}`;
  document.getElementById("kicker").textContent = { summary: "Results", diff: "What changed", trend: "Over time" }[
    report.kind
  ];
  document.getElementById("title").textContent = suites;
  document.getElementById("subtitle").textContent = subtitle();
  document.getElementById("footer").textContent =
    `Written by evalctl ${index.version}. This file contains everything that it shows, and loads nothing.`;
  document
    .getElementById("notices")
    .append(...index.notices.map((text) => make("p", { class: "notice", role: "note" }, text)));
  document.getElementById("theme").addEventListener("click", switchTheme);
  ({ summary: drawSummary, diff: drawDiff, trend: drawTrend })[report.kind]();
  if (report.kind === "trend") return;
  readHash();
  drawCases(document.getElementById("cases"));
  drawNavigation();
  addEventListener("hashchange", followHash);
}

function subtitle() {
  if (report.kind === "trend") return "Scores and pass rates, run after run";
  if (isDiff) return ["baseline", "candidate"].map(sideTitle).join(" → ");
  return [index.size, labelsText(report.labels), index.started && `run ${moment(index.started)}`].filter(Boolean).join(" · ");
}

function sideTitle(side) {
  const target = report.targets?.[side];
  return [report[side], target, labelsText(report.labels?.[side])].filter(Boolean).join(" · ");
}

// What the user calls the runs, each with the beginning of its commit.
function labelsText(labels = []) {
  return labels.map(({ label, commit }) => `${label} ${commit.slice(0, 7)}`.trim()).join(", ");
}

function moment(text) {
  return text.replace(/^(\S+)T(\d\d:\d\d)\S*(\+00:00|Z)$/, "$1 $2 UTC");
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

start();
