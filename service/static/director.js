// The director: new matches, links for those at the tables, disputes and rulings.
// @ts-check
import { ask, copy, el, inWords, key, root, suited } from "./common.js";

/**
 * @typedef {{key: string, name: string, players: string, seats: string[][]}} Game
 * @typedef {{match: string, name: string, title: string, players: string[], table: string, over: boolean, book: string}} Row
 * @typedef {{id: string, subject: string, role: string, match: string, seat: string, until: string, revoked: string}} Grant
 */

/** @param {string} text */
async function code(text) {
  const svg = await ask("POST", "/code", { text });
  const place = el("div", {});
  const read = new DOMParser().parseFromString(svg.svg, "image/svg+xml").documentElement;
  place.append(document.importNode(read, true));
  return place;
}

/** @param {Game[]} games */
function form(games) {
  const game = /** @type {HTMLSelectElement} */ (el("select", { name: "game", "aria-label": "game" }, ...games.map((one) => el("option", { value: one.key }, `${one.name} (${one.players})`))));
  const seats = el("div", { class: "two-up" });
  const size = /** @type {HTMLSelectElement} */ (el("select", { "aria-label": "how many play" }));
  const book = /** @type {HTMLInputElement} */ (el("input", { name: "book", value: "home", maxlength: 64 }));
  const event = /** @type {HTMLInputElement} */ (el("input", { name: "event", maxlength: 120 }));
  const table = /** @type {HTMLInputElement} */ (el("input", { name: "table", maxlength: 20 }));
  const said = el("p", { role: "alert" });
  const chosen = () => games.find((one) => one.key === game.value) ?? games[0];
  const fill = () => {
    const found = chosen()?.seats.find((one) => String(one.length) === size.value) ?? chosen()?.seats[0] ?? [];
    seats.replaceChildren(...found.map((seat) => el("label", {}, `seat ${seat}`, el("input", { "data-seat": seat, maxlength: 60, autocomplete: "off" }))));
  };
  const sizes = () => {
    size.replaceChildren(...(chosen()?.seats ?? []).map((one) => el("option", { value: one.length }, `${one.length} seats`)));
    fill();
  };
  game.addEventListener("change", sizes);
  size.addEventListener("change", fill);
  sizes();
  const made = el("form", { onsubmit: async (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    const names = Object.fromEntries([...seats.querySelectorAll("input")].flatMap((input) => (input.value.trim() ? [[input.dataset.seat, input.value.trim()]] : [])));
    const all = [...seats.querySelectorAll("input")].map((input) => input.dataset.seat ?? "");
    try {
      const told = await ask("POST", "/matches", { game: game.value, seats: { ...Object.fromEntries(all.map((seat) => [seat, names[seat] ?? seat])) }, book: book.value || "home", event: event.value, table: table.value, date: new Date().toISOString().slice(0, 10) });
      said.replaceChildren("");
      await show(told.match);
    } catch (error) {
      said.replaceChildren(inWords(error));
    }
  } }, el("label", {}, "game", game), el("label", {}, "seats", size), seats, el("div", { class: "two-up" }, el("label", {}, "evening", event), el("label", {}, "table", table)), el("label", {}, "book", book), el("button", { type: "submit", class: "key main" }, "Begin the match"), said);
  return el("details", {}, el("summary", { class: "key" }, "A new match"), made);
}

/**
 * @param {Row} row
 * @param {boolean} fresh
 */
