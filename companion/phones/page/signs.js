// What a page tells without being looked at: words that are read out, the sign of a turn, buttons that wait.

let sound = null;

/** Have words read out; the same words twice are said twice. */
export function tell(text) {
  const live = document.getElementById("live");
  live.textContent = "";
  setTimeout(() => (live.textContent = text), 50);
}

/** It is your turn: a buzz, and a tone where a tap has allowed it. */
export async function sign() {
  navigator.vibrate?.(200);
  if (!sound) return;
  await sound.resume();
  const tone = sound.createOscillator();
  const loud = sound.createGain();
  loud.gain.value = 0.1;
  tone.frequency.value = 660;
  tone.connect(loud).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.15);
  tone.addEventListener("ended", () => sound.suspend()); // a sound that goes on in silence costs the battery
}

/** Sound is allowed by the first tap. */
function allowed() {
  sound = globalThis.AudioContext ? new AudioContext() : null;
  sound?.suspend();
}

addEventListener("pointerdown", allowed, { once: true });

/** What was under a finger a moment ago may be something else now. */
export function freeze() {
  document.body.classList.add("frozen");
  setTimeout(() => document.body.classList.remove("frozen"), 300);
}
