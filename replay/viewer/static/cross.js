// Seats around a table, the trick or the board between them, stock and tricks won in the corners below.
// @ts-check
import { t } from "./words.js";
import { Scene, TALL, fanOf } from "./scene.js";
import { inBrief } from "./names.js";
import { around, besides, frontWidth, handsOf, howMany, nameOf, seatAt, seatHeight, standingOf, toDo } from "./seating.js";

/** @import { Edge, Pile, Room, Sizes, Table } from "./seating.js" */

/** Seats at a table: which edge, and how far along it (0 to 1), for each seat from the bottom on, clockwise. */
const EDGES = /** @type {Record<number, [Edge, number][]>} */ ({
  1: [["bottom", 0.5]],
  2: [["bottom", 0.5], ["top", 0.5]],
  3: [["bottom", 0.5], ["left", 0.5], ["right", 0.5]],
  4: [["bottom", 0.5], ["left", 0.5], ["top", 0.5], ["right", 0.5]],
  5: [["bottom", 0.5], ["left", 0.74], ["left", 0.26], ["right", 0.26], ["right", 0.74]],
  6: [["bottom", 0.5], ["left", 0.74], ["left", 0.26], ["top", 0.5], ["right", 0.26], ["right", 0.74]],
});

/**
 * Seats around a table, with the cards in the middle between them.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {Room} room
 */
