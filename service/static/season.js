// The tables of a season. A director chooses, and may hang a table out; others read what hangs out.
// @ts-check
import { ask, el, figure, key, told } from "./common.js";
import { link } from "./links.js";
import { area, asking, choice, field, hitItem, page, refused, table, tick } from "./many.js";
import { position } from "./position.js";

/**
 * @typedef {{place: number, name: string, figure: number, matches: number, won: number, drawn: number, lost: number, evenings: {day: string, figure: number, counts: boolean, kind: string}[], hands: number,
 *   points: number, unknown: number, average: number | null, made: number, failed: number, best: {day: string, figure: number} | null, streak: number,
 *   breaches: number | null, rating: {cautious: number} | null}} Standing
 * @typedef {{names: string[], matches: number, won: number, points: number, unknown: number}} Pair
 * @typedef {{names: string[], matches: number, won: number[]}} Met
 * @typedef {{name: string, day: string, kind: string, figures: Record<string, number>, why: string, n: number}} Decision
 * @typedef {{accounts: {name: string, evenings: number, dues: number, chips: number, worth: number}[], dues: number, payments: {payer: string, payee: string, amount: number}[]}} Settled
 * @typedef {{game: string, name: string, matches: number, days: string[], rows: Standing[], pairs: Pair[], met: Met[], broken: string[], adjusted: Decision[],
 *   records: {what: string, names: string, figure: string, where: string}[], settled: Settled | null}} Table
 * @typedef {{title: string, by: string, formula: string, first: string, last: string, matches: number, tables: Table[], notes: string[], unlinked: string[], grid: boolean,
 *   left_out: {match: string, why: string}[]}} Season
 * @typedef {{book: string, title: string, at: string}} HungOut
 */

const MOST = 12, MOST_UNLINKED = 60;
const BY = /** @type {[string, string][]} */ ([["", "matches won"], ["share", "share of the matches won"], ["points", "points"], ["hands", "hands won"], ["points-a-hand", "points a hand"], ["difference", "points difference"]]);
const MARKS = /** @type {Record<string, string>} */ ({ bye: "b", absent: "e", adjusted: "*" });
/** @param {number} hundredths */
const amount = (hundredths) => `${hundredths < 0 ? "−" : ""}${(Math.abs(hundredths) / 100).toFixed(2)}`;

/** @param {Decision} each */
function takeBack(each) {
  const place = el("span", {});
  place.append(key("take back", () => told(place, async () => {
    await ask("POST", "/players", { did: "withdraw", n: each.n });
    place.replaceChildren("it counts no more; show the table again");
  }), { class: "key", "aria-label": `take back: ${each.name}, ${each.day}` }));
  return place;
}

/**
 * Each evening of each player; what the director decided; records; accounts.
 * @param {Table} one @param {Season} season
 */
function club(one, season) {
  const parts = /** @type {Node[]} */ ([]), part = (/** @type {string} */ title, /** @type {Node} */ shown) => parts.push(el("h3", {}, title), shown);
  const cell = (/** @type {Standing} */ row, /** @type {string} */ day) => {
    const found = row.evenings.find((evening) => evening.day === day);
    if (!found) return "–";
    const text = found.kind === "absent" ? "" : found.counts ? figure(found.figure) : `(${figure(found.figure)})`;
    return `${text}${MARKS[found.kind] ?? ""}`;
  };
  if (season.grid && one.days.length) part("Evening by evening", table(["", ...one.days, "total"], one.rows.map((row) => [row.name, ...one.days.map((day) => cell(row, day)), figure(row.figure)])));
  if (one.broken.length) part("Ties broken", el("ul", {}, ...one.broken.map((text) => el("li", {}, text))));
  if (one.adjusted.length) part("Decided by the director", table(["", "evening", "is", "figures", "reason", ""], one.adjusted.map((each) => [each.name, each.day, each.kind === "absent" ? "excused" : each.kind, Object.entries(each.figures).map(([name, n]) => `${name} ${n > 0 ? "+" : ""}${figure(n)}`).join(", ") || "–", each.why, takeBack(each)]), [1, 2, 3, 4, 5]));
  if (one.records.length) part("Records", table(["", "who", "figure", "where"], one.records.map((each) => [each.what, each.names, each.figure, each.where || "–"]), [1, 3]));
  if (one.settled) part("Accounts", table(["", "evenings", "dues", "chips", "balance"], one.settled.accounts.map((each) => [each.name, figure(each.evenings), amount(-each.dues), figure(each.chips), amount(each.worth - each.dues)])));
  if (one.settled?.payments.length) part("Who pays whom", el("ul", {}, ...one.settled.payments.map((each) => el("li", {}, `${each.payer} pays ${each.payee} ${amount(each.amount)}`))));
  return parts;
}

