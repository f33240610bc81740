// The random stream: SplitMix64 in two words of 32 bits. `high` and `low` are the last 64 bits that it gave.
function upper(a, b) {
  // The upper 32 bits of a product of two words.
  const a0 = a & 0xffff, a1 = a >>> 16, b0 = b & 0xffff, b1 = b >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  return a1 * b1 + (middle >>> 16) + ((a0 * b1 + (middle & 0xffff)) >>> 16);
}

class Stream {
  constructor() {
    this.a = 0; // the counter
    this.b = 0;
    this.high = 0;
    this.low = 0;
  }

  get state() {
    return (BigInt(this.a) << 32n) | BigInt(this.b);
  }

  set state(bits) {
    this.a = Number((BigInt(bits) >> 32n) & 0xffffffffn);
    this.b = Number(BigInt(bits) & 0xffffffffn);
  }

  next() {
    const sum = this.b + 0x7f4a7c15;
    this.b = sum >>> 0;
    this.a = (this.a + 0x9e3779b9 + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    let h = this.a, l = this.b;
    l ^= (l >>> 30) | (h << 2);
    h ^= h >>> 30;
    h = (upper(l >>> 0, 0x1ce4e5b9) + Math.imul(h, 0x1ce4e5b9) + Math.imul(l, 0xbf58476d)) | 0;
    l = Math.imul(l, 0x1ce4e5b9);
    l ^= (l >>> 27) | (h << 5);
    h ^= h >>> 27;
    h = (upper(l >>> 0, 0x133111eb) + Math.imul(h, 0x133111eb) + Math.imul(l, 0x94d049bb)) | 0;
    l = Math.imul(l, 0x133111eb);
    l ^= (l >>> 31) | (h << 1);
    h ^= h >>> 31;
    this.high = h >>> 0;
    this.low = l >>> 0;
  }

  // A whole number below n, each with the same chance; 0 < n <= 2 ** 31.
  draw(n) {
    this.next();
    let rest = Math.imul(this.high, n) >>> 0;
    if (rest < n) {
      const threshold = (0x100000000 - n) % n;
      while (rest < threshold) {
        this.next();
        rest = Math.imul(this.high, n) >>> 0;
      }
    }
    return upper(this.high, n);
  }

  odds(wins, of) {
    return this.draw(of) < wins;
  }

  chance(p) {
    this.next();
    return (this.high * 0x200000 + (this.low >>> 11)) * 1.1102230246251565e-16 < p;
  }

  weighted(totals) {
    const drawn = this.draw(totals[totals.length - 1]);
    let index = 0;
    while (drawn >= totals[index]) index += 1;
    return index;
  }
}

// The bits that numpy's default generator gives first for a seed, so that a seed starts the episodes that it starts in Python.
function streamOf(seed) {
  const word = 0xffffffffn, wide = (1n << 128n) - 1n;
  const entropy = [];
  for (let rest = BigInt(seed); rest > 0n || entropy.length === 0; rest >>= 32n) entropy.push(rest & word);
  const pool = [0n, 0n, 0n, 0n];
  let a = 0x43b0d7e5n;
  const hashed = (value) => {
    value ^= a;
    a = (a * 0x931e8875n) & word;
    value = (value * a) & word;
    return value ^ (value >> 16n);
  };
  const mixed = (x, y) => {
    const found = (0xca01f9ddn * x - 0x4973f715n * y) & word;
    return found ^ (found >> 16n);
  };
  for (let i = 0; i < 4; i++) pool[i] = hashed(i < entropy.length ? entropy[i] : 0n);
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
  }
  for (let from = 4; from < entropy.length; from++) {
    for (let to = 0; to < 4; to++) pool[to] = mixed(pool[to], hashed(entropy[from]));
  }
  let b = 0x8b51f9ddn;
  const words = [];
  for (let i = 0; i < 8; i++) {
    let value = pool[i % 4] ^ b;
    b = (b * 0x58f38dedn) & word;
    value = (value * b) & word;
    words.push(value ^ (value >> 16n));
  }
  const pair = (i) => words[i] | (words[i + 1] << 32n);
  const increment = (((pair(4) << 64n) | pair(6)) << 1n | 1n) & wide;
  const step = (state) => (state * 0x2360ed051fc65da44385df649fccf645n + increment) & wide;
  const state = step(step((increment + ((pair(0) << 64n) | pair(2))) & wide));
  const folded = (state >> 64n) ^ (state & ((1n << 64n) - 1n)), turn = state >> 122n;
  return ((folded >> turn) | (folded << ((64n - turn) & 63n))) & ((1n << 64n) - 1n);
}

