// The places of cards, words and lines on the table, before anything is drawn.
// @ts-check

/** @import { Look } from "./faces.js" */
/**
 * @typedef {{card: string, look: Look, under?: string, ring?: boolean, now?: boolean, dim?: boolean, why?: string, count?: number, gone?: boolean, came?: boolean, bets?: string}} Entry
 *   A card of a pile. `under` is what stands below it (the event that shows it), `ring` marks a breach, `now` what the last act moved, `dim` what a proof rests on, `count` says how many backs lie here,
 *   `gone` that the card is being taken away, `came` that the last act laid it first, `bets` how much was bet on it.
 * @typedef {{kind: "card", x: number, y: number, w: number, entry: Entry, pile: string, beside: boolean, dim: boolean, room: number}} CardItem
 * @typedef {{kind: "text", x: number, y: number, text: string, size: number, anchor: "start" | "middle" | "end",
 *   strong: boolean, soft: boolean, struck: boolean, tag: boolean, now: boolean, width: number, pile: string}} TextItem
 * @typedef {{kind: "slot", x: number, y: number, w: number, h: number, now: boolean, pile: string}} SlotItem
 * @typedef {{kind: "line", x1: number, y1: number, x2: number, y2: number, pile: string}} LineItem
 * @typedef {{kind: "chip", x: number, y: number, r: number, text: string, pile: string}} ChipItem
 * @typedef {CardItem | TextItem | SlotItem | LineItem | ChipItem} Item
 * @typedef {(text: string, size: number, strong: boolean) => number} Measure
 * @typedef {{size?: number, anchor?: "start" | "middle" | "end", strong?: boolean, soft?: boolean, struck?: boolean, tag?: boolean, now?: boolean, most?: number}} TextStyle
 * @typedef {{steps: number[], width: number, height: number, rows: number[], counted: boolean, more?: number}} Fan
 *   `more` is how many open cards at its beginning have no room; a place with their number stands for them.
 */

/** The height of a card, of its width. */
export const TALL = 1.4;
/** How far apart two rows of a fan stand. */
const BETWEEN_ROWS = 3;

