// Painting: the maps of the text as grids, and a palette of what its legend names.

const by = (id) => document.getElementById(id);
const FLOOR = ".";

export class Paint {
  constructor(tell) {
    this.tell = tell;
    this.number = 0;
    this.maps = [];
    this.glyph = "#";
    this.pictures = {};
    this.names = {};
    const canvas = by("canvas");
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointerover", (event) => this.over(event));
    window.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("keydown", (event) => this.key(event));
    by("maps").onchange = () => {
      this.number = Number(by("maps").value);
      this.draw();
    };
    by("resize").onclick = () =>
      this.tell({ do: "resize", name: this.name, map: this.number, width: Number(by("width").value), height: Number(by("height").value) });
    by("palette").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.pick(button.dataset.glyph);
    });
  }

  take(message) {
    this.name = message.name;
    this.maps = message.maps;
    this.number = Math.min(this.number, Math.max(0, this.maps.length - 1));
    by("maps").replaceChildren(...this.maps.map((map, k) => new Option(map.name || `map ${k + 1}`, k)));
    by("maps").value = this.number;
    const palette = JSON.stringify(message.palette);
    if (message.palette.length && palette !== this.offered) {
      this.offered = palette;
      this.offer(message.palette);
    }
    this.draw();
  }

  offer(palette) {
    this.pictures = Object.fromEntries(palette.map((each) => [each.glyph, each.picture]));
    this.names = Object.fromEntries(palette.map((each) => [each.glyph, each.name]));
    by("palette").replaceChildren(
      ...palette.map((each) => {
        const button = document.createElement("button");
        button.setAttribute("role", "radio");
        button.dataset.glyph = each.glyph;
        const image = document.createElement("img");
        image.src = each.picture;
        image.alt = "";
        button.append(image, `${each.glyph} ${each.name}`);
        return button;
      }),
    );
    this.pick(this.glyph in this.pictures ? this.glyph : palette[0].glyph);
  }

  pick(glyph) {
    this.glyph = glyph;
    for (const button of by("palette").children) button.setAttribute("aria-checked", String(button.dataset.glyph === glyph));
  }

  draw() {
    const map = this.maps[this.number];
    const canvas = by("canvas");
    by("tools").hidden = by("palette").hidden = !map;
    if (!map || map.large) {
      canvas.textContent = map ? "This map is too large to be painted here." : "The text draws no map: it generates one, or builds it in setup.";
      return;
    }
    const wide = Math.max(...map.rows.map((row) => row.length));
    by("width").value = wide;
    by("height").value = map.rows.length;
    by("resize").disabled = map.walled;
    const side = Math.max(12, Math.min(44, Math.floor((by("looking").clientWidth - 40) / wide)));
    canvas.style.gridTemplateColumns = `repeat(${wide}, ${side}px)`;
    canvas.style.gridAutoRows = `${side}px`;
    const { x: column = "0", y: line = "0" } = canvas.contains(document.activeElement) ? document.activeElement.dataset : {};
    const isIn = canvas.contains(document.activeElement);
    canvas.replaceChildren(
      ...map.rows.map((row, y) => {
        const cells = document.createElement("div");
        cells.setAttribute("role", "row");
        cells.append(...Array.from({ length: wide }, (_, x) => this.cell(x, y, row[x] ?? FLOOR)));
        return cells;
      }),
    );
    // Who goes over the map with the keyboard stays where they were.
    const at = this.at(column, line) ?? this.at(0, 0);
    at.tabIndex = 0;
    if (isIn) at.focus();
  }

  at(x, y) {
    return by("canvas").querySelector(`[data-x="${x}"][data-y="${y}"]`);
  }

  cell(x, y, glyph) {
    const cell = document.createElement("div");
    [cell.dataset.x, cell.dataset.y] = [x, y];
    cell.tabIndex = -1;
    cell.setAttribute("role", "gridcell");
    this.show(cell, glyph);
    return cell;
  }

  show(cell, glyph) {
    cell.dataset.glyph = glyph;
    cell.setAttribute("aria-label", `${this.names[glyph] ?? glyph} at (${cell.dataset.x}, ${cell.dataset.y})`);
    if (this.pictures[glyph]) {
      const image = document.createElement("img");
      image.src = this.pictures[glyph];
      image.alt = "";
      cell.replaceChildren(image);
    } else {
      cell.textContent = glyph === FLOOR ? "" : glyph;
    }
  }

  down(event) {
    const cell = event.target.closest("[data-x]");
    if (!cell) return;
    event.preventDefault();
    cell.focus();
    this.cells = new Map();
    if (event.shiftKey) {
      this.moved = cell;
      return;
    }
    this.brush = event.button === 2 ? FLOOR : this.glyph;
    this.put(cell, this.brush);
  }

  over(event) {
    const cell = event.target.closest("[data-x]");
    if (!cell || !this.cells) return;
    if (this.moved) this.target = cell;
    else this.put(cell, this.brush);
  }

  put(cell, glyph) {
    if (cell.dataset.glyph === glyph) return;
    this.show(cell, glyph);
    this.cells.set(`${cell.dataset.x},${cell.dataset.y}`, [Number(cell.dataset.x), Number(cell.dataset.y), glyph]);
  }

  up() {
    if (!this.cells) return;
    if (this.moved && this.target && this.moved !== this.target) {
      const glyph = this.moved.dataset.glyph;
      this.put(this.moved, FLOOR);
      this.put(this.target, glyph);
    }
    if (this.cells.size) this.tell({ do: "paint", name: this.name, map: this.number, cells: [...this.cells.values()] });
    this.cells = this.moved = this.target = null;
  }

  key(event) {
    const cell = event.target.closest("[data-x]");
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!cell) return;
    const [x, y] = [Number(cell.dataset.x), Number(cell.dataset.y)];
    if (step) {
      event.preventDefault();
      const next = this.at(x + step[0], y + step[1]);
      if (!next) return;
      [cell.tabIndex, next.tabIndex] = [-1, 0];
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.tell({ do: "paint", name: this.name, map: this.number, cells: [[x, y, this.glyph]] });
    } else if (event.key in this.pictures) {
      this.pick(event.key);
    }
  }
}
