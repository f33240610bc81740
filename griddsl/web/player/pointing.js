// What a click on a cell plays.

// The action of who is to move, [seat, number]: the one that takes the cell, else a step of the first agent towards it;
// null where nobody can.
export function pointedAt({ controls, game, session }, cell) {
  for (const seat of controls.awaited()) {
    const number = game.seats[seat].cells.indexOf(cell);
    if (number >= 0) return [seat, number];
  }
  const agent = session.program.players[0].agent, at = session.game.s[session.game.at.AGENT_CELL + agent];
  if (!(at >= 0) || cell === at) return null;
  const { width } = session.program, dx = (cell % width) - (at % width), dy = Math.floor(cell / width) - Math.floor(at / width);
  const number = game.directions.indexOf(directionOf(dx, dy));
  return number >= 0 && number < game.seats[0].actions.length ? [0, number] : null;
}

// The direction, of eight, that leads across and down; a diagonal one only where both are as far.
function directionOf(dx, dy) {
  if (Math.abs(dx) === Math.abs(dy)) return dx > 0 ? (dy > 0 ? 4 : 7) : dy > 0 ? 5 : 6;
  if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 0 : 2;
  return dy > 0 ? 1 : 3;
}
