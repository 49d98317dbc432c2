// The table as it lies there: printed pieces that can be moved under the finger, looked at closely and touched.

import { el } from "./draw.js";

const CLOSEST = 14;
const MARGIN = 0.015;
const DIGIT = 8.5;
const TAP = 8;

/** A picture of the table in `root`. `touched(thing, piece)` is told of a tap on a piece, `chosen(place)` of one on a
 * place that is asked for. */
export class Land {
  constructor(root, { touched, chosen }) {
    Object.assign(this, { root, touched, chosen });
    this.pieces = new Map();
    this.fingers = new Map();
    this.k = this.x = this.y = 0;
    this.table = el("div", { class: "lying" });
    this.view = el("div", { class: "view", tabindex: "0", role: "region", "aria-label": "Picture of the table: arrow keys move it, plus and minus bring it closer" }, this.table);
    const button = (sign, name, work) => el("button", { type: "button", "aria-label": name, title: name, onclick: work }, sign);
    this.home = button("⌂", "My side of the table", () => this.mine && this.show(this.mine));
    this.tools = el(
      "div",
      { class: "tools" },
      button("+", "Closer", () => this.by(1.6)),
      button("−", "Farther", () => this.by(1 / 1.6)),
      button("All", "The whole table", () => this.fit()),
      this.home,
    );
    root.replaceChildren(this.view, this.tools);
    this.wait();
    for (const [kind, work] of Object.entries({ pointerdown: this.down, pointermove: this.move, pointerup: this.up, pointercancel: this.gone, wheel: this.wheel, keydown: this.key }))
      this.view.addEventListener(kind, work.bind(this), { passive: false });
    new ResizeObserver(() => (this.free ? this.place() : this.fit())).observe(this.view);
  }

  /** Lay the pieces: those that stay glide to where they are now. */
  draw(lying, areaOfMine) {
    if (!lying.laid) return;
    this.lying = lying;
    this.mine = areaOfMine;
    this.home.hidden = !areaOfMine;
    const [left, top, w, h] = this.box;
    this.table.style.cssText += `;width:${w}px;height:${h}px`;
    this.view.style.background = lying.ground;
    this.view.style.aspectRatio = `${w} / ${h}`;
    const seen = new Map();
    const shown = new Map();
    const nodes = lying.laid.map(([face, thing, x, y, pw, ph, turn, count]) => {
      const [mark, margin] = lying.faces[face];
      const [name, piece, label] = lying.things[thing];
      const base = `${name}|${mark}`;
      const n = (shown.get(base) ?? 0) + 1;
      shown.set(base, n);
      const key = `${base}|${n}`;
      const node = this.pieces.get(key) ?? this.piece(mark, name, piece);
      seen.set(key, node);
      node.style.width = `${pw + 2 * margin}px`;
      node.style.transform = `translate(${x - left - pw / 2 - margin}px, ${y - top - ph / 2 - margin}px) rotate(${turn}deg)`;
      node.dataset.count = count > 1 ? `×${count}` : "";
      const own = [node];
      if (count > 1) own.push(this.count(count, pw, x - left + pw / 2, y - top + ph / 2));
      if (label && n === 1) own.push(this.words("label", label, x - left, y - top + ph / 2 + 1));
      return own;
    });
    this.pieces = seen;
    this.table.replaceChildren(...nodes.flat(), ...(this.marks ?? []));
    if (this.k) this.place();
    else this.fit();
    this.wait();
  }

  /** Say that the table is being drawn, until every piece is there. */
  wait() {
    const missing = [...this.pieces.values()].filter((node) => !node.complete);
    if (this.pieces.size && !missing.length) {
      this.drawing?.remove();
      this.drawing = null;
      return;
    }
    if (!this.drawing) {
      this.drawing = el("p", { class: "drawing", role: "status" }, "The table is being drawn…");
      this.view.prepend(this.drawing);
    }
    for (const kind of ["load", "error"]) missing[0]?.addEventListener(kind, () => this.wait(), { once: true });
  }

  piece(mark, name, piece) {
    const node = el("img", { class: "piece", src: `/face/${mark}.webp`, alt: "", draggable: "false", decoding: "async" });
    Object.assign(node.dataset, { thing: name, piece, mark });
    return node;
  }

  /** How many lie on one another, where the pile is `wide` enough to show under it. */
  count(n, wide, x, y) {
    const made = this.words("count", `×${n}`, x, y);
    made.dataset.wide = wide;
    return made;
  }

  words(kind, text, x, y) {
    const made = el("span", { class: kind }, text);
    made.style.left = `${x}px`;
    made.style.top = `${y}px`;
    return made;
  }

