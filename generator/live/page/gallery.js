// The gallery: every card by deck. What changes is changed in place, so that scroll, filter and selection stay.

import { by, make, plural } from "./dom.js";

export const cards = new Map();     // id -> card, in order
const tiles = new Map();            // id -> its element
const decks = new Map();            // set -> {section, list, count}
const gallery = by("gallery");
export const chosen = { id: "", side: "front" };
let shown = [];                     // ids that pass the filter, in order
let onSight = () => {};
let lost = null;                    // cards that are gone, and where the designer was before
for (const sign of ["wheel", "keydown", "pointerdown"]) addEventListener(sign, () => { lost = null; }, { passive: true });
const inSight = new Set();
const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const { id } = entry.target.dataset;
    if (entry.isIntersecting) { inSight.add(id); furnish(id); } else inSight.delete(id);
  }
  onSight([...inSight]);
}, { rootMargin: "600px" });

export const state = { side: "front", words: "", deck: "" };

export function setUp(open, seen) {
  onSight = seen;
  gallery.addEventListener("click", (event) => {
    const tile = event.target.closest(".tile");
    if (tile) open(tile.dataset.id, event.target.closest("[data-side]")?.dataset.side ?? "front");
  });
  gallery.addEventListener("keydown", moved);
  gallery.addEventListener("focusin", (event) => {
    const tile = event.target.closest(".tile");
    if (tile) choose(tile.dataset.id, false);
  });
}

export const first = () => shown[0] ?? "";
export const visible = () => [...inSight];
export const tileOf = (id) => tiles.get(id);
// The paper of a side; none if the tile was never near.
export const paperOf = (id, side) => tiles.get(id)?.querySelector(`[data-side="${side}"] .paper`);
const onMade = [];
// Calls made(id) when a tile comes near for the first time.
export const whenMade = (made) => onMade.push(made);

// What a server told: cards that changed, those that are gone, and the order if it is another.
export function take({ changed, removed, order }) {
  const at = here();
  if (!lost && removed?.length) lost = { ids: new Set(), all: new Set(cards.keys()), at };
  for (const id of removed ?? []) if (lost.all.has(id)) lost.ids.add(id);
  for (const id of removed ?? []) {
    sight.unobserve(tiles.get(id) ?? gallery);
    inSight.delete(id);
    tiles.get(id)?.remove();
    tiles.delete(id);
    cards.delete(id);
  }
  for (const card of changed) {
    const old = cards.get(card.id);
    cards.set(card.id, card);
    card.found = `${card.name} ${card.id} ${card.text} ${card.deck} ${card.kind}`.toLowerCase();
    if (!old || old.set !== card.set) place(card);
    else if (tiles.get(card.id).firstChild) dress(tiles.get(card.id), card, old);
    else size(tiles.get(card.id), card);
  }
  if (order) arrange(order);
  for (const [set, deck] of decks) {
    if (!deck.list.children.length) { deck.section.remove(); decks.delete(set); }
  }
  filter();
  for (const id of lost?.ids ?? []) if (cards.has(id)) lost.ids.delete(id);
  if (!lost) back(at);
  else if (!lost.ids.size) { back(lost.at); lost = null; }  // what a slip of the fingers took away is back
}

// Where the designer is: how far down, and on which card.
function here() {
  const side = document.activeElement?.closest?.(".tile .side");
  return { top: gallery.scrollTop, id: side?.closest(".tile").dataset.id, side: side?.dataset.side };
}

function back({ top, id, side }) {
  const wanted = id && furnish(id)?.querySelector(`.side[data-side="${side}"]`);
  if (wanted && document.activeElement !== wanted) wanted.focus({ preventScroll: true });
  if (gallery.scrollTop !== top) gallery.scrollTop = top;
}

export function clear() {
  cards.clear(); tiles.clear(); decks.clear(); inSight.clear(); sight.disconnect();
  gallery.replaceChildren();
}

