// Parameters as fields: try another number, see what would change, and keep it or drop it.

import { ask, say } from "./net.js";
import { make, plural, soon } from "./dom.js";
import * as gallery from "./gallery.js";
import * as card from "./card.js";

const tried = new Map();            // name of a value -> what was typed
let found = null;                   // the parameters
let body = null;
let ink = "normal";
let results = null;
let turn = 0;
let words = "";

export async function show(where, with_) {
  body = where;
  ink = with_;
  body.append(make("p", { class: "hint" }, "Reading the parameters …"));
  try { found = await ask("/parameters"); } catch (error) { body.replaceChildren(make("p", {}, error.message)); return; }
  const filter = make("input", { type: "search", placeholder: "Find a parameter", "aria-label": "Find a parameter", value: words });
  const list = make("div", { class: "parameters" });
  results = make("div", { class: "results", "aria-live": "polite" });
  filter.addEventListener("input", () => { words = filter.value; fill(list); });
  body.replaceChildren(filter, results, list);
  fill(list);
  if (tried.size) run();
}

function fill(list) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = found.filter((one) => wanted.every((word) =>
    `${one.name} ${one.about} ${one.rules.map((rule) => `${rule.id} ${rule.title}`).join(" ")}`.toLowerCase().includes(word)));
  list.replaceChildren();
  let group = "";
  for (const one of fits) {
    const own = one.name.split(".")[0];
    if (own !== group && found.length > GROUPED) list.append(make("h3", {}, own.replaceAll("_", " ")));
    group = own;
    const alone = one.values.length === 1 && !one.values[0].label;
    list.append(make("div", { class: "parameter", role: "group", "aria-label": one.name },
      alone ? field(one, one.values[0], one.name) : make("strong", {}, one.name),
      make("p", { class: "hint" }, one.about),
      ...(alone ? [] : one.values.map((value) => field(one, value, value.label || "value"))),
      one.rules.length > 0 && make("p", { class: "hint small" }, one.rules.map((rule) => `${rule.id} ${rule.title}`).join(" · "))));
  }
  if (!fits.length) list.append(make("p", { class: "hint" }, found.length ? "No parameter fits." : "This game has no parameters yet: they stand in its game.yaml."));
}

const GROUPED = 12;     // parameters from which their first words are headings

function field(parameter, value, label) {
  const now = tried.get(value.name) ?? value.value;
  const change = (said) => {
    if (said === value.value) tried.delete(value.name); else tried.set(value.name, said);
    input.classList.toggle("tried", tried.has(value.name));
    later();
  };
  let input;
  if (parameter.choices.length || value.value === "true" || value.value === "false") {
    const all = parameter.choices.length ? parameter.choices : ["true", "false"];
    input = make("select", { "aria-label": value.name }, ...all.map((one) => make("option", { value: one }, one)));
    input.value = now;
    input.addEventListener("change", () => change(input.value));
  } else {
    const number = /^-?\d+(\.\d+)?$/.test(value.value);
    input = make("input", { "aria-label": value.name, type: number ? "number" : "text", value: now, step: number && value.value.includes(".") ? "any" : null,
      min: parameter.min, max: parameter.max });
    input.addEventListener("input", () => { if (input.value !== "") change(input.value); });
  }
  input.classList.toggle("tried", tried.has(value.name));
  return make("label", { class: "value" }, make("span", {}, label), input);
}

const later = soon(run, 120);

