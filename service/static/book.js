// A book and its evenings: on paper, proved, copied, and where a match belongs.
// @ts-check
import { ask, el, key, opened, papers, select, told, t, tn } from "./common.js";
import { houseRules } from "./house.js";
import { code } from "./links.js";
import { page, table } from "./many.js";
import { fileKey } from "./photograph.js";

/**
 * @typedef {{book: string, matches: number, over: number, days: string[]}} Book
 * @typedef {{book: string, size: number, signed: number, root: string, found: string[], pictures: number, note: string}} Proof
 * @typedef {{key: string, name: string, players: string, seats: string[][]}} Game
 * @typedef {{game: string, columns: Record<string, string>, options: Record<string, string>, wide: boolean, dates: string, skip: string[]}} Mapped
 * @typedef {{heads: string[], rows: string[][], mapped: Mapped, keys: [string, string][], written: boolean, count: number,
 *   matches: {match: string, text: string, status: string, differs: string[]}[], sheets: string[], sheet: string, faults: {row: number, why: string}[], understood: string[], question: string, alike: [string, string][]}} Brought
 */

/** @param {number} n */
const matchesOf = (n) => tn(["{n} match", "{n} matches"], n);
/** @param {number} n */
const eventsOf = (n) => tn(["{n} event", "{n} events"], n);

/** @param {Book[]} books */
function evenings(books) {
  const book = select(books.map((one) => [one.book, `${one.book} (${matchesOf(one.matches)})`])), day = select([]), links = el("p", { class: "links" });
  const show = () => {
    const query = new URLSearchParams({ book: book.value, day: day.value }).toString();
    links.replaceChildren(...papers("evening", query), el("a", { href: `/api/v1/evening.pdf?${query}&wall=true` }, t("for the wall")), el("a", { href: `/api/v1/plays.bgsplay?${query}` }, "BG Stats"));
  };
  const fill = () => {
    const days = books.find((one) => one.book === book.value)?.days ?? [];
    day.replaceChildren(el("option", { value: "" }, t("all of them")), ...days.map((one) => el("option", { value: one, selected: one === days[0] }, one)));
    show();
  };
  book.addEventListener("change", fill);
  day.addEventListener("change", show);
  fill();
  return el("section", {}, el("h2", {}, t("The sheet of an evening")), el("div", { class: "two-up" }, el("label", {}, t("book"), book), el("label", {}, t("day"), day)), links);
}

/** @param {Game[]} games */
function pads(games) {
  const game = select(games.map((one) => [one.key, one.name])), size = select([]), links = el("p", { class: "links" });
  const show = () => links.replaceChildren(...papers(`games/${encodeURIComponent(game.value)}/blank`, `players=${size.value}`));
  const fill = () => {
    size.replaceChildren(...(games.find((one) => one.key === game.value)?.seats ?? []).map((seats) => el("option", { value: seats.length }, String(seats.length))));
    show();
  };
  game.addEventListener("change", fill);
  size.addEventListener("change", show);
  fill();
  return el("section", {}, el("h2", {}, t("A blank pad")), el("div", { class: "two-up" }, el("label", {}, t("game"), game), el("label", {}, t("how many play"), size)), links);
}

/** @param {Book[]} books */
function proof(books) {
  const book = select(books.map((one) => [one.book, one.book])), below = el("div", { "aria-live": "polite" });
  const verify = () => told(below, async () => {
    below.replaceChildren(el("p", { class: "soft" }, t("One moment …")));
    const { size, signed, found, pictures, note } = /** @type {Proof} */ (await ask("GET", `/proof?book=${encodeURIComponent(book.value)}`));
    const what = pictures ? t("{events} and {pictures}", { events: eventsOf(size), pictures: tn(["{n} picture", "{n} pictures"], pictures) }) : eventsOf(size);
    const good = signed === size && size ? t("{what}, as they were written and signed.", { what }) : signed ? t("{what}, as they were written; the first {n} as they were signed.", { what, n: signed }) : t("{what}, as they were written. Nothing is signed yet.", { what });
    below.replaceChildren(...(found.length ? [el("p", { role: "alert" }, el("span", { class: "mark", "aria-hidden": true }, "!"), tn(["{n} change found:", "{n} changes found:"], found.length)), el("ul", {}, ...found.map((text) => el("li", {}, text)))] : [el("p", {}, good)]), ...(note ? [await slip(note)] : []));
  });
  const sign = () => told(below, async () => {
    const made = await ask("POST", "/checkpoint", { book: book.value });
    below.replaceChildren(el("p", {}, t("{events} signed. Print this slip, or copy it, and keep it where nobody can change it: it proves later that nothing before it was changed.", { events: eventsOf(made.size) })), await slip(made.note, made.key));
  });
  return el("section", {}, el("h2", {}, t("Is everything as it was written?")), el("div", { class: "two-up" }, el("label", {}, t("book"), book)), el("div", { class: "choices" }, key(t("verify"), verify), key(t("sign and show the slip"), sign)), below);
}

