// A scene drawn as one picture. What a pile holds is said in words for those who hear the page.
// @ts-check
import { t } from "./words.js";
import { cardWords, drawn, inSuits, shape } from "./faces.js";

/** @import { PackName } from "./faces.js" */
/** @import { Item, Scene } from "./scene.js" */

/** @type {CanvasRenderingContext2D | null | undefined} */
let canvas;
/** @type {Map<string, number>} */
const measured = new Map();
export const FONT = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, FiraGO, system-ui, sans-serif';

/**
 * How wide a text is in the page's type.
 * @param {string} text
 * @param {number} size
 * @param {boolean} strong
 */
export function textWidth(text, size, strong) {
  const key = `${strong} ${size} ${text}`;
  let wide = measured.get(key);
  if (wide === undefined) {
    canvas ??= document.createElement("canvas").getContext("2d");
    if (!canvas) return text.length * size * 0.56;
    canvas.font = `${strong ? "700" : "400"} ${size}px ${FONT}`;
    wide = canvas.measureText(text).width + 0.5;
    measured.set(key, wide);
  }
  return wide;
}

/** @type {Map<string, SVGElement>} */
const faces = new Map();

/**
 * @param {import("./faces.js").Face} face
 * @returns {SVGElement}
 */
function faceOf(face) {
  const key = `${face.card} ${face.look} ${face.width} ${face.pack} ${face.beside} ${face.room}`;
  let made = faces.get(key);
  if (!made) {
    if (faces.size > 600) faces.clear();
    made = drawn(face);
    faces.set(key, made);
  }
  return /** @type {SVGElement} */ (made.cloneNode(true));
}

/** @type {WeakMap<SVGElement, Map<string, SVGElement>>} */
const drawnIn = new WeakMap();

/**
 * The whole table as a picture. Unchanged parts of the previous one stay in place: a step costs only what it moves.
 * @param {Scene} scene
 * @param {PackName} pack
 * @param {Record<string, string>} words  what each pile is called
 * @param {SVGElement | null} before
 */
export function picture(scene, pack, words, before) {
  const width = Math.round(scene.width), height = Math.round(scene.height);
  const out = before ?? shape("svg", { class: "cards", role: "group", "aria-label": t("The table") });
  for (const [key, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width: String(width), height: String(height) })) {
    if (out.getAttribute(key) !== value) out.setAttribute(key, value);
  }
  const old = drawnIn.get(out) ?? new Map();
  /** @type {Map<string, SVGElement>} */
  const now = new Map();
  /** @type {Item[][]} */
  const groups = [];
  for (const item of scene.items) {
    const last = groups.at(-1);
    if (last && last[0]?.pile === item.pile) last.push(item);
    else groups.push([item]);
  }
  groups.forEach((items, nth) => {
    const pile = items[0]?.pile ?? "";
    const key = `${pile ? "" : nth}${words[pile] ?? ""}${JSON.stringify(items)}`;
    let group = now.has(key) ? undefined : old.get(key);
    if (!group) {
      group = shape("g", pile ? { role: "img", "aria-label": words[pile] ?? pile, "data-pile": pile } : {});
      for (const item of items) group.append(...drawnItem(item, pack));
    }
    now.set(key, group);
  });
  // Marks stand above every card, so that none hides them and they hide no index.
  const ringed = scene.items.flatMap((item) => (item.kind === "card" && item.entry.ring ? ring(item.x, item.y, item.w, item.room) : []));
  if (ringed.length) now.set("marks", shape("g", { "aria-hidden": "true" }, ringed));
  const kept = new Set(now.values());
  for (const child of [...out.children]) if (!kept.has(/** @type {SVGElement} */ (child))) child.remove();
  [...kept].forEach((group, i) => {
    if (out.children[i] !== group) out.insertBefore(group, out.children[i] ?? null);
  });
  drawnIn.set(out, now);
  return out;
}

/**
 * @param {Item} item
 * @param {PackName} pack
 * @returns {SVGElement[]}
 */
function drawnItem(item, pack) {
  if (item.kind === "card") {
    const card = faceOf({ card: item.entry.card, look: item.entry.look, width: item.w, pack, beside: item.beside, room: item.room });
    card.setAttribute("transform", `translate(${item.x.toFixed(2)} ${item.y.toFixed(2)})`);
    if (item.entry.count) card.append(shape("text", { class: "many", x: item.w / 2, y: item.w * 0.85, "font-size": Math.max(13, item.w * 0.4), "text-anchor": "middle" }, [String(item.entry.count)]));
    if (item.dim) card.classList.add("dim");
    if (item.entry.now) {
      card.classList.add("now");
      card.append(shape("rect", { class: "just", x: 0, y: 0, width: item.w, height: item.w * 1.4, rx: item.w / 10 }));
    }
    if (item.entry.why) card.append(shape("title", {}, [`${cardWords(item.entry.card)}, ${item.entry.why}`]));
    return [card];
  }
  if (item.kind === "slot") return [shape("rect", { class: item.now ? "slot just" : "slot", x: item.x + 1, y: item.y + 1, width: item.w - 2, height: item.h - 2, rx: item.w / 10 })];
  if (item.kind === "line") return [shape("line", { class: "rule", x1: item.x1, y1: item.y1, x2: item.x2, y2: item.y2 })];
  if (item.kind === "chip") {
    return [
      shape("circle", { class: "chip rim", cx: item.x, cy: item.y, r: item.r - 1 }),
      shape("circle", { class: "chip", cx: item.x, cy: item.y, r: item.r * 0.68 }),
      shape("text", { class: "word strong", x: item.x, y: item.y + 4.5, "font-size": 13, "text-anchor": "middle" }, [item.text]),
    ];
  }
  const kinds = `word${item.strong ? " strong" : ""}${item.soft ? " soft" : ""}${item.struck ? " struck" : ""}${item.tag ? " tag" : ""}`;
  const text = shape("text", { class: kinds, x: item.x, y: item.y, "font-size": item.size, "text-anchor": item.anchor }, inSuits(item.text).map(([part, suit]) => (suit ? shape("tspan", { class: suit }, [part]) : part)));
  const left = item.x - (item.anchor === "start" ? 0 : item.anchor === "middle" ? item.width / 2 : item.width);
  const framed = [item.tag && "tagged", item.now && "just"].filter(Boolean);
  return [...framed.map((kind) => shape("rect", { class: `${kind}`, x: left - 6, y: item.y - item.size - 2, width: item.width + 12, height: item.size + 8, rx: 3 })), text];
}

/**
 * The ring of a card that breaks a rule, and the sign at its corner.
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} room  how much of it stays open at the left, if a card lies on it
 */
function ring(x, y, w, room) {
  const h = w * 1.4, r = Math.max(8, Math.min(11, w * 0.2));
  // If a card lies on it, the sign is above, as it would hide that card's index.
  const cx = x + (room || w) - 2, cy = room ? y - r + 1 : y - 3;
  return [
    shape("rect", { class: "ring", x: x - 3.5, y: y - 3.5, width: w + 7, height: h + 7, rx: w / 10 + 3 }),
    shape("circle", { class: "mark", cx, cy, r }),
    shape("text", { class: "mark", x: cx, y: cy + r * 0.48, "font-size": r * 1.4, "text-anchor": "middle" }, ["!"]),
  ];
}
