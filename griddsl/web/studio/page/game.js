// The game: the board, what may be done, what happened, what each sees, and the moments before.

const by = (id) => document.getElementById(id);
const KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space", Enter: "enter",
  Tab: "tab", Backspace: "backspace" };

const MANY = 16;

export class Game {
  constructor(tell) {
    this.tell = tell;
    this.keys = {};
    this.seats = [];
    by("stage").addEventListener("keydown", (event) => this.key(event));
    by("board").addEventListener("click", (event) => {
      by("stage").focus();
      this.click(event);
    });
    by("moment").addEventListener("input", () => this.ask("look", { moment: Number(by("moment").value) }));
    by("back").onclick = () => this.ask("back");
    by("restart").onclick = () => this.ask("restart");
    by("random").onclick = () => this.ask("random");
    by("another").onclick = () => this.ask("seed", { seed: Math.floor(Math.random() * 1e6) });
    by("buttons").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.ask("act", { seat: Number(button.dataset.seat), action: Number(button.dataset.action) });
    });
    this.chosen = {};
    by("settings").addEventListener("change", (event) => this.choose(event.target));
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
      if (this.seats[action[0]].awaited) this.ask("act", { seat: action[0], action: action[1] });
    } else if (key === "backspace" || key === "u") {
      event.preventDefault();
      this.ask("back");
    }
  }

  // A click on a cell plays the action of who is to move that takes it.
  click(event) {
    const [box, [width, height]] = [event.target.getBoundingClientRect(), this.size];
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const cell = Math.floor(((event.clientY - box.top) / box.height) * height) * width + x;
    this.seats.forEach((seat, number) => {
      const action = seat.cells.findIndex((taken, k) => taken === cell && seat.allowed[k]);
      if (action >= 0 && seat.awaited) this.ask("act", { seat: number, action });
    });
  }

  take(view) {
    this.name = view.name;
    by("trouble").textContent = view.error;
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
    [this.keys, this.size, this.seats] = [view.keys, view.size, view.seats];
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
          const buttons = seat.actions.map((name, number) => {
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
      const seat = view.seats[button.dataset.seat];
      button.disabled = view.over || !seat.allowed[button.dataset.action];
      // Of very many there is no room for those that cannot be chosen.
      button.hidden = seat.actions.length > MANY && (button.disabled || !seat.awaited);
    }
  }

  // Parameters and levels; where the same are offered as before, only their values change.
  offer(message) {
    const shape = JSON.stringify([message.name, message.levels, message.params.map(({ value, at, ...rest }) => rest)]);
    if (shape !== this.offered) {
      this.offered = shape;
      this.chosen = {};
      by("settings").replaceChildren(...message.params.map(paramInput), ...(message.levels.length ? [levelInput(message.levels)] : []));
    }
    for (const param of message.params) {
      const input = by("settings").querySelector(`[data-param="${CSS.escape(param.name)}"]`);
      input.value = param.how === "slider" ? param.at : param.value;
      if (param.how === "slider") input.nextElementSibling.textContent = param.value;
    }
    const level = by("settings").querySelector("[data-level]");
    if (level) level.value = message.level ?? "";
  }

  // What was not touched stays as it is: a slider has no place for 1/3.
  choose(input) {
    if (input.dataset.param) this.chosen[input.dataset.param] = input.value;
    const level = by("settings").querySelector("[data-level]")?.value || null;
    this.ask("choose", { params: this.chosen, level });
  }
}

function paramInput(param) {
  const label = document.createElement("label");
  const input = document.createElement(param.how === "list" ? "select" : "input");
  if (param.how === "list") {
    for (const word of param.words) input.add(new Option(word, word));
  } else {
    [input.type, input.min, input.max, input.step] = ["range", param.low, param.high, param.step];
  }
  input.dataset.param = param.name;
  input.title = param.domain;
  label.append(`${param.name} `, input);
  if (param.how === "slider") label.append(document.createElement("output"));
  return label;
}

function levelInput(levels) {
  const label = document.createElement("label");
  const input = document.createElement("select");
  input.dataset.level = "";
  input.add(new Option("as the spec says", ""));
  for (const level of [...levels, "random"]) input.add(new Option(level, level));
  label.append("level ", input);
  return label;
}
