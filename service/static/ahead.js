// The position after the lines that are still waiting to be sent: the next seat to act, and the cards in the trick.
// @ts-check

/**
 * @typedef {{coming?: string[], cards?: boolean, next?: Record<string, string>, strong?: Record<string, string[]>, left?: number}} Known
 * @typedef {{turn: string[], laid: [string, string][], led: string}} Then
 */

/** Remarks about the match do not change the table. */
const ABOUT = /^(?:note|claim|confirm|@ dispute)\b/;

/**
 * @param {{turn: string[], middle?: [string, string][], led?: string, trick?: number, ahead?: Known}} pad
 * @param {{line: string, act?: boolean, seat: string}[]} lines
 * @returns {Then}
 */
export function lookAhead(pad, lines) {
  const { next = {}, strong = {} } = pad.ahead ?? {}, size = pad.trick ?? 0;
  let { coming: order = [], left = 0 } = pad.ahead ?? {}, laid = pad.middle ?? [], led = pad.led ?? "", turn = pad.turn;
  for (const line of lines) {
    if (ABOUT.test(line.line)) continue;
    const card = line.act ? line.line.split(" ").at(-1) ?? "" : "";
    const played = size > 0 && /^(?:[2-9AKQJT][shdc]|x)$/.test(card);
    // A call during play does not use up a turn.
    order = line.act && (played || !pad.ahead?.cards) ? order.slice(1) : [];
    if (played) {
      if (laid.length >= size) laid = [];
      laid = [...laid, [line.seat, card]];
      led = laid.length === size ? "" : laid[0]?.[1][1] ?? "";
      if (laid.length === size) {
        left -= 1;
        order = left > 0 ? round(taker(laid, strong), next, size) : [];
      }
    }
    turn = order.slice(0, 1);
  }
  return { turn, laid, led };
}

/**
 * The seats in order, beginning with this one; empty if no seat is given.
 * @param {string} first
 * @param {Record<string, string>} next
 * @param {number} size
 */
export function round(first, next, size) {
  const order = [];
  for (let seat = first; seat && order.length < size; seat = next[seat] ?? "") order.push(seat);
  return order;
}

/**
 * The winner of a full trick; empty if a card was not seen, or a seat is unknown.
 * @param {[string, string][]} laid
 * @param {Record<string, string[]>} strong
 */
function taker(laid, strong) {
  if (laid.some(([seat, card]) => !seat || !/^[2-9AKQJT][shdc]$/.test(card))) return "";
  for (const equal of strong[laid[0]?.[1][1] ?? ""] ?? []) {
    const best = laid.find(([, card]) => equal.match(/../g)?.includes(card));
    if (best) return best[0];
  }
  return "";
}
