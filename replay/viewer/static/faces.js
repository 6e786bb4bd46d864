// Cards as pictures: rank and sign in SVG, drawn here, for the four kinds of packs.
// @ts-check
import { t } from "./words.js";

/**
 * @typedef {"french" | "german" | "italian" | "spanish"} PackName
 * @typedef {"seen" | "back" | "unseen" | "later" | "count"} Look
 *   seen; a back; played but nobody saw it; shown later; certain by count
 * @typedef {{card: string, look: Look, width: number, pack: PackName, beside?: boolean, room?: number}} Face
 *   `beside`: in a column, with the sign beside the rank; `room`: how much of it the next card leaves open at the left, if one lies on it
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of a picture; attributes that are undefined are left out.
 * @param {string} tag
 * @param {Record<string, string | number | undefined>} attributes
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function shape(tag, attributes = {}, children = []) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(key, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
  }
  made.append(...children);
  return made;
}

const HEART = "M50 97C36 78 4 58 4 31C4 15 15 4 29 4C39 4 47 10 50 20C53 10 61 4 71 4C85 4 96 15 96 31C96 58 64 78 50 97Z";

/** The signs, each in a square of 100. If parts overlap, the inner one is cut out. */
const SIGNS = /** @type {Record<PackName, Record<string, string>>} */ ({
  french: {
    c: "M50 3A21 21 0 0 1 66 38A22.5 22.5 0 1 1 54 69C55 83 60 92 69 98H31C40 92 45 83 46 69A22.5 22.5 0 1 1 34 38A21 21 0 0 1 50 3Z",
    d: "M50 1C60 20 74 37 91 50C74 63 60 80 50 99C40 80 26 63 9 50C26 37 40 20 50 1Z",
    h: HEART,
    s: "M50 2C64 27 95 42 95 65C95 77 86 85 75 85C66 85 58 80 54 72C55 84 60 92 69 98H31C40 92 45 84 46 72C42 80 34 85 25 85C14 85 5 77 5 65C5 42 36 27 50 2Z",
  },
  german: {
    c: "M45 1H55V13C76 14 89 25 90 41H10C11 25 24 14 45 13ZM17 48H83C83 73 70 90 50 99C30 90 17 73 17 48Z",
    d: "M42 10A8 8 0 1 1 58 10V16A42 42 0 1 1 42 16ZM14 50V57H86V50ZM50 66A8 8 0 0 0 46 81V92H54V81A8 8 0 0 0 50 66Z",
    h: HEART,
    s: "M50 2C57 20 93 29 90 58C88 73 70 80 55 73L58 98H42L45 73C30 80 12 73 10 58C7 29 43 20 50 2ZM48 26V62H52V26Z",
  },
  italian: {
    c: "M36 2H64L60 14V86L64 98H36L40 86V14ZM40 30V36H60V30ZM40 64V70H60V64Z",
    d: "M50 3A47 47 0 1 1 49.9 3ZM50 13A37 37 0 1 0 50.1 13ZM50 22L57 43L78 50L57 57L50 78L43 57L22 50L43 43Z",
    h: "M10 5H90C90 38 76 53 57 57V74C71 77 79 85 81 97H19C21 85 29 77 43 74V57C24 53 10 38 10 5ZM22 13C24 22 27 28 31 33H69C73 28 76 22 78 13Z",
    s: "M33 1C72 16 88 48 73 72L83 79L78 88L66 80L55 99L43 92L54 73L42 65L48 56L60 63C68 41 56 18 33 1Z",
  },
  spanish: {
    c: "M35 20C33 8 41 2 50 2S67 8 65 20L72 26L65 33L63 46L70 52L62 58L59 95C56 99 44 99 41 95L39 68L31 61L38 54L35 37L28 30Z",
    d: "M50 3A47 47 0 1 1 49.9 3ZM50 15A35 35 0 1 0 50.1 15ZM50 30A20 20 0 1 1 49.9 30Z",
    h: "M12 4H88V22C88 42 76 54 58 57V76H70C77 80 80 88 80 97H20C20 88 23 80 30 76H42V57C24 54 12 42 12 22Z",
    s: "M50 1L59 13V62H79V73H56V86H63V99H37V86H44V73H21V62H41V13Z",
  },
});
const STAR = "M50 3L62 37L98 38L69 60L79 95L50 74L21 95L31 60L2 38L38 37Z";

