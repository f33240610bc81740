// A study: instructions, consent, episodes, questions, thanks. What was played is posted, or given to the participant.
import { element, save } from "../elements.js";
import { Player } from "../player.js";
import { post } from "./post.js";

const PAUSE_MS = 900;

export class Study {
  constructor(root, data, makers) {
    Object.assign(this, { root, data, makers, study: data.study, player: null, done: 0, played: [], answers: {} });
    this.participant = "";
    this.#welcome();
  }

  #page(...children) {
    this.root.replaceChildren(element("section", { class: "gd-study" }, ...children));
    this.root.querySelector("h1")?.setAttribute("tabindex", "-1");
    this.root.querySelector("h1")?.focus();
  }

  #welcome() {
    const { study } = this, from = new URLSearchParams(location.hash.slice(1)).get("participant");
    const go = element("button", { type: "submit", class: "gd-go" }, "Begin");
    const name = study.participant === "ask" ? element("input", { name: "participant", required: true, autocomplete: "off" }) : null;
    const agree = study.consent ? element("input", { type: "checkbox", name: "consent", required: true }) : null;
    const form = element("form", { onsubmit: (event) => {
      event.preventDefault();
      this.participant = name?.value.trim() ?? (study.participant === "address" ? from ?? "" : "");
      this.#play();
    } },
    agree && element("p", {}, study.consent), agree && element("label", {}, agree, " I agree to take part."),
    name && element("label", {}, "Your participant code ", name), go);
    this.#page(element("h1", {}, study.title), element("p", {}, study.instructions), form);
  }

  #play() {
    const { study } = this, number = this.done;
    const pick = (list) => (list.length > 0 ? list[number % list.length] : undefined);
    const seed = pick(study.seeds), level = pick(study.levels);
    this.bar = element("div", { class: "gd-bar" });
    const stage = element("div", { "data-theme": this.root.dataset.theme });
    this.root.replaceChildren(this.bar, stage);
    this.#showProgress();
    this.ended = false;
    this.player = new Player(stage, this.data, this.makers, { seed, level, plain: true, restarts: study.restarts, only_view: study.show === "view" });
    this.player.on((what) => {
      if (what === "step" && this.player.session.isOver && !this.ended) this.#end();
    });
    this.player.canvas.focus({ preventScroll: true });
  }

  #showProgress() {
    const { study, done } = this, practice = done < study.practice;
    const text = practice ? `Practice ${done + 1} of ${study.practice}` : `Episode ${done + 1 - study.practice} of ${study.episodes - study.practice}`;
    this.bar.replaceChildren(element("span", {}, text), element("progress", { max: study.episodes, value: done, "aria-label": "Progress" }));
  }

  #end() {
    this.ended = true;
    const practice = this.done < this.study.practice;
    this.played.push(...this.player.session.transcript().episodes.map((episode) => ({ ...episode, practice })));
    this.done += 1;
    const next = element("button", { type: "button", class: "gd-go" }, "Continue");
    next.addEventListener("click", () => (this.done < this.study.episodes ? this.#play() : this.#ask()));
    // A key that is still held down must not skip what the last step showed.
    setTimeout(() => {
      this.bar.append(next);
      next.focus();
    }, PAUSE_MS);
  }

  #ask() {
    this.last = this.player.session;
    this.player = null;
    const { questions } = this.study;
    if (questions.length === 0) return this.#finish();
    const fields = questions.map(({ text, answers }, k) => element("fieldset", {}, element("legend", {}, text), answers.length === 0
      ? element("textarea", { name: `q${k}`, rows: 3, "aria-label": text })
      : answers.map((answer) => element("label", {}, element("input", { type: "radio", name: `q${k}`, value: answer, required: true }), ` ${answer}`))));
    const form = element("form", { onsubmit: (event) => {
      event.preventDefault();
      const given = new FormData(event.target);
      questions.forEach(({ text }, k) => { this.answers[text] = given.get(`q${k}`) ?? ""; });
      this.#finish();
    } }, fields, element("button", { type: "submit", class: "gd-go" }, "Finish"));
    this.#page(element("h1", {}, "A few questions"), form);
    return undefined;
  }

  // What is kept of one participant.
  recording() {
    const { study, participant, answers, played } = this, session = this.player?.session ?? this.last;
    return { ...session.transcript(), study: study.title, participant, consent: study.consent !== "", answers, episodes: played };
  }

  async #finish() {
    const recording = this.recording(), text = JSON.stringify(recording);
    const keep = () => save(`${this.data.name}-${this.participant || "participant"}.recording.json`, text);
    const state = element("p", { role: "status" });
    const keeping = element("button", { type: "button", class: "gd-go", "data-command": "save", onclick: keep }, "Save your recording");
    const again = element("button", { type: "button", onclick: () => send() }, "Try again");
    this.#page(element("h1", {}, this.study.title), element("p", {}, this.study.thanks), state, again, " ", keeping);
    const send = async () => {
      again.hidden = keeping.hidden = true;
      state.textContent = "Sending what you played ...";
      const failed = await post(this.data.post, recording);
      state.textContent = failed ? `It could not be sent (${failed}). Please save it, and give the file to whoever asked you.` : "What you played has been sent. You can close this page.";
      again.hidden = keeping.hidden = !failed;
    };
    if (this.data.post !== null) await send();
    else {
      again.hidden = true;
      state.textContent = "Please save your recording, and give the file to whoever asked you.";
    }
  }
}
