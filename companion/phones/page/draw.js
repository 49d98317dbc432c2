// Drawing: elements, sections of the table, lines of the log, verdicts, rules.

/** An element with attributes and children; a text stays a text. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const RULE = /\[([A-Z]{2,3}-[A-Z0-9-]+)\]/g;

/** A sentence in which every rule id opens its rule. */
export function sentence(text, openRule) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(RULE)) {
    parts.push(text.slice(from, found.index));
    parts.push(ruleButton(found[1], openRule));
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}

export function ruleButton(id, openRule) {
  return el("button", { type: "button", class: "rule", onclick: () => openRule(id) }, id);
}

/** What lies on the table: tables and lines. `tell` reads out what only one may know. */
export function sections(all, tell) {
  return all.map((one) =>
    one.titles
      ? el(
          "div",
          { class: "grid", tabindex: "0", role: "region", "aria-label": one.own ? "Only you see this" : `The table: ${one.titles.filter(Boolean)[0] ?? ""}` },
          el(
            "table",
            { class: one.own ? "own" : "" },
            el("thead", {}, el("tr", {}, one.titles.map((title, n) => (title ? el("th", { scope: "col", class: one.rows.some((row) => typeof row[n] === "number") ? "number" : "" }, title) : el("td"))))),
            el(
              "tbody",
              {},
              one.rows.map((row) =>
                el(
                  "tr",
                  { class: one.marked.includes(row[0]) ? "marked" : "" },
                  row.map((cell, n) =>
                    n === 0
                      ? el("th", { scope: "row" }, String(cell))
                      : el("td", { class: typeof cell === "number" ? "number" : "" }, cell === "." ? nothing() : String(cell)),
                  ),
                ),
              ),
            ),
          ),
        )
      : own(one, tell),
  );
}

/** A dot for the eye, a word for the ear. */
const nothing = () => [el("span", { "aria-hidden": "true" }, "."), el("span", { class: "unseen" }, "none")];

function own(one, tell) {
  const drawn = one.lines.some((line) => /\S {2,}|[|+]-|^ /.test(line)); // a board of characters, not sentences
  const text = drawn
    ? el("pre", { tabindex: "0" }, one.lines.join("\n"))
    : el("div", {}, one.lines.map((line) => el("p", {}, line)));
  if (!one.own) return text;
  const shown = el("div", { class: "secret", hidden: true }, text);
  const hold = el("button", { type: "button", class: "hold", "aria-expanded": "false" }, "Hold to see what only you know");
  const show = (seen) => {
    shown.hidden = !seen;
    hold.setAttribute("aria-expanded", String(seen));
  };
  hold.addEventListener("click", () => tell(one.lines.join(". "))); // a screen reader cannot hold
  for (const begin of ["pointerdown", "keydown"]) hold.addEventListener(begin, () => show(true));
  for (const end of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) hold.addEventListener(end, () => show(false));
  document.addEventListener("visibilitychange", () => show(false));
  return el("div", {}, hold, shown);
}

/** Lines of the log, the latest first. `mend(row)`: sets one right. */
export function lines(rows, openRule, mend) {
  return rows
    .toReversed()
    .map((row) =>
      el(
        "li",
        { value: row.number, class: row.kept ? "kept" : row.kind },
        el("p", { class: "said" }, plainly(row.text), row.by ? el("small", {}, ` (said by ${row.by})`) : "", mend ? el("button", { type: "button", class: "rule", "aria-label": `Set line ${row.number} right`, onclick: () => mend(row) }, "✎") : ""),
        row.kept ? el("p", { class: "why" }, `Kept against the rules: ${row.kept}`) : "",
        row.events.length
          ? el("ul", {}, row.events.map((event) => el("li", {}, sentence(event, openRule))))
          : "",
      ),
    );
}

/** Why the rules forbid something. */
export function reasonsOf(reasons, openRule) {
  return (reasons ?? []).flatMap((reason) => [
    el("p", { class: "why" }, `${reason.why} `, reason.rule ? ruleButton(reason.rule, openRule) : ""),
    reason.text ? el("p", { class: "text" }, `${reason.title}: ${reason.text}`) : "",
  ]);
}

