// Small sounds, made and not loaded: a step, a reward, a loss, an end. Nothing sounds until somebody asks for it.
let audio = null;

function tone(frequency, start, seconds, volume, form = "sine") {
  const oscillator = new OscillatorNode(audio, { type: form, frequency });
  const gain = new GainNode(audio, { gain: 0 });
  const at = audio.currentTime + start;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + seconds);
}

export function sound(moment, reward) {
  audio ??= new AudioContext();
  if (moment.outcome === "success") [523, 659, 784].forEach((pitch, k) => tone(pitch, k * 0.09, 0.22, 0.09));
  else if (moment.terminated || moment.truncated) [330, 247].forEach((pitch, k) => tone(pitch, k * 0.14, 0.3, 0.09));
  else if (reward > 0) [659, 880].forEach((pitch, k) => tone(pitch, k * 0.06, 0.14, 0.07));
  else if (reward < -1) tone(165, 0, 0.2, 0.09, "triangle");
  else tone(220, 0, 0.05, 0.05, "triangle");
}
