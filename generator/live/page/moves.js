// A move tried beside the faces: the companion judges it by the rules as they stand on this page.

import { say } from "./net.js";
import { make } from "./dom.js";
import { changes } from "./parameters.js";

const kept = { seats: "", position: "", before: "", line: "" };

export function show(body) {
  const seats = make("input", { type: "text", value: kept.seats, placeholder: "as the game begins" });
  const position = make("textarea", { rows: 4, spellcheck: "false", placeholder: "YAML of a position; a new table if empty" });
  const before = make("textarea", { rows: 4, spellcheck: "false", placeholder: "one move to a line" });
  const line = make("input", { type: "text", value: kept.line, autocomplete: "off", spellcheck: "false", placeholder: "as you would say it at the table" });
  const verdict = make("div", { class: "verdict", "aria-live": "polite" });
  position.value = kept.position;
  before.value = kept.before;
  const judge = async (event) => {
    event?.preventDefault();
    Object.assign(kept, { seats: seats.value, position: position.value, before: before.value, line: line.value });
    let told;
    verdict.replaceChildren(make("p", { class: "hint" }, "The companion is judging …"));
    try {
      told = await say("/judge", {
        line: line.value, position: position.value, sets: changes(),
        seats: seats.value.split(/[\s,]+/).filter(Boolean), before: before.value.split("\n").map((one) => one.trim()).filter(Boolean),
      });
    } catch (error) { verdict.replaceChildren(make("p", { class: "bad" }, error.message)); return; }
    const play = make("button", { type: "button", onclick: () => { before.value = `${before.value.trim()}\n${line.value}`.trim(); line.value = ""; verdict.replaceChildren(); line.focus(); } }, "Play it and go on");
    verdict.replaceChildren(
      make("pre", { class: told.legal === true ? "good" : told.legal === false ? "bad" : "" }, told.text),
      told.legal === true ? play : "",
      ...told.rules.map((rule) => make("p", { class: "rule" }, make("strong", {}, `${rule.id} ${rule.title}`), make("br"), rule.text)));
  };
  const note = Object.keys(changes()).length ? make("p", { class: "hint" }, "Judged with the values tried under Parameters.") : "";
  body.append(make("p", { class: "hint" }, "The companion judges a move by the rules and numbers on this page. Nothing is recorded."), make("form", { class: "move", onsubmit: judge },
    make("label", {}, "Move", line), make("button", { type: "submit", class: "main" }, "May I?"), note, verdict,
    make("label", {}, "Moves before it", before),
    make("label", {}, "Seats", seats),
    make("label", {}, "Position", position)));
  line.focus();
}
