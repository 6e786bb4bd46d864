// The director: the tables as they stand, new matches, links for those at the tables, disputes and rulings.
// @ts-check
import { WAYS, ask, el, figure, key, opened, root, select, suited, told, t } from "./common.js";
import { houseRules } from "./house.js";
import { link } from "./links.js";
import { photographs } from "./photograph.js";
import { position } from "./position.js";
import { Board } from "./polling.js";

/** @import { Table } from "./polling.js" */
/**
 * @typedef {{key: string, name: string, players: string, seats: string[][]}} Game
 * @typedef {{id: string, subject: string, role: string, match: string, seat: string, since: string, until: string, revoked: string}} Grant
 * @typedef {{n: number, by: string, word: string, about: {n: number, text: string}[], hand: number, over: boolean,
 *   ruled: {n: number, text: string, holds: boolean}[], found: {n: number, text: string, rule: string}[]}} Question
 * @typedef {{match: string, questions: Question[], sides: Record<string, string>, changes: Record<string, string>, rules: Record<string, string>}} Disputed
 */

/** @param {string} match */
const api = (match) => `/matches/${encodeURIComponent(match)}`;
/** Today's date at the director's place. */
const today = () => new Date().toLocaleDateString("sv");

// A new match

/**
 * @param {Game[]} games
 * @param {{tables: Table[]}} last
 * @param {(match: string) => void} begun
 */
function form(games, last, begun) {
  const game = el("select", { name: "game" }, ...games.map((one) => el("option", { value: one.key }, `${one.name} (${one.players})`)));
  const seats = el("div", { class: "two-up" });
  const size = el("select", { name: "size" }), sizes = el("label", {}, t("how many play"), size);
  const book = el("input", { name: "book", value: "home", maxlength: 64, required: true });
  const event = el("input", { name: "event", maxlength: 120, placeholder: t("Saturday evening"), autocomplete: "off" });
  const table = el("input", { name: "table", maxlength: 20, autocomplete: "off" });
  const dealer = el("select", { name: "dealer" }), pack = el("select", { name: "pack" });
  const place_ = el("input", { name: "place", maxlength: 120, autocomplete: "off" }), date = el("input", { name: "date", type: "date", value: today() }), parts = el("input", { name: "in_parts", type: "checkbox" });
  const house = houseRules(t("House rules, first dealer, place, pack"), () => game.value, (packs) => pack.replaceChildren(...packs.map(([value, called]) => el("option", { value: value === "french" ? "" : value }, called))));
  const said = el("div", { role: "alert" });
  /** Who may deal first, by the names as they are typed. */
  const dealers = () => {
    const chosen_ = dealer.value;
    dealer.replaceChildren(el("option", { value: "" }, t("as the rules say")), ...[...seats.querySelectorAll("input")].map((input) => el("option", { value: input.dataset.seat, selected: input.dataset.seat === chosen_ }, input.value.trim() || input.dataset.seat || "")));
  };
  seats.addEventListener("input", dealers);
  // The table begun here last: the list may not contain it yet.
  let latest = 0;
  const chosen = () => games.find((one) => one.key === game.value) ?? games[0];
  const fill = () => {
    const found = chosen()?.seats.find((one) => String(one.length) === size.value) ?? chosen()?.seats[0] ?? [];
    seats.replaceChildren(...found.map((seat, k) => el("label", {}, /^[NESW]$/.test(seat) ? { N: t("north"), E: t("east"), S: t("south"), W: t("west") }[seat] ?? seat : t("player {n} ({seat})", { n: k + 1, seat }), el("input", { "data-seat": seat, maxlength: 60, autocomplete: "off" }))));
    dealers();
  };
  const change = () => {
    const found = chosen()?.seats ?? [];
    size.replaceChildren(...found.map((one) => el("option", { value: one.length }, `${one.length}`)));
    sizes.hidden = found.length < 2;
    fill();
    house.learn();
  };
  game.addEventListener("change", change);
  size.addEventListener("change", fill);
  change();
  const place = el("details", { class: "new" }, el("summary", { class: "key" }, t("A new match")), el("form", { onsubmit: (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    told(said, async () => {
      const inputs = [...seats.querySelectorAll("input")];
      const names = Object.fromEntries(inputs.map((input) => [input.dataset.seat, input.value.trim() || input.dataset.seat]));
      const made = await ask("POST", "/matches", { game: game.value, seats: names, book: book.value.trim(), title: event.value.trim(), table: table.value.trim(), date: date.value, place: place_.value.trim(), dealer: dealer.value, pack: pack.value, in_parts: parts.checked, options: house.chosen() });
      said.replaceChildren();
      latest = Math.max(latest, Number(table.value) || 0);
      for (const input of [...inputs, table]) input.value = "";
      /** @type {HTMLDetailsElement} */ (place).open = false;
      begun(made.match);
    });
  } }, el("div", { class: "two-up" }, el("label", {}, t("game"), game), sizes), seats, el("div", { class: "two-up" }, el("label", {}, t("table"), table), el("label", {}, t("evening"), event)), el("label", {}, t("book (the evenings of one club go into one)"), book), house.element, el("button", { type: "submit", class: "key main" }, t("Begin the match")), said));
  house.element.querySelector("summary")?.after(el("div", { class: "two-up" }, el("label", {}, t("first dealer"), dealer), el("label", {}, t("date"), date), el("label", {}, t("place"), place_), el("label", {}, t("pack on the table"), pack)), el("label", { class: "check" }, parts, t("can be handed out in part later, with its proof")));
  place.addEventListener("toggle", () => {
    const numbers = last.tables.map((one) => Number(one.table)).filter((n) => n > 0);
    if (!table.value) table.value = String(Math.max(latest, ...numbers) + 1);
    event.value ||= last.tables.at(-1)?.title ?? "";
  });
  return place;
}

