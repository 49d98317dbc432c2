// Buttons for what comes next: print, look through, hand on, play.

import { ask, say } from "./net.js";
import { make, plural } from "./dom.js";
import * as card from "./card.js";

const GROUPS = {
  Print: { sheets: "Sheets as PDF", "one-pdf": "Everything in one PDF", changed: "Only what changed", rulebook: "Rulebook" },
  "Look through": { check: "Check the game", proof: "Contact sheet" },
  "Hand on": { images: "Pictures for a print shop", tts: "Tabletop Simulator" },
  Playtests: { playtest: "Play 200 games" },
};
const NAMES = Object.assign({}, ...Object.values(GROUPS));
const wish = { paper: "a4", backs: "long", ink: "normal" };
let last = null;
let parts = null;

const choice = (key, title, all) => {
  const select = make("select", { "aria-label": title, onchange: () => { wish[key] = select.value; } }, ...all.map(([value, text]) => make("option", { value }, text)));
  select.value = wish[key];
  return make("label", { class: "value" }, title, select);
};

export function show(body) {
  const progress = make("div", { class: "progress", role: "status" });
  const builds = make("div", {});
  const reports = make("div", {});
  const buttons = [];
  const group = (name, ...more) => {
    const own = Object.entries(GROUPS[name]).map(([kind, title]) => make("button", { type: "button", onclick: () => start(kind) }, title));
    buttons.push(...own);
    return make("section", { "aria-label": name }, make("h3", {}, name), ...more, make("div", { class: "buttons" }, ...own));
  };
  parts = { body, progress, builds, reports, buttons };
  const print = group("Print",
    choice("paper", "Paper", [["a4", "A4"], ["letter", "Letter"], ["a3", "A3"], ["legal", "Legal"], ["tabloid", "Tabloid"]]),
    choice("backs", "Backs", [["long", "over the long edge"], ["short", "over the short edge"], ["gutterfold", "beside a fold"], ["none", "none"]]),
    choice("ink", "Ink", [["normal", "normal"], ["low", "low"]]));
  const play = group("Playtests", make("p", { class: "hint" }, "The companion plays by itself and reports who wins, how long a game takes and which cards decide it."));
  print.append(builds);
  play.append(reports);
  body.append(progress, print, group("Look through"), group("Hand on"), play);
  told();
  list();
}

async function start(kind) {
  last = { kind, running: true, says: "begun" };
  told();
  try { await say("/work", { kind, ...wish }); } catch (error) { last = { kind, running: false, says: error.message, status: 1 }; told(); }
}

export function take(data) {
  last = { ...data };
  told();
  if (!data.running) list();
}

function told() {
  if (!parts?.body.isConnected) return;
  parts.progress.hidden = !last;
  for (const button of parts.buttons) button.disabled = Boolean(last?.running);
  if (!last) { parts.progress.replaceChildren(); return; }
  const title = make("strong", {}, NAMES[last.kind]);
  if (last.running) {
    parts.progress.replaceChildren(make("p", {}, title, ` … ${last.says}`), make("progress", {}), " ",
      make("button", { type: "button", onclick: () => say("/work-stop", {}) }, "Stop"));
    return;
  }
  const ended = last.report ? "the report is below" : last.files ? `${plural(last.files.length + (last.more ?? 0), "file")}${last.sheets ? `, ${plural(last.sheets, "sheet")}` : ""}` : last.status === 0 ? "nothing is wrong" : "did not work";
  parts.progress.replaceChildren(make("p", {}, title, `: ${ended}.`),
    last.throw_away ? make("p", {}, `Throw away ${plural(last.throw_away, "printed copy", "printed copies")}.`) : "",
    last.says ? make("pre", { class: last.status ? "bad" : "" }, last.says) : "",
    make("ul", { class: "lines" }, ...(last.files ?? []).map((file) => make("li", {}, make("a", { href: file.at, target: "_blank", rel: "noopener" }, file.name), ` ${file.state}`)),
      ...(last.problems ?? []).map((one) => make("li", {}, make("p", {}, make("strong", {}, one.code), ` ${one.what}`), one.file ? card.place(`${one.file}:${one.line ?? 0}:${one.column ?? 0}`, one.file, one.line ?? 1, one.column ?? 1) : ""))));
}

async function list() {
  const played = await ask("/reports").catch(() => []);
  if (!parts?.body.isConnected) return;
  parts.reports.replaceChildren(make("ul", { class: "lines" }, ...played.map((one) => make("li", { class: one.name === last?.report ? "newest" : "" },
    make("strong", {}, one.name), ` ${new Date(one.when * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })} `,
    ...one.files.flatMap((file) => [make("a", { href: file.at, target: "_blank", rel: "noopener" }, file.name), " "])))));
  const found = await ask("/builds").catch(() => []);
  if (!parts?.body.isConnected) return;
  parts.builds.replaceChildren(make("ul", { class: "lines" }, ...found.map((one) => make("li", {}, make("strong", {}, one.name), ` ${plural(one.sheets, "sheet")} of ${one.paper}: `,
      one.changed === null ? "choose its ink under View to compare" : one.changed ? make("span", { class: "bad" }, `${plural(one.changed, "piece")} out of date`) : "up to date"))));
}

export function changed() { if (parts?.body.isConnected) list(); }
