// The panel beside the board: what the game says of itself, in words.
import { element, numberText } from "./elements.js";

// A list of labels and values that is written anew only where it changed; what is too much is folded away.
const MOST_FACTS = 8;

export class Facts {
  constructor() {
    this.list = element("dl", { class: "gd-facts" });
    this.rest = element("dl", { class: "gd-facts" });
    this.fold = element("details", { hidden: true }, element("summary", {}, "More values"), this.rest);
    this.element = element("div", { class: "gd-folds" }, this.list, this.fold);
    this.before = "";
  }

  show(rows) {
    const now = JSON.stringify(rows);
    if (now === this.before) return;
    this.before = now;
    const shown = rows.map(([label, value]) => element("div", {}, element("dt", {}, label), element("dd", {}, value)));
    const first = rows.length > MOST_FACTS + 1 ? MOST_FACTS : rows.length;
    this.list.replaceChildren(...shown.slice(0, first));
    this.rest.replaceChildren(...shown.slice(first));
    this.fold.hidden = shown.length <= first;
    this.element.hidden = shown.length === 0;
  }
}

// The three numbers that everybody looks at.
export class Score {
  constructor() {
    this.boxes = Object.fromEntries(["score", "step", "reward"].map((name) => [name, element("b", { "data-fact": name }, "0")]));
    this.element = element("div", { class: "gd-score" },
      Object.entries(this.boxes).map(([name, box]) => element("div", {}, element("span", {}, name), box)));
  }

  show(session) {
    const { moment, program } = session;
    this.boxes.score.textContent = numberText(moment.scores[0]);
    this.boxes.reward.textContent = moment.move === null ? "–" : signed(moment.rewards[0]);
    this.boxes.reward.dataset.sign = Math.sign(moment.move === null ? 0 : moment.rewards[0]);
    this.boxes.step.textContent = program.limit ? `${moment.step} / ${program.limit}` : String(moment.step);
    this.element.hidden = session.several;
  }
}

// For several agents: a row for each, with its score and its last reward, in its colour.
export class Scores {
  constructor() {
    this.element = element("table", { class: "gd-scores" });
  }

  show(session, { colors, control }) {
    this.element.hidden = !session.several;
    if (!session.several) return;
    const { moment, program, game } = session, turns = program.turns === "alternate" ? session.toMove : [];
    const rows = program.players.map((player, k) => element("tr", { class: game.agents.includes(player.name) ? "" : "gd-out" },
      element("th", { scope: "row" }, spot(colors[player.agent]), player.name, turns.includes(player.name) ? " ◂" : ""),
      element("td", {}, numberText(moment.scores[k])),
      element("td", {}, moment.move === null ? "–" : signed(moment.rewards[k])),
      element("td", {}, control(player.name))));
    const step = program.limit ? `step ${moment.step} / ${program.limit}` : `step ${moment.step}`;
    const head = element("thead", {}, element("tr", {}, ["agent", "score", "reward", "played by"].map((text) => element("th", { scope: "col" }, text))));
    this.element.replaceChildren(element("caption", {}, step), head, element("tbody", {}, rows));
  }
}

function spot(color) {
  const made = element("i", { class: "gd-spot", "aria-hidden": "true" });
  made.style.background = color;
  return made;
}

export function signed(value) {
  return value > 0 ? `+${numberText(value)}` : numberText(value);
}

// What happened in the last step: the rules that fired, each with its line.
export class Events {
  constructor(go) {
    this.go = go;
    this.element = element("ul", { class: "gd-events", "aria-label": "Rules that fired" });
  }

  show(fired, rules) {
    const rows = fired.slice(0, 8).map(({ rule, times }) => {
      const { head, place, line } = rules[rule], often = times > 1 ? `, ${times} times` : "";
      const where = element("button", { type: "button", class: "gd-place", onclick: () => line && this.go(line) }, `${place}${often}`);
      return element("li", {}, element("code", {}, head), " ", where);
    });
    if (fired.length > 8) rows.push(element("li", {}, `and ${fired.length - 8} more`));
    this.element.replaceChildren(...rows);
    this.element.hidden = rows.length === 0;
  }
}
