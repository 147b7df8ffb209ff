// {files, index, calls} on stdin → what each function of the page's scripts returns, as JSON on stdout.
const { readFileSync } = require("node:fs");
const vm = require("node:vm");

class Element {
  constructor(tag) {
    this.tag = tag;
    this.children = [];
  }

  setAttribute() {}

  append(...children) {
    this.children.push(...children);
  }
}

const { files, index, calls } = JSON.parse(readFileSync(0, "utf-8"));
const blocks = { index: JSON.stringify(index), report: JSON.stringify({ kind: "summary" }) };
const context = vm.createContext({
  document: {
    getElementById: (id) => ({ textContent: blocks[id] }),
    createElement: (tag) => new Element(tag),
    createElementNS: (_, tag) => new Element(tag),
  },
});
vm.runInContext(files.map((file) => readFileSync(file, "utf-8")).join("\n"), context, { filename: "page.js" });

function shown(value) {
  if (typeof value === "symbol") return `<${value.description}>`;
  if (value instanceof Element) return { [value.tag]: value.children.map(shown) };
  if (Array.isArray(value)) return value.map(shown);
  return value ?? null;
}

const answers = calls.map(([name, ...given]) => {
  context.given = given;
  return shown(vm.runInContext(`${name}(...given)`, context));
});
process.stdout.write(JSON.stringify(answers));