// Links

/**
 * Each seat with who sits there.
 * @param {string[]} seats
 * @param {Record<string, string>} names
 */
const seated = (seats, names) => seats.map((seat) => /** @type {[string, string]} */ ([seat, names[seat] ?? seat]));

const ROLES = /** @type {Record<string, string>} */ ({ recorder: t("records"), seat: t("plays"), spectator: t("follow"), director: t("directs") });

/**
 * Ask whom a link is for.
 * @param {HTMLElement} place
 * @param {string} words
 * @param {string} nobody  the name if none is typed
 * @param {(name: string) => void} then
 */
function named(place, words, nobody, then) {
  const name = el("input", { maxlength: 60, autocomplete: "off" });
  place.replaceChildren(el("form", { class: "given", onsubmit: (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    then(name.value.trim() || nobody);
  } }, el("label", {}, words, name), el("div", { class: "choices" }, el("button", { type: "submit", class: "key main" }, t("make the link")), key(t("cancel"), () => place.replaceChildren()))));
  name.focus();
}

/** @param {string} until */
const moment = (until) => (until ? t("until {time}", { time: new Date(until).toLocaleString(document.documentElement.lang === "en" ? [] : document.documentElement.lang, { weekday: "short", hour: "2-digit", minute: "2-digit", hour12: false }) }) : "");

/**
 * The links in force, each with a key that revokes it.
 * @param {Grant[]} grants
 * @param {() => Promise<void>} again
 * @param {(match: string) => string} [where] what a link is about, if they are of several tables
 */
