// The text: what is typed lies in a text area, and its colours and faults in a sheet below that shows through.

import { Offers } from "./offers.js";

const text = document.getElementById("text");
const shown = document.getElementById("shown");
const numbers = document.getElementById("numbers");
const list = document.getElementById("problems");
const MOST_BEHIND = 40; // milliseconds after the last key until the studio is told

export class Editor {
  constructor(tell) {
    this.tell = tell;
    this.version = 0; // of the text that the studio has
    this.base = ""; // that text
    this.name = "";
    this.asked = null;
    this.isThere = false; // whether the studio answers
    this.waiting = []; // what is to be done once the studio has what is written
    this.number = 0; // of the last change that went out
    this.colours = [];
    this.problems = [];
    const ask = (typed, at) => tell({ do: "complete", name: this.name, text: typed, at });
    this.offers = new Offers(text, ask, (offer) => this.putIn(offer));
    text.addEventListener("input", (event) => {
      this.typed();
      this.offers.typed(event);
    });
    text.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("click", (event) => this.clicked(event));
    list.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches(".problem")) return;
      event.preventDefault(); // or it would be typed where the caret goes
      this.clicked(event);
    });
  }

  get isAhead() {
    return text.value !== this.base;
  }

  typed() {
    this.draw();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(true), MOST_BEHIND);
  }

  // `disk` is the file that the text was made from, where the studio may have read another one.
  send(typed, disk = null) {
    if (this.asked || !this.isAhead || !this.name) return; // one change is on its way at a time
    this.asked = text.value;
    this.number += 1;
    this.tell({ do: "edit", name: this.name, base: this.version, text: text.value, typed, number: this.number, disk });
  }

  // Does something that is about the text, such as saving it, once the studio has all that is written now.
  after(act) {
    this.waiting.push(act);
    this.settle();
  }

  settle() {
    if (this.asked || !this.isThere || !this.waiting.length) return;
    this.send(true);
    this.waiting.splice(0).forEach((act) => act());
  }

  // Writes what was chosen as if it had been typed, so that undo takes it back.
  putIn({ start, end, text: chosen, caret }) {
    text.setSelectionRange(start, end);
    document.execCommand("insertText", false, chosen);
    this.offers.close();
    text.setSelectionRange(start + caret, start + caret);
  }

  key(event) {
    if (this.offers.key(event)) {
      event.preventDefault();
      return;
    }
    const command = (event.ctrlKey || event.metaKey) && event.key.toLowerCase();
    if (command === "z" || command === "y") {
      event.preventDefault();
      const what = command === "y" || event.shiftKey ? "redo" : "undo";
      this.after(() => this.tell({ do: what, name: this.name }));
    } else if (event.key === "Tab" && !event.shiftKey && !event.altKey && !command) {
      event.preventDefault();
      document.execCommand("insertText", false, "    ");
    } else if (event.key === "Escape") {
      document.getElementById("stage").focus(); // so that the keyboard alone gets out of the text
    }
  }

  // Takes in the studio's text; what was typed meanwhile stays, and so does the caret.
  take(message) {
    this.isThere = true;
    this.takeIn(message);
    this.settle();
  }

  takeIn(message) {
    const isOther = message.name !== this.name;
    if (!isOther && message.life !== this.life && (this.isAhead || this.isDirty)) return this.takeUp(message);
    [this.life, this.disk, this.isDirty] = [message.life, message.disk, message.dirty];
    // Another tab was first: what went out from here comes back with the next text.
    const isForeign = !isOther && this.asked !== null && message.number !== this.number;
    if (isForeign && message.version === this.version) return;
    if (isForeign) return this.takeForeign(message);
    const mine = isOther || !this.isAhead || text.value === this.asked ? null : text.value;
    const from = isOther ? "" : this.asked ?? this.base;
    this.asked = null;
    this.name = message.name;
    this.version = message.version;
    this.base = message.text;
    this.colours = message.colours;
    this.problems = message.problems;
    this.put(mine === null ? message.text : merged(from, mine, message.text), isOther);
    if (isOther) document.getElementById("editor").scrollTo(0, 0);
    this.draw();
    this.drawProblems();
    if (this.isAhead) this.typed();
  }

  // The studio was started anew: what is written here stays. It was made from the file that was read then, so that the
  // studio asks before it overwrites another one.
  takeUp(message) {
    const read = this.disk;
    [this.life, this.disk, this.version] = [message.life, message.disk, message.version];
    [this.base, this.colours, this.problems] = [message.text, message.colours, message.problems];
    if (!this.isAhead) return this.takeIn(message);
    this.draw();
    return this.send(false, read);
  }

  takeForeign(message) {
    const now = merged(this.base, text.value, message.text);
    this.asked = merged(this.base, this.asked, message.text);
    [this.base, this.colours] = [message.text, message.colours];
    this.put(now, false);
    this.draw();
  }

  broken() {
    this.asked = null;
    this.isThere = false;
    this.offers.broken();
  }

  // The studio did not do what it was asked: what waited for that is not done either.
  refused() {
    this.asked = null;
    this.waiting = [];
    this.offers.broken();
  }

  put(value, isOther) {
    if (text.value === value) return;
    this.offers.close();
    const [start, end, put] = spliced(text.value, value);
    const moved = (place) => (place <= start ? place : place >= end ? place + put.length - (end - start) : start + put.length);
    const [first, last] = [moved(text.selectionStart), moved(text.selectionEnd)];
    text.value = value;
    text.setSelectionRange(isOther ? 0 : first, isOther ? 0 : last);
  }

  draw() {
    const value = text.value;
    const marks = value === this.base ? this.problems : [];
    const pieces = value === this.base ? this.colours : recoloured(this.base, value, this.colours);
    const places = [];
    let at = 0;
    for (const [kind, length] of pieces) {
      places.push([at, at + length, kind]);
      at += length;
    }
    const cuts = [...new Set([0, value.length, ...places.map((p) => p[0]), ...marks.flatMap((m) => [m.start, m.end])])];
    cuts.sort((a, b) => a - b);
    const sheet = document.createDocumentFragment();
    let place = 0;
    for (let k = 0; k + 1 < cuts.length; k++) {
      const [start, end] = [cuts[k], Math.min(cuts[k + 1], value.length)];
      if (start >= end) continue;
      while (place + 1 < places.length && places[place][1] <= start) place++;
      const span = document.createElement("span");
      const mark = marks.find((m) => m.start <= start && end <= m.end);
      span.className = [places[place]?.[2] ?? "", mark ? (mark.error ? "bad" : "odd") : ""].join(" ").trim();
      span.textContent = value.slice(start, end);
      sheet.append(span);
    }
    shown.replaceChildren(sheet, "\n");
    const lines = value.split("\n").length;
    if (this.lines !== lines) {
      this.lines = lines;
      numbers.textContent = Array.from({ length: lines }, (_, k) => k + 1).join("\n");
    }
  }

  drawProblems() {
    if (!this.problems.length) {
      list.textContent = "no problems";
      return;
    }
    list.replaceChildren(
      ...this.problems.map((problem, number) => {
        const item = document.createElement("div");
        item.className = problem.error ? "problem" : "problem warning";
        item.dataset.number = number;
        item.tabIndex = 0;
        const head = document.createElement("b");
        head.textContent = `${problem.error ? "error" : "warning"}[${problem.code}] `;
        const place = document.createElement("small");
        place.textContent = ` ${problem.place}`;
        item.append(head, problem.message, place);
        if (problem.help) {
          const help = document.createElement("div");
          help.className = "help";
          help.textContent = problem.help;
          problem.fixes.forEach((fix, which) => {
            const button = document.createElement("button");
            button.textContent = problem.fixes.length > 1 ? `Apply ${which + 1}` : "Apply";
            button.dataset.fix = which;
            help.append(button);
          });
          item.append(help);
        }
        return item;
      }),
    );
  }

  clicked(event) {
    const item = event.target.closest(".problem");
    if (!item || this.isAhead) return;
    const problem = this.problems[item.dataset.number];
    if (event.target.dataset.fix !== undefined) {
      const fix = problem.fixes[event.target.dataset.fix];
      text.value = text.value.slice(0, fix.start) + fix.text + text.value.slice(fix.end);
      this.draw();
      this.send(false);
      return;
    }
    text.focus();
    text.setSelectionRange(problem.start, problem.end);
    const row = text.value.slice(0, problem.start).split("\n").length - 1;
    document.getElementById("editor").scrollTop = Math.max(0, row * 20 - 80);
  }
}

