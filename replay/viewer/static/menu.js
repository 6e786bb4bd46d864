// The menu: what else can be done, what a reader takes along (links, the record, pictures), what the faces mean, the keys.
// @ts-check
import { textWidth } from "./draw.js";
import { button, el } from "./dom.js";
import { drawn, shape } from "./faces.js";
import { gifOf } from "./gif.js";
import { Replay } from "./data.js";
import { fitted, highestCaption, pileWords, roomOf, seatBelow, still } from "./still.js";
import { t } from "./words.js";

/** @import { Viewer } from "./viewer.js" */

/** @type {[string, string][]} */
const KEYS = [
  [t("← →, or a swipe over the table"), t("one event back or on")], [t("Shift ← →, Page Up, Page Down"), t("one trick or turn")], [`${t("Home")}, ${t("End")}`, t("start and end of the hand")],
  ["n, p", t("next and previous hand")], [t("Space"), t("plays by itself, or stops")], ["+ −", t("faster, slower")], ["d", t("next finding, dispute or correction")],
  ["/", t("finds an event by card, player or word")], ["o", t("the other of two records")], ["f", t("turns the table")], ["h", t("how much of the hidden hands is drawn")], ["c", t("remarks on and off")], ["?", t("these keys")],
];
/** @type {[string, import("./faces.js").Look, string][]} */
const LOOKS = [
  ["8d", "seen", t("seen")], ["??", "back", t("not seen")], ["??", "unseen", t("played, but nobody saw it")], ["Jd", "later", t("shown later, at the event below it")], ["9d", "count", t("∴ follows by count")],
];

/**
 * The address of a page for other people; empty if it is only on a disk.
 * @param {Viewer} viewer
 */