function active(grants, again, where = () => "") {
  const now = new Date().toISOString(), held = grants.filter((grant) => !grant.revoked && (!grant.until || grant.until > now)), said = el("div", {});
  const item = (/** @type {Grant} */ grant) => {
    const who = [grant.subject, where(grant.match), grant.subject === grant.role ? "" : ROLES[grant.role] ?? grant.role].filter(Boolean).join(", ");
    return el("li", {}, el("span", {}, who), el("span", { class: "soft" }, moment(grant.until)), key(t("revoke"), () => told(said, async () => {
      await ask("DELETE", `/grants/${grant.id}`);
      await again();
    }), { class: "key", "aria-label": t("revoke: {who}", { who }) }));
  };
  return [el("b", {}, t("Active links")), held.length ? el("ul", { class: "grants" }, ...held.map(item)) : el("p", { class: "soft" }, t("none")), said];
}

// A table

/** One table: its standing, and the director's actions. */
class Card {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.state = el("div", { class: "state" });
    this.place = el("div", { class: "panel-of", "aria-live": "polite" });
    this.given = el("div", {});
    this.seen = el("div", {});
    const to = encodeURIComponent(table.match);
    const open = () => this.links();
    this.element = el("section", { class: "table", "data-match": table.match }, this.state,
      el("p", { class: "links" }, el("a", { href: `/m/${to}` }, t("follow")), el("a", { href: `/t/${to}` }, t("record")), el("a", { href: `/api/v1${api(table.match)}/sheet.html` }, t("sheet"))),
      el("div", { class: "choices" }, key(t("recorder link"), () => this.who()), key(t("spectator link"), () => this.give("spectator", "", t("Spectators of table {table}", { table: this.table.table }))), key(t("the table"), () => this.look()), key(t("more"), open)), this.given, this.seen, this.place);
    this.take(table);
  }

  /** @param {Table} table */
  take(table) {
    if (this.seen.childElementCount && JSON.stringify(table) !== JSON.stringify(this.table)) this.seen.replaceChildren(position(table.match));
    this.table = table;
    const what = table.over ? (table.winner ? t("{who} won", { who: table.winner }) : t("the match is over")) : table.hand ? `${t("hand {n}", { n: table.hand })}${table.now ? ` · ${table.now}` : ""}` : t("not begun");
    this.state.replaceChildren(el("div", { class: "top" }, el("span", { class: "no" }, table.table), el("b", {}, table.game), table.disputed ? el("span", { class: "flag" }, t("{n} disputed", { n: table.disputed })) : "", table.over ? el("span", { class: "done" }, t("finished")) : ""),
      el("div", { class: "sides" }, ...table.sides.flatMap((side) => [el("span", { class: side.leads ? "leads" : "" }, side.name), el("span", { class: side.leads ? "leads" : "" }, side.total)])), el("p", { class: "soft" }, ...suited(table.over && table.date ? `${table.date} · ${what}` : what)));
  }

  /** Show the table as it stands and as it goes on, or hide it again. */
  look() {
    this.seen.replaceChildren(...(this.seen.childElementCount ? [] : [position(this.table.match)]));
  }

  /** The name of the recorder: it is in the record, and on the sheet. */
  who() {
    named(this.given, t("Who records? The name stands on the sheet."), t("Table {table}", { table: this.table.table }), (name) => this.give("recorder", "", name));
  }

  /**
   * @param {string} role
   * @param {string} seat
   * @param {string} subject
   */
  give(role, seat, subject) {
    told(this.given, async () => {
      const made = await ask("POST", "/grants", { subject, role, match: this.table.match, seat, hours: 24 });
      const words = role === "spectator" ? t("For everybody who follows this table, for a day") : t("For the phone of {who}, for a day", { who: subject });
      this.given.replaceChildren(await link(made, words, () => this.given.replaceChildren()));
      if (this.place.childElementCount) await this.list();
    });
  }

  links() {
    if (this.place.childElementCount) {
      this.place.replaceChildren();
      return;
    }
    told(this.place, () => this.list());
  }

  /** The links that are in force, those for the players, and the cards. */
  async list() {
    const [grants, one] = await Promise.all([ask("GET", `/grants?match=${encodeURIComponent(this.table.match)}`), ask("GET", api(this.table.match))]);
    const names = /** @type {Record<string, string>} */ (one.names ?? {});
    const seats = /** @type {string[]} */ (one.seats ?? []);
    this.place.replaceChildren(el("div", { class: "given" },
      ...active(grants, async () => {
        this.given.replaceChildren();
        await this.list();
      }),
      el("b", {}, t("A link for a player")), el("div", { class: "choices" }, ...seats.map((seat) => key(names[seat] ?? seat, () => this.give("seat", seat, names[seat] ?? seat)))),
      ...(this.table.over ? [] : [el("b", {}, t("A substitute")), ...this.substitute(seats, names)]), el("b", {}, t("A name that is spelled wrong")), ...this.rename(seats, names), el("b", {}, t("Photographs")), photographs(api(this.table.match), true),
      el("b", {}, t("The sheet and the record as files")), el("p", { class: "links" }, ...[["sheet.pdf", "PDF"], ["sheet.pdf?wall=true", t("for the wall")], ["sheet.xlsx", t("workbook")], ["sheet.csv", "CSV"], ["sheet.md", "Markdown"], ["kib", t("the record as text")], ["bundle", t("the record with its proof")]].map(([file, words]) => el("a", { href: `/api/v1${api(this.table.match)}/${file}` }, words ?? ""))), el("b", {}, t("The cards")), this.opening(), ...(this.table.over ? [] : [el("b", {}, t("The end")), this.agreement()])));
  }

  /**
   * A line about the table that the director writes.
   * @param {HTMLElement} place
   * @param {string} line
   */
  write(place, line) {
    told(place, async () => {
      const answer = await ask("POST", `${api(this.table.match)}/lines`, { line });
      place.replaceChildren(el("p", { role: "status" }, ...suited(answer.line.replace(/^[0-9–]+ {2}/, ""))));
      board.soon();
    });
  }

  /**
   * A choice and a field for a name.
   * @param {[string, string][]} choices the value of each and its words
   * @param {[string, string, string]} words those of both fields and of the key
   * @param {(value: string, name: string, said: HTMLElement) => void} done
   */
  called(choices, [of, to, press], done) {
    const who = select(choices), name = el("input", { maxlength: 60, autocomplete: "off" }), said = el("div", {});
    return [el("div", { class: "two-up" }, el("label", {}, of, who), el("label", {}, to, name)), key(press, () => {
      if (name.value.trim()) done(who.value, name.value.trim(), said);
      else name.focus();
    }), said];
  }

  /**
   * Seat a substitute.
   * @param {string[]} seats
   * @param {Record<string, string>} names
   */
  substitute(seats, names) {
    return this.called(seated(seats, names), [t("for"), t("from now on"), t("seat the substitute")], (seat, name, said) => this.write(said, `@ open ${seat}=${JSON.stringify(name)}`));
  }

  /**
   * Correct the name of a player, or a name of the match.
   * @param {string[]} seats
   * @param {Record<string, string>} names
   */
  rename(seats, names) {
    const tags = /** @type {[string, string][]} */ ([["title", t("the evening")], ["round", t("the round")], ["table", t("the table")], ["place", t("the place")], ["date", t("the date")]]);
    return this.called([...seated(seats, names), ...tags], [t("written"), t("is called"), t("correct the name")], (of, name, said) => told(said, async () => {
      await ask("POST", `${api(this.table.match)}/called`, seats.includes(of) ? { seats: { [of]: name } } : { [of]: name });
      said.replaceChildren(el("p", { role: "status" }, t("It is {name}, from the beginning of the match.", { name })));
      board.soon();
    }));
  }

  /** The table ends the match before its time. */
  agreement() {
    const place = el("div", { class: "choices" });
    const first = key(t("end the match by agreement"), () => place.replaceChildren(key(t("the better total has won"), () => this.write(place, "@ end match agreed")), key(t("it counts for nobody"), () => this.write(place, "@ end match void")), key(t("cancel"), () => place.replaceChildren(first))));
    place.append(first);
    return place;
  }

  /** Open all hands to everybody. It asks twice, as there is no way back. */
  opening() {
    const place = el("div", { class: "choices" });
    const first = key(t("open all hands to all"), () => place.replaceChildren(el("p", {}, t("Players and spectators will see all cards of this match, also those of hands that are still to come. There is no way back.")), key(t("open them"), () => told(place, async () => {
      await ask("POST", `${api(this.table.match)}/open`, { hand: 0 });
      place.replaceChildren(el("p", {}, t("Everybody who follows this match sees all its cards now.")));
    }), { class: "key main" }), key(t("cancel"), () => place.replaceChildren(first))));
    place.append(first);
    return place;
  }
}

