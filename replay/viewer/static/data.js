// The data of a replay: its frames one after the other, and each as the table to lay.
// @ts-check
import { calledShort, nameCards, packNamed } from "./faces.js";
import { formOf } from "./layout.js";
import { namesOf } from "./names.js";
import { t, tn } from "./words.js";

/** @import { Entry } from "./scene.js" */
/** @import { Form, Pile, Table } from "./seating.js" */
/**
 * @typedef {{name: string, cards?: string[], count?: number, seen_by?: string, owner?: string, holding?: boolean, vague?: boolean, form?: string,
 *   place?: string, label?: string, kind?: string, wild?: [string, string][],
 *   total?: string | number, stake?: string | number, says?: string, out?: boolean}} PileData
 * @typedef {{hand: number, phase: string, turn: string[], dealer: string,
 *   trick: {seat: string, card: string}[], contract: string, headline: Record<string, unknown>, scores: Record<string, number | null>,
 *   tricks?: Record<string, number>, last?: string, over?: boolean, winner?: string,
 *   piles: Record<string, PileData>}} Frame
 * @typedef {{n: number, by?: string, verb: string, says: string, short: string, group?: number, cards?: string[], text?: string, glyphs?: number[],
 *   at?: number, was?: string[], inferred?: string[], follows?: string[], choices?: string[][],
 *   change?: Partial<Omit<Frame, "piles">> & {piles?: Record<string, Partial<PileData> | null>}}} Step
 * @typedef {{kind: string, label?: string, first: number, by?: string, leader?: string, winner?: string}} Group
 * @typedef {{number: number, called?: Record<string, string>, dealer: string, first: number, last: number, contract?: string, result?: string, points?: Record<string, number | null>,
 *   totals?: Record<string, number>, notes?: string[], groups: Group[], list?: string, frame: Frame, steps: Step[],
 *   later?: Known[], counted?: Known[]}} Hand
 * @typedef {[string, string, number, number]} Known  a card that lies unseen in a pile, from one step on and before another
 * @typedef {{verdict: string, worlds?: number, broken?: number, complete?: boolean, text?: string}} Exact
 * @typedef {{rule: string, verdict: string, record?: boolean, at: number, hand: number, known: number | null, by: string, title?: string, says?: string,
 *   heading?: string, short?: string, sentence?: string, cards?: string[], because?: string[], chain?: {n: number, text: string}[],
 *   shows?: {pile: string, card: string, n: number, known?: number, rests?: boolean}[], knew?: string, legal?: string[], complete?: boolean, cost?: string, settles?: string[],
 *   unless?: string, exact?: Exact | null}} Finding
 * @typedef {{of: number, at: number, how: string, was?: string[], now?: string, text?: string}} Correction
 * @typedef {{n: number, kind: string, by?: string, refs?: number[], text?: string, remark?: string}} Said
 * @typedef {{kibitz: string, version: number, start?: number | null, viewer: string, match: string, game: string, name: string, title?: string, tags?: Record<string, string>,
 *   seats: string[], order: string[], sides: Record<string, string[]>, names: Record<string, string>, called: Record<string, string>,
 *   pack?: {faces?: string[], copies?: number, signs?: string, called?: Record<string, [string, string]>}, phases?: Record<string, {name?: string, to_do?: string}>, hands: Hand[], findings: Finding[], offers?: {hand: number, text: string, lines?: string[]}[],
 *   cuts?: string[], exact?: {hand: number, text: string}[],
 *   corrections: Correction[], said: Said[], misfits?: unknown[], totals: Record<string, number | null>, over: boolean, winner: string, ended?: string,
 *   kib?: string, url?: string, kept?: string, links?: Record<string, string>, beside?: import("./beside.js").BesideData}} Doc
 * @typedef {"table" | "proof" | "today"} Hidden
 *   What of the hidden hands is drawn: what the table saw, what the proof at hand turns, all that is known today.
 * @typedef {{h: number, i: number, n: number}} Place
 */

export const SHAPE = 1;

