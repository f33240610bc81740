// Moves, outcomes and lengths as people read them.
import { numberText } from "./elements.js";

// A move by the names of its actions: "right", "blue up, green stay".
export function moveInWords(seats, move) {
  const nameOf = (agent, numbers) => {
    const own = seats.filter((seat) => seat.agent === agent);
    return [numbers].flat().map((number, k) => own[k]?.actions[number] ?? String(number)).join(" + ");
  };
  if (Array.isArray(move)) return nameOf(seats[0].agent, move);
  return Object.entries(move).map(([agent, numbers]) => `${agent} ${nameOf(agent, numbers)}`).join(", ");
}

// How many steps are expected.
export function stepsInWords(steps) {
  return Number.isFinite(steps) ? `${numberText(Number(steps.toFixed(2)))} step${steps === 1 ? "" : "s"}` : "steps without end";
}

// An outcome as a title: "Red wins".
export function outcomeInWords(outcome) {
  const text = (outcome || "over").replaceAll("_", " ");
  return text[0].toUpperCase() + text.slice(1);
}

// What the agents observe now, as scripts are given it.
export function observedInWords(session) {
  const pixels = session.program.players[0].observation.leaves.find(({ form }) => form === "pixels");
  return JSON.stringify(session.several ? session.observations : Object.values(session.observations)[0])
    + (pixels ? `\n\nnull is the picture of the board, ${pixels.shape[1]} by ${pixels.shape[0]} pixels: its numbers come from Python.` : "");
}