// Disputes

/** The disputes of all tables. */
class Desk {
  constructor() {
    this.element = el("section", { class: "disputes", "aria-label": t("disputes") });
    /** @type {Map<string, {state: string, place: HTMLElement}>} */
    this.tables = new Map();
  }

  /** @param {Table[]} tables */
  take(tables) {
    for (const table of tables) {
      const known = this.tables.get(table.match), state = `${table.disputed} ${table.rulings}`;
      if (known?.state === state || (!known && !table.disputed)) continue;
      const place = known?.place ?? el("div", {});
      this.tables.set(table.match, { state, place });
      told(place, async () => this.show(place, table, await ask("GET", `${api(table.match)}/disputes`)));
    }
    // Existing forms stay in place, as the director may be typing in one.
    for (const { place } of this.tables.values()) if (!place.parentElement) this.element.append(place);
  }

  /**
   * @param {HTMLElement} place
   * @param {Table} table
   * @param {Disputed} disputed
   */
  async show(place, table, disputed) {
    place.replaceChildren(...disputed.questions.map((one) => question(table, disputed, one)));
  }
}

/**
 * One dispute: what it is about, the report, the ruling.
 * @param {Table} table
 * @param {Disputed} disputed
 * @param {Question} one
 */
function question(table, disputed, one) {
  const to = encodeURIComponent(table.match), ruled = one.ruled.length > 0;
  const about = one.about.flatMap((said, k) => [k ? ", " : "", el("a", { href: `/m/${to}#${said.n}` }, `${said.n}`), " ", ...suited(said.text)]);
  const made = one.ruled.map((ruling) => el("p", { class: ruling.holds ? "ruling" : "ruling soft" }, el("b", {}, ruling.holds ? t("Ruled:") : t("No longer holds:")), " ", ...suited(ruling.text)));
  const score = el("div", { class: "ways" });
  if (ruled) told(score, async () => score.replaceChildren(...ways(await ask("GET", `${api(table.match)}/score`), disputed.sides, one.over)));
  const again = el("details", {}, el("summary", {}, t("change ruling")), ruling(table, disputed, one));
  return el("article", { class: `dispute${ruled ? "" : " open"}` }, el("h2", {}, ruled ? "" : el("span", { class: "mark", "aria-hidden": true }, "!"), t("Table {table}, {game}, hand {n}:", { table: table.table, game: table.game, n: one.hand }), " ", one.by ? t("ruling requested by {who}", { who: one.by }) : t("ruling requested"), one.word ? ` (${one.word})` : ""),
    el("p", {}, ...(about.length ? [t("About"), " ", ...about] : [t("About the match")])), el("p", { class: "links" }, el("a", { href: `/api/v1${api(table.match)}/report?hand=${one.hand}` }, t("the report on hand {n}", { n: one.hand })), one.about[0] ? el("a", { href: `/m/${to}#${one.about[0].n}` }, t("the match at that moment")) : ""), ...(one.about[0] && !ruled ? [position(table.match, one.about[0].n)] : []),
    ...(one.found.length ? [el("b", {}, t("What Kibitz found in this hand")), el("ul", {}, ...one.found.map((finding) => el("li", {}, el("a", { href: `/m/${to}#${finding.n}` }, ...suited(finding.text)))))] : []), ...made, score, ruled ? again : ruling(table, disputed, one));
}

