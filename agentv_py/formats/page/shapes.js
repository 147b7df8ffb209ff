// A box as it is written: numbers, corners or an object → its corners.
const FORMS = ["xyxy", "xywh", "polygon"];
const BOX_KEYS = [
  [["x1", "y1", "x2", "y2"], "xyxy"],
  [["left", "top", "right", "bottom"], "xyxy"],
  [["xmin", "ymin", "xmax", "ymax"], "xyxy"],
  [["x", "y", "width", "height"], "xywh"],
  [["x", "y", "w", "h"], "xywh"],
  [["left", "top", "width", "height"], "xywh"],
];

function cornersOf(value, form) {
  if (isObject(value)) return cornersOfObject(value, form);
  if (!Array.isArray(value)) return null;
  const numbers = value.map(numberOf);
  return value.length === 4 && !numbers.includes(null) && form !== "polygon"
    ? cornersOfBox(numbers, form)
    : cornersOfPolygon(value);
}

// An object says by its keys what its numbers are; one that was detected has its box in it.
function cornersOfObject(value, listForm) {
  for (const [keys, form] of BOX_KEYS) {
    const numbers = keys.map((key) => (Object.hasOwn(value, key) ? numberOf(value[key]) : null));
    if (!numbers.includes(null)) return cornersOfBox(numbers, form);
  }
  return Object.hasOwn(value, "box") ? cornersOf(value.box, listForm) : null;
}

function cornersOfBox([left, top, third, fourth], form) {
  const [right, bottom] = form === "xywh" ? [left + third, top + fourth] : [third, fourth];
  return right < left || bottom < top
    ? null
    : [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ];
}

function cornersOfPolygon(value) {
  const flat = value.every((part) => numberOf(part) !== null) && value.length % 2 === 0;
  const points = flat ? value.map((_, at) => value.slice(at, at + 2)).filter((_, at) => at % 2 === 0) : value;
  const corners = points.map((point) =>
    (isObject(point) ? [point.x, point.y] : Array.isArray(point) ? point : []).map(numberOf),
  );
  return corners.length >= 3 && corners.every((corner) => corner.length === 2 && !corner.includes(null))
    ? corners
    : null;
}

// Where no format is told, the overlap that an evaluator noted tells it, or a box that would be inside out.
function formOf(places, usual) {
  const forms = usual === "xywh" ? ["xywh", "xyxy"] : ["xyxy", "xywh"];
  for (const { expected, candidate, iou } of places) {
    if (iou === null || jsonText(expected) === jsonText(candidate)) continue;
    const fits = (form) => Math.abs(overlapOf(cornersOf(expected, form), cornersOf(candidate, form)) - iou) < 1e-4;
    const found = forms.find(fits);
    if (found) return found;
  }
  const shapes = places.flatMap(({ expected, candidate }) => [expected, candidate]).filter(Array.isArray);
  return forms.find((form) => shapes.every((value) => cornersOf(value, form))) ?? forms[0];
}

// Of the rectangles around two shapes: what they share of what they cover.
function overlapOf(one, other) {
  if (!one || !other) return NaN;
  const edges = [one, other].map((corners) =>
    [0, 1].map((axis) => corners.map((corner) => corner[axis]).sort((a, b) => a - b)),
  );
  const sides = [0, 1].map((axis) => {
    const [[start, end], [first, last]] = edges.map((axes) => [axes[axis][0], axes[axis].at(-1)]);
    return [end - start, last - first, Math.max(0, Math.min(end, last) - Math.max(start, first))];
  });
  const [area, otherArea, common] = [0, 1, 2].map((part) => sides[0][part] * sides[1][part]);
  return common / (area + otherArea - common);
}