// Arithmetic as the language has it: both round downwards.
function quotient(a, b) {
  return (a - remainder(a, b)) / b;
}

function remainder(a, b) {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

// e to the power of a number, to the last bit as Python has it; what browsers have may differ there.
const SERIES = [];
for (let n = 13, whole = 6227020800; n > 1; whole /= n--) SERIES.push(1 / whole);
const POWER = new BigUint64Array(1), POWER_OF_TWO = new Float64Array(POWER.buffer);

function exp(value) {
  if (Number.isNaN(value)) return value;
  value = Math.min(Math.max(value, -700), 700);
  const power = Math.floor(value * 1.4426950408889634 + 0.5);
  const rest = value - power * 0.6931471803691238 - power * 1.9082149292705877e-10;
  let curve = 0;
  for (const term of SERIES) curve = curve * rest + term;
  POWER[0] = BigInt(power + 1023) << 52n;
  return (1 + (rest + rest * rest * curve)) * POWER_OF_TWO[0];
}

class SetupFailure extends Error {}

// Maps drawn at reset; each writes tiles into `s` from the slot `tile` on.
function draw_maze(s, r, tile, width, height, floor, wall) {
  s.fill(wall, tile, tile + width * height);
  const across = Math.floor((width - 1) / 2), down = Math.floor((height - 1) / 2);
  const cameFrom = new Array(across * down).fill(-1);
  let here = r.draw(across * down);
  cameFrom[here] = here;
  s[tile + (2 * Math.floor(here / across) + 1) * width + 2 * (here % across) + 1] = floor;
  for (;;) {
    const x = here % across, y = Math.floor(here / across);
    const open = [];
    for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
      const nx = x + dx, ny = y + dy;
      if (nx >= 0 && nx < across && ny >= 0 && ny < down && cameFrom[ny * across + nx] < 0) open.push([nx, ny]);
    }
    if (open.length === 0) {
      if (cameFrom[here] === here) return;
      here = cameFrom[here];
      continue;
    }
    const [nx, ny] = open[r.draw(open.length)];
    cameFrom[ny * across + nx] = here;
    s[tile + (y + ny + 1) * width + x + nx + 1] = floor;
    s[tile + (2 * ny + 1) * width + 2 * nx + 1] = floor;
    here = ny * across + nx;
  }
}

function draw_rooms(s, r, tile, width, height, floor, wall) {
  for (let cell = 0; cell < width * height; cell++) {
    s[tile + cell] = (cell % width) % 6 === 0 || Math.floor(cell / width) % 6 === 0 ? wall : floor;
  }
  for (let y = 0; y < height - 1; y += 6) {
    for (let x = 0; x < width - 1; x += 6) {
      if (x + 6 < width - 1) s[tile + (y + 1 + r.draw(5)) * width + x + 6] = floor;
      if (y + 6 < height - 1) s[tile + (y + 6) * width + x + 1 + r.draw(5)] = floor;
    }
  }
}

function caveGround(r, width, height) {
  let now = new Array(width * height).fill(1);
  for (let cell = 0; cell < width * height; cell++) {
    const x = cell % width, y = Math.floor(cell / width);
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) now[cell] = r.draw(100) < 45 ? 1 : 0;
  }
  for (let round = 0; round < 4; round++) {
    const after = new Array(width * height).fill(1);
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        let walls = 0;
        for (let dy = -1; dy < 2; dy++) for (let dx = -1; dx < 2; dx++) walls += now[(y + dy) * width + x + dx];
        after[y * width + x] = walls >= 5 ? 1 : 0;
      }
    }
    now = after;
  }
  return now;
}

function draw_caves(s, r, tile, width, height, floor, wall) {
  const cells = width * height;
  let cave = [], best = -1;
  for (let round = 0; round < 100; round++) {
    const now = caveGround(r, width, height);
    let bestSize = 0;
    best = -1;
    cave = new Array(cells).fill(-1);
    for (let start = 0; start < cells; start++) {
      if (now[start] !== 0 || cave[start] >= 0) continue;
      cave[start] = start;
      const queue = [start];
      for (let head = 0; head < queue.length; head++) {
        for (const step of [1, width, -1, -width]) {
          const there = queue[head] + step;
          if (now[there] === 0 && cave[there] < 0) {
            cave[there] = start;
            queue.push(there);
          }
        }
      }
      if (queue.length > bestSize) [bestSize, best] = [queue.length, start];
    }
    if (3 * bestSize >= (width - 2) * (height - 2)) break;
  }
  if (best < 0) {
    best = Math.floor(height / 2) * width + Math.floor(width / 2);
    cave[best] = best;
  }
  for (let cell = 0; cell < cells; cell++) s[tile + cell] = cave[cell] === best ? floor : wall;
}

