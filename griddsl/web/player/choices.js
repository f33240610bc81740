// What can be chosen beside moves: variants, levels, seeds, and the commands as buttons.
import { button, element, save } from "./elements.js";

export class Choices {
  constructor() {
    this.element = element("div", { class: "gd-choices" });
    this.buttons = element("div", { class: "gd-buttons" });
  }

  build(player) {
    const { data, session, options } = player, rows = [];
    const choice = (label, names, chosen, take) => {
      const list = names.map((name, k) => element("option", { value: k, selected: k === chosen }, name));
      const turn = (event) => {
        take(Number(event.target.value));
        player.canvas.focus({ preventScroll: true });
      };
      rows.push(element("label", {}, element("span", {}, label), element("select", { onchange: turn }, list)));
    };
    if (data.games.length > 1) choice("variant", data.games.map((game) => game.label), player.number, (number) => player.choose(number));
    const levels = session.program.levels.filter((name) => name !== null);
    if (levels.length > 1) {
      choice("level", ["as the spec says", ...levels], 0, (number) => player.reset(undefined, number ? levels[number - 1] : null));
    }
    this.seed = element("input", { type: "number", min: 0, step: 1, inputmode: "numeric", "aria-label": "Seed" });
    this.seed.addEventListener("change", () => /^\d{1,15}$/.test(this.seed.value) && player.reset(Number(this.seed.value)));
    rows.push(element("label", {}, element("span", {}, "seed"), this.seed));
    this.element.replaceChildren(...(options.plain ? [] : rows));
    const texts = { undo: "Undo", restart: "Restart", new_seed: "New seed", auto: "Play at random", ...(player.optimal ? { hint: "Best move" } : {}) };
    this.commands = Object.fromEntries(Object.entries(texts).map(([name, text]) =>
      [name, button(text, () => player.command(name), { "data-command": name })]));
    const saves = button("Save recording", () => save(`${data.name}.recording.json`, JSON.stringify(player.session.transcript())), { "data-command": "save" });
    const shown = options.plain ? (options.restarts ? [this.commands.restart] : []) : [...Object.values(this.commands), saves];
    this.buttons.replaceChildren(...shown);
  }

  show(session, isAuto) {
    if (document.activeElement !== this.seed) this.seed.value = session.seed;
    this.commands.undo.disabled = session.moments.length < 2;
    this.commands.auto.textContent = isAuto ? "Stop" : "Play at random";
  }
}
