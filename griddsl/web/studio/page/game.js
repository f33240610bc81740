// The game: the board, what may be done, what happened, what each sees, and the moments before.

const by = (id) => document.getElementById(id);
const KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space", Enter: "enter",
  Tab: "tab", Backspace: "backspace" };

export class Game {
  constructor(tell) {
    this.tell = tell;
    this.keys = {};
    this.seats = [];
    by("stage").addEventListener("keydown", (event) => this.key(event));
    by("board").addEventListener("click", () => by("stage").focus());
    by("moment").addEventListener("input", () => this.ask("look", { moment: Number(by("moment").value) }));
    by("back").onclick = () => this.ask("back");
    by("restart").onclick = () => this.ask("restart");
    by("random").onclick = () => this.ask("random");
    by("another").onclick = () => this.ask("seed", { seed: Math.floor(Math.random() * 1e6) });
    by("buttons").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.ask("act", { seat: Number(button.dataset.seat), action: Number(button.dataset.action) });
    });
    by("settings").addEventListener("change", () => this.choose());
    by("settings").addEventListener("input", (event) => {
      if (event.target.type === "range") event.target.nextElementSibling.textContent = event.target.value;
    });
  }

  ask(what, more = {}) {
    this.tell({ do: what, name: this.name, ...more });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = KEYS[event.key] ?? event.key;
    const action = this.keys[key] ?? this.keys[key.toLowerCase()];
    if (action) {
      event.preventDefault();
      this.ask("act", { seat: action[0], action: action[1] });
    } else if (key === "backspace" || key === "u") {
      event.preventDefault();
      this.ask("back");
    }
  }

  take(view) {
    this.name = view.name;
    if (!view.board) {
      by("board").removeAttribute("src");
      by("board").alt = view.error || "nothing to show yet";
      return;
    }
    const board = by("board");
    board.src = view.board;
    board.alt = view.text || `The board of ${view.id} at moment ${view.moment}`;
    const moment = by("moment");
    [moment.min, moment.max, moment.value] = [view.first, view.moments, view.moment];
    by("when").textContent = `step ${view.moment} of ${view.moments}${view.over ? ", over" : ""}`;
    this.keys = view.keys;
    this.buttons(view);
    by("facts").replaceChildren(
      ...[...view.facts, ...(view.notice ? [["note", view.notice]] : [])].flatMap(([name, value]) => {
        const [term, what] = [document.createElement("dt"), document.createElement("dd")];
        [term.textContent, what.textContent] = [name, value];
        return [term, what];
      }),
    );
    by("fired").replaceChildren(
      ...view.fired.map((fired) => {
        const item = document.createElement("li");
        item.textContent = `${fired.rule} (${fired.place}${fired.times > 1 ? `, ${fired.times} times` : ""})`;
        return item;
      }),
    );
    by("views").replaceChildren(
      ...view.views.map((seen) => {
        const [figure, image, caption] = ["figure", "img", "figcaption"].map((tag) => document.createElement(tag));
        image.src = seen.picture;
        image.alt = caption.textContent = `what ${seen.agent} sees`;
        figure.append(image, caption);
        return figure;
      }),
    );
  }

  buttons(view) {
    const shape = JSON.stringify(view.seats.map((seat) => [seat.agent, seat.actions]));
    if (shape !== this.shape) {
      this.shape = shape;
      const keyOf = (seat, number) =>
        Object.keys(view.keys).find((key) => view.keys[key][0] === seat && view.keys[key][1] === number);
      by("buttons").replaceChildren(
        ...view.seats.flatMap((seat, place) => {
          const whose = document.createElement("small");
          whose.textContent = view.seats.length > 1 ? seat.agent : "";
          const buttons = seat.actions.slice(0, 60).map((name, number) => {
            const button = document.createElement("button");
            button.textContent = name;
            const key = keyOf(place, number);
            if (key) button.title = `key: ${key}`;
            [button.dataset.seat, button.dataset.action] = [place, number];
            return button;
          });
          return [whose, ...buttons];
        }),
      );
    }
    for (const button of by("buttons").querySelectorAll("button")) {
      button.disabled = view.over || !view.seats[button.dataset.seat].allowed[button.dataset.action];
    }
  }

  // Parameters and levels.
  offer(message) {
    const offered = JSON.stringify([message.name, message.params, message.levels]);
    if (offered === this.offered) return;
    this.offered = offered;
    const labels = message.params.map((param) => {
      const label = document.createElement("label");
      label.append(`${param.name} `);
      let input;
      if (param.how === "list") {
        input = document.createElement("select");
        for (const word of param.words) input.add(new Option(word, word));
      } else {
        input = document.createElement("input");
        input.type = param.how === "slider" ? "range" : "text";
        if (param.how === "slider") [input.min, input.max] = [param.low, param.high];
      }
      input.value = param.value;
      input.dataset.param = param.name;
      input.title = param.domain;
      label.append(input);
      if (param.how === "slider") {
        const shown = document.createElement("output");
        shown.textContent = param.value;
        label.append(shown);
      }
      return label;
    });
    if (message.levels.length) {
      const label = document.createElement("label");
      const input = document.createElement("select");
      input.dataset.level = "";
      input.add(new Option("as the spec says", ""));
      for (const level of [...message.levels, "random"]) input.add(new Option(level, level));
      label.append("level ", input);
      labels.push(label);
    }
    by("settings").replaceChildren(...labels);
  }

  choose() {
    const params = {};
    for (const input of by("settings").querySelectorAll("[data-param]")) params[input.dataset.param] = input.value;
    const level = by("settings").querySelector("[data-level]")?.value || null;
    this.ask("choose", { params, level });
  }
}