/** @param {string} at */
const moment = (at) => new Date(at).toLocaleString([], { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hour12: false });

/** @param {Table} one @param {Season} season */
function standings(one, season) {
  const own = !["won", "points"].includes(season.formula), has = (/** @type {(row: Standing) => unknown} */ what) => one.rows.some(what);
  /** @type {[string, (row: Standing) => string][]} */
  const columns = [
    ["", (row) => `${row.place}. ${row.name}`], ...(own ? [/** @type {[string, (row: Standing) => string]} */ ([season.by, (row) => figure(row.figure)])] : []),
    ["matches", (row) => figure(row.matches)], ["won", (row) => figure(row.won)],
  ];
  if (has((row) => row.drawn)) columns.push(["drawn", (row) => figure(row.drawn)]);
  columns.push(["lost", (row) => figure(row.lost)]);
  if (one.game) columns.push(["points", (row) => figure(row.points) + (row.unknown ? " + ?" : "")], ["points a hand", (row) => figure(row.average)]);
  if (has((row) => row.made || row.failed)) columns.push(["contracts made", (row) => figure(row.made)], ["failed", (row) => figure(row.failed)]);
  columns.push(["evenings", (row) => figure(row.evenings.length)], ["hands", (row) => figure(row.hands)], ["best evening", (row) => (row.best ? `${row.best.day || "?"}: ${figure(row.best.figure)}` : "–")], ["longest run won", (row) => figure(row.streak)]);
  if (has((row) => row.breaches !== null)) columns.push(["breaches", (row) => figure(row.breaches)]);
  if (has((row) => row.rating !== null)) columns.push(["rating", (row) => figure(row.rating?.cautious)]);
  return table(columns.map(([head]) => head), one.rows.map((row) => columns.map(([, cell]) => cell(row))));
}

/** @param {Season} season */
function shown(season) {
  const days = season.first === season.last ? season.first : `${season.first} – ${season.last}`;
  const several = season.tables.length > 1, parts = /** @type {Node[]} */ ([el("p", { class: "soft" }, [season.title, `${season.matches} match${season.matches === 1 ? "" : "es"}`, days, `ordered by ${season.by}`].filter(Boolean).join(" · "))]);
  for (const one of season.tables) {
    if (several) parts.push(el("h2", {}, one.name));
    parts.push(standings(one, season), ...club(one, season));
    if (one.pairs.length) parts.push(el("h2", {}, "Pairs"), table(["", "matches", "won", ...(one.game ? ["points"] : [])], one.pairs.slice(0, MOST).map((pair) => [pair.names.join(" & "), figure(pair.matches), figure(pair.won), ...(one.game ? [figure(pair.points) + (pair.unknown ? " + ?" : "")] : [])])));
    if (one.met.length) parts.push(el("h2", {}, "Against each other"), table(["", "matches", "won"], one.met.slice(0, MOST).map((met) => [met.names.join(" – "), figure(met.matches), met.won.map(figure).join("–")])));
    if (one.pairs.length > MOST || one.met.length > MOST) parts.push(el("p", { class: "soft" }, "The workbook and the CSV have all of them."));
  }
  // Of a record that cannot be read, what is wrong is enough here.
  const reasons = [...new Set(season.left_out.map((out) => out.why))].map((why) => `Not counted, ${why.split(";")[0]}: ${season.left_out.filter((out) => out.why === why).map((out) => out.match).slice(0, 5).join(", ")}${season.left_out.filter((out) => out.why === why).length > 5 ? " and more" : ""}.`);
  if (season.unlinked.length) reasons.push(`Names not linked to a player, each counted by itself: ${season.unlinked.slice(0, MOST_UNLINKED).join(", ")}${season.unlinked.length > MOST_UNLINKED ? " and more" : ""}.`);
  return [...parts, ...[...season.notes, ...reasons].map((text) => el("p", { class: "soft" }, text))];
}

