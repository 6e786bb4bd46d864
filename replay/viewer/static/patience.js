// Foundations in the middle, columns beside or below them, the piles of each player above and below.
// @ts-check
import { corners } from "./cross.js";
import { row } from "./melds.js";
import { Scene, TALL, fanOf } from "./scene.js";
import { around, besides, howMany, nameOf, numberOf, ownedBy, toDo } from "./seating.js";

/** @import { Pile, Room, Sizes, Table } from "./seating.js" */

/**
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {Room} room
 */
export function patience(scene, table, sizes, room) {
  const seats = around(table);
  const { edge } = sizes;
  const far = seats.slice(1), near = seats[0] ?? "";
  const gap = sizes.wide ? 14 : 8;
  // A name beside cards that are lower than its line needs the room above them.
  let y = Math.max(edge * 0.7, 22 - sizes.hand * TALL / 2);
  // Cards of partners belong to no single player, so they are above all of them.
  if (Object.keys(table.sides).length < table.seats.length) y = Math.max(y, corners(scene, table, sizes).height);
  // Hands alone stand beside each other; with piles each has a row.
  if (far.length > 1 && far.every((seat) => ownedBy(table, seat).every((p) => p.place === "hand"))) {
    y += row(scene, table, far, sizes, y, (scene.width - 2 * edge - 8 * (far.length - 1)) / far.length) + gap;
  } else for (const seat of far) y += player(scene, table, sizes, seat, y) + gap;
  const shared = besides(table);
  if (shared.length) y += across(scene, table, sizes, "", shared, y) + gap;
  const columns = grouped(table.piles.filter((p) => p.place === "middle" && (p.form === "column" || p.form === "grid")));
  const others = grouped(table.piles.filter((p) => p.place === "middle" && p.form === "stack"));
  const groups = [...columns.values()];
  const wings = groups.length === 2 && others.size === 1 && groups.every((group) => group.length <= 5 && group[0]?.owner);
  y += gap;
  if (wings) {
    const [mine, theirs] = groups[0]?.[0]?.owner === near ? [groups[0], groups[1]] : [groups[1], groups[0]];
    y += withWings(scene, sizes, theirs ?? [], [...others.values()][0] ?? [], mine ?? [], y);
  } else {
    for (const stacks of others.values()) y += inRow(scene, sizes, stacks, y, false) + gap;
    const order = groups.length === 2 && groups[0]?.[0]?.owner === near ? [groups[1] ?? [], groups[0] ?? []] : groups;
    // Columns in several rows fan to the side, if the page has more room there than below.
    const beside = (/** @type {Pile[]} */ group) => (scene.width - 2 * edge + gap) / group.length - gap;
    const flat = sizes.wide && order.length > 1 && order.every((group) => beside(group) > sizes.meld * 2.5);
    for (const group of order) y += (flat ? onSides(scene, sizes, group, y, beside(group), gap) : inRow(scene, sizes, group, y, true)) + gap * 1.5;
  }
  y += gap;
  if (table.middle.length) {
    y += played(scene, table, sizes, y) + gap;
  }
  const low = player(new Scene(scene.width, scene.measure), table, sizes, near, 0);
  y = Math.max(y, Math.max(room.least, Math.min(room.most, scene.width * (sizes.wide ? 0.5 : 0.9))) - low - edge * 0.7);
  player(scene, table, sizes, near, y);
  scene.height = Math.max(scene.height, y + low + edge * 0.7);
}

/**
 * The cards in the middle: played cards with their players' names, others in a fan. Returns the height.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {number} y
 */
function played(scene, table, sizes, y) {
  const w = sizes.hand, entries = table.middle.map((laid) => laid.entry);
  scene.pile = "trick";
  if (table.middle.some((laid) => !laid.seat)) {
    const fan = fanOf(entries, w, scene.width - 2 * sizes.edge, 2);
    return scene.fan((scene.width - fan.width) / 2, y, w, entries, fan);
  }
  const most = (scene.width - 2 * sizes.edge) / table.middle.length;
  const names = table.middle.map((laid) => scene.fit(table.names[laid.seat] ?? [laid.seat], [12], false, most - 4).text);
  const part = Math.min(most, Math.max(w, ...names.map((name) => scene.measure(name, 12, false))) + 10);
  names.forEach((name, i) => {
    const x = scene.width / 2 + (i - (names.length - 1) / 2) * part;
    scene.card(x - w / 2, y, w, entries[i] ?? { card: "??", look: "unseen" });
    scene.text(x, y + w * TALL + 13, name, { size: 12, soft: true, anchor: "middle", most: part - 4 });
  });
  return w * TALL + 16;
}

/**
 * Piles by the name of their layout: `col:A:1` and `col:A:2` are of one, and so are the piles of all ranks.
 * @param {Pile[]} piles
 */
function grouped(piles) {
  /** @type {Map<string, Pile[]>} */
  const out = new Map();
  for (const pile of piles) {
    const key = pile.name.replace(/:[\d.]+$/, "").replace(/^rank:.$/, "rank");
    out.set(key, [...(out.get(key) ?? []), pile]);
  }
  return out;
}

