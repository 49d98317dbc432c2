// Talking to the server: questions, what is said, and the stream of events. The ticket is what follows the # of the link.

export const ticket = location.hash.slice(1);
const headers = { "X-Ticket": ticket };

async function answered(response) {
  let data = null;
  try { data = await response.json(); } catch { /* told below */ }
  if (!response.ok) throw new Error(data?.error ?? `the server answers ${response.status}`);
  return data;
}

export const ask = (path, query = {}) =>
  fetch(`${path}?${new URLSearchParams(query)}`, { headers }).then(answered);

export const say = (path, data) =>
  fetch(path, { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(data) })
    .then(answered);

const SILENCE = 25000;  // ms; the server says something every ten seconds

// Calls on[kind](data) for every event, on.reset() when the page has to begin anew, on.away(reason) and on.back().
export async function listen(on, start) {
  let { run, number } = start;
  let wait = 300;
  for (;;) {
    const stop = new AbortController();
    let timer = setTimeout(() => stop.abort(), SILENCE);
    const back = (event) => { if (event.persisted) stop.abort(); };
    addEventListener("pageshow", back);
    try {
      const response = await fetch(`/events?${new URLSearchParams({ run, after: number })}`, { headers, signal: stop.signal });
      if (!response.ok) await answered(response);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        clearTimeout(timer);
        timer = setTimeout(() => stop.abort(), SILENCE);
        text += value;
        for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
          const event = {};
          for (const line of text.slice(0, end).split("\n")) {
            const colon = line.indexOf(": ");
            if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 2);
          }
          if (!event.event) continue;
          wait = 300;
          const data = JSON.parse(event.data);
          if (event.event === "hello") {
            on.back();
            if (data.reset) ({ run, number } = await on.reset());
          } else {
            number = Number(event.id);
            on[event.event]?.(data);
          }
        }
      }
      on.away("The server has stopped. The page goes on when it is started again with the same address.");
    } catch (error) {
      on.away(error.name === "AbortError" || error instanceof TypeError ? "The server does not answer." : error.message);
    } finally {
      clearTimeout(timer);
      removeEventListener("pageshow", back);
    }
    await new Promise((go) => setTimeout(go, wait));
    wait = Math.min(wait * 1.6, 4000);
  }
}
