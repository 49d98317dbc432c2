// The line that is typed, notes, and questions to the rules: what a finger writes rather than taps.

import { answer, el, trouble, verdict } from "./draw.js";
import { undo } from "./mend.js";
import { tell } from "./signs.js";
import { ask, say } from "./talk.js";
import { open } from "./views.js";

const at = (id) => document.getElementById(id);
const MOST_WORDS = 12;

/** Bring the fields of a page to life. */
export function typing(page) {
  /** Commands of `companion play` that are said on the line, too. */
  const COMMANDS = {
    undo: () => undo(page),
    redo: () => say("/redo", { after: page.number() }),
    note: (words) => say("/note", { text: words }),
    rule: (words) => page.openRule(words),
    ask: (words) => lookUp(words),
  };

  at("typed").addEventListener("submit", async (event) => {
    event.preventDefault();
    const line = at("line").value.trim();
    const [, word, words] = /^(\w+)\s*(.*)$/.exec(line) ?? [];
    if (!line) return;
    const wordless = word === "undo" || word === "redo";
    if (!COMMANDS[word] || wordless === Boolean(words)) return page.say({ line });
    try {
      await COMMANDS[word](words);
      at("line").value = "";
      await page.refresh();
    } catch (error) {
      page.note(error.message);
    }
  });

  at("may").addEventListener("click", () => may({ line: at("line").value }));

  async function may(words) {
    try {
      page.answer([verdict(await say("/may", words), page.openRule, { recorded: false })]);
    } catch (error) {
      page.answer([trouble(error, ({ line, moves }) => may({ line, move: moves }))]);
    }
  }

  at("undo").addEventListener("click", () => undo(page).catch((error) => page.note(error.message)));

  let typing = 0;

  /** Offer what can come next as buttons below the line. */
  async function complete() {
    const line = at("line").value;
    const head = line.slice(0, line.lastIndexOf(" ") + 1);
    const found = line.trim() ? await ask("/complete", { line }).catch(() => []) : [];
    if (line !== at("line").value) return;
    const take = (word) => {
      at("line").value = `${head}${word} `;
      at("line").focus();
      complete();
    };
    at("words").replaceChildren(...found.slice(0, MOST_WORDS).map((word) => el("button", { type: "button", class: "rule", onclick: () => take(word) }, word)));
  }

  at("line").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(complete, 150);
  });

  at("noting").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!at("note").value.trim()) return;
    try {
      await say("/note", { text: at("note").value });
      at("note").value = "";
      await page.refresh();
    } catch (error) {
      tell(error.message);
    }
  });

  async function lookUp(words) {
    open(at("tab-rules"));
    at("words-asked").value = words;
    try {
      const found = await ask("/ask", { words });
      at("found").replaceChildren(...(found.length ? found.map((one) => answer(one, page.openRule)) : [el("p", {}, "No rule speaks of that. Try other words.")]));
    } catch (error) {
      at("found").replaceChildren(el("p", { class: "why" }, error.message));
    }
  }

  at("asking").addEventListener("submit", (event) => {
    event.preventDefault();
    lookUp(at("words-asked").value);
  });

  at("leaf").addEventListener("click", async () => {
    const { book } = await import("./more.js");
    book(page);
  });
}