/**
 * A text to keep elsewhere; it is alone on its sheet when the page is printed.
 * @param {string} note
 * @param {string} [public_]
 */
async function slip(note, public_) {
  return el("figure", { class: "slip" }, el("pre", { tabindex: 0 }, note.trimEnd()), ...(public_ ? [el("p", { class: "soft" }, t("The key that it was signed with: "), el("code", {}, public_))] : []), ...(note.length <= 400 ? [await code(note)] : []), el("div", { class: "choices" }, key(t("print"), () => print())));
}

/** @param {{match: string, name: string, title: string, date: string, book: string, over: boolean}[]} matches */
function move(matches) {
  const over = matches.filter((one) => one.over), match = select(over.map((one) => [one.match, [one.date, one.name, one.title, t("in {book}", { book: one.book })].filter(Boolean).join(", ")]));
  const said = el("p", { role: "status" }), book = el("input", { maxlength: 64, autocomplete: "off", list: "books", required: true });
  const form = el("form", { onsubmit: (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    told(said, async () => {
      const done = await ask("POST", `/matches/${encodeURIComponent(match.value)}/book`, { book: /** @type {HTMLInputElement} */ (book).value.trim() });
      said.replaceChildren(done.recorded === done.book ? t("It is in the book {book} now.", { book: done.book }) : t("It is in the book {book} now. What proves it stays in the book {recorded}, where it was recorded.", { book: done.book, recorded: done.recorded }));
    });
  } }, el("div", { class: "two-up" }, el("label", {}, t("match that is over"), match), el("label", {}, t("to the book"), book)), el("button", { type: "submit", class: "key" }, t("move it")));
  const counts = (/** @type {string} */ words, /** @type {boolean} */ trial, /** @type {string} */ then) => key(words, () => told(said, async () => {
    await ask("POST", `/matches/${encodeURIComponent(match.value)}/called`, { trial });
    said.replaceChildren(then);
  }));
  form.append(el("div", { class: "choices" }, counts(t("count it in no table"), true, t("No table counts it from now on.")), counts(t("count it again"), false, t("Tables count it again."))), said);
  return el("section", {}, el("h2", {}, t("Move a match to another book, or count it in no table")), over.length ? form : el("p", { class: "soft" }, t("No match is over yet.")));
}

/**
 * The result of a table: as it stands, or what each side has, which ends the match; of another game than a pad where it
 * is recorded.
 * @param {import("./polling.js").Table} found @param {boolean} pad @param {() => void} then
 */
function tableResult(found, pad, then) {
  const to = encodeURIComponent(found.match), record = (/** @type {string} */ words) => el("a", { href: `/t/${to}` }, words);
  if (found.over) return el("span", { class: "links" }, el("a", { href: `/api/v1/matches/${to}/sheet.html` }, found.sides.map((side) => side.total).join(" : ")), record(t("put right")));
  if (!pad || found.hand) return el("span", { class: "links" }, found.hand ? found.sides.map((side) => side.total).join(" : ") : "", record(t("record")));
  const fields = found.sides.map((side) => el("input", { inputmode: "decimal", size: 5, maxlength: 9, autocomplete: "off", "aria-label": t("points of {name}", { name: side.name }) })), said = el("span", {});
  return el("form", { class: "links", onsubmit: (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    told(said, async () => {
      const points = found.sides.map((side, k) => `points.${side.side}=${fields[k]?.value.trim().replace(",", ".")}`).join(" ");
      const { over } = await ask("POST", `/matches/${to}/lines`, { line: `tally ${points}` }).then(() => ask("GET", `/matches/${to}/score`));
      if (!over) await ask("POST", `/matches/${to}/lines`, { line: "@ end match" });
      then();
    });
  } }, ...fields, el("button", { type: "submit", class: "key" }, t("write")), said);
}

