// Talking to the server: tickets, questions, sayings, and the stream that tells when something has changed.

const KEPT = "tablewright-seats";

/** The ticket of this page: from the link, which keeps it after its #. */
export const ticket = () => location.hash.slice(1);

/** Become the holder of another ticket; the address of the page is then that seat's own link. */
export function hold(next) {
  history.replaceState(null, "", `#${next}`);
  renew();
}

/** Seats for which this phone has played: seat -> ticket. */
export function seatsKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

export function keepSeat(seat, held) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...seatsKept(), [seat]: held }));
  } catch {
    // A private window keeps nothing; the link itself still does.
  }
}

export class Refusal extends Error {
  /** `meant`: what a line may mean that cannot be read. */
  constructor(message, status, meant = []) {
    super(message);
    Object.assign(this, { status, meant });
  }
}

let waiting = 0;

/** How many answers are still to come: while there are any, the page is busy. */
function awaiting(n) {
  waiting += n;
  document.querySelector("main")?.setAttribute("aria-busy", String(waiting > 0));
}

async function answered(request) {
  awaiting(1);
  try {
    return await dataOf(request);
  } finally {
    awaiting(-1);
  }
}

async function dataOf(request) {
  let answer;
  try {
    answer = await request;
  } catch {
    throw new Refusal("The table cannot be reached. Is the server still running, and is this phone in its Wi-Fi?", 0);
  }
  const data = await answer.json();
  if (!answer.ok) throw new Refusal(data.error ?? "That did not work.", answer.status, data.meant);
  return data;
}

/** Ask for something. */
export function ask(path, query = {}) {
  const words = new URLSearchParams(query).toString();
  return answered(fetch(words ? `${path}?${words}` : path, { headers: { "x-ticket": ticket() } }));
}

/** Say something. */
export function say(path, data) {
  return answered(
    fetch(path, {
      method: "POST",
      headers: { "x-ticket": ticket(), "content-type": "application/json" },
      body: JSON.stringify(data),
    }),
  );
}

/** A name for one saying, so that the same one is recorded once however often it is sent. */
export function nameOfSaying() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join("");
}

const QUIET = 20_000;
let run = "";
let last = 0;
let stop = null;
let renewed = false;

/** End the stream, and begin it anew at once. */
function renew() {
  renewed = true;
  stop?.abort();
}

/** Listen to the table for as long as the page is open. `heard(kind, data)`; `away(true, status)` when the line is
 * cut, with the status of an answer that was no stream. */
export function listen(heard, away) {
  let waiting = 500;
  const again = () => {
    stop = new AbortController();
    renewed = false;
    read(stop.signal, heard, () => {
      waiting = 500;
      away(false);
    })
      .then(() => 0, (error) => error.status ?? 0)
      .then((status) => {
        if (renewed) return again();
        away(true, status);
        setTimeout(again, waiting);
        waiting = Math.min(waiting * 2, 5000);
        return undefined;
      });
  };
  const wake = () => {
    if (document.visibilityState === "visible") {
      heard("woken", {});
      renew();
    }
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  again();
}

async function read(signal, heard, open) {
  const query = new URLSearchParams({ run, after: String(last) });
  const answer = await fetch(`/events?${query}`, { headers: { "x-ticket": ticket() }, signal });
  if (!answer.ok) throw new Refusal("no stream", answer.status);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let begun = "";
  for (;;) {
    const silence = setTimeout(() => stop?.abort(), QUIET);
    const { value, done } = await reader.read();
    clearTimeout(silence);
    if (done) return;
    begun += value;
    const parts = begun.split("\n\n");
    begun = parts.pop();
    for (const part of parts) {
      const event = { kind: "", data: "", id: "" };
      for (const line of part.split("\n")) {
        if (line.startsWith("event: ")) event.kind = line.slice(7);
        if (line.startsWith("data: ")) event.data += line.slice(6);
        if (line.startsWith("id: ")) event.id = line.slice(4);
      }
      if (!event.kind) continue;
      const data = JSON.parse(event.data);
      if (event.kind === "hello") {
        run = data.run;
        if (data.reset) last = data.number;
        open();
        heard("changed", {});
        continue;
      }
      last = Number(event.id) || last;
      heard(event.kind, data);
    }
  }
}
