// A board on a canvas: sharp at any size, things slide to where they go, and nothing is drawn while nothing changes.
import { coversCell, drawSprite, lookOf, TURNS, shareOf, turnBetween } from "./game/looks.js";

const SLIDE_MS = 110;
const BARRIER = "#545e74", BARRIER_WIDTH = 0.11;
const OUT_OF_SIGHT = "rgb(30 32 44 / 0.72)";

export class Board {
  // `pictures` are the loaded images of the spec; `still` turns motion off.
  constructor(canvas, looks, { pictures = [], still = false } = {}) {
    Object.assign(this, { canvas, looks, pictures, still });
    this.scene = null;
    this.cell = 0; // device pixels
    this.labels = false;
    this.arrows = []; // [{ cell, directions }]
    this.sprites = new Map();
    this.base = document.createElement("canvas");
    this.moves = new Map();
    this.leaving = [];
    this.frame = 0;
  }

  // Take as much room as there is, in whole device pixels a cell; `most` is the largest cell in CSS pixels.
  fit(width, height, most = 96) {
    if (this.scene === null) return;
    const density = window.devicePixelRatio || 1;
    const room = Math.min(width / this.scene.width, height / this.scene.height, most);
    const cell = Math.max(4, Math.floor(room * density));
    const wide = cell * this.scene.width, high = cell * this.scene.height;
    this.canvas.style.width = `${wide / density}px`;
    this.canvas.style.height = `${high / density}px`;
    if (cell === this.cell && wide === this.canvas.width && high === this.canvas.height) return;
    this.cell = cell;
    for (const canvas of [this.canvas, this.base]) Object.assign(canvas, { width: wide, height: high });
    this.sprites.clear();
    this.drawn = [];
    this.paint();
  }

  // Show a scene; what moved slides there, unless it went too far to have walked.
  show(scene, { slides = true, milliseconds = SLIDE_MS } = {}) {
    const before = this.scene, now = performance.now();
    const resized = before === null || before.width !== scene.width || before.height !== scene.height;
    this.scene = scene;
    this.moves.clear();
    this.leaving = [];
    if (slides && !this.still && !resized) {
      const old = new Map(before.things.map((thing) => [thing.id, thing]));
      for (const thing of scene.things) {
        const was = old.get(thing.id);
        old.delete(thing.id);
        if (was === undefined) this.moves.set(thing.id, { grows: true, start: now, milliseconds });
        else {
          const from = this.#near(was.cell, thing.cell) ? was.cell : thing.cell;
          const turn = turnBetween(this.looks, was.sprite, thing.sprite);
          if (from !== thing.cell || turn !== 0) this.moves.set(thing.id, { from, turn, start: now, milliseconds });
        }
      }
      this.leaving = [...old.values()].map((thing) => ({ thing, start: now, milliseconds }));
    }
    if (resized) this.cell = 0; // the caller fits it
    else this.paint();
  }