export class Scene {
  /**
   * @param {number} width
   * @param {Measure} measure
   */
  constructor(width, measure) {
    this.width = width;
    this.height = 0;
    this.measure = measure;
    /** @type {Item[]} */
    this.items = [];
    /** The pile that is being laid: its items are drawn, and read out, together. */
    this.pile = "";
    /** What did not fit at this size. */
    this.crowded = false;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {Entry} entry
   * @param {{beside?: boolean, dim?: boolean, room?: number}} how  `room`: how much of it stays open at the left, if a card lies on it
   */
  card(x, y, w, entry, how = {}) {
    this.items.push({ kind: "card", x, y, w, entry, pile: this.pile, beside: how.beside ?? false, dim: how.dim || entry.dim === true, room: how.room ?? 0 });
    this.reach(x, y, x + w, y + w * TALL);
  }

  /**
   * A line of words; `y` is its base line. Returns how wide it is. Words that have no room end with "…".
   * @param {number} x
   * @param {number} y
   * @param {string} text
   * @param {TextStyle} style
   */
  text(x, y, text, style = {}) {
    const size = style.size ?? 15, strong = style.strong ?? false;
    const shown = style.most === undefined ? text : this.cut(text, size, strong, style.most);
    if (!shown) return 0;
    const width = this.measure(shown, size, strong);
    const anchor = style.anchor ?? "start";
    this.items.push({
      kind: "text", x, y, text: shown, size, anchor, strong, soft: style.soft ?? false, struck: style.struck ?? false, tag: style.tag ?? false, now: style.now ?? false,
      width, pile: this.pile,
    });
    const left = anchor === "start" ? x : anchor === "middle" ? x - width / 2 : x - width;
    this.reach(left, y - size, left + width, y + size * 0.25);
    return width;
  }

  /**
   * @param {string} text
   * @param {number} size
   * @param {boolean} strong
   * @param {number} most
   */
  cut(text, size, strong, most) {
    if (this.measure(text, size, strong) <= most) return text;
    let kept = [...text];
    while (kept.length > 1 && this.measure(kept.join("") + "…", size, strong) > most) kept = kept.slice(0, -1);
    return kept.length > 1 ? kept.join("").trimEnd() + "…" : "";
  }

  /**
   * The longest of some texts that has room, in the largest of some sizes; if none has, the last of them cut.
   * @param {readonly string[]} texts
   * @param {readonly number[]} sizes
   * @param {boolean} strong
   * @param {number} most
   */
  fit(texts, sizes, strong, most) {
    for (const text of texts) for (const size of sizes) if (this.measure(text, size, strong) <= most) return { text, size };
    const size = sizes.at(-1) ?? 13;
    return { text: this.cut(texts.at(-1) ?? "", size, strong, most), size };
  }

  /**
   * The dashed place of a card that is not there.
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {boolean} now
   */
  slot(x, y, w, now = false) {
    this.items.push({ kind: "slot", x, y, w, h: w * TALL, now, pile: this.pile });
    this.reach(x, y, x + w, y + w * TALL);
  }

  /**
   * @param {number} x1
   * @param {number} y1
   * @param {number} x2
   * @param {number} y2
   */
  line(x1, y1, x2, y2) {
    this.items.push({ kind: "line", x1, y1, x2, y2, pile: this.pile });
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} r
   * @param {string} text
   */
  chip(x, y, r, text) {
    this.items.push({ kind: "chip", x, y, r, text, pile: this.pile });
    this.reach(x - r, y - r, x + r, y + r);
  }

  /**
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   */
  reach(left, top, right, bottom) {
    if (left < -0.5 || top < -0.5 || right > this.width + 0.5) this.crowded = true;
    this.height = Math.max(this.height, bottom);
  }

  /**
   * A fan laid from its left end; returns how high it is.
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {readonly Entry[]} entries
   * @param {Fan} fan
   * @param {{dim?: boolean}} how
   */
  fan(x, y, w, entries, fan, how = {}) {
    if (fan.counted) {
      const closed = entries.filter((e) => e.look === "back");
      let at = x;
      for (const e of entries) {
        if (e.look === "back") continue;
        this.card(at, y, w, e, { ...how, room: w * step(e, w, "least") });
        at += w * step(e, w, "least");
      }
      for (let i = 0; i < Math.min(3, closed.length); i++) this.card(at + i * 2, y, w, { card: "??", look: "back", count: i === Math.min(3, closed.length) - 1 ? closed.length : 0, now: closed.some((e) => e.now) }, how);
      return w * TALL;
    }
    let taken = -1;
    let i = fan.more ?? 0;
    if (fan.more) {
      this.slot(x, y, w, entries.slice(0, fan.more).some((e) => e.now));
      this.text(x + w / 2, y + w * 0.7 + 5, `+${fan.more}`, { size: 13, strong: true, anchor: "middle" });
    }
    fan.rows.forEach((many, row) => {
      let at = fan.more && !row ? x + w + 2 : x;
      for (let k = 0; k < many; k++, i++) {
        let entry = entries[i];
        if (!entry) return;
        // Backs that can no longer be counted by eye have their number on the last one.
        if (i === entries.length - 1 && entry.look === "back" && entries.length > 7 && (fan.steps[i] ?? w) < w * 0.2) {
          const backs = entries.filter((e) => e.look === "back").length;
          if (backs > 7) entry = { ...entry, count: backs };
        }
        const next = k < many - 1 ? Math.round(fan.steps[i] ?? 0) : 0;
        this.card(at, y + row * (w * TALL + BETWEEN_ROWS), w, entry, { ...how, room: next < w ? next : 0 });
        const half = entry.under ? this.measure(entry.under, 12, true) / 2 : 0;
        if (entry.under && row === fan.rows.length - 1 && at + w / 2 - half > taken) {
          this.text(at + w / 2, y + fan.height + 12, entry.under, { size: 12, strong: true, anchor: "middle" });
          taken = at + w / 2 + half + 3;
        }
        at += fan.steps[i] ?? 0;
      }
    });
    return fan.height;
  }

  /**
   * Whether a card, or the place of one, is here already.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   */
  covered(left, top, right, bottom) {
    return this.items.some((item) => (item.kind === "card" || item.kind === "slot") && item.x < right && item.x + item.w > left && item.y < bottom && item.y + item.w * TALL > top);
  }

  /**
   * A pile: at most three backs, or the card on top, and a number. Returns how wide it is with its words.
   * @param {number} x
   * @param {number} y
   * @param {number} w
   * @param {readonly Entry[]} entries
   * @param {{label: string, count: string, below?: boolean, most?: number, small?: boolean}} words
   */
  stack(x, y, w, entries, words) {
    const top = entries[entries.length - 1];
    const under = Math.min(2, Math.max(0, entries.length - 1));
    for (let i = under; i > 0; i--) this.card(x + (2 - i) * 2.5 - 2.5 * (2 - under), y, w, { card: "??", look: "back" });
    const at = x + under * 2.5;
    if (top) this.card(at, y, w, top);
    else this.slot(at, y, w);
    const most = words.most ?? 999;
    if (words.below) {
      const shown = [words.label, words.count].filter(Boolean).join(" ");
      const lines = this.measure(shown, 12, false) <= most ? [shown] : [words.label, words.count];
      const wide = lines.map((line, i) => this.text(at + w / 2, y + w * TALL + 14 + 14 * i, line, { size: 12, soft: true, anchor: "middle", most }));
      return Math.max(w + 5, ...wide);
    }
    // The ring of a finding around the card does not reach the words.
    const gap = words.small ? 8 : 10;
    const left = x + w + 5 + gap, size = words.small ? 12 : 13;
    const [first = "", ...rest] = this.broken(words.label, size, most);
    // Three lines beside a lower card would reach the next pile: there the number is in the second line.
    const three = words.small || w * TALL >= 42 || !rest.length;
    const label = three ? [first, ...rest] : [first, `${rest.join(" ")} ${words.count}`];
    // Two lines begin no higher than the pile: the pile above it has words of its own.
    const base = Math.max(label.length > 1 ? y + size - 2 : 0, y + w * TALL / 2 - 3 - (label.length - 1) * 7);
    const wide = label.map((line, i) => this.text(left, base + i * (size + 1), line, { size, soft: true, most }));
    // Half a number would be another one.
    const bold = words.small ? 13 : 15, whole = three && this.measure(words.count, bold, true) <= most;
    const b = this.text(left, base + 3 + label.length * (size + 1), whole ? words.count : "", { size: bold, strong: true });
    return w + 5 + gap + Math.max(b, ...wide);
  }

  /**
   * A name in one line, or in two if it has several words and does not fit.
   * @param {string} text
   * @param {number} size
   * @param {number} most
   */
  broken(text, size, most) {
    const space = text.indexOf(" ");
    return space < 0 || this.measure(text, size, false) <= most ? [text] : [text.slice(0, space), text.slice(space + 1)];
  }
}

/**
 * The distance to the next card, as a part of the width. Small faces have larger indices, which must stay visible.
 * @param {Entry} entry
 * @param {number} w
 * @param {"usual" | "less" | "least"} how
 */
function step(entry, w, how) {
  if (entry.look === "back") return how === "usual" ? 0.32 : 0.1;
  if (w >= 40) return how === "least" ? 0.36 : 0.48;
  return how === "least" ? 0.5 : 0.56;
}

/**
 * The layout of a fan of these cards in a given room: narrower steps first, then rows, then a number on the last back.
 * @param {readonly Entry[]} entries
 * @param {number} w
 * @param {number} room
 * @param {number} mostRows
 * @returns {Fan}
 */
export function fanOf(entries, w, room, mostRows = 2) {
  const n = entries.length;
  if (!n) return { steps: [], width: w, height: w * TALL, rows: [0], counted: false };
  const usual = entries.map((e) => step(e, w, "usual") * w);
  const least = entries.map((e) => step(e, w, "least") * w);
  const wide = along(usual, w), narrow = along(least, w);
  if (wide <= room || narrow <= room) {
    // Backs give way first: between the usual and the least step, as much as is needed.
    const backs = entries.map((e, i) => (e.look === "back" ? least[i] ?? 0 : usual[i] ?? 0));
    const [from, to] = wide <= room ? [usual, usual] : along(backs, w) <= room ? [usual, backs] : [backs, least];
    const most = along(from, w), fewest = along(to, w);
    const share = most > fewest ? Math.min(1, Math.max(0, (room - fewest) / (most - fewest))) : 1;
    const steps = from.map((s, i) => (to[i] ?? s) + (s - (to[i] ?? s)) * share);
    return { steps, width: along(steps, w), height: w * TALL, rows: [n], counted: false };
  }
  for (let rows = 2; rows <= mostRows; rows++) {
    const many = Math.ceil(n / rows);
    const split = Array.from({ length: rows }, (_, r) => Math.max(0, Math.min(many, n - r * many)));
    const widths = split.map((count, r) => along(least.slice(r * many, r * many + count), w));
    if (Math.max(...widths) <= room) {
      return { steps: least, width: Math.max(...widths), height: rows * (w * TALL + BETWEEN_ROWS) - BETWEEN_ROWS, rows: split, counted: false };
    }
  }
  if (entries.filter((e) => e.look === "back").length < 4) {
    // The last ones as far as their indices stay open, if there is room for any.
    const open = w * (w >= 40 ? 0.36 : 0.5);
    const perRow = Math.floor((room - w) / open) + 1, inFirst = Math.max(0, Math.floor((room - 2 * w - 2) / open) + 1);
    const shown = inFirst + (mostRows - 1) * perRow;
    if (mostRows > 1 && perRow > 0 && shown > 0) {
      const rows = [inFirst, ...Array(mostRows - 1).fill(perRow)];
      const wide = Math.max(w + (perRow - 1) * open, inFirst ? 2 * w + 2 + (inFirst - 1) * open : w);
      return { steps: entries.map(() => open), width: wide, height: mostRows * (w * TALL + BETWEEN_ROWS) - BETWEEN_ROWS, rows, counted: false, more: n - shown };
    }
    const squeezed = Math.max(2, (room - w) / Math.max(1, n - 1));
    return { steps: entries.map(() => squeezed), width: Math.min(room, w + squeezed * (n - 1)), height: w * TALL, rows: [n], counted: false };
  }
  return { steps: [], width: Math.min(room, w + 4 + entries.filter((e) => e.look !== "back").length * w * 0.5), height: w * TALL, rows: [n], counted: true };
}

/**
 * @param {readonly number[]} steps
 * @param {number} w
 */
function along(steps, w) {
  return steps.slice(0, -1).reduce((sum, s) => sum + s, 0) + w;
}

/**
 * A text in as many lines as needed.
 * @param {string} text
 * @param {number} size
 * @param {number} most
 * @param {Measure} measure
 */
export function folded(text, size, most, measure) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/ +/).filter(Boolean)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length && measure(longer, size, false) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
