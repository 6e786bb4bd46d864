// A book and its evenings: on paper, proved, copied, and where a match belongs.
// @ts-check
import { ask, el, key, opened, papers, select, told } from "./common.js";
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

/** @param {number} n @param {string} what */
const count = (n, what) => `${n} ${what}${n === 1 ? "" : what.endsWith("tch") ? "es" : "s"}`;

/** @param {Book[]} books */
function evenings(books) {
  const book = select(books.map((one) => [one.book, `${one.book} (${count(one.matches, "match")})`])), day = select([]), links = el("p", { class: "links" });
  const show = () => {
    const query = new URLSearchParams({ book: book.value, day: day.value }).toString();
    links.replaceChildren(...papers("evening", query), el("a", { href: `/api/v1/evening.pdf?${query}&wall=true` }, "for the wall"), el("a", { href: `/api/v1/plays.bgsplay?${query}` }, "BG Stats"));
  };
  const fill = () => {
    const days = books.find((one) => one.book === book.value)?.days ?? [];
    day.replaceChildren(el("option", { value: "" }, "all of them"), ...days.map((one) => el("option", { value: one, selected: one === days[0] }, one)));
    show();
  };
  book.addEventListener("change", fill);
  day.addEventListener("change", show);
  fill();
  return el("section", {}, el("h2", {}, "The sheet of an evening"), el("div", { class: "two-up" }, el("label", {}, "book", book), el("label", {}, "day", day)), links);
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
  return el("section", {}, el("h2", {}, "A blank pad"), el("div", { class: "two-up" }, el("label", {}, "game", game), el("label", {}, "how many play", size)), links);
}

/** @param {Book[]} books */
function proof(books) {
  const book = select(books.map((one) => [one.book, one.book])), below = el("div", { "aria-live": "polite" });
  const verify = () => told(below, async () => {
    below.replaceChildren(el("p", { class: "soft" }, "One moment …"));
    const { size, signed, found, pictures, note } = /** @type {Proof} */ (await ask("GET", `/proof?book=${encodeURIComponent(book.value)}`));
    const good = `${count(size, "event")}${pictures ? ` and ${count(pictures, "picture")}` : ""}, as they were written${signed === size && size ? " and signed" : signed ? `; the first ${signed} as they were signed` : ". Nothing is signed yet"}.`;
    below.replaceChildren(...(found.length ? [el("p", { role: "alert" }, el("span", { class: "mark", "aria-hidden": true }, "!"), `${count(found.length, "change")} found:`), el("ul", {}, ...found.map((text) => el("li", {}, text)))] : [el("p", {}, good)]), ...(note ? [await slip(note)] : []));
  });
  const sign = () => told(below, async () => {
    const made = await ask("POST", "/checkpoint", { book: book.value });
    below.replaceChildren(el("p", {}, `${count(made.size, "event")} signed. Print this slip, or copy it, and keep it where nobody can change it: it proves later that nothing before it was changed.`), await slip(made.note, made.key));
  });
  return el("section", {}, el("h2", {}, "Is everything as it was written?"), el("div", { class: "two-up" }, el("label", {}, "book", book)), el("div", { class: "choices" }, key("verify", verify), key("sign and show the slip", sign)), below);
}

/**
 * What is kept elsewhere, alone on its paper when the page is printed.
 * @param {string} note
 * @param {string} [public_]
 */
async function slip(note, public_) {
  return el("figure", { class: "slip" }, el("pre", { tabindex: 0 }, note.trimEnd()), ...(public_ ? [el("p", { class: "soft" }, "The key that it was signed with: ", el("code", {}, public_))] : []), ...(note.length <= 400 ? [await code(note)] : []), el("div", { class: "choices" }, key("print", () => print())));
}

/** @param {{match: string, name: string, title: string, date: string, book: string, over: boolean}[]} matches */
function move(matches) {
  const over = matches.filter((one) => one.over), match = select(over.map((one) => [one.match, [one.date, one.name, one.title, `in ${one.book}`].filter(Boolean).join(", ")]));
  const said = el("p", { role: "status" }), book = el("input", { maxlength: 64, autocomplete: "off", list: "books", required: true });
  const form = el("form", { onsubmit: (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    told(said, async () => {
      const done = await ask("POST", `/matches/${encodeURIComponent(match.value)}/book`, { book: /** @type {HTMLInputElement} */ (book).value.trim() });
      said.replaceChildren(`It is in the book ${done.book} now${done.recorded === done.book ? "" : `. What proves it stays in the book ${done.recorded}, where it was recorded`}.`);
    });
  } }, el("div", { class: "two-up" }, el("label", {}, "match that is over", match), el("label", {}, "to the book", book)), el("button", { type: "submit", class: "key" }, "move it"));
  const counts = (/** @type {string} */ words, /** @type {boolean} */ trial, /** @type {string} */ then) => key(words, () => told(said, async () => {
    await ask("POST", `/matches/${encodeURIComponent(match.value)}/called`, { trial });
    said.replaceChildren(then);
  }));
  form.append(el("div", { class: "choices" }, counts("count it in no table", true, "No table counts it from now on."), counts("count it again", false, "Tables count it again.")), said);
  return el("section", {}, el("h2", {}, "Move a match to another book, or count it in no table"), over.length ? form : el("p", { class: "soft" }, "No match is over yet."));
}

