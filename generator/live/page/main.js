// The page: what is set in the toolbar, which panel is open, and what the server tells.

import { ask, listen, say, ticket } from "./net.js";
import { by, make, plural, soon } from "./dom.js";
import * as gallery from "./gallery.js";
import * as leaves from "./leaves.js";
import * as faults from "./faults.js";
import * as card from "./card.js";
import * as moves from "./moves.js";
import * as parameters from "./parameters.js";
import * as work from "./work.js";

const LIFE = 96 / 25.4;             // pixels of one mm, as browsers reckon
const SIZES = { small: 1.2, middle: 2.2, life: LIFE };
const KEPT = "tablewright-live";
// On a phone two poker cards stand side by side at first.
function fitting() { return innerWidth < 600 ? Math.max(1.2, (innerWidth - 54) / 126) : SIZES.middle; }
const set = { what: "faces", paper: "a4", backs: "long", size: fitting(), side: "front", ink: "normal", eyes: "plain", marks: [], ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
const keep = () => localStorage.setItem(KEPT, JSON.stringify(set));
export const settings = set;

// --- the toolbar

const least = Math.log(0.5), most = Math.log(9);

function resize(size) {
  set.size = Math.max(0.5, Math.min(9, size));
  document.documentElement.style.setProperty("--mm", set.size.toFixed(3));
  by("size").value = ((Math.log(set.size) - least) / (most - least)) * 100;
  by("size").setAttribute("aria-valuetext", `${Math.round((set.size / LIFE) * 100)} percent of life-size`);
  for (const button of document.querySelectorAll("[data-size]")) {
    button.setAttribute("aria-pressed", String(Math.abs(SIZES[button.dataset.size] - set.size) < 0.02));
  }
  keep();
}

// The card in the middle of the window stays there while sizes change.
function zoom(size) {
  const middle = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).map((one) => one.closest(".tile")).find(Boolean);
  const before = middle?.getBoundingClientRect().top;
  resize(size);
  if (middle) by("gallery").scrollBy(0, middle.getBoundingClientRect().top - before);
}

function dress() {
  document.body.dataset.view = set.eyes;
  document.body.dataset.side = set.side;
  gallery.state.side = set.side;
  for (const mark of ["trim", "bleed", "safe", "boxes"]) document.body.classList.toggle(`mark-${mark}`, set.marks.includes(mark));
  by("side").value = set.side; by("ink").value = set.ink; by("eyes").value = set.eyes;
  for (const box of document.querySelectorAll("[data-mark]")) box.checked = set.marks.includes(box.dataset.mark);
  keep();
}

by("size").addEventListener("input", () => zoom(Math.exp(least + (by("size").value / 100) * (most - least))));
for (const button of document.querySelectorAll("[data-size]")) button.addEventListener("click", () => zoom(SIZES[button.dataset.size]));
by("side").addEventListener("change", () => { set.side = by("side").value; dress(); });
by("eyes").addEventListener("change", () => { set.eyes = by("eyes").value; dress(); });
by("ink").addEventListener("change", () => { set.ink = by("ink").value; dress(); load(); leaves.load(set.ink); });
by("what").addEventListener("change", () => what(by("what").value));
for (const one of ["paper", "backs"]) by(one).addEventListener("change", () => { set[one] = by(one).value; what("sheets"); });
for (const box of document.querySelectorAll("[data-mark]")) {
  box.addEventListener("change", () => {
    set.marks = [...document.querySelectorAll("[data-mark]:checked")].map((one) => one.dataset.mark);
    dress();
    boxes();
  });
}
by("search").addEventListener("input", soon(() => {
  gallery.state.words = leaves.state.words = by("search").value;
  gallery.filter();
  leaves.filter();
  none();
}, 30));
by("deck").addEventListener("change", () => { gallery.state.deck = by("deck").value; gallery.filter(); none(); });
by("help").addEventListener("click", () => by("keys").showModal());
by("gallery").addEventListener("keydown", (event) => { if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") follow(); });
const follow = soon(() => { if (isOpen("card")) open("card", gallery.chosen.id, gallery.chosen.side); }, 150);
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});

