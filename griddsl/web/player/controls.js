// Who moves whom: persons press keys or buttons, other agents play at random, and a step is made when all have chosen.
const IDLE_ACTIONS = ["stay", "noop", "none", "quiet", "done"];
export const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30, 60];

export class Controls {
  // `seats` are the groups of actions of all agents, [{ agent, group, name, actions }], as `page.py` lists them.
  constructor(session, seats) {
    Object.assign(this, { session, seats });
    const agents = [...new Set(seats.map((seat) => seat.agent))];
    // With more than two agents one person plays the first, and the others play at random, until somebody joins in.
    this.persons = new Set(agents.length > 2 ? agents.slice(0, 1) : agents);
    this.first = new Set(agents.map((agent) => seats.findIndex((seat) => seat.agent === agent)));
    this.clear();
  }

  clear() {
    this.pressed = new Set();
    this.chosen = this.seats.map(({ actions }) => Math.max(0, actions.findIndex((name) => IDLE_ACTIONS.includes(name))));
  }

  // Choose an action of a seat; the move that it completes, or null while somebody has to choose. Choices of an agent's
  // further groups are held until others are made, and wait for the first.
  press(seat, number) {
    if (!this.persons.has(this.seats[seat].agent)) return null;
    this.chosen[seat] = number;
    if (!this.first.has(seat)) return null;
    this.pressed.add(seat);
    const awaited = this.awaited();
    if (!awaited.includes(seat) && awaited.length > 0) return null;
    if (!awaited.every((waiting) => this.pressed.has(waiting))) return null;
    this.pressed.clear();
    return this.move(this.persons);
  }

  // The seats that have to choose before the game goes on.
  awaited() {
    const moving = this.session.toMove;
    return [...this.first].filter((seat) => moving.includes(this.seats[seat].agent) && this.persons.has(this.seats[seat].agent));
  }

  waiting() {
    return this.awaited().filter((seat) => !this.pressed.has(seat)).map((seat) => this.seats[seat].agent);
  }

  // A move in which persons do what they chose and all others something at random that is allowed.
  move(persons = new Set()) {
    const { session, seats } = this, numbers = new Map();
    for (const name of session.game.agents) {
      const masks = session.masks(name), mine = seats.map((seat, k) => [seat, k]).filter(([seat]) => seat.agent === name);
      numbers.set(name, mine.map(([seat, k], group) => {
        if (persons.has(name)) return this.chosen[k];
        const allowed = seat.actions.map((_, number) => number).filter((number) => masks[group]?.[number] ?? true);
        const among = allowed.length > 0 ? allowed : seat.actions.map((_, number) => number);
        return among[Math.floor(Math.random() * among.length)];
      }));
    }
    const single = Object.fromEntries([...numbers].map(([name, own]) => [name, own.length === 1 ? own[0] : own]));
    return session.several ? single : numbers.get(seats[0].agent);
  }
}