export function cross(scene, table, sizes, room) {
  const seats = around(table);
  const places = EDGES[seats.length] ?? ringOf(seats.length);
  const { edge } = sizes;
  const width = scene.width, middle = width / 2;
  const edgeOf = (/** @type {number} */ i) => places[i]?.[0] ?? "bottom";
  const tops = seats.filter((_, i) => edgeOf(i) === "top");
  const partners = Object.keys(table.sides).length < table.seats.length;
  const corner = partners ? corners(scene, table, sizes) : standing(scene, table, sizes);
  // The hand at the top goes below the words in the corners if they would meet.
  let top = edge * 0.7;
  const topRoom = width - 2 * edge;
  const heads = tops.map((seat) => Math.max(headWidth(scene, table, seat), ...handsOf(table, seat).map((p) => fanOf(p.entries, sizes.hand, topRoom).width + 2 * frontWidth(table, seat, sizes.hand))));
  const across = tops.length === 1 ? middle - (heads[0] ?? 0) / 2 : edge;
  if (tops.length && (across < corner.left + 10 || across < corner.right + 10)) top = Math.max(top, corner.height);
  let upper = tops.length ? top : Math.max(top, corner.height);
  const share = topRoom / Math.max(1, tops.length);
  tops.forEach((seat, i) => {
    // Things beside a name that is level with the corners keep clear of the corners.
    const nameRoom = top < corner.height && tops.length === 1 ? width - 2 * (Math.max(corner.left, corner.right) + 10) : share - 8;
    const at = { x: edge + share * (i + 0.5), y: top, w: sizes.hand, room: share - 8, nameRoom, anchor: /** @type {const} */ ("middle") };
    upper = Math.max(upper, top + seatAt(scene, table, tops.length > 1 ? tops[i] ?? seat : seat, at));
  });
  // Beside: at the left below; what the bottom side has won: at the right below.
  const sideSeats = seats.filter((_, i) => edgeOf(i) === "left" || edgeOf(i) === "right");
  const half = middleWidth(table, sizes) / 2;
  const sideRoom = Math.max(sizes.hand, middle - half - edge - 10);
  const perSide = sideSeats.length > 2 ? 2 : 1;
  const sideHeight = Math.max(0, ...sideSeats.map((seat) => seatHeight(scene, table, seat, sizes.hand, sideRoom, 3)));
  const bottoms = seats.filter((_, i) => edgeOf(i) === "bottom");
  const bottomRoom = width - 2 * edge - (sideSeats.length && !table.bare && besides(table).length ? 2 * (sizes.hand + 12) : 0);
  const bottomHeight = Math.max(...bottoms.map((seat) => seatHeight(scene, table, seat, sizes.hand, bottomRoom / bottoms.length)));
  const beside = sideSeats.length && !table.bare ? sideStack(table, sizes) : 0;
  const column = sideSeats.length || table.bare ? 0 : besideWidth(scene, table, sizes);
  const most = sideSeats.length ? 2 * half : width - 2 * (edge + column);
  const { high: middleHigh, left: middleLeft } = middleBox(scene, table, sizes, most);
  const least = Math.max(middleHigh + 20, sideHeight * perSide + (perSide - 1) * 10 + 8, column ? besideHeight(table, sizes) : 0);
  const usual = Math.max(room.least - edge * 0.5, Math.min(room.most, width * (sizes.wide ? 0.6 : 0.985)) - (sizes.wide ? 0 : edge * 0.5));
  // Side hands must not reach the piles at the left below.
  const low = Math.max(bottomHeight, beside && sideSeats.length ? beside : 0);
  // Nor must a board of several rows reach their words.
  const words = Math.max(0, ...besides(table).map((pile) => Math.max(scene.measure(pile.label, 13, false), scene.measure(howMany(pile), 15, true))));
  const board = table.middle.length > 0 && table.middle.every((laid) => !laid.seat);
  const over = board && beside && middleLeft < edge + sizes.hand + 12 + words ? Math.max(0, beside - bottomHeight) : 0;
  const lower = Math.max(over ? upper + middleHigh + over + 16 : 0, usual - bottomHeight - (sizes.wide ? edge * 0.7 : 0), upper + least, sideSeats.length ? upper + sideHeight * perSide + low - bottomHeight + 8 : 0);
  const zone = { top: upper + 4, bottom: lower };
  const centre = Math.min((zone.top + zone.bottom) / 2, over ? zone.bottom - over - 8 - middleHigh / 2 : zone.bottom);
  // Where the upper hands at the sides end, and the lower ones begin.
  let above = zone.top, below = zone.bottom;
  seats.forEach((seat, i) => {
    const [side, along] = places[i] ?? ["bottom", 0.5];
    if (side !== "left" && side !== "right") return;
    const high = seatHeight(scene, table, seat, sizes.hand, sideRoom, 3);
    const free = zone.bottom - Math.max(0, low - bottomHeight) - zone.top;
    const mid = perSide === 1 ? Math.min(centre, zone.bottom - Math.max(0, low - bottomHeight) - high / 2) : zone.top + free * along;
    const y = Math.max(zone.top, mid - high / 2);
    if (along < 0.5) above = Math.max(above, y + high);
    else if (perSide > 1) below = Math.min(below, y);
    // A hand at the side that comes down to the piles below it needs smaller cards.
    if (y + high > zone.bottom - Math.max(0, low - bottomHeight) + 1) scene.crowded = true;
    seatAt(scene, table, seat, {
      x: side === "left" ? edge : width - edge, y, w: sizes.hand, room: sideRoom,
      anchor: side === "left" ? "start" : "end", rows: 3,
    });
  });
  inTheMiddle(scene, table, sizes, { x: middle, y: centre, most, places, seats });
  if (!table.middle.length && !rowsOf(table).length && !(table.bare && besides(table).length)) {
    // An empty table says what the hand came to.
    const heads = sideSeats.map((seat) => Math.min(sideRoom, headWidth(scene, table, seat)));
    const hands = perSide > 1 ? sideSeats.flatMap((seat) => handsOf(table, seat).map((p) => fanOf(p.entries, sizes.hand, sideRoom).width)) : [];
    const beside = Math.max(0, ...heads, ...hands, column);
    const free = width - 2 * (edge + beside + 10), brief = table.outcome.map((line) => inBrief(line, table.names)), shown = [0, 1, 2].map((k) => brief.map((line) => line[k] ?? ""));
    const size = sizes.wide ? 20 : perSide > 1 && shown[2]?.some((line) => scene.measure(line, 15, false) > free) ? 13 : 15;
    const within = (/** @type {number} */ most) => shown.find((lines) => lines.every((line) => scene.measure(line, size, false) <= most));
    // Names stand in full below those at the sides, before they stand short between them.
    const full = shown[0]?.every((line) => scene.measure(line, size, false) <= free), fits = perSide > 1 || full ? within(free) : undefined;
    // Lines that do not fit between the names at the sides stand below them; between two rows of hands, if there is room.
    const gap = perSide > 1 && !fits && below - above >= (table.outcome.length * 1.5 - 0.75) * size;
    const lines = fits ?? within(perSide > 1 && !gap ? free : width - 2 * edge) ?? shown[2] ?? [];
    const y = gap ? (above + below) / 2 : centre;
    const usually = fits || perSide > 1 ? y - (lines.length - 1) * size * 0.75 + size * 0.35 : centre + size;
    // The last line stays above the hand at the bottom.
    const first = Math.min(usually, zone.bottom - 6 - (lines.length - 1) * size * 1.5);
    lines.forEach((line, i) => scene.text(middle, first + i * size * 1.5, line, { size, anchor: "middle", most: width - 2 * edge }));
  }
  const floor = lower + bottomHeight;
  // A name keeps clear of what its side has won, and of the words of the piles at the left.
  const won = bottomRoom - 2 * (wonWidth(sizes) + 9), piled = beside ? width - 2 * (edge + sizes.hand + 24 + Math.min(words, width * 0.15)) : won;
  const nameRoom = bottoms.length > 1 ? bottomRoom / bottoms.length : Math.min(won, piled);
  bottoms.forEach((seat, i) => {
    const part = bottomRoom / bottoms.length;
    const x = (width - bottomRoom) / 2 + part * (i + 0.5);
    const high = seatHeight(scene, table, seat, sizes.hand, part);
    seatAt(scene, table, seat, { x, y: floor - high, w: sizes.hand, room: part, nameRoom, anchor: "middle", nameBelow: true });
  });
  const widest = Math.max(0, ...bottoms.flatMap((seat) => [nameOf(new Scene(width, scene.measure), table, seat, middle, 16, "middle", nameRoom), ...handsOf(table, seat).map((p) => fanOf(p.entries, sizes.hand, bottomRoom).width)]));
  const free = middle - widest / 2 - edge - 10;
  if (column) layColumn(scene, table, sizes, centre);
  else if (!table.bare) layBeside(scene, table, sizes, { bottom: floor, room: free });
  const front = Math.max(0, ...bottoms.map((seat) => frontWidth(table, seat, sizes.hand)));
  layWon(scene, table, sizes, seats[0] ?? "", { bottom: floor, room: free - front, taken: bottoms.length > 1 ? width : middle + widest / 2 });
  scene.pile = "";
  scene.height = Math.max(scene.height, floor + edge * 0.5);
}

