// The text of the spec, coloured, with the lines of the rules that fired marked.
import { element } from "./elements.js";

export class SourceText {
  // `lines` are rows of [class, text].
  constructor(lines) {
    this.rows = lines.map((tokens, number) =>
      element("li", { id: `gd-line-${number + 1}` }, tokens.map(([kind, text]) => element("span", { class: kind && `gd-${kind}` }, text)), "\n"));
    this.element = element("ol", { class: "gd-source", tabindex: 0, "aria-label": "The text of the spec" }, this.rows);
  }

  mark(numbers) {
    this.rows.forEach((row, at) => row.classList.toggle("gd-fired", numbers.includes(at + 1)));
  }

  go(number) {
    this.rows[number - 1]?.scrollIntoView({ block: "center", behavior: "smooth" });
  }
}
