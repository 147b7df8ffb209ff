// The boxes that an evaluator compared → a picture of the expected boxes and the candidate's boxes.
const USUAL_FORM = "xyxy";
const BOX_NAME = /box|bound|rect|region|polygon|quad/i;
const MOST_BOXES = 200;
const WIDTH = 440;
const HEIGHT = 320;

function drawBoxes(result, side, when) {
  const places = placesOf(result, side);
  const shapes = places
    .flatMap((place) =>
      ["expected", "candidate"].map((name) => ({
        ...place,
        name,
        value: place[name],
        corners: cornersOf(place[name], formOf(result, place.path) ?? USUAL_FORM),
      })),
    )
    .filter(({ corners }) => corners);
  if (!shapes.length) return [];
  const legend = make(
    "ul",
    { class: "plain" },
    make("li", { class: "name-expected" }, "━ expected"),
    make("li", { class: "name-candidate" }, "╍ candidate"),
    places.slice(0, 20).map((place) => make("li", {}, overlapText(place))),
  );
  return [make("h3", {}, `Boxes · ${result.name}${when}`), make("div", { class: "boxes" }, picture(shapes), legend)];
}

// The boxes of hits and misses: every value that was compared as a box. A judge does not tell, so its values must
// look like boxes.
function placesOf(result, side) {
  const pairs = findingsOf([result]).pairs;
  const marks = new Map(mismatchesOf(result).map((mismatch) => [mismatch.path, mismatch]));
  const overlaps = overlapsOf(result);
  const paths = [...hitsOf(result), ...marks.keys()].slice(0, MOST_BOXES);
  const places = paths.map((path) => placeOf(path, result, side, pairs, marks.get(path), overlaps));
  return places.filter(
    ({ path, expected, candidate }) => formOf(result, path) || [expected, candidate].some((value) => isBox(value, path)),
  );
}

function isBox(value, path) {
  return cornersOf(value, USUAL_FORM) !== null && (isObject(value) || BOX_NAME.test(path));
}

// The index of an expected box → its overlap with its partner.
function overlapsOf(result) {
  const { pairs, matches } = details(result);
  const paired = Array.isArray(pairs) ? pairs.filter(isObject).map((pair) => [pair.expected, pair.iou]) : [];
  const matched = Array.isArray(matches)
    ? matches.filter(Array.isArray).map(([expected, , iou]) => [expected, iou])
    : [];
  return new Map([...paired, ...matched].map(([expected, iou]) => [numberOf(expected), numberOf(iou)]));
}

function placeOf(path, result, side, pairs, mark, overlaps) {
  const steps = stepsOf(path);
  const surplus = steps.some((step) => step.startsWith("+"));
  const values = {
    expected: surplus ? ABSENT : expectedAt(path, result, side.expected),
    candidate: mark?.outcome === "missing" ? ABSENT : valueIn(answerSteps(steps, pairs), side.candidate),
  };
  if (values.expected === ABSENT && mark) values.expected = member(mark, "expected");
  if (values.candidate === ABSENT && mark) values.candidate = member(mark, "actual");
  const number = Number(steps.at(-1));
  const iou = surplus ? null : (overlaps.get(Number.isInteger(number) ? number : 0) ?? numberOf(mark?.similarity));
  return { path, ...values, iou, note: typeof mark?.note === "string" ? mark.note : "" };
}

function overlapText({ path, note, iou }) {
  return `${path}  ${note || (iou === null ? "" : `IoU ${three(iou)}`)}`.trim();
}

function picture(shapes) {
  const [xs, ys] = [0, 1].map((axis) => shapes.flatMap(({ corners }) => corners.map((corner) => corner[axis])));
  const [left, top] = [xs, ys].map((values) => values.reduce((a, b) => Math.min(a, b)));
  const [width, height] = [
    [xs, left],
    [ys, top],
  ].map(([values, start]) => values.reduce((a, b) => Math.max(a, b)) - start || 1);
  const scale = Math.min((WIDTH - 48) / width, (HEIGHT - 48) / height);
  const at = ([x, y]) => `${((x - left) * scale + 24).toFixed(1)},${((y - top) * scale + 24).toFixed(1)}`;
  const size = [width * scale + 48, height * scale + 48].map((length) => Math.max(96, length).toFixed(0));
  return draw(
    "svg",
    {
      viewBox: `0 0 ${size[0]} ${size[1]}`,
      width: size[0],
      role: "img",
      "aria-label": `${counted(shapes.length, "box", "boxes")}, expected and candidate`,
    },
    shapes.map((shape) => drawShape(shape, at)),
  );
}

function drawShape({ corners, name, path, value }, at) {
  const label = isObject(value) && typeof value.label === "string" ? value.label : "";
  const [x, y] = at(corners[0]).split(",").map(Number);
  return draw(
    "g",
    {},
    draw(
      "polygon",
      { class: `shape ${name}`, points: corners.map(at).join(" ") },
      draw("title", {}, `${name} ${path} ${label}`.trim()),
    ),
    label && name === "expected" ? draw("text", { class: "axis", x: x + 4, y: y + 12 }, cut(label, 24)) : "",
  );
}