/**
 * The total of each side, as played, by the rules, as ruled.
 * @param {any} score
 * @param {Record<string, string>} sides
 * @param {boolean} over
 */
function ways(score, sides, over) {
  const names = /** @type {Record<string, string>} */ ({ played: t("as played"), rules: t("by the rules"), ruled: t("as ruled") });
  const found = Object.entries(/** @type {Record<string, any>} */ (score.ways ?? {})).filter(([way]) => way in names);
  if (found.length < 2 && !over) return [el("p", { class: "soft" }, t("It counts once the hand is over."))];
  if (found.length < 2) return [el("p", { class: "soft" }, t("The score is the same as it was."))];
  return [el("table", {}, el("thead", {}, el("tr", {}, el("td", {}), ...Object.values(sides).map((name) => el("th", {}, name)))), el("tbody", {}, ...found.map(([way, one]) => el("tr", {}, el("th", {}, names[way] ?? way), ...Object.keys(sides).map((side) => el("td", {}, typeof one.totals?.[side] === "number" ? figure(one.totals[side]) : "?"))))))];
}

const DECISIONS = [["stands", t("what happened stands")], ["warning", t("a warning, the score stays")], ["adjust", t("points change")], ["transfer", t("tricks change hands")], ["void", t("the hand does not count")], ["forfeit", t("a side forfeits the hand")], ["", t("something else changes")]];

