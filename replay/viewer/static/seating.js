// Who sits where, what each of them has, and a seat's name with its hands.
// @ts-check
import { Scene, TALL, fanOf, folded } from "./scene.js";
import { t } from "./words.js";

/** @import { Entry, Measure } from "./scene.js" */
/**
 * @typedef {{name: string, label: string, owner: string, form: string, place: string, count: number, vague: boolean, seenBy: string,
 *   entries: Entry[], holding: boolean, kind: string, wild: string, total: string, stake: string, says: string, out: boolean,
 *   parts?: string[]}} Pile
 * @typedef {{seat: string, entry: Entry}} Laid
 * @typedef {{seats: string[], sides: Record<string, string[]>, called: Record<string, string>, names: import("./names.js").Names, bottom: string, turn: string[], dealer: string,
 *   led: string, toDo: string, middle: Laid[], piles: Pile[], contract: string, standing: string, scores: Record<string, string>,
 *   taken: Record<string, string>, bank: string, form: Form, bare: boolean, common: boolean, outcome: string[],
 *   betting: boolean, pot: string, spoke: {by: string, seat: string, text: string} | undefined}} Table
 *   `spoke`: who did what just happened, and what it was, if no card on the table shows it.
 *   `outcome`: what the hand came to, once it is over; a line for each side.
 *   `bare`: nothing is ever laid in the middle, so that stock and discards lie there.
 *   `betting`: chips are put on cards of the board; `pot`: what lies in the pot, in words ("pot 12").
 *   `common`: the melds of this hand belong to nobody.
 * @typedef {"cross" | "melds" | "patience" | "rows"} Form
 * @typedef {{hand: number, middle: number, meld: number, wide: boolean, edge: number}} Sizes
 * @typedef {{width: number, most: number, page: number, least: number}} Room
 *   `most` is how high a table may be, `least` how high its hand needs it, `page` the width of the page it stands on.
 * @typedef {"bottom" | "top" | "left" | "right"} Edge
 */

/**
 * The seats from the bottom on, clockwise.
 * @param {Table} table
 */
export function around(table) {
  const from = Math.max(0, table.seats.indexOf(table.bottom));
  return [...table.seats.slice(from), ...table.seats.slice(0, from)];
}

/**
 * The piles of an owner: a seat, or the side it plays for.
 * @param {Table} table
 * @param {string} owner
 */
export function ownedBy(table, owner) {
  return table.piles.filter((pile) => pile.owner === owner);
}

/**
 * The hands of a seat.
 * @param {Table} table
 * @param {string} seat
 */
export function handsOf(table, seat) {
  return table.piles.filter((pile) => pile.owner === seat && pile.place === "hand");
}

/**
 * The stacks in front of a seat, beside its hand.
 * @param {Table} table
 * @param {string} seat
 */
function frontOf(table, seat) {
  return table.piles.filter((pile) => pile.owner === seat && pile.place === "front" && pile.form === "stack" && pile.entries.length);
}

/** How small a stack in front of a seat is, of a card in its hand; and how far from it, of its own width. */
const IN_FRONT = 0.72, APART = 0.5;

/**
 * The width of the stacks in front of a seat, with the gaps between them.
 * @param {Table} table
 * @param {string} seat
 * @param {number} w
 */
export function frontWidth(table, seat, w) {
  return frontOf(table, seat).length * w * IN_FRONT * (1 + 2 * APART);
}

/**
 * Piles of the table that belong to no player and are beside it: stock, discard, widow.
 * @param {Table} table
 */
export function besides(table) {
  /** @type {Map<string, Pile>} */
  const out = new Map();
  for (const pile of table.piles) {
    if (pile.place !== "beside" || pile.owner) continue;
    // Two pozzetti are shown as one pile with both counts.
    const key = pile.name.replace(/:\d+$/, "");
    const other = out.get(key);
    out.set(key, other ? { ...other, label: other.label.replace(/ \d+$/, ""), entries: [...other.entries, ...pile.entries], count: other.count + pile.count,
      parts: [...(other.parts ?? [howMany(other)]), howMany(pile)] } : pile);
  }
  return [...out.values()];
}

/**
 * The task of a seat, as shown beside its name.
 * @param {Table} table
 */
