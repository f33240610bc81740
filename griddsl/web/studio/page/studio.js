// The studio's page: its parts, and what goes between them and the studio.

import { Editor } from "./editor.js";
import { Game } from "./game.js";
import { Link } from "./link.js";
import { Paint } from "./paint.js";

const by = (id) => document.getElementById(id);
const SETTLED_MS = 600; // without a change, until what is costly is drawn anew
let shownProgram = null;
let drawing = 0;
const PANELS = ["play", "paint", "resets", "values"];

const link = new Link(hear, (isThere) => {
  by("lost").hidden = isThere;
  editor?.broken();
  if (isThere && editor?.name) link.tell({ do: "open", name: editor.name });
});
const tell = (message) => link.tell(message);
const editor = new Editor(tell);
const game = new Game(tell);
const paint = new Paint(tell);

function hear(message) {
  switch (message.is) {
    case "specs":
      return offer(message.specs);
    case "text":
      if (message.name === by("specs").value || message.name === editor.name) editor.take(message);
      if (message.name !== by("specs").value) return undefined;
      paint.take(message);
      game.offer(message);
      by("contest").hidden = !message.contested;
      by("state").textContent = message.dirty ? "not saved" : "saved";
      by("save").disabled = !message.dirty;
      document.title = `${message.dirty ? "• " : ""}${message.name} – griddsl studio`;
      return undefined;
    case "view":
      if (message.name !== by("specs").value) return undefined;
      if (message.resets) return thumbs(message.resets);
      if (message.solution) return solved(message.solution);
      if (message.program !== shownProgram) forget(message.program);
      return game.take(message);
    case "settings":
      return message.name === by("specs").value ? game.offer(message) : undefined;
    case "offered":
      return message.name === editor.name ? editor.offers.show(message) : undefined;
    case "unsolved":
      if (message.name === editor.name) by("solved").textContent = message.why;
      return undefined;
    case "refused":
      by("state").textContent = message.why;
      editor.refused();
      return undefined;
  }
  return undefined;
}

function offer(specs) {
  const chosen = by("specs").value || decodeURIComponent(location.hash.slice(1));
  by("specs").replaceChildren(...specs.map((name) => new Option(name, name)));
  by("specs").value = specs.includes(chosen) ? chosen : specs[0] ?? "";
  if (!specs.length) by("state").textContent = "there is no spec in this folder: `griddsl new game.grid` writes one";
  if (by("specs").value && editor.name !== by("specs").value) open();
}

// What was drawn of another game, or of this one before it changed, says nothing of it any more.
function forget(program) {
  shownProgram = program;
  by("thumbs").replaceChildren();
  by("heat").removeAttribute("src");
  by("heat").alt = "";
  by("solved").textContent = "";
  clearTimeout(drawing);
  if (!by("resets").hidden) drawing = setTimeout(() => tell({ do: "resets", name: editor.name, first: 0 }), SETTLED_MS);
}

function open() {
  location.hash = encodeURIComponent(by("specs").value);
  forget(null);
  const asks = () => tell({ do: "open", name: by("specs").value });
  if (editor.name) editor.after(asks);
  else asks();
}

function thumbs(resets) {
  by("thumbs").replaceChildren(
    ...resets.map((reset) => {
      const button = document.createElement("button");
      const label = document.createElement("small");
      label.textContent = reset.error ? `seed ${reset.seed}: ${reset.error}` : `seed ${reset.seed}`;
      if (reset.picture) {
        const image = document.createElement("img");
        image.src = reset.picture;
        image.alt = `the start of seed ${reset.seed}`;
        button.append(image);
      }
      button.append(label);
      button.onclick = () => {
        tell({ do: "seed", name: editor.name, seed: reset.seed });
        show("play");
      };
      return button;
    }),
  );
}

function solved(found) {
  by("heat").src = found.board;
  by("heat").alt = "the value of each cell, and where the best actions lead";
  const length = found.length === null ? "an endless episode" : `${found.length} steps`;
  by("solved").textContent =
    `${found.seed === null ? "" : `from the start of seed ${found.seed}: `}optimal return ${found.return}, success ${found.success}, ${length}; ${found.states} states`;
}

function show(panel) {
  for (const each of PANELS) {
    by(each).hidden = each !== panel;
    by(`tab-${each}`).setAttribute("aria-selected", String(each === panel));
  }
  if (panel === "resets" && !by("thumbs").children.length) tell({ do: "resets", name: editor.name, first: 0 });
  if (panel === "paint") paint.draw();
}

for (const each of PANELS) by(`tab-${each}`).onclick = () => show(each);
by("specs").onchange = open;
by("save").onclick = () => save(false);
by("force").onclick = () => save(true);
by("take").onclick = () => editor.after(() => tell({ do: "take", name: editor.name }));
by("undo").onclick = () => editor.after(() => tell({ do: "undo", name: editor.name }));
by("redo").onclick = () => editor.after(() => tell({ do: "redo", name: editor.name }));
by("draw").onclick = () => tell({ do: "resets", name: editor.name, first: Math.floor(Math.random() * 1e6) });
by("solve").onclick = () => {
  by("solved").textContent = "solving …";
  tell({ do: "solve", name: editor.name });
};
by("export").onchange = () => {
  const form = by("export").value;
  by("export").value = "";
  if (form) give(form);
};

// Keeps what the studio makes of the spec as a file; where it makes none, says why.
async function give(form) {
  const name = editor.name.split("/").map(encodeURIComponent).join("/");
  const made = await fetch(new URL(`export/${form}/${name}`, location.href.split("#")[0])).catch(() => null);
  if (!made?.ok) {
    by("state").textContent = made ? await made.text() : "the studio does not answer";
    return;
  }
  const address = URL.createObjectURL(await made.blob());
  const link = document.createElement("a");
  [link.href, link.download] = [address, `${editor.name.split("/").at(-1).replace(/\.\w+$/, "")}.${form}`];
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

window.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    save(false);
  }
});
window.addEventListener("beforeunload", (event) => {
  if (editor.isAhead) event.preventDefault();
});

function save(forced) {
  editor.after(() => tell({ do: "save", name: editor.name, forced }));
}
