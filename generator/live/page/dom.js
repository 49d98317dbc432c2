// Making elements.

export function make(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inside.filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

export const by = (id) => document.getElementById(id);

export function plural(n, word, words = `${word}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? word : words}`;
}

// Runs `work` once, a moment after it was last asked for.
export function soon(work, ms) {
  let timer = 0;
  return (...given) => { clearTimeout(timer); timer = setTimeout(() => work(...given), ms); };
}