export function toDo(table) {
  return table.toDo.length > 12 ? t("to play") : t("to {act}", { act: table.toDo });
}

/**
 * The standing of the hand, without the contents of the pot.
 * @param {Table} table
 */
export function standingOf({ standing, pot }) {
  return pot ? standing.slice(0, -pot.length - 3) : standing;
}

/**
 * The number or rank by which sentences name a pile: "6" of meld 6; empty if there is but one.
 * @param {Pile} pile
 */
export function numberOf(pile) {
  return (/ ([\d.]+|[ATJQK])$/.exec(pile.label)?.[1] ?? "").replace("T", "10");
}

/** @param {Pile} pile */
export function howMany(pile) {
  if (pile.parts) return pile.count ? pile.parts.filter((part) => part !== t("none")).join(" + ") : t("none");
  // Of a card that was turned up there is one.
  if (pile.name === "upcard" && pile.count === 1 && !pile.vague) return "";
  return pile.vague ? (pile.count ? t("{n} or more", { n: pile.count }) : t("some")) : pile.count ? String(pile.count) : t("none");
}

/**
 * A seat's name, what it is there, and whether it is to play. Returns its width.
 * @param {Scene} scene
 * @param {Table} table
 * @param {string} seat
 * @param {number} x
 * @param {number} y
 * @param {"start" | "middle" | "end"} anchor
 * @param {number} most
 */
export function nameOf(scene, table, seat, x, y, anchor, most) {
  const names = table.names[seat] ?? [seat], name = names[0] ?? seat;
  const single = Object.keys(table.sides).length === table.seats.length;
  const spoke = table.spoke?.seat === seat ? table.spoke.text : "";
  // What somebody has bet, or that it is the bank, has a line of its own.
  const notes = [single ? table.scores[seat] ?? "" : "", spoke, seat === table.dealer && !table.betting ? t("dealt") : "", single && !table.betting && !(seat === table.bottom && table.piles.some((pile) => pile.place === "won" && pile.owner === seat && pile.count)) ? table.taken[seat] ?? "" : ""];
  const tag = table.turn.includes(seat) && table.turn.length < table.seats.length ? toDo(table) : "";
  const placed = (/** @type {number} */ wide) => (anchor === "start" ? x : anchor === "middle" ? x - wide / 2 : x - wide);
  // Without room for the words, the name itself is inverted.
  if (tag && scene.measure(name, 17, true) + scene.measure(tag, 13, false) + 16 > most) {
    const { text, size } = scene.fit(names, [15, 13], true, most - 12), wide = scene.measure(text, size, true) + 12;
    scene.text(Math.max(4, Math.min(placed(wide), scene.width - wide - 4)) + 6, y, text, { size, strong: true, tag: true, now: spoke !== "" });
    return wide;
  }
  const tagWide = tag ? scene.measure(tag, 13, false) + 16 : 0;
  // A name that has no room is written smaller, then shorter, before it is cut.
  const score = notes[0] ? scene.measure(notes[0], 13, true) + 6 : 0;
  const roomy = [17, 15, 13].find((s) => scene.measure(name, s, true) <= most - tagWide - score);
  const { text, size } = scene.fit(names, roomy ? [roomy] : [17, 15, 13], true, Math.max(30, most - tagWide));
  const wide = scene.measure(text, size, true);
  // Around what was said there is a frame.
  const around = (/** @type {string} */ note) => (note === spoke ? 12 : 6), wideOf = (/** @type {string} */ note) => scene.measure(note, 13, false) + around(note) + (note === spoke ? 6 : 0);
  let room = most - wide - tagWide;
  const kept = notes.filter((note) => {
    const fits = note !== "" && wideOf(note) <= room;
    if (fits) room -= wideOf(note);
    return fits;
  });
  // Without room for the spoken words, the name itself is framed.
  const framed = spoke !== "" && !kept.includes(spoke), margin = framed && kept.length ? 6 : 0;
  const all = wide + margin + tagWide + kept.reduce((sum, note) => sum + wideOf(note), 0);
  let at = Math.max(4, Math.min(placed(all), scene.width - all - 4));
  scene.text(at, y, text, { size, strong: true, now: framed });
  at += wide + margin;
  for (const note of kept) {
    scene.text(at + around(note), y, note, { size: 13, soft: note !== spoke, strong: note === table.scores[seat], now: note === spoke });
    at += wideOf(note);
  }
  if (tag) scene.text(at + 12, y - 0.5, tag, { size: 13, tag: true });
  return all;
}