// One game. For one player `reset` and `step` return { observation, reward, terminated, truncated, info }; for
// several each of these is an object by agent, and `step` takes one, as PettingZoo's parallel environments do.
export class Game {
  constructor(program, machine) {
    Object.assign(this, machine); // s, f, r and functions
    this.program = program;
    this.several = program.players.length > 1;
    this.readers = new Map(program.players.map((player) => [player.name, this.#observer(player)]));
    this.agents = [];
    this.seeded = false;
  }

  // Start an episode: with a seed, the one that it starts in Python; `level` is the name of a map.
  reset({ seed, stream, level } = {}) {
    const follows = seed === undefined && stream === undefined && level === undefined && this.seeded;
    if (stream !== undefined) this.r.state = stream;
    else if (seed !== undefined) this.r.state = streamOf(seed);
    else if (!this.seeded) this.r.state = crypto.getRandomValues(new BigUint64Array(1))[0];
    this.seeded = true;
    const number = level === undefined ? -1 : this.program.levels.indexOf(level);
    if (level !== undefined && number < 0) throw new RangeError(`there is no level ${JSON.stringify(level)}`);
    this.functions.reset(follows ? this.program.next_level : number);
    this.agents = this.program.players.map((player) => player.name);
    if (this.several) this.#waiting(() => this.#act({}));
    const { observations, infos } = this.#told(this.agents);
    const [name] = this.agents;
    return this.several ? { observations, infos } : { observation: observations[name], info: infos[name] };
  }

  step(actions) {
    if (this.agents.length === 0) throw new Error("call reset() before step()");
    if (!this.several) {
      const player = this.program.players[0];
      const [reward, terminated, truncated] = this.functions.step(...this.#numbers(player, actions));
      if (terminated || truncated) this.agents = [];
      const observation = this.readers.get(player.name)(), info = this.#info(player, terminated, truncated);
      return { observation, reward, terminated, truncated, info };
    }
    for (const name of Object.keys(actions)) {
      if (!this.agents.includes(name)) throw new RangeError(`${name} is no agent that takes part now`);
    }
    for (const name of this.agents) {
      if (ownOf(actions, name) === undefined) throw new RangeError(`the joint action has no action for ${name}`);
    }
    const { s, f, at } = this, acting = this.agents;
    const rewards = new Map(), terminated = new Map(), truncated = new Map();
    const gather = () => {
      for (const player of this.program.players.filter((player) => this.agents.includes(player.name))) {
        const { name, agent } = player;
        rewards.set(name, (rewards.get(name) ?? 0) + f[at.REWARD + agent]);
        terminated.set(name, s[at.TERMINATED + agent] === 1);
        truncated.set(name, s[at.CUT_SHORT + agent] === 1);
      }
      this.agents = this.agents.filter((name) => !(terminated.get(name) || truncated.get(name)));
    };
    this.#act(actions);
    gather();
    this.#waiting(() => {
      this.#act({});
      gather();
    });
    const [won, ended, cut] = [rewards, terminated, truncated].map(Object.fromEntries);
    return { rewards: won, terminated: ended, truncated: cut, ...this.#told(acting, terminated, truncated) };
  }

  // Which actions an agent may take, groups one after the other.
  mask(name = this.program.players[0].name) {
    const player = this.program.players.find((player) => player.name === name);
    const out = new Array(player.actions.flat().length).fill(1);
    if (player.mask) this.functions[player.mask](...player.arguments, out);
    return out;
  }

  // The whole state as a value, and back.
  get state() {
    const saved = this.program.saved;
    return { integers: [...this.s.slice(0, saved[0])], reals: [...this.f.slice(0, saved[1])], stream: this.r.state };
  }

  set state({ integers, reals, stream }) {
    if (integers.length !== this.program.saved[0] || reals.length !== this.program.saved[1]) {
      throw new RangeError(`this state is not one of ${this.program.id}`);
    }
    this.s.set(integers);
    this.f.set(reals);
    this.r.state = stream;
    if (this.agents.length === 0) this.agents = this.program.players.map((player) => player.name);
  }

  // What an agent observes now, as the spec says.
  observe(name = this.program.players[0].name) {
    return this.readers.get(name)();
  }

  // Return what gives an agent's observation, put together from its entries.
  #observer(player) {
    const { form, leaves } = player.observation, { achieved, desired } = this.program.goal;
    const readers = leaves.map((leaf) => this.#reader(leaf, player.arguments));
    let whole = readers[0];
    if (form === "dict") whole = () => Object.fromEntries(leaves.map((leaf, k) => [leaf.name, readers[k]()]));
    if (form === "tuple") whole = () => readers.map((read) => read());
    if (form === "flat") whole = () => readers.flatMap((read) => read()).map(Math.fround);
    if (achieved === undefined) return whole;
    const [reached, wanted] = [achieved, desired].map((leaf) => this.#reader(leaf, []));
    return () => ({ observation: whole(), achieved_goal: reached(), desired_goal: wanted() });
  }

  // The task of this episode in words.
  mission() {
    return this.#inWords(this.program.mission ?? "");
  }

  // A text with what its names are now; a text that was chosen may have names of its own.
  #inWords(text) {
    return text.replace(/\{([^{}]*)\}/g, (_, name) => {
      const found = this.program.names.find((entry) => entry.name === name);
      if (found === undefined) return ownOf(this.program.params, name) ?? name;
      const value = this.s[found.at];
      if (found.form === "words") return this.#inWords(found.words[value]);
      return found.form === "bool" ? String(value !== 0) : String(value);
    });
  }

  // The board as a map is drawn: for each cell the glyph of what stands uppermost.
  text() {
    const { width, height, barriers } = this.program;
    const level = this.at.LEVEL === undefined ? 0 : this.s[this.at.LEVEL];
    const walls = new Set(barriers[level].map(([cell, side]) => 2 * cell + side));
    const glyphs = Array.from({ length: width * height }, (_, cell) => this.#glyphAt(cell));
    const rows = Array.from({ length: height }, (_, y) => glyphs.slice(y * width, (y + 1) * width));
    if (walls.size === 0) return rows.map((row) => row.join("")).join("\n");
    const border = "+" + "-".repeat(2 * width - 1) + "+", lines = [border];
    rows.forEach((row, y) => {
      const edge = (x) => (x === width - 1 || walls.has(2 * (y * width + x)) ? "|" : ":");
      lines.push("|" + row.map((glyph, x) => glyph + edge(x)).join(""));
      const below = row.map((_, x) => (walls.has(2 * (y * width + x) + 1) ? "-" : " "));
      if (y + 1 < height && below.includes("-")) lines.push("+" + below.join(" ") + "+");
    });
    return [...lines, border].join("\n");
  }

  #glyphAt(cell) {
    const { s, at, program } = this;
    const tile = at.TILE === undefined ? program.ground[cell] : s[at.TILE + cell];
    let found = this.#glyph(program.kinds[tile], cell, -1, tile, cell);
    for (const layer of program.layers) {
      const thing = s[layer + cell];
      if (thing >= 0) found = this.#glyph(program.kinds[s[at.OBJECT_KIND + thing]], thing, -1, tile, cell);
    }
    program.agents.forEach((code, agent) => {
      if (s[at.AGENT_CELL + agent] !== cell || (at.OUT !== undefined && s[at.OUT + agent] !== 0)) return;
      const facing = at.FACING === undefined ? -1 : s[at.FACING + agent];
      found = this.#glyph(program.kinds[code], agent, facing, tile, cell);
    });
    return found;
  }

  #glyph(kind, index, facing, tile, cell) {
    const ground = this.program.kinds[tile];
    const own = this.#attributes(kind, index, facing);
    for (const { glyph, attributes, ground: code, below } of kind.glyphs) {
      const under = this.#attributes(ground, cell);
      if (
        (code === null || code === tile) &&
        attributes.every(([name, value]) => own.get(name) === value) &&
        below.every(([name, value]) => under.get(name) === value)
      ) {
        return glyph;
      }
    }
    return kind.glyph;
  }

  #attributes(kind, index, facing) {
    const found = new Map([["facing", facing]]);
    for (const { name, at, table } of kind.attributes) found.set(name, at === null ? table[index] : this.s[at + index]);
    return found;
  }

  #reader(leaf, given) {
    if (leaf.form === "text") return () => this.text();
    if (leaf.form === "pixels") return () => null; // the board itself, which a page shows
    if (leaf.form === "mission" && leaf.shape.length === 0) return () => this.mission();
    if (leaf.form === "mission") {
      return () => {
        const bytes = new TextEncoder().encode(this.mission());
        return Array.from({ length: leaf.size }, (_, k) => bytes[k] ?? 0);
      };
    }
    const look = this.functions[leaf.function], kept = leaf.dtype === "float32" ? Math.fround : Number;
    if (leaf.form === "value") return () => kept(look(...given));
    return () => {
      const out = new Array(leaf.size).fill(0);
      look(...given, out);
      return out.map(kept);
    };
  }