export class Replay {
  /** @param {Doc} doc */
  constructor(doc) {
    this.doc = doc;
    this.pack = packNamed(doc.pack?.signs);
    nameCards(doc.pack?.called ?? {});
    /** @type {Place[]} Every event, in order. */
    this.places = doc.hands.flatMap((hand, h) => hand.steps.map((step, i) => ({ h, i, n: step.n })));
    /** @type {(Frame[] | undefined)[]} */
    this.framed = [];
    /** @type {import("./names.js").Names[]} */
    this.named = [];
    /** @type {Map<string, Form>} */
    this.forms = new Map();
    /** @type {Map<number, Finding[]>} */
    this.findingsAt = new Map();
    for (const finding of doc.findings) this.findingsAt.set(finding.at, [...(this.findingsAt.get(finding.at) ?? []), finding]);
  }

  /**
   * Where an event stands among all; a correction by the event it is of, any other that is no event of the corrected log by the
   * nearest earlier one.
   * @param {number} n
   */
  indexOf(n) {
    const fix = this.doc.corrections.find((c) => c.at === n);
    if (fix && !this.places.some((p) => p.n === n)) n = fix.of;
    let best = 0;
    this.places.forEach((place, k) => {
      if (place.n <= n) best = k;
    });
    return best;
  }

  /**
   * The frames of a hand, worked out once.
   * @param {number} h
   * @returns {Frame[]}
   */
  frames(h) {
    const known = this.framed[h];
    if (known) return known;
    const hand = /** @type {Hand} */ (this.doc.hands[h]);
    let frame = hand.frame;
    const out = hand.steps.map(({ change }) => {
      if (change) {
        const { piles, ...rest } = change;
        frame = { ...frame, ...rest };
        if (piles) {
          frame.piles = { ...frame.piles };
          for (const [name, pile] of Object.entries(piles)) {
            if (pile) frame.piles[name] = /** @type {PileData} */ ({ ...frame.piles[name], ...pile });
            else delete frame.piles[name];
          }
        }
      }
      return frame;
    });
    this.framed[h] = out;
    return out;
  }

  /**
   * The form that a hand takes on a page of this width.
   * @param {number} h
   * @param {number} page
   */
  form(h, page) {
    const key = `${h} ${page >= 1024}`;
    const known = this.forms.get(key);
    if (known) return known;
    const all = this.doc.hands.flatMap((_, k) => (k === h || this.doc.hands.length < 40 ? this.frames(k) : [])).flatMap((frame) => Object.values(frame.piles));
    // A hand with only a result has no cards to show.
    const told = Object.keys(this.doc.hands[h]?.points ?? {}).length && this.frames(h).every((frame) => Object.values(frame.piles).every((p) => !p?.count));
    const form = formOf(all.map((p) => ({
      name: p.name, form: p.form ?? "", place: p.place ?? "", owner: p.owner ?? "", count: p.count ?? 0,
      stake: p.stake === undefined || p.stake === "" ? "" : String(p.stake), total: p.total === undefined || p.total === "" ? "" : String(p.total),
    })), this.doc.seats.length, page, !!told);
    this.forms.set(key, form);
    return form;
  }

  /**
   * The names of the players of a hand, for places with little room.
   * @param {number} h
   */
  names(h) {
    const { doc } = this;
    return (this.named[h] ??= namesOf(doc.hands[h]?.called ?? doc.called, doc.seats, doc.sides));
  }

  /**
   * Whether the melds of a hand, from its first to its last, belong to everybody.
   * @param {number} h
   */
  common(h) {
    const laid = this.frames(h).flatMap((frame) => Object.values(frame.piles)).filter((p) => p && p.place === "front" && p.form === "row");
    return laid.length > 0 && laid.every((p) => !p?.owner);
  }

