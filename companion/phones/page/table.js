// The page of a table: what I have to decide, what I may do, the table, the log and the rules.

import { el, lines, plainly, rule, ruleButton, score, sections, sentence, spoken, trouble, verdict } from "./draw.js";
import { Land } from "./land.js";
import { Picking, foremost, verbs } from "./picking.js";
import * as mend from "./mend.js";
import * as sheet from "./sheet.js";
import { fill, freeze, sign, tell } from "./signs.js";
import { ask, hold, keepSeat, listen, nameOfSaying, say, seatsKept, ticket } from "./talk.js";
import { typing } from "./typing.js";
import { open, whenOpened, wide } from "./views.js";

const at = (id) => document.getElementById(id);
let state = null;
let picking = null;
let mine = false;
let shownTo = null;
let shownBoard = "";
let land = null;
let asking = null;

async function openRule(id) {
  try {
    sheet.lay(rule(await ask("/rule", { id }), openRule));
  } catch (error) {
    tell(error.message);
  }
}

/** What other modules know of this page. */
const page = {
  number: () => state.number,
  refresh: () => refresh(),
  say: (words) => tellTable(words),
  openRule,
  answer: (nodes) => answer(nodes, true),
  clear: () => {
    answer([], false);
    at("line").value = "";
  },
  note: (text, buttons = []) => {
    const row = buttons.map(([label, work]) => el("button", { type: "button", onclick: () => work().then(refresh, (error) => page.note(error.message)) }, label));
    at("answer").replaceChildren(el("div", { class: "verdict good" }, el("p", {}, text), row.length ? el("div", { class: "row" }, row) : ""));
    if (!document.body.classList.contains("watching")) open(at("tab-play"));
    tell(text);
  },
};

async function drawMore() {
  const { more } = await import("./more.js");
  at("more").replaceChildren(...more(state, Boolean(shownTo), page));
}

whenOpened("tab-land", drawScene);
whenOpened("tab-more", drawMore);
typing(page);

// --- the table -----------------------------------------------------------------------------------------------------

let looking = null;
let again = false;
let sent = null;

/** Milliseconds after which a saying is sent again that could not be. */
const AGAIN = [500, 1500, 4000, 0];

/** Show the table as it is now, asked for or as it was `shown` by the server. One look at a time: an earlier answer that
 * comes later would show what was. */
function refresh(shown = null) {
  again = true;
  sent = shown;
  looking ??= (async () => {
    while (again) {
      again = false;
      await look(sent);
    }
  })().finally(() => (looking = null));
  return looking;
}

async function look(shown) {
  const before = state;
  try {
    state = shown?.state ?? (await ask("/state"));
  } catch (error) {
    at("answer").replaceChildren(el("p", { class: "why" }, error.message));
    return;
  }
  const mineNow = state.seats.find((one) => one.you)?.seat;
  const board = JSON.stringify(state.board);
  if (board !== shownBoard) {
    shownBoard = board;
    at("board").replaceChildren(...mend.board(state.board, Boolean(mineNow), page));
    if (at("board").firstChild) tell(at("board").querySelector("h2").textContent);
  }
  if (before && before.number === state.number && before.run === state.run && shownTo === mineNow) return;
  draw();
  if (before && before.number !== state.number) {
    freeze();
    tellNews(before);
    moved(before);
  }
  shownTo = mineNow;
  if (mineNow) await drawMenu(shown?.menu);
  document.documentElement.dataset.number = state.number;
}

/** Seats were swapped: a phone stays at its seat, and can follow whoever held it. */
function moved(before) {
  const mine = (one) => one.seats.find((row) => row.you);
  const [was, is] = [mine(before), mine(state)];
  const other = was && was.seat === is?.seat && was.person !== is.person && state.seats.find((one) => one.person === was.person);
  if (other) page.note(`${is.person} sits here now (${is.seat}); ${was.person} is at ${other.seat}.`, [[`Play for ${was.person}`, () => sit(other.seat, seatsKept()[other.seat])]]);
}

/** Have read out what has been said since, and what comes next. */
function tellNews(before) {
  const since = before.log.at(-1)?.number ?? 0;
  const lines = state.log.filter((row) => row.number > since).map((row) => [plainly(row.text), ...row.events].join(". "));
  const won = state.over ? [state.score.winners.length ? `${state.score.winners.join(" and ")} won` : "", state.score.reason] : [];
  const turn = mine && !before.seats.some((one) => one.you && one.awaited) ? "It is your turn" : "";
  const next = state.next === before.next ? "" : at("next").textContent;
  tell([...lines, turn, next, ...won].filter(Boolean).join(". "));
}

