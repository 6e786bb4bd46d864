// The table at an event, drawn as in the viewer.
// @ts-check
import { ask, el, inWords, t } from "./common.js";

/**
 * A place that shows the table after an event, or as it stands now, as this viewer may see it.
 * @param {string} match
 * @param {number} [n]
 */
export function position(match, n = undefined) {
  const place = el("figure", { class: "position" }, el("p", { class: "soft" }, t("One moment …")));
  const show = async () => {
    try {
      // @ts-ignore: the viewer is one file, made of the modules of `replay/viewer/static`.
      const [{ pictureAt }, css, doc] = await Promise.all([import("./viewer.js"), fetch("/static/viewer.css").then((answer) => answer.text()), ask("GET", `/matches/${encodeURIComponent(match)}/frames`)]);
      const drawn = pictureAt(doc, n, 390, css);
      // Of a hand that is known by its result alone there is nothing to open.
      if (!drawn && place.closest(".pictured")) return place.closest("li")?.remove();
      if (!drawn) return place.replaceChildren(el("p", { class: "soft" }, t("Nothing has been played yet.")));
      const src = URL.createObjectURL(drawn.blob);
      place.replaceChildren(el("img", { src, alt: drawn.words, onload: () => URL.revokeObjectURL(src) }));
    } catch (error) {
      place.replaceChildren(el("p", { role: "alert" }, inWords(error)));
    }
  };
  // It is asked for once somebody comes to see it.
  new IntersectionObserver((seen, watch) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    show();
  }).observe(place);
  return place;
}