  /**
   * The table after an event, as it is to be laid.
   * @param {Place} place
   * @param {{bottom: string, hidden: Hidden, finding: Finding | undefined, page: number}} how
   * @returns {Table}
   */
  table(place, how) {
    const { doc } = this;
    const hand = /** @type {Hand} */ (doc.hands[place.h]);
    const frame = /** @type {Frame} */ (this.frames(place.h)[place.i]);
    const step = /** @type {Step} */ (hand.steps[place.i]);
    const group = hand.groups[step.group ?? -1];
    const broken = (this.findingsAt.get(step.n) ?? []).some((f) => f.verdict === "broken");
    const moved = new Set(Object.keys(step.change?.piles ?? {}));
    const ringed = new Set(broken ? step.cards ?? [] : []);
    const before = place.i ? this.frames(place.h)[place.i - 1] : undefined;
    // If a hand has only a result, the cards that would have been dealt are not shown.
    const told = hand.steps.some((one, i) => one.verb === "tally" && i <= place.i) && !hand.steps.some((one) => one.cards?.length);
    const middle = told ? [] : this.inTheMiddle(frame, hand, place, how.hidden);
    // If several seats get cards they are dealt, and none is highlighted.
    const dealt = before && [...moved].filter((name) => frame.piles[name]?.place === "hand" && (frame.piles[name]?.count ?? 0) > (before.piles[name]?.count ?? 0)).length > 1;
    if (before) markNew(middle.map(({ entry }) => entry), before.trick.map(({ card }) => card));
    // While a trick is still shown, none of its cards is anywhere else.
    const looked = new Set(frame.trick.length || doc.pack?.copies !== 1 ? [] : middle.filter((laid) => laid.seat).map((laid) => laid.entry.card));
    const piles = told ? [] : Object.keys(frame.piles).flatMap((name) => {
      const pile = frame.piles[name];
      if (!pile) return [];
      const made = pileOf(pile, turnedIn(pile, hand, place, how), moved.has(name) && pile.place !== "hand" ? ringed : new Set(), doc);
      if (before && moved.has(name) && pile.place !== "won" && (pile.place !== "hand" || !dealt)) markNew(made.entries, before.piles[name]?.cards ?? [], pile.form === "stack");
      return [looked.size ? { ...made, entries: made.entries.filter((entry) => !looked.has(entry.card)) } : made];
    });
    // What the act names is marked alone: a card that another one brought along did not just happen.
    const marked = [...middle, ...piles.flatMap((pile) => pile.entries.map((entry) => ({ entry })))].flatMap(({ entry }) => (entry.now ? [entry] : []));
    const acted = marked.filter((entry) => step.cards?.includes(entry.card)), kept = acted.length || !step.cards?.length ? acted : marked;
    for (const entry of marked) entry.now = kept.includes(entry);
    // An actor who moved no visible card has said something, or moved a hidden card.
    const seat = step.by?.split(":")[0] ?? "", moves = kept.some((entry) => entry.look === "seen");
    return {
      spoke: moves || !before || !doc.seats.includes(seat) ? undefined : { by: step.by ?? "", seat, text: step.short },
      seats: doc.seats, sides: doc.sides, called: hand.called ?? doc.called, names: this.names(place.h), bottom: how.bottom, turn: frame.turn, dealer: frame.dealer,
      led: middle[0]?.seat ?? "", toDo: doc.phases?.[frame.phase]?.to_do ?? t("play"),
      middle: middle.map(({ seat, entry }, k) => ({ seat, entry: !entry.gone && ringed.has(entry.card) && (k === middle.length - 1 || !seat) ? { ...entry, ring: true } : entry })).map(({ seat, entry }) => ({ seat, entry: seat || entry.gone ? entry : { ...entry, bets: betsOn(entry.card, frame) } })),
      piles: piles.filter((pile) => !(pile.name === "trick" || pile.name === "board") || pile.place !== "middle"),
      contract: contractOf(frame.contract, frame.headline.trump), pot: potOf(frame), betting: "bets" in frame.headline, standing: this.standing(place, frame, group), scores: figures(frame.scores, doc), taken: told ? {} : taken(frame, doc),
      bare: !Object.values(frame.piles).some((pile) => pile.place === "middle"),
      common: this.common(place.h),
      bank: typeof frame.headline.bank === "string" && doc.seats.includes(frame.headline.bank) ? frame.headline.bank : "",
      form: this.form(place.h, how.page), outcome: /between|over/.test(frame.phase) || frame.last?.startsWith(`hand ${frame.hand}:`) ? outcomeOf(hand, doc) : [],
    };
  }

