// The widget of notebooks: the page in a frame of its own, and what is played on it given back to Python.
const EVERY = 400; // milliseconds between looks at what was played

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "a game that can be played";
  frame.style.cssText = `width:100%;height:${model.get("height")}px;border:0;border-radius:6px`;
  frame.srcdoc = model.get("page");
  el.append(frame);
  let last = "";
  const look = () => {
    const played = frame.contentWindow?.griddsl?.transcript();
    const text = JSON.stringify(played ?? null);
    if (!played || text === last) return;
    last = text;
    model.set("played", played);
    model.save_changes();
  };
  const timer = setInterval(look, EVERY);
  model.on("change:height", () => (frame.style.height = `${model.get("height")}px`));
  return () => {
    look();
    clearInterval(timer);
  };
}

export default { render };