/**
 * The hands worth opening of the matches in the table, each with its cards.
 * @param {URLSearchParams} said  what the table was asked for
 */
async function highlights(said) {
  const asked = new URLSearchParams([...said].filter(([name]) => ["book", "game", "from", "to"].includes(name)));
  const { hits } = /** @type {{hits: import("./many.js").Hit[]}} */ (await ask("GET", `/find?highlights=true&limit=24&${asked}`)), seen = new Set();
  const once = hits.filter(({ match, hand }) => !seen.has(`${match} ${hand}`) && seen.add(`${match} ${hand}`)).slice(0, MOST);
  return once.length ? [el("h2", {}, "Hands worth opening"), el("ul", { class: "hits pictured" }, ...once.map((hit) => hitItem(hit, position(hit.match, hit.at, hit.kind === "hand"))))] : [];
}

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
  const { form, below, send } = asking("show", async (said) => {
    const season = /** @type {Season} */ (await ask("GET", `/season?${said}`)), done = el("div", { class: "soft", role: "status" });
    const own = said.has("player") || said.has("breaches");
    const out = key("publish for all who have a link", async () => {
      const { ratings, grid, records, ...rest } = Object.fromEntries(said);
      await told(done, async () => {
        await ask("POST", "/hung-out", { ...rest, ratings: ratings === "true", grid: grid === "true", records: records === "true" });
        done.replaceChildren("It is published as it stands now. Later matches are not in it until you publish it again.");
        await list();
      });
    });
    const files = [["html", "as a page, with plots"], ["xlsx", "workbook"], ["csv", "CSV"], ["md", "Markdown"]].map(([kind, words]) => el("a", { href: `/api/v1/season.${kind}?${said}` }, words ?? ""));
    return [...shown(season), ...(await highlights(said)), el("p", { class: "links" }, ...files), ...(own ? [] : [el("div", { class: "choices" }, out), done])];
  }, choice("book", "book", [["", "all books"], ...books]), choice("game", "game", [["", "all games"], ...games]), choice("by", "ordered by", BY), el("details", { open: ["formula", "best", "from", "to", "player", "title", "ratings", "breaches", "ties", "vp", "grid", "records", "dues", "stake"].some((name) => new URLSearchParams(location.search).has(name)) }, el("summary", {}, "more choices"), el("div", {},
    field("from", "from", { placeholder: "2026-03", maxlength: 10 }), field("to", "to", { placeholder: "2026-06-30", maxlength: 10 }), field("best", "best evenings that count", { placeholder: "6/8", maxlength: 20 }), field("formula", "formula of the club", { placeholder: "3*won + drawn", maxlength: 200 }),
    choice("ties", "equal figures", [["", "share a place"], ["all", "head to head, wins, points difference, best evening"], ["head-to-head", "head to head"], ["wins", "wins"], ["difference", "points difference"], ["best-evening", "best evening"]]),
    field("dues", "dues an evening", { placeholder: "2.50", maxlength: 20 }), field("stake", "stake of a chip", { placeholder: "0.05", maxlength: 20 }), area("vp", "victory points: up to, winner, loser", { placeholder: "50,10,10\n150,11,9\n,20,0", maxlength: 4000, rows: 4 }),
    field("player", "one player alone"), field("title", "title"), tick("grid", "each evening"), tick("records", "records"), tick("ratings", "ratings"), tick("breaches", "breaches (private)"))));
  page("The season", true, form, below, hung);
  await Promise.all([send(), list()]);
}

async function show() {
  try {
    const grant = await ask("GET", "/me");
    if (grant.role === "director" && !grant.match) {
      await director();
      return;
    }
    const { tables } = /** @type {{tables: HungOut[]}} */ (await ask("GET", "/hung-out"));
    page("The season", false, tables.length ? hanging(tables, () => "") : el("p", {}, "No table has been published yet."));
  } catch (error) {
    refused(error);
  }
}

show();