  /**
   * The cards in the middle. A trick is removed from the table with its last card; here it is shown before it is turned.
   * @param {Frame} frame
   * @param {Hand} hand
   * @param {Place} place
   * @param {Hidden} hidden
   * @returns {{seat: string, entry: Entry}[]}
   */
  inTheMiddle(frame, hand, place, hidden) {
    const step = /** @type {Step} */ (hand.steps[place.i]);
    const last = place.i > 0 ? this.frames(place.h)[place.i - 1] : undefined, before = last?.trick ?? [];
    const ended = !frame.trick.length && /trick|round/.test(hand.groups[step.group ?? -1]?.kind ?? "") && step.verb === "play" && before.every((laid) => laid.seat);
    // So are the cards that were taken from a board, with the one that took them.
    const left = frame.trick.map((laid) => laid.card);
    const gone = (step.verb === "capture" || step.verb === "play") && before.length && before.every((laid) => !laid.seat) ? before.filter(({ card }) => {
      const k = left.indexOf(card);
      if (k >= 0) left.splice(k, 1);
      return k < 0;
    }) : [];
    // A card that stays there took none: the others were put away before it came.
    const stays = frame.trick.some((laid) => laid.card === step.cards?.[0]);
    if (gone.length && !stays) {
      const taken = gone.flatMap(({ card }) => entriesOf(card, "unseen").map((entry) => ({ seat: "", entry: { ...entry, gone: true, why: t("taken") } })));
      // All cards of a capture are behind the capturing card; an answer with several cards does not always capture.
      const by = (step.cards ?? []).slice(0, step.verb === "capture" ? 1 : undefined).flatMap((card) => entriesOf(card, "unseen"));
      const grown = Object.values(frame.piles).find((pile) => pile?.place === "won" && (pile.count ?? 0) > (last?.piles[pile.name]?.count ?? 0))?.owner ?? "";
      const own = !grown || grown === step.by || this.doc.sides[grown]?.includes(step.by ?? ""), who = this.names(place.h)[grown]?.[1] ?? grown;
      const takes = own ? t("takes") : t("{who} takes", { who }), why = own ? t("takes them") : t("{who} takes them", { who });
      const came = by.map((entry, k) => ({ seat: "", entry: { ...entry, ...(k === by.length - 1 ? { under: takes } : {}), gone: true, came: true, why } }));
      return [...frame.trick.flatMap(({ seat, card }) => entriesOf(card, "unseen").map((entry) => ({ seat, entry }))), ...taken, ...came];
    }
    const laid = ended ? [...before, ...(step.cards ?? []).map((card) => ({ seat: step.by ?? "", card }))] : frame.trick;
    const out = laid.flatMap(({ seat, card }) => entriesOf(card, "unseen").map((entry) => ({ seat, entry })));
    if (hidden !== "today") return out;
    // An unseen play whose card follows by count.
    return out.map((one) => {
      const played = one.seat && one.entry.look === "unseen" ? hand.steps.find((s, i) => i <= place.i && i > place.i - 24 && s.group === step.group && s.by === one.seat && s.follows?.length) : undefined;
      return played?.follows?.[0] ? { ...one, entry: { card: played.follows[0], look: "count", why: t("follows by count") } } : one;
    });
  }

  /**
   * @param {Place} place
   * @param {Frame} frame
   * @param {Group | undefined} group
   */
  standing(place, frame, group) {
    const all = this.doc.hands.filter((hand) => hand.number).length;
    const parts = frame.hand ? [t("hand {n} of {all}", { n: frame.hand, all: Math.max(all, frame.hand) })] : [];
    parts.push(group?.kind === "trick" && frame.phase !== "over" ? t("trick {n}", { n: group.label ?? "" }) : this.doc.phases?.[frame.phase]?.name ?? "");
    return [...parts, potOf(frame)].filter(Boolean).join(" · ");
  }
}

/**
 * Mark the cards of a pile that were not among those before: they are what just happened.
 * @param {Entry[]} entries
 * @param {readonly string[]} before
 * @param {boolean} stacked  whether only the card on top is seen
 */
function markNew(entries, before, stacked = false) {
  const left = before.flatMap((written) => entriesOf(written, "back")).map(({ card }) => card);
  const isNew = (/** @type {Entry} */ entry) => {
    // A card that hindsight turns was an unseen one before.
    const k = left.indexOf(entry.look === "later" || entry.look === "count" ? "??" : entry.card);
    if (k >= 0) left.splice(k, 1);
    return k < 0;
  };
  const found = entries.filter(isNew), top = entries.at(-1);
  for (const entry of stacked && top && found.length ? [top] : found) entry.now = true;
}

/**
 * The contract; a suit or a card at its beginning is the trump suit.
 * @param {string} contract
 * @param {unknown} trump  whether there are trumps, as far as is known
 */
export function contractOf(contract, trump = undefined) {
  return /^[♣♦♥♠]/.test(contract) || (contract && trump && !contract.includes(" ")) ? t("trumps {suit}", { suit: contract }) : contract;
}

/**
 * The contents of the pot, or the betting limit, in words.
 * @param {Frame} frame
 */
