// Melds in a band for each side, or in one that is everybody's, hands above and below, stock and discards between them.
// @ts-check
import { TALL, fanOf } from "./scene.js";
import { around, besides, howMany, numberOf, ownedBy, seatAt } from "./seating.js";
import { t, tn } from "./words.js";

/** @import { Pile, Room, Sizes, Table } from "./seating.js" */
/** @import { Scene } from "./scene.js" */

/**
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {Room} room
 */
export function melds(scene, table, sizes, room) {
  const seats = around(table);
  const { edge } = sizes;
  // The near seats: the bottom one at the right, the next one clockwise at its left; the others above, clockwise.
  const near = seats.length <= 3 ? seats.slice(0, 1) : [seats[1] ?? "", seats[0] ?? ""];
  const far = seats.filter((seat) => !near.includes(seat));
  let y = edge * 0.6;
  const piles = besides(table);
  if (sizes.wide && scene.width >= 800) {
    const pilesWide = piles.reduce((sum, pile) => sum + wideOf(scene, sizes, pile), 20);
    const part = (scene.width - 2 * edge - (far.length > 1 ? pilesWide : 0)) / Math.max(far.length, 1);
    const high = row(scene, table, far, sizes, y, far.length > 1 ? part : scene.width - 2 * edge - pilesWide);
    const from = far.length > 1 ? edge + part + 20 : scene.width - edge - pilesWide + 20;
    laySide(scene, sizes, piles, from, y, true);
    y += Math.max(high, sizes.hand * TALL + 8);
  } else {
    y += row(scene, table, far, sizes, y, (scene.width - 2 * edge - 8 * (far.length - 1)) / Math.max(1, far.length)) + 2;
    y += laySide(scene, sizes, piles, edge, y, false);
  }
  const sides = Object.keys(table.sides);
  const mine = sides.find((side) => table.sides[side]?.includes(seats[0] ?? "")) ?? "";
  const order = [...sides.filter((side) => side !== mine), mine];
  const bands = (table.common ? [""] : order).map((side) => ({ side, laid: laidBy(table, side) }));
  const spare = [];
  for (const { side, laid } of bands) {
    scene.pile = "";
    scene.line(edge, y + 4, scene.width - edge, y + 4);
    y += band(scene, table, sizes, side, laid, y + 6) + 8;
    spare.push(y);
  }
  const nearRoom = (scene.width - 2 * edge - 8) / near.length;
  // The lower hands keep to the bottom of a table that has room, so that the melds can grow without moving them.
  const low = row(scene, table, near, sizes, -1, nearRoom);
  const floor = Math.max(room.least, Math.min(room.most, scene.width * (sizes.wide ? 0.5 : 0.9)));
  y = Math.max(y, floor - low - edge * 0.4);
  row(scene, table, near, sizes, y, nearRoom, true);
  scene.height = Math.max(scene.height, y + low + edge * 0.4);
}

/**
 * The melds of a side and its seats; without a side, those that belong to no player.
 * @param {Table} table
 * @param {string} side
 */
function laidBy(table, side) {
  const owners = new Set([side, ...(table.sides[side] ?? [])]);
  return table.piles.filter((pile) => pile.place === "front" && pile.form === "row" && owners.has(pile.owner) && (side || pile.count || pile.vague));
}

/**
 * Hands beside each other: the first at the left edge, the last at the right. At `y` −1 they are only measured.
 * @param {Scene} scene
 * @param {Table} table
 * @param {string[]} seats
 * @param {Sizes} sizes
 * @param {number} y
 * @param {number} part
 * @param {boolean} below
 */
export function row(scene, table, seats, sizes, y, part, below = false) {
  const Kind = /** @type {typeof import("./scene.js").Scene} */ (scene.constructor);
  const onto = y < 0 ? new Kind(scene.width, scene.measure) : scene;
  let high = 0;
  seats.forEach((seat, i) => {
    const last = i === seats.length - 1 && seats.length > 1;
    const between = i > 0 && !last;
    const x = last ? scene.width - sizes.edge : between ? scene.width / 2 : sizes.edge;
    high = Math.max(high, seatAt(onto, table, seat, {
      x, y: Math.max(0, y), w: sizes.hand * 0.94, room: Math.max(sizes.hand, part), anchor: last ? "end" : between ? "middle" : "start", nameBelow: below,
    }));
  });
  return high;
}

