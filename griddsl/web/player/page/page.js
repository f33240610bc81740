// A page of its own: the player, or a study around it, and the handles that scripts have.
import { Player } from "../player.js";
import { post } from "./post.js";
import { Study } from "./study.js";

const data = JSON.parse(document.getElementById("griddsl-data").textContent);
const root = document.getElementById("griddsl");

if (data.study === null) {
  const player = new Player(root, data, globalThis.griddslMakers, optionsOf(new URLSearchParams(location.hash.slice(1))));
  if (data.post !== null) postEpisodes(player);
  if (window === window.parent) player.canvas.focus({ preventScroll: true }); // a frame takes no keys by itself
  globalThis.griddsl = handles(() => player);
} else {
  const study = new Study(root, data, globalThis.griddslMakers);
  globalThis.griddsl = handles(() => study.player);
}

// What the address asks for after its `#`: `seed=7&level=8x8`.
function optionsOf(asked) {
  const seed = asked.get("seed");
  return { seed: /^\d+$/.test(seed ?? "") ? Number(seed) : undefined, level: asked.get("level") ?? undefined };
}

// Post the recording at the end of each episode; what could not be posted goes with the next one.
function postEpisodes(player) {
  player.on(async (what) => {
    if (what !== "step" || !player.session.isOver) return;
    const failed = await post(data.post, player.session.transcript());
    if (failed) player.say(`the recording could not be sent (${failed}); Save recording keeps it`);
  });
}

// `window.griddsl`: reset(seed, { level, variant }), step(action), state(), observation(), transcript(), mask(), text().
// Actions are numbers or names, lists of them where there are several groups, and objects by agent for several agents.
function handles(current) {
  const known = () => current() ?? fail("no episode is being played");
  const numbered = (seats, given) => {
    const numbers = [given].flat().map((part, k) => (typeof part === "string" ? seats[k].actions.indexOf(part) : part));
    return Array.isArray(given) ? numbers : numbers[0];
  };
  const shown = (player) => {
    const { session } = player, { moment } = session, [name] = session.program.players.map((each) => each.name);
    const infos = session.kept.at(-1).infos, several = session.several;
    return { observation: several ? session.observations : session.observations[name], reward: several ? byName(session, moment.rewards) : moment.rewards[0],
      terminated: moment.terminated, truncated: moment.truncated, info: several ? infos : infos[name] };
  };
  return {
    reset(seed, { level, variant } = {}) {
      const player = known();
      const started = variant === undefined ? player.reset(seed, level) : player.choose(variant, seed, level);
      if (!started) fail(player.notice.textContent);
      const { observation, info } = shown(player);
      return { observation, info };
    },
    step(action) {
      const player = known(), { session } = player, seatsOf = (name) => player.game.seats.filter((seat) => seat.agent === name);
      if (session.isOver) fail("the episode is over: call reset()");
      const move = session.several
        ? Object.fromEntries(Object.entries(action).map(([name, own]) => [name, numbered(seatsOf(name), own)]))
        : numbered(player.game.seats, action);
      player.step(move);
      return shown(player);
    },
    state() {
      const { integers, reals, stream } = known().session.game.state;
      return { integers, reals, stream: String(stream) };
    },
    observation: () => shown(known()).observation,
    mask: (name) => known().session.game.mask(name),
    text: () => known().session.game.text(),
    transcript: () => known().session.transcript(),
    undo: () => known().undo(),
  };
}

function byName(session, values) {
  return Object.fromEntries(session.program.players.map((player, k) => [player.name, values[k]]));
}

function fail(text) {
  throw new Error(text);
}
