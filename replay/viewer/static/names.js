// Names in as little room as there is: in full, given names, initials or the first letters.
// @ts-check

/** @typedef {Record<string, string[]>} Names  of each seat and side, the full name first, then shorter ones */

/**
 * The short name of each seat and side. No two of them are the same.
 * @param {Record<string, string>} called
 * @param {string[]} seats
 * @param {Record<string, string[]>} sides
 * @returns {Names}
 */
export function namesOf(called, seats, sides) {
  const full = seats.map((seat) => called[seat] ?? seat);
  const words = full.map((name) => name.trim().split(/\s+/));
  const letter = (/** @type {string} */ word) => [...word][0] ?? "";
  /** @type {((words: string[]) => string)[]} Ways to say a name, each shorter than the one before. */
  const ways = [
    (of) => of[0] ?? "", (of) => (of.length > 1 ? `${of[0]} ${letter(of.at(-1) ?? "")}.` : of[0] ?? ""),
    (of) => (of.length > 1 ? of.map(letter).filter((sign) => /[\p{Lu}\d]/u.test(sign)).join("") || of.map(letter).join("") : [...of[0] ?? ""].slice(0, 3).join("")),
  ];
  const [given = [], apart = [], initials = []] = ways.map((way) => words.map(way));
  const alone = (/** @type {string[]} */ all, /** @type {number} */ i) => all.filter((one) => one === all[i]).length === 1;
  /** @type {Names} */
  const out = {};
  seats.forEach((seat, i) => {
    const name = full[i] ?? seat;
    const shorter = alone(given, i) ? given[i] : alone(apart, i) ? apart[i] : name;
    out[seat] = [name, shorter ?? name, (alone(initials, i) ? initials[i] : shorter) ?? name];
  });
  for (const [side, members] of Object.entries(sides)) {
    const name = called[side] ?? side;
    const joined = [0, 1, 2].map((k) => members.map((seat) => out[seat]?.[k] ?? seat).join(" & "));
    if (!(side in out)) out[side] = name === joined[0] ? joined : [name, name, name];
  }
  return out;
}

/**
 * A text with its names in full, with given names, with initials.
 * @param {string} text
 * @param {Names} names
 * @returns {string[]}
 */
export function inBrief(text, names) {
  const all = Object.values(names).filter(([full, , shortest]) => full !== shortest).sort(([a = ""], [b = ""]) => b.length - a.length);
  return [0, 1, 2].map((k) => all.reduce((said, of) => said.replaceAll(of[0] ?? "", of[k] ?? ""), text));
}
