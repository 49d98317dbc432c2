// What will come out of the printer: sheets, pages of the rulebook, the table after set-up.

import { ask } from "./net.js";
import { by, make, soon } from "./dom.js";
import { cards, picture } from "./gallery.js";

export const state = { kind: "faces", paper: "a4", backs: "long", words: "" };
const shell = by("leaves");
const list = make("div", { class: "leaf-list" });
const note = make("p", { class: "leaf-note", role: "status" });
const NAMES = { sheets: "Sheets", book: "Rulebook", table: "Table and scenes" };
const MAKING = { sheets: "Laying out the sheets …", book: "Setting the pages …", table: "Laying the table …" };
let shown = [];         // the leaves, in order, each with its element
let told = "";          // what is shown: kind, paper, backs, ink
let busy = false;
let again = false;
let open = () => {};

export function setUp(openCard) {
  open = openCard;
  shell.replaceChildren(note, list);
  shell.addEventListener("click", (event) => {
    const seen = event.target.closest(".seen");
    if (seen) open(seen.dataset.card, seen.dataset.side);
  });
}

// The leaves as the files are now; what is on the page stays until they are there.
export async function load(ink) {
  if (state.kind === "faces") return;
  if (busy) { again = true; return; }
  busy = true;
  const wish = { kind: state.kind, ink, ...(state.kind === "sheets" ? { paper: state.paper, backs: state.backs } : {}) };
  const name = JSON.stringify(wish);
  shell.setAttribute("aria-label", NAMES[state.kind]);
  if (name !== told) { shown = []; list.replaceChildren(); note.textContent = MAKING[state.kind]; }
  shell.setAttribute("aria-busy", "true");
  try {
    const found = await ask("/leaves", wish);
    if (found.kind === state.kind) { told = name; take(found); }
  } catch (error) {
    note.textContent = error.message;
  }
  busy = false;
  shell.setAttribute("aria-busy", "false");
  if (again) { again = false; load(ink); }
}

export const changed = soon(load, 250);

function take({ leaves, about, fault }) {
  note.replaceChildren(fault ? make("strong", {}, `As it was when it was last good: ${fault}`) : about);
  shell.classList.toggle("stale", Boolean(fault));
  const top = shell.scrollTop;
  leaves.forEach((leaf, n) => {
    const old = shown[n];
    const same = old && old.leaf.w === leaf.w && old.leaf.h === leaf.h && JSON.stringify(where(old.leaf)) === JSON.stringify(where(leaf));
    const element = same ? old.element : made(leaf);
    if (!same) { if (old) old.element.replaceWith(element); else list.append(element); }
    dress(element, leaf, same);
    shown[n] = { leaf, element };
  });
  for (const { element } of shown.splice(leaves.length)) element.remove();
  filter();
  if (shell.scrollTop !== top) shell.scrollTop = top;
}

const where = (leaf) => leaf.places.map(({ face, ...place }) => place);

function made(leaf) {
  const paper = make("div", { class: "leaf-paper" });
  for (const place of leaf.places) {
    const seen = make("button", { type: "button", tabindex: -1, class: `seen ${place.clip}${place.turn % 180 ? " level" : ""}`, "data-card": place.card, "data-side": place.back ? "back" : "front" });
    const [x, y, w, h] = place.box, [fx, fy, fw, fh] = place.face_box;
    const style = { left: x / leaf.w, top: y / leaf.h, width: w / leaf.w, height: h / leaf.h, "--x": (fx - x) / w, "--y": (fy - y) / h, "--fw": fw / w, "--fh": fh / h };
    for (const [key, value] of Object.entries(style)) seen.style.setProperty(key, key.startsWith("--") ? String(value) : `${value * 100}%`);
    seen.style.setProperty("--turn", `${place.turn}deg`);
    paper.append(seen);
  }
  paper.append(make("div", { class: "over" }));
  const figure = make("figure", { class: "leaf" }, paper, make("figcaption"));
  figure.style.setProperty("--w", leaf.w);
  figure.style.setProperty("--h", leaf.h);
  return figure;
}

function dress(element, leaf, same) {
  element.querySelector("figcaption").textContent = leaf.title;
  const seen = element.querySelectorAll(".seen");
  leaf.places.forEach((place, n) => {
    seen[n].setAttribute("aria-label", `${cards.get(place.card)?.name || place.card}, ${place.back ? "back" : "front"}`);
    picture(seen[n], place.face, !same);
  });
  const over = element.querySelector(".over");
  picture(over, leaf.picture, !same);
  if (!leaf.places.length) { over.setAttribute("role", "img"); over.setAttribute("aria-label", leaf.title); }
}

export const some = () => state.kind === "faces" || !shown.length || shown.some(({ element }) => !element.hidden);

export function filter() {
  const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
  let many = 0;
  for (const { leaf, element } of shown) {
    const found = `${leaf.title} ${leaf.places.map((place) => `${place.card} ${cards.get(place.card)?.name ?? ""}`).join(" ")}`.toLowerCase();
    const ok = words.every((word) => found.includes(word));
    element.hidden = !ok;
    many += ok;
  }
  if (state.kind !== "faces") by("count").textContent = `${many} of ${shown.length}`;
}
