// Shared by the pages about many matches: head, form and tables.
// @ts-check
import { WAYS, ask, el, inWords, root, suited, t } from "./common.js";
import { position } from "./position.js";

/**
 * A page with its head; a director gets links to the other pages.
 * @param {string} title
 * @param {boolean} director
 * @param {...(Node | string)} parts
 */
export function page(title, director, ...parts) {
  const others = director ? [["/director", t("director")], ...WAYS] : [];
  const links = [["/", t("all matches")], ...others].map(([to, words]) => el("a", { href: to, "aria-current": location.pathname === to ? "page" : undefined }, words ?? ""));
  root().replaceChildren(el("main", { class: "many" }, el("h1", {}, title), el("nav", { class: "links" }, ...links), ...parts));
}

/**
 * A field with its label, filled from the address.
 * @param {string} name
 * @param {string} words
 * @param {Record<string, unknown>} [attributes]
 */
export function field(name, words, attributes = {}) {
  const given = new URLSearchParams(location.search).get(name);
  return el("label", {}, words, el("input", { name, autocomplete: "off", maxlength: 120, value: given ?? undefined, ...attributes }));
}

/**
 * A field of several lines with its label, filled from the address.
 * @param {string} name
 * @param {string} words
 * @param {Record<string, unknown>} [attributes]
 */
export function area(name, words, attributes = {}) {
  return el("label", {}, words, el("textarea", { name, ...attributes }, new URLSearchParams(location.search).get(name) ?? ""));
}

/**
 * A choice with its label; each choice is its value and its words.
 * @param {string} name
 * @param {string} words
 * @param {[string, string][]} choices
 */
export function choice(name, words, choices) {
  const given = new URLSearchParams(location.search).get(name);
  return el("label", {}, words, el("select", { name }, ...choices.map(([value, text]) => el("option", { value, selected: value === given }, text))));
}

/**
 * @param {string} name
 * @param {string} words
 */
export function tick(name, words) {
  return el("label", { class: "check" }, el("input", { type: "checkbox", name, value: "true", checked: new URLSearchParams(location.search).get(name) === "true" }), words);
}

/**
 * The fields of a form as a query, without empty ones.
 * @param {HTMLFormElement} form
 */
export function query(form) {
  const said = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string" && value.trim()) said.append(name, value.trim());
  return said;
}

/**
 * A form with its answer below it; the address contains the query, so that it can be stored and shared.
 * @param {string} words what the button says
 * @param {(said: URLSearchParams) => Promise<Node[]>} answer
 * @param {...Node} fields
 */
export function asking(words, answer, ...fields) {
  const below = el("div", { class: "answered", "aria-live": "polite" });
  let latest = 0;
  const send = async () => {
    const said = query(form), mine = ++latest;
    history.replaceState(null, "", `${location.pathname}${said.size ? `?${said}` : ""}`);
    below.setAttribute("aria-busy", "true");
    try {
      const parts = await answer(said);
      if (mine === latest) below.replaceChildren(...parts);
    } catch (error) {
      if (mine === latest) below.replaceChildren(el("p", { role: "alert" }, inWords(error)));
    }
    below.removeAttribute("aria-busy");
  };
  const form = el("form", { class: "asked", onsubmit: (/** @type {Event} */ submitted) => {
    submitted.preventDefault();
    send();
  } }, ...fields, el("button", { type: "submit", class: "key main" }, words));
  return { form, below, send };
}

/**
 * A table; cells of the first column are heads, the others figures unless their column is among `texts`.
 * @param {string[]} heads
 * @param {(string | Node)[][]} rows
 * @param {number[]} [texts]
 */
export function table(heads, rows, texts = []) {
  const kind = (/** @type {number} */ k) => (k && !texts.includes(k) ? "n" : "");
  return el("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": t("a table; it may scroll sideways") }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((head, k) => (head ? el("th", { scope: "col", class: kind(k) }, head) : el("td", {}))))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, k) => el(k ? "td" : "th", k ? { class: kind(k) } : { scope: "row" }, cell)))))));
}

/** @typedef {{link: string, match: string, at: number, hand: number, kind: string, text: string, game: string, day: string, book: string, title: string, players: string[][]}} Hit */

const KINDS = /** @type {Record<string, string>} */ ({ match: "", hand: "", swing: t("swing"), comment: t("remark"), dispute: t("dispute"), broken: t("breach"), perhaps: t("breach or slip"), open: t("open question") });

/**
 * A match or an event that was found, as a link to it.
 * @param {Hit} hit
 * @param {Node | string} picture
 */
export function hitItem(hit, picture = "") {
  const where = [hit.game, hit.title, hit.hand ? t("hand {n}", { n: hit.hand }) : "", hit.at ? t("event {n}", { n: hit.at }) : ""].filter(Boolean).join(", ");
  const kind = KINDS[hit.kind] ?? hit.kind;
  return el("li", {}, el("a", { href: `/m/${encodeURIComponent(hit.match)}${hit.at ? `#${hit.at}` : ""}` }, picture, where), kind ? el("span", { class: "kind" }, kind) : "",
    el("p", {}, ...suited(hit.text)), el("p", { class: "soft" }, [hit.day, hit.players.map((side) => side.join(" & ")).join(" – ")].filter(Boolean).join(" · ")));
}

/**
 * The hands worth opening that an address of the service names, each with its cards.
 * @param {string} path
 */
export async function worthOpening(path) {
  const { hits } = /** @type {{hits: Hit[]}} */ (await ask("GET", path));
  return hits.length ? [el("h2", {}, t("Hands worth opening")), el("ul", { class: "hits pictured" }, ...hits.map((hit) => hitItem(hit, position(hit.match, hit.at))))] : [];
}
