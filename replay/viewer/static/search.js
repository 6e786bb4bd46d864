// Search events by card, player or word.
// @ts-check
import { el, eventLink, oneStop, said } from "./dom.js";
import { t, tn } from "./words.js";

/** @import { Replay } from "./data.js" */

const MOST = 100;

/**
 * A text as it is compared: without accents, in small letters.
 * @param {string} text
 */
function plainly(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * A card as somebody types it, in the words of the record: "10♦", "td" and "10d" are `Td`.
 * @param {string} typed
 */
function cardTyped(typed) {
  const [, rank = "", suit = ""] = /^(10|[2-9tjqka])([cdhs♣♦♥♠])\ufe0e?$/i.exec(typed) ?? [];
  return rank && (rank === "10" ? "T" : rank.toUpperCase()) + ({ "♣": "c", "♦": "d", "♥": "h", "♠": "s" }[suit] ?? suit.toLowerCase());
}

/**
 * The events that have all these words, or the cards that are meant by them.
 * @param {Replay} replay
 * @param {string} asked
 */
function eventsWith(replay, asked) {
  const words = asked.trim().split(/\s+/).filter(Boolean).map((word) => ({ card: cardTyped(word), text: plainly(word) }));
  if (!words.length) return [];
  return replay.doc.hands.flatMap((hand) => hand.steps.filter((step) => {
    const cards = [...(step.cards ?? []), ...(step.follows ?? [])], text = plainly(`${step.says} ${step.text ?? ""}`);
    return words.every((word) => (word.card && cards.includes(word.card)) || text.includes(word.text));
  }).map((step) => ({ hand, step })));
}

/**
 * The panel for a search. The Enter key goes to the first event.
 * @param {Replay} replay
 * @param {(n: number) => void} go
 */
export function searchPanel(replay, go) {
  const place = el("div"), count = el("p", { class: "soft", role: "status" });
  const field = el("input", { type: "search", class: "link", "aria-label": t("Search events by card, player or word"), placeholder: "10♦, td, Doris, pass", autocomplete: "off", input: () => fill(), keydown: (event) => {
    const [first] = eventsWith(replay, field.value);
    if (first && /** @type {KeyboardEvent} */ (event).key === "Enter") go(first.step.n);
  } });
  const fill = () => {
    const all = eventsWith(replay, field.value);
    count.textContent = field.value.trim() ? all.length > MOST ? t("{n} events, the first {most} of them", { n: all.length, most: MOST }) : tn(["{n} event", "{n} events"], all.length) : "";
    place.replaceChildren(oneStop(el("ul", { class: "found" }, ...all.slice(0, MOST).map(({ hand, step }) => el("li", {}, eventLink(step.n, "event"), el("span", {}, replay.doc.hands.length > 1 ? el("span", { class: "soft" }, `${t("hand {n}", { n: hand.number })} `) : "", ...said(step.says)))))));
  };
  return el("div", { class: "finding" }, field, count, place);
}
