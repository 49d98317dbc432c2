// Saying a move by taps: from a verb field by field, each value with what the rules say of it before the tap.

import { el, plainly, ruleButton, sentence, spoken } from "./draw.js";
import { tell } from "./signs.js";
import { say } from "./talk.js";

const MANY = 12;

const of = (menu, name) => [
  ...menu.own[name].map((verb) => ({ verb, table: false })),
  ...menu.table[name].map((verb) => ({ verb, table: true })),
];

/** What is to be said now. Where that happens by itself (it has "already"), what comes after it. */
export function foremost(menu) {
  const decided = of(menu, "verbs").filter(({ verb }) => verb.standing !== "refused");
  const open = decided.filter(({ verb }) => !verb.already);
  return open.length || !decided.length ? open : of(menu, "offers").filter(({ verb }) => !verb.already);
}

/** The verbs of a menu. `pick(verb, table)` begins one. */
export function verbs(menu, pick, openRule, next) {
  const decisions = [...menu.own.decisions, ...menu.table.decisions];
  const all = of(menu, "verbs");
  const possible = foremost(menu);
  const aside = [...of(menu, "offers"), ...all.filter(({ verb }) => verb.already)].filter(({ verb }) => !possible.some((one) => one.verb === verb));
  const made = [...new Set(decisions.map((one) => one.question).filter((one) => one && one !== next))].map((question) => el("h2", {}, spoken(question)));
  const list = (some) =>
    el("div", { class: "verbs" }, some.map(({ verb, table }) => button(verb, table, pick, openRule)));
  const refused = all.filter(({ verb }) => verb.standing === "refused");
  if (possible.length) made.push(list(possible));
  if (aside.length) made.push(el("details", { class: "offers" }, el("summary", {}, "Also possible now"), list(aside)));
  if (refused.length)
    made.push(el("details", { class: "offers" }, el("summary", {}, "Not possible now, and why"), list(refused)));
  if (!made.length) made.push(el("p", { class: "text" }, "Nothing for you to say now."));
  return made;
}

function button(verb, table, pick, openRule) {
  const refused = verb.standing === "refused";
  const reason = verb.reasons?.[0];
  const why = `why-${verb.verb}-${table}`;
  return el(
    "div",
    { class: verb.begins ? "verb wide" : "verb" },
    el(
      "button",
      {
        type: "button",
        "aria-disabled": refused ? "true" : null,
        "aria-describedby": reason ? why : null,
        title: verb.about,
        onclick: () => !refused && pick(verb.standing === "waits" && verb.first ? verb.first : verb.verb, table),
      },
      verb.label,
    ),
    verb.begins
      ? el("div", { class: "values begins", role: "group", "aria-label": verb.label }, verb.begins.map((one) => el("button", { type: "button", class: "value", onclick: () => pick(verb.verb, table, [{ take: one.value }], [one.label]) }, one.label)))
      : "",
    reason ? el("p", { class: "why", id: why }, `${reason.why} `, ruleButton(reason.rule, openRule)) : "",
  );
}

/** Values by their sections; initial letters are no help where few values share one. */
function inGroups(values) {
  const groups = new Map();
  for (const one of values) groups.set(one.section ?? "", [...(groups.get(one.section ?? "") ?? []), one]);
  const letters = [...groups.keys()].every((section) => section.length <= 1);
  const byLabel = (a, b) => a.label.localeCompare(b.label, undefined, { numeric: true });
  if (letters && groups.size > 1 && values.length <= 3 * MANY) return [["", values.toSorted(byLabel)]];
  return letters ? [...groups].sort(([a], [b]) => a.localeCompare(b)) : [...groups];
}

/** A move half said: its verb and the steps so far. `draw(nodes)` shows it; `done(said)` says it; `drop()` gives up;
 * `begin()` leads to what is to be said now; `first(verb)` to what has to be said before. */
export class Picking {
  constructor(verb, table, { draw, done, drop, asks, begin, first, openRule }, steps = [], labels = []) {
    Object.assign(this, { verb, table, draw, done, drop, asks, begin, first, openRule, steps, labels });
    this.taps = steps.map(() => 1);
  }

  /** Ask what comes next: after a step, or `anew` after the table has changed. */
  async go(anew = false) {
    let found;
    try {
      found = await say("/field", { verb: this.verb, table: this.table, steps: this.steps });
    } catch (error) {
      if (!this.steps.length || error.status === 0) {
        this.draw([this.head(), el("p", { class: "why" }, error.message), this.back()]);
        return;
      }
      const lost = this.less();
      await this.go();
      this.warn(`“${lost}” no longer fits.`);
      return;
    }
    const about = found.field?.question ?? JSON.stringify([found.said.line, found.said.leads]);
    if (anew && this.steps.length && about !== this.about) {
      // the same values would now be said of something else, such as the next province
      await this.fell("was about something else");
      return;
    }
    this.about = about;
    this.asks(found.field ?? null);
    this.draw(found.said ? this.whole(found.said) : this.field(found.field, found.events, found.ready, found.whole, found.later));
  }