  #near(from, to) {
    const { width, height } = this.scene;
    const across = Math.abs((from % width) - (to % width)), down = Math.abs(Math.floor(from / width) - Math.floor(to / width));
    const straight = across === 0 || down === 0 || across === down;
    return straight && across <= Math.max(1, width / 2) && down <= Math.max(1, height / 2);
  }

  // Draw now, and again while something moves.
  paint() {
    if (this.scene === null || this.cell === 0) return;
    cancelAnimationFrame(this.frame);
    const draw = (now) => {
      this.#draw(now);
      if (this.moves.size > 0 || this.leaving.length > 0) this.frame = requestAnimationFrame(draw);
    };
    draw(performance.now());
  }

  #draw(now) {
    const { canvas, scene, cell } = this, context = canvas.getContext("2d");
    this.#drawGround();
    context.drawImage(this.base, 0, 0);
    for (const { thing, start, milliseconds } of this.leaving) {
      const left = 1 - Math.min(1, (now - start) / milliseconds);
      this.#put(context, thing, ...this.#place(thing.cell), 0.5 + 0.5 * left, left);
    }
    this.leaving = this.leaving.filter(({ start, milliseconds }) => now - start < milliseconds);
    for (const thing of scene.things) {
      const move = this.moves.get(thing.id);
      const share = move ? Math.max(0, Math.min(1, (now - move.start) / move.milliseconds)) : 1;
      if (share >= 1) this.moves.delete(thing.id);
      const eased = 1 - (1 - share) ** 2, [x, y] = this.#place(thing.cell);
      if (move?.grows) this.#put(context, thing, x, y, 0.5 + 0.5 * eased, eased);
      else if (move) {
        const [oldX, oldY] = this.#place(move.from);
        this.#put(context, thing, oldX + (x - oldX) * eased, oldY + (y - oldY) * eased, 1, 1, move.turn * (1 - eased));
      } else this.#put(context, thing, x, y);
    }
    if (scene.dimmed) {
      context.fillStyle = OUT_OF_SIGHT;
      scene.dimmed.forEach((dim, place) => dim && context.fillRect(...this.#place(place), cell, cell));
    }
    this.#drawBarriers(context);
    for (const { cell: at, directions } of this.arrows) this.#drawArrows(context, at, directions);
    if (this.labels) for (const label of scene.labels) this.#drawLabel(context, label);
    for (const thing of scene.things) if (!this.moves.has(thing.id)) this.#drawLabel(context, thing);
  }

  #place(cell) {
    return [(cell % this.scene.width) * this.cell, Math.floor(cell / this.scene.width) * this.cell];
  }

  // Ground is drawn once and kept; only cells that changed are drawn again.
  #drawGround() {
    const context = this.base.getContext("2d"), { looks, cell } = this;
    this.scene.ground.forEach((sprite, at) => {
      const look = sprite === null ? "" : lookOf(sprite);
      if (this.drawn[at] === look) return;
      this.drawn[at] = look;
      const [x, y] = this.#place(at);
      if (sprite === null) {
        context.fillStyle = "#23252f";
        context.fillRect(x, y, cell, cell);
        return;
      }
      if (!coversCell(looks, sprite)) context.drawImage(this.#sprite({ ...(looks.below[sprite.shape] ?? looks.floor), direction: -1, state: null, image: null }), x, y);
      context.drawImage(this.#sprite(sprite), x, y);
    });
  }

  #sprite(sprite) {
    const look = lookOf(sprite), found = this.sprites.get(look);
    if (found) return found;
    const made = Object.assign(document.createElement("canvas"), { width: this.cell, height: this.cell });
    const context = made.getContext("2d");
    context.scale(this.cell, this.cell);
    drawSprite(context, this.looks, sprite, this.pictures);
    this.sprites.set(look, made);
    return made;
  }

  #put(context, thing, x, y, size = 1, opacity = 1, degrees = 0) {
    const [factor, middleX, middleY] = shareOf(...(thing.share ?? [0, 1])), side = this.cell * size * factor;
    context.save();
    context.globalAlpha = opacity;
    context.translate(x + this.cell * middleX, y + this.cell * middleY);
    context.rotate((degrees * Math.PI) / 180);
    context.drawImage(this.#sprite(thing.sprite), -side / 2, -side / 2, side, side);
    context.restore();
  }

  #drawBarriers(context) {
    const { cell, scene } = this, wide = 2 * Math.max(1, Math.round((BARRIER_WIDTH * cell) / 2));
    context.fillStyle = BARRIER;
    for (const [at, side] of scene.barriers) {
      const [x, y] = this.#place(at);
      if (side === 0) context.fillRect(x + cell - wide / 2, y - wide / 2, wide, cell + wide);
      else context.fillRect(x - wide / 2, y + cell - wide / 2, cell + wide, wide);
    }
  }

  #drawArrows(context, at, directions) {
    const { cell } = this, [x, y] = this.#place(at);
    for (const direction of directions) {
      context.save();
      context.translate(x + cell / 2, y + cell / 2);
      context.scale(cell, cell);
      context.lineCap = context.lineJoin = "round";
      for (const [color, extra] of [["rgb(255 255 255 / 0.85)", 0.07], ["#2c2e38", 0]]) {
        context.strokeStyle = context.fillStyle = color;
        context.lineWidth = 0.09 + extra;
        context.beginPath();
        if (direction < 0) context.arc(0, 0, 0.06 + extra / 2, 0, 7);
        else {
          if (extra) context.rotate((TURNS[direction] * Math.PI) / 180);
          context.moveTo(0.3, 0);
          context.lineTo(0.46, 0);
          context.moveTo(0.38, -0.1);
          context.lineTo(0.48, 0);
          context.lineTo(0.38, 0.1);
        }
        context.stroke();
      }
      context.restore();
    }
  }

  // A letter for a colour, a number for one of several agents that look alike.
  #drawLabel(context, thing) {
    const text = thing.number || (this.labels ? thing.label : "");
    if (!text || this.cell < 14) return;
    const [x, y] = this.#place(thing.cell), size = Math.max(9, this.cell * 0.27);
    context.font = `700 ${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const wide = Math.max(size, context.measureText(text).width + size * 0.5), high = size * 1.15;
    const [factor, middleX, middleY] = shareOf(...(thing.share ?? [0, 1])), corner = (factor / 2 - 0.04) * this.cell;
    const left = x + middleX * this.cell + corner - wide, top = y + middleY * this.cell + corner - high;
    context.fillStyle = "rgb(30 32 40 / 0.82)";
    context.beginPath();
    context.roundRect(left, top, wide, high, high / 3);
    context.fill();
    context.fillStyle = "#fff";
    context.fillText(text, left + wide / 2, top + high / 2 + size * 0.05);
  }

  // The cell below a point of the page; -1 for none.
  cellAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect(), { width, height } = this.scene;
    const x = Math.floor(((clientX - box.left) / box.width) * width), y = Math.floor(((clientY - box.top) / box.height) * height);
    return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : -1;
  }
}