function homeOf(viewer) {
  return viewer.replay.doc.url || (location.protocol.startsWith("http") ? location.href.replace(/#.*/, "") : "");
}

/**
 * Other papers of the match that are beside the page.
 * @param {import("./data.js").Doc} doc
 */
export function linksOf(doc) {
  return Object.entries(doc.links ?? {}).filter(([, href]) => /^[\w./-]+$/.test(href));
}

/**
 * What another page is written with to show this one in it.
 * @param {string} home
 * @param {number} n
 * @param {string} title
 */
function embedding(home, n, title) {
  const written = (/** @type {string} */ text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  return `<iframe src="${written(home)}#${n}" title="${written(title)}" width="390" height="844" loading="lazy"></iframe>`;
}

/**
 * @param {Viewer} viewer
 * @returns {(Node | string)[]}
 */
export function menuOf(viewer) {
  const { doc, pack } = viewer.replay, home = homeOf(viewer);
  const item = (/** @type {string} */ words, /** @type {() => void} */ press) => button(words, press, { words, kind: "item" });
  return [
    item(t("turn the table"), () => viewer.turn()), item(t("find an event"), () => viewer.search()), item(t("next finding"), () => viewer.next()), item(t("previous hand"), () => viewer.handBy(-1)),
    item(t("next hand"), () => viewer.handBy(1)), button(t("Speed"), () => viewer.faster(1, true), { words: t("speed {n}×", { n: 1 }), kind: "item speed" }), item(t("remarks on or off"), () => viewer.root.classList.toggle("quiet")),
    ...home ? [item(t("copy a link to this event"), () => void copy(viewer, `${home}#${viewer.place.n}`, t("Link to this event"))),
      item(t("copy what embeds this page"), () => void copy(viewer, embedding(home, viewer.place.n, doc.name), t("Code to embed this page")))] : [],
    ...linksOf(doc).map(([name, href]) => el("a", { href, class: "item" }, name)),
    item(t("picture of this position (SVG)"), () => void keepPicture(viewer, false)), item(t("picture of this position (PNG)"), () => void keepPicture(viewer, true)),
    item(t("this hand as a moving picture (GIF)"), () => void keepHand(viewer)),
    doc.kib ? item(t("save the record (.kib)"), () => keep(viewer, new Blob([doc.kib ?? ""], { type: "text/plain" }), ".kib")) : "",
    item(t("print"), () => print()),
    el("div", { class: "legend" }, ...LOOKS.flatMap(([card, look, what]) => [
      shape("svg", { viewBox: "-2 -2 32 46", width: 32, height: 46, "aria-hidden": "true" }, [drawn({ card, look, width: 28, pack })]), el("span", {}, what)])),
    el("dl", { class: "keys" }, ...KEYS.flatMap(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)])),
  ];
}

/**
 * @param {Viewer} viewer
 * @param {string} text
 * @param {string} what
 */
async function copy(viewer, text, what) {
  try {
    await navigator.clipboard.writeText(text);
    viewer.parts.live.textContent = t("Copied.");
  } catch {
    // Without a secure page the clipboard is closed: the text is shown to be copied by hand.
    const field = el("input", { class: "link", value: text, readonly: true, "aria-label": what });
    viewer.parts.menu.querySelector(".link")?.remove();
    viewer.parts.menu.append(field);
    field.select();
  }
}

/**
 * A file of one's own.
 * @param {Viewer} viewer
 * @param {Blob} blob
 * @param {string} ending
 */
function keep(viewer, blob, ending) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: `${viewer.replay.doc.match.replace(/[^\w.-]+/g, "-") || "match"}${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function styleOfPage() {
  return document.querySelector("style")?.textContent ?? "";
}

/**
 * A position as a picture, drawn by the page itself.
 * @param {Replay} replay
 * @param {import("./data.js").Place} place
 * @param {import("./still.js").Seen & {finding?: import("./data.js").Finding}} seen
 * @param {import("./still.js").Fitted} fit
 * @param {number} below
 * @param {string} css
 */
function drawnAt(replay, place, seen, fit, below, css) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches, finding = seen.finding ?? replay.findingsAt.get(place.n)?.[0];
  const drawn = still(replay, place, { ...seen, finding, fit, below, dark, css }, textWidth);
  return new Blob([new XMLSerializer().serializeToString(drawn)], { type: "image/svg+xml" });
}

/**
 * A position as a picture with its words, for a page without a viewer; without an event, the current position.
 * @param {import("./data.js").Doc} doc
 * @param {number | undefined} n
 * @param {number} width
 * @param {string} css
 */
export function pictureAt(doc, n, width, css) {
  const replay = new Replay(doc), place = n === undefined ? replay.places.at(-1) : replay.places[replay.indexOf(n)];
  if (!place) return undefined;
  const seen = { bottom: seatBelow(doc, ""), hidden: /** @type {const} */ ("proof") }, table = replay.table(place, { ...seen, finding: undefined, page: width });
  const words = [doc.hands[place.h]?.steps[place.i]?.says, ...Object.values(pileWords(table)).slice(0, table.piles.length)].join(" ");
  return { blob: drawnAt(replay, place, seen, { ...roomOf(width), least: 0, share: 1 }, 0, css), words };
}

/**
 * A picture in pixels.
 * @param {Blob} svg
 * @param {number} zoom
 */
async function pixels(svg, zoom) {
  const url = URL.createObjectURL(svg), image = new Image();
  image.src = url;
  await image.decode();
  const canvas = el("canvas", { width: image.width * zoom, height: image.height * zoom });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return { canvas, context };
}

/**
 * @param {Viewer} viewer
 * @param {boolean} png
 */
async function keepPicture(viewer, png) {
  const n = viewer.place.n, svg = drawnAt(viewer.replay, viewer.place, viewer, { ...roomOf(innerWidth < 720 ? 480 : 880), least: 0, share: 1 }, 0, styleOfPage());
  if (!png) return keep(viewer, svg, `-${n}.svg`);
  (await pixels(svg, 2)).canvas.toBlob((made) => made && keep(viewer, made, `-${n}.png`));
}

/**
 * The hand, event by event, as a GIF.
 * @param {Viewer} viewer
 */
async function keepHand(viewer) {
  const { replay, hand, bottom, hidden, place: { h } } = viewer, last = hand.steps.length - 1, room = roomOf(480);
  viewer.parts.live.textContent = t("The picture is being made.");
  const fit = fitted(replay, h, { bottom, hidden }, room, textWidth), below = highestCaption(replay, h, { bottom, hidden }, 480, textWidth);
  const draw = async (/** @type {number} */ i) => {
    const { canvas, context } = await pixels(drawnAt(replay, { h, i, n: hand.steps[i]?.n ?? 0 }, { bottom, hidden }, fit, below, styleOfPage()), 1);
    return context.getImageData(0, 0, canvas.width, canvas.height);
  };
  keep(viewer, await gifOf(last + 1, draw, (i) => (i === last ? 400 : 120), styleOfPage().match(/#[\da-f]{6}\b/g) ?? []), `-hand-${hand.number}.gif`);
}