// Faces, or what comes out of the printer.
function what(kind) {
  set.what = kind;
  Object.assign(leaves.state, { kind, paper: set.paper, backs: set.backs });
  by("what").value = kind; by("paper").value = set.paper; by("backs").value = set.backs;
  by("gallery").hidden = kind !== "faces";
  by("leaves").hidden = kind === "faces";
  by("deck").hidden = kind !== "faces";
  by("paper").hidden = by("backs").hidden = kind !== "sheets";
  if (kind === "faces") gallery.filter(); else leaves.filter();
  leaves.load(set.ink);
  none();
  keep();
}

// What is said where nothing fits the search.
function none() {
  const [what, some] = set.what === "faces" ? ["piece", gallery.first()] : ["page", leaves.some()];
  const words = by("search").value.trim();
  by("none").hidden = Boolean(some) || !(words || gallery.state.deck);
  if (by("none").hidden) return;
  by("none").replaceChildren(words ? `No ${what} says “${words}”. ` : `No ${what} is there. `,
    make("button", { type: "button", onclick: unsearch }, "Show all"));
}

function unsearch() {
  by("search").value = by("deck").value = "";
  Object.assign(gallery.state, { words: "", deck: "" });
  leaves.state.words = "";
  gallery.filter();
  leaves.filter();
  none();
  by("search").focus();
}

// --- panels

const panels = new Map();
let current = "";

export function panel(name, title, show) {
  const button = make("button", { type: "button", "aria-expanded": "false", "aria-controls": "panel", onclick: () => open(current === name ? "" : name) }, title);
  panels.set(name, { button, title, show });
  by("tabs").append(button);
  return button;
}

export function open(name, ...given) {
  const shell = by("panel");
  for (const [key, one] of panels) one.button.setAttribute("aria-expanded", String(key === name));
  current = name;
  shell.hidden = !name;
  document.body.classList.toggle("with-panel", Boolean(name));
  if (!name) { shell.replaceChildren(); return; }
  const { title, show } = panels.get(name);
  const body = make("div", { class: "panel-body" });
  shell.replaceChildren(make("div", { class: "panel-head" }, make("h2", {}, title),
    make("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => { open(""); gallery.choose(gallery.chosen.id); } }, "✕")), body);
  show(body, ...given);
}

export const isOpen = (name) => current === name;

// --- keys

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || by("keys").open) return;
  if (event.key === "Escape") {
    const menu = document.querySelector("details.menu[open]");
    if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
    else if (document.activeElement === by("search")) { unsearch(); gallery.choose(gallery.chosen.id || gallery.first()); }
    else if (current) { open(""); gallery.choose(gallery.chosen.id); }
    return;
  }
  if (event.target.closest("input, select, textarea")) return;
  const does = {
    "/": () => by("search").select(),
    "?": () => by("keys").showModal(),
    "+": () => zoom(set.size * 1.15), "=": () => zoom(set.size * 1.15), "-": () => zoom(set.size / 1.15), 0: () => zoom(LIFE),
    f: () => { set.side = { front: "back", back: "both", both: "front" }[set.side]; dress(); },
    n: () => faults.next(1), p: () => faults.next(-1),
  }[event.key];
  if (does) { event.preventDefault(); does(); }
});

// --- what the server tells

function busy(waiting) {
  by("status").textContent = waiting ? `drawing: ${plural(waiting, "face")} to go` : "";
  none();
}

const seen = soon((ids) => {
  say("/view", { cards: ids.slice(0, 500), ink: set.ink }).catch(() => {});
  boxes();
}, 80);

function boxes() {
  if (set.marks.includes("boxes")) card.boxes(gallery.visible(), set.ink).catch(() => {});
}

async function load() {
  const found = await ask("/gallery", { ink: set.ink });
  document.title = `${found.title} – Tablewright`;
  by("title").textContent = found.title;
  const known = new Set(found.cards.map((card) => card.id));
  gallery.take({
    changed: found.cards,
    removed: [...gallery.cards.keys()].filter((id) => !known.has(id)),
    order: found.cards.map((card) => card.id),
  });
  faults.take(found.faults);
  variants(found.variants);
  busy(found.waiting);
  seen(gallery.visible());
  return found;
}