  /** Mark the places that are asked for: rows of place, what it is called, and where. */
  ask(rows) {
    const [left, top] = this.box;
    this.marks = rows.map(([place, label, [x, y, w, h, turn]]) => {
      const made = el("button", { type: "button", class: "asked", "aria-label": label, title: label, onclick: () => this.chosen(place) });
      made.style.cssText = `left:${x - left - w / 2}px;top:${y - top - h / 2}px;width:${w}px;height:${h}px;rotate:${turn}deg`;
      return made;
    });
    if (this.lying) this.draw(this.lying, this.mine);
  }

  // --- moving it

  /** The part of the table that is shown, with a little room around it. */
  get box() {
    const [left, top, w, h] = this.lying?.box ?? [0, 0, 0, 0];
    const room = MARGIN * Math.max(w, h);
    return [left - room, top - room, w + 2 * room, h + 2 * room];
  }

  get size() {
    return [this.view.clientWidth, this.view.clientHeight];
  }

  fit() {
    if (!this.lying) return;
    const [, , w, h] = this.box;
    const [vw, vh] = this.size;
    if (!vw) return;
    this.least = Math.min(vw / w, vh / h);
    this.k = this.least;
    this.free = false;
    this.x = (vw - w * this.k) / 2;
    this.y = (vh - h * this.k) / 2;
    this.place();
  }

  /** Bring an area (middle and size in mm) close. */
  show([x, y, w, h]) {
    const [left, top] = this.box;
    const [vw, vh] = this.size;
    this.k = Math.max(this.least, Math.min(CLOSEST, 0.9 * Math.min(vw / w, vh / h)));
    this.x = vw / 2 - (x - left) * this.k;
    this.y = vh / 2 - (y - top) * this.k;
    this.free = true;
    this.place();
  }

  by(factor, at) {
    const [vw, vh] = this.size;
    const [px, py] = at ?? [vw / 2, vh / 2];
    const k = Math.max(this.least, Math.min(CLOSEST, this.k * factor));
    this.x = px - ((px - this.x) * k) / this.k;
    this.y = py - ((py - this.y) * k) / this.k;
    this.k = k;
    this.free = k > this.least * 1.01;
    this.place();
  }

  place() {
    if (!this.lying) return;
    const [, , w, h] = this.box;
    const [vw, vh] = this.size;
    const held = (at, length, room) => (length <= room ? (room - length) / 2 : Math.max(room - length, Math.min(0, at)));
    this.x = held(this.x, w * this.k, vw);
    this.y = held(this.y, h * this.k, vh);
    this.table.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.k})`;
    this.table.style.setProperty("--one", 1 / this.k);
    this.view.classList.toggle("free", Boolean(this.free));
    for (const one of this.table.querySelectorAll(".count")) one.hidden = one.dataset.wide * this.k < DIGIT * (one.textContent.length + 1);
  }

  point(event) {
    const box = this.view.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    if (event.target.closest("button")) return;
    this.fingers.set(event.pointerId, this.point(event));
    this.began = this.fingers.size === 1 ? { at: this.point(event), target: event.target, moved: false } : null;
    if (this.free) this.view.setPointerCapture(event.pointerId);
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.point(event);
    if (this.began && Math.hypot(now[0] - this.began.at[0], now[1] - this.began.at[1]) > TAP) this.began.moved = true;
    if (this.fingers.size === 1 && this.free) {
      this.x += now[0] - before[0];
      this.y += now[1] - before[1];
      this.place();
    } else if (this.fingers.size === 2) {
      const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const apart = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
      this.by(apart(now) / apart(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    }
    this.fingers.set(event.pointerId, now);
  }

  up(event) {
    const began = this.began;
    this.gone(event);
    if (!began || began.moved) return;
    const twice = this.tapped && event.timeStamp - this.tapped < 350;
    this.tapped = event.timeStamp;
    if (twice) {
      clearTimeout(this.waits);
      this.by(this.k > this.least * 3 ? 0.01 : 2.5, began.at);
      return;
    }
    const { thing, piece, mark } = began.target.dataset;
    if (thing && piece) this.waits = setTimeout(() => this.touched(thing, piece, mark), 250);
  }

  gone(event) {
    this.fingers.delete(event.pointerId);
    this.began = null;
  }

  wheel(event) {
    const beside = matchMedia("(min-width: 64rem)").matches;
    if (!event.ctrlKey && !this.free && (event.deltaY > 0 || !beside)) return; // the page scrolls on
    event.preventDefault();
    this.by(Math.exp(-event.deltaY / 400), this.point(event));
  }

  key(event) {
    if (event.target !== this.view) return;
    const [dx, dy] = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key] ?? [0, 0];
    if (dx || dy) {
      this.x += dx;
      this.y += dy;
      this.place();
    } else if (event.key === "+" || event.key === "=") this.by(1.4);
    else if (event.key === "-") this.by(1 / 1.4);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
}