/**
 * A player's name, hand and piles in one row. Returns the height.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {string} seat
 * @param {number} y
 */
function player(scene, table, sizes, seat, y) {
  // A card turned up in the hand has a place of its own, so that the piles beside it do not move.
  const own = ownedBy(table, seat).filter((p) => ["beside", "front", "won", "hand"].includes(p.place));
  // A reserve with its closed part is one pile.
  const closed = own.filter((p) => own.some((q) => p.name === `${q.name}:down`));
  const order = ["stock", "discard", "reserve"];
  const rank = (/** @type {Pile} */ p) => (p.place === "hand" ? -1 : (order.indexOf(p.name.split(":")[0] ?? "") + 9) % 9);
  const shown = own.filter((p) => !closed.includes(p)).sort((a, b) => rank(a) - rank(b)).map((p) => {
    const down = closed.find((q) => q.name === `${p.name}:down`);
    return down ? { ...p, entries: [...down.entries, ...p.entries], count: p.count + down.count, closed: down.count } : p;
  });
  return across(scene, table, sizes, seat, shown, y);
}

/**
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {string} seat
 * @param {(Pile & {closed?: number})[]} piles
 * @param {number} y
 */
function across(scene, table, sizes, seat, piles, y) {
  const { edge, wide, hand: w } = sizes;
  // A name needs its line, and the text below it another one, even if the cards are lower.
  const below = table.seats.some((one) => table.taken[one] || table.scores[one]);
  const high = Math.max(w * TALL, seat ? (below ? 38 : 24) : 0);
  const said = [table.taken[seat], table.scores[seat] && `total ${table.scores[seat]}`].filter(Boolean).join(" · ");
  // On a phone every pixel beside the name goes to the words of the piles.
  const names = table.seats.map((one) => Math.max(scene.measure(table.called[one] ?? one, 17, true), scene.measure(table.taken[one] ?? "", 12, false)));
  const head = wide ? scene.width * 0.3 : Math.min(scene.width * 0.25, Math.max(...names, 66) + 4);
  scene.pile = "";
  if (seat) {
    // With one line, the turn is shown beside the name, or in it.
    const two = high >= 38, marks = !wide && two && table.turn.includes(seat) && table.turn.length < table.seats.length;
    nameOf(scene, { ...table, scores: {}, taken: {}, dealer: "", turn: wide || !two ? table.turn : [] }, seat, edge, y + high / 2 + (two ? -4 : 6), "start", head);
    if (marks) scene.text(edge + 6, y + high / 2 + 16, toDo(table), { size: 13, tag: true });
    else if (two) {
      // The tricks alone are better than tricks and half a score.
      const size = wide ? 13 : 12, fits = scene.measure(said, size, false) <= head;
      scene.text(edge, y + high / 2 + 15, fits ? said : table.taken[seat] || said, { size, soft: true, most: head });
    }
  }
  const from = seat ? edge + head + (wide ? 4 : 8) : edge;
  const part = (scene.width - (wide ? edge : 4) - from) / Math.max(1, piles.length);
  // Words that have no room beside their pile stand below it.
  const under = piles.some((pile) => pile.place !== "hand" && scene.broken(pile.label, 12, part - w - 10).some((line) => scene.measure(line, 12, false) > part - w - 10));
  piles.forEach((pile, i) => {
    const x = from + i * part;
    scene.pile = pile.name;
    if (pile.place === "hand") {
      // On a phone there is no room for a number below a card; the words of the pile say it.
      const entries = wide ? pile.entries : pile.entries.map(({ under: _, ...entry }) => entry);
      const fan = fanOf(entries, w, part - 8, 1);
      scene.fan(x, y, w, entries, fan);
      return;
    }
    const open = pile.closed === undefined ? 0 : pile.count - pile.closed;
    const count = pile.closed === undefined ? howMany(pile) : pile.count ? `${open} + ${pile.closed}` : "none";
    scene.stack(x, y, w, pile.entries, { label: pile.label, count, most: under ? part - 4 : part - w - (wide ? 16 : 10), small: !wide, below: under });
  });
  scene.pile = "";
  return under ? high + 28 : high;
}

/**
 * Foundations with columns on their sides, to the left and to the right; every row reads from left to right.
 * @param {Scene} scene
 * @param {Sizes} sizes
 * @param {Pile[]} left
 * @param {Pile[]} stacks
 * @param {Pile[]} right
 * @param {number} y
 */
