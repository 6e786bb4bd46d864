// Elements of the page. What a record says only ever becomes text.
// @ts-check
import { inSuits, shape } from "./faces.js";

/**
 * @typedef {Node | string | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} Attributes
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key, value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child !== null && child !== undefined && child !== false && child !== "")));
  return made;
}

/**
 * A sentence with its cards in the colours of their suits.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function said(text) {
  return inSuits(text).map(([part, suit]) => (suit ? el("span", { class: `face ${suit}` }, part) : part));
}

/** What the marks of a recorder are, as in chess: in signs, and in words. */
const MARKS = /** @type {Record<number, [string, string]>} */ ({ 1: ["!", "good"], 2: ["?", "poor"], 3: ["!!", "excellent"], 4: ["??", "bad"], 5: ["!?", "interesting"], 6: ["?!", "doubtful"] });

/**
 * The marks that a recorder set at an event.
 * @param {number[] | undefined} glyphs
 */
export function glyphsOf(glyphs) {
  return (glyphs ?? []).map((n) => {
    const [sign, word] = MARKS[n] ?? [`$${n}`, `mark ${n}`];
    return el("span", { class: "glyph", role: "img", "aria-label": word, title: word }, sign);
  });
}

/** The strokes of the buttons, in a square of 24. */
const ICONS = /** @type {Record<string, string>} */ ({
  first: "M6 5V19M19 5L8 12L19 19Z",
  back: "M17 5L6 12L17 19Z",
  on: "M7 5L18 12L7 19Z",
  last: "M18 5V19M5 5L16 12L5 19Z",
  play: "M7 4L20 12L7 20Z",
  pause: "M6 4H10V20H6ZM14 4H18V20H14Z",
  turn: "M4 10A8.5 8.5 0 0 1 19 7M19 2V7.5H13.5M20 14A8.5 8.5 0 0 1 5 17M5 22V16.500H10.5",
  menu: "M3 6H21M3 12H21M3 18H21",
});

/** @param {string} name */
export function icon(name) {
  const open = name === "turn" || name === "menu";
  return shape("svg", { viewBox: "0 0 24 24", class: `icon${open ? " open" : ""}`, "aria-hidden": "true", focusable: "false" }, [shape("path", { d: ICONS[name] ?? "" })]);
}

/**
 * A button with a sign, a word, or both; `label` is what it is called aloud.
 * @param {string} label
 * @param {(event: Event) => void} press
 * @param {{icon?: string, words?: string, kind?: string, keys?: string}} look
 */
export function button(label, press, look = {}) {
  return el("button", { type: "button", class: look.kind ?? "key", "aria-label": look.words === label ? undefined : label, title: look.keys ? `${label} (${look.keys})` : undefined, click: press },
    look.icon ? icon(look.icon) : "", look.words ? el("span", {}, look.words) : "");
}

/**
 * A long list is one stop of the Tab key; the arrows go up and down in it, in a table within the column.
 * @template {HTMLElement} T
 * @param {T} list
 * @returns {T}
 */
export function oneStop(list) {
  const items = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("a, button")]);
  list.addEventListener("keydown", (event) => {
    const all = items(), at = all.indexOf(/** @type {HTMLElement} */ (event.target)), by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (at < 0 || !by) return;
    event.preventDefault();
    const cell = all[at]?.closest("td"), next = by < 0 ? "previousElementSibling" : "nextElementSibling";
    let row = cell?.parentElement?.[next] ?? null;
    while (row && !row.querySelector("a")) row = row[next];
    const below = row instanceof HTMLTableRowElement ? (row.cells[cell?.cellIndex ?? 0] ?? row).querySelector("a") ?? row.querySelector("a") : undefined;
    const to = cell ? below : all[at + by];
    if (to) stopAt(list, to).focus();
  });
  for (const one of items()) one.tabIndex = -1;
  const [first] = items();
  if (first) stopAt(list, first);
  return list;
}

/**
 * Where the Tab key stops in such a list.
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 */
export function stopAt(list, item) {
  for (const one of list.querySelectorAll("[tabindex='0']")) /** @type {HTMLElement} */ (one).tabIndex = -1;
  item.tabIndex = 0;
  return item;
}

/**
 * An event as a link into the page.
 * @param {number} n
 * @param {string} kind
 * @param {Child[]} children
 */
export function eventLink(n, kind, ...children) {
  return el("a", { href: `#${n}`, class: kind, "data-n": n }, ...(children.length ? children : [String(n)]));
}