function draw() {
  const seat = state.seats.find((one) => one.you);
  at("title").textContent = state.game;
  at("phase").textContent = [state.phase, seat ? `you are ${seat.person}` : state.may_sit ? "" : "you are watching"].filter(Boolean).join(" · ");
  at("next").replaceChildren(...sentence(state.over ? `${state.next}.` : `Next: ${spoken(state.next)}`, openRule));
  at("seats").replaceChildren(
    ...state.seats.map((one) =>
      el("li", { class: [one.awaited ? "awaited" : "", one.you ? "you" : ""].join(" ") }, dot(one), el("span", {}, one.person), belongs(one), one.awaited ? el("span", { class: "unseen" }, " (to move)") : ""),
    ),
  );
  watching(!seat && !state.may_sit);
  const turn = Boolean(seat?.awaited);
  document.title = `${turn ? "● Your turn – " : ""}${state.game}`;
  document.body.classList.toggle("turn", turn);
  if (turn && !mine) sign();
  mine = turn;
  at("typed").hidden = at("noting").hidden = !seat;
  at("sections").replaceChildren(...sections(state.sections.filter((one) => !one.own)));
  at("own").replaceChildren(...sections(state.sections.filter((one) => one.own), tell));
  if (!state.scene) at("in-words").open = true;
  at("score").replaceChildren(...(state.score ? [score(state.score, openRule)] : []));
  at("lines").replaceChildren(...lines(state.log, openRule, seat && ((row) => mend.line(row, page))));
  at("whole").hidden = state.lines <= state.log.length;
  drawSeats(seat);
  drawScene();
  if (!at("more").hidden) drawMore();
}

/** The colour of somebody's pieces, and what those are called: nobody has to tell colours apart. */
function dot(one) {
  const [, colour] = state.colours[one.seat] ?? [];
  if (!colour) return "";
  const made = el("span", { class: "dot", "aria-hidden": "true" });
  made.style.background = colour;
  return made;
}

function belongs(one) {
  const [called] = state.colours[one.seat] ?? [one.seat];
  return called.toLowerCase() === one.person.toLowerCase() ? "" : el("small", {}, ` ${called}`);
}

/** A screen in the middle shows the table first, and nothing to say. */
function watching(only) {
  if (only === document.body.classList.contains("watching")) return;
  document.body.classList.toggle("watching", only);
  at("tab-play").hidden = only;
  open(only ? at(wide.matches ? "tab-log" : "tab-land") : at("tab-play"));
}

function drawSeats(seat) {
  const kept = seatsKept();
  at("play")[seat ? "append" : "prepend"](at("sit"));
  const others = state.seats.filter((one) => !one.you);
  if (!seat && !state.may_sit) {
    at("sit").replaceChildren(el("p", { class: "text" }, "This page watches the table."));
    return;
  }
  const buttons = others.map((one) =>
    el("button", { type: "button", class: "value", onclick: () => sit(one.seat, kept[one.seat]) }, dot(one), seat ? `Play for ${one.person}` : one.person),
  );
  const inside = el("div", { class: "values" }, buttons);
  at("sit").replaceChildren(
    ...(seat
      ? [el("details", {}, el("summary", {}, "Play for somebody else, too"), inside)]
      : [el("h2", {}, "Who are you?"), inside]),
  );
}

async function sit(seat, known) {
  try {
    const held = known ?? (await say("/sit", { seat })).ticket;
    keepSeat(seat, held);
    hold(held);
    stop();
    await refresh();
    scrollTo(0, 0);
    at("menu").focus({ preventScroll: true });
  } catch (error) {
    answer([el("p", { class: "why" }, error.message)], true);
  }
}

// --- the picture of the table ---------------------------------------------------------------------------------------

async function drawScene() {
  at("scene").hidden = !state?.scene;
  if (!state?.scene || !at("land").checkVisibility()) return;
  land ??= new Land(at("scene"), { touched: touch, chosen: choose });
  const number = `${state.run} ${state.number} ${shownTo}`;
  try {
    if (land.number !== number) {
      const lying = await ask("/scene");
      const mine = lying.mine ? (await say("/places", { names: [lying.mine] }))[lying.mine] : null;
      land.number = number;
      land.draw(lying, mine);
    }
    await showAsked();
  } catch {
    at("scene").hidden = true;
  }
}

