// `items[0].amount` → its steps; `items[+1]` is a row that only the candidate has.
const STEP = /\.?([^.[\]]+)|\[(\+?[0-9]+)\]|\[(["'])(.*?)\3\]|\[([^[\]"']+)\]/gsy;

function stepsOf(path) {
  if (path === "$") return [];
  const steps = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    // The first key stands bare, every later one behind a dot.
    if (!found || (found[1] !== undefined && found[0].startsWith(".") !== steps.length > 0)) return [path];
    steps.push(found[1] ?? found[2] ?? found[4] ?? found[5]);
  }
  return steps.length ? steps : [path];
}

function keyOf(steps) {
  return JSON.stringify(steps);
}

// What was said of each path, under its steps and, since a key may hold dots, under the path as one key.
class Said {
  constructor() {
    this.known = new Map();
  }

  say(path, what) {
    for (const key of [keyOf([path]), keyOf(stepsOf(path))]) if (!this.known.has(key)) this.known.set(key, what);
  }

  of(steps) {
    return this.known.get(keyOf(steps));
  }
}

// The steps into the answer: rows of a paired list stand where their partners do.
function answerSteps(steps, pairs) {
  return steps.map((step, at) => {
    const found = pairs.of(steps.slice(0, at));
    const partner = found?.find(([expected]) => String(expected) === step);
    return found && !step.startsWith("+") ? String(partner?.[1] ?? "none") : step;
  });
}

function valueAt(path, value) {
  if (isObject(value) && Object.hasOwn(value, path)) return value[path];
  return valueIn(stepsOf(path), value);
}

// The expected value behind a path into the answer, which may stand elsewhere.
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
