// What is optimal, where the page was exported with it: a table of states, found by the bits of what matters in them.

export class Optimal {
  // `table` is what `optimal.py` wrote: places and values that stand for idle ones, a salt, and columns in base64.
  constructor(table) {
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
    Object.assign(this, table);
    this.keys = new Uint32Array(bytes(table.keys));
    this.values = new Float32Array(bytes(table.values));
    this.lengths = new Float32Array(bytes(table.lengths));
    this.best = new Uint32Array(bytes(table.best));
  }

  // What is known of the present state of a game: { value, steps, best }, the numbers of the best actions; null of none.
  of(game) {
    const numbers = [...game.s.slice(0, game.program.saved[0]), ...game.f.slice(0, game.program.saved[1])];
    if (this.step !== null) numbers[this.step[0]] = this.step[1] === 0 ? 0 : numbers[this.step[0]] % this.step[1];
    for (const [place, value] of this.idle) numbers[place] = value;
    const at = this.#find(hashOf(numbers, this.salt));
    if (at < 0) return null;
    const best = Array.from({ length: 31 }, (_, number) => number).filter((number) => (this.best[at] >>> number) & 1);
    return { value: this.values[at], steps: this.lengths[at], best };
  }

  #find(key) {
    let low = 0, high = this.keys.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if (this.keys[middle] === key) return middle;
      if (this.keys[middle] < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

// MurmurHash3 over the words of 64-bit floats, with a salt that keeps the states of this table apart.
function hashOf(numbers, salt) {
  const words = new Uint32Array(Float64Array.from(numbers, (value) => value + 0).buffer); // no negative zero
  const turned = (value, by) => (value << by) | (value >>> (32 - by));
  let hash = salt | 0;
  for (const word of words) {
    hash ^= Math.imul(turned(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
    hash = (Math.imul(turned(hash, 13), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