/** Mark what the question of a move can be answered with on the table. */
async function showAsked() {
  const rows = (asking?.values ?? []).filter((one) => one.place && one.legal);
  at("asked").hidden = !rows.length;
  if (rows.length)
    at("asked").replaceChildren(asking.question, " ", el("button", { type: "button", class: "rule", onclick: () => open(at("tab-play")) }, "Back to the choice"));
  if (!land) return;
  const called = new Map();
  for (const one of rows) called.set(one.place, [...(called.get(one.place) ?? []), one.label]);
  const where = called.size ? await say("/places", { names: [...called.keys()] }) : {};
  land.ask([...called].filter(([place]) => where[place]).map(([place, labels]) => [place, labels.join(", "), where[place]]));
}

function choose(place) {
  const field = asking;
  const some = (field?.values ?? []).filter((one) => one.place === place && one.legal);
  const take = (one) => {
    open(at("tab-play"));
    picking.takes(field, one);
  };
  if (some.length === 1) take(some[0]);
  else if (some.length) sheet.question(field.question, [], Object.fromEntries(some.map((one) => [one.label, () => take(one)])));
}

/** Show a piece closely: what it is, its rules and what can be done with it. */
async function touch(thing, piece, mark) {
  try {
    const found = await say("/piece", { thing, piece });
    const can = found.can.map((row) =>
      el(
        "div",
        { class: "choice" },
        el(
          "button",
          { type: "button", class: "value", "aria-disabled": row.legal ? null : "true", onclick: () => row.legal && begin(row) },
          `${row.label}: ${row.what}`,
        ),
        row.reasons ? el("p", { class: "why" }, `${row.reasons[0].why} `, ruleButton(row.reasons[0].rule, openRule)) : "",
      ),
    );
    sheet.lay(
      el("h2", {}, found.name || thing),
      el("img", { class: "closely", src: `/face/${mark}L.webp`, alt: "" }),
      found.set ? el("p", { class: "text" }, found.set) : "",
      found.text ? el("p", {}, found.text) : "",
      found.flavour ? el("p", { class: "text" }, found.flavour) : "",
      can.length ? el("div", { class: "values" }, can) : "",
      found.rules.length ? el("div", { class: "row" }, found.rules.map((one) => el("button", { type: "button", class: "rule", onclick: () => openRule(one.id) }, `${one.id} ${one.title}`))) : "",
    );
  } catch (error) {
    tell(error.message);
  }
}

function begin(row) {
  sheet.away();
  open(at("tab-play"));
  pick(row.verb, row.table, [{ [row.how]: row.value }], [row.what]);
}

// --- saying something ----------------------------------------------------------------------------------------------

async function drawMenu(menu = null) {
  await telling?.catch(() => {}); // what is being said is no longer put together, or is refused
  if (picking?.unasked && !picking.steps.length) stop(); // begun by the page, not by a finger
  if (picking && !state.over) return goOn(menu);
  stop();
  if (state.over) {
    const { evening } = await import("./more.js");
    fill(at("menu"), [score(state.score, openRule), el("button", { type: "button", class: "main", onclick: () => evening(page) }, "The evening on one page")]);
    return undefined;
  }
  try {
    menu ??= await ask("/menu");
    const only = dropped === state.number ? null : onlyVerb(menu);
    if (only && !picking) return begun(only.verb, only.table, { unasked: true });
    fill(at("menu"), verbs(menu, pick, openRule, state.next));
  } catch (error) {
    fill(at("menu"), [el("p", { class: "why", role: "alert" }, error.message)]);
  }
  return undefined;
}

/** A move half said goes on after a change of the table, if it can still be said. */
async function goOn(menu) {
  const { own, table } = menu ?? (await ask("/menu"));
  const { verbs, offers } = picking.table ? table : own;
  const still = [...verbs, ...offers].find((one) => one.verb === picking.verb);
  if (!picking.steps.length || ["legal", "incomplete"].includes(still?.standing)) return picking.go(true);
  return picking.fell("cannot be said now");
}

let dropped = -1;

