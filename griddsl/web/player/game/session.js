// A game in progress: what happened in it, the way back, and the recording. No page is needed for it.
import { checksumOf } from "./checksum.js";

const MOST_KEPT_VALUES = 4_000_000;
const SEEDS = 1_000_000;
const FIRST_TRIES = 20;

// `game` is one that a module made, traced; `facts` says what the page knows of it (see `page.py`).
export class Session {
  constructor(game, facts, { episodes = [], clock = () => performance.now() } = {}) {
    Object.assign(this, { game, facts, episodes, clock }); // `episodes` is what was recorded
    this.program = game.program;
    this.several = this.program.players.length > 1;
    this.mostKept = Math.max(2, Math.floor(MOST_KEPT_VALUES / Math.max(1, this.program.saved[0])));
  }

  static randomSeed() {
    return Math.floor(Math.random() * SEEDS);
  }

  get moment() {
    return this.moments.at(-1);
  }

  get isOver() {
    return this.moment.terminated || this.moment.truncated;
  }

  get observations() {
    return this.kept.at(-1).observations;
  }

  // Start an episode; raises what the game raises where its setup fails, and then the one before goes on.
  start(seed = Session.randomSeed(), level = undefined) {
    const told = this.moments === undefined ? this.#first(seed, level) : this.#reset(seed, level);
    const names = this.program.players.map((player) => player.name);
    const observations = this.several ? told.observations : { [names[0]]: told.observation };
    const infos = this.several ? told.infos : { [names[0]]: told.info };
    this.game.fired.length = 0;
    Object.assign(this, { seed: told.seed ?? seed, level, started: this.clock() });
    this.moments = [{ step: 0, move: null, rewards: names.map(() => 0), scores: names.map(() => 0), fired: [],
      terminated: false, truncated: false, outcome: "" }];
    this.kept = [this.#now(observations, infos)];
    this.episode = { params: this.facts.params, fingerprint: this.facts.fingerprint, level: level ?? null, seed: this.seed, started: new Date().toISOString(),
      check: this.#checksum(), steps: [], terminated: false, truncated: false, outcome: "", score: [] };
    this.episodes.push(this.episode);
    return this.moment;
  }

  #reset(seed, level) {
    try {
      return this.game.reset({ seed, level: level ?? undefined });
    } catch (error) {
      if (this.kept) this.#return(this.kept.at(-1));
      throw error;
    }
  }

  // The first episode of all: where its setup fails, that of one of the next seeds.
  #first(seed, level) {
    for (let other = seed; ; other++) {
      try {
        return { ...this.#reset(other, level), seed: other };
      } catch (error) {
        if (other >= seed + FIRST_TRIES) throw error;
      }
    }
  }

  // Carry out a move: for one agent its numbers, one a group; for several an object of such by agent.
  act(move) {
    if (this.isOver) return this.moment;
    const { game, program } = this, before = this.moment, names = program.players.map((player) => player.name);
    game.fired.length = 0;
    const told = this.#step(move);
    const rewards = names.map((name) => (Object.hasOwn(told.rewards, name) ? told.rewards[name] : 0)); // `constructor` is out
    const over = game.agents.length === 0;
    const moment = {
      step: before.step + 1,
      move,
      rewards,
      scores: rewards.map((reward, k) => before.scores[k] + reward),
      fired: countedRules(game.fired),
      terminated: over && Object.values(told.terminated).some(Boolean),
      truncated: over && Object.values(told.truncated).some(Boolean),
      outcome: over ? Object.values(told.infos)[0]?.outcome ?? "" : "",
    };
    this.moments.push(moment);
    const last = this.kept.at(-1);
    this.kept.push(this.#now({ ...last.observations, ...told.observations }, { ...last.infos, ...told.infos }));
    if (this.kept.length > this.mostKept) this.kept.shift();
    const action = !this.several && move.length === 1 ? move[0] : move;
    this.episode.steps.push({ action, time_ms: this.#time(), reward: this.several ? rewards : rewards[0], check: this.#checksum() });
    this.#conclude();
    return moment;
  }

  #step(move) {
    const { game, program } = this, name = program.players[0].name;
    if (this.several) return game.step(move);
    const { observation, reward, terminated, truncated, info } = game.step(move.length === 1 ? move[0] : move);
    const by = (value) => ({ [name]: value });
    return { observations: by(observation), rewards: by(reward), terminated: by(terminated), truncated: by(truncated), infos: by(info) };
  }

  // Go back to before the last step; false at the start, or as far back as is remembered.
  undo() {
    if (this.kept.length < 2) return false;
    this.kept.pop();
    this.moments.pop();
    this.#return(this.kept.at(-1));
    this.episode.steps.push({ undo: true, time_ms: this.#time() });
    this.#conclude();
    return true;
  }

  // Which actions are allowed: for each agent and group a row of true and false.
  masks(name) {
    const player = this.program.players.find((found) => found.name === name), flat = this.game.mask(name);
    let at = 0;
    return player.actions.map((group) => group.map(() => flat[at++] === 1));
  }

  // The agents whose choices count in the next move.
  get toMove() {
    const { game, program } = this;
    if (this.isOver) return [];
    if (program.turns !== "alternate") return [...game.agents];
    return [program.names_of_agents[game.s[game.at.TURN]]];
  }

  // What is known beside the board, [label, value]: facing, what is carried, variables and chosen names.
  things(directions) {
    const { game, program } = this, { s, at } = game, found = [], several = program.agents.length > 1;
    program.names_of_agents.forEach((name, agent) => {
      const whose = several ? ` of ${name}` : "";
      if (at.FACING !== undefined && s[at.FACING + agent] >= 0) found.push([`facing${whose}`, directions[s[at.FACING + agent]]]);
      const away = at.OUT === undefined ? 0 : s[at.OUT + agent] - 1;
      if (away > 0) found.push([`away${whose}`, `${away} step${away === 1 ? "" : "s"}`]);
      if (at.CARRIED === undefined) return;
      const carried = Array.from({ length: program.hands }, (_, k) => s[at.CARRIED + agent * program.hands + k]).filter((thing) => thing >= 0);
      if (carried.length || !several) {
        found.push([`carrying${whose}`, carried.map((thing) => program.kinds[s[at.OBJECT_KIND + thing]].name).join(", ") || "nothing"]);
      }
    });
    for (const name of program.names.filter((each) => !each.is_part)) found.push([name.label, this.#valueOf(name)]);
    return found;
  }

  #valueOf({ form, words, at }) {
    const value = this.game.s[at];
    if (form === "words") return words[value] ?? String(value);
    if (form === "bool") return String(value !== 0);
    return form === "cell" && value >= 0 ? `(${value % this.program.width}, ${Math.floor(value / this.program.width)})` : String(value);
  }

  // Everything that was played, as plain data: what `griddsl replay` reads.
  transcript() {
    const { id, source, version } = this.facts;
    return { format: "griddsl-recording", version: 1, griddsl: version, id, source, episodes: structuredClone(this.episodes) };
  }

  #conclude() {
    const { terminated, truncated, outcome, scores } = this.moment;
    Object.assign(this.episode, { terminated, truncated, outcome, score: scores });
  }

  #time() {
    return Math.round(this.clock() - this.started);
  }

  #checksum() {
    return checksumOf(this.game.state);
  }

  #now(observations, infos) {
    const { integers, reals, stream } = this.game.state;
    const state = { integers: Float64Array.from(integers), reals: Float64Array.from(reals), stream };
    return { state, agents: [...this.game.agents], observations, infos };
  }

  #return({ state, agents }) {
    this.game.state = state;
    this.game.agents = [...agents];
  }
}

// Numbers of rules that fired, in order, each once with how often: [{ rule, times }].
function countedRules(fired) {
  const counts = new Map();
  for (const rule of fired) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, times]) => ({ rule, times }));
}