/**
 * The result of a table: as it stands, or what each side has, which ends the match; of another game than a pad where it
 * is recorded.
 * @param {import("./polling.js").Table} found @param {boolean} pad @param {() => void} then
 */
function tableResult(found, pad, then) {
  const to = encodeURIComponent(found.match), record = (/** @type {string} */ words) => el("a", { href: `/t/${to}` }, words);
  if (found.over) return el("span", { class: "links" }, el("a", { href: `/api/v1/matches/${to}/sheet.html` }, found.sides.map((side) => side.total).join(" : ")), record("put right"));
  if (!pad || found.hand) return el("span", { class: "links" }, found.hand ? found.sides.map((side) => side.total).join(" : ") : "", record("record"));
  const fields = found.sides.map((side) => /** @type {HTMLInputElement} */ (el("input", { inputmode: "decimal", size: 5, maxlength: 9, autocomplete: "off", "aria-label": `points of ${side.name}` }))), said = el("span", {});
  return el("form", { class: "links", onsubmit: (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    told(said, async () => {
      const points = found.sides.map((side, k) => `points.${side.side}=${fields[k]?.value.trim().replace(",", ".")}`).join(" ");
      const { over } = await ask("POST", `/matches/${to}/lines`, { line: `tally ${points}` }).then(() => ask("GET", `/matches/${to}/score`));
      if (!over) await ask("POST", `/matches/${to}/lines`, { line: "@ end match" });
      then();
    });
  } }, ...fields, el("button", { type: "submit", class: "key" }, "write"), said);
}

/**
 * The tables of a round, with their results if it has been begun.
 * @param {Movement} made @param {Movement["rounds"][number]} round @param {(match: string) => string | Node} result
 */
function meetings(made, round, result) {
  const deals = round.tables.some((one) => one.deals), sides = made.how === "individual" ? ["players"] : ["sits", "against"];
  const heads = ["table", ...sides, ...(deals ? ["deals"] : []), ...(round.matches.length ? ["result"] : [])];
  return table(heads, round.tables.map((one, t) => [String(one.table), ...(sides.length > 1 ? one.sits : [one.sits.join(", ")]), ...(deals ? [String(one.deals)] : []), ...(round.matches.length ? [result(round.matches[t] ?? "")] : [])]), heads.flatMap((head, k) => (k && head !== "deals" ? [k] : [])));
}

/**
 * Who meets whom in an evening: made, printed, and begun.
 * @param {Game[]} games
 * @typedef {{book: string, day: string, game: string, how: string, title: string, entrants: string[], begun: number, rounds: {tables: {table: number, sits: string[], deals: number}[], matches: string[], bye: string}[]}} Movement
 */