/**
 * The tables of a round, with their results if it has been begun.
 * @param {Movement} made @param {Movement["rounds"][number]} round @param {(match: string) => string | Node} result
 */
function meetings(made, round, result) {
  const deals = round.tables.some((one) => one.deals), sides = made.how === "individual" ? [t("players")] : [t("sits"), t("against")];
  const dealt = t("hands"), heads = [t("table"), ...sides, ...(deals ? [dealt] : []), ...(round.matches.length ? [t("result")] : [])];
  return table(heads, round.tables.map((one, at) => [String(one.table), ...(sides.length > 1 ? one.sits : [one.sits.join(", ")]), ...(deals ? [String(one.deals)] : []), ...(round.matches.length ? [result(round.matches[at] ?? "")] : [])]), heads.flatMap((head, k) => (k && head !== dealt ? [k] : [])));
}

/**
 * Who meets whom in an evening: made, printed, and begun.
 * @param {Game[]} games
 * @typedef {{book: string, day: string, game: string, how: string, title: string, entrants: string[], begun: number, rounds: {tables: {table: number, sits: string[], deals: number}[], matches: string[], bye: string}[]}} Movement
 */
function evening(games) {
  const input = (/** @type {Record<string, unknown>} */ more) => el("input", { maxlength: 120, autocomplete: "off", ...more });
  const book = input({ maxlength: 64, list: "books", value: "home" }), day = input({ type: "date", value: new Date().toLocaleDateString("sv") }), title = input({}), rounds = input({ type: "number", min: 0, max: 60, placeholder: t("all") });
  const game = select(games.map(({ key: of, name }) => [of, name])), how = select([["round-robin", t("each meets each of the others")], ["howell", t("Howell, for pairs")], ["mitchell", t("Mitchell, for pairs")], ["individual", t("single players, who meet in turn")], ["whist", t("single players, each with each as partners")], ["swiss", t("Swiss, by standing")]]), size = input({ type: "number", min: 3, max: 20, placeholder: t("of single players") });
  const entrants = el("textarea", { rows: 6, placeholder: "Olena & Walter\nDoris & Marcel", maxlength: 8000 }), below = el("div", { "aria-live": "polite" });
  const house = houseRules(t("House rules"), () => game.value);
  game.addEventListener("change", house.learn);
  const send = (/** @type {Record<string, unknown>} */ more) => told(below, async () => show(await ask("POST", "/movement", { book: book.value.trim(), ...more })));
  const last = () => told(below, async () => show(await ask("GET", `/movement?book=${encodeURIComponent(book.value.trim())}`)));
  const show = async (/** @type {Movement} */ made) => {
    const { tables } = /** @type {{tables: import("./polling.js").Table[]}} */ (await ask("GET", `/board?book=${encodeURIComponent(made.book)}`));
    const result = (/** @type {string} */ match) => {
      const found = tables.find((one) => one.match === match);
      return found ? tableResult(found, made.game === "pad", last) : "";
    };
    below.replaceChildren(el("p", {}, [made.title, made.day, tn(["{n} round", "{n} rounds"], made.rounds.length)].filter(Boolean).join(" · ")),
      ...made.rounds.flatMap((round, k) => [el("h3", {}, round.bye ? t("Round {n} ({who} has a bye)", { n: k + 1, who: round.bye }) : t("Round {n}", { n: k + 1 })),
        meetings(made, round, (match) => result(match)),
        k === made.begun ? key(t("begin the tables of round {n}", { n: k + 1 }), () => send({ day: made.day, round: k + 1 }), { class: "key main" }) : k < made.begun ? el("p", { class: "soft" }, t("begun: the tables are on the director's page, and on the board")) : ""]),
      ...(made.how === "swiss" && made.begun === made.rounds.length ? [key(t("draw the next round by the standing"), () => send({ day: made.day, draw: true }), { class: "key main" })] : []),
      el("p", { class: "links" }, ...papers("movement", `book=${encodeURIComponent(made.book)}`), el("a", { href: `/board?book=${encodeURIComponent(made.book)}` }, t("the board"))));
  };
  return el("section", { class: "wide" }, el("h2", {}, t("The movement of an evening")), el("p", {}, t("Who meets whom, round by round. Write a player or a pair in each line.")),
    el("div", { class: "two-up" }, el("label", {}, t("book"), book), el("label", {}, t("evening"), day), el("label", {}, t("game"), game), el("label", {}, t("movement"), how), el("label", {}, t("title"), title), el("label", {}, t("rounds"), rounds), el("label", {}, t("how many at a table"), size)), house.element, el("label", {}, t("who plays"), entrants),
    el("div", { class: "choices" }, key(t("make the movement"), () => send({ day: day.value, game: game.value, how: how.value, title: title.value.trim(), rounds: Number(rounds.value) || 0, players: Number(size.value) || 0, options: house.chosen(), entrants: entrants.value.split("\n").filter((line) => line.trim()) })), key(t("show the last one"), last)), below);
}

