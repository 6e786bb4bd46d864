// The tables of a season. A director chooses, and may hang a table out; others read what hangs out.
// @ts-check
import { ask, el, key, opened, papers, told, t } from "./common.js";
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
const BY = /** @type {[string, string][]} */ ([["", t("matches won")], ["vp", t("victory points")], ["share", t("share of the matches won")], ["points", t("points")], ["hands", t("hands won")], ["points-a-hand", t("points a hand")], ["difference", t("points difference")]]);
const TICKS = ["ratings", "substitutes", "grid", "records"], MORE = [...TICKS, "formula", "best", "from", "to", "player", "title", "breaches", "ties", "vp", "dues", "stake"];

/** @param {Decision} each */
function decided(each) {
  const place = el("span", {});
  place.append(key(t("take back"), () => told(place, async () => {
    await ask("POST", "/players", { did: "withdraw", n: each.n });
    place.replaceChildren(t("it counts no more; show the table again"));
  }), { class: "key", "aria-label": t("take back: {name}, {day}", { name: each.name, day: each.day }) }));
  return el("li", {}, `${each.name}, ${each.day}: ${each.why} `, place);
}

/** @param {string} at */
const moment = (at) => new Date(at).toLocaleString(document.documentElement.lang, { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hour12: false });

/** @param {Season} season */
const shown = (season) => [el("p", { class: "soft" }, season.about),
  ...season.tables.flatMap(({ heading, columns, figures, rows }) => [el("h2", {}, heading), table(columns, rows, figures.flatMap((is, k) => (is ? [] : [k])))]),
  ...(season.decisions.length ? [el("details", { open: true }, el("summary", {}, t("take a decision of the director back")), el("ul", { class: "grants" }, ...season.decisions.map(decided)))] : []),
  ...season.notes.map((text) => el("p", { class: "soft" }, text))];

/** @param {HungOut[]} tables @param {(one: HungOut) => Node | string} beside */
function hanging(tables, beside) {
  return el("ul", { class: "hung" }, ...tables.map((one) => el("li", {}, el("a", { href: `/api/v1/hung-out.html?book=${encodeURIComponent(one.book)}` }, one.title), el("span", { class: "soft" }, ` ${t("as it was on {day}", { day: moment(one.at) })}`), beside(one))));
}

async function director() {
  const [of, all] = await Promise.all([ask("GET", "/books"), ask("GET", "/games")]);
  const books = of.books.map((/** @type {{book: string}} */ { book }) => [book, book]), games = all.map((/** @type {{key: string, name: string}} */ one) => [one.key, one.name]);
  const hung = el("section", { "aria-label": t("published tables") });
  const list = async () => {
    const { tables } = /** @type {{tables: HungOut[]}} */ (await ask("GET", "/hung-out"));
    const keys = (/** @type {HungOut} */ one) => {
      const given = el("div", {});
      return el("div", {}, el("div", { class: "choices" }, key(t("link to this table"), () => told(given, async () => {
        const made = await ask("POST", "/grants", { subject: t("Readers of {title}", { title: one.title }), role: "spectator", book: one.book, hours: 24 * 90 });
        given.replaceChildren(await link({ path: made.path.replace("/enter", "/enter?season") }, t("For everybody who reads this table and follows the matches in it, for ninety days"), () => given.replaceChildren()));
      })), key(t("unpublish"), async () => {
        await ask("DELETE", `/hung-out?book=${encodeURIComponent(one.book)}`);
        await list();
      })), given);
    };
    hung.replaceChildren(...(tables.length ? [el("h2", {}, t("Published for all who have a link")), hanging(tables, keys)] : []));
  };
  const steps = area("vp", t("victory points: up to, winner, loser"), { placeholder: "50,10,10\n150,11,9\n,20,0", maxlength: 4000, rows: 4 });
  const victory = el("div", { class: "of-file" }, steps, fileKey(t("from a file"), { accept: ".csv,.txt,text/csv" }, async (file) => {
    /** @type {HTMLTextAreaElement} */ (steps.querySelector("textarea")).value = await file.text();
  }));
  const { form, below, send } = asking(t("show"), async (said) => {
    const season = /** @type {Season} */ (await ask("GET", `/season-tables?${said}`)), done = el("div", { class: "soft", role: "status" });
    const own = said.has("player") || said.has("breaches");
    const out = key(t("publish for all who have a link"), async () => {
      await told(done, async () => {
        await ask("POST", "/hung-out", Object.fromEntries([...said].map(([name, value]) => [name, TICKS.includes(name) ? value === "true" : value])));
        done.replaceChildren(t("It is published as it stands now. Later matches are not in it until you publish it again."));
        await list();
      });
    });
    const files = [...papers("season", `${said}`, t("as a page, with plots")), el("a", { href: `/api/v1/plays.bgsplay?book=${encodeURIComponent(said.get("book") ?? "")}` }, "BG Stats")];
    return [...shown(season), ...(await worthOpening(`/find?highlights=true&limit=${MOST}&${new URLSearchParams([...said].filter(([name]) => ["book", "game", "from", "to"].includes(name)))}`)), el("p", { class: "links" }, ...files), ...(own ? [] : [el("div", { class: "choices" }, out), done])];
  }, choice("book", t("book"), [["", t("all books")], ...books]), choice("game", t("game"), [["", t("all games")], ...games]), choice("by", t("ordered by"), BY), el("details", { open: MORE.some((name) => new URLSearchParams(location.search).has(name)) }, el("summary", {}, t("more choices")), el("div", {},
    field("from", t("from"), { placeholder: "2026-03", maxlength: 10 }), field("to", t("until"), { placeholder: "2026-06-30", maxlength: 10 }), field("best", t("best evenings that count"), { placeholder: "6/8", maxlength: 20 }), field("formula", t("formula of the club"), { placeholder: "3*won + drawn", maxlength: 200 }),
    choice("ties", t("equal figures"), [["", t("share a place")], ["all", t("head to head, wins, points difference, best evening")], ["head-to-head", t("head to head")], ["wins", t("wins")], ["difference", t("points difference")], ["best-evening", t("best evening")]]),
    field("dues", t("dues an evening"), { placeholder: "2.50", maxlength: 20 }), field("stake", t("stake of a chip"), { placeholder: "0.05", maxlength: 20 }), victory,
    field("player", t("one player alone")), field("title", t("title")), tick("grid", t("each evening")), tick("records", t("records")), tick("ratings", t("ratings")), tick("substitutes", t("count a match for substitutes too")), tick("breaches", t("breaches (private)")))));
  page(t("The season"), true, form, below, hung);
  await Promise.all([send(), list()]);
}

opened(async () => {
  const grant = await ask("GET", "/me");
  if (grant.role === "director" && !grant.match) {
    await director();
    return;
  }
  const { tables } = /** @type {{tables: HungOut[]}} */ (await ask("GET", "/hung-out"));
  page(t("The season"), false, tables.length ? hanging(tables, () => "") : el("p", {}, t("No table has been published yet.")));
});
