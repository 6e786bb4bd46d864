// Who has played: the players of the register, and the names that are nobody's yet.
// @ts-check
import { ask, el } from "./common.js";
import { page, refused, table } from "./many.js";

/** @typedef {{name: string, id: string, matches: number, counted: number}} Player */

/** @param {Player} one */
function row(one) {
  const who = encodeURIComponent(one.id || one.name);
  return [one.name, ...(one.id ? [one.id] : []), String(one.matches), String(one.counted), el("span", { class: "links" }, el("a", { href: `/season?player=${who}` }, "figures"), el("a", { href: `/find?player=${who}` }, "matches"))];
}

async function show() {
  try {
    const book = new URLSearchParams(location.search).get("book");
    const { players } = /** @type {{players: Player[]}} */ (await ask("GET", `/players${book ? `?book=${encodeURIComponent(book)}` : ""}`));
    const known = players.filter((one) => one.id), free = players.filter((one) => !one.id), heads = ["matches", "counted in tables", ""];
    page("The players", true,
      known.length ? table(["name", "id", ...heads], known.map(row), [1, 4]) : el("p", {}, "Nobody is in the register of players yet."),
      ...(free.length ? [el("h2", {}, "Names not linked to a player"), el("p", { class: "soft" }, "Each counts by itself until it is linked."), table(["name", ...heads], free.map(row), [3])] : []));
  } catch (error) {
    refused(error);
  }
}

show();