/**
 * A seat in one place: name and hands below, or above at the bottom. Returns the height.
 * @param {Scene} scene
 * @param {Table} table
 * @param {string} seat
 * @param {{x: number, y: number, w: number, room: number, nameRoom?: number, anchor: "start" | "middle" | "end", rows?: number, nameBelow?: boolean}} at
 */
export function seatAt(scene, table, seat, at) {
  const held = handsOf(table, seat);
  const front = frontWidth(table, seat, at.w), room = at.room - front;
  let y = at.y;
  scene.pile = "";
  // At the sides a name is over the middle of its fan, if it is the narrower of the two.
  const wide = Math.max(0, ...held.filter((pile) => pile.entries.length).map((pile) => fanOf(pile.entries, at.w, room, at.rows ?? 2).width));
  const over = at.anchor !== "middle" && nameOf(new Scene(scene.width, scene.measure), table, seat, at.x, 16, at.anchor, at.room) < wide;
  const x = over ? at.x + (at.anchor === "start" ? wide : -wide) / 2 : at.x;
  const anchor = over ? "middle" : at.anchor;
  const name = () => {
    nameOf(scene, table, seat, x, y + 16, anchor, at.nameRoom ?? at.room);
    y += at.nameBelow ? 22 : 24;
  };
  if (!at.nameBelow) name();
  if (table.betting) {
    // A name must not look like a label of the card above it.
    y += at.nameBelow ? 10 : 0;
    const lines = folded(seat === table.bank ? t("the bank") : table.taken[seat] ?? "", 13, at.room, scene.measure);
    lines.forEach((line, i) => scene.text(x, y + 10 + 15 * i, line, { size: 13, soft: true, anchor, most: at.room }));
    y += 3 + 15 * Math.max(1, lines.length);
  }
  for (const pile of held) {
    if (!pile.entries.length && pile !== held[0]) continue;
    const fan = fanOf(pile.entries, at.w, room, at.rows ?? 2);
    if (pile === held[0]) stacksOf(scene, table, seat, at, fan.width, y);
    const left = at.anchor === "start" ? at.x : at.anchor === "middle" ? at.x - fan.width / 2 : at.x - fan.width;
    scene.pile = pile.name;
    if (pile.entries.length) scene.fan(left, y, at.w, pile.entries, fan, { dim: pile.out });
    else scene.reach(left, y, left + at.w, y + at.w * TALL);
    y += fan.height + (pile.entries.some((e) => e.under) ? 16 : 4);
  }
  scene.pile = "";
  if (at.nameBelow) name();
  return y - at.y;
}

/**
 * The stacks in front of a seat, beside its fan: further in, and at the right in the middle.
 * @param {Scene} scene
 * @param {Table} table
 * @param {string} seat
 * @param {{x: number, w: number, anchor: "start" | "middle" | "end"}} at
 * @param {number} fan  how wide the fan is
 * @param {number} y
 */
function stacksOf(scene, table, seat, at, fan, y) {
  const w = at.w * IN_FRONT, each = w * (1 + 2 * APART), wide = w >= 30;
  const edge = at.anchor === "start" ? at.x + fan : at.anchor === "middle" ? at.x + fan / 2 : at.x - fan;
  frontOf(table, seat).forEach((pile, i) => {
    const middle = at.anchor === "end" ? edge - each * (i + 0.5) : edge + each * (i + 0.5);
    const label = wide ? pile.label.replace(/ pile$/, "") : "";
    scene.pile = pile.name;
    scene.stack(middle - w / 2, y, w, pile.entries, { label, count: howMany(pile), below: true, most: each - 4 });
  });
}

/**
 * How high a seat will be: measured without laying it.
 * @param {Scene} scene
 * @param {Table} table
 * @param {string} seat
 * @param {number} w
 * @param {number} room
 * @param {number} rows
 */
export function seatHeight(scene, table, seat, w, room, rows = 2) {
  const trial = new Scene(scene.width, scene.measure);
  return seatAt(trial, table, seat, { x: scene.width / 2, y: 0, w, room, anchor: "middle", rows });
}