/**
 * @param {Scene} scene
 * @param {Table} table
 * @param {string} seat
 */
function headWidth(scene, table, seat) {
  const tag = table.turn.includes(seat) ? scene.measure(toDo(table), 13, false) + 16 : 0;
  return scene.measure(table.called[seat] ?? seat, 17, true) + tag + (seat === table.dealer ? 40 : 0);
}

/**
 * More seats than edges: spread over bottom, left, top and right as on an ellipse.
 * @param {number} n
 * @returns {[Edge, number][]}
 */
function ringOf(n) {
  const sides = n >= 10 ? 3 : 2;
  const ends = n - 2 * sides;
  const below = Math.ceil(ends / 2);
  /** @type {[Edge, number][]} */
  const out = [];
  for (let i = 0; i < below; i++) out.push(["bottom", 0.5]);
  for (let i = 0; i < sides; i++) out.push(["left", 1 - (i + 0.5) / sides]);
  for (let i = 0; i < ends - below; i++) out.push(["top", 0.5]);
  for (let i = 0; i < sides; i++) out.push(["right", (i + 0.5) / sides]);
  return out;
}

/**
 * The sides with their scores in the corners at the top; on a wide table the contract at the right.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 */
export function corners(scene, table, sizes) {
  const { edge, wide } = sizes;
  const width = scene.width;
  const ours = Object.keys(table.sides);
  const named = (/** @type {number} */ k) => ours.map((side) => table.names[side]?.[k] ?? side);
  scene.pile = "";
  if (wide) {
    const widest = (/** @type {string[]} */ names, /** @type {number} */ size) => Math.max(...names.map((name) => scene.measure(name, size, false)));
    const names = [0, 1].map(named).find((all) => widest(all, 15) <= width * 0.31) ?? named(2);
    const size = widest(names, 17) <= width * 0.24 ? 17 : 15, most = Math.min(width * 0.31, widest(names, size));
    let y = edge + 16, reached = 0;
    for (const [i, side] of ours.entries()) {
      scene.text(edge, y, names[i] ?? side, { size, most });
      const wideScore = scene.text(edge + most + 46, y, table.scores[side] ?? "", { size: 20, strong: true, anchor: "end" });
      const rest = scene.text(edge + most + 56, y, table.taken[side] ?? "", { size: 13, soft: true });
      reached = Math.max(reached, edge + most + 56 + rest, wideScore);
      y += 28;
    }
    const right = standing(scene, table, sizes);
    return { left: reached, right: right.right, height: Math.max(y - 6, right.height) };
  }
  const most = width * 0.31;
  let reached = 0;
  // The names of many partners stand below each other.
  const inParts = [0, 1, 2].map((k) => named(k).map((name) => inLines(scene, name, 13, most)));
  const fit = [0, 1].find((k) => inParts[k]?.flat().every((line) => scene.measure(line, 13, false) <= most)) ?? 2;
  const names = named(fit), lines = inParts[fit] ?? [];
  const more = ours.length > 2 ? 0 : (Math.max(...lines.map((parts) => parts.length)) - 1) * 15;
  // A third side is between the two; there is no room for the cards it has taken.
  const third = ours.length > 2 ? ours[1] : undefined;
  if (third !== undefined) {
    scene.text(width / 2, edge + 12, names[1] ?? "", { size: 13, anchor: "middle", most });
    scene.text(width / 2, edge + 30, table.scores[third] ?? "", { size: 17, strong: true, anchor: "middle" });
    reached = width / 2;
  }
  [0, third === undefined ? 1 : 2].forEach((nth, i) => {
    const side = ours[nth] ?? "", anchor = i ? "end" : "start", x = i ? width - edge : edge;
    const parts = more ? lines[nth] ?? [] : [names[nth] ?? ""];
    const a = Math.max(0, ...parts.map((line, k) => scene.text(x, edge + 12 + 15 * k, line, { size: 13, anchor, most })));
    const score = table.scores[side] ?? "", taken = table.taken[side] ?? "";
    const b = scene.measure(score, 17, true), c = taken ? scene.measure(`· ${taken}`, 13, false) + 4 : 0;
    scene.text(i ? x - c : x, edge + 30 + more, score, { size: 17, strong: true, anchor });
    if (taken) scene.text(i ? x : x + b + 4, edge + 30 + more, `· ${taken}`, { size: 13, soft: true, anchor });
    reached = Math.max(reached, edge + Math.max(a, b + c));
  });
  return { left: reached, right: reached, height: edge + 38 + more };
}

