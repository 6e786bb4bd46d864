// Links that were just given, with their codes to scan.
// @ts-check
import { ask, copy, el, key, t } from "./common.js";

/**
 * A text as a code to scan.
 * @param {string} text
 */
export async function code(text) {
  const svg = await ask("POST", "/code", { text });
  const read = new DOMParser().parseFromString(svg.svg, "image/svg+xml").documentElement;
  return el("div", { class: "code" }, document.importNode(read, true));
}

/**
 * A link that was just given: its code, its address, and how to take it back.
 * @param {{path: string}} given
 * @param {string} words
 * @param {() => void} done
 */
export async function link(given, words, done) {
  const address = location.origin + given.path, copied = el("span", { class: "soft" });
  return el("div", { class: "given" }, el("b", {}, words), await code(address), el("code", {}, address),
    el("div", { class: "choices" }, key(t("copy the link"), () => copy(address, copied)), key(t("done"), done)), copied);
}