/**
 * The form of a ruling.
 * @param {Table} table
 * @param {Disputed} disputed
 * @param {Question} one
 */
function ruling(table, disputed, one) {
  const said = el("div", { role: "status" }), fields = el("div", { class: "two-up" });
  const may = DECISIONS.filter(([word]) => word !== "transfer" || "tricks.*" in disputed.changes);
  const what = el("select", { "aria-label": t("the decision") }, ...may.map(([word, words]) => el("option", { value: word }, words)));
  const found = one.found.map((finding) => finding.rule), option = (/** @type {string} */ id) => el("option", { value: id }, `${disputed.rules[id] ?? ""} (${id})`);
  const rule = el("select", {}, el("option", { value: "" }, t("none")), ...[...new Set([...found, ...Object.keys(disputed.rules)])].filter((id) => id in disputed.rules).map(option));
  const amounts = (/** @type {string} */ of) => Object.entries(disputed.sides).map(([side, name]) => el("label", {}, of === "points" ? t("points for {who}", { who: name }) : t("tricks for {who}", { who: name }), el("input", { "data-key": `${of}.${side}`, type: "number", step: 1, placeholder: "0" })));
  const fill = () => fields.replaceChildren(...(what.value === "adjust" ? amounts("points") : what.value === "transfer" ? amounts("tricks") : what.value === "forfeit" ? [el("label", {}, t("who"), el("select", { "data-key": "hand" }, ...Object.entries(disputed.sides).map(([side, name]) => el("option", { value: side }, name))))]
    : what.value === "" ? [el("label", { class: "whole" }, t("what changes"), el("input", { "data-key": "", placeholder: Object.keys(disputed.changes).slice(0, 3).map((shape) => shape.replace("*", Object.keys(disputed.sides)[0] ?? "N").replace("#", "3")).join("=… ") + "=…", autocomplete: "off" }))] : []));
  what.addEventListener("change", fill);
  fill();
  const line = () => {
    const facts = [...fields.querySelectorAll("[data-key]")].flatMap((field) => {
      const input = /** @type {HTMLInputElement} */ (field), value = input.value.trim();
      return value && value !== "0" ? [input.dataset.key ? `${input.dataset.key}=${value}` : value] : [];
    });
    const word = ["adjust", "transfer"].includes(what.value) && !facts.length ? "stands" : what.value;
    return ["@ ruling", `#${one.n}`, ...one.about.map((about) => `#${about.n}`), word, ...facts, rule.value ? `rule=${rule.value}` : ""].filter(Boolean).join(" ");
  };
  const look = () => told(said, async () => {
    const found = await ask("GET", `${api(table.match)}/ruled?line=${encodeURIComponent(line())}`);
    said.replaceChildren(el("p", {}, ...suited(found.now === found.then ? t("The score would stay: {score}", { score: found.then }) : t("The score would be: {score}", { score: found.then }))), ...found.why.map((/** @type {string} */ text) => el("p", { class: "soft" }, ...suited(text))));
  });
  const send = () => told(said, async () => {
    const answer = await ask("POST", `${api(table.match)}/lines`, { line: line() });
    said.replaceChildren(el("p", {}, ...suited(answer.line)), ...answer.told.slice(0, 3).map((/** @type {{text: string}} */ { text }) => el("p", { class: "soft" }, ...suited(text))));
    board.soon();
  });
  return el("div", { class: "field" }, el("div", { class: "two-up" }, el("label", {}, t("decision"), what), el("label", {}, t("rule (optional)"), rule)), fields, key(t("what the score would be"), look), key(t("record ruling"), send, { class: "key main" }), said);
}

