// The rest: people, links, what lies there otherwise, house rules, the evening, the rulebook.

import { el, inWords, numbered, score } from "./draw.js";
import { form } from "./mend.js";
import * as sheet from "./sheet.js";
import { ask, say } from "./talk.js";

const MANY = 40;

/** What the view "More" shows to somebody; `seated`: who can change things. */
export function more(state, seated, page) {
  const button = (label, text, work) => el("div", { class: "choice" }, el("button", { type: "button", class: "value", onclick: () => work().catch((error) => page.note(error.message)) }, label), el("p", { class: "text" }, text));
  const made = [
    button("The evening", "The score with its arithmetic, its course, the longest thoughts; files to keep", () => evening(page)),
    button("The rulebook", "Page by page, with the numbers of this table", () => book(page)),
  ];
  if (seated || state.may_sit) made.push(button("Links", "Codes for another phone, a screen in the middle, somebody who watches", links));
  if (seated)
    made.push(
      button("People", "Names, seats, who joins or leaves", () => people(state, page)),
      button("Something lies otherwise", "Correct what the program believes lies there", () => correct(page)),
      button("House rule", "Another number from now on", () => house(page)),
      button("Ask the table", "Show everybody what you say, and the rule", async () => (await import("./mend.js")).dispute("", page)),
    );
  return made;
}

async function links() {
  const found = await ask("/links");
  sheet.lay(
    el("h2", {}, "Links"),
    el("p", { class: "text" }, "Phones have to be in the same Wi-Fi as the machine that serves the table. Where guests are kept apart, open a hotspot on one phone and let that machine join it."),
    found.map((one) => el("figure", {}, el("figcaption", {}, one.title), el("img", { class: "code", src: one.code, alt: `Code: ${one.title}` }), el("p", { class: "link" }, one.link))),
  );
}

async function people(state, page) {
  const inputs = state.seats.map((one) => [one.seat, el("input", { value: one.person, maxlength: "60" }), one.person]);
  const changed = () => Object.fromEntries(inputs.filter(([, input, was]) => input.value.trim() !== was).map(([seat, input]) => [seat, input.value.trim()]));
  const problem = el("p", { class: "why", role: "alert" });
  const save = (rename) => async () => {
    try {
      const { what } = await say("/people", { people: changed(), rename, after: page.number() });
      sheet.away();
      page.note(what);
      await page.refresh(); // which says more on a phone whose seat has changed hands
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const lock = (seat, name) => () =>
    sheet.question(`Lock out the phones of ${name}?`, "Their links open nothing any more. Whoever sits there takes the seat again by the code of the table.", {
      "Lock out": async () => page.note((await say("/lock-out", { seat })).what),
    });
  sheet.lay(
    el("h2", {}, "People"),
    el("p", { class: "text" }, "To swap two, write both names the other way round. An empty name: nobody plays that seat."),
    inputs.map(([seat, input, name]) => el("div", { class: "person" }, el("label", {}, seat, input), el("button", { type: "button", "aria-label": `Lock out the phones of ${name}`, onclick: lock(seat, name) }, "Lock out"))),
    problem,
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "main", onclick: save(false) }, "From now on"),
      el("button", { type: "button", onclick: save(true) }, "They were named wrongly"),
    ),
  );
}

/** A list with a search field; `draw(row)` gives the button of one. */
function searched(rows, words, draw) {
  const list = el("div", { class: "values" });
  const show = (wanted) => {
    const found = rows.filter((one) => wanted.every((word) => words(one).toLowerCase().includes(word)));
    list.replaceChildren(...found.slice(0, MANY).map(draw), ...(found.length > MANY ? [el("p", { class: "text" }, `and ${found.length - MANY} more`)] : []));
  };
  show([]);
  const search = el("input", { type: "search", "aria-label": "Search", placeholder: "Search", oninput: () => show(search.value.toLowerCase().split(/\s+/).filter(Boolean)) });
  return [search, list];
}

function valueInput(value) {
  if (typeof value === "boolean") return el("select", {}, ["true", "false"].map((one) => el("option", { value: one, selected: one === String(value) }, inWords(one))));
  return el("input", typeof value === "number" ? { type: "number", inputmode: "numeric", value } : { value });
}

const read = (text, was) => (typeof was === "number" ? Number(text) : typeof was === "boolean" ? text === "true" : text);

async function correct(page) {
  const rows = await ask("/fields");
  const change = (row) =>
    form(row.label, `The program believes: ${inWords(row.value)}`, { "What really lies there": valueInput(row.value), "Why?": el("input", { required: true }) }, "Correct it", async ([value, why]) => {
      const found = await say("/correct", { field: row.field, value: read(value, row.value), why, after: page.number() });
      sheet.away();
      page.note(["Corrected.", ...found.broken.map((law) => `The pieces do not add up: ${law}`)].join(" "));
      await page.refresh();
    });
  sheet.lay(el("h2", {}, "What lies otherwise?"), searched(rows, (one) => one.label, (row) => el("button", { type: "button", class: "value", onclick: () => change(row) }, `${row.label}: ${inWords(row.value)}`)));
}

