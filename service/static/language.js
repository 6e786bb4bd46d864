// A choice among the languages of a page.
// @ts-check
import { el, select, t } from "./common.js";

/** The code and the name of each; they are written in when this script is sent.
 * @type {[string, string][]} */
const OFFERED = [];

/** The language that is chosen stays with this browser. */
export function languageChoice() {
  const choice = select(OFFERED);
  choice.value = document.documentElement.lang;
  choice.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("lang", choice.value);
    location.replace(address);
  });
  return el("label", {}, t("language"), choice);
}