  #told(names, ended = new Map(), cut = new Map()) {
    const players = this.program.players.filter((player) => names.includes(player.name));
    const observations = Object.fromEntries(players.map(({ name }) => [name, this.observe(name)]));
    const infos = players.map((player) => [player.name, this.#info(player, ended.get(player.name), cut.get(player.name))]);
    return { observations, infos: Object.fromEntries(infos) };
  }

  #info(player, ended = false, cut = false) {
    const { s, f, at, program } = this, agent = player.agent;
    const own = player.info.map((entry) => {
      if (entry.function) return [entry.name, told(entry, this.functions[entry.function](...player.arguments))];
      if (s[entry.flag + agent] === 0) return [entry.name, silent(entry)];
      return [entry.name, told(entry, (entry.form === "real" ? f : s)[entry.at + agent])];
    });
    const info = Object.fromEntries(own);
    if (at.HIDDEN_REWARD !== undefined) info.hidden_reward = f[at.HIDDEN_REWARD + agent];
    if (player.mask) info.action_mask = this.mask(player.name);
    info.outcome = "";
    if (ended || cut) {
      const code = at.OUTCOME === undefined ? 0 : s[at.OUTCOME];
      info.outcome = code ? program.outcomes[code - 1] : this.several && ended ? "out" : "truncated";
    }
    info.is_success = info.outcome === "success";
    if (this.several) info.result = info.outcome === "" ? "" : this.#result(player);
    if (program.turns === "alternate") info.turn = program.names_of_agents[s[at.TURN]];
    return info;
  }