/** The colour of a suit, as a class: green leaves and black acorns are what German tables know. */
const COLOURS = /** @type {Record<string, string>} */ ({ c: "club", d: "diamond", h: "heart", s: "spade" });

/** @type {Record<PackName, string>} */
const COURTS = { french: "JQK", german: "UOK", italian: "FVR", spanish: "SVR" };

const RANK_NAMES = /** @type {Record<string, string>} */ ({ A: t("ace"), 2: t("two"), 3: t("three"), 4: t("four"), 5: t("five"), 6: t("six"), 7: t("seven"), 8: t("eight"), 9: t("nine"), T: t("ten"), J: t("jack"), Q: t("queen"), K: t("king") });
const SUIT_NAMES = /** @type {Record<string, string>} */ ({ c: t("clubs"), d: t("diamonds"), h: t("hearts"), s: t("spades") });

/** What the cards of the pack on the table are called, in short and in full; nothing for the French one.
 * @type {Record<string, [string, string]>} */
let called = {};

/** @param {Record<string, [string, string]>} names */
export function nameCards(names) {
  called = names;
}

/** @param {string} card */
export function calledShort(card) {
  return called[card]?.[0];
}

/**
 * The pack of a match; the French one if nothing else is named.
 * @param {unknown} name
 * @returns {PackName}
 */
export function packNamed(name) {
  return name === "german" || name === "italian" || name === "spanish" ? name : "french";
}

/**
 * A card in parts: its printed rank, and its suit ("" for a joker, "?" if unseen).
 * @param {string} card
 * @param {PackName} pack
 */
function cardParts(card, pack) {
  if (card.startsWith("Jo")) return { rank: "Jo" + card.slice(2), suit: "" };
  const rank = card[0] ?? "?";
  const court = "JQK".indexOf(rank);
  return { rank: rank === "T" ? "10" : court >= 0 ? COURTS[pack][court] ?? rank : rank, suit: card[1] ?? "?" };
}

/**
 * The class that colours a suit.
 * @param {string} suit
 * @param {PackName} pack
 */
function suitClass(suit, pack) {
  if (pack === "german" && (suit === "c" || suit === "s")) return suit === "c" ? "spade" : "club";
  return COLOURS[suit] ?? "";
}

/**
 * The parts of a text, those about a suit with its colour; signs stay text where phones would draw emoji.
 * @param {string} text
 * @returns {[string, string][]}
 */
export function inSuits(text) {
  return text.split(/((?:10|[A2-9JQK])?[♣♦♥♠]\ufe0e?)/).filter(Boolean).map((part) => {
    const bare = part.replace("\ufe0e", ""), suit = "cdhs"["♣♦♥♠".indexOf(bare.at(-1) ?? " ")];
    return suit ? [`${bare}\ufe0e`, COLOURS[suit] ?? ""] : [part, ""];
  });
}

/**
 * A card in words, for those who hear it: "nine of diamonds", "sette di denari".
 * @param {string} card
 * @returns {string}
 */
export function cardWords(card) {
  const [face = "??", as] = card.split("=");
  if (as) return t("{card} as {other}", { card: cardWords(face), other: cardWords(as) });
  if (called[face]) return called[face][1];
  if (face.startsWith("Jo")) return face === "Jo+" ? t("first joker") : face === "Jo-" ? t("second joker") : t("joker");
  const rank = RANK_NAMES[face[0] ?? ""], suit = SUIT_NAMES[face[1] ?? ""];
  if (rank && suit) return t("{rank} of {suit}", { rank, suit });
  return rank ? t("a {rank}", { rank }) : suit ? t("one of {suit}", { suit }) : t("unseen card");
}

