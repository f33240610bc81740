// Keys as griddsl names them: "up", "left shift", "page up", "space", "a", "+".
const NAMES = {
  ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left", " ": "space", Enter: "return", Tab: "tab",
  Backspace: "backspace", Escape: "escape", Delete: "delete", Insert: "insert", Home: "home", End: "end",
  PageUp: "page up", PageDown: "page down",
};
const SIDED = { Shift: "shift", Control: "ctrl", Alt: "alt", Meta: "meta" };
const SHOWN = { up: "↑", right: "→", down: "↓", left: "←", return: "⏎", space: "space", backspace: "⌫" };

// The name of the key of an event; empty for one that belongs to the browser.
export function keyOf(event) {
  if (event.isComposing) return "";
  if (SIDED[event.key]) return `${event.location === 2 ? "right" : "left"} ${SIDED[event.key]}`;
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return event.ctrlKey && !event.shiftKey && event.key.toLowerCase() === "z" ? "ctrl+z" : "";
  }
  if (NAMES[event.key]) return NAMES[event.key];
  return event.key.length === 1 || /^F\d+$/.test(event.key) ? event.key.toLowerCase() : "";
}

// A key as its cap shows it.
export function capOf(key) {
  return SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