  /** Say a value of the field that is asked for now. */
  takes(field, one) {
    const several = field.kind === "several" || field.kind === "pairs";
    return this.step(several ? "add" : "take", one.value, one.label);
  }

  /** All of it is lost, and why. */
  async fell(why) {
    await this.begin();
    this.warn(`“${this.called}” ${why}.`);
  }

  warn(lost) {
    this.draw([el("p", { class: "why", role: "alert" }, `The table has changed: ${lost}`)], true);
  }

  get called() {
    return [this.verb.replaceAll("_", " "), ...this.labels].join(" · ");
  }

  head() {
    return el("h2", {}, this.called);
  }

  back() {
    return el(
      "button",
      {
        type: "button",
        class: "back",
        onclick: () => {
          if (!this.steps.length) return this.drop();
          this.less();
          return this.go();
        },
      },
      "Back",
    );
  }

  step(what, value, label) {
    return this.more([{ [what]: value }], label);
  }

  /** Say what one tap says, which may be several steps. */
  more(steps, label) {
    this.steps.push(...steps);
    this.labels.push(label);
    this.taps.push(steps.length);
    return this.go();
  }

  /** Take back what one tap said; its label. */
  less() {
    this.steps.splice(-this.taps.pop());
    return this.labels.pop();
  }

  /** Whole steps of a turn: each on one button, with what it costs and brings. */
  ways(whole) {
    const button = (one) => el("button", { type: "button", class: "value", onclick: () => this.more(one.steps, one.label) }, one.more ? `${one.label} …` : one.label, el("small", {}, one.leads.map((lead) => lead.what).join("; ")));
    const say = (one) => el("button", { type: "button", class: "last", "aria-label": `${one.label}, and say it`, onclick: () => this.done(one.said) }, "Say it");
    const made = el("div", { class: "values wholes" }, whole.ways.map((one) => (one.said ? el("div", { class: "choice" }, button(one), say(one)) : button(one))));
    return whole.any.length ? [el("p", { class: "text" }, `${whole.any.join("; ")}.`), made] : [made];
  }

  field(field, events = [], ready = null, whole = null, later = []) {
    if (whole) field = { ...field, values: field.values.filter((one) => !whole.kinds.includes(one.value)) };
    const values = el("div", { class: "given" });
    const longest = Math.max(0, ...field.values.map((one) => one.label.length));
    const short = longest <= 4 ? "short" : longest <= 6 ? "tight" : longest <= 9 && "brief";
    const several = field.kind === "several" || field.kind === "pairs";
    const grid = (some) => el("div", { class: ["values", short, several && "many"].filter(Boolean).join(" ") }, some);
    const show = (wanted) => {
      const fits = field.values.filter((one) => one.label.toLowerCase().includes(wanted) || (one.section ?? "").toLowerCase().includes(wanted));
      const possible = fits.filter((one) => one.legal || one.n);
      const groups = inGroups(possible).map(([section, own]) => {
        const list = grid(own.map((one) => this.value(field, one)));
        if (!section) return list;
        const folded = possible.length > 3 * MANY && !wanted; // a long list is opened group by group
        return folded ? el("details", {}, el("summary", {}, section), list) : el("div", {}, el("h3", {}, section), list);
      });
      values.replaceChildren(...groups, this.refused(fits.filter((one) => !one.legal && !one.n)));
      if (wanted) tell(`${possible.length} possible`);
    };
    show("");
    const made = [this.head()];
    if (events.length) made.push(el("ul", { class: "text" }, events.map((one) => el("li", {}, one.what))));
    made.push(el("p", { class: "asks" }, sentence(field.question, this.openRule)));
    if (field.values.filter((one) => one.legal || one.n).length > MANY)
      made.push(
        el("input", {
          type: "search",
          "aria-label": "Search",
          placeholder: "Search",
          oninput: (event) => show(event.target.value.trim().toLowerCase()),
        }),
      );
    if (field.kind === "number") made.push(this.number(field));
    if (whole) made.push(...this.ways(whole));
    made.push(values);
    const row = [this.back()];
    if (ready) {
      // nothing more need be said: the whole move is one tap away
      made.push(el("p", { class: "text" }, `As it is: ${plainly(ready.line)}`));
      row.push(el("button", { type: "button", class: "main", onclick: () => this.done(ready) }, "Say it"));
    } else if (field.enough !== undefined) {
      row.push(
        el(
          "button",
          { type: "button", disabled: !field.enough, onclick: () => this.step("done", true, "that is all") },
          field.kind === "steps" ? "End the turn" : "That is all",
        ),
      );
      if (!field.enough && field.optional && field.kind !== "steps" && !field.values.some((one) => one.n))
        row.push(el("button", { type: "button", onclick: () => this.step("leave", true, "as it is") }, "Leave it out"));
      if (!field.enough) made.push(...(field.reasons ?? []).filter((one) => one.why !== field.question).map((one) => el("p", { class: "text" }, one.why)));
    } else if (field.optional) {
      row.push(el("button", { type: "button", onclick: () => this.step("leave", true, "as it is") }, "Leave it out"));
    }
    row.push(...later.map((one) => el("button", { type: "button", onclick: () => this.more(one.steps, "…") }, `Skip to ${one.label}`)));
    made.push(el("div", { class: "row" }, row));
    return made;
  }

