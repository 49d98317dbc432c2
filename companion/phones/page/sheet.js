// A sheet over the page: a rule, a card looked at closely, a question. What was open below it comes back.

import { el } from "./draw.js";

const box = document.getElementById("sheet");
const inside = document.getElementById("sheet-inside");
let below = [];

/** Lay a sheet over the page; one that is open waits below it. */
export function lay(...nodes) {
  if (box.open) below.push([...inside.childNodes]);
  else below = [];
  show(nodes);
}

/** Take the sheets away. */
export function away() {
  below = [];
  if (box.open) box.close();
}

function show(nodes) {
  inside.replaceChildren(...nodes.flat().filter(Boolean));
  document.getElementById("sheet-back").hidden = !below.length;
  const title = inside.querySelector("h2");
  if (title) {
    title.id = "sheet-title";
    box.setAttribute("aria-labelledby", "sheet-title");
  }
  if (!box.open) box.showModal();
  inside.scrollTop = 0;
}

/** Ask something that is answered by one of some buttons: label -> what it does. */
export function question(title, text, answers) {
  const buttons = Object.entries(answers).map(([label, work], n) =>
    el("button", { type: "button", class: n ? "" : "main", onclick: () => (away(), work()) }, label),
  );
  lay(el("h2", {}, title), ...[text].flat().map((one) => (typeof one === "string" ? el("p", {}, one) : one)), el("div", { class: "row" }, buttons));
}

document.getElementById("sheet-back").addEventListener("click", () => show(below.pop()));
document.getElementById("sheet-close").addEventListener("click", away);
box.addEventListener("click", (event) => event.target === box && away());
box.addEventListener("close", () => (below = []));