  // Who won, where the outcome says so.
  #result(player) {
    const { s, at, program } = this, code = at.OUTCOME === undefined ? 0 : s[at.OUTCOME];
    const outcome = code ? program.outcomes[code - 1] : "", kinds = program.agents.map((kind) => program.kinds[kind].name);
    if (outcome === "draw") return "draw";
    const winner = [...kinds, ...program.names_of_agents].find((name) => outcome === `${name}_wins`);
    if (winner === undefined) return "";
    return [kinds[player.agent], player.name].includes(winner) ? "win" : "loss";
  }

  #numbers(player, action) {
    const numbers = Array.isArray(action) ? action : [action];
    const fits = numbers.length === player.actions.length;
    if (!fits || numbers.some((n, k) => !Number.isInteger(n) || n < 0 || n >= player.actions[k].length)) {
      throw new RangeError(`${JSON.stringify(action)} is no action of ${player.name}: ${player.actions.join("; ")}`);
    }
    return numbers;
  }

  #act(actions) {
    const { s, at, program } = this;
    s.fill(-1, at.CHOICE, at.CHOICE + program.choices * program.agents.length);
    for (const player of program.players) {
      const action = ownOf(actions, player.name);
      if (action === undefined) continue;
      const numbers = this.#numbers(player, action);
      numbers.forEach((number, k) => (s[at.CHOICE + player.agent * program.choices + k] = number));
    }
    this.functions.step();
  }

  // Let agents that play by themselves take their turns.
  #waiting(act) {
    if (this.program.turns !== "alternate") return;
    const learns = (agent) => this.program.players.some((player) => player.agent === agent);
    while (this.agents.length > 0 && !learns(this.s[this.at.TURN])) act();
  }
}

// What an object holds under a name of the spec's, which may be that of a member of every object: `constructor`.
// Objects by such names are put together by `Object.fromEntries`: setting `__proto__` would set something else.
function ownOf(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

// What an entry of info says where no rule has set it.
function silent(entry) {
  return { words: "", bool: false }[entry.form] ?? 0;
}

function told(entry, value) {
  if (entry.form === "words") return entry.words[value];
  return entry.form === "bool" ? Boolean(value) : Number(value);
}
