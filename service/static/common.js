// What all pages share: elements, requests, cards as text.
// @ts-check
import { t } from "./words.js";
export { t, tn } from "./words.js";

/**
 * @typedef {{type: string, title: string, status: number, detail?: string, expected?: string, todo?: string, last?: number,
 *   missed?: {n: number, line: string}[], readings?: string[], doubts?: string[]}} Problem
 * @typedef {string | Node | null | undefined | false} Child
 */

/**
 * An element with attributes and children; what begins with "on" is a listener.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on") && typeof value === "function") made.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key.startsWith("aria-") && typeof value === "boolean") made.setAttribute(key, String(value));
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => /** @type {string | Node} */ (child)));
  return made;
}

/**
 * A choice alone; each is its value and its words.
 * @param {[string, string][]} choices
 */
export function select(choices) {
  return el("select", {}, ...choices.map(([value, text]) => el("option", { value }, text)));
}

/**
 * A button.
 * @param {string | Node} label
 * @param {() => void} press
 * @param {Record<string, unknown>} [attributes]
 */
export function key(label, press, attributes = {}) {
  return el("button", { type: "button", class: "key", onclick: press, ...attributes }, label);
}

/** A request that was refused. */
export class RefusedError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.title);
    this.problem = problem;
  }
}

/** The service did not answer. */
export class OfflineError extends Error {}

/**
 * Ask the service. Throws RefusedError if it refuses, OfflineError if it does not answer.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body = undefined) {
  let answer, text;
  // A file is sent as it is, and may take longer.
  const file = body instanceof Blob;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method, credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(file ? 180000 : 15000),
      headers: body === undefined ? {} : { "content-type": file ? body.type : "application/json" }, body: body === undefined || file ? body : JSON.stringify(body),
    });
    // The connection may end before the whole answer has come.
    text = await answer.text();
  } catch {
    throw new OfflineError("no connection");
  }
  let told;
  try {
    told = text ? JSON.parse(text) : null;
  } catch {
    if (answer.ok) throw new OfflineError("no connection");
    told = null;
  }
  if (answer.ok) return told;
  // A proxy, or a service that is starting, has no answer of its own, so this counts as no answer.
  if (answer.status >= 500 && answer.status !== 500) throw new OfflineError("no connection");
  throw new RefusedError(told && told.title ? told : { type: "", title: t("the service answered {status}", { status: answer.status }), status: answer.status });
}

const NAMES = /** @type {Record<string, string>} */ ({ "♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs" });
const TEXT = "\ufe0e";

/**
 * Text with its suits in their colours, and never as small pictures.
 * @param {string} text
 * @returns {Node[]}
 */
export function suited(text) {
  return text.split(/((?:10|[2-9AKQJT])?[♠♥♦♣])/u).filter(Boolean).map((part) => {
    const sign = part.at(-1) ?? "";
    if (!(sign in NAMES)) return document.createTextNode(part);
    return el("span", { class: `card ${NAMES[sign]}` }, part + TEXT);
  });
}

/**
 * A figure with its sign, as print has it; a dash for none.
 * @param {number | null | undefined} n
 */
export function figure(n) {
  return n === null || n === undefined ? "–" : `${n < 0 ? "−" : ""}${Number.isInteger(n) ? Math.abs(n) : Math.abs(n).toFixed(2)}`;
}

/**
 * The names of a table and its sides, as short as possible: first names, if no two players share one.
 * @param {string[]} names  of those who sit there
 * @returns {(name: string) => string}
 */
export function shortening(names) {
  const first = names.map((name) => name.split(" ")[0] ?? ""), apart = new Set(first).size === first.length && first.every((word) => /^[\p{L}'’-]{2,}$/u.test(word));
  const short = new Map(names.map((name, k) => [name, apart ? first[k] ?? name : name]));
  return (name) => name.split(" & ").map((one) => short.get(one) ?? one).join(" & ");
}

/** The page's one place. */
export function root() {
  return /** @type {HTMLElement} */ (document.getElementById("kibitz"));
}

/**
 * Words as a sentence.
 * @param {string | undefined} words
 */
export function sentence(words = "") {
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?…]$/.test(words) ? "" : ".");
}

/**
 * What went wrong, in words.
 * @param {unknown} error
 * @returns {string}
 */
export function inWords(error) {
  if (error instanceof RefusedError) {
    const { title, expected, todo } = error.problem;
    return [expected ? t("{title}; expected {expected}", { title, expected }) : title, todo].filter(Boolean).map(sentence).join(" ");
  }
  if (error instanceof OfflineError) return t("There is no connection at the moment.");
  return error instanceof Error ? error.message : String(error);
}

/** A submission key: sending the same again does no harm. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Copy a text, or show it to be copied by hand if the page may not copy.
 * @param {string} text
 * @param {HTMLElement} place
 */
export async function copy(text, place) {
  if (isSecureContext && navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    place.replaceChildren(t("copied"));
    return;
  }
  const field = el("input", { class: "copy", readonly: true, value: text, "aria-label": t("address to copy") });
  place.replaceChildren(field);
  field.focus();
  field.select();
}

/**
 * Do some work. If it fails, say why in this place.
 * @param {HTMLElement} place
 * @param {() => Promise<void>} work
 */
export async function told(place, work) {
  try {
    await work();
  } catch (error) {
    place.replaceChildren(el("p", { role: "alert" }, inWords(error)));
  }
}

/**
 * Make a page. If that fails, the page says why.
 * @param {() => Promise<void>} work
 */
export async function opened(work) {
  try {
    await work();
  } catch (error) {
    root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), el("p", { role: "alert" }, inWords(error)), el("p", { class: "links" }, el("a", { href: "/" }, t("all matches")))));
  }
}

/** The pages for directors of more than one match. */
export const WAYS = [["/season", t("season")], ["/players", t("players")], ["/find", t("find")], ["/book", t("book")]];

const PAPER = ["PDF", t("workbook"), "CSV", "Markdown", t("text"), t("picture")], ENDINGS = ["pdf", "xlsx", "csv", "md", "txt", "png"];

/**
 * Links to a sheet in each of its formats.
 * @param {string} path  without its ending
 * @param {string} query
 * @param {string} [page_]  the words for the page
 */
export const papers = (path, query, page_ = t("to print")) => [["html", page_], ...ENDINGS.map((kind, k) => [kind, PAPER[k]])].filter(([kind]) => kind !== "png" || !["season", "movement"].includes(path)).map(([kind, words]) => el("a", { href: `/api/v1/${path}.${kind}?${query}` }, words));