function match(row, fresh) {
  const place = el("div", {});
  const to = encodeURIComponent(row.match);
  const give = (/** @type {string} */ role, /** @type {string} */ words) => key(words, async () => {
    try {
      const told = await ask("POST", "/grants", { subject: `${role} of ${row.title}`.slice(0, 80), role, match: row.match, hours: 24 });
      const address = location.origin + told.path;
      const copied = el("span", { class: "soft" });
      place.replaceChildren(el("div", { class: "given" }, el("b", {}, role === "spectator" ? "For everybody who follows this match, for a day" : "For one phone, for a day"), await code(address), el("code", {}, address), key("copy the link", () => copy(address, copied)), copied, key("take it back", async () => {
        await ask("DELETE", `/grants/${told.grant.id}`);
        place.replaceChildren("It is no longer in force.");
      })));
    } catch (error) {
      place.replaceChildren(inWords(error));
    }
  }, { class: "key" });
  const disputes = el("div", {});
  const look = async () => {
    try {
      const doc = await ask("GET", `/matches/${to}/frames`);
      const open = doc.said.filter((/** @type {any} */ one) => one.kind === "dispute");
      const ruled = new Set(doc.said.filter((/** @type {any} */ one) => one.kind === "ruling").flatMap((/** @type {any} */ one) => one.refs ?? []));
      disputes.replaceChildren(...open.map((/** @type {any} */ one) => dispute(row, one, ruled.has(one.n), doc)));
    } catch (error) {
      disputes.replaceChildren(inWords(error));
    }
  };
  look();
  return el("li", { class: fresh ? "fresh" : "" }, el("div", { class: "what" }, el("b", {}, row.name), row.table ? ` table ${row.table}` : "", row.over ? el("span", { class: "done" }, "finished") : ""), el("div", {}, row.title),
    el("p", { class: "links" }, el("a", { href: `/t/${to}` }, "record"), el("a", { href: `/m/${to}` }, "follow"), el("a", { href: `/api/v1/matches/${to}/sheet.html` }, "sheet"), el("a", { href: `/api/v1/matches/${to}/bundle` }, "bundle")),
    el("div", { class: "choices" }, give("recorder", "link for the recorder"), give("spectator", "link for spectators"), key("open all hands to all", async () => {
      try {
        await ask("POST", `/matches/${to}/open`, { hand: 0 });
        place.replaceChildren("Everybody who follows this match sees all its cards now.");
      } catch (error) {
        place.replaceChildren(inWords(error));
      }
    })), place, disputes);
}

/**
 * @param {Row} row
 * @param {any} one
 * @param {boolean} ruled
 * @param {any} doc
 */
function dispute(row, one, ruled, doc) {
  const to = encodeURIComponent(row.match);
  const hand = doc.hands.find((/** @type {any} */ h) => h.first <= (one.refs?.[0] ?? one.n) && (one.refs?.[0] ?? one.n) <= h.last)?.number;
  const words = /** @type {HTMLInputElement} */ (el("input", { "aria-label": "the ruling", placeholder: "tricks.NS=1 tricks.EW=-1 rule=kaiser.R12" }));
  const said = el("p", { role: "status" });
  return el("div", { class: "given" }, el("b", {}, ...suited(one.text || "disputed")), hand ? el("a", { href: `/api/v1/matches/${to}/report?hand=${hand}` }, `the report on hand ${hand}`) : "", ruled ? el("span", { class: "done" }, "ruled") : el("div", { class: "field" }, words, key("rule", async () => {
    try {
      const told = await ask("POST", `/matches/${to}/lines`, { line: `@ ruling #${one.n} ${words.value.trim()}`.trim() });
      said.replaceChildren(told.line);
    } catch (error) {
      said.replaceChildren(inWords(error));
    }
  }, { class: "key main" })), said);
}

async function show(fresh = "") {
  try {
    const [games, found] = await Promise.all([ask("GET", "/games"), ask("GET", "/matches?limit=200")]);
    root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, "The director"), el("p", { class: "links" }, el("a", { href: "/board" }, "the evening's board"), el("a", { href: "/" }, "all matches")), form(games),
      el("ul", { class: "matches" }, ...found.matches.map((/** @type {Row} */ row) => match(row, row.match === fresh)))));
  } catch (error) {
    root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), el("p", { role: "alert" }, inWords(error))));
  }
}

show();
