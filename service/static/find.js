// Finding matches and events again.
// @ts-check
import { ask, el, opened } from "./common.js";
import { asking, choice, field, hitItem, page } from "./many.js";

opened(async () => {
  const grant = await ask("GET", "/me");
  const { form, below, send } = asking("find", async (said) => {
    const { hits, more } = /** @type {{hits: import("./many.js").Hit[], more: boolean}} */ (await ask("GET", `/find?${said}`));
    return [el("p", { class: "soft" }, hits.length ? `${hits.length} found${more ? "; there are more: say more of what you look for" : ""}` : "Nothing was found."), el("ul", { class: "hits" }, ...hits.map((hit) => hitItem(hit)))];
  }, field("player", "player", { list: "players" }), field("comment", "words of a remark"), field("game", "game", { placeholder: "kaiser" }), field("contract", "contract", { placeholder: "7 no trump" }),
  el("details", { open: ["from", "to", "outcome", "score", "points", "finding", "rule", "dispute", "title", "book"].some((name) => new URLSearchParams(location.search).has(name)) }, el("summary", {}, "more to look for"), el("div", {}, field("from", "from", { placeholder: "2026-03", maxlength: 10 }), field("to", "to", { placeholder: "2026-06-30", maxlength: 10 }), choice("outcome", "contract was", [["", "either"], ["made", "made"], ["failed", "failed"]]), field("score", "total of a side", { placeholder: "> 50" }), field("points", "points of a hand", { placeholder: "40..60" }),
    choice("finding", "finding", [["", "any, or none"], ["broken", "a breach"], ["perhaps", "a breach or a slip"], ["open", "an open question"]]), field("rule", "rule", { placeholder: "kaiser.R11" }), choice("dispute", "dispute", [["", "any, or none"], ["open", "without a ruling"], ["any", "any dispute"]]), field("title", "title of the match"), field("book", "book", { maxlength: 64 }))));
  const names = el("datalist", { id: "players" });
  page("Find a match or an event", grant.role === "director", form, names, below);
  ask("GET", "/players").then(({ players }) => names.replaceChildren(...players.map((/** @type {{name: string}} */ one) => el("option", { value: one.name }))), () => undefined);
  if (location.search) await send();
});
