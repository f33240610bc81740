// How things look: from a kind and its attributes to a sprite, and from a sprite to strokes on a canvas.
// The shapes, colours and rules of choice are those of griddsl's own pictures; the data comes from `looks.py`.

// Tones of a thing's own colour: what it is mixed with, and how much of that.
const TONES = {
  base: [[255, 255, 255], 0], seam: [[18, 18, 28], 0.075], soft: [[255, 255, 255], 0.16],
  light: [[255, 255, 255], 0.36], bare: [[255, 255, 255], 0.64], pale: [[255, 255, 255], 0.72], shade: [[18, 18, 28], 0.12],
  dark: [[18, 18, 28], 0.24], deep: [[18, 18, 28], 0.5],
};
// Degrees clockwise from east, by direction.
export const TURNS = [0, 90, 180, 270, 45, 135, 225, 315];

// The sprite of a thing: `shown` are its attributes in order, [name, word or number]; `facing` is -1 for none.
export function spriteOf(looks, code, shown, facing) {
  const kind = looks.kinds[code], compass = looks.directions.slice(0, 4);
  const turned = shown.find(([name, value]) => name === "facing" && compass.includes(value));
  let direction = facing;
  if (direction < 0) direction = turned ? compass.indexOf(turned[1]) : kind.direction ?? -1;
  if (direction < 0) {
    const found = shown.find(([, value]) => looks.directions.includes(value));
    if (found) direction = looks.directions.indexOf(found[1]);
  }
  const { shape, color, said, image } = lookSaid(kind, shown, facing);
  const state = stateOf(looks, shape, shown);
  const hides = shape === "cover" && !state?.startsWith("opened"); // what is under it is for nobody to see
  const tinted = said || hides ? color : colorOf(looks, shown) ?? color;
  return { kind: code, shape, color: tinted, direction, state, image };
}

// What the spec says of a kind, and of those of it that have the attributes of a thing; the last that fits wins.
function lookSaid(kind, shown, facing) {
  let { shape, color, said, image } = kind;
  const own = (name) => (name === "facing" && facing >= 0 ? facing : shown.find(([each]) => each === name)?.[1]);
  for (const look of kind.looks) {
    if (!look.attributes.every(([name, value]) => own(name) === value)) continue;
    if (look.shape !== null) [shape, image] = [look.shape, null];
    if (look.color !== null) [color, said] = [look.color, true];
    if (look.image !== null) image = look.image;
  }
  return { shape, color, said, image };
}

// How large the one with a number among `count` that share a cell is drawn, and about which point of it.
export function shareOf(number, count) {
  if (count === 1) return [1, 0.5, 0.5];
  const across = Math.ceil(Math.sqrt(count)), down = Math.ceil(count / across);
  const row = Math.floor(number / across), column = number % across;
  const inRow = row + 1 < down ? across : count - row * across;
  return [1.16 / across, (column + 0.5 + (across - inRow) / 2) / across, (row + 0.5) / down];
}

// A text that is the same for sprites that look the same.
export function lookOf({ shape, color, direction, state, image }) {
  return [shape, color, direction, state ?? "", image ?? ""].join("|");
}

function colorOf(looks, shown) {
  const first = ([name]) => name === "color" || name === "colour";
  for (const [name, value] of [...shown.filter(first), ...shown.filter((pair) => !first(pair))]) {
    if (Object.hasOwn(looks.colors, value)) return looks.colors[value];
    if (typeof value === "number" && looks.numbered.includes(name)) {
      const count = looks.series.length;
      return looks.series[(((value - 1) % count) + count) % count];
    }
  }
  return null;
}

function stateOf(looks, shape, shown) {
  const { states } = looks.shapes[shape];
  const word = shown.find(([, value]) => typeof value === "string" && Object.hasOwn(states, value));
  if (word) return word[1];
  // A true-or-false attribute (`open`, `pressed`) is a state by its name, with what it uncovers where that is
  // pictured: the number declared behind it (`opened 3`).
  const isNumber = ([, value]) => typeof value === "number";
  const flag = shown.findIndex(([name, value]) => (value === 1 || value === "true") && Object.hasOwn(states, name));
  if (flag >= 0) {
    const behind = shown.slice(flag + 1).filter(isNumber).map(([, value]) => `${shown[flag][0]} ${value}`);
    return behind.find((both) => Object.hasOwn(states, both)) ?? shown[flag][0];
  }
  const number = shown.filter(isNumber).find(([, value]) => Object.hasOwn(states, String(value)));
  return number === undefined ? null : String(number[1]);
}

