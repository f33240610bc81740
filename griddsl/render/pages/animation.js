// An episode as a drawing that a slider moves through: each frame says which drawing stands in each cell.
const { first, changes, captions, fps } = JSON.parse(document.getElementById("griddsl-data").textContent);
const [slider, button, label, caption] = ["slider", "play", "label", "caption"].map((id) => document.getElementById(id));
const places = document.querySelectorAll("#board > use");

const frames = [first];
for (const changed of changes) {
  const frame = [...frames.at(-1)];
  for (let k = 0; k < changed.length; k += 2) frame[changed[k]] = changed[k + 1];
  frames.push(frame);
}
const last = frames.length - 1;
let shown = [];
let timer = 0;

function show(number) {
  const frame = frames[number];
  frame.forEach((drawing, place) => { if (shown[place] !== drawing) places[place].setAttribute("href", `#d${drawing}`); });
  shown = frame;
  slider.value = number;
  label.textContent = `${number} / ${last}`;
  caption.textContent = captions[number] ?? "";
  slider.setAttribute("aria-valuetext", caption.textContent || label.textContent);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  button.textContent = "▶";
  button.setAttribute("aria-label", "Play");
}

function play() {
  if (Number(slider.value) === last) show(0);
  timer = setInterval(() => {
    if (Number(slider.value) < last) show(Number(slider.value) + 1);
    if (Number(slider.value) === last) stop();
  }, 1000 / fps);
  button.textContent = "❚❚";
  button.setAttribute("aria-label", "Pause");
}

slider.max = last;
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
button.addEventListener("click", () => (timer ? stop() : play()));
show(0);
