// The player: a board, a panel, keys, touch and buttons in an element of any page. Nothing here knows who shows it.
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { Controls, SPEEDS } from "./controls.js";
import { button, element, numberText, turnTheme } from "./elements.js";
import { capOf, keyOf } from "./game/keys.js";
import { Optimal } from "./optimal.js";
import { Pads } from "./pads.js";
import { Events, Facts, Score, Scores } from "./panel.js";
import { pointedAt } from "./pointing.js";
import { boardInWords, cellInWords, changesInWords, sceneOf, viewLeafOf, viewOf } from "./game/scene.js";
import { Session } from "./game/session.js";
import { sound } from "./sound.js";
import { SourceText } from "./source.js";
import { moveInWords, observedInWords, outcomeInWords, stepsInWords } from "./words.js";

// Show a player in an element. `data` is what `page.py` lists of a spec, `makers` the `make` of each of its modules.
// `options`: `seed` and `level` to start with, `plain` for a study (no undo, no seed, no hints), `only_view` to show
// nothing but what the agent sees.
export class Player {
  constructor(root, data, makers, options = {}) {
    Object.assign(this, { root, data, makers, options });
    this.episodes = [];
    this.listeners = [];
    this.sounds = false;
    this.speed = 4;
    this.auto = 0;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#build();
    this.choose(0, options.seed, options.level);
    document.fonts?.ready.then(() => this.#fit());
  }

  // Be told of every reset, step and undo: `listener(what, player)`.
  on(listener) {
    this.listeners.push(listener);
  }

  // Games and episodes

  // Play another game of the page: the same spec with other parameters, or another of its levels.
  choose(number, seed = undefined, level = undefined) {
    const made = this.makers[number](), game = this.data.games[number];
    const facts = { ...this.data.facts, params: game.params, fingerprint: game.fingerprint };
    Object.assign(this, { number, game, session: new Session(made, facts, { episodes: this.episodes }) });
    this.controls = new Controls(this.session, game.seats);
    this.optimal = game.exact && !this.options.plain ? new Optimal(game.exact) : null;
    this.board = new Board(this.canvas, game.looks, { pictures: this.pictures(game), still: this.still });
    this.colors = game.agent_colors;
    this.pads.build(game, (seat, number) => this.press(seat, number), { plain: this.options.plain });
    this.#buildViews();
    this.choices.build(this);
    return this.reset(seed, level);
  }

  // The pictures of a game, loading where they were not asked for before.
  pictures(game) {
    game.pictures ??= game.looks.images.map((address) => {
      const picture = new Image();
      picture.onload = () => this.#redraw();
      picture.src = address;
      return picture;
    });
    return game.pictures;
  }

  #redraw() {
    this.board.sprites.clear();
    this.board.drawn = [];
    this.#show(false);
  }

  // Start an episode anew, with its seed or another; false where its setup fails, and then the one before goes on.
  reset(seed = Session.randomSeed(), level = this.session.level) {
    this.#stop();
    try {
      this.session.start(seed, level);
      this.say("");
    } catch (error) {
      this.say(`seed ${seed}: ${error.message}`);
      if (this.session.moments === undefined) this.root.replaceChildren(element("p", { role: "alert" }, this.notice.textContent));
      return false;
    }
    this.controls.clear();
    this.start = this.optimal?.of(this.session.game) ?? null;
    this.hinted = false;
    this.#show(false);
    this.#tell("reset");
    return true;
  }

  // Carry out a move: of one agent an action (or one a group), of several an object by agent.
  step(move) {
    const { session } = this, given = session.several || Array.isArray(move) ? move : [move];
    if (session.isOver) return session.moment;
    const moment = session.act(given);
    this.#show(this.speed <= 15 || this.auto === 0);
    if (this.sounds) sound(moment, moment.rewards[0]);
    this.#tell("step");
    return moment;
  }

  undo() {
    if (this.options.plain) return;
    this.#stop();
    if (!this.session.undo()) this.say("nothing to undo");
    this.controls.clear();
    this.#show(false);
    this.#tell("undo");
  }

  say(text) {
    this.notice.textContent = text;
  }