// What to put where to make a text the other one: [start, end, text].
export function spliced(old, now) {
  let start = 0;
  let same = 0;
  const most = Math.min(old.length, now.length);
  while (start < most && old[start] === now[start]) start++;
  while (same < most - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  return [start, old.length - same, now.slice(start, now.length - same)];
}

// What was typed since a text went out, in the text that came back.
function merged(from, mine, now) {
  const [start, end, put] = spliced(from, mine);
  const [first, last, other] = spliced(from, now);
  if (end <= first) return now.slice(0, start) + put + now.slice(end);
  const shift = other.length - (last - first);
  if (start >= last) return now.slice(0, start + shift) + put + now.slice(end + shift);
  return mine;
}

// The colours of a text that has changed since: those around the change stay.
function recoloured(old, now, colours) {
  const [start, end, put] = spliced(old, now);
  const found = [];
  let at = 0;
  let isIn = false;
  const add = (kind, length) => length > 0 && found.push([kind, length]);
  for (const [kind, length] of colours) {
    const [first, last] = [at, at + length];
    add(kind, Math.min(last, start) - first);
    if (!isIn && last >= start) {
      add(kind, put.length);
      isIn = true;
    }
    add(kind, last - Math.max(first, end));
    at = last;
  }
  if (!isIn) add("other", put.length);
  return found;
}
