// One position as a picture and in words: the largest card size that fits, the piles in words, and a standalone picture.
// @ts-check
import { cardWords, shape } from "./faces.js";
import { FONT, picture } from "./draw.js";
import { arrange, tells } from "./layout.js";
import { Scene, folded } from "./scene.js";
import { markOf } from "./data.js";
import { standingOf } from "./seating.js";
import { t } from "./words.js";

/** @import { Doc, Finding, Hidden, Place, Replay } from "./data.js" */
/** @import { Measure } from "./scene.js" */
/** @import { Table } from "./seating.js" */
/**
 * @typedef {{width: number, page: number, most: number, least: number, share: number}} Fitted
 *   How wide and how high a table may be; `least` is as high as its hand needs it, `share` how large its cards are.
 * @typedef {{bottom: string, hidden: Hidden}} Seen
 */

/**
 * The seat at the bottom: the one that was asked for; else south, or the first one.
 * @param {Doc} doc
 * @param {string} asked
 */
export function seatBelow(doc, asked) {
  const seat = asked.toUpperCase();
  if (doc.seats.includes(seat)) return seat;
  return doc.seats.join("") === "NESW" ? "S" : doc.seats[0] ?? "";
}

/**
 * How large the cards of a hand can be at all its events, and how high its table is: so nothing jumps from one to the next.
 * @param {Replay} replay
 * @param {number} h
 * @param {Seen} seen
 * @param {{width: number, page: number, most: number}} room
 * @param {Measure} measure
 * @returns {Fitted}
 */
export function fitted(replay, h, seen, room, measure) {
  const fit = { ...room, least: 0, share: 1 };
  replay.doc.hands[h]?.steps.forEach((step, i) => {
    const table = replay.table({ h, i, n: step.n }, { ...seen, finding: undefined, page: room.page });
    const { scene, share } = arrange(table, { ...room, least: 0 }, measure, fit.share);
    if (share < fit.share) fit.least = 0;
    fit.share = Math.min(fit.share, share);
    fit.least = Math.max(fit.least, Math.min(scene.height, room.most));
  });
  return fit;
}

/**
 * What every pile holds, in words.
 * @param {Table} table
 * @returns {Record<string, string>}
 */
export function pileWords(table) {
  /** @type {Record<string, string>} */
  const out = {};
  const cards = (/** @type {import("./scene.js").Entry[]} */ entries) => {
    const open = entries.filter((e) => e.card !== "??").map((e) => cardWords(e.card) + (e.why ? ` (${e.why})` : "") + (e.ring ? ` (${t("breaks a rule")})` : ""));
    const closed = entries.length - open.length;
    return [...open, closed ? (closed === 1 ? t("an unseen card") : t("{n} unseen cards", { n: closed })) : ""].filter(Boolean).join(", ") || t("empty");
  };
  for (const pile of table.piles) {
    const owner = pile.owner ? table.called[pile.owner] ?? pile.owner : "";
    const name = pile.place === "hand" ? (pile.label && pile.label !== "hand" ? `${owner}, ${pile.label}` : owner) : [owner, pile.label].filter(Boolean).join(", ");
    const count = pile.entries.length > 14 && pile.form === "stack" ? t("{n} cards, on top {cards}", { n: pile.count, cards: cards(pile.entries.slice(-1)) }) : pile.vague && !pile.count ? t("nobody counted them") : cards(pile.entries);
    out[pile.name] = `${name || t("pile")}: ${count}${[pile.kind, pile.wild, pile.total, pile.says].filter(Boolean).map((text) => `, ${text}`).join("")}`;
  }
  const laid = table.middle.map(({ seat, entry }) => [seat ? table.called[seat] ?? seat : "", cards([entry])].filter(Boolean).join(" "));
  out["trick"] = t("Trick: {cards}", { cards: laid.join(", ") });
  out["board"] = t("On the table: {cards}", { cards: table.middle.filter(({ seat }) => !seat).map(({ entry }) => cards([entry])).join(", ") });
  return out;
}

/**
 * How much room there is for the table of a picture.
 * @param {number} width
 */
export function roomOf(width) {
  return { width, page: width, most: Math.round(width * (width >= 720 ? 0.75 : 1.5)) };
}

/**
 * The colours of the page, by their names without the dashes.
 * @param {string} css
 * @param {boolean} dark
 * @returns {Record<string, string>}
 */