function deckOf(card) {
  let deck = decks.get(card.set);
  if (!deck) {
    const count = make("span", { class: "count" });
    const list = make("ul", { class: "tiles" });
    const heading = make("h2", { id: `deck-${card.set}` }, card.deck, " ", count);
    const section = make("section", { "aria-labelledby": heading.id, "data-set": card.set }, heading, list);
    gallery.append(section);
    deck = { section, list, count, title: card.deck };
    decks.set(card.set, deck);
  }
  return deck;
}

function place(card) {
  tiles.get(card.id)?.remove();
  const tile = make("li", { class: "tile", "data-id": card.id });
  tiles.set(card.id, tile);
  size(tile, card);
  deckOf(card).list.append(tile);
  sight.observe(tile);
}

function size(tile, card) {
  tile.style.setProperty("--w", card.w);
  tile.style.setProperty("--h", card.h);
}

// The tile of a card with what stands in it, made when it comes near: thousands are never looked at.
function furnish(id) {
  const tile = tiles.get(id);
  if (tile && !tile.firstChild && cards.has(id)) {
    dress(tile, cards.get(id), null);
    for (const made of onMade) made(id);
  }
  return tile;
}

function paper(card) {
  const sheet = make("span", { class: `paper ${card.shape}` }, make("span", { class: "cut" }));
  const style = sheet.style;
  for (const key of ["w", "h", "bleed", "safe", "corner"]) style.setProperty(`--${key}`, card[key]);
  return sheet;
}

// One side as a button with its picture.
function sideOf(card, side) {
  return make("button", { type: "button", class: "side", tabindex: -1, "data-side": side }, paper(card));
}

function dress(tile, card, old) {
  const shape = ["w", "h", "bleed", "safe", "corner", "shape", "has_back"];
  if (!old || shape.some((key) => card[key] !== old[key])) {
    const focused = tile.contains(document.activeElement) && document.activeElement.dataset.side;
    const sides = card.has_back ? ["front", "back"] : ["front"];
    tile.replaceChildren(...sides.map((side) => sideOf(card, side)), make("span", { class: "name", title: card.id }));
    size(tile, card);
    if (focused) tile.querySelector(`.side[data-side="${focused}"]`)?.focus({ preventScroll: true });
  }
  for (const side of tile.querySelectorAll(".side")) {
    side.setAttribute("aria-label", `${card.name || card.id}, ${side.dataset.side}${card.stale ? ", faulty" : ""}`);
  }
  tile.querySelector(".name").replaceChildren(card.name || card.id,
    make("span", { class: "copies" }, card.copies === 1 ? "" : ` ×\u00a0${card.copies}`));
  tile.classList.toggle("stale", card.stale);
  picture(tile.querySelector('[data-side="front"] .cut'), card.fronts[0], !old);
  if (card.has_back) picture(tile.querySelector('[data-side="back"] .cut'), card.back, !old);
  tile.classList.toggle("bare", !card.fronts[0]);
}

// Show a face. One that takes the place of another is loaded first, so that nothing blinks.
export function picture(cut, digest, lazy) {
  if (!cut || cut.dataset.digest === digest) return;
  cut.dataset.digest = digest;
  if (!digest) { cut.replaceChildren(); return; }
  const image = make("img", { alt: "", decoding: "async", draggable: "false", loading: lazy ? "lazy" : null });
  image.src = `/face/${digest}.svg`;
  image.addEventListener("error", () => setTimeout(() => { if (image.isConnected) image.src = `/face/${digest}.svg?again`; }, 1000), { once: true });
  if (lazy || !cut.querySelector("img")) { cut.replaceChildren(image); return; }
  image.decode().catch(() => {}).then(() => {
    if (cut.dataset.digest !== digest) return;
    cut.replaceChildren(image);
    const tile = cut.closest(".tile");
    tile?.classList.remove("new");
    void tile?.offsetWidth;
    tile?.classList.add("new");
    performance.mark("face-changed", { detail: digest });
  });
}

