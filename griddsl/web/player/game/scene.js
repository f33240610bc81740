// What stands where: the board of a game as sprites, what an agent sees of it, and both in words.
import { spriteOf } from "./looks.js";

const NORTH = 3;
const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]];

// The attributes of a thing in order, [name, word or number].
export function attributesOf(game, kind, index) {
  return kind.attributes.map(({ name, words, at, table }) => {
    const value = at === null ? table[index] : game.s[at + index];
    return [name, words[value] ?? value];
  });
}

// The board as it is: a sprite of the ground for each cell, and the things upon it, lowest first, each with an id that
// it keeps while it moves.
export function sceneOf(game, looks) {
  const { s, at, program } = game, { width, height, kinds } = program;
  const sprite = (code, index, facing = -1) => spriteOf(looks, code, attributesOf(game, kinds[code], index), facing);
  const ground = Array.from({ length: width * height }, (_, cell) =>
    sprite(at.TILE === undefined ? program.ground[cell] : s[at.TILE + cell], cell));
  const labels = []; // of ground that its colour alone tells apart
  ground.forEach(({ kind }, cell) => {
    const label = kinds[kind].attributes.length > 0 ? labelOf(looks, attributesOf(game, kinds[kind], cell)) : "";
    if (label) labels.push({ cell, label });
  });
  const things = [];
  for (const layer of program.layers) {
    for (let cell = 0; cell < width * height; cell++) {
      const thing = s[layer + cell];
      if (thing < 0 || s[at.OBJECT_KIND + thing] < 0) continue;
      const code = s[at.OBJECT_KIND + thing], label = labelOf(looks, attributesOf(game, kinds[code], thing));
      things.push({ id: `object ${thing}`, cell, index: thing, sprite: sprite(code, thing), label });
    }
  }
  program.agents.forEach((code, agent) => {
    const cell = at.AGENT_CELL === undefined ? -1 : s[at.AGENT_CELL + agent];
    if (cell < 0 || (at.OUT !== undefined && s[at.OUT + agent] !== 0)) return;
    const facing = at.FACING === undefined ? -1 : s[at.FACING + agent];
    const number = program.agents.filter((other) => other === code).length > 1 ? /\d*$/.exec(program.names_of_agents[agent])[0] : "";
    const label = labelOf(looks, attributesOf(game, kinds[code], agent));
    things.push({ id: `agent ${agent}`, cell, index: agent, agent, sprite: sprite(code, agent, facing), label, number });
  });
  // Where several agents stand in one cell, they stand side by side.
  const agents = things.filter((thing) => thing.agent !== undefined);
  for (const thing of agents) {
    const there = agents.filter(({ cell }) => cell === thing.cell);
    thing.share = [there.indexOf(thing), there.length];
  }
  const level = at.LEVEL === undefined ? 0 : s[at.LEVEL];
  return { width, height, ground, things, labels, barriers: program.barriers[level], dimmed: null };
}

// What a thing's colour stands for: a number, or letters, as few as tell the colours of this spec apart.
function labelOf(looks, shown) {
  const found = shown.find(([, value]) => Object.hasOwn(looks.colors, value));
  if (!found) return String(shown.find(([name, value]) => typeof value === "number" && looks.numbered.includes(name))?.[1] ?? "");
  const others = Object.keys(looks.colors).filter((word) => word !== found[1]);
  let letters = 1;
  while (letters < 4 && others.some((word) => word.slice(0, letters) === found[1].slice(0, letters))) letters++;
  return found[1][0].toUpperCase() + found[1].slice(1, letters);
}

// The entry of an agent's observation that is a view of the board; undefined where it has none.
export function viewLeafOf(player) {
  return player.observation.leaves.find((leaf) => leaf.view);
}

// A view cut out of a scene, ahead up: what is off the board or out of sight is dimmed. `observation` is what the
// agent observed, which tells what the light reached.
export function viewOf(game, scene, player, observation) {
  const leaf = viewLeafOf(player), { view } = leaf;
  const cell = Math.max(0, game.s[game.at.AGENT_CELL + player.agent]);
  const facing = view.turns && game.at.FACING !== undefined ? game.s[game.at.FACING + player.agent] % 4 : NORTH;
  const [upX, upY] = STEPS[facing], x = cell % scene.width, y = Math.floor(cell / scene.width);
  const hidden = unseenIn(game, player, leaf, observation);
  const there = new Map(), cells = [], ground = [], dimmed = [];
  for (let place = 0; place < view.rows * view.columns; place++) {
    const row = Math.floor(place / view.columns), column = place % view.columns;
    const up = view.agent_row - row, right = column - view.agent_column;
    const hereX = x + up * upX - right * upY, hereY = y + up * upY + right * upX;
    const inside = hereX >= 0 && hereX < scene.width && hereY >= 0 && hereY < scene.height;
    cells.push(inside ? hereY * scene.width + hereX : -1);
    ground.push(inside ? scene.ground[hereY * scene.width + hereX] : null);
    if (inside) there.set(cells[place], place);
    dimmed.push(!inside || hidden[place] === true);
  }
  const turn = (direction) => (direction < 0 || !view.turns ? direction : direction < 4 ? (direction - facing + 3 + 4) % 4 : direction);
  const things = scene.things.filter((thing) => there.has(thing.cell)).map((thing) => ({
    ...thing,
    cell: there.get(thing.cell),
    sprite: { ...thing.sprite, direction: turn(thing.sprite.direction) },
  }));
  const labels = scene.labels.filter(({ cell: at }) => there.has(at)).map(({ cell: at, label }) => ({ cell: there.get(at), label }));
  return { width: view.columns, height: view.rows, ground, things, labels, barriers: barriersBetween(scene, cells, view), dimmed };
}