/** What the rules say of a line. */
export function verdict(found, openRule, { recorded, sayAgain, keep, dispute } = {}) {
  const head =
    found.legal === true
      ? recorded === false
        ? "Yes, you may"
        : found.recorded === false
          ? "That has been done; nothing more is recorded"
          : "Done"
      : found.legal === false
        ? "No"
        : found.of
          ? `A question for ${found.of}`
          : "One more thing";
  const kind = found.legal === true ? "good" : found.legal === false ? "bad" : "open";
  const parts = [el("h2", {}, head), found.line ? el("p", { class: "said" }, plainly(found.line)) : ""];
  if (found.question) parts.push(el("p", {}, found.question));
  if (found.answers?.length && sayAgain)
    parts.push(
      el(
        "div",
        { class: "values" },
        found.answers.map((one) => el("button", { type: "button", class: "value", onclick: () => sayAgain(one) }, one)),
      ),
    );
  parts.push(...reasonsOf(found.reasons, openRule));
  if (found.events?.length) parts.push(el("ul", {}, found.events.map((event) => el("li", {}, sentence(event, openRule)))));
  if (found.legal_instead?.length) parts.push(el("p", { class: "text" }, `Legal: ${found.legal_instead.join(" · ")}`));
  if (found.legal === false && keep)
    parts.push(
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", onclick: keep }, "We keep it all the same…"),
        el("button", { type: "button", onclick: dispute }, "Ask the table…"),
      ),
    );
  return el("div", { class: `verdict ${kind}` }, parts);
}

/** Why nothing came of something, and what may be meant. */
export const trouble = (error, take) => el("div", { class: "verdict bad" }, error.message.split("\n").map((line) => el("p", {}, line)), meant(error, take));

/** What a line that cannot be read may mean, each on a button. `take({line, moves})` says it. */
export function meant(error, take) {
  const button = (one) => el("button", { type: "button", class: "value", onclick: () => take(one) }, plainly(one.line), one.left ? el("small", {}, ` not heard: “${one.left}”`) : "");
  return error.meant?.length ? [el("p", {}, "Is this meant?"), el("div", { class: "values wholes" }, error.meant.map(button))] : [];
}

/** A value as people say it. */
export const inWords = (value) => ({ true: "yes", false: "no" })[value] ?? value;

/** A number of the rules: what it counts, what it is, and its name. */
export const numbered = (row) => [`${row.about.replace(/\.$/, "") || row.name}: `, el("b", {}, String(inWords(row.value))), el("small", { class: "name" }, row.name)];

/** A line as people read it: names of several words are typed with `_` between them. */
export const plainly = (line) => line.replaceAll("_", " ");

/** A sentence without what it says to typists. */
export const spoken = (text) => text.replace(/ \(type\b[^)]*\)/g, "");

/** A rule, ruling or card that answers a question. */
export function answer(one, openRule) {
  return el(
    "article",
    { class: "rule-text" },
    el("h2", {}, one.title),
    el("p", {}, one.text),
    el("p", {}, one.rules.filter((id) => id !== one.id || one.kind === "rule").map((id) => ruleButton(id, openRule))),
  );
}

/** One rule in full. */
export function rule(found, openRule) {
  const sums = Object.entries(found.parameters).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return el(
    "article",
    { class: "rule-text" },
    el("h2", {}, `${found.id} ${found.title}`),
    el("p", { class: "text" }, found.section),
    el("p", {}, found.text),
    found.off ? el("p", { class: "why" }, "This rule is switched off at this table.") : "",
    sums.length ? el("p", { class: "text" }, sums.join(", ")) : "",
    found.pieces.length ? el("p", { class: "text" }, `Pieces: ${found.pieces.join(", ")}`) : "",
    found.rulings.map((ruling) => el("details", {}, el("summary", {}, ruling.question), el("p", {}, ruling.answer))),
  );
}

/** The score with its arithmetic. */
export function score(found, openRule) {
  return el(
    "div",
    { class: "verdict good" },
    el("h2", {}, found.winners.length ? `${found.winners.join(" and ")} won` : "The score"),
    el("p", {}, found.reason),
    found.places.map((one) =>
      el(
        one.lines.length ? "details" : "div",
        one.lines.length ? { open: one.place === 1 } : {},
        el(one.lines.length ? "summary" : "p", {}, `${one.place}. ${one.person}: ${one.total}`),
        el("ul", {}, one.lines.map((line) => el("li", {}, el("b", {}, `${line.points > 0 ? "+" : ""}${line.points}`), ` ${line.what} `, line.rule ? ruleButton(line.rule, openRule) : ""))),
      ),
    ),
  );
}
