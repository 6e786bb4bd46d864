// Finding matches and events again.
// @ts-check
import { ask, el, opened, t, tn } from "./common.js";
import { asking, choice, field, hitItem, page } from "./many.js";

opened(async () => {
  const grant = await ask("GET", "/me");
  const { form, below, send } = asking(t("find"), async (said) => {
    const { hits, more } = /** @type {{hits: import("./many.js").Hit[], more: boolean}} */ (await ask("GET", `/find?${said}`));
    return [el("p", { class: "soft" }, hits.length ? `${tn(["{n} found", "{n} found"], hits.length)}${more ? `; ${t("there are more: say more of what you look for")}` : ""}` : t("Nothing was found.")), el("ul", { class: "hits" }, ...hits.map((hit) => hitItem(hit)))];
  }, field("player", t("player"), { list: "players" }), field("comment", t("words of a remark")), field("game", t("game"), { placeholder: "kaiser" }), field("contract", t("contract"), { placeholder: "7 no trump" }),
  el("details", { open: ["from", "to", "outcome", "score", "points", "finding", "rule", "dispute", "title", "book"].some((name) => new URLSearchParams(location.search).has(name)) }, el("summary", {}, t("more to look for")), el("div", {}, field("from", t("from"), { placeholder: "2026-03", maxlength: 10 }), field("to", t("until"), { placeholder: "2026-06-30", maxlength: 10 }), choice("outcome", t("contract was"), [["", t("either")], ["made", t("made")], ["failed", t("failed")]]), field("score", t("total of a side"), { placeholder: "> 50" }), field("points", t("points of a hand"), { placeholder: "40..60" }),
    choice("finding", t("finding"), [["", t("any, or none")], ["broken", t("a breach")], ["perhaps", t("a breach or a slip")], ["open", t("an open question")]]), field("rule", t("rule"), { placeholder: "kaiser.R11" }), choice("dispute", t("dispute"), [["", t("any, or none")], ["open", t("without a ruling")], ["any", t("any dispute")]]), field("title", t("title of the match")), field("book", t("book"), { maxlength: 64 }))));
  const names = el("datalist", { id: "players" });
  page(t("Find a match or an event"), grant.role === "director", form, names, below);
  ask("GET", "/players").then(({ players }) => names.replaceChildren(...players.map((/** @type {{name: string}} */ one) => el("option", { value: one.name }))), () => undefined);
  if (location.search) await send();
});
