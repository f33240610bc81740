// The actions as buttons, for fingers and mice, and the list of keys.
import { button, element } from "./elements.js";
import { capOf } from "./game/keys.js";

const MANY = 16;
const ARROWS = { up: "↑", right: "→", down: "↓", left: "←" };

export class Pads {
  constructor() {
    this.element = element("div", { class: "gd-pads" });
    this.keys = element("dl", { class: "gd-keys" });
  }

  // Make a row of buttons for each seat; `press(seat, number)` is told of what is pressed.
  build({ seats, keys }, press, { plain }) {
    const several = new Set(seats.map((seat) => seat.agent)).size > 1;
    this.buttons = seats.map((seat, k) => seat.actions.map((name, number) => {
      const own = Object.entries(keys.actions).filter(([, at]) => at[0] === k && at[1] === number).map(([key]) => key);
      const arrow = own.find((key) => Object.hasOwn(ARROWS, key)), [shortest] = own.sort((a, b) => a.length - b.length);
      const cap = arrow ? ARROWS[arrow] : shortest && capOf(shortest);
      return button([element("span", {}, name), cap ? element("kbd", {}, cap) : null], () => press(k, number),
        { class: "gd-action", "data-action": name, "aria-label": several ? `${seat.agent}: ${name}` : name });
    }));
    this.rows = seats.map((seat, k) => element("div", { class: "gd-pad", role: "group", "aria-label": seat.agent },
      several || seat.name ? element("span", { class: "gd-who" }, [several && seat.agent, seat.name].filter(Boolean).join(" ")) : null, this.buttons[k]));
    this.element.replaceChildren(...this.rows);
    const listed = keys.captions.filter(([, meaning]) => !plain || !keys.meanings.includes(meaning));
    this.keys.replaceChildren(...listed.map(([caps, meaning]) => element("div", {},
      element("dt", {}, caps.split(", ").map((cap) => element("kbd", {}, capOf(cap)))), element("dd", {}, meaning))));
  }

  // Show which actions can be chosen now, which are allowed, and which are chosen. Of very many, those that are not
  // allowed are left out, and so are those of an agent that is not to move.
  show(session, controls) {
    const focused = this.element.getRootNode().activeElement;
    const toMove = session.toMove, groups = new Map();
    this.buttons.forEach((buttons, seat) => {
      const { agent } = controls.seats[seat], group = groups.get(agent) ?? 0, mask = session.masks(agent);
      groups.set(agent, group + 1);
      const human = controls.persons.has(agent), live = toMove.includes(agent);
      buttons.forEach((made, number) => {
        made.disabled = !human || !live;
        const illegal = live && mask[group]?.[number] === false;
        made.classList.toggle("gd-illegal", illegal);
        made.hidden = illegal && buttons.length > MANY;
        const chosen = controls.first.has(seat) ? controls.pressed.has(seat) : true;
        made.setAttribute("aria-pressed", String(chosen && controls.chosen[seat] === number));
      });
      this.rows[seat].hidden = session.several && (!human || (!live && buttons.length > MANY));
    });
    // Who plays by buttons keeps a place among them when the one that was pressed goes.
    if (focused && this.element.contains(focused) && focused.checkVisibility?.() === false) {
      this.buttons.flat().find((made) => !made.disabled && made.checkVisibility())?.focus();
    }
  }
}
