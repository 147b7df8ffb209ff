// The index → a table of cases to search, filter and sort.
let rows = null;
let searching = 0;

function drawCases(section) {
  const body = make("div", { class: "body", role: "rowgroup" });
  const kind = isDiff ? "columns-two" : "columns-one";
  const grid = make(
    "div",
    { class: `grid ${kind}`, role: "treegrid", "aria-label": "Cases", id: "grid" },
    drawHead(),
    body,
    make("p", { class: "empty", id: "none", hidden: "" }, "No case fits the filters."),
  );
  section.append(
    make("h2", {}, "Cases"),
    drawTools(),
    make(
      "div",
      { class: "count muted" },
      make("span", { id: "count", role: "status" }),
      make("button", { type: "button", class: "link", id: "clear", onclick: () => showCases({}) }, "Clear filters"),
    ),
    grid,
  );
  rows = new Rows(body, isDiff ? drawPairRow : drawRow);
  document.addEventListener("keydown", focusSearch);
  update();
}

function focusSearch(event) {
  const modified = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key !== "/" || modified || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  document.getElementById("search").focus();
}

function drawTools() {
  const search = make("input", {
    type: "search",
    id: "search",
    placeholder: "Search ids, tags and values  ( / )",
    "aria-label": "Search ids, tags and values",
    autocomplete: "off",
    spellcheck: "false",
    oninput: (event) => update({ text: event.target.value }),
    onkeydown: (event) => event.key === "ArrowDown" && rows.order.length && (event.preventDefault(), rows.go(0)),
  });
  const changes = CHANGES.filter(([change]) => index.change.includes(change)).map(([change, sign, words]) => [
    change,
    `${sign} ${words}`,
  ]);
  const verdicts = Object.entries(VERDICTS)
    .filter(([code]) => latest.verdict.includes(code))
    .map(([, verdict]) => [verdict, `${SIGNS[verdict]} ${verdict}`]);
  const attributes = [...new Set(index.attributes.map(([, name]) => name))].sort();
  return make(
    "div",
    { class: "tools", role: "search" },
    search,
    isDiff ? picker("change", "Every change", changes) : null,
    picker("verdict", "Every verdict", verdicts),
    index.tags.length ? picker("tag", "Every tag", named([...index.tags].sort())) : null,
    index.evaluators.length ? picker("evaluator", "Every evaluator", named(index.evaluators)) : null,
    attributes.length ? picker("attribute", "Every attribute", named(attributes, "wrong: ")) : null,
    index.kinds.length ? picker("kind", "Every kind of error", named([...index.kinds].sort())) : null,
  );
}

function named(names, before = "") {
  return names.map((name) => [name, before + cut(name, 60)]);
}

function picker(name, every, options) {
  return make(
    "select",
    {
      id: `by-${name}`,
      "aria-label": `Filter by ${name}`,
      onchange: (event) => update({ [name]: event.target.value }),
    },
    make("option", { value: "" }, every),
    options.map(([value, text]) => make("option", { value }, text)),
  );
}

function drawHead() {
  const heads = isDiff
    ? [
        ["verdict", "what changed", "word"],
        ["id", "case", "id"],
        ["before", "before", "number"],
        ["score", "after", "number"],
        ["delta", "delta", "number delta"],
        ["", "wrong now", "note"],
      ]
    : [
        ["verdict", "verdict", "word"],
        ["id", "case", "id"],
        ["score", "score", "number"],
        ["", "wrong", "note"],
        ["", "tags", "tags"],
      ];
  const cells = heads.map(([sort, text, name]) =>
    make(
      "span",
      { role: "columnheader", class: name, "data-sort": sort || undefined },
      sort ? make("button", { type: "button", onclick: () => sortBy(sort) }, text) : make("span", {}, text),
    ),
  );
  return make("div", { class: "head", role: "row" }, cells);
}

function sortBy(sort) {
  order.down = order.sort === sort && !order.down;
  order.sort = sort;
  update();
}

function showCases(wanted) {
  for (const name of Object.keys(state)) state[name] = "";
  update(wanted);
  document.getElementById("cases").scrollIntoView();
  if (rows.order.length) rows.nodes.get(0)?.focus({ preventScroll: true });
}

function update(changes = {}) {
  Object.assign(state, changes);
  for (const name of ["verdict", "tag", "evaluator", "attribute", "kind", "change"]) {
    const select = /** @type {HTMLSelectElement | null} */ (document.getElementById(`by-${name}`));
    if (select) select.value = state[name];
    select?.classList.toggle("set", Boolean(state[name]));
  }
  const search = /** @type {HTMLInputElement} */ (document.getElementById("search"));
  if (search.value !== state.text) search.value = state.text;
  document.getElementById("clear").hidden = Object.values(state).every((value) => !value);
  for (const head of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sort]"))) {
    head.setAttribute("aria-sort", head.dataset.sort !== order.sort ? "none" : order.down ? "descending" : "ascending");
  }
  const chosen = sorted([...index.ids.keys()].filter(isWanted));
  searching += 1;
  writeHash(wanted);
  if (state.text.trim()) find(state.text.trim().toLowerCase(), chosen, searching);
  else showFound(chosen);
}

function showFound(positions) {
  rows.show(positions);
  document.getElementById("grid").setAttribute("aria-rowcount", positions.length + 1);
  document.getElementById("none").hidden = positions.length > 0;
  const all = index.ids.length;
  const noun = index.targets.filter(Boolean).length > 1 ? "answer" : "case";
  const share = positions.length === all ? "All" : `${whole.format(positions.length)} of`;
  document.getElementById("count").textContent = `${share} ${counted(all, noun)}`;
  openWanted();
}

function drawRow(position) {
  const verdict = VERDICTS[codeOf(position)];
  return make(
    "div",
    { class: "row", role: "row", "aria-level": 1 },
    verdictCell(verdict),
    idCell(position),
    make("span", { class: "number", role: "gridcell" }, verdict === "error" ? "–" : three(scoreOf(position))),
    make("span", { class: "note muted", role: "gridcell" }, noteOf(position)),
    make(
      "span",
      { class: "tags", role: "gridcell" },
      index.tag[position].map((tag) => make("span", { class: "tag" }, index.tags[tag])),
    ),
  );
}

const hasTargets = index.targets.filter(Boolean).length > 1;

// Ids are unique within a suite and a target only.
function idCell(position) {
  const suite =
    index.suites.length > 1 ? make("small", { class: "muted" }, ` ${index.suites[index.suite[position]]}`) : "";
  const target = index.targets[index.target[position]];
  const about = target && hasTargets ? make("small", { class: "muted" }, ` ${target}`) : "";
  return make("span", { class: "id", role: "gridcell", title: index.ids[position] }, index.ids[position], suite, about);
}

function verdictCell(verdict) {
  return make(
    "span",
    { class: `is-${verdict}`, role: "gridcell", title: verdict },
    make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]),
    make("span", { class: "word" }, ` ${verdict}`),
  );
}
