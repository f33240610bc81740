// Elements of the page, made from texts that are never read as markup.

// An element with attributes, listeners (`on...`) and children; texts become text nodes.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// A button that gives the keyboard back to the board after a click of the mouse, and keeps it where a key pressed it.
export function button(text, press, attributes = {}) {
  return element("button", { type: "button", ...attributes, onclick: (event) => {
    if (event.detail > 0) event.currentTarget.closest(".griddsl")?.querySelector(".gd-board")?.focus({ preventScroll: true });
    press(event);
  } }, text);
}

// A reward in at most six digits: "-1", "0.28".
export function numberText(value) {
  const text = String(Number(value.toPrecision(6)));
  return (text === "-0" ? "0" : text).replace("-", "−");
}

// Let somebody keep a text as a file.
export function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Turn an element, and what it stands in, from dark to light or back, starting from what the reader's system prefers.
export function turnTheme(root) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = (root.dataset.theme ?? (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
  for (let each = root; each; each = each.parentElement?.closest(".griddsl")) each.dataset.theme = theme;
}
