// Where a link leads: its secret is changed for a cookie, and forgotten.
// @ts-check
import { t } from "./words.js";
import { ask, el, inWords, root } from "./common.js";

/** @param {{role: string, match: string}} grant */
function home(grant, season = false) {
  if (season) return "/season";
  if (!grant.match) return grant.role === "director" ? "/director" : "/";
  return grant.role === "recorder" ? `/t/${encodeURIComponent(grant.match)}` : `/m/${encodeURIComponent(grant.match)}`;
}

async function enter() {
  const secret = location.hash.slice(1), season = location.search === "?season";
  history.replaceState(null, "", "/enter");
  const place = root();
  if (!secret) {
    place.replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), el("p", {}, t("This page needs the whole link that you were given. Scan the code again, or ask the director for a new one."))));
    return;
  }
  try {
    const grant = await ask("POST", "/session", { secret });
    location.replace(home(grant, season));
  } catch (error) {
    try {
      // The link was used here before: the cookie of then still holds.
      location.replace(home(await ask("GET", "/me"), season));
    } catch {
      place.replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), el("p", { role: "alert" }, inWords(error))));
    }
  }
}

enter();
