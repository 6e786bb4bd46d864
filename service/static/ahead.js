// What is known of the table once the lines that wait are written: who acts next, and what lies in the trick.
// @ts-check

/**
 * @typedef {{coming?: string[], cards?: boolean, next?: Record<string, string>, strong?: Record<string, string[]>, left?: number}} Known
 * @typedef {{turn: string[], laid: [string, string][], led: string}} Then
 */

/** What is said about the match changes nothing on the table. */
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
    // What is called while cards are played keeps no turn.
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
 * The seats in their order from one on; none if nobody is named.
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
 * Who takes a full trick; nobody if a card of it was not seen, or if somebody's seat is not known.
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