const STATUS = /** @type {Record<string, string>} */ ({ new: t("written"), appended: t("continued"), same: t("there already"), refused: t("not written: another result is there"), corrected: t("corrected") });

/** @param {Brought} found what was understood, and what can mean two things */
const meant = ({ understood, question }) => [...(question ? [el("p", { role: "alert" }, t("{question}. Say above how the days are written.", { question }))] : []), ...(understood.length ? [el("details", { open: true }, el("summary", {}, t("What was understood")), el("ul", {}, ...understood.map((text) => el("li", {}, text))))] : [])];

/**
 * Two names that may be one person's; who presses says which of them tables show.
 * @param {string} spelling @param {string} name
 */
function oneOrTwo(spelling, name) {
  const place = el("p", { class: "soft", role: "status" });
  const same = (/** @type {string} */ one, /** @type {string} */ other) => key(t("one: {name}", { name: other }), () => told(place, async () => {
    await ask("POST", "/players", { did: "same", name: one, into: other });
    place.replaceChildren(t("{name} is {other} from now on.", { name: one, other }));
  }));
  place.append(t("Are {name} and {other} one player?", { name: spelling, other: name }), " ", same(spelling, name), same(name, spelling), key(t("two players"), () => place.remove()));
  return place;
}

/**
 * Results from a spreadsheet: its columns, a preview of what would be written, and the result.
 * @param {Game[]} games
 */
