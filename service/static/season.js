// The tables of a season. A director chooses, and may hang a table out; others read what hangs out.
// @ts-check
import { ask, el, key, opened, papers, told } from "./common.js";
import { link } from "./links.js";
import { area, asking, choice, field, page, table, tick, worthOpening } from "./many.js";
import { fileKey } from "./photograph.js";

/**
 * @typedef {{name: string, day: string, kind: string, why: string, n: number}} Decision
 * @typedef {{heading: string, columns: string[], figures: boolean[], rows: string[][]}} Table
 * @typedef {{about: string, tables: Table[], notes: string[], decisions: Decision[]}} Season
 * @typedef {{book: string, title: string, at: string}} HungOut
 */

const MOST = 12;
const BY = /** @type {[string, string][]} */ ([["", "matches won"], ["vp", "victory points"], ["share", "share of the matches won"], ["points", "points"], ["hands", "hands won"], ["points-a-hand", "points a hand"], ["difference", "points difference"]]);
const TICKS = ["ratings", "substitutes", "grid", "records"], MORE = [...TICKS, "formula", "best", "from", "to", "player", "title", "breaches", "ties", "vp", "dues", "stake"];

/** @param {Decision} each */
function decided(each) {
  const place = el("span", {});
  place.append(key("take back", () => told(place, async () => {
    await ask("POST", "/players", { did: "withdraw", n: each.n });
    place.replaceChildren("it counts no more; show the table again");
  }), { class: "key", "aria-label": `take back: ${each.name}, ${each.day}` }));
  return el("li", {}, `${each.name}, ${each.day}: ${each.why} `, place);
}

/** @param {string} at */
const moment = (at) => new Date(at).toLocaleString([], { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hour12: false });

/** @param {Season} season */
const shown = (season) => [el("p", { class: "soft" }, season.about),
  ...season.tables.flatMap(({ heading, columns, figures, rows }) => [el("h2", {}, heading), table(columns, rows, figures.flatMap((is, k) => (is ? [] : [k])))]),
  ...(season.decisions.length ? [el("details", { open: true }, el("summary", {}, "take a decision of the director back"), el("ul", { class: "grants" }, ...season.decisions.map(decided)))] : []),
  ...season.notes.map((text) => el("p", { class: "soft" }, text))];

/** @param {HungOut[]} tables @param {(one: HungOut) => Node | string} beside */
function hanging(tables, beside) {
  return el("ul", { class: "hung" }, ...tables.map((one) => el("li", {}, el("a", { href: `/api/v1/hung-out.html?book=${encodeURIComponent(one.book)}` }, one.title), el("span", { class: "soft" }, ` as it was on ${moment(one.at)}`), beside(one))));
}

async function director() {
  const [of, all] = await Promise.all([ask("GET", "/books"), ask("GET", "/games")]);
  const books = of.books.map((/** @type {{book: string}} */ { book }) => [book, book]), games = all.map((/** @type {{key: string, name: string}} */ one) => [one.key, one.name]);
  const hung = el("section", { "aria-label": "published tables" });
  const list = async () => {
    const { tables } = /** @type {{tables: HungOut[]}} */ (await ask("GET", "/hung-out"));
    const keys = (/** @type {HungOut} */ one) => {
      const given = el("div", {});
      return el("div", {}, el("div", { class: "choices" }, key("link to this table", () => told(given, async () => {
        const made = await ask("POST", "/grants", { subject: `Readers of ${one.title}`, role: "spectator", book: one.book, hours: 24 * 90 });
        given.replaceChildren(await link({ path: made.path.replace("/enter", "/enter?season") }, "For everybody who reads this table and follows the matches in it, for ninety days", () => given.replaceChildren()));
      })), key("unpublish", async () => {
        await ask("DELETE", `/hung-out?book=${encodeURIComponent(one.book)}`);
        await list();
      })), given);
    };
    hung.replaceChildren(...(tables.length ? [el("h2", {}, "Published for all who have a link"), hanging(tables, keys)] : []));
  };
  const steps = area("vp", "victory points: up to, winner, loser", { placeholder: "50,10,10\n150,11,9\n,20,0", maxlength: 4000, rows: 4 });
  const victory = el("div", { class: "of-file" }, steps, fileKey("from a file", { accept: ".csv,.txt,text/csv" }, async (file) => {
    /** @type {HTMLTextAreaElement} */ (steps.querySelector("textarea")).value = await file.text();
  }));
  const { form, below, send } = asking("show", async (said) => {
    const season = /** @type {Season} */ (await ask("GET", `/season-tables?${said}`)), done = el("div", { class: "soft", role: "status" });
    const own = said.has("player") || said.has("breaches");
    const out = key("publish for all who have a link", async () => {
      await told(done, async () => {
        await ask("POST", "/hung-out", Object.fromEntries([...said].map(([name, value]) => [name, TICKS.includes(name) ? value === "true" : value])));
        done.replaceChildren("It is published as it stands now. Later matches are not in it until you publish it again.");
        await list();
      });
    });
    const files = [...papers("season", `${said}`, "as a page, with plots"), el("a", { href: `/api/v1/plays.bgsplay?book=${encodeURIComponent(said.get("book") ?? "")}` }, "BG Stats")];
    return [...shown(season), ...(await worthOpening(`/find?highlights=true&limit=${MOST}&${new URLSearchParams([...said].filter(([name]) => ["book", "game", "from", "to"].includes(name)))}`)), el("p", { class: "links" }, ...files), ...(own ? [] : [el("div", { class: "choices" }, out), done])];
  }, choice("book", "book", [["", "all books"], ...books]), choice("game", "game", [["", "all games"], ...games]), choice("by", "ordered by", BY), el("details", { open: MORE.some((name) => new URLSearchParams(location.search).has(name)) }, el("summary", {}, "more choices"), el("div", {},
    field("from", "from", { placeholder: "2026-03", maxlength: 10 }), field("to", "to", { placeholder: "2026-06-30", maxlength: 10 }), field("best", "best evenings that count", { placeholder: "6/8", maxlength: 20 }), field("formula", "formula of the club", { placeholder: "3*won + drawn", maxlength: 200 }),
    choice("ties", "equal figures", [["", "share a place"], ["all", "head to head, wins, points difference, best evening"], ["head-to-head", "head to head"], ["wins", "wins"], ["difference", "points difference"], ["best-evening", "best evening"]]),
    field("dues", "dues an evening", { placeholder: "2.50", maxlength: 20 }), field("stake", "stake of a chip", { placeholder: "0.05", maxlength: 20 }), victory,
    field("player", "one player alone"), field("title", "title"), tick("grid", "each evening"), tick("records", "records"), tick("ratings", "ratings"), tick("substitutes", "count a match for substitutes too"), tick("breaches", "breaches (private)"))));
  page("The season", true, form, below, hung);
  await Promise.all([send(), list()]);
}

opened(async () => {
  const grant = await ask("GET", "/me");
  if (grant.role === "director" && !grant.match) {
    await director();
    return;
  }
  const { tables } = /** @type {{tables: HungOut[]}} */ (await ask("GET", "/hung-out"));
  page("The season", false, tables.length ? hanging(tables, () => "") : el("p", {}, "No table has been published yet."));
});