// The degrees from how a thing looks now back to how it looked, the shorter way around; 0 where it does not turn.
export function turnBetween(looks, before, now) {
  const turns = now.image === null && now.shape === before.shape && before.direction >= 0 && now.direction >= 0;
  if (!turns || !looks.shapes[now.shape].directed) return 0;
  return ((TURNS[before.direction] - TURNS[now.direction] + 540) % 360) - 180;
}

// The parts of a sprite, bottom first, each [part, degrees that it is turned by].
function partsOf(looks, { shape, direction, state }) {
  const found = looks.shapes[shape], under = found.under.map((part) => [part, 0]);
  if (state !== null && Object.hasOwn(found.states, state)) return [...under, ...found.states[state].map((part) => [part, 0])];
  if (direction >= 0 && found.directed) return [...under, ...found.directed.map((part) => [part, TURNS[direction]])];
  const pointer = direction >= 0 ? found.pointer.map((part) => [part, TURNS[direction]]) : [];
  return [...under, ...found.parts.map((part) => [part, 0]), ...pointer];
}

// Whether a sprite hides all that lies below it in its cell.
export function coversCell(looks, sprite) {
  if (sprite.image !== null) return false;
  const [form, x, y, width, height, , , opacity] = partsOf(looks, sprite)[0]?.[0] ?? [];
  return form === "rect" && x === 0 && y === 0 && width === 1 && height === 1 && opacity === 1;
}

// Draw a sprite into the unit square of a canvas; `pictures` are the images of the spec, loaded.
export function drawSprite(context, looks, sprite, pictures = []) {
  if (sprite.image !== null) {
    const picture = pictures[sprite.image];
    if (!picture?.width) return;
    const share = 1 / Math.max(picture.width, picture.height);
    const width = picture.width * share, height = picture.height * share;
    context.imageSmoothingEnabled = picture.width > 64; // small pictures keep sharp pixels
    context.drawImage(picture, (1 - width) / 2, (1 - height) / 2, width, height);
    return;
  }
  for (const [part, degrees] of partsOf(looks, sprite)) drawPart(context, part, degrees, sprite.color);
}

function drawPart(context, part, degrees, base) {
  const [form] = part, opacity = part.at(-1), color = toneOf(part.at(-2), base);
  context.save();
  if (degrees) {
    context.translate(0.5, 0.5);
    context.rotate((degrees * Math.PI) / 180);
    context.translate(-0.5, -0.5);
  }
  context.globalAlpha = opacity;
  context.fillStyle = context.strokeStyle = color;
  context.lineJoin = context.lineCap = "round";
  context.beginPath();
  if (form === "circle") {
    context.arc(part[1], part[2], part[3], 0, 2 * Math.PI);
    context.fill();
  } else if (form === "rect") {
    if (part[5]) context.roundRect(part[1], part[2], part[3], part[4], part[5]);
    else context.rect(part[1], part[2], part[3], part[4]);
    context.fill();
  } else {
    const points = part[1];
    for (let k = 0; k < points.length; k += 2) context.lineTo(points[k], points[k + 1]);
    if (form === "polygon") {
      context.closePath();
      context.fill();
    }
    const width = form === "polygon" ? 2 * part[2] : part[2];
    if (width > 0) {
      context.lineWidth = width;
      context.stroke();
    }
  }
  context.restore();
}

export function rgbOf(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function toneOf(fill, base) {
  if (!Object.hasOwn(TONES, fill)) return fill;
  const [other, share] = TONES[fill];
  return `rgb(${rgbOf(base).map((value, k) => Math.round(value + (other[k] - value) * share)).join(" ")})`;
}