function coloursOf(css, dark) {
  const blocks = [...css.matchAll(/:root\s*\{([^}]*)\}/g)].map((found) => found[1] ?? "");
  const named = (/** @type {string} */ block) => [...block.matchAll(/--([\w-]+):\s*([^;]+)/g)].map((found) => [found[1] ?? "", (found[2] ?? "").trim()]);
  return Object.fromEntries([...named(blocks[0] ?? ""), ...(dark ? named(blocks[1] ?? "") : [])]);
}

/**
 * What the page's style says of cards and words on the table, with its colours put in: a picture has no page around it.
 * @param {string} css
 * @param {Record<string, string>} colours
 */
function styleOf(css, colours) {
  return (css.match(/(?<=^|\n|\} )\.cards?\b[^{}]*\{[^}]*\}/g) ?? []).join("\n").replace(/var\(--([\w-]+)\)/g, (whole, name) => colours[name] ?? whole);
}

/**
 * The text below the table of a picture: the event in a sentence, its findings, and the match.
 * @param {Scene} scene
 * @param {Replay} replay
 * @param {Place} place
 * @param {Table} table
 */
function caption(scene, replay, place, table) {
  const { doc } = replay;
  const wide = scene.width >= 720, edge = wide ? 20 : 12, most = scene.width - 2 * edge;
  const say = (/** @type {string} */ text, /** @type {number} */ size, /** @type {import("./scene.js").TextStyle} */ style = {}) => {
    for (const line of folded(text, size, most, scene.measure)) {
      scene.height += size * 1.3;
      scene.text(edge, scene.height, line, { size, ...style, most });
    }
    scene.height += 4;
  };
  scene.pile = "";
  scene.height += 6;
  say(`${place.n}. ${doc.hands[place.h]?.steps[place.i]?.says ?? ""}`, wide ? 20 : 17);
  for (const found of replay.findingsAt.get(place.n) ?? []) say(`${markOf(found.verdict)} ${found.title || found.short || ""}`, 15, { strong: true });
  const named = doc.title ? `${doc.name}: ${doc.title}` : doc.name;
  say([named, ...(wide && tells(table) ? [standingOf(table)] : [table.standing, table.contract])].filter(Boolean).join(" · "), 13, { soft: true });
  scene.height += 10;
}

/**
 * How high the words below a picture are at most, at any event of a hand.
 * @param {Replay} replay
 * @param {number} h
 * @param {Seen} seen
 * @param {number} width
 * @param {Measure} measure
 */
export function highestCaption(replay, h, seen, width, measure) {
  const heights = (replay.doc.hands[h]?.steps ?? []).map((step, i) => {
    const place = { h, i, n: step.n }, scene = new Scene(width, measure);
    caption(scene, replay, place, replay.table(place, { ...seen, finding: undefined, page: width }));
    return scene.height;
  });
  return Math.max(0, ...heights);
}

/**
 * A position as a standalone picture, with everything that its drawing needs.
 * @param {Replay} replay
 * @param {Place} place
 * @param {{bottom: string, hidden: Hidden, finding: Finding | undefined, fit: Fitted, below: number, dark: boolean, css: string}} how
 *   `below` is how much room the words have at least
 * @param {Measure} measure
 */
export function still(replay, place, how, measure) {
  const { fit } = how;
  const table = replay.table(place, { ...how, page: fit.page });
  const { scene } = arrange(table, fit, measure, fit.share);
  scene.height = Math.max(scene.height, fit.least);
  const edge = scene.height;
  caption(scene, replay, place, table);
  scene.height = Math.max(scene.height, edge + how.below);
  const colours = coloursOf(how.css, how.dark);
  const out = picture(scene, replay.pack, pileWords(table), null);
  const ground = (/** @type {number} */ y, /** @type {number} */ height, /** @type {string | undefined} */ fill) => shape("rect", { x: 0, y, width: scene.width, height: height + 1, fill });
  out.insertBefore(ground(edge, scene.height - edge, colours["ground"]), out.children[0] ?? null);
  out.insertBefore(ground(0, edge, colours["table"]), out.children[0] ?? null);
  out.insertBefore(shape("style", {}, [styleOf(how.css, colours)]), out.children[0] ?? null);
  out.setAttribute("font-family", FONT);
  out.setAttribute("role", "img");
  out.setAttribute("aria-label", `${t("{game}, event {n}", { game: replay.doc.name, n: place.n })}: ${replay.doc.hands[place.h]?.steps[place.i]?.says ?? ""}`);
  return out;
}