function arrange(order) {
  const sets = [];
  for (const id of order) {
    const card = cards.get(id);
    if (!card) continue;
    const deck = deckOf(card);
    if (!sets.includes(card.set)) sets.push(card.set);
    deck.next ??= [];
    deck.next.push(tiles.get(id));
  }
  for (const set of sets) {
    const deck = decks.get(set);
    const now = [...deck.list.children];
    if (now.length !== deck.next.length || now.some((one, n) => one !== deck.next[n])) deck.list.replaceChildren(...deck.next);
    delete deck.next;
  }
  const now = [...gallery.children];
  const next = sets.map((set) => decks.get(set).section);
  if (now.length !== next.length || now.some((one, n) => one !== next[n])) gallery.replaceChildren(...next);
  const sorted = order.map((id) => cards.get(id)).filter(Boolean);
  cards.clear();
  for (const card of sorted) cards.set(card.id, card);
}

export function filter() {
  const words = state.words.toLowerCase().split(/\s+/).filter(Boolean);
  shown = [];
  const counts = new Map();
  const ok = (id) => tiles.has(id) && !tiles.get(id).gone;
  for (const [id, card] of cards) {
    const fits = (!state.deck || card.set === state.deck) && words.every((word) => card.found.includes(word));
    const tile = tiles.get(id);
    if (Boolean(tile.gone) === fits) tile.gone = tile.hidden = !fits;
    if (fits) { shown.push(id); counts.set(card.set, (counts.get(card.set) ?? 0) + 1); }
  }
  for (const [set, deck] of decks) {
    const many = counts.get(set) ?? 0;
    if (deck.section.hidden === many > 0) deck.section.hidden = !many;
    deck.count.textContent = String(many);
  }
  by("count").textContent = plural(shown.length, "piece");
  const select = by("deck");
  const wanted = [["", "All decks"], ...[...decks].map(([set, deck]) => [set, deck.title])];
  if (wanted.map(String).join() !== [...select.options].map((one) => `${one.value},${one.text}`).join()) {
    select.replaceChildren(...wanted.map(([value, title]) => make("option", { value }, title)));
    select.value = state.deck;
  }
  rove(ok(chosen.id) ? chosen.id : shown[0] ?? "");
}

let roved = "";
// One tile of the gallery can be reached with Tab; arrows go on from there.
function rove(id) {
  if (roved !== id) for (const old of tiles.get(roved)?.querySelectorAll('.side[tabindex="0"]') ?? []) old.tabIndex = -1;
  roved = id;
  const first = side(furnish(id));
  if (first) first.tabIndex = 0;
}

const side = (tile) => tile && (tile.querySelector(`[data-side="${state.side === "back" ? "back" : "front"}"]`) ?? tile.querySelector(".side"));

export function choose(id, focus = true) {
  tiles.get(chosen.id)?.classList.remove("chosen");
  chosen.id = id;
  const tile = tiles.get(id);
  tile?.classList.add("chosen");
  rove(id);
  if (focus && tile) {
    side(tile).focus({ preventScroll: true });
    tile.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

export function show(id) {
  tiles.get(id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

export function step(by_) {
  const at = shown.indexOf(chosen.id);
  const next = shown[Math.max(0, Math.min(shown.length - 1, at + by_))];
  if (next) choose(next);
  return next;
}

function moved(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const tile = event.target.closest?.(".tile");
  const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (across) { step(across); event.preventDefault(); return; }
  if (event.key === "Home" || event.key === "End") { step(event.key === "Home" ? -1e9 : 1e9); event.preventDefault(); return; }
  const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!down || !tile) return;
  event.preventDefault();
  // the nearest tile in the next row that differs from this one
  const own = tile.getBoundingClientRect();
  let best = null;
  for (let n = shown.indexOf(tile.dataset.id) + down, row = null; n >= 0 && n < shown.length; n += down) {
    const box = tiles.get(shown[n]).getBoundingClientRect();
    if (down > 0 ? box.top < own.bottom - 4 : box.bottom > own.top + 4) continue;
    row ??= box.top;
    if (Math.abs(box.top - row) > box.height) break;
    const far = Math.abs(box.left + box.width / 2 - own.left - own.width / 2);
    if (!best || far < best.far) best = { far, id: shown[n] };
  }
  if (best) choose(best.id);
}