/**
 * The name of a side in one line, or in up to three (two on the narrowest page) that break before one of its players.
 * @param {Scene} scene
 * @param {string} name
 * @param {number} size
 * @param {number} most
 */
function inLines(scene, name, size, most) {
  /** @type {string[]} */
  const lines = [];
  for (const player of name.split(" & ")) {
    const last = lines.at(-1), longer = last ? `${last} & ${player}` : player;
    if (!last || (scene.measure(longer, size, false) > most && lines.length < (scene.width < 360 ? 2 : 3))) lines.push(last ? `& ${player}` : player);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/**
 * The contract and the standing of the hand, at the top right; on a phone they are in the head of the page.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 */
function standing(scene, table, sizes) {
  if (!sizes.wide) return { left: 0, right: 0, height: 0 };
  const right = scene.width - sizes.edge, most = scene.width * 0.34;
  scene.pile = "";
  let y = sizes.edge + 16;
  const { text, size } = scene.fit(inBrief(table.contract, table.names), [20, 17, 15], false, most);
  const a = text ? scene.text(right, y, text, { size, anchor: "end" }) : 0;
  if (a) y += 22;
  const b = table.pot ? scene.text(right, y, table.pot, { size: 17, strong: true, anchor: "end", most }) : 0;
  if (b) y += 20;
  const c = scene.text(right, y, standingOf(table), { size: 13, soft: true, anchor: "end", most });
  return { left: 0, right: Math.max(a, b, c) + sizes.edge, height: y + 8 };
}

/**
 * How wide the middle is that hands at the sides must leave free.
 * @param {Table} table
 * @param {Sizes} sizes
 */
function middleWidth(table, sizes) {
  const w = sizes.middle;
  const most = Math.max(1, ...table.seats.map((seat) => table.middle.filter((laid) => laid.seat === seat).length));
  return w * 3.35 + (most - 1) * w * 0.8;
}

/**
 * The height of the cards in the middle, and their left edge.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {number} most
 */
function middleBox(scene, table, sizes, most) {
  const trial = new Scene(scene.width, scene.measure);
  inTheMiddle(trial, table, sizes, { x: scene.width / 2, y: 0, most, places: EDGES[table.seats.length] ?? ringOf(table.seats.length), seats: around(table) });
  let top = 0, bottom = 0, left = scene.width;
  for (const item of trial.items) {
    if (item.kind === "text") bottom = Math.max(bottom, item.y + 4);
    if (item.kind === "chip") bottom = Math.max(bottom, item.y + item.r);
    if (item.kind !== "card" && item.kind !== "slot") continue;
    left = Math.min(left, item.x);
    top = Math.min(top, item.y);
    bottom = Math.max(bottom, item.y + item.w * TALL);
  }
  // It is laid around its centre: what reaches farther to one side needs as much room at the other.
  return { high: Math.max(bottom - top, -2 * top, 2 * bottom - 40), left };
}

/**
 * Rows of cards in the middle other than the board.
 * @param {Table} table
 */
function rowsOf(table) {
  return table.piles.filter((p) => p.place === "middle" && p.form === "row" && p.name !== "trick" && p.entries.length && p.name !== "board");
}

/**
 * The trick with a place for each seat, the cards of a board in rows, or both.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {{x: number, y: number, most: number, places: [Edge, number][], seats: string[]}} at
 */
function inTheMiddle(scene, table, sizes, at) {
  const w = sizes.middle, h = w * TALL;
  const loose = table.middle.filter((laid) => !laid.seat);
  const boards = rowsOf(table);
  const inRows = [...loose.map((laid) => laid.entry), ...boards.flatMap((p) => p.entries)];
  // A row of its own beside the board says what it is.
  const first = loose.length, called = first && boards.length === 1 ? boards[0]?.label ?? "" : "";
  const played = table.middle.filter((laid) => laid.seat);
  if (table.bare) {
    // Nothing is in the middle: the stock and the discards are the main things; in rows, if they would cover each other.
    const piles = besides(table), inOneRow = piles.length * (w + 8) <= at.most;
    const perRow = inOneRow ? Math.max(1, piles.length) : Math.max(2, Math.floor(at.most / (w + 8)));
    const rows = Math.ceil(piles.length / perRow), part = Math.min(w * 1.7, at.most / perRow), high = h + 34;
    piles.forEach((pile, i) => {
      const row = Math.floor(i / perRow), inThis = Math.min(perRow, piles.length - row * perRow);
      const x = at.x + ((i % perRow) - (inThis - 1) / 2) * part - w / 2, y = at.y - h / 2 - 8 + (row - (rows - 1) / 2) * high;
      scene.pile = pile.name;
      scene.stack(x, y, w, pile.entries, { label: pile.label, count: howMany(pile), below: true, most: part - 6 });
    });
  }
  if (inRows.length) {
    scene.pile = "board";
    const gap = inRows.some((e) => e.gone) ? Math.max(16, w * 0.14) : w * 0.14;
    // Below each card there is room for what was bet on it.
    const chips = table.betting ? 34 : 0;
    const many = called ? first : inRows.length;
    const { step, perRow } = apart(many, w, gap, at.most);
    const own = Math.ceil(many / perRow), rows = own + (called ? 1 : 0);
    const top = at.y - (rows * (h + gap) - gap + own * chips) / 2 - (played.length ? h * 0.6 : 0);
    inRows.forEach((entry, i) => {
      const last = i >= many, row = last ? own : Math.floor(i / perRow), inThis = last ? inRows.length - many : Math.min(perRow, many - row * perRow);
      const left = at.x - (w + (inThis - 1) * step) / 2;
      const x = left + (last ? i - many : i % perRow) * step, y = top + row * (h + gap + chips);
      scene.card(x, y, w, entry, { dim: entry.gone === true && !entry.came });
      if (entry.bets) scene.chip(x + w / 2, y + h + 18, Math.max(16, scene.measure(entry.bets, 13, true) / 2 + 6), entry.bets);
      if (last && i === first) scene.text(at.x, y + h + 13, called, { size: 12, soft: true, anchor: "middle" });
      if (entry.under && entry.gone) scene.text(x + w / 2, y + h + Math.min(14, gap + 6), entry.under, { size: 12, soft: true, anchor: "middle" });
    });
  }
  if (!played.length) return;
  scene.pile = "trick";
  // Where one plays several cards at once, no place is kept for those who have not played.
  const most = Math.max(...at.seats.map((seat) => played.filter((laid) => laid.seat === seat).length));
  at.seats.forEach((seat, i) => {
    const [side, along] = at.places[i] ?? ["bottom", 0.5];
    const cards = played.filter((laid) => laid.seat === seat);
    const [dx, dy] = slotAt(side, along, w, h, at.places, i, most > 1);
    const span = w + (cards.length - 1) * w * 0.5;
    const x = at.x + dx - w / 2 - (cards.length > 1 ? (side === "left" ? span - w : side === "right" ? 0 : (span - w) / 2) : 0);
    const y = at.y + dy - h / 2;
    if (!cards.length && most === 1) scene.slot(x, y, w);
    cards.forEach((laid, k) => scene.card(x + k * w * 0.5, y, w, laid.entry));
    if (seat !== table.led || !cards.length) return;
    // Beside, above or below the card, on the side where no other card comes.
    if (side === "left" || side === "right") scene.text(x + span / 2, along < 0.5 ? y - 6 : y + h + 15, t("led"), { size: 13, soft: true, anchor: "middle" });
    else scene.text(x + span + 6, side === "top" ? y + 14 : y + h - 4, t("led"), { size: 13, soft: true });
  });
  scene.pile = "";
}

/**
 * How far apart the cards of a board lie, and how many in a row: where many would take more than two rows, they cover each other
 * as far as their indices stay open.
 * @param {number} cards
 * @param {number} w
 * @param {number} gap
 * @param {number} most  how wide a row may be
 */
function apart(cards, w, gap, most) {
  const inTwo = cards > 5 ? Math.ceil(cards / 2) : 5;
  const perRow = Math.max(1, Math.min(cards, Math.floor((most + gap) / (w + gap)), inTwo));
  if (cards <= Math.max(6, 2 * perRow)) return { step: w + gap, perRow };
  const step = Math.max(w * (w >= 40 ? 0.4 : 0.5), Math.min(w + gap, (most - w) / (inTwo - 1)));
  return { step, perRow: Math.max(perRow, Math.min(inTwo, Math.floor((most - w) / step + 0.01) + 1)) };
}

/**
 * Where a seat lays its card, from the centre: towards the seat, so that no two cover each other.
 * @param {Edge} side
 * @param {number} along
 * @param {number} w
 * @param {number} h
 * @param {[Edge, number][]} places
 * @param {number} i
 * @param {boolean} several  whether somebody plays more than one card at once
 * @returns {[number, number]}
 */
function slotAt(side, along, w, h, places, i, several) {
  const same = places.map((p, k) => [p, k]).filter(([p]) => /** @type {[Edge, number]} */ (p)[0] === side);
  const order = same.findIndex(([, k]) => k === i), many = same.length;
  const spread = (order - (many - 1) / 2) * (w * 1.12);
  const tall = several || places.some(([edge, a]) => edge === "left" && a !== 0.5);
  if (side === "bottom") return [-spread * -1, (tall ? 1.1 : 0.8) * h];
  if (side === "top") return [spread, (tall ? -1.1 : -0.8) * h];
  const out = Math.max(1.12, ((places.filter(([p]) => p === "bottom").length - 1) / 2) * 1.12 + 1.12) * w;
  return [side === "left" ? -out : out, many === 1 ? 0 : (along - 0.5) * h * 2.2 * (many > 2 ? 1.5 : 1)];
}

/**
 * How high the piles at the left below are together.
 * @param {Table} table
 * @param {Sizes} sizes
 */
function sideStack(table, sizes) {
  const piles = besides(table);
  return piles.length * (sizes.hand * TALL + 8);
}

/**
 * Stock, discards and their like: in a column at the left below.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {{bottom: number, room: number}} at
 */
function layBeside(scene, table, sizes, at) {
  const w = sizes.hand, h = w * TALL;
  const most = Math.max(0, at.room - w - 12);
  let y = at.bottom - h;
  for (const pile of [...besides(table)].reverse()) {
    // An empty place without any label would be a riddle.
    if (!pile.entries.length && most < 30) continue;
    scene.pile = pile.name;
    // Words that have no room beside the pile stand above it.
    const fits = scene.broken(pile.label, 13, most).every((line) => scene.measure(line, 13, false) <= most);
    const wide = scene.measure(pile.label, 12, false);
    const above = !fits && wide <= scene.width / 3 && !scene.covered(sizes.edge, y - 18, sizes.edge + wide, y - 2);
    scene.stack(sizes.edge, y, w, pile.entries, { label: above ? "" : pile.label, count: howMany(pile), most });
    if (above) scene.text(sizes.edge, y - 5, pile.label, { size: 12, soft: true });
    y -= h + 8 + (above ? 14 : 0);
  }
}

/**
 * The width of the piles beside a table without players at its sides: with their words, which are below them on a phone.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 */
function besideWidth(scene, table, sizes) {
  const piles = besides(table);
  const words = piles.map((pile) => (sizes.wide ? Math.max(scene.measure(pile.label, 13, false), scene.measure(howMany(pile), 15, true)) : 0));
  return piles.length ? (sizes.wide ? sizes.middle + 24 + Math.max(...words) : Math.max(sizes.hand + 12, 70)) : 0;
}

/**
 * @param {Table} table
 * @param {Sizes} sizes
 */
function besideHeight(table, sizes) {
  return besides(table).length * besideEach(sizes);
}

/**
 * The vertical distance of those piles: on a phone two lines of words are between them.
 * @param {Sizes} sizes
 */
function besideEach(sizes) {
  return sizes.hand * TALL + (sizes.wide ? 12 : 38);
}

/**
 * Those piles, one below the other at the left of the middle.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {number} centre
 */
function layColumn(scene, table, sizes, centre) {
  const w = sizes.hand, each = besideEach(sizes);
  let y = centre - besideHeight(table, sizes) / 2 + (sizes.wide ? 6 : 2);
  for (const pile of besides(table)) {
    scene.pile = pile.name;
    const words = { label: pile.label, count: howMany(pile) };
    if (sizes.wide) scene.stack(sizes.edge, y, w, pile.entries, words);
    else scene.stack(sizes.edge + 14, y, w, pile.entries, { ...words, below: true, most: 70 });
    y += each;
  }
}

/** @param {Sizes} sizes */
const wonWidth = (sizes) => Math.max(24, sizes.hand * 0.72);

/**
 * What the side at the bottom has won, as a small pile at the right below.
 * @param {Scene} scene
 * @param {Table} table
 * @param {Sizes} sizes
 * @param {string} seat
 * @param {{bottom: number, room: number, taken: number}} at  `taken` is how far to the right the hand beside it reaches
 */
function layWon(scene, table, sizes, seat, at) {
  const side = Object.keys(table.sides).find((key) => table.sides[key]?.includes(seat)) ?? seat;
  const won = table.piles.find((pile) => pile.place === "won" && (pile.owner === seat || pile.owner === side));
  if (!won || !won.count) return;
  const usual = wonWidth(sizes);
  // A hand that comes as far as the pile leaves it the line of the name, and the edge below.
  const below = at.taken > scene.width - sizes.edge - usual - 9;
  const w = below ? Math.min(usual, (24 + sizes.edge * 0.4) / TALL) : usual, h = w * TALL;
  const bottom = at.bottom + (below ? sizes.edge * 0.4 : 0);
  scene.pile = won.name;
  const words = table.taken[side] || `${won.count} cards`;
  const fits = scene.measure(words, 13, false) <= at.room - w - 14;
  const x = scene.width - sizes.edge - w - 5;
  const backs = Math.min(3, won.count);
  // Without room for words, the number is on the last back.
  const top = won.seenBy === "top" ? won.entries.at(-1) : undefined;
  for (let i = 0; i < backs; i++) {
    const last = i === backs - 1;
    scene.card(x + i * 2.5, bottom - h, w, last && top ? top : { card: "??", look: "back", count: !fits && last ? parseInt(words) || 0 : 0 });
  }
  if (fits) scene.text(x - 8, bottom - h / 2 + 5, words, { size: 13, soft: true, anchor: "end" });
}
