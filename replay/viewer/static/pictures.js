// Pictures of positions for a program that has no browser: it gives the data and the style, and how wide a text is.
// @ts-check
import "./paper.js";
import { Replay } from "./data.js";
import { fitted, highestCaption, roomOf, seatBelow, still } from "./still.js";

/**
 * @typedef {{doc: import("./data.js").Doc, css: string, width: number, dark: boolean}} Asked
 */

/**
 * How the positions of a match are drawn. `measure` is asked once for each text.
 * @param {string} asked  what is asked, as JSON
 * @param {import("./scene.js").Measure} measure
 * @returns {(n: number, whole: boolean) => string}  draws the position after an event; for `whole`, as large as all of its hand need it
 */
function pictures(asked, measure) {
  const { doc, css, width, dark } = /** @type {Asked} */ (JSON.parse(asked));
  const replay = new Replay(doc), seen = { bottom: seatBelow(doc, doc.viewer), hidden: /** @type {const} */ ("proof") };
  const room = roomOf(width);
  /** @type {Map<string, number>} */
  const widths = new Map();
  const known = (/** @type {string} */ text, /** @type {number} */ size, /** @type {boolean} */ strong) => {
    const key = `${strong} ${size} ${text}`;
    const found = widths.get(key) ?? measure(text, size, strong);
    widths.set(key, found);
    return found;
  };
  /** @type {Map<number, {fit: import("./still.js").Fitted, below: number}>} */
  const sizes = new Map();
  return (n, whole) => {
    const place = replay.places[replay.indexOf(n)];
    if (!place) return "";
    let size = whole ? sizes.get(place.h) : { fit: { ...room, least: 0, share: 1 }, below: 0 };
    if (!size) {
      size = { fit: fitted(replay, place.h, seen, room, known), below: highestCaption(replay, place.h, seen, width, known) };
      sizes.set(place.h, size);
    }
    const drawn = still(replay, place, { ...seen, ...size, finding: replay.findingsAt.get(place.n)?.[0], dark, css }, known);
    drawn.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return /** @type {any} */ (drawn).text();
  };
}

Object.assign(globalThis, { pictures });