async function run() {
  const own = ++turn;
  mark([]);
  if (!tried.size) { results.replaceChildren(); return; }
  let told;
  try { told = await say("/try", { sets: Object.fromEntries(tried), ink }); } catch (error) {
    if (own === turn) results.replaceChildren(make("p", { class: "bad" }, error.message), drop());
    return;
  }
  if (own !== turn) return;
  mark(told.cards);
  const summary = [plural(told.cards.length, "piece"), plural(told.rules.length, "rule"), plural(told.rulings.length, "ruling")];
  const title = make("input", { type: "text", placeholder: "Name of the variant", "aria-label": "Name of the variant", maxlength: 60 });
  const note = make("p", { role: "status", class: "hint" });
  const done = (text, file) => { note.replaceChildren(text, " ", file ? card.place(file, file, 1, 1) : ""); };
  const keep = async () => {
    try { const made = await say("/keep", { sets: Object.fromEntries(tried), title: title.value }); done("Kept as", made.file); } catch (error) { done(error.message); }
  };
  const write = async () => {
    try {
      const made = await say("/write", { sets: Object.fromEntries(tried) });
      tried.clear(); mark([]); ++turn;
      results.replaceChildren(make("p", { role: "status" }, "Written to ", card.place(made.file, made.file, 1, 1)));
    } catch (error) { done(error.message); }
  };
  results.replaceChildren(
    make("p", { class: "summary" }, make("strong", {}, summary.join(", ")), " would change. ",
      told.printed === null ? "Nothing is recorded as printed." : `${plural(told.printed, "printed copy", "printed copies")} would be thrown away.`),
    make("p", { class: "hint" }, [...tried].map(([name, value]) => `${name} = ${value}`).join(", ")),
    make("div", { class: "row" }, make("button", { type: "button", class: "main", onclick: write }, "Write to game.yaml"), drop()),
    make("div", { class: "row" }, title, make("button", { type: "button", onclick: keep }, "Keep as a variant")),
    note,
    faces(told),
    listed("Copies", told.copies.map((one) => [one.id, String(one.before), String(one.after)])),
    listed("Rules", told.rules.map((one) => [`${one.id} ${one.title}`, one.before, one.after])),
    listed("Rulings", told.rulings.map((one) => [one.question, one.before, one.after])));
}

function drop() {
  return make("button", { type: "button", onclick: () => { tried.clear(); ++turn; mark([]); results.replaceChildren(); fill(body.querySelector(".parameters")); } }, "Drop");
}

function mark(ids) {
  for (const old of document.querySelectorAll(".tile.would")) old.classList.remove("would");
  for (const id of ids) gallery.tileOf(id)?.classList.add("would");
}

function listed(title, rows) {
  if (!rows.length) return "";
  return make("details", { class: "changes" }, make("summary", {}, `${title} (${rows.length})`),
    ...rows.map(([name, before, after]) => make("div", { class: "change" }, make("strong", {}, name),
      before && make("del", {}, before), make("ins", {}, after))));
}

// The faces before and after, behind one slider.
function faces(told) {
  const slider = make("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": "Before and after" });
  const list = make("div", { class: "compared" });
  slider.addEventListener("input", () => list.style.setProperty("--cut", `${slider.value}%`));
  list.style.setProperty("--cut", "50%");
  const put = (all) => {
    for (const [id, sides] of Object.entries(all)) {
      const one = gallery.cards.get(id);
      if (!one) continue;
      for (const [side, { before, after }] of Object.entries(sides)) {
        const paper = make("div", { class: `paper ${one.shape}` });
        for (const key of ["w", "h", "bleed", "safe", "corner"]) paper.style.setProperty(`--${key}`, one[key]);
        if (after) for (const [digest, when] of [[before, "before"], [after, "after"]]) {
          paper.append(make("div", { class: `cut ${when}` }, make("img", { src: `/face/${digest}.svg`, alt: `${one.name}, ${side}, ${when}` })));
        } else paper.append(make("p", { class: "bad" }, "cannot be drawn so"));
        list.append(make("figure", {}, paper, make("figcaption", {}, one.name)));
      }
    }
  };
  put(told.faces);
  const missing = told.cards.filter((id) => !told.faces[id] && gallery.cards.has(id));
  const more = make("button", { type: "button", onclick: async () => {
    put(await say("/try-more", { cards: missing.splice(0, 12) }));
    more.hidden = !missing.length;
    more.textContent = `Show more (${missing.length})`;
  } }, `Show more (${missing.length})`);
  more.hidden = !missing.length;
  if (!told.cards.length) return "";
  return make("div", {}, make("div", { class: "slider" }, make("span", {}, "before"), slider, make("span", {}, "after")), list, more);
}

// The values that are tried now.
export const changes = () => Object.fromEntries(tried);

export function changed() { if (body?.isConnected && tried.size) later(); }
