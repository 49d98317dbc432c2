// One card, large: click a mark, and stand at the lines behind it.

import { ask, say } from "./net.js";
import { make } from "./dom.js";
import * as gallery from "./gallery.js";
import * as faults from "./faults.js";

let now = null;

// A place of the project, which opens the editor. What follows is told where it was clicked.
export function place(text, file, line, column) {
  const told = make("span", { class: "told", role: "status" });
  const button = make("button", { type: "button", class: "link place", title: "Open in your editor", onclick: async () => {
    told.textContent = "";
    try {
      await say("/open", { file, line: Math.max(1, line), column: Math.max(1, column) });
      told.textContent = "opened";
    } catch (error) {
      await navigator.clipboard?.writeText(text).catch(() => {});
      told.textContent = `copied; ${error.message}`;
    }
  } }, text);
  return make("span", {}, button, " ", told);
}

const at = (line) => place(line.line ? `${line.file}:${line.line}:${line.column}` : line.file, line.file, line.line, line.column);

function lineOf(line) {
  return make("li", {},
    make("p", { class: "what-reads" }, make("strong", {}, line.what), line.value && make("span", { class: "value" }, ` = ${line.value}`)),
    at(line), line.excerpt && make("pre", {}, line.excerpt));
}

export function show(body, id, side, ink) {
  const card = gallery.cards.get(id);
  if (!card) { body.append(make("p", {}, "Choose a card.")); return; }
  now = { body, id, side, look: 0, ink, n: null };
  const sides = make("div", { class: "row", role: "group", "aria-label": "Side" });
  const big = make("div", { class: "big" });
  const marks = make("select", { "aria-label": "Marks of this face", onchange: () => pick(Number(marks.value)) });
  const behind = make("div", { class: "behind", "aria-live": "polite" });
  Object.assign(now, { big, marks, behind });
  const turn = (which, look = 0) => { now.side = which; now.look = look; now.n = null; draw(); };
  card.fronts.forEach((_, n) => sides.append(make("button", { type: "button", "data-turn": `front${n}`, onclick: () => turn("front", n) },
    card.fronts.length > 1 ? `Front ${n + 1}` : "Front")));
  if (card.has_back) sides.append(make("button", { type: "button", "data-turn": "back0", onclick: () => turn("back") }, "Back"));
  now.sides = sides;
  const own = faults.of(id);
  body.append(
    make("p", { class: "about" }, make("strong", {}, card.name || card.id), make("br"),
      `${card.id} · ${card.deck} · ${card.format} · ${card.copies} to print`),
    own.length ? make("div", { class: "own-faults" }, ...own.map((fault) => make("p", {}, make("strong", {}, fault.code), ` ${fault.what} `, faults.placeOf(fault)))) : "",
    sides, big, make("label", { class: "pick" }, "Mark ", marks), behind);
  draw();
}

export function changed(ids) {
  if (now?.body.isConnected && ids.includes(now.id)) draw();
}

async function draw() {
  const { id, side, look, ink, big, marks, behind, sides } = now;
  for (const button of sides.children) button.setAttribute("aria-pressed", String(button.dataset.turn === `${side}${side === "back" ? 0 : look}`));
  const card = gallery.cards.get(id);
  let found;
  try { found = await ask("/marks", { card: id, side, look, ink }); } catch (error) { behind.replaceChildren(make("p", { class: "hint" }, error.message)); return; }
  if (now.id !== id || now.side !== side || now.look !== look) return;
  const paper = make("div", { class: `paper ${card.shape}` });
  for (const key of ["w", "h", "bleed", "safe", "corner"]) paper.style.setProperty(`--${key}`, card[key]);
  const svg = document.importNode(new DOMParser().parseFromString(found.svg, "image/svg+xml").documentElement, true);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${card.name}, ${side}`);
  svg.addEventListener("click", (event) => { const mark = event.target.closest("[data-n]"); if (mark) pick(Number(mark.dataset.n)); });
  paper.append(make("div", { class: "cut" }));
  paper.firstChild.append(svg);
  big.replaceChildren(paper);
  const named = found.marks.filter((mark) => mark.says).concat(found.marks.filter((mark) => !mark.says));
  marks.replaceChildren(make("option", { value: -1 }, "choose, or click it on the face"),
    ...named.map((mark) => make("option", { value: mark.n }, mark.says ? `“${mark.says}”` : `${mark.kind} ${mark.n}`)));
  if (now.n === null) behind.replaceChildren(make("p", { class: "hint" }, "Click anything on the face to see which lines made it."));
  else if (found.marks.some((mark) => mark.n === now.n)) pick(now.n);
}

async function pick(n) {
  if (n < 0) return;
  const { id, side, look, ink, big, marks, behind } = now;
  now.n = n;
  marks.value = String(n);
  for (const old of big.querySelectorAll(".picked")) old.classList.remove("picked");
  big.querySelector(`[data-n="${n}"]`)?.classList.add("picked");
  let found;
  try { found = await ask("/mark", { card: id, side, look, ink, n }); } catch (error) { behind.replaceChildren(make("p", { class: "hint" }, error.message)); return; }
  if (now.n !== n) return;
  behind.replaceChildren(
    make("h3", {}, "Drawn by"),
    make("ul", { class: "lines" }, lineOf({ ...found.element, what: found.says ? `${found.kind} “${found.says}”` : found.kind }), ...[...found.calls].reverse().map(lineOf)),
    found.reads.length ? make("h3", {}, "Made from") : "",
    make("ul", { class: "lines" }, ...found.reads.map(lineOf)));
}

// Text boxes on the faces in sight, where they are asked for.
export async function boxes(ids, ink) {
  const wanted = ids.filter((id) => !gallery.paperOf(id, "front")?.querySelector(".text-boxes")).slice(0, 200);
  if (!wanted.length) return;
  const found = await say("/boxes", { cards: wanted, ink });
  const svg = "http://www.w3.org/2000/svg";
  for (const [id, sides] of Object.entries(found)) {
    const card = gallery.cards.get(id);
    for (const [side, all] of Object.entries(sides)) {
      const paper = gallery.paperOf(id, side);
      if (!paper || !card || paper.querySelector(".text-boxes")) continue;
      const layer = document.createElementNS(svg, "svg");
      layer.setAttribute("class", "text-boxes");
      layer.setAttribute("viewBox", `0 0 ${card.w} ${card.h}`);
      layer.setAttribute("preserveAspectRatio", "none");
      for (const corners of all) {
        const polygon = document.createElementNS(svg, "polygon");
        polygon.setAttribute("points", corners.map(([x, y]) => `${x},${y}`).join(" "));
        layer.append(polygon);
      }
      paper.append(layer);
    }
  }
}

export function noBoxes(ids) {
  for (const id of ids) for (const side of ["front", "back"]) gallery.paperOf(id, side)?.querySelector(".text-boxes")?.remove();
}
