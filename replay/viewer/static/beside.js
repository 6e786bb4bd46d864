// A second record of the same hands beside the first: how their events are paired, and where they part.
// @ts-check
import { Replay } from "./data.js";
import { el, eventLink, oneStop, said } from "./dom.js";
import { t } from "./words.js";

/** @import { Doc } from "./data.js" */
/**
 * @typedef {[number | null, number | null, string?, boolean?, string?]} Row
 *   An event in both records; if they do not agree, how they differ, whether both cannot be true, and why.
 * @typedef {{titles: [string, string], doc: Doc, rows: Row[]}} BesideData
 */

/** @type {Record<string, string>} */
const KINDS = { different: t("the records differ"), "a unseen": t("seen only there"), "b unseen": t("seen only here"), "each unseen": t("each saw a part"), "only a": t("only here"), "only b": t("only there") };

export class Beside {
  /**
   * @param {Doc} doc
   * @param {BesideData} data
   */
  constructor(doc, data) {
    this.doc = doc;
    this.data = data;
    this.replay = new Replay(data.doc);
    /** @type {Map<number, {b: number, row: Row | undefined}>} For each event here the one there, or the last one before it. */
    this.pairs = new Map();
    let last = 0;
    for (const row of data.rows) {
      if (row[1] !== null) last = row[1];
      if (row[0] !== null && !this.pairs.has(row[0])) this.pairs.set(row[0], { b: last, row });
    }
    /** The events here from which both records cannot be true. */
    this.parts = data.rows.flatMap(([a, , , real], i) => (real && a && !data.rows[i - 1]?.[3] ? [a] : []));
  }

  /**
   * The event of the other record that is paired with one of this record.
   * @param {number} n
   */
  at(n) {
    while (n > 0 && !this.pairs.has(n)) n--;
    const { b = 0, row } = this.pairs.get(n) ?? {};
    const place = this.replay.places[this.replay.indexOf(b)] ?? { h: 0, i: 0, n: 0 };
    return { place, row, step: this.replay.doc.hands[place.h]?.steps[place.i] };
  }

  /**
   * The same two records, the other way round.
   * @returns {Doc}
   */
  swapped() {
    const { beside: _, ...here } = this.doc, { titles: [a, b], doc, rows } = this.data;
    const other = (/** @type {string} */ kind) => ({ "a unseen": "b unseen", "b unseen": "a unseen", "only a": "only b", "only b": "only a" }[kind] ?? kind);
    return { ...doc, beside: { titles: [b, a], doc: here, rows: rows.map(([one, two, kind, ...rest]) => (kind ? [two, one, other(kind), ...rest] : [two, one])) } };
  }
}

/**
 * How the two records differ at an event, in words.
 * @param {Row | undefined} row
 */
export function differenceOf(row) {
  const [, , kind = "", , why] = row ?? [];
  return [KINDS[kind] ?? kind, why].filter(Boolean).join(": ");
}

/**
 * The events at which the two records differ, side by side; the first of them is where they part.
 * @param {Beside} beside
 * @param {Replay} here
 * @param {(n: number) => void} over  goes to an event of the other record
 */
export function besidePanel(beside, here, over) {
  const { titles, rows } = beside.data, told = rows.filter((row) => row[2]);
  const says = (/** @type {Replay} */ replay, /** @type {number | null} */ n) => {
    const place = n === null ? undefined : replay.places[replay.indexOf(n)];
    return place && place.n === n ? said(replay.doc.hands[place.h]?.steps[place.i]?.says ?? "") : [];
  };
  if (!told.length) return el("p", { class: "soft" }, t("The two records say the same."));
  const first = told.find((row) => row[3]);
  return oneStop(el("table", { class: "moves beside" }, el("caption", {}, first ? t("They part at event {n}.", { n: first[0] ?? first[1] ?? 0 }) : t("They contradict each other nowhere; one saw more than the other.")),
    el("thead", {}, el("tr", {}, ...titles.map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, ...told.map((row) => el("tr", { class: row[3] ? "real" : undefined },
      el("td", {}, row[0] ? eventLink(row[0], "event") : "", " ", ...says(here, row[0])),
      el("td", {}, row[1] ? el("button", { type: "button", class: "event", click: () => over(row[1] ?? 0) }, String(row[1])) : "", " ", ...says(beside.replay, row[1]), " ", el("span", { class: "soft" }, row[2] === "different" ? row[4] : differenceOf(row))))))));
}
