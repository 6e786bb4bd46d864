// The matches that somebody may see.
// @ts-check
import { WAYS, ask, el, key, opened, root, t } from "./common.js";

/** @param {{match: string, name: string, title: string, players: string[], table: string, date: string, over: boolean}} row */
function item(row, role = "") {
  const to = encodeURIComponent(row.match);
  const links = [el("a", { href: `/m/${to}` }, row.over ? t("replay") : t("follow")), el("a", { href: `/api/v1/matches/${to}/sheet.html` }, t("sheet"))];
  if (role === "recorder" || role === "director") links.unshift(el("a", { href: `/t/${to}` }, t("record")));
  return el("li", {}, el("div", { class: "what" }, el("b", {}, row.name), row.table ? ` ${t("table {table}", { table: row.table })}` : "", row.over ? el("span", { class: "done" }, t("finished")) : ""),
    el("div", {}, row.title), el("div", { class: "soft" }, [row.date, row.players.join(", ")].filter(Boolean).join(" · ")), el("div", { class: "links" }, ...links));
}

opened(async () => {
  const [grant, found, { tables }] = await Promise.all([ask("GET", "/me"), ask("GET", "/matches?limit=200"), ask("GET", "/hung-out")]);
  const rows = /** @type {Parameters<typeof item>[0][]} */ (found.matches), day = new URLSearchParams(location.search).get("day") ?? "";
  // An evening opens with what there is to see in it.
  const days = [...new Set(rows.map((row) => row.date))].filter(Boolean).sort().reverse(), of = rows.filter((row) => !day || row.date === day);
  const evenings = days.length > 1 || day ? el("nav", { class: "links", "aria-label": t("evenings") }, ...["", ...days].map((one) => el("a", { href: one ? `/?day=${one}` : "/", "aria-current": one === day ? "page" : undefined }, one || t("all evenings")))) : "";
  const list = el("ul", { class: "matches" }, ...of.map((row) => item(row, grant.role)));
  const directs = grant.role === "director" && !grant.match;
  const ways = [["/board", t("the evening")], ...(grant.role === "director" ? [["/director", t("director")]] : []), ...(directs ? WAYS : tables.length ? [["/season", t("season")]] : [])];
  const language = key(t("language"), async () => language.replaceWith((await import("./language.js")).languageChoice()));
  root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, t("Matches")), el("p", { class: "links" }, ...ways.map(([to, words]) => el("a", { href: to }, words ?? ""))),
    evenings, ...(day || days.length === 1 ? await (await import("./many.js")).worthOpening(`/worth-opening?day=${day || days[0]}`) : []), of.length ? list : el("p", {}, t("There is no match yet.")), language));
});
