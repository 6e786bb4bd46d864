// The page of a link: it exchanges the link's secret for a cookie, and forgets the secret.
// @ts-check
import { ask, opened, t } from "./common.js";

/** @param {{role: string, match: string}} grant */
function home(grant, season = false) {
  if (season) return "/season";
  if (!grant.match) return grant.role === "director" ? "/director" : "/";
  return grant.role === "recorder" ? `/t/${encodeURIComponent(grant.match)}` : `/m/${encodeURIComponent(grant.match)}`;
}

opened(async () => {
  const secret = location.hash.slice(1), season = location.search === "?season";
  history.replaceState(null, "", "/enter");
  if (!secret) throw new Error(t("This page needs the whole link that you were given. Scan the code again, or ask the director for a new one."));
  const grant = await ask("POST", "/session", { secret }).catch((error) => ask("GET", "/me").catch(() => {
    // The link was used here before, and its cookie has expired.
    throw error;
  }));
  location.replace(home(grant, season));
});
