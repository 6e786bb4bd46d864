// Hands against a bank, and tables with more seats than edges: a row a hand, the bank on top.
// @ts-check
import { TALL, fanOf } from "./scene.js";
import { around, besides, handsOf, howMany, standingOf, toDo } from "./seating.js";
import { t } from "./words.js";

/** @import { Pile, Room, Sizes, Table } from "./seating.js" */
/** @import { Scene } from "./scene.js" */

/**
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {Room} room
 */
export function banks(scene, table, sizes, room) {
  const seats = around(table);
  const bank = table.bank;
  // Without cards there is nothing but the score: a row for each who has one.
  const bare = !table.piles.length && Object.keys(table.sides).length;
  const order = bare ? Object.keys(table.sides) : bank ? [bank, ...seats.filter((seat) => seat !== bank)] : seats;
  const { edge } = sizes;
  let y = 0;
  const middle = table.middle.length > 0;
  if (middle) y = inFront(scene, table, sizes, y);
  /** @type {{seat: string, pile: Pile | undefined, nth: number}[]} */
  const rows = order.flatMap(/** @returns {{seat: string, pile: Pile | undefined, nth: number}[]} */ (seat) => {
    const held = handsOf(table, seat).filter((pile, i) => i === 0 || pile.entries.length);
    return held.length ? held.map((pile, i) => ({ seat, pile, nth: i })) : [{ seat, pile: undefined, nth: 0 }];
  });
  for (const { seat, pile, nth } of rows) {
    const onTop = seat === bank && bank !== "";
    const w = onTop ? sizes.middle : sizes.hand * 1.22;
    y += rowOf(scene, table, { seat, pile, nth, y, w, edge, onTop });
    scene.pile = "";
    scene.line(0, y, scene.width, y);
  }
  const beside = besides(table).map((pile) => `${pile.label} ${howMany(pile)}`).join(" · ");
  const before = Object.keys(table.scores).length && !bank ? "" : standingOf(table);
  if (beside) scene.text(edge, y + 22, beside, { size: 13, soft: true, most: scene.width / 2 - edge });
  if (before && sizes.wide) scene.text(scene.width - edge, y + 22, before, { size: 13, soft: true, anchor: "end", most: scene.width / 2 - edge });
  scene.height = Math.max(scene.height, y + (beside ? 32 : 8));
}

/**
 * One hand: stake, name and what it said, total, cards. Returns the height.
 * @param {Scene} scene
 * @param {Table} table
 * @param {{seat: string, pile: Pile | undefined, nth: number, y: number, w: number, edge: number, onTop: boolean}} at
 */
function rowOf(scene, table, at) {
  const { seat, pile, y, w, edge } = at;
  // There is no room for a number below a card; the words of the pile say it.
  const entries = (pile?.entries ?? []).map(({ under: _, ...entry }) => entry);
  const high = w * TALL + (at.onTop ? 20 : 12);
  const right = scene.width - edge;
  const room = Math.min(scene.width * 0.52, scene.width - edge * 2 - 150);
  const fan = fanOf(entries, w, room, 1);
  const struck = pile?.out ?? false;
  scene.pile = pile?.name ?? "";
  // The cards of all hands begin at one line, so that rows are read downwards.
  const start = pile ? Math.max(right - room, Math.min(right - fan.width, right - w * 2.3)) : right;
  scene.fan(start, y + (high - w * TALL) / 2, w, entries, fan, { dim: struck });
  const middle = y + high / 2;
  let x = edge;
  scene.pile = "";
  if (pile?.stake) {
    scene.chip(edge + 16, middle, 16, pile.stake);
    x += 42;
  } else if (table.bank && !at.onTop) x += 42;
  // A total in words is with the text of the hand: beside the cards there is room for a number.
  const called = pile && pile.total.length > 5 ? pile.total : "";
  const total = called ? "" : pile ? pile.total : table.scores[seat] ?? "";
  const totalWide = total ? Math.max(24, scene.measure(total, at.onTop ? 28 : 20, true)) + 12 : 0;
  const most = start - 10 - x - totalWide;
  const names = at.nth === 0 ? table.names[seat] ?? [seat] : [pile?.label ?? ""];
  const spoke = table.spoke?.by === (pile?.name ?? seat) ? table.spoke.text : undefined;
  const toPlay = table.turn.includes(seat) && at.nth === 0 && table.turn.length < table.seats.length;
  const parts = [
    at.onTop && pile?.says !== "the bank" ? "the bank" : "", called, pile?.kind ?? "", pile?.says === spoke ? "" : pile?.says ?? "", struck && !/bust|out/i.test(`${pile?.kind} ${pile?.says} ${pile?.total}`) ? "out" : "",
    pile && at.nth === 0 && table.scores[seat] !== undefined ? `${table.bank ? "chips " : ""}${table.scores[seat]}` : "",
    // Without the rules of the game the places of cards are unknown: played cards are listed.
    pile ? "" : table.taken[seat] ?? "",
    at.nth === 0 && seat === table.dealer && !table.bank ? t("dealt") : "",
    !table.bank && pile?.entries.length ? `${pile.count} cards` : "",
  ].filter(Boolean);
  // Things that do not fit are left out, the last one first.
  const done = spoke ? scene.cut(spoke, 13, false, most - 12) : "", wideDone = done ? scene.measure(done, 13, false) + 18 : 0;
  while (parts.length > (done ? 0 : 1) && scene.measure(parts.join(" · "), 13, false) > most - wideDone) parts.pop();
  const said = parts.join(" · ");
  const tagWide = toPlay ? scene.measure(toDo(table), 13, false) + 16 : 0;
  // The owner of the hand comes first: without room for the name, the tag moves aside.
  const tagged = toPlay && most - tagWide >= Math.min(scene.measure(names[0] ?? "", 17, true), 60);
  const { text, size } = scene.fit(names, [17, 15, 13], true, tagged ? most - tagWide : most);
  const two = said || done, wide = scene.text(x, middle - (two ? 3 : -6), text, { size, strong: true, struck });
  if (tagged) scene.text(x + wide + 12, middle - (two ? 3.5 : -5.5), toDo(table), { size: 13, tag: true });
  // The last spoken words are framed, before the rest.
  if (done) scene.text(x + 6, middle + 17, done, { size: 13, now: true });
  if (said) scene.text(x + wideDone, middle + (done ? 17 : 15), said, { size: 13, soft: true, most: most - wideDone });
  if (total) scene.text(start - 14, middle + (at.onTop ? 10 : 7), total, { size: at.onTop ? 28 : 20, strong: true, anchor: "end", struck });
  return high;
}

/**
 * The cards in the middle of a long table: above the list.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {number} y
 */
function inFront(scene, table, sizes, y) {
  const entries = table.middle.map((laid) => laid.entry);
  const w = sizes.middle;
  const fan = fanOf(entries, w, scene.width - 2 * sizes.edge, 3);
  scene.pile = "trick";
  scene.fan((scene.width - fan.width) / 2, y + 10, w, entries, fan);
  return y + fan.height + 20;
}
