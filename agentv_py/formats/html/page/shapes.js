// A box in any spelling (numbers, corners or an object) → its corners.
const FORMS = index.tables.box_formats;
const BOX_KEYS = index.tables.box_keys;

function cornersOf(value, form) {
  if (isObject(value)) return cornersOfObject(value, form);
  if (!Array.isArray(value)) return null;
  const numbers = value.map(numberOf);
  return value.length === 4 && !numbers.includes(null) && form !== "polygon"
    ? cornersOfBox(numbers, form)
    : cornersOfPolygon(value);
}

// The keys of an object tell what its numbers are. A detected object holds its box under a key.
function cornersOfObject(value, listForm) {
  for (const [keys, form] of BOX_KEYS) {
    const numbers = keys.map((key) => (Object.hasOwn(value, key) ? numberOf(value[key]) : null));
    if (!numbers.includes(null)) return cornersOfBox(numbers, form);
  }
  return Object.hasOwn(value, "box") ? cornersOf(value.box, listForm) : null;
}

/** @param {number[]} numbers @param {string} form */
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

// The format of a box's numbers, as the evaluator gives it; null if it gives none.
function formOf(result, path) {
  const { format, formats } = details(result);
  const attribute = path.replace(/\[\+?[0-9]+\]/g, "[]");
  const form = isObject(formats) ? formats[attribute] : format;
  return FORMS.includes(form) ? form : null;
}