function spreadsheet(games) {
  const below = el("div", { "aria-live": "polite" }), book = el("input", { value: "home", maxlength: 64, autocomplete: "off", list: "books" });
  const send = (/** @type {File} */ file, /** @type {Record<string, string>} */ said) => ask("POST", `/results?${new URLSearchParams({ book: book.value.trim(), ...said })}`, file);
  const columns = (/** @type {File} */ file, game = "", chosen = "") => told(below, async () => {
    const found = /** @type {Brought} */ (await send(file, { game, sheet: chosen })), { heads, rows, mapped, keys } = found;
    const one = select(games.map(({ key: of, name }) => [of, name])), played = el("input", { value: mapped.options.title ?? "", maxlength: 40, autocomplete: "off" }), sheet = select(found.sheets.map((name) => [name, name])), order = select([["", t("as the days themselves say it")], ["dmy", "14/3/2026"], ["mdy", "3/14/2026"]]), made = el("div", {}), heard = el("div", {}, ...meant(found)), wide = mapped.game === "pad", house = houseRules(t("House rules"), () => one.value);
    one.value = mapped.game;
    sheet.value = found.sheet;
    sheet.addEventListener("change", () => columns(file, "", sheet.value));
    order.value = mapped.dates;
    one.addEventListener("change", () => columns(file, one.value, sheet.value));
    const kinds = heads.map((head) => {
      const is = select([["", t("passed over")], ...(wide ? /** @type {[string, string][]} */ ([["player", t("a player or a pair, with points")]]) : []), ...keys]), known = Object.entries(mapped.columns).find(([, column]) => column === head)?.[0];
      is.setAttribute("aria-label", t("what {column} is", { column: head }));
      is.value = known ?? (wide && mapped.wide && !mapped.skip.includes(head) ? "player" : "");
      return is;
    });
    const read = (/** @type {"" | "write" | "correct"} */ write) => told(made, async () => {
      const players = kinds.some((is) => is.value === "player"), of = heads.flatMap((head, k) => (["", "player"].includes(kinds[k]?.value ?? "") ? [] : [[kinds[k]?.value, head]]));
      const as = { ...mapped, game: one.value, dates: order.value, wide: players, options: { ...mapped.options, ...house.chosen(), ...(wide && played.value.trim() ? { title: played.value.trim() } : {}) }, columns: Object.fromEntries(of), skip: heads.filter((head, k) => head && !kinds[k]?.value) };
      const done = /** @type {Brought} */ (await send(file, { mapped: JSON.stringify(as), sheet: sheet.value, write: String(Boolean(write)), correct: String(write === "correct") }));
      heard.replaceChildren(...meant(done));
      const faults = done.faults.map((fault) => el("li", {}, t("Row {n}: {why}", { n: fault.row, why: fault.why })));
      made.replaceChildren(el("p", { role: "status" }, write ? t("{matches} in the book {book}.", { matches: matchesOf(done.count), book: book.value.trim() }) : [tn(["{n} match would be written.", "{n} matches would be written."], done.count), faults.length ? tn(["{n} row cannot be read.", "{n} rows cannot be read."], faults.length) : ""].filter(Boolean).join(" ")),
        el("ul", { class: "made" }, ...faults, ...done.matches.map((match) => el("li", {}, match.text, match.status ? el("b", {}, ` ${STATUS[match.status] ?? match.status}`) : "", ...match.differs.map((text) => el("div", { class: "soft" }, text))))), ...(write || !done.count ? [] : [key(t("write them"), () => read("write"), { class: "key main" })]),
        ...(done.matches.some((match) => match.status === "refused") ? [key(t("correct what was written by the spreadsheet"), () => read("correct"), { class: "key main" })] : []), ...done.alike.map((pair) => oneOrTwo(...pair)));
    });
    below.replaceChildren(el("div", { class: "two-up" }, ...(found.sheets.length > 1 ? [el("label", {}, t("sheet"), sheet)] : []), el("label", {}, t("game"), one), ...(wide ? [el("label", {}, t("what is played"), played)] : []), el("label", {}, t("days are written"), order)), house.element, heard, el("p", {}, t("What is each column?")),
      table([t("column"), t("is"), t("first rows")], heads.map((head, k) => [head, kinds[k] ?? "", rows.map((row) => row[k] ?? "").filter(Boolean).slice(0, 3).join(" · ")]), [1, 2]), el("div", { class: "choices" }, key(t("look at what would be written"), () => read("")), key(t("cancel"), () => below.replaceChildren())), made);
  });
  return el("section", { class: "wide" }, el("h2", {}, t("Results from a spreadsheet")), el("p", {}, t("A table with a row for each hand or match, as CSV or a workbook. You see its columns before anything is read.")),
    el("div", { class: "two-up" }, el("label", {}, t("into the book"), book), fileKey(t("choose the file"), { accept: ".csv,.xlsx,text/csv" }, (file) => columns(file))), below);
}

opened(async () => {
  const [grant, { books }, games, { matches }] = await Promise.all([ask("GET", "/me"), ask("GET", "/books"), ask("GET", "/games"), ask("GET", "/matches?limit=200")]);
  const all = !grant.book;
  page(t("The book"), true, el("datalist", { id: "books" }, ...books.map((/** @type {Book} */ one) => el("option", { value: one.book }))), el("div", { class: "sections" },
    ...(books.length ? [evenings(books)] : [el("p", {}, t("There is no match yet."))]), pads(games), ...(books.length ? [proof(books)] : []),
    ...(all ? [el("section", {}, el("h2", {}, t("A backup")), el("p", {}, t("All books with their pictures, in one file. Keep it on another machine.")), el("p", { class: "links" }, el("a", { href: "/api/v1/backup" }, t("download the backup")))), move(matches)] : []), evening(games), spreadsheet(games)));
});
