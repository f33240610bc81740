// What may stand at the caret: a list below it, which keys go through and Enter takes from.

const list = document.getElementById("offers");
const ROW = 20; // pixels of a line of the text
const PADDING = 10;
const measure = document.createElement("canvas").getContext("2d");

export class Offers {
  // `text` is the text area, `ask` asks the studio what may stand at a place, `put` takes what was chosen.
  constructor(text, ask, put) {
    Object.assign(this, { text, ask, put, offered: [], chosen: 0 });
    text.addEventListener("blur", () => this.close());
    text.addEventListener("click", () => this.close());
    list.addEventListener("mousedown", (event) => {
      event.preventDefault(); // the text keeps the focus
      const item = event.target.closest("[data-number]");
      if (item) this.take(Number(item.dataset.number));
    });
  }

  // Something was typed: a letter goes on with a word, and some signs begin what is named.
  typed(event) {
    const before = this.text.value.slice(0, this.text.selectionStart);
    if (event.inputType?.startsWith("insert") && /[A-Za-z_.(=]$/.test(before)) this.open();
    else if (!list.hidden && /\w$/.test(before)) this.open();
    else this.close();
  }

  // Asks once at a time: what was typed meanwhile is asked of when the answer is there.
  open() {
    this.at = this.text.selectionStart;
    if (this.waits) return;
    this.waits = true;
    this.ask(this.text.value, this.at);
  }

  broken() {
    this.waits = false;
  }

  // Takes in what the studio offers, where nothing was typed since.
  show(message) {
    this.waits = false;
    if (message.at !== this.at && this.at >= 0) return this.open();
    if (message.at !== this.at || this.text.selectionStart !== this.at || document.activeElement !== this.text) return undefined;
    const typed = (each) => this.text.value.slice(each.start, each.end);
    this.offered = message.offered.filter((each) => each.text !== typed(each));
    if (!this.offered.length) return this.close();
    list.replaceChildren(...this.offered.map((each, number) => {
      const [item, detail] = [document.createElement("div"), document.createElement("small")];
      Object.assign(item, { id: `offer-${number}`, textContent: each.label });
      item.setAttribute("role", "option");
      item.dataset.number = number;
      detail.textContent = each.detail;
      item.append(detail);
      return item;
    }));
    const start = this.offered[0].start, row = this.text.value.slice(0, start).split("\n").length;
    measure.font = getComputedStyle(this.text).font;
    const line = this.text.value.slice(this.text.value.lastIndexOf("\n", start - 1) + 1, start);
    list.style.left = `${PADDING + measure.measureText(line).width}px`;
    list.style.top = `${PADDING + row * ROW}px`;
    list.hidden = false;
    this.shownFor = this.text.value;
    list.dataset.at = this.at;
    this.choose(0);
    return undefined;
  }

  choose(number) {
    this.chosen = (number + this.offered.length) % this.offered.length;
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === this.chosen)));
    list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.text.setAttribute("aria-activedescendant", `offer-${this.chosen}`);
  }

  take(number) {
    const offer = this.offered[number];
    this.close();
    const since = this.text.value.length - this.shownFor.length; // letters of the same word, which it stands for too
    this.put({ ...offer, end: offer.end + since });
  }

  close() {
    list.hidden = true;
    this.at = -1;
    this.text.removeAttribute("aria-activedescendant");
  }

  // Whether a key was meant for the list.
  key(event) {
    if (event.key === " " && event.ctrlKey) {
      this.open();
      return true;
    }
    if (list.hidden || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.text.value !== this.shownFor && (event.key === "Enter" || event.key === "Tab")) {
      this.close(); // the list is older than the last letters: the key is meant for the text
      return false;
    }
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) this.choose(this.chosen + steps[event.key]);
    else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) this.take(this.chosen);
    else if (event.key === "Escape") this.close();
    else return false;
    return true;
  }
}