function potOf({ headline }) {
  return ["pot", "pool", "limits"].flatMap((name) => (headline[name] ? `${{ pot: t("pot"), pool: t("pool"), limits: t("limits") }[name] ?? name} ${headline[name]}` : [])).join(" · ");
}

/**
 * The bets of each player on cards of the board: `{"A": {"7c": 5}}`.
 * @param {Frame} frame
 * @returns {[string, [string, number][]][]}
 */
function betsOf(frame) {
  return Object.entries(/** @type {Record<string, Record<string, number>>} */ (frame.headline.bets ?? {})).map(([who, on]) => [who, Object.entries(on)]);
}

/**
 * How much was bet on a card.
 * @param {string} card
 * @param {Frame} frame
 */
function betsOn(card, frame) {
  const sum = betsOf(frame).flatMap(([, on]) => on).reduce((all, [on, n]) => (on === card ? all + n : all), 0);
  return sum ? String(sum) : "";
}

/**
 * Scores as written; none while all are zero, except between two sides.
 * @param {Record<string, number | null>} scores
 * @param {Doc} doc
 * @returns {Record<string, string>}
 */
function figures(scores, doc) {
  const all = Object.entries(scores ?? {});
  const sides = Object.keys(doc.sides).length < doc.seats.length;
  if (!sides && all.every(([, n]) => !n)) return {};
  return Object.fromEntries(all.flatMap(([who, n]) => (n === null ? [] : [[who, figure(n)]])));
}

/**
 * A number as players write it, with a real minus.
 * @param {number} n
 */
export function figure(n) {
  return String(n).replace("-", "−");
}

/**
 * What each side or seat has got in this hand: tricks, cards, or what the page counts by seat.
 * @param {Frame} frame
 * @param {Doc} doc
 */
function taken(frame, doc) {
  /** @type {Record<string, string>} */
  const out = {};
  const tricks = Object.entries(frame.tricks ?? {});
  // A finished hand without a trick was entered by its result, not played.
  const told = (frame.over || frame.phase === "between") && tricks.every(([, n]) => !n);
  if (tricks.length && !told) {
    for (const [who, n] of tricks) out[who] = n ? tn(["{n} trick", "{n} tricks"], n) : t("no trick");
    return out;
  }
  for (const pile of Object.values(frame.piles)) {
    if (pile.place === "won" && pile.owner && pile.count) out[pile.owner] = t("{n} taken", { n: pile.count });
  }
  for (const [name, value] of Object.entries(frame.headline ?? {})) {
    if (typeof value !== "object" || value === null || name === "tricks" || name === "bets") continue;
    for (const [who, n] of Object.entries(value)) {
      if ((doc.seats.includes(who) || who in doc.sides) && typeof n !== "object") out[who] = `${n} ${name}`;
    }
  }
  for (const [who, on] of betsOf(frame)) out[who] = on.map(([card, n]) => t("{n} on {card}", { n, card: pretty(card) }).replaceAll(" ", "\u00a0")).join(", ");
  return out;
}

/**
 * The cards of an item as it is written: `7h`, `4x??`, `Jo=7h`.
 * @param {string} written
 * @param {import("./faces.js").Look} unseen
 * @returns {Entry[]}
 */
function entriesOf(written, unseen) {
  const counted = /^(\d+|\*)x(.*)$/.exec(written);
  const card = counted ? counted[2] ?? "??" : written === "*" ? "??" : written;
  const many = counted ? (counted[1] === "*" ? 1 : Number(counted[1])) : 1;
  const bare = card.split("=")[0] ?? card;
  return Array.from({ length: many }, () => ({ card: bare, look: bare === "??" ? unseen : "seen" }));
}

/**
 * @param {PileData} pile
 * @param {Entry[]} turned
 * @param {Set<string>} ringed
 * @param {Doc} doc
 * @returns {Pile}
 */
