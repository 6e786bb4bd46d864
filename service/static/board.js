// The evening for a projector: all tables, their standings, and what has just ended.
// @ts-check
import { el, root, shortening, suited, t, tn } from "./common.js";
import { Board, clock } from "./polling.js";

/** @import { Table } from "./polling.js" */

const DASHES = ["", "8 6", "2 5", "10 4 2 4", "14 5", "4 4"];
const book = new URLSearchParams(location.search).get("book");

/** @param {Table} table */
function course(table) {
  const svg = (/** @type {string} */ name, /** @type {Record<string, string | number>} */ attributes, text = "") => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
    if (text) made.textContent = text;
    return made;
  };
  // Each total with its hand; the line skips unknown totals.
  const known = table.sides.map((side) => side.course.flatMap((n, hand) => (n === null ? [] : [{ hand, n }])));
  const hands = Math.max(1, ...table.sides.map((side) => side.course.length - 1));
  const all = known.flat().map((one) => one.n), low = Math.min(0, ...all), top = Math.max(1, ...all, table.target !== null && table.target < 4 * Math.max(1, ...all) ? table.target : 1);
  const wide = 300, high = 120, x = (/** @type {number} */ k) => (k / hands) * wide, y = (/** @type {number} */ n) => high - ((n - low) / (top - low)) * (high - 24);
  const out = svg("svg", { class: "course", viewBox: `-6 -4 470 ${high + 12}`, preserveAspectRatio: "xMinYMid meet", role: "img", "aria-label": t("the course of the totals") });
  if (table.target !== null && table.target <= top) {
    out.append(svg("line", { class: "target", x1: 0, x2: wide, y1: y(table.target), y2: y(table.target) }), svg("text", { x: 0, y: y(table.target) - 6 }, t("to {target}", { target: table.target })));
  }
  const ends = table.sides.map((side, k) => ({ side, k, at: y(known[k]?.at(-1)?.n ?? 0) })).sort((a, b) => a.at - b.at);
  // No name covers another, and none reaches below the picture.
  const apart = Math.min(19, high / Math.max(1, ends.length - 1)), names = ends.map((end) => end.at);
  names.forEach((at, i) => (names[i] = Math.max(at, i ? (names[i - 1] ?? 0) + apart : at)));
  for (let i = names.length - 1, most = high; i >= 0; i--, most -= apart) names[i] = Math.min(names[i] ?? 0, most);
  const short = shortening(table.players);
  ends.forEach(({ side, k, at }, i) => {
    const points = known[k] ?? [];
    const end = x(points.at(-1)?.hand ?? 0);
    out.append(svg("path", { d: points.map((one, i) => `${i ? "L" : "M"}${x(one.hand)} ${y(one.n)}`).join(""), "stroke-dasharray": DASHES[k % DASHES.length] ?? "" }), svg("circle", { cx: end, cy: at, r: 4 }));
    out.append(svg("text", { x: end + 9, y: (names[i] ?? 0) + 6 }, short(side.name).replace(/^(.{15}).{2,}/u, "$1…")));
  });
  return out;
}

/** @param {Table} table */
function section(table) {
  const sides = table.sides.slice().sort((a, b) => Number(b.leads) - Number(a.leads));
  const many = sides.length > 2;
  return el("section", { "aria-label": t("table {table}, {game}, {match}", { table: table.table, game: table.game, match: table.match }) }, el("div", { class: "top" }, el("span", { class: "no" }, table.table), el("b", {}, table.game), table.over ? el("span", { class: "done" }, t("finished")) : el("span", { class: "soft" }, table.hand ? t("hand {n}", { n: table.hand }) : t("not begun"))),
    el("div", { class: `sides${many ? " many" : ""}` }, ...sides.slice(0, 8).flatMap((side) => [el("span", { class: `name${side.leads ? " leads" : ""}` }, side.name), el("span", { class: side.leads ? "leads" : "" }, side.total)])),
    table.sides.some((side) => side.course.filter((n) => n !== null).length > 1) ? course(table) : "", el("p", { class: "now" }, ...suited(table.over ? (table.winner ? t("{who} won", { who: table.winner }) : t("the match is over")) : table.now || table.ended)));
}

/** The number of tables on a projector at one time; with more tables, they take turns. */
const AT_ONCE = 12, TURN = 12000;
const large = matchMedia("(min-width: 900px)");
let page = 0;

/** @param {number} n */
function form(n) {
  return n <= 2 ? "few" : n <= 4 ? "four" : n <= 6 ? "six" : n <= 9 ? "nine" : "twelve";
}

/** @param {import("./polling.js").News} board */
function show(board) {
  document.title = board.title;
  const n = board.tables.length, pages = large.matches ? Math.max(1, Math.ceil(n / AT_ONCE)) : 1, each = Math.ceil(n / pages);
  const shown = pages > 1 ? board.tables.slice((page % pages) * each, ((page % pages) + 1) * each) : board.tables;
  root().replaceChildren(el("main", { class: "board" }, el("header", {}, el("h1", {}, board.title), el("span", { class: "soft" }, `${tn(["{n} table, {players} players", "{n} tables, {players} players"], n, { players: board.players })}${pages > 1 ? ` · ${t("page {n} of {all}", { n: (page % pages) + 1, all: pages })}` : ""}`), el("span", { class: "clock" }, clock())),
    board.round ? el("p", { class: "lately" }, el("b", {}, board.round), ...board.meetings.map((text) => el("span", {}, text))) : "",
    el("div", { class: `tables ${form(shown.length)}` }, ...shown.map(section)), board.ended.length ? el("p", { class: "lately" }, el("b", {}, t("Just ended")), ...board.ended.slice(0, 3).map((text) => el("span", {}, ...suited(text)))) : ""));
}

/** @type {any} */
let last;
const wrong = el("p", { class: "wrong", role: "alert" });
const board = new Board(book ? `?book=${encodeURIComponent(book)}` : "", (news) => show((last = news)), (words) => {
  wrong.replaceChildren(words);
  wrong.hidden = !words;
  if (words && !last) root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), wrong));
  else if (words) document.querySelector("main.board > header")?.after(wrong);
});
board.begin();
setInterval(() => {
  page++;
  if (last && last.tables.length > AT_ONCE && large.matches) show(last);
}, TURN);
large.addEventListener("change", () => last && show(last));
// The clock runs even if nothing else changes.
setInterval(() => document.querySelector(".clock")?.replaceChildren(clock()), 5000);
