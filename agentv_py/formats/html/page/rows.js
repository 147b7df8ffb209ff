// A list of cases of any length → the rows that are visible.
const AROUND = 8;
const MOST_PRINTED = 1000;

class Rows {
  constructor(body, drawRow) {
    this.body = body;
    this.drawRow = drawRow;
    this.order = [];
    this.active = 0;
    this.nodes = new Map();
    this.open = new Map();
    this.sizes = new ResizeObserver((entries) => this.measured(entries));
    body.addEventListener("click", (event) => this.clicked(event));
    body.addEventListener("keydown", (event) => this.pressed(event));
    for (const moved of ["scroll", "resize"]) addEventListener(moved, () => this.later(), { passive: true });
    addEventListener("beforeprint", () => this.print());
    addEventListener("afterprint", () => this.show(this.order));
  }

  show(order) {
    this.order = order;
    this.active = 0;
    for (const node of this.nodes.values()) node.remove();
    this.nodes.clear();
    for (const { node } of this.open.values()) node.remove();
    this.render();
  }

  later() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.render();
    });
  }

  // The position at which each row begins: all closed rows have the same height, and few rows are open.
  render() {
    this.height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
    this.opened = this.openPlaces();
    this.body.style.height = `${this.top(this.order.length)}px`;
    const above = -this.body.getBoundingClientRect().top;
    const first = Math.max(0, this.at(above) - AROUND);
    const last = Math.min(this.order.length - 1, this.at(above + innerHeight) + AROUND);
    const wanted = new Set();
    for (let place = first; place <= last; place += 1) wanted.add(place);
    if (this.active < this.order.length) wanted.add(this.active);
    for (const [place, node] of this.nodes) if (!wanted.has(place)) this.drop(place, node);
    for (const place of [...wanted].sort((a, b) => a - b)) this.place(place);
  }

  openPlaces() {
    if (!this.open.size) return [];
    return [...this.order.keys()].filter((place) => this.open.has(this.order[place]));
  }

  top(place) {
    let top = place * this.height;
    for (const open of this.opened) if (open < place) top += this.open.get(this.order[open]).height;
    return top;
  }

  at(offset) {
    let place = Math.floor(offset / this.height);
    for (const open of this.opened) {
      const below = this.top(open) + this.height;
      if (below > offset) break;
      place = Math.max(
        open,
        Math.floor((offset - below - this.open.get(this.order[open]).height) / this.height) + open + 1,
      );
    }
    return Math.max(0, place);
  }

  place(place) {
    let node = this.nodes.get(place);
    const position = this.order[place];
    if (!node) {
      node = this.drawRow(position);
      node.dataset.place = place;
      node.setAttribute("aria-rowindex", place + 2);
      this.nodes.set(place, node);
      this.body.append(node);
    }
    node.style.top = `${this.top(place)}px`;
    node.tabIndex = place === this.active ? 0 : -1;
    const open = this.open.get(position);
    node.setAttribute("aria-expanded", Boolean(open));
    if (!open) return;
    open.node.style.top = `${this.top(place) + this.height}px`;
    if (!open.node.isConnected) {
      node.after(open.node);
      this.sizes.observe(open.node);
    }
  }

  drop(place, node) {
    node.remove();
    this.nodes.delete(place);
    const open = this.open.get(this.order[place]);
    if (!open) return;
    this.sizes.unobserve(open.node);
    open.node.remove();
  }

  measured(entries) {
    for (const { target } of entries) {
      const open = [...this.open.values()].find(({ node }) => node === target);
      if (open && target.isConnected) open.height = target.offsetHeight;
    }
    this.later();
  }

  toggle(place) {
    const position = this.order[place];
    const open = this.open.get(position);
    if (open) {
      this.sizes.unobserve(open.node);
      open.node.remove();
      this.open.delete(position);
    } else {
      const cell = make("div", { role: "gridcell" }, drawCase(position));
      this.open.set(position, {
        node: make("div", { class: "detail", role: "row", "data-of": place }, cell),
        height: 0,
      });
    }
    writeHash(open ? null : position);
    this.render();
    const opened = this.open.get(position);
    if (opened) opened.height = opened.node.offsetHeight;
    this.render();
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (!row || String(getSelection())) return;
    this.active = Number(row.dataset.place);
    this.toggle(this.active);
    this.focus();
  }

  pressed(event) {
    const row = event.target.closest(".row");
    const place = row ? Number(row.dataset.place) : this.active;
    if (event.key === "Escape" && this.open.has(this.order[this.active])) {
      this.toggle(this.active);
      this.focus();
      return;
    }
    if (!row) return;
    const page = Math.max(1, Math.floor(innerHeight / this.height) - 2);
    const moves = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -place,
      End: this.order.length - 1 - place,
    };
    if (event.key in moves) this.go(place + moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.toggle(place);
    else return;
    event.preventDefault();
  }

  go(place) {
    this.active = Math.min(this.order.length - 1, Math.max(0, place));
    this.render();
    this.focus();
  }

  focus() {
    const node = this.nodes.get(this.active);
    node?.scrollIntoView({ block: "nearest" });
    node?.focus({ preventScroll: true });
  }

  // Paper cannot scroll: the print shows the rows one below the other, and open rows stay open.
  print() {
    this.render();
    for (const place of this.order.slice(0, MOST_PRINTED).keys()) this.place(place);
    for (const node of [...this.nodes.values()].sort((a, b) => a.dataset.place - b.dataset.place)) {
      this.body.append(node);
      const open = this.open.get(this.order[node.dataset.place]);
      if (open) this.body.append(open.node);
    }
    if (this.order.length > MOST_PRINTED)
      this.body.append(
        make(
          "p",
          { class: "empty" },
          `The first ${whole.format(MOST_PRINTED)} of ${counted(this.order.length, "case")}.`,
        ),
      );
  }
}