  #tell(what) {
    for (const listener of this.listeners) listener(what, this);
  }

  // What people do

  press(seat, number) {
    this.#stop();
    this.say("");
    const { agent } = this.controls.seats[seat];
    if (!this.controls.persons.has(agent)) return this.say(`${agent} plays by itself here`);
    if (this.session.isOver) return this.say("the episode is over");
    const move = this.controls.press(seat, number);
    if (move !== null) this.step(move);
    else this.#showPanel();
  }

  // Do what a key says; false where it says nothing.
  key(name) {
    const action = this.game.keys.actions[name], command = this.game.keys.commands[name];
    if (action) this.press(...action);
    else if (command && !(this.options.plain && command !== "restart")) this.command(command);
    else return false;
    return true;
  }

  command(name) {
    if (name === "undo") this.undo();
    if (name === "restart" && !(this.options.plain && !this.options.restarts)) this.reset(this.session.seed);
    if (name === "new_seed") this.reset();
    if (name === "auto") this.auto ? this.#stop() : this.#go();
    if (name === "next") this.#random();
    if (name === "hint") this.#hint();
    if (name === "faster") this.#setSpeed(SPEEDS.find((speed) => speed > this.speed));
    if (name === "slower") this.#setSpeed(SPEEDS.findLast((speed) => speed < this.speed));
  }

  #random() {
    this.#stop();
    if (!this.session.isOver) this.step(this.controls.move());
  }

  #setSpeed(speed = this.speed) {
    this.speed = speed;
    this.say(`${speed} moves a second`);
    if (this.auto) this.#go();
  }

  #go() {
    this.#stop();
    const next = () => {
      if (this.session.isOver) this.reset(this.session.seed + 1);
      else this.step(this.controls.move());
      clearTimeout(this.auto);
      this.auto = setTimeout(next, this.session.isOver ? 1500 : 1000 / this.speed);
      this.#showPanel();
    };
    next();
  }

  #stop() {
    if (!this.auto) return;
    clearTimeout(this.auto);
    this.auto = 0;
    this.#showPanel();
  }

  #hint() {
    this.hinted = !this.hinted;
    this.#show(false);
  }

  // Building

  #build() {
    const { data, options } = this, part = (name, ...children) => element("div", { class: `gd-${name}` }, ...children);
    this.canvas = element("canvas", { class: "gd-board", tabindex: 0, role: "application", "aria-roledescription": "board", "aria-label": "The board" });
    this.frame = part("frame", this.canvas);
    this.views = part("views");
    this.pads = new Pads();
    this.hover = part("hover");
    [this.score, this.scores, this.facts] = [new Score(), new Scores(), new Facts()];
    this.events = new Events((line) => this.#goToLine(line));
    this.mission = element("p", { class: "gd-mission" });
    this.banner = element("p", { class: "gd-banner", role: "status" });
    this.notice = element("p", { class: "gd-notice", role: "status" });
    this.hint = element("p", { class: "gd-hint" });
    this.choices = new Choices();
    this.live = element("p", { class: "gd-unseen", "aria-live": "polite" });
    this.text = element("pre", { class: "gd-text" });
    this.list = element("ul", { class: "gd-list" });
    this.observed = element("pre", { class: "gd-text" });
    this.source = new SourceText(data.source);
    const fold = (title, ...content) => element("details", {}, element("summary", {}, title), ...content);
    this.sourceFold = fold("The spec", this.source.element);
    this.folds = part("folds",
      fold("Keys", this.pads.keys),
      fold("The board as text", this.text, this.list),
      options.plain ? null : fold("What the agent observes", this.observed),
      options.plain ? null : this.sourceFold);
    this.tools = part("tools",
      this.#toggle("♪", "Sound", (on) => { this.sounds = on; }),
      this.#toggle("A", "Letters and numbers for colours", (on) => { this.labels = on; this.#show(false); }),
      this.#toggle("◐", "Dark or light", () => turnTheme(this.root)));
    const panel = element("aside", { class: "gd-panel", "aria-label": "The game" }, this.mission, this.score.element,
      this.scores.element, this.banner, this.notice, this.hint, this.events.element, this.facts.element, this.views,
      this.choices.element, this.choices.buttons, this.folds);
    const head = element("header", {}, element("div", {}, element("h1", {}, data.title), element("p", {}, data.description)), this.tools);
    const stage = element("section", { class: "gd-stage", "aria-label": "The board and its keys" }, this.frame, this.hover, this.pads.element);
    this.root.classList.add("griddsl");
    this.root.replaceChildren(head, element("div", { class: "gd-body" }, stage, panel), this.live);
    new ResizeObserver(() => this.#fit()).observe(this.frame);
    window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener("change", () => this.#fit());
    this.root.addEventListener("keydown", (event) => this.#keydown(event));
    this.#listenToBoard();
  }

  #toggle(sign, label, turn) {
    const made = button(sign, () => {
      const on = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(on));
      turn(on);
    }, { "aria-pressed": "false", "aria-label": label, title: label });
    return made;
  }

  #buildViews() {
    const players = this.session.program.players.filter(viewLeafOf);
    this.small = players.slice(0, this.options.only_view ? 0 : 8).map((player) => {
      const canvas = element("canvas", { role: "img", "aria-label": `What ${player.name} sees` });
      const board = new Board(canvas, this.game.looks, { pictures: this.pictures(this.game), still: true });
      const figure = element("figure", {}, canvas, element("figcaption", {}, players.length > 1 ? `${player.name} sees` : "what the agent sees"));
      return { player, board, figure };
    });
    this.views.replaceChildren(...this.small.map(({ figure }) => figure));
  }

  #keydown(event) {
    const inside = event.target;
    if (inside.matches("input, select, textarea") || (inside.matches("summary, button") && [" ", "Enter"].includes(event.key))) return;
    if (inside.matches(".gd-source, .gd-text") && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    const name = keyOf(event);
    const scrolls = inside === this.canvas && /^(Arrow|Page| )/.test(event.key);
    if ((name && this.key(name)) || scrolls) event.preventDefault();
  }

  // A swipe is an arrow key; a click beside the agent is a move there.
  #listenToBoard() {
    let start = null;
    this.canvas.addEventListener("pointerdown", (event) => { start = [event.clientX, event.clientY]; });
    this.canvas.addEventListener("pointerup", (event) => {
      if (start === null) return;
      const dx = event.clientX - start[0], dy = event.clientY - start[1];
      start = null;
      this.canvas.focus({ preventScroll: true });
      if (Math.max(Math.abs(dx), Math.abs(dy)) > 24) this.key(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : dy > 0 ? "down" : "up");
      else this.#click(this.board.cellAt(event.clientX, event.clientY));
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const cell = event.pointerType === "mouse" && !this.options.only_view ? this.board.cellAt(event.clientX, event.clientY) : -1;
      const { width } = this.session.program;
      this.hover.textContent = cell < 0 ? "" : `(${cell % width}, ${Math.floor(cell / width)}) ${cellInWords(this.session.game, this.scene, this.game.looks, cell)}`;
    });
    this.canvas.addEventListener("pointerleave", () => { this.hover.textContent = ""; });
  }

  #click(cell) {
    const pointed = cell < 0 || this.options.only_view ? null : pointedAt(this, cell);
    if (pointed !== null) this.press(...pointed);
  }

  // Showing

  #fit() {
    if (!this.board?.scene || this.board.looks !== this.game.looks) return;
    const box = this.frame.getBoundingClientRect(), below = this.pads.element.offsetHeight + this.hover.offsetHeight + 44;
    const above = Math.max(0, Math.min(260, box.top + window.scrollY));
    this.board.fit(box.width, Math.max(220, window.innerHeight - above - below));
    for (const { board } of this.small) board.fit(220, 150, 26);
  }

  #show(slides) {
    const { session, game } = this;
    this.scene = sceneOf(session.game, game.looks);
    const player = session.program.players[0];
    const shown = this.options.only_view && viewLeafOf(player) ? viewOf(session.game, this.scene, player, session.observations[player.name]) : this.scene;
    this.board.labels = this.labels;
    this.optimum = this.optimal?.of(session.game) ?? null;
    this.board.arrows = this.hinted && this.optimum && !session.isOver ? this.#bestArrows() : [];
    this.board.show(shown, { slides: slides && !this.options.only_view });
    for (const { player: whose, board } of this.small) board.show(viewOf(session.game, this.scene, whose, session.observations[whose.name]), { slides: false });
    this.#fit();
    this.#showPanel();
    this.#showWords();
  }

  #bestArrows() {
    const { session, game } = this, at = session.game.s[session.game.at.AGENT_CELL + session.program.players[0].agent];
    const directions = this.optimum.best.map((number) => game.directions[number] ?? -1).filter((direction) => direction >= 0);
    return at >= 0 && directions.length > 0 && game.seats.length === 1 ? [{ cell: at, directions }] : [];
  }

  #showPanel() {
    const { session, controls, game, options } = this, { moment, program } = session;
    this.score.show(session);
    this.scores.show(session, { colors: this.colors, control: (name) => this.#control(name) });
    const mission = session.game.mission();
    this.mission.textContent = mission;
    this.mission.hidden = !mission;
    this.events.show(options.plain ? [] : moment.fired, game.rules);
    this.source.mark(moment.fired.map(({ rule }) => game.rules[rule].line));
    this.#showBanner();
    const rows = session.things(game.looks.directions);
    for (const [name, info] of Object.entries(session.kept.at(-1).infos).reverse()) {
      for (const score of [...(session.program.scores ?? [])].reverse()) {
        rows.unshift([session.several ? `${score} of ${name}` : score, String(info[score])]);
      }
    }
    if (moment.move !== null && !session.several) rows.unshift(["last action", moveInWords(game.seats, moment.move)]);
    game.seats.forEach((seat, k) => {
      if (!controls.first.has(k)) rows.push([`${session.several ? `${seat.agent} ` : ""}${seat.name ?? "action"}`, seat.actions[controls.chosen[k]]]);
    });
    const waiting = controls.waiting();
    if (controls.pressed.size > 0 && waiting.length > 0) rows.push(["waiting for", waiting.join(", ")]);
    if (this.auto) rows.push(["playing by itself", `${this.speed} moves a second`]);
    this.facts.show(options.plain ? rows.filter(([label]) => label === "waiting for" || label.startsWith("carrying")) : rows);
    this.choices.show(session, this.auto !== 0);
    this.pads.show(session, controls);
    this.#showOptimum(program);
  }

  #control(name) {
    const on = this.controls.persons.has(name);
    return element("button", { type: "button", class: "gd-place", "aria-pressed": String(on), onclick: () => {
      this.controls.persons[on ? "delete" : "add"](name);
      this.controls.pressed.clear();
      this.#showPanel();
      this.canvas.focus({ preventScroll: true });
    } }, on ? "keys" : "random");
  }

  #showOptimum(program) {
    const { optimum, start, session } = this;
    this.hint.hidden = this.optimal === null || !(this.hinted || session.isOver);
    if (this.hint.hidden) return;
    if (session.isOver && start) {
      const took = `you took ${session.moment.step} (score ${numberText(session.moment.scores[0])})`;
      this.hint.textContent = `Optimal: ${numberText(start.value)} in ${stepsInWords(start.steps)}; ${took}.`;
      return;
    }
    const names = optimum?.best.map((number) => this.game.action_names[number]).join(" or ");
    this.hint.textContent = optimum ? `Best: ${names}. From here ${numberText(optimum.value)} in ${stepsInWords(optimum.steps)}.` : `Nothing is known of this state of ${program.id}.`;
  }

  #showBanner() {
    const { moment, isOver } = this.session;
    this.banner.hidden = !isOver;
    this.banner.dataset.outcome = moment.outcome;
    const again = Object.entries(this.game.keys.commands).find(([, command]) => command === "restart")?.[0];
    this.banner.textContent = isOver ? `${outcomeInWords(moment.outcome)} after ${moment.step} step${moment.step === 1 ? "" : "s"}.${again && !this.options.plain ? ` Press ${capOf(again)} to play again.` : ""}` : "";
  }

  // The board for those who do not see it.
  #showWords() {
    const { session, game, scene } = this, { moment } = session;
    const things = boardInWords(session.game, scene, game.looks);
    if (this.options.only_view) {
      this.text.textContent = "Only what the agent sees is shown.";
    } else {
      this.text.textContent = session.game.text();
      this.list.replaceChildren(...things.slice(-200).map((text) => element("li", {}, text)));
      this.canvas.setAttribute("aria-label", `The board, ${scene.width} by ${scene.height}. ${things.filter((_, k) => scene.things[k].agent !== undefined).join("; ")}`);
    }
    this.observed.textContent = observedInWords(session);
    const parts = moment.move === null ? ["start"] : [`step ${moment.step}: ${moveInWords(game.seats, moment.move)}`, `reward ${moment.rewards.map(numberText).join(", ")}`];
    const seen = this.options.only_view ? [] : changesInWords(moment.move === null ? undefined : this.told, scene, things);
    this.told = new Map(scene.things.map(({ id }, k) => [id, things[k]]));
    this.live.textContent = [...parts, ...(this.options.plain ? [] : moment.fired.map(({ rule }) => game.rules[rule].head)), ...seen, session.isOver ? `the episode is over: ${moment.outcome}` : ""].filter(Boolean).join(". ");
  }

  #goToLine(line) {
    this.sourceFold.open = true;
    this.source.go(line);
  }
}
