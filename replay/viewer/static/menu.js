// The menu: what else can be done, what a reader takes along (links, the record, pictures), what the faces mean, the keys.
// @ts-check
import { textWidth } from "./draw.js";
import { button, el } from "./dom.js";
import { drawn, shape } from "./faces.js";
import { roomOf, still } from "./still.js";

/** @typedef {import("./viewer.js").Viewer} Viewer */

/** @type {[string, string][]} */
const KEYS = [
  ["← →", "one event back or on"], ["Shift ← →, Page Up, Page Down", "one trick or turn"], ["Home, End", "start and end of the hand"],
  ["n, p", "next and previous hand"], ["Space", "plays by itself, or stops"], ["+ −", "faster, slower"], ["d", "next finding, dispute or correction"],
  ["f", "turns the table"], ["h", "how much of the hidden hands is drawn"], ["c", "remarks on and off"], ["?", "these keys"],
];
/** @type {[string, import("./faces.js").Look, string][]} */
const LOOKS = [
  ["8d", "seen", "seen"], ["??", "back", "not seen"], ["??", "unseen", "played, but nobody saw it"], ["Jd", "later", "shown later, at the event below it"], ["9d", "count", "∴ follows by count"],
];

/**
 * Where a page is found by others; empty if it only lies on a disk.
 * @param {Viewer} viewer
 */
function homeOf(viewer) {
  return viewer.replay.doc.url || (location.protocol.startsWith("http") ? location.href.replace(/#.*/, "") : "");
}

/**
 * Other papers of the match, as far as they lie beside the page.
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
    item("turn the table", () => viewer.turn()), item("next finding", () => viewer.next()), item("previous hand", () => viewer.handBy(-1)),
    item("next hand", () => viewer.handBy(1)), button("Speed", () => viewer.faster(1, true), { words: "speed 1×", kind: "item speed" }), item("remarks on or off", () => viewer.quiet()),
    ...home ? [item("copy a link to this event", () => void copy(viewer, `${home}#${viewer.place.n}`, "Link to this event")),
      item("copy what embeds this page", () => void copy(viewer, embedding(home, viewer.place.n, doc.name), "Code to embed this page"))] : [],
    ...linksOf(doc).map(([name, href]) => el("a", { href, class: "item" }, name)),
    item("picture of this position (SVG)", () => void keepPicture(viewer, false)), item("picture of this position (PNG)", () => void keepPicture(viewer, true)),
    doc.kib ? item("save the record (.kib)", () => keep(viewer, new Blob([doc.kib ?? ""], { type: "text/plain" }), ".kib")) : "",
    item("print", () => print()),
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
    viewer.parts.live.textContent = "Copied.";
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

/**
 * The position as a picture: nobody is asked for it, the page draws it.
 * @param {Viewer} viewer
 * @param {boolean} png
 */
async function keepPicture(viewer, png) {
  const fit = { ...roomOf(innerWidth < 720 ? 480 : 880), least: 0, share: 1 };
  const css = document.querySelector("style")?.textContent ?? "", dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const drawn = still(viewer.replay, viewer.place, { bottom: viewer.bottom, hidden: viewer.hidden, finding: viewer.finding, fit, below: 0, dark, css }, textWidth);
  const svg = new Blob([new XMLSerializer().serializeToString(drawn)], { type: "image/svg+xml" });
  if (!png) return keep(viewer, svg, `-${viewer.place.n}.svg`);
  const url = URL.createObjectURL(svg), image = new Image();
  image.src = url;
  await image.decode();
  const canvas = el("canvas", { width: image.width * 2, height: image.height * 2 });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((made) => made && keep(viewer, made, `-${viewer.place.n}.png`));
}