async function begin() {
  resize(set.size);
  dress();
  gallery.setUp((id, side) => { gallery.choose(id, false); gallery.chosen.side = side; openCard(id, side); }, seen);
  if (!ticket) { away("Open the whole link that the terminal shows, including the part after the #."); return; }
  eyes(await ask("/eyes"));
  const first = await load();
  if (first.can.includes("judge")) panel("move", "Move", moves.show);
  if (first.can.includes("work")) panel("work", "Make", work.show);
  kinds(first);
  listen({
    cards(data) {
      if (data.ink !== set.ink) return;
      if (data.title) by("title").textContent = data.title;
      gallery.take(data);
      busy(data.waiting);
      const ids = data.changed.map((one) => one.id);
      card.noBoxes(ids);
      boxes();
      if (isOpen("card")) card.changed(ids);
      if (isOpen("parameters")) parameters.changed();
      if (isOpen("work")) work.changed();
    },
    variants,
    read: () => leaves.changed(set.ink),
    faults: faults.take,
    work: work.take,
    reset: () => { load(); leaves.load(set.ink); },
    back: () => away(""),
    away,
  }, first);
}

// The variants of the game; the page, and what it makes, is with those that are ticked.
function variants({ all, chosen }) {
  const box = by("variants");
  box.hidden = !Object.keys(all).length;
  const said = (one) => `${one.value} ${one.dataset.title}`;
  if ([...box.querySelectorAll("input")].map(said).join("\n") !== Object.entries(all).map((one) => one.join(" ")).join("\n")) {
    box.replaceChildren(make("legend", {}, "Variants"), ...Object.entries(all).map(([name, title]) => make("label", {},
      make("input", { type: "checkbox", value: name, "data-title": title, onchange: choose }), ` ${title}`)));
  }
  for (const one of box.querySelectorAll("input")) one.checked = chosen.includes(one.value);
}

function choose() {
  const names = [...by("variants").querySelectorAll("input:checked")].map((one) => one.value);
  say("/variants", { variants: names }).catch((error) => { by("status").textContent = error.message; });
}

function kinds({ kinds: found, papers }) {
  const titles = { sheets: "Sheets", book: "Rulebook", table: "Table and scenes" };
  by("what").append(...found.map((kind) => make("option", { value: kind }, titles[kind])));
  by("paper").replaceChildren(...Object.entries(papers).map(([paper, title]) => make("option", { value: paper }, title)));
  leaves.setUp(openCard);
  what(found.includes(set.what) ? set.what : "faces");
}

function openCard(id, side) {
  open("card", id, side);
  if (set.what === "faces") gallery.show(id);
}

function away(why) {
  by("banner").hidden = !why;
  by("banner").textContent = why;
}

function eyes(found) {
  const names = { protanopia: "red", deuteranopia: "green", tritanopia: "blue" };
  const svg = "http://www.w3.org/2000/svg";
  for (const [name, matrix] of Object.entries(found)) {
    const id = Object.keys(names).find((one) => name.includes(one));
    if (!id) continue;
    const filter = document.createElementNS(svg, "filter");
    filter.id = id;
    filter.setAttribute("color-interpolation-filters", "linearRGB");
    const colours = document.createElementNS(svg, "feColorMatrix");
    colours.setAttribute("values", [...matrix.map((row) => [...row, 0, 0].join(" ")), "0 0 0 1 0"].join(" "));
    filter.append(colours);
    by("filters").append(filter);
  }
}

panel("card", "Card", (body, id = gallery.chosen.id || gallery.first(), side = gallery.chosen.side) => card.show(body, id, side, set.ink));
panel("parameters", "Parameters", (body) => parameters.show(body, set.ink));
faults.withEditor((text, file, line, column) => card.place(text, file, line, column));
faults.setUp(panel("faults", "Faults", faults.show), open, isOpen);
begin().catch((error) => away(error.message));