async function house(page) {
  const rows = await ask("/parameters");
  const change = (row) => {
    const from = el("input", { value: "now" });
    form(row.name, `${row.about} Now: ${inWords(row.value)}`, { "From now on": valueInput(row.value), "From which line of the log on": from }, "What would that do?", async ([value, since]) => {
      const said = { name: row.name, value: read(value, row.value), from: since, after: page.number() };
      const found = await say("/house", said);
      const text = [found.differ.length ? "These lines come out otherwise:" : "No line that was said changes."];
      if (found.differ.length) text.push(el("ul", {}, found.differ.map((one) => el("li", {}, `${one.number} ${one.text}${one.fallen ? " (no longer legal)" : ""}`))));
      text.push(...found.remarks);
      sheet.question("Make it a house rule?", text, {
        "From then on": async () => {
          page.note((await say("/house", { ...said, sure: true })).what);
          await page.refresh();
        },
      });
    });
  };
  sheet.lay(el("h2", {}, "Which number?"), searched(rows, (one) => `${one.name} ${one.about}`, (row) => el("button", { type: "button", class: "value", onclick: () => change(row) }, ...numbered(row))));
}

const span = (seconds) => (seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`);

/** The page of the evening. */
export async function evening(page) {
  const found = await ask("/evening");
  const keep = (label, form_) =>
    el("button", {
      type: "button",
      onclick: async () => {
        const file = await ask("/export", { form: form_ });
        const link = el("a", { href: URL.createObjectURL(new Blob([file.text])), download: file.name });
        link.click();
        URL.revokeObjectURL(link.href);
      },
    }, label);
  sheet.lay(
    el("h2", {}, found.over ? `${found.title}: the evening` : `${found.title} so far`),
    el("p", { class: "text" }, `${span(found.seconds)} of play, ${found.moves} moves${found.overrides ? `, ${found.overrides} against the rules or corrected` : ""}`),
    score(found.score, page.openRule),
    found.course.length > 1
      ? el("div", { class: "grid", tabindex: "0", role: "region", "aria-label": "Course of the score" }, el("table", {},
          el("thead", {}, el("tr", {}, el("td"), found.seats.map((one) => el("th", { scope: "col" }, one.person)))),
          el("tbody", {}, found.course.map((row) => el("tr", {}, el("th", { scope: "row" }, row.title), found.seats.map((one) => el("td", { class: "number" }, String(row.totals[one.seat] ?? ""))))))))
      : "",
    found.thoughts.length ? [el("h3", {}, "Longest thoughts"), el("ul", {}, found.thoughts.map((one) => el("li", {}, `${span(one.seconds)} before line ${one.line}: ${one.words}`)))] : "",
    found.rules.length ? [el("h3", {}, "Most asked rules"), el("ul", {}, found.rules.map((one) => el("li", {}, el("button", { type: "button", class: "rule", onclick: () => page.openRule(one.id) }, one.id), ` ${one.title}, ${one.n}×`)))] : "",
    el("div", { class: "row" }, found.text ? keep("Keep it as text", "text") : "", found.over ? keep("Keep it for BG Stats", "bgstats") : ""),
  );
}

/** The rulebook, page by page. */
export async function book(page) {
  sheet.lay(el("h2", {}, "The rulebook"), el("p", {}, "One moment: the book is being made…"));
  let pages;
  try {
    pages = await ask("/book");
  } catch (error) {
    sheet.away();
    return page.note(error.message);
  }
  let at = 0;
  const picture = el("img", { class: "leaf", alt: "" });
  const chapters = el("select", { "aria-label": "Page", onchange: () => turn(Number(chapters.value)) }, pages.map((one, n) => el("option", { value: n }, `${n + 1} ${one.title}`)));
  const turn = (n) => {
    at = Math.max(0, Math.min(pages.length - 1, n));
    picture.src = `/face/${pages[at].face}.webp`;
    picture.alt = `Page ${at + 1} of the rulebook ${pages[at].title}`;
    chapters.value = String(at);
  };
  sheet.away();
  sheet.lay(
    el("h2", {}, "The rulebook"),
    el("div", { class: "row leafing" }, el("button", { type: "button", "aria-label": "The page before", onclick: () => turn(at - 1) }, "‹"), chapters, el("button", { type: "button", "aria-label": "The next page", onclick: () => turn(at + 1) }, "›")),
    picture,
  );
  return turn(0);
}