/** What alone can be said now: that tap is spared. "Back" leads to the whole menu. */
function onlyVerb(menu) {
  const [first, ...more] = foremost(menu);
  const sure = first && !more.length && ["legal", "incomplete"].includes(first.verb.standing);
  return sure ? { verb: first.verb.verb, table: first.table } : null;
}

function pick(verb, table, steps = [], labels = []) {
  answer([], false);
  return begun(verb, table, { steps, labels });
}

function begun(verb, table, { steps = [], labels = [], unasked = false }) {
  const hooks = {
    draw: (nodes, before = false) => fill(at("menu"), nodes, { before }),
    done: (said) => tellTable({ move: said.move, line: said.line }),
    drop: () => {
      dropped = state.number;
      stop();
      drawMenu();
    },
    begin: () => {
      stop();
      return drawMenu();
    },
    first: async (other) => {
      const own = (await ask("/menu")).own;
      pick(other, ![...own.verbs, ...own.offers].some((one) => one.verb === other));
    },
    asks: (field) => {
      asking = field;
      const here = field?.values.some((one) => one.place && one.legal) && state.scene && !wide.matches;
      at("onto").hidden = !here;
      showAsked();
    },
    openRule,
  };
  picking = Object.assign(new Picking(verb, table, hooks, steps, labels), { unasked });
  return picking.go();
}

/** Nothing is being put together any more. */
function stop() {
  picking = asking = null;
  at("onto").hidden = true;
  showAsked();
}

at("onto").addEventListener("click", () => open(at("tab-land")));
wide.addEventListener("change", () => drawScene());

let telling = null;
let unanswered = null;

/** The answer to a saying. One that got none keeps its name, so that it is recorded once however often it is sent. */
async function delivered(words) {
  const what = JSON.stringify([words, state.number]);
  if (unanswered?.what !== what) unanswered = { what, told: nameOfSaying(), after: state.number };
  const { told, after } = unanswered;
  for (const wait of AGAIN) {
    try {
      const found = await say("/say", { told, after, ...words });
      unanswered = null;
      return found;
    } catch (error) {
      if (error.status !== 0) unanswered = null;
      if (error.status !== 0 || !wait) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  return undefined;
}

/** Show an answer. One that is `open` is read out, as the table tells of no other. */
function answer(nodes, open) {
  const menu = at("menu").contains(document.activeElement);
  fill(at("answer"), nodes, open && menu ? { taken: true } : {});
  if (open) tell(at("answer").innerText);
}

async function tellTable(words) {
  if (telling) return; // the same tap twice, or a second one before the answer
  try {
    telling = delivered(words).finally(() => (telling = null));
    const found = await telling;
    const sayAgain = (answer) => tellTable({ move: answered(found, answer) });
    answer([verdict(found, openRule, { sayAgain: found.form && simple(found) ? sayAgain : null, keep: () => mend.keep(words, page), dispute: () => mend.dispute(found.reasons?.[0]?.rule, page) })], !found.legal);
    if (found.legal) {
      stop();
      shownTo = null; // the menu shows a move that has been said
      at("line").value = "";
      at("words").replaceChildren();
      await refresh();
    }
    at("answer").scrollIntoView({ block: "nearest" });
  } catch (error) {
    answer([trouble(error, ({ line, moves }) => tellTable({ line, move: moves }))], true);
  }
}

const simple = (found) => found.at && !found.at.includes(".");

function answered(found, answer) {
  return { ...found.form, [found.at]: /^-?\d+$/.test(answer) ? Number(answer) : answer };
}

at("whole").addEventListener("click", async () => {
  at("lines").replaceChildren(...lines(await ask("/log"), openRule, shownTo && ((row) => mend.line(row, page))));
  at("whole").hidden = true;
});

// --- listening -----------------------------------------------------------------------------------------------------

const NO_STREAM = {
  401: ticket() ? "This link opens nothing any more. Scan the code of the table again." : "Open the whole link, including the part after the #, or scan the code again.",
  503: "Too many pages are open. This one will try again.",
};

listen(
  (kind, data) => {
    if (kind === "told") tell(`${data.who} ${data.how}: ${data.what}`);
    refresh(data.state ? data : null);
  },
  (cut, status) => {
    at("away").hidden = !cut;
    at("away").textContent = cut ? (NO_STREAM[status] ?? "The table cannot be reached; trying again.") : "";
  },
);
