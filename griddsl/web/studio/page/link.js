// The line to the studio: messages out in order, answers in, and what happens when it breaks.

// What is not told once the studio is back: a moment that was looked at, a spec that is opened anyway, and a change of a
// text that it may not have any more. The editor makes that change anew, of the text that there is.
const FORGOTTEN = ["look", "edit", "complete", "open"];

export class Link {
  constructor(hear, changed) {
    this.hear = hear;
    this.changed = changed;
    this.waiting = [];
    this.open();
  }

  open() {
    const here = new URL("socket", location.href);
    here.protocol = "ws:";
    this.socket = new WebSocket(here);
    this.socket.onopen = () => {
      this.changed(true);
      const waiting = this.waiting;
      this.waiting = [];
      waiting.forEach((message) => this.tell(message));
    };
    this.socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    this.socket.onclose = () => {
      this.changed(false);
      setTimeout(() => this.open(), 1000);
    };
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  tell(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
    else if (!FORGOTTEN.includes(message.do)) this.waiting.push(message);
  }
}
