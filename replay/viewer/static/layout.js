// Layout: a table and a room become a scene. The cards decide the form; the game is never queried.
// @ts-check
import { Scene } from "./scene.js";
import { cross } from "./cross.js";
import { melds } from "./melds.js";
import { patience } from "./patience.js";
import { banks } from "./rows.js";

/** @import { Measure } from "./scene.js" */
/** @import { Form, Room, Sizes, Table } from "./seating.js" */

/**
 * The sizes of cards on a page of this width, times what makes the table fit.
 * @param {number} page
 * @param {number} share
 * @returns {Sizes}
 */
function sizesFor(page, share) {
  const [hand, middle, meld] = page >= 1440 ? [64, 84, 66] : page >= 720 ? [50, 64, 50] : page >= 390 ? [34, 48, 36] : [30, 42, 32];
  return { hand: hand * share, middle: middle * share, meld: meld * share, wide: page >= 720, edge: page >= 720 ? 20 : 12 };
}

/**
 * Which form a hand takes, from every pile that it ever has: it must not change from one event to the next.
 * @param {Iterable<{name: string, form: string, place: string, owner: string, stake?: string, total?: string, holding?: boolean, count: number}>} piles
 * @param {number} seats
 * @param {number} page
 * @param {boolean} told  whether nothing was ever laid in this hand
 * @returns {Form}
 */
export function formOf(piles, seats, page, told = false) {
  let columns = false, laid = false, staked = false, cards = false;
  for (const pile of piles) {
    cards = true;
    if (pile.place === "middle" && (pile.form === "column" || pile.form === "grid")) columns = true;
    if (pile.place === "front" && pile.form === "row") laid = true;
    if (pile.stake || pile.total) staked = true;
  }
  if (staked || !cards) return "rows";
  if (columns && !told) return "patience";
  if (laid && !told) return "melds";
  return seats > 6 && page < 1024 ? "rows" : "cross";
}

/**
 * Whether the table itself says what the contract is, and the pot.
 * @param {Table} table
 */
export function tells(table) {
  return table.form === "cross" || (table.form === "patience" && Object.keys(table.sides).length < table.seats.length);
}

const SHARES = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52, 0.44];

/**
 * The scene of one position. If it does not fit at the usual size, the cards shrink; `share` says by how much.
 * @param {Table} table
 * @param {Room} room
 * @param {Measure} measure
 * @param {number} from  the largest share to try
 * @returns {{scene: Scene, share: number}}
 */
export function arrange(table, room, measure, from = 1) {
  let scene = new Scene(room.width, measure);
  let last = from;
  for (const share of SHARES.filter((s) => s <= from)) {
    scene = new Scene(room.width, measure);
    last = share;
    const sizes = sizesFor(room.page, share);
    ({ cross, melds, patience, rows: banks })[table.form](scene, table, sizes, room);
    if (!scene.crowded && scene.height <= room.most) break;
  }
  return { scene, share: last };
}
