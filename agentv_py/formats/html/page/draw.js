// Names, attributes and text → elements. A user's text becomes a text node and never markup.
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value);
  }
  const shown = children.flat().filter((child) => child !== null && child !== undefined && child !== "");
  element.append(...shown.map((child) => (typeof child === "string" ? showDirections(child) : child)));
  return element;
}

// Characters that reverse the text behind them become visible, so that a text reads as it is stored.
function showDirections(text) {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

const whole = new Intl.NumberFormat("en-US");

function counted(number, noun, nouns = `${noun}s`) {
  return `${whole.format(number)} ${number === 1 ? noun : nouns}`;
}

function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}

function three(number) {
  return number === null || number === undefined ? "–" : number.toFixed(3);
}

function signed(number, form = three) {
  if (number === null || number === undefined) return "–";
  const text = form(Math.abs(number));
  return /[1-9]/.test(text) ? `${number < 0 ? "−" : "+"}${text}` : text;
}

function points(share) {
  return `${(100 * share).toFixed(1)} pp`;
}

function cut(text, longest) {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function verdictMark(verdict, word = verdict) {
  return make(
    "span",
    { class: `is-${verdict}` },
    make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict] ?? ""),
    word ? ` ${word}` : "",
  );
}

function textButton(text, onclick, title) {
  return make("button", { type: "button", class: "link", onclick, title }, text);
}

// Shows the first entries at once, and the others after a click.
function folded(rows, most, body, nouns) {
  body.append(...rows.slice(0, most));
  if (rows.length <= most) return null;
  const more = make(
    "div",
    { class: "more" },
    textButton(`Show all ${whole.format(rows.length)} ${nouns}`, () => {
      body.append(...rows.slice(most));
      more.remove();
    }),
  );
  return more;
}

// `first` is shown unchanged. In `heads`, a leading `>` marks a column of numbers, and a final `~` marks a column that
// narrow screens leave out.
function table(first, heads, body) {
  const cells = heads.map((head) => {
    const number = head.startsWith(">");
    const few = head.endsWith("~");
    return columnHead(head.replace(/^>|~$/g, ""), [number && "number", few && "few"]);
  });
  return make(
    "div",
    { class: "scroll" },
    make("table", {}, make("thead", {}, make("tr", {}, columnHead(first), cells)), body),
  );
}

// Only a long name may break, so that it does not push the figures off the screen.
function columnHead(text, classes = []) {
  const names = [...classes, text.length > 30 && "long"].filter(Boolean);
  return make("th", { scope: "col", class: names.join(" ") || undefined }, text);
}

// A table that shows its first rows at once.
function panel(first, heads, rows, most, nouns, leading = []) {
  const body = make("tbody", {}, leading);
  const more = folded(rows, most, body, nouns);
  return make("div", { class: "panel" }, table(first, heads, body), more);
}

// The names of cases, evaluators and attributes are links to the cases.
function caseHead(id) {
  const show = () => showCases({ text: id });
  return make("th", { scope: "row", class: "mono" }, textButton(id, show, "Show this case"));
}

function evaluatorHead(evaluator) {
  const show = () => showCases({ evaluator });
  return make("th", { scope: "row" }, textButton(evaluator, show, "Show the cases by this evaluator"));
}

function attributeHead(evaluator, attribute) {
  const show = () => showCases({ evaluator, attribute });
  return make("th", { scope: "row", class: "mono" }, textButton(attribute, show, "Show the cases where it is wrong"));
}

function numeric(text, few = false) {
  return make("td", { class: few ? "number few" : "number" }, text);
}

// A share as a number and a bar. Besides the colour, the length of the bar shows how strong the share is.
function gauge(share) {
  if (share === null || share === undefined) return make("td", { class: "number" }, "–");
  const strength = share < 0.6 ? "weak" : share < 0.9 ? "middling" : "strong";
  const bar = draw(
    "svg",
    { viewBox: "0 0 72 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "track", width: 72, height: 8, rx: 3 }),
    draw("rect", { class: `bar ${strength}`, width: 72 * share, height: 8, rx: 3 }),
  );
  return make("td", { class: "number" }, make("span", { class: "gauge" }, bar, three(share)));
}
