// A new table: choose, name, begin. Then the pages of the table take the place of this one.

import { el, inWords, numbered } from "./draw.js";
import { ask, say, ticket } from "./talk.js";

const at = (id) => document.getElementById(id);
const MANY = 12;
let game = null;
let numbers = null;
const rules = new Map();

async function begin() {
  try {
    const games = await ask("/games");
    at("games").append(...games.map((one, n) => el("label", { class: "pick" }, el("input", { type: "radio", name: "game", value: one.id, onchange: () => choose(one) }), el("span", {}, el("b", {}, one.title), el("small", {}, ` ${span(...one.players)} players`)))));
    if (games.length === 1) at("games").querySelector("input").click();
  } catch (error) {
    at("problem").textContent = error.message;
  }
}

const span = (low, high) => (low === high ? String(low) : `${low} to ${high}`);

function choose(one) {
  game = one;
  numbers = null;
  rules.clear();
  at("about").textContent = one.about;
  for (const id of ["people", "further", "begin"]) at(id).hidden = false;
  const variants = Object.entries(one.variants);
  at("variants").hidden = !variants.length;
  at("variants").replaceChildren(at("variants").firstElementChild, ...variants.map(([name, title]) => el("label", { class: "pick" }, el("input", { type: "checkbox", name: "variant", value: name, onchange: () => ((numbers = null), drawNumbers()) }), el("span", {}, title))));
  const many = Math.max(one.players[0], Math.min(one.players[1], 3));
  at("people").replaceChildren(at("people").firstElementChild, ...Array.from({ length: many }, (_, n) => person(n)), adder());
  drawRules();
  drawNumbers();
}

function person(n) {
  const seats = game.seats.length
    ? el("select", { "aria-label": `Seat of player ${n + 1}`, class: "seat" }, game.seats.map((seat, at_) => el("option", { selected: at_ === n }, seat)))
    : "";
  return el(
    "div",
    { class: "person" },
    el("label", {}, `Player ${n + 1}`, el("input", { class: "name", maxlength: "60", autocapitalize: "words" })),
    seats,
    n >= game.players[0] ? el("button", { type: "button", "aria-label": `Player ${n + 1} does not play`, onclick: (event) => (event.target.closest(".person").remove(), at("people").append(adder())) }, "−") : "",
  );
}

function adder() {
  at("people").querySelector(".adds")?.remove();
  const there = at("people").querySelectorAll(".person").length;
  if (game && there >= game.players[1] && there) return "";
  return el("button", { type: "button", class: "adds", onclick: () => at("people").append(person(at("people").querySelectorAll(".person").length), adder()) }, "One more player");
}

const chosen = () => [...at("variants").querySelectorAll("input:checked")].map((one) => one.value);

/** The numbers that a house rule can change: by what they belong to, or those that are searched for. */
async function drawNumbers() {
  if (!game || !at("further").open) return;
  try {
    numbers ??= await say("/numbers", { game: game.id, variants: chosen() });
  } catch (error) {
    at("numbers").replaceChildren(el("p", { class: "why" }, error.message));
    return;
  }
  const words = at("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = (some) => el("div", { class: "values" }, some.map((one) => el("button", { type: "button", class: "value", onclick: () => (rules.set(one.name, one), drawRules(), drawNumbers()) }, ...numbered(one))));
  const rest = numbers.filter((one) => !rules.has(one.name));
  if (words.length) {
    at("numbers").replaceChildren(list(rest.filter((one) => words.every((word) => `${one.name} ${one.about}`.toLowerCase().includes(word))).slice(0, MANY)));
    return;
  }
  const groups = new Map();
  for (const one of rest) {
    const [part] = one.name.split(".");
    groups.set(part, [...(groups.get(part) ?? []), one]);
  }
  at("numbers").replaceChildren(...[...groups].map(([name, some]) => el("details", {}, el("summary", {}, `${name} (${some.length})`), list(some))));
}

at("search").addEventListener("input", drawNumbers);
at("further").addEventListener("toggle", drawNumbers);

/** What a number of the rules is set to, by taps. */
function setter(one) {
  const is = one.now ?? one.value;
  if (typeof one.value === "boolean")
    return el("select", { "aria-label": one.name, onchange: (event) => (one.now = event.target.value) }, [true, false].map((way) => el("option", { value: String(way), selected: String(is) === String(way) }, inWords(way))));
  if (typeof one.value !== "number") return el("input", { "aria-label": one.name, value: is, oninput: (event) => (one.now = event.target.value) });
  const input = el("input", { "aria-label": one.name, type: "number", inputmode: "numeric", value: is, oninput: (event) => (one.now = event.target.value) });
  const by = (n) => () => (one.now = input.value = Number(input.value) + n);
  return [el("button", { type: "button", "aria-label": `${one.name}: less`, onclick: by(-1) }, "−"), input, el("button", { type: "button", "aria-label": `${one.name}: more`, onclick: by(1) }, "+")];
}

function drawRules() {
  at("rules").replaceChildren(
    ...[...rules.values()].map((one) =>
      el(
        "li",
        {},
        el("p", {}, `${one.about.replace(/\.$/, "") || one.name}: otherwise ${inWords(one.value)}`),
        el("div", { class: "row" }, setter(one), el("button", { type: "button", onclick: () => (rules.delete(one.name), delete one.now, drawRules(), drawNumbers()) }, "As in the rules")),
      ),
    ),
  );
}

at("wanted").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("problem").textContent = "";
  const people = [...at("people").querySelectorAll(".person")].map((one, n) => {
    const name = one.querySelector(".name").value.trim();
    const seat = one.querySelector(".seat")?.value;
    return seat ? `${seat}=${name}` : name || `Player ${n + 1}`;
  });
  const file = at("position").files[0];
  const sets = [...rules.values()].filter((one) => one.now !== undefined && String(one.now) !== String(one.value)).map((one) => `${one.name}=${one.now}`);
  const options = at("options").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const wanted = { game: game.id, people, variants: chosen(), sets, options, table: at("table").value.trim(), position: file ? await file.text() : "" };
  at("begin").disabled = true;
  try {
    const { table } = await say("/begin", wanted);
    at("wanted").replaceChildren(el("p", { role: "status" }, `The table ${table} begins…`));
    await itself();
  } catch (error) {
    at("problem").textContent = error.message;
    at("begin").disabled = false;
  }
});

/** Wait until the pages of the table are there, and open them by the same link. */
async function itself() {
  for (let n = 0; n < 60; n += 1) {
    await new Promise((done) => setTimeout(done, 300));
    const found = await fetch("/state", { headers: { "x-ticket": ticket() } }).catch(() => null);
    if (found?.ok) return location.reload();
  }
  throw new Error("The table has begun, but its page does not come. Scan the code in the terminal again.");
}

begin();