function pileOf(pile, turned, ringed, doc) {
  const open = (pile.seen_by ?? "all") === "all" && pile.place !== "hand";
  let entries = (pile.cards ?? []).flatMap((written) => entriesOf(written, open ? "unseen" : "back"));
  if (ringed.size) {
    // The card that was laid is the last one.
    const last = entries.findLastIndex((e) => ringed.has(e.card));
    entries = entries.map((e, k) => (k === last ? { ...e, ring: true } : e));
  }
  for (const entry of turned) {
    const k = entries.findLastIndex((e) => e.card === "??");
    if (k < 0) break;
    if (pile.form === "fan" || pile.place === "hand") entries = [...entries.slice(0, k), ...entries.slice(k + 1), entry];
    else entries = entries.map((e, j) => (j === k ? entry : e));
  }
  const text = (/** @type {unknown} */ value) => (value === undefined || value === null ? "" : String(value));
  return {
    name: pile.name, label: pile.label ?? labelOf(pile.name, doc), owner: pile.owner ?? "", form: pile.form ?? "", place: pile.place ?? "",
    count: pile.count ?? 0, vague: pile.vague ?? false, seenBy: pile.seen_by ?? "all", entries, holding: pile.holding ?? false,
    kind: pile.kind ?? "", wild: (pile.wild ?? []).map(([card, as]) => (as.includes("?") ? t("{card} wild", { card: pretty(card) }) : t("{card} as {other}", { card: pretty(card), other: as.split(" ").map(pretty).join(" ") }))).join(", "),
    total: text(pile.total) === pile.says ? "" : text(pile.total), stake: text(pile.stake), says: pile.says ?? "", out: pile.out ?? false,
  };
}

/**
 * The unseen cards of a pile that are drawn open, and why.
 * @param {PileData} pile
 * @param {Hand} hand
 * @param {Place} place
 * @param {{hidden: Hidden, finding: Finding | undefined}} how
 * @returns {Entry[]}
 */
function turnedIn(pile, hand, place, how) {
  if (how.hidden === "table") return [];
  const shownAt = (/** @type {string} */ card, /** @type {number} */ n) => /** @type {Entry} */ ({ card, look: "later", under: String(n), why: t("shown at {n}", { n }) });
  if (how.hidden === "proof") {
    return (how.finding?.shows ?? []).filter((shown) => shown.pile === pile.name && shown.n > place.n).map(({ card, n, known, rests }) => {
      const entry = { ...shownAt(card, n), dim: rests };
      return known ? { ...entry, under: `${known}, ${n}`, why: t("known from {m}, shown at {n}", { m: known, n }) } : entry;
    });
  }
  const here = (/** @type {Known} */ [name, , from, until]) => name === pile.name && from <= place.i && place.i < until;
  const later = (hand.later ?? []).filter(here).map(([, card, , until]) => shownAt(card, hand.steps[until]?.n ?? hand.last));
  const counted = (hand.counted ?? []).filter(here).map(([, card]) => /** @type {Entry} */ ({ card, look: "count", why: t("follows by count") }));
  const all = [...later, ...counted].sort((a, b) => order(a.card) - order(b.card));
  // Side by side there is no room for a number under each: the words of the pile name them.
  return all.length > 3 ? all.map(({ under: _, ...entry }) => entry) : all;
}

/**
 * The place of a card in a sorted hand.
 * @param {string} card
 */
function order(card) {
  return "shdc".indexOf(card[1] ?? "") * 20 + "AKQJT98765432".indexOf(card[0] ?? "");
}

/**
 * @param {string} name
 * @param {Doc} doc
 */
function labelOf(name, doc) {
  return name.split(":").filter((part) => !doc.seats.includes(part) && !(part in doc.sides)).join(" ") || t("hand");
}

/**
 * A card as a person writes it: 10♦. Every sign is text, never an emoji.
 * @param {string} card
 */
export function pretty(card) {
  const short = calledShort(card);
  if (short) return short;
  if (card.startsWith("Jo")) return card.length > 2 ? `${t("joker")}${card.slice(2)}` : t("joker");
  const glyph = /** @type {Record<string, string>} */ ({ c: "♣", d: "♦", h: "♥", s: "♠" })[card[1] ?? ""];
  return glyph && card.length === 2 ? `${card[0] === "T" ? "10" : card[0]}${glyph}` : card;
}

/**
 * What a hand came to, a line for each who scored: "Montse & Pau +19 = 20".
 * @param {Hand} hand
 * @param {Doc} doc
 */
export function outcomeOf(hand, doc) {
  const called = hand.called ?? doc.called;
  return Object.entries(hand.points ?? {}).map(([who, n]) => {
    const total = hand.totals?.[who];
    return `${called[who] ?? who} ${n === null ? "?" : `${n < 0 ? "−" : "+"}${Math.abs(n)}`}${typeof total === "number" ? ` = ${figure(total)}` : ""}`;
  });
}

/**
 * The sign of a finding.
 * @param {string} verdict
 */
export function markOf(verdict) {
  return verdict === "open" ? "?" : "!";
}