// The thin walls of a board as they lie in a view of it, whatever way that is turned.
function barriersBetween(scene, cells, { rows, columns }) {
  const walls = new Set(scene.barriers.map(([cell, side]) => `${cell} ${cell + (side === 0 ? 1 : scene.width)}`));
  const between = (a, b) => walls.has(a < b ? `${a} ${b}` : `${b} ${a}`);
  const found = [];
  for (let place = 0; walls.size > 0 && place < rows * columns; place++) {
    if ((place + 1) % columns !== 0 && between(cells[place], cells[place + 1])) found.push([place, 0]);
    if (place + columns < cells.length && between(cells[place], cells[place + columns])) found.push([place, 1]);
  }
  return found;
}

// Which places of a view are outside its cone, or where the form of the observation tells that no light reaches them.
function unseenIn(game, player, leaf, observation) {
  const { form, leaves } = player.observation, { rows, columns } = leaf.view, size = rows * columns;
  let seen = observation?.achieved_goal === undefined ? observation : observation.observation;
  if (form === "dict") seen = seen?.[leaf.name];
  if (form === "tuple") seen = seen?.[leaves.indexOf(leaf)];
  const { cone, agent_row: agentRow, agent_column: agentColumn } = leaf.view;
  const found = Array.from({ length: size }, (_, place) =>
    cone > 0 && Math.abs(place % columns - agentColumn) * cone > agentRow - Math.floor(place / columns));
  if (form === "flat" || !Array.isArray(seen) || seen.length < size) return found;
  const depth = seen.length / size;
  return found.map((outside, place) => {
    const row = Math.floor(place / columns), column = place % columns;
    if (outside) return true;
    if (leaf.view.form === "minigrid") return seen[depth * (column * rows + row)] === 0;
    if (leaf.view.form === "kinds") return seen[place] === game.program.kinds.length;
    if (leaf.view.form === "planes") return seen.slice(depth * place, depth * (place + 1)).every((value) => value === 0);
    return false;
  });
}

// What stands in a cell, in words, uppermost first: "agent facing east, box (weight 2), floor".
export function cellInWords(game, scene, looks, cell) {
  const upper = scene.things.filter((thing) => thing.cell === cell).reverse();
  const words = upper.map((thing) => thingInWords(game, looks, thing));
  return [...words, groundInWords(game, scene, cell)].join(", ");
}

function groundInWords(game, scene, cell) {
  return withAttributes(game, game.program.kinds[scene.ground[cell].kind], cell);
}

export function thingInWords(game, looks, { sprite, index, agent }) {
  const kind = game.program.kinds[sprite.kind];
  const name = agent === undefined ? undefined : game.program.names_of_agents[agent];
  const facing = agent !== undefined && sprite.direction >= 0 ? ` facing ${looks.directions[sprite.direction]}` : "";
  return withAttributes(game, kind, index, name) + facing;
}

function withAttributes(game, kind, index, name = kind.name) {
  const said = attributesOf(game, kind, index).map(([attribute, value]) =>
    typeof value === "string" ? value : `${attribute} ${value}`);
  return said.length ? `${name} (${said.join(", ")})` : name;
}

// All things of a board, each with its place, for those who hear rather than see.
export function boardInWords(game, scene, looks) {
  return scene.things.filter(({ sprite }) => game.program.kinds[sprite.kind] !== undefined).map((thing) => {
    const x = thing.cell % scene.width, y = Math.floor(thing.cell / scene.width);
    return `${thingInWords(game, looks, thing)} at (${x}, ${y})`;
  });
}

const MOST_CHANGES = 6;

// Where each agent is, and what else came, moved, changed or went since; `before` are the words of each thing by its id.
export function changesInWords(before, scene, words) {
  const agents = words.filter((_, k) => scene.things[k].agent !== undefined);
  if (before === undefined) return agents;
  const there = new Set(scene.things.map(({ id }) => id));
  const others = words.filter((text, k) => scene.things[k].agent === undefined && before.get(scene.things[k].id) !== text);
  const gone = [...before].filter(([id]) => !there.has(id)).map(([, text]) => `no more ${text}`);
  const changes = [...others, ...gone], more = changes.length - MOST_CHANGES;
  return [...agents, ...changes.slice(0, MOST_CHANGES), ...(more > 0 ? [`and ${more} more`] : [])];
}
