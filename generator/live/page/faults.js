// Faults: in a list, and on the last good face at the place that draws them.

import { by, make, plural } from "./dom.js";
import * as gallery from "./gallery.js";

let list = [];
const ofCard = new Map();   // id -> its faults
let button = null;
let openPanel = () => {};
let isOpen = () => false;
let at = -1;
let edit = null;

export function setUp(tab, open, opened) { button = tab; openPanel = open; isOpen = opened; gallery.whenMade(markOne); label(); }
export const withEditor = (how) => { edit = how; };

function label() {
  button.replaceChildren("Faults ", list.length ? make("span", { class: "badge" }, String(list.length)) : "");
  button.classList.toggle("bad", list.length > 0);
}

export function take(found) {
  const more = found.length > list.length;
  list = found;
  label();
  mark();
  if (isOpen("faults")) openPanel("faults");
  if (more) say(`${plural(list.length, "fault")}: ${list[0].what}`);
}

function say(text) { by("status").textContent = text; }

export const of = (id) => list.filter((fault) => fault.cards.includes(id));

// The outlines on the faces.
function mark() {
  for (const old of document.querySelectorAll(".fault-box")) old.remove();
  ofCard.clear();
  for (const fault of list) for (const id of fault.cards) ofCard.set(id, [...(ofCard.get(id) ?? []), fault]);
  for (const id of ofCard.keys()) markOne(id);
}

function markOne(id) {
  for (const fault of ofCard.get(id) ?? []) {
    const sides = [["front", id], ["back", `${id}|b`]].filter(([, slot]) => fault.boxes[slot]);
    if (!sides.length) outline(id, "front", null, fault);
    for (const [side, slot] of sides) outline(id, side, fault.boxes[slot], fault);
  }
}

function outline(id, side, corners, fault) {
  const paper = gallery.paperOf(id, side) ?? gallery.paperOf(id, "front");
  const card = gallery.cards.get(id);
  if (!paper || !card) return;
  const box = make("span", { class: corners ? "fault-box" : "fault-box whole", title: fault.what });
  const [x, y, right, bottom] = corners ? [corners[0][0], corners[0][1], corners[2][0], corners[2][1]] : [0, 0, card.w, card.h];
  box.style.left = `${(x / card.w) * 100}%`;
  box.style.top = `${(y / card.h) * 100}%`;
  box.style.width = `${((right - x) / card.w) * 100}%`;
  box.style.height = `${((bottom - y) / card.h) * 100}%`;
  paper.append(box);
}

export function placeOf(fault) {
  const where = fault.line ? `${fault.file}:${fault.line}:${fault.column}` : fault.file;
  if (!where) return null;
  return edit ? edit(where, fault.file, fault.line, fault.column) : make("code", { class: "place" }, where);
}

export function show(body) {
  if (!list.length) { body.append(make("p", { class: "hint" }, "No faults. Every file can be read, and every face can be drawn.")); return; }
  body.append(make("ol", { class: "faults" }, ...list.map((fault) => make("li", {},
    make("p", { class: "what" }, make("strong", {}, fault.code), " ", fault.what),
    fault.hint && make("p", { class: "hint" }, fault.hint),
    fault.excerpt && make("pre", {}, fault.excerpt.trim()),
    make("p", {}, placeOf(fault),
      fault.cards.length > 0 && make("button", { type: "button", class: "link", onclick: () => gallery.choose(fault.cards[0]) },
        fault.cards.length === 1 ? "show the card" : `show the first of ${plural(fault.cards.length, "card")}`)),
  ))));
}

export function next(by_) {
  const ids = [...new Set(list.flatMap((fault) => fault.cards))];
  if (!ids.length) { say("No face has a fault."); return; }
  at = (at + by_ + ids.length) % ids.length;
  gallery.choose(ids[at]);
}
