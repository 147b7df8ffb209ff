// Embedded JSON → the report, the index of cases, and one case when it is opened.
const ABSENT = Symbol("absent");
const SIGNS = { pass: "✓", partial: "◐", fail: "✗", error: "!" };

const report = JSON.parse(textOf("report"));
const index = JSON.parse(textOf("index"));
const VERDICTS = index.tables.verdicts;
const isDiff = report.kind === "diff";

function textOf(id) {
  return document.getElementById(id).textContent;
}

// A block holds the lines of some cases only, so that opening a case reads few lines.
function lineOf(position) {
  const block = Math.floor(position / index.per_block);
  return textOf(`block-${block}`).split("\n")[position % index.per_block];
}

function caseAt(position) {
  const [values, rows] = lineOf(position).split("\t");
  const sides = JSON.parse(values, exactly);
  return JSON.parse(rows, exactly).map((row, side) => ({ row, ...sides[side] }));
}

// A number that JavaScript would round or spell differently keeps its original text.
class Numeral {
  constructor(text) {
    this.text = text;
  }
}

function exactly(_key, value, context) {
  const source = context?.source;
  return typeof value === "number" && source && source !== String(value) ? new Numeral(source) : value;
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Numeral);
}

function numberOf(value) {
  const number =
    value instanceof Numeral ? Number(value.text) : typeof value === "string" && value.trim() ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function jsonText(value, indent = "") {
  if (value instanceof Numeral) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const names = Array.isArray(value) ? null : Object.keys(value);
  const parts = (names ?? value).map((part) =>
    names
      ? `${JSON.stringify(part)}: ${jsonText(value[part], indent && indent + "  ")}`
      : jsonText(part, indent && indent + "  "),
  );
  if (!parts.length) return open + close;
  return indent
    ? `${open}${indent}  ${parts.join(`,${indent}  `)}${indent}${close}`
    : `${open}${parts.join(", ")}${close}`;
}

function plainText(value) {
  return typeof value === "string" ? value : jsonText(value);
}

// A judge may write anything into its details. Details of another shape are ignored.
function details(result) {
  return isObject(result?.details) ? result.details : {};
}

function mismatchesOf(result) {
  const { mismatches } = details(result);
  if (!Array.isArray(mismatches)) return [];
  return mismatches.filter((mismatch) => isObject(mismatch) && typeof mismatch.path === "string");
}

function hitsOf(result) {
  return Array.isArray(result.hits) ? result.hits.filter((path) => typeof path === "string") : [];
}

// The path and the pairs of each list whose rows were paired. Detected objects are paired as well.
function pairingsOf(result) {
  const { alignment, matches } = details(result);
  const pairings = isObject(alignment) ? { ...alignment } : {};
  if (result.type === "detection" && matches) pairings[listPath(result)] = matches;
  const isPair = (pair) =>
    Array.isArray(pair) && Number.isInteger(numberOf(pair[0])) && Number.isInteger(numberOf(pair[1]));
  return Object.entries(pairings)
    .filter(([, pairs]) => Array.isArray(pairs) && pairs.every(isPair))
    .map(([path, pairs]) => [path, pairs.map((pair) => pair.map(numberOf))]);
}

function listPath(result) {
  const first = hitsOf(result)[0] ?? mismatchesOf(result)[0]?.path ?? "";
  return first.replace(/\[\+?[0-9]+\]$/, "") || "$";
}
