// A choice among the languages of a page.
// @ts-check
import { el, select } from "./common.js";
import { t } from "./words.js";

/** The language that is chosen stays with this browser. */
export function languageChoice() {
  const { lang, dataset } = document.documentElement;
  const choice = select((dataset.languages ?? "").split(" ").map((one) => /** @type {[string, string]} */ (one.split("="))));
  choice.value = lang;
  choice.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("lang", choice.value);
    location.replace(address);
  });
  return el("label", {}, t("language"), choice);
}
