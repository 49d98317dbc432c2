// What a page tells without being looked at: words that are read out, the sign of a turn, buttons that wait.

let sound = null;

const RULE_IDS = / ?\[[A-Z]{2,3}-[A-Z0-9-]+\]/g;
const HEARD = 5;

/** Have words read out, after those that are being read; the same words twice are said twice. */
export function tell(text) {
  const live = document.getElementById("live");
  const said = document.createElement("p");
  said.textContent = text.replace(RULE_IDS, "");
  while (live.children.length >= HEARD) live.firstChild.remove();
  live.append(said);
}

/** Put nodes into a part of the page. Whoever works there by keys or by ear goes on at its beginning, which says the
 * headings and questions in it. */
export function fill(part, nodes, { before = false, taken = part.contains(document.activeElement) } = {}) {
  if (before) part.prepend(...nodes);
  else part.replaceChildren(...nodes);
  const named = [...part.querySelectorAll("h2, .asks, [role=alert]")].map((one) => one.textContent);
  part.setAttribute("aria-label", named.join(": ") || "What you can do");
  if (taken && !part.contains(document.activeElement)) part.focus({ preventScroll: true });
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