/**
 * The sign of a suit, `size` wide, at a place.
 * @param {string} suit
 * @param {PackName} pack
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
export function sign(suit, pack, x, y, size) {
  const drawn = SIGNS[pack][suit] ?? STAR;
  return shape("path", { d: drawn, "fill-rule": "evenodd", transform: `translate(${round(x)} ${round(y)}) scale(${round(size / 100)})` });
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 1000) / 1000;
}

/**
 * One card at its place, `width` wide and 7/5 as high. Two faces: a large sign at the bottom from 40 pixels on.
 * @param {Face} face
 */
export function drawn(face) {
  const { width: w, look } = face;
  const h = w * 1.4;
  const card = shape("g", { class: `card ${look}` });
  card.append(shape("rect", { class: "edge", x: 0, y: 0, width: w, height: h, rx: w / 10 }));
  if (look === "back") {
    const inset = Math.max(2.5, w * 0.09);
    card.append(shape("path", { class: "hatch", d: hatching(inset, inset, w - inset, h - inset, Math.max(4, w / 9)) }));
    return card;
  }
  const { rank, suit } = cardParts(face.card, face.pack);
  const colour = suitClass(suit, face.pack);
  if (colour) card.classList.add(colour);
  const large = w >= 40;
  // In a column no more stays open than a line.
  const size = w * (face.beside ? 0.44 : large ? 0.46 : 0.62);
  const margin = w * 0.08;
  const base = face.beside ? w * 0.37 : margin * 0.6 + size * 0.82;
  if (rank === "?" && suit === "?") {
    card.append(shape("text", { class: "unknown", x: (face.room || w) / 2, y: face.beside ? base : h / 2 + w * 0.2, "font-size": face.beside ? size : Math.min(w * 0.56, (face.room || w) * 1.2), "text-anchor": "middle" }, ["?"]));
    return card;
  }
  const joker = suit === "";
  // A wide index is squeezed, so that the next card cuts none.
  const free = (face.room || w) - margin - 1, own = rank.length > 1 ? w * (large && !face.beside ? 0.4 : 0.44) : size * (/[A-Z]/.test(rank) ? 0.78 : 0.56);
  const wide = rank.length > 1 || own > free ? Math.min(own, free) : undefined;
  card.append(shape("text", {
    class: "rank", x: margin, y: joker ? margin * 0.6 + size * 0.7 : base, "font-size": joker ? size * 0.75 : size,
    textLength: wide, lengthAdjust: wide ? "spacingAndGlyphs" : undefined,
  }, [rank]));
  const small = w * (large ? 0.29 : 0.5);
  if (suit === "?") {
    card.append(shape("text", { class: "unknown", x: w * 0.62, y: h * 0.86, "font-size": w * 0.5, "text-anchor": "middle" }, ["?"]));
  } else if (face.beside) {
    card.append(sign(suit, face.pack, w * 0.58, w * 0.05, w * 0.32));
    if (large) card.append(sign(suit, face.pack, w * 0.28, h - w * 0.6, w * 0.44));
  } else if (joker) {
    card.append(sign(suit, face.pack, large ? w * 0.46 : w * 0.25, h - w * (large ? 0.56 : 0.64), w * (large ? 0.46 : 0.5)));
  } else {
    card.append(sign(suit, face.pack, large ? margin : w * 0.12, base + w * (large ? 0.07 : 0.08), small));
    if (large) card.append(sign(suit, face.pack, w * 0.45, h - w * 0.56, w * 0.48));
  }
  if (look === "count") {
    card.append(shape("text", { class: "therefore", x: w * 0.94, y: large ? w * 0.32 : h - w * 0.06, "font-size": Math.max(11, w * 0.26), "text-anchor": "end" }, ["∴"]));
  }
  return card;
}

/**
 * The lines of a back, as one path: slanted strokes cut by the frame, so that no pattern has to be named in the page.
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom
 * @param {number} step
 */
function hatching(left, top, right, bottom, step) {
  const parts = [];
  for (let at = left + top + step; at < right + bottom; at += step) {
    const x0 = Math.min(right, at - top), x1 = Math.max(left, at - bottom);
    parts.push(`M${x0.toFixed(1)} ${(at - x0).toFixed(1)}L${x1.toFixed(1)} ${(at - x1).toFixed(1)}`);
  }
  return parts.join("");
}