function evening(games) {
  const input = (/** @type {Record<string, unknown>} */ more) => /** @type {HTMLInputElement} */ (el("input", { maxlength: 120, autocomplete: "off", ...more }));
  const book = input({ maxlength: 64, list: "books", value: "home" }), day = input({ type: "date", value: new Date().toLocaleDateString("sv") }), title = input({}), rounds = input({ type: "number", min: 0, max: 60, placeholder: "all" });
  const game = select(games.map(({ key: of, name }) => [of, name])), how = select([["round-robin", "each meets each of the others"], ["howell", "Howell, for pairs"], ["mitchell", "Mitchell, for pairs"], ["individual", "single players, who meet in turn"], ["whist", "single players, each with each as partners"], ["swiss", "Swiss, by standing"]]), size = input({ type: "number", min: 3, max: 20, placeholder: "of single players" });
  const entrants = /** @type {HTMLTextAreaElement} */ (el("textarea", { rows: 6, placeholder: "Olena & Walter\nDoris & Marcel", maxlength: 8000 })), below = el("div", { "aria-live": "polite" });
  const house = houseRules("House rules", () => game.value);
  game.addEventListener("change", house.learn);
  const send = (/** @type {Record<string, unknown>} */ more) => told(below, async () => show(await ask("POST", "/movement", { book: book.value.trim(), ...more })));
  const last = () => told(below, async () => show(await ask("GET", `/movement?book=${encodeURIComponent(book.value.trim())}`)));
  const show = async (/** @type {Movement} */ made) => {
    const { tables } = /** @type {{tables: import("./polling.js").Table[]}} */ (await ask("GET", `/board?book=${encodeURIComponent(made.book)}`));
    const result = (/** @type {string} */ match) => {
      const found = tables.find((one) => one.match === match);
      return found ? tableResult(found, made.game === "pad", last) : "";
    };
    below.replaceChildren(el("p", {}, [made.title, made.day, `${made.rounds.length} round${made.rounds.length === 1 ? "" : "s"}`].filter(Boolean).join(" · ")),
      ...made.rounds.flatMap((round, k) => [el("h3", {}, `Round ${k + 1}${round.bye ? ` (${round.bye} has a bye)` : ""}`),
        meetings(made, round, (match) => result(match)),
        k === made.begun ? key(`begin the tables of round ${k + 1}`, () => send({ day: made.day, round: k + 1 }), { class: "key main" }) : k < made.begun ? el("p", { class: "soft" }, "begun: the tables are on the director's page, and on the board") : ""]),
      ...(made.how === "swiss" && made.begun === made.rounds.length ? [key("draw the next round by the standing", () => send({ day: made.day, draw: true }), { class: "key main" })] : []),
      el("p", { class: "links" }, ...papers("movement", `book=${encodeURIComponent(made.book)}`), el("a", { href: `/board?book=${encodeURIComponent(made.book)}` }, "the board")));
  };
  return el("section", { class: "wide" }, el("h2", {}, "The movement of an evening"), el("p", {}, "Who meets whom, round by round. Write a player or a pair in each line."),
    el("div", { class: "two-up" }, el("label", {}, "book", book), el("label", {}, "evening", day), el("label", {}, "game", game), el("label", {}, "movement", how), el("label", {}, "title", title), el("label", {}, "rounds", rounds), el("label", {}, "how many at a table", size)), house.element, el("label", {}, "who plays", entrants),
    el("div", { class: "choices" }, key("make the movement", () => send({ day: day.value, game: game.value, how: how.value, title: title.value.trim(), rounds: Number(rounds.value) || 0, players: Number(size.value) || 0, options: house.chosen(), entrants: entrants.value.split("\n").filter((line) => line.trim()) })), key("show the last one", last)), below);
}

const STATUS = /** @type {Record<string, string>} */ ({ new: "written", appended: "continued", same: "there already", refused: "not written: another result is there", corrected: "corrected" });

/** @param {Brought} found what was understood, and what can mean two things */
const meant = ({ understood, question }) => [...(question ? [el("p", { role: "alert" }, `${question}. Say above how the days are written.`)] : []), ...(understood.length ? [el("details", { open: true }, el("summary", {}, "What was understood"), el("ul", {}, ...understood.map((text) => el("li", {}, text))))] : [])];

/**
 * Two names that may be one person's; who presses says which of them tables show.
 * @param {string} spelling @param {string} name
 */
function oneOrTwo(spelling, name) {
  const place = el("p", { class: "soft", role: "status" });
  const same = (/** @type {string} */ one, /** @type {string} */ other) => key(`one: ${other}`, () => told(place, async () => {
    await ask("POST", "/players", { did: "same", name: one, into: other });
    place.replaceChildren(`${one} is ${other} from now on.`);
  }));
  place.append(`Are ${spelling} and ${name} one player? `, same(spelling, name), same(name, spelling), key("two players", () => place.remove()));
  return place;
}

/**
 * Results out of a spreadsheet: what its columns are, what would be written, and then that it is.
 * @param {Game[]} games
 */