function withWings(scene, sizes, left, stacks, right, y) {
  const w = sizes.meld, high = w * TALL, gap = sizes.wide ? 16 : 9, above = stacks.some(numberOf) ? 14 : 0, down = Math.max(above, sizes.wide ? 12 : 9);
  const rows = Math.max(left.length, right.length, 1);
  const perRow = Math.ceil(stacks.length / rows);
  const centre = perRow * (w + gap) - gap;
  const room = scene.width - 2 * sizes.edge - centre - 2 * gap * 1.4;
  const need = (/** @type {Pile[]} */ piles) => Math.max(w, ...piles.map((p) => fanOf(p.entries, w, 9999, 1).width));
  const [a, b] = [need(left), need(right)];
  // Each wing gets what it needs; if both need more than there is, they share it by their needs.
  const fit = Math.min(1, room / (a + b));
  const leftWide = a * fit, rightWide = b * fit;
  // The foundations stay in the middle as long as the wings allow.
  const least = sizes.edge + leftWide + gap * 1.4, most = scene.width - sizes.edge - rightWide - gap * 1.4 - centre;
  const start = Math.max(least, Math.min(most, (scene.width - centre) / 2));
  for (let row = 0; row < rows; row++) {
    const top = y + above + row * (high + down);
    const l = left[row], r = right[row];
    // The number of a wing is between it and the foundations.
    if (l) onSide(scene, l, w, top, leftWide, (fan) => start - gap * 1.4 - fan, start - gap * 0.7);
    for (let i = 0; i < perRow; i++) {
      const stack = stacks[row + i * rows];
      if (!stack) continue;
      scene.pile = stack.name;
      scene.text(start + i * (w + gap) + w / 2, top - 3, numberOf(stack), { size: 12, soft: true, anchor: "middle" });
      topOf(scene, stack, start + i * (w + gap), top, w);
    }
    if (r) onSide(scene, r, w, top, rightWide, () => start + centre + gap * 1.4, start + centre + gap * 0.7);
  }
  scene.pile = "";
  return above + rows * (high + down);
}

/**
 * Columns beside each other, each laid to the side in its part of the row. Returns the height.
 * @param {Scene} scene
 * @param {Sizes} sizes
 * @param {Pile[]} piles
 * @param {number} y
 * @param {number} part
 * @param {number} gap
 */
function onSides(scene, sizes, piles, y, part, gap) {
  piles.forEach((pile, i) => onSide(scene, pile, sizes.meld, y, part - 12, () => sizes.edge + 12 + i * (part + gap), sizes.edge + 5 + i * (part + gap)));
  scene.pile = "";
  return sizes.meld * TALL;
}

/**
 * @param {Scene} scene
 * @param {Pile} pile
 * @param {number} w
 * @param {number} y
 * @param {number} room
 * @param {(width: number) => number} from
 * @param {number} beside  where its number stands
 */
function onSide(scene, pile, w, y, room, from, beside) {
  scene.pile = pile.name;
  const fan = fanOf(pile.entries, w, room, 1);
  if (pile.entries.length) scene.fan(from(fan.width), y, w, pile.entries, fan);
  else scene.slot(from(w), y, w);
  scene.text(beside, y + w * 0.7 + 4, numberOf(pile), { size: 12, soft: true, anchor: "middle" });
}

/**
 * @param {Scene} scene
 * @param {Pile} pile
 * @param {number} x
 * @param {number} y
 * @param {number} w
 */
function topOf(scene, pile, x, y, w) {
  const top = pile.entries[pile.entries.length - 1];
  if (top) scene.card(x, y, w, top);
  else scene.slot(x, y, w);
}

/**
 * Columns that fan downwards, or stacks, beside each other in as few rows as fit. Returns the height.
 * @param {Scene} scene
 * @param {Sizes} sizes
 * @param {Pile[]} piles
 * @param {number} y
 * @param {boolean} open
 */
function inRow(scene, sizes, piles, y, open) {
  const room = scene.width - 2 * sizes.edge;
  const least = (room - 4 * (Math.min(piles.length, 10) - 1)) / Math.min(piles.length, 10);
  const fit = Math.max(1, Math.min(piles.length, Math.floor((room + 4) / (Math.min(sizes.meld, least) + 4))));
  // No pile is alone below the others: the rows are as even as possible, and their cards as large as then fit.
  const perRow = Math.max(1, Math.ceil(piles.length / Math.ceil(piles.length / fit)));
  const w = Math.min(sizes.meld, (room - 4 * (perRow - 1)) / perRow);
  const gap = Math.min(16, Math.max(4, (room - w * perRow) / Math.max(1, perRow - 1)));
  let top = y;
  // The number of each pile is above it.
  const above = piles.some(numberOf) ? 14 : 0;
  for (let from = 0; from < piles.length; from += perRow) {
    top += above;
    const these = piles.slice(from, from + perRow);
    const left = (scene.width - (these.length * (w + gap) - gap)) / 2;
    let high = w * TALL;
    these.forEach((pile, i) => {
      const x = left + i * (w + gap);
      scene.pile = pile.name;
      if (above) scene.text(x + w / 2, top - 3, numberOf(pile), { size: 12, soft: true, anchor: "middle" });
      if (!open || !pile.entries.length) {
        topOf(scene, pile, x, top, w);
        return;
      }
      let at = top;
      pile.entries.forEach((entry, k) => {
        scene.card(x, at, w, entry, { beside: k < pile.entries.length - 1 });
        high = Math.max(high, at - top + w * TALL);
        at += w * (entry.look === "back" ? 0.14 : 0.4);
      });
    });
    top += high + 8;
  }
  scene.pile = "";
  return top - y - 8;
}
