// The address's hash ⇄ the filters and the open case; and links to the parts of the page, which stay visible.
const PARTS = [
  ["cases", "Cases"],
  ["figures", "Figures"],
  ["evaluators", "Evaluators"],
  ["slices", "Slices"],
  ["attributes", "Attributes"],
  ["errors", "Kinds of error"],
  ["confidence", "Confidence"],
];
let wanted = null;

function drawNavigation() {
  const shown = PARTS.filter(([id]) => document.getElementById(id).childElementCount);
  if (shown.length < 2) return;
  const go = (id) => (event) => {
    event.preventDefault();
    document.getElementById(id).scrollIntoView();
  };
  document
    .getElementById("navigation")
    .append(...shown.map(([id, text]) => make("a", { href: `#${id}`, onclick: go(id) }, text)));
  const part = shown.find(([id]) => `#${id}` === location.hash);
  if (part) document.getElementById(part[0]).scrollIntoView();
}

function filtersHash() {
  return Object.entries(state).filter(([, value]) => value);
}

function caseHash(position) {
  const several = index.suites.length > 1 ? [["suite", index.suites[index.suite[position]]]] : [];
  const target = index.targets[index.target[position]];
  return [["case", index.ids[position]], ...several, ...(target ? [["target", target]] : [])];
}

function linkTo(position) {
  return `#${new URLSearchParams(caseHash(position))}`;
}

// Writes the filters, and the case that was opened last, into the address, so that a copy of it shows the same.
function writeHash(position = null) {
  const parts = [...filtersHash(), ...(position === null ? [] : caseHash(position))];
  const hash = parts.length ? `#${new URLSearchParams(parts)}` : "";
  const isPart = location.hash && !location.hash.includes("=");
  if (hash !== location.hash && !(isPart && !hash)) history.replaceState(null, "", hash || location.pathname + location.search);
}

// Reads the address: filters, and a case to open. A hash without them is the link of a part of the page.
function readHash() {
  if (!location.hash.includes("=")) return false;
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of Object.keys(state)) state[name] = given.get(name) ?? "";
  wanted = given.has("case") ? findCase(given) : null;
  return true;
}

function findCase(given) {
  const fits = (position) =>
    index.ids[position] === given.get("case") &&
    (!given.has("suite") || index.suites[index.suite[position]] === given.get("suite")) &&
    (!given.has("target") || index.targets[index.target[position]] === given.get("target"));
  return [...index.ids.keys()].find(fits) ?? null;
}

function followHash() {
  if (!readHash()) return;
  update();
  if (wanted === null) document.getElementById("cases").scrollIntoView();
}

// Opens the case that the address names, once the table shows it; filters that hide it are cleared.
function openWanted() {
  if (wanted === null) return;
  const position = wanted;
  const place = rows.order.indexOf(position);
  if (place < 0 && filtersHash().length) {
    for (const name of Object.keys(state)) state[name] = "";
    update();
    return;
  }
  wanted = null;
  if (place < 0) return;
  rows.go(place);
  if (!rows.open.has(position)) rows.toggle(place);
  rows.nodes.get(place)?.scrollIntoView();
}
