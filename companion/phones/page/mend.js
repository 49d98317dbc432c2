// Setting the record right: what a change would do is said before it is done.

import { el, meant, reasonsOf, ruleButton, verdict } from "./draw.js";
import * as sheet from "./sheet.js";
import { ask, say } from "./talk.js";

/** A form in a sheet: fields are elements; `work(values)` runs when it is sent. `line`: the field with a line. */
export function form(title, text, fields, send, work, line = null) {
  const problem = el("div", { class: "why", role: "alert" });
  const again = (one) => {
    line.value = one.line;
    made.requestSubmit();
  };
  const sends = el("button", { type: "submit", class: "main" }, send);
  const made = el(
    "form",
    { autocomplete: "off" },
    Object.entries(fields).map(([label, input]) => el("label", {}, label, input)),
    problem,
    el("div", { class: "row" }, sends),
  );
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sends.disabled) return;
    sends.disabled = true;
    try {
      await work(Object.values(fields).map((input) => input.value.trim()));
    } catch (error) {
      problem.replaceChildren(error.message, ...(line ? meant(error, again) : []));
    } finally {
      sends.disabled = false;
    }
  });
  sheet.lay(el("h2", {}, title), [text].flat().map((one) => (typeof one === "string" ? el("p", {}, one) : one)), made);
  Object.values(fields)[0]?.focus();
}

/** Take the last line back, after saying what that would reveal. */
export async function undo(page) {
  const { what, shown } = await ask("/undoing");
  if (!what) return page.note("There is nothing to undo.");
  const text = [what];
  if (shown.length) text.push(el("p", {}, "It showed something hidden, which stays seen:"), el("ul", {}, shown.map((one) => el("li", {}, one))));
  text.push("Everybody is told that you did.");
  return sheet.question("Undo the last line?", text, {
    Undo: async () => {
      try {
        page.note(`Undone: ${(await say("/undo", { after: page.number() })).what}`, [["Bring it back", () => say("/redo", { after: page.number() })]]);
      } catch (error) {
        page.note(error.message);
      }
      await page.refresh();
    },
  });
}

/** What can be done with a line of the log. */
export function line(row, page) {
  const amend = (how, text) => {
    const input = el("input", { value: how === "replace" ? row.text : "", autocapitalize: "off", spellcheck: "false" });
    form(text, how === "replace" ? "Say what really happened, as you would have typed it." : `It goes before line ${row.number}.`, { "What happened": input }, "What would that do?", ([said]) =>
      tryIt(row, how, said, page),
      input,
    );
  };
  const buttons = {};
  if (row.kind === "move") buttons["It was another move"] = () => amend("replace", `Line ${row.number}: ${row.text}`);
  buttons["A line is missing before it"] = () => amend("insert", `Before line ${row.number}`);
  buttons["It never happened"] = () => tryIt(row, "drop", "", page).catch((error) => page.note(error.message));
  sheet.question(`Line ${row.number}`, row.text, buttons);
}

async function tryIt(row, how, said, page) {
  const change = { number: row.number, how, line: said, after: page.number() };
  const found = await say("/amend", change);
  if (!found.done) {
    sheet.lay(verdict(found.verdict, page.openRule));
    return;
  }
  const text = found.verdict ? [verdict(found.verdict, page.openRule, { recorded: false })] : [];
  text.push(...fate(found.stand, found.fallen));
  sheet.question(how === "drop" ? `Drop line ${row.number}?` : how === "insert" ? `Insert it before line ${row.number}?` : `Change line ${row.number}?`, text, {
    "Record it": async () => {
      try {
        await say("/amend", { ...change, sure: true });
        page.note("Recorded. One undo takes it back.");
      } catch (error) {
        page.note(error.message);
      }
      await page.refresh();
    },
  });
}

function fate(stand, rows) {
  const many = (n) => `${n} later ${n === 1 ? "line stands" : "lines stand"}.`;
  if (!rows.length && !stand) return [el("p", {}, "Nothing was said after it.")];
  if (!rows.length) return [el("p", {}, many(stand))];
  return [
    el("p", {}, `${many(stand)} These would not:`),
    el("ul", {}, rows.map((one) => el("li", {}, `${one.number} ${one.text}`, one.why.map((why) => el("p", { class: "why" }, why))))),
  ];
}

/** Keep a refused line all the same: the others are asked. */
export function keep(words, page) {
  form("Keep it against the rules?", "It is marked in the log and in the score. The others have to agree on their phones.", { "Why does the table keep it?": el("input", { required: true }) }, "Ask the others", async ([why]) => {
    const found = await say("/propose", { ...words, why });
    sheet.away();
    if (found.waits_for) page.clear(); // it stands above, with who has to agree
    else page.note(found.recorded ? "Kept." : (found.question ?? "That could not be kept."));
    await page.refresh();
  });
}

/** Say something in a dispute, with a rule. */
export function dispute(rule, page) {
  const id = el("input", { value: rule ?? "", autocapitalize: "characters", placeholder: "Its id, if you know it" });
  form("What do you say?", "Everybody sees it, with the rule that you name.", { "In your words": el("input"), "The rule you mean": id }, "Show it to everybody", async ([words, named]) => {
    await say("/dispute", { words, rule: named });
    sheet.away();
    await page.refresh();
  });
}

/** What lies before everybody: lines that wait for consent, and a dispute. */
export function board(found, seated, page) {
  const answer = async (id, yes) => {
    try {
      await say("/consent", { id, yes });
    } catch (error) {
      page.note(error.message);
    }
    await page.refresh();
  };
  const button = (label, work, kind = "") => el("button", { type: "button", class: kind, onclick: work }, label);
  const made = found.proposals.map((one) =>
    el(
      "section",
      { class: "verdict open" },
      el("h2", {}, `${one.by} would keep: ${one.line}`),
      el("p", {}, one.why),
      reasonsOf(one.reasons, page.openRule),
      el("p", { class: "text" }, `Waiting for ${one.waits_for.join(", ")}`),
      el(
        "div",
        { class: "row" },
        one.asks_me ? [button("I agree", () => answer(one.id, true), "main"), button("No", () => answer(one.id, false))] : "",
        one.mine ? button("Take it back", () => answer(one.id, false)) : "",
      ),
    ),
  );
  if (found.dispute.length)
    made.push(
      el(
        "section",
        { class: "verdict open" },
        el("h2", {}, "The table is asked"),
        found.dispute.map((side) =>
          el(
            "blockquote",
            {},
            el("p", {}, el("b", {}, `${side.by}: `), side.words),
            side.rule ? el("p", { class: "text" }, ruleButton(side.rule.id, page.openRule), ` ${side.rule.title}: ${side.rule.text}`) : "",
          ),
        ),
        seated
          ? el(
              "div",
              { class: "row" },
              button("Say something", () => dispute("", page)),
              button("It is settled", () =>
                form("What did the table decide?", "It is noted in the log; left empty, nothing is.", { Decision: el("input") }, "Settled", async ([settled]) => {
                  await say("/dispute", { settled });
                  sheet.away();
                  await page.refresh();
                }),
              ),
            )
          : "",
      ),
    );
  return made;
}