// The page

/** @type {Board} */
let board;

opened(async () => {
  const place = root();
  const games = await ask("GET", "/games");
  const tables = el("div", { class: "desk" }), desk = new Desk(), said = el("p", { class: "soft", role: "status" }), given = el("div", {});
  /** @type {Map<string, Card>} */
  const cards = new Map();
  const last = { tables: /** @type {Table[]} */ ([]) };
  const show = (/** @type {{tables: Table[]}} */ news) => {
    last.tables = news.tables;
    for (const table of news.tables) {
      const card = cards.get(table.match);
      if (card) card.take(table);
      else {
        const made = new Card(table);
        cards.set(table.match, made);
        tables.append(made.element);
      }
    }
    empty.hidden = news.tables.length > 0;
    desk.take(news.tables);
  };
  const empty = el("p", {}, t("No match has begun. Begin one for each table, and give each recorder a link."));
  board = new Board("?whole=true", show, (words) => said.replaceChildren(words));
    const give = (/** @type {string} */ subject, /** @type {string} */ role, /** @type {string} */ words) => told(given, async () => {
      const made = await ask("POST", "/grants", { subject, role, hours: 24 });
      given.replaceChildren(await link(made, words, () => given.replaceChildren()));
    });
    const links = async () => {
      const grants = await ask("GET", "/grants"), tableOf = (/** @type {string} */ match) => (match ? t("table {table}", { table: last.tables.find((one) => one.match === match)?.table ?? match }) : t("all tables"));
      given.replaceChildren(el("div", { class: "given" }, ...active(grants, links, tableOf), el("div", { class: "choices" }, key(t("done"), () => given.replaceChildren()))));
    };
    const keys = el("div", { class: "choices" }, key(t("spectator link, all tables"), () => give(t("Spectators of the evening"), "spectator", t("For everybody who follows this evening, and for the projector: all tables, for a day"))),
      key(t("second director"), () => named(given, t("Who directs, too? The name stands under the rulings."), t("a second director"), (name) => give(name, "director", t("For one browser of the second director: everything, for a day")))), key(t("all links"), () => told(given, links)));
  place.replaceChildren(el("main", { class: "director" }, el("header", {}, el("h1", {}, t("The director")), el("p", { class: "links" }, ...[["/board", t("the board")], ["/", t("all matches")], ...WAYS].map(([to, words]) => el("a", { href: to }, words ?? ""))), keys), given, said, desk.element,
    form(games, last, (match) => board.soon(() => cards.get(match)?.element.scrollIntoView({ block: "nearest" }))), empty, tables));
  board.begin();
});