/**
 * The width of a pile with its words beside it.
 * @param {Scene} scene
 * @param {Sizes} sizes
 * @param {Pile} pile
 */
function wideOf(scene, sizes, pile) {
  return sizes.hand + 34 + Math.max(scene.measure(pile.label, 13, false), scene.measure(howMany(pile), 15, true));
}

/**
 * Stock, discards and the other piles beside the table, in one row. Returns its height.
 * @param {Scene} scene
 * @param {Sizes} sizes
 * @param {Pile[]} piles
 * @param {number} x
 * @param {number} y
 * @param {boolean} wide
 */
function laySide(scene, sizes, piles, x, y, wide) {
  const w = wide ? sizes.hand : sizes.hand * 0.84;
  // On a phone each pile has its part of the row, and a longer name has more of it.
  const all = piles.map((pile) => wideOf(scene, sizes, pile));
  const more = wide ? 0 : (scene.width - x * 2 - all.reduce((sum, own) => sum + own, 0)) / piles.length;
  let at = x, high = w * TALL;
  piles.forEach((pile, i) => {
    scene.pile = pile.name;
    const own = (all[i] ?? 0) + more;
    const most = own - w - 14;
    scene.stack(at, y + (wide ? 6 : 2), w, pile.entries, { label: pile.label, count: howMany(pile), most, small: !wide });
    // A name in two lines and a number below it are higher than a small card.
    if (!wide && scene.broken(pile.label, 12, most).length > 1) high = Math.max(high, 44);
    at += own;
  });
  scene.pile = "";
  return piles.length ? high + 8 : 0;
}

/**
 * A side's melds in as many rows as needed, each with its kind below. Returns the height.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {string} side
 * @param {Pile[]} laid
 * @param {number} y
 */
function band(scene, table, sizes, side, laid, y) {
  const { edge, wide } = sizes, w = sizes.meld;
  const cards = laid.reduce((sum, pile) => sum + pile.count, 0);
  scene.pile = "";
  const name = scene.text(edge, y + 16, scene.fit(table.names[side] ?? ["Table"], [15], true, scene.width * 0.6).text, { size: 15, strong: true });
  const others = ownedBy(table, side).filter((p) => p.place === "won" && p.count).map((p) => `${p.label} ${p.count}`);
  // What a single player has is said at the own name.
  const points = table.seats.includes(side) ? "" : table.scores[side];
  const words = [points ? tn(["{points} point", "{points} points"], Number(points), { points }) : "", cards ? t("{n} cards laid", { n: cards }) : t("nothing laid"), ...others].filter(Boolean).join(" · ");
  scene.text(edge + name + 8, y + 16, words, { size: 13, soft: true, most: scene.width - 2 * edge - name - 8 });
  const gap = wide ? 22 : 9, line = w * TALL + 20;
  let x = edge, top = y + 24;
  const room = scene.width - 2 * edge;
  for (const pile of laid) {
    const fan = fanOf(pile.entries, w, room, 1);
    const caption = [numberOf(pile), pile.kind, pile.wild].filter(Boolean).join(" · ");
    const most = Math.max(fan.width, Math.min(scene.measure(caption, 12, false), room));
    if (x > edge && x + most > scene.width - edge) {
      x = edge;
      top += line;
    }
    scene.pile = pile.name;
    scene.fan(x, top, w, pile.entries, fan, { dim: pile.out });
    if (caption) scene.text(x, top + w * TALL + 13, caption, { size: 12, soft: true, most });
    x += Math.max(fan.width + gap, caption ? most + 8 : 0);
  }
  scene.pile = "";
  return laid.length ? top + line - y : 24 + (wide ? w * 0.6 : 0);
}
