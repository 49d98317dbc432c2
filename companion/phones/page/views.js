// The views of a page: one at a time behind its tab; on a wide screen the table lies beside them.

const at = (id) => document.getElementById(id);
const tabs = [...document.querySelectorAll("[role=tab]")];
const drawn = new Map();

export const wide = matchMedia("(min-width: 64rem)");

/** Draw a view anew whenever it is opened by its tab. */
export const whenOpened = (tab, draw) => drawn.set(tab, draw);

export function open(tab) {
  if (tab.id === "tab-land" && wide.matches && !tab.checkVisibility()) return;
  for (const one of tabs) {
    const chosen = one === tab;
    one.setAttribute("aria-selected", String(chosen));
    one.tabIndex = chosen ? 0 : -1;
    at(one.getAttribute("aria-controls")).hidden = !chosen;
  }
  drawn.get(tab.id)?.();
}

for (const tab of tabs) {
  tab.addEventListener("click", () => open(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    open(next);
    next.focus();
  });
}
