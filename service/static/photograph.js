// Photographs of a match: taken or chosen, listed, and taken away by a director.
// @ts-check
import { ask, el, inWords, key, t } from "./common.js";

/** @typedef {{n: number, type: string, bytes: number, text: string, removed: number}} Picture */

const KINDS = "image/jpeg,image/png,image/webp";

/**
 * A key that takes a file, or a photograph if there is a camera.
 * @param {string} words
 * @param {Record<string, unknown>} attributes
 * @param {(file: File) => void} take
 */
export function fileKey(words, attributes, take) {
  const input = el("input", { type: "file", class: "spoken", ...attributes });
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) take(file);
    input.value = "";
  });
  return el("label", { class: "key file" }, words, input);
}

/**
 * The attachments of a match, and keys to attach more.
 * @param {string} path  of the match
 * @param {boolean} removes  whether who looks may take one away
 */
export function photographs(path, removes) {
  const said = el("p", { role: "status" }), list = el("ul", { class: "grants" });
  const words = el("input", { maxlength: 200, autocomplete: "off" });
  const show = async () => {
    const { attachments } = /** @type {{attachments: Picture[]}} */ (await ask("GET", `${path}/attachments`));
    list.replaceChildren(...attachments.filter((one) => !one.removed).map((one, k) => el("li", {}, el("a", { href: `/api/v1${path}/attachments/${one.n}` }, one.text || t("photograph {n}", { n: k + 1 })), removes ? key(t("remove"), () => ask("DELETE", `${path}/attachments/${one.n}`).then(show, failed), { class: "key", "aria-label": t("remove {what}", { what: one.text || t("photograph {n}", { n: k + 1 }) }) }) : "")));
  };
  const failed = (/** @type {unknown} */ error) => said.replaceChildren(inWords(error));
  const send = async (/** @type {File} */ file) => {
    said.replaceChildren(t("One moment …"));
    try {
      await ask("POST", `${path}/attachments?text=${encodeURIComponent(words.value.trim())}`, file);
      words.value = "";
      said.replaceChildren(t("The photograph is attached."));
      await show();
    } catch (error) {
      failed(error);
    }
  };
  show().catch(failed);
  return el("div", { class: "field" }, el("label", {}, t("what it shows (optional)"), words), el("div", { class: "choices" }, fileKey(t("take a photograph"), { accept: KINDS, capture: "environment" }, send), fileKey(t("from a file"), { accept: `${KINDS},application/pdf` }, send)), said, list);
}
