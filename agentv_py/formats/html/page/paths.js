// `items[0].amount` → its steps; `items[+1]` is a row that only the candidate has.
const STEP = /\.?([^.[\]]+)|\[(\+?[0-9]+)\]|\[(["'])(.*?)\3\]|\[([^[\]"']+)\]/gsy;

function stepsOf(path) {
  if (path === "$") return [];
  const steps = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path);
    // The first key has no dot before it; every later key has one.
    if (!match || (match[1] !== undefined && match[0].startsWith(".") !== steps.length > 0)) return [path];
    steps.push(match[1] ?? match[2] ?? match[4] ?? match[5]);
  }
  return steps.length ? steps : [path];
}

function keyOf(steps) {
  return JSON.stringify(steps);
}

// Entries by path. Each entry has two keys: the steps of its path, and the whole path, because a key may hold dots.
class PathMap {
  constructor() {
    this.entries = new Map();
  }

  add(path, entry) {
    for (const key of [keyOf([path]), keyOf(stepsOf(path))]) if (!this.entries.has(key)) this.entries.set(key, entry);
  }

  get(steps) {
    return this.entries.get(keyOf(steps));
  }
}

// The steps into the answer: the index of a row in a paired list becomes the index of its partner.
function answerSteps(steps, pairs) {
  return steps.map((step, at) => {
    const rowPairs = pairs.get(steps.slice(0, at));
    const partner = rowPairs?.find(([expected]) => String(expected) === step);
    return rowPairs && !step.startsWith("+") ? String(partner?.[1] ?? "none") : step;
  });
}

function valueAt(path, value) {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  return valueIn(stepsOf(path), value);
}

// The expected value for a path into the answer. An evaluator may use another path for the expected value.
function expectedAt(path, result, value) {
  const { paths } = details(result);
  if (!isObject(paths) || typeof paths.expected !== "string" || typeof paths.actual !== "string")
    return valueAt(path, value);
  const below = stepsOf(path).slice(stepsOf(paths.actual).length);
  return valueIn([...stepsOf(paths.expected), ...below], value);
}

function valueIn(steps, value) {
  for (const step of steps) {
    if (
      typeof value !== "object" ||
      value === null ||
      value instanceof Numeral ||
      !Object.hasOwn(value, step.replace("+", ""))
    )
      return ABSENT;
    value = value[step.replace("+", "")];
  }
  return value;
}