  /** What is not possible, by the reason: grey, with the rule. */
  refused(some) {
    if (!some.length) return "";
    const reasons = new Map();
    for (const one of some) {
      const reason = one.reasons?.[0];
      const key = reason ? `${reason.rule} ${reason.why}` : "";
      if (!reasons.has(key)) reasons.set(key, { reason, labels: [] });
      reasons.get(key).labels.push(one.label);
    }
    const rows = [...reasons.values()].map(({ reason, labels }) =>
      el("li", {}, el("span", { class: "grey" }, labels.join(", ")), reason ? el("span", { class: "why" }, ` ${reason.why} `, ruleButton(reason.rule, this.openRule)) : ""),
    );
    return el("details", { open: some.length <= MANY / 2 }, el("summary", {}, `Not possible, and why (${some.length})`), el("ul", { class: "refused" }, rows));
  }

  value(field, one) {
    const several = field.kind === "several" || field.kind === "pairs";
    const reason = one.reasons?.[0];
    const tap = () => one.legal && this.takes(field, one);
    return el(
      "div",
      { class: "choice" },
      el(
        "button",
        { type: "button", class: "value", "aria-disabled": one.legal ? null : "true", onclick: tap },
        one.label,
        one.n ? el("b", {}, ` ×${one.n}`) : "",
      ),
      several && one.n
        ? el(
            "button",
            {
              type: "button",
              class: "less",
              "aria-label": `one ${one.label} less`,
              onclick: () => this.step("drop", one.value, `not ${one.label}`),
            },
            "−",
          )
        : "",
      reason ? el("p", { class: "why" }, `${reason.why} `, ruleButton(reason.rule, this.openRule)) : "",
    );
  }

  number(field) {
    if (field.values.length && field.values.length <= MANY) return "";
    const input = el("input", {
      type: "number",
      inputmode: "numeric",
      "aria-label": field.label,
      min: field.least,
      max: field.most,
      step: field.step,
      value: field.least,
    });
    const by = (n) => () => {
      const next = Number(input.value) + n * field.step;
      input.value = Math.max(field.least, field.most === null ? next : Math.min(field.most, next));
      tell(input.value);
    };
    return el(
      "div",
      { class: "row" },
      el("button", { type: "button", "aria-label": "less", onclick: by(-1) }, "−"),
      input,
      el("button", { type: "button", "aria-label": "more", onclick: by(1) }, "+"),
      el("button", { type: "button", onclick: () => this.step("take", Number(input.value), input.value) }, "Take"),
    );
  }

  /** What says the move; where something else has to be said before, what leads there. */
  sayIt(said) {
    if (said.first && said.first !== said.verb) return el("button", { type: "button", onclick: () => this.first(said.first) }, `First: ${said.first.replaceAll("_", " ")}`);
    return el("button", { type: "button", class: "main", onclick: () => this.done(said) }, "Say it");
  }

  whole(said) {
    const kind = said.legal === true ? "good" : said.legal === false ? "bad" : "open";
    return [
      el(
        "div",
        { class: `verdict ${kind}` },
        el("h2", {}, plainly(said.line)),
        said.question ? el("p", {}, said.question) : "",
        (said.reasons ?? []).map((one) => el("p", { class: "why" }, `${one.why} `, ruleButton(one.rule, this.openRule))),
        said.leads ? el("ul", {}, said.leads.map((one) => el("li", {}, `${one.what} `, one.rule ? ruleButton(one.rule, this.openRule) : ""))) : "",
        el(
          "div",
          { class: "row" },
          this.back(),
          said.legal === false ? "" : this.sayIt(said),
        ),
      ),
    ];
  }
}