function spreadsheet(games) {
  const below = el("div", { "aria-live": "polite" }), book = /** @type {HTMLInputElement} */ (el("input", { value: "home", maxlength: 64, autocomplete: "off", list: "books" }));
  const send = (/** @type {File} */ file, /** @type {Record<string, string>} */ said) => ask("POST", `/results?${new URLSearchParams({ book: book.value.trim(), ...said })}`, file);
  const columns = (/** @type {File} */ file, game = "", chosen = "") => told(below, async () => {
    const found = /** @type {Brought} */ (await send(file, { game, sheet: chosen })), { heads, rows, mapped, keys } = found;
    const one = select(games.map(({ key: of, name }) => [of, name])), played = /** @type {HTMLInputElement} */ (el("input", { value: mapped.options.title ?? "", maxlength: 40, autocomplete: "off" })), sheet = select(found.sheets.map((name) => [name, name])), order = select([["", "as the days themselves say it"], ["dmy", "14/3/2026"], ["mdy", "3/14/2026"]]), made = el("div", {}), heard = el("div", {}, ...meant(found)), wide = mapped.game === "pad", house = houseRules("House rules", () => one.value);
    one.value = mapped.game;
    sheet.value = found.sheet;
    sheet.addEventListener("change", () => columns(file, "", sheet.value));
    order.value = mapped.dates;
    one.addEventListener("change", () => columns(file, one.value, sheet.value));
    const kinds = heads.map((head) => {
      const is = select([["", "passed over"], ...(wide ? /** @type {[string, string][]} */ ([["player", "a player or a pair, with points"]]) : []), ...keys]), known = Object.entries(mapped.columns).find(([, column]) => column === head)?.[0];
      is.setAttribute("aria-label", `what ${head} is`);
      is.value = known ?? (wide && mapped.wide && !mapped.skip.includes(head) ? "player" : "");
      return is;
    });
    const read = (/** @type {"" | "write" | "correct"} */ write) => told(made, async () => {
      const players = kinds.some((is) => is.value === "player"), of = heads.flatMap((head, k) => (["", "player"].includes(kinds[k]?.value ?? "") ? [] : [[kinds[k]?.value, head]]));
      const as = { ...mapped, game: one.value, dates: order.value, wide: players, options: { ...mapped.options, ...house.chosen(), ...(wide && played.value.trim() ? { title: played.value.trim() } : {}) }, columns: Object.fromEntries(of), skip: heads.filter((head, k) => head && !kinds[k]?.value) };
      const done = /** @type {Brought} */ (await send(file, { mapped: JSON.stringify(as), sheet: sheet.value, write: String(Boolean(write)), correct: String(write === "correct") }));
      heard.replaceChildren(...meant(done));
      const faults = done.faults.map((fault) => el("li", {}, `Row ${fault.row}: ${fault.why}`));
      made.replaceChildren(el("p", { role: "status" }, write ? `${count(done.count, "match")} in the book ${book.value.trim()}.` : `${count(done.count, "match")} would be written${faults.length ? `; ${count(faults.length, "row")} cannot be read` : ""}.`),
        el("ul", { class: "made" }, ...faults, ...done.matches.map((match) => el("li", {}, match.text, match.status ? el("b", {}, ` ${STATUS[match.status] ?? match.status}`) : "", ...match.differs.map((text) => el("div", { class: "soft" }, text))))), ...(write || !done.count ? [] : [key("write them", () => read("write"), { class: "key main" })]),
        ...(done.matches.some((match) => match.status === "refused") ? [key("correct what was written by the spreadsheet", () => read("correct"), { class: "key main" })] : []), ...done.alike.map((pair) => oneOrTwo(...pair)));
    });
    below.replaceChildren(el("div", { class: "two-up" }, ...(found.sheets.length > 1 ? [el("label", {}, "sheet", sheet)] : []), el("label", {}, "game", one), ...(wide ? [el("label", {}, "what is played", played)] : []), el("label", {}, "days are written", order)), house.element, heard, el("p", {}, "What is each column?"),
      table(["column", "is", "first rows"], heads.map((head, k) => [head, kinds[k] ?? "", rows.map((row) => row[k] ?? "").filter(Boolean).slice(0, 3).join(" · ")]), [1, 2]), el("div", { class: "choices" }, key("look at what would be written", () => read("")), key("cancel", () => below.replaceChildren())), made);
  });
  return el("section", { class: "wide" }, el("h2", {}, "Results from a spreadsheet"), el("p", {}, "A table with a row for each hand or match, as CSV or a workbook. You see its columns before anything is read."),
    el("div", { class: "two-up" }, el("label", {}, "into the book", book), fileKey("choose the file", { accept: ".csv,.xlsx,text/csv" }, (file) => columns(file))), below);
}

opened(async () => {
  const [grant, { books }, games, { matches }] = await Promise.all([ask("GET", "/me"), ask("GET", "/books"), ask("GET", "/games"), ask("GET", "/matches?limit=200")]);
  const all = !grant.book;
  page("The book", true, el("datalist", { id: "books" }, ...books.map((/** @type {Book} */ one) => el("option", { value: one.book }))), el("div", { class: "sections" },
    ...(books.length ? [evenings(books)] : [el("p", {}, "There is no match yet.")]), pads(games), ...(books.length ? [proof(books)] : []),
    ...(all ? [el("section", {}, el("h2", {}, "A backup"), el("p", {}, "All books with their pictures, in one file. Keep it on another machine."), el("p", { class: "links" }, el("a", { href: "/api/v1/backup" }, "download the backup"))), move(matches)] : []), evening(games), spreadsheet(games)));
});
