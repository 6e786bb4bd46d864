// The panels beside the table: moves, findings with their proof, scores, remarks, corrections.
// @ts-check
import { button, el, eventLink, glyphsOf, oneStop, said, stopAt } from "./dom.js";
import { textWidth } from "./draw.js";
import { inBrief, namesOf } from "./names.js";
import { contractOf, figure, markOf, outcomeOf, pretty } from "./data.js";
import { t } from "./words.js";

/** @import { Finding, Group, Hand, Place, Replay, Step } from "./data.js" */

/** What a verdict says, in words. */
const VERDICTS = /** @type {Record<string, string>} */ ({ broken: t("rule broken"), perhaps: t("perhaps broken"), open: t("open question") });

/**
 * The round sign of a finding.
 * @param {string} verdict
 */
function badge(verdict) {
  return el("span", { class: "badge", role: "img", "aria-label": VERDICTS[verdict] ?? t("finding") }, markOf(verdict));
}

/**
 * The signs at an event: findings, and the remark that somebody made.
 * @param {Replay} replay
 * @param {Step} step
 */
function signsAt(replay, step) {
  const found = replay.findingsAt.get(step.n) ?? [];
  const verdicts = [...new Set(found.map((f) => f.verdict))];
  return [...glyphsOf(step.glyphs), ...verdicts.map(badge)];
}

/**
 * A step as shown in a list, with its versions before a correction struck.
 * @param {Replay} replay
 * @param {Step} step
 * @param {string} kind
 * @param {string} words  how it is said here, if not in short
 */
function moveLink(replay, step, kind, words = "") {
  const was = (step.was ?? []).filter((text) => text !== step.short);
  return eventLink(step.n, kind, ...was.flatMap((text) => [el("s", { "aria-label": t("typed: {text}", { text }) }, ...said(text)), " "]), ...said(words || step.short), ...signsAt(replay, step));
}

/**
 * The moves of a hand: a row a trick with a column a player, or a list by turn.
 * @param {Replay} replay
 * @param {Hand} hand
 */
export function movesOf(replay, hand) {
  const inColumns = hand.list ? hand.list === "columns" : hand.groups.some((group) => group.kind === "trick");
  return inColumns && replay.doc.order.length <= 6 ? inRows(replay, hand) : byTurn(replay, hand);
}

/**
 * The text of a step, with its actor: played cards by their signs, all else as a sentence.
 * @param {Record<string, string>} called
 * @param {Step} step
 */
function inFull(called, step) {
  const by = step.by ?? "";
  return step.verb === "play" ? `${called[by] ?? by} ${step.short}` : step.says.replace(/\.$/, "");
}

/**
 * A word that may be divided before a syllable, for a column that is narrower than it is.
 * @param {string} word
 */
function divided(word) {
  return word.replace(/(?<=\p{L}{2})(?=[^aeiouyàáâäèéêëìíîïòóôöùúûü\s&][aeiouyàáâäèéêëìíîïòóôöùúûü]\p{L}*)/giu, "\u00ad");
}

/**
 * @param {Replay} replay
 * @param {Hand} hand
 */
function inRows(replay, hand) {
  const { order } = replay.doc, called = hand.called ?? replay.doc.called;
  const members = stepsOf(hand);
  const many = order.length > 4;
  const body = el("tbody");
  // As long as the names in full would need more room than there is, shorter ones stand here; a tap shows all in full.
  const names = namesOf(called, order, {}), most = (innerWidth < 720 ? innerWidth - 55 : 300) / order.length - (many ? 6 : 18);
  const single = (/** @type {string} */ seat) => !names[seat]?.[0]?.includes(" ");
  const at = [0, 1].find((k) => order.every((seat) => single(seat) || textWidth(names[seat]?.[k] ?? seat, many ? 12 : 13, false) <= most)) ?? 2;
  const head = el("thead"), heads = (/** @type {boolean} */ whole) => {
    table.classList.toggle("fixed", many || whole);
    head.replaceChildren(el("tr", {}, el("td"), ...order.map((seat) => {
      const [full = seat] = names[seat] ?? [], name = whole || single(seat) ? full : names[seat]?.[at] ?? seat, written = many || whole ? divided(name) : name;
      return el("th", { scope: "col" }, at && full !== name || whole ? button(full, () => heads(!whole)?.focus(), { words: written, kind: "who" }) : written);
    })));
    return head.querySelector("button");
  };
  const table = el("table", { class: many ? "moves tricks many" : "moves tricks" },
    el("caption", { class: "aside" }, t("Moves of hand {n}: a row a trick, a column a player", { n: hand.number })),
    head, body);
  heads(false);
  hand.groups.forEach((group, g) => {
    const steps = members[g] ?? [];
    if (!steps.length) return;
    const head = group.label ? el("th", { scope: "row" }, group.label) : el("td");
    const seated = steps.filter((step) => order.includes(step.by ?? ""));
    if ((group.kind !== "trick" && group.kind !== "bids") || !seated.length) {
      // Outside the columns an act is shown with its actor.
      const links = steps.flatMap((step, i) => [i ? (group.kind === "deal" ? " · " : el("br")) : "", moveLink(replay, step, "move", order.includes(step.by ?? "") ? inFull(called, step) : "")]);
      body.append(el("tr", { class: `plain ${group.kind}` }, head, el("td", { colspan: order.length }, ...links)));
      return;
    }
    const first = group.leader || (group.kind === "bids" ? seated[0]?.by : "");
    body.append(el("tr", { class: group.kind }, head, ...order.map((seat) => {
      const own = seated.filter((step) => step.by === seat);
      const won = seat === group.winner;
      return el("td", { class: won ? "won" : undefined },
        seat === first && own.length ? el("span", { class: "led", title: t("led") }, el("span", { class: "aside" }, t("led"), " "), el("span", { "aria-hidden": "true" }, "▸")) : "",
        ...own.flatMap((step) => [moveLink(replay, step, "move", many && /^\p{Ll}+$/u.test(step.short) ? divided(step.short) : ""), " "]), won ? el("span", { class: "aside" }, " ", t("won the trick")) : "");
    })));
    const others = steps.filter((step) => !order.includes(step.by ?? ""));
    if (others.length) body.append(el("tr", { class: "plain" }, el("td"), el("td", { colspan: order.length }, ...others.flatMap((step) => [moveLink(replay, step, "move"), " "]))));
  });
  return el("div", {}, table, resultOf(replay, hand));
}

/**
 * @param {Replay} replay
 * @param {Hand} hand
 */
function byTurn(replay, hand) {
  const called = hand.called ?? replay.doc.called;
  const members = stepsOf(hand);
  const out = el("div", { class: "turns" });
  hand.groups.forEach((group, g) => {
    const steps = members[g] ?? [];
    if (!steps.length) return;
    const title = group.by && group.by !== "@" ? called[group.by] ?? group.by : /^\d/.test(group.label ?? "") ? { trick: t("trick {n}", { n: group.label ?? "" }), round: t("round {n}", { n: group.label ?? "" }), turn: t("turn {n}", { n: group.label ?? "" }) }[group.kind] ?? `${group.kind} ${group.label}` : group.label ?? "";
    out.append(el("section", {}, title ? el("h2", {}, title) : "", el("ol", { class: "moves" }, ...steps.map((step) => {
      const other = !group.by && step.by && step.by !== "@" ? inFull(called, step) : "";
      const remark = step.text ? el("span", { class: "remark" }, ` ${step.text}`) : "";
      const link = moveLink(replay, step, "move", other);
      link.prepend(el("span", { class: "n" }, String(step.n)));
      return el("li", {}, link, remark);
    }))));
  });
  out.append(resultOf(replay, hand));
  return out;
}

/**
 * The steps of each group, in order.
 * @param {Hand} hand
 * @returns {Step[][]}
 */
function stepsOf(hand) {
  /** @type {Step[][]} */
  const out = hand.groups.map(() => []);
  for (const step of hand.steps) out[step.group ?? 0]?.push(step);
  return out;
}

/**
 * What a hand came to, in one line.
 * @param {Replay} replay
 * @param {Hand} hand
 */
function resultOf(replay, hand) {
  const parts = outcomeOf(hand, replay.doc);
  if (!parts.length && !hand.result) return "";
  const came = [contractOf(hand.contract ?? ""), hand.result].filter(Boolean).join(": ");
  return el("p", { class: "result" }, came ? el("b", {}, ...said(came), " ") : "", ...said(parts.join(", ")));
}

/**
 * The findings at an event, or a list of all if there are none here.
 * @param {Replay} replay
 * @param {Finding | undefined} finding
 * @param {number} now
 */
export function findingPanel(replay, finding, now) {
  const all = replay.doc.findings;
  const out = el("div", { class: "finding" });
  if (!finding) {
    if (!all.length) return el("div", {}, el("p", { class: "soft" }, t("Nothing was found in this match.")), ...offersOf(replay, undefined));
    out.append(oneStop(el("ul", { class: "found" }, ...all.map((f) => el("li", {}, eventLink(f.at, "event"), badge(f.verdict), el("span", {}, ...said(sentence(f.says || f.title || f.rule))))))), ...offersOf(replay, undefined));
    return out;
  }
  const many = all.indexOf(finding);
  const here = (replay.findingsAt.get(finding.at) ?? []).length;
  out.append(
    el("h2", {}, badge(finding.verdict), el("span", {}, ...said(finding.title || finding.short || finding.heading || t("Finding"))), el("span", { class: "count" }, t("{verdict} · {n} of {all}", { verdict: VERDICTS[finding.verdict] ?? finding.verdict, n: many + 1, all: all.length }))),
    el("p", {}, ...said(sentence(finding.says ?? ""))),
  );
  if (here > 1) out.append(el("p", { class: "soft" }, t("{n} findings at this event", { n: here })));
  if (finding.chain?.length) {
    out.append(el("ol", { class: "chain" }, ...finding.chain.map((link) => el("li", { class: link.n === now ? "now" : undefined }, eventLink(link.n, "event"), el("span", {}, ...said(sentence(link.text)))))));
  }
  for (const text of finding.because ?? []) out.append(el("p", { class: "because" }, "∴ ", ...said(sentence(text))));
  /** @type {[string, import("./dom.js").Child[]][]} */
  const facts = [
    [t("known"), [finding.knew ?? ""]],
    [t("shown"), (finding.shows ?? []).filter((one) => one.known).flatMap(({ card, n }) => [...said(pretty(card)), ` ${t("at")} `, eventLink(n, "event")])],
    [t("legal"), [...(finding.legal ?? []).flatMap((text, i) => [i ? el("br") : "", ...said(text)]), finding.legal?.length && finding.complete === false ? ` ${t("and perhaps more")}` : ""]],
    [t("rule"), finding.sentence ? [...said(finding.sentence), el("span", { class: "soft" }, ` ${finding.heading ?? ""}, ${finding.rule.split(".").pop() ?? ""}`)] : []],
    [t("penalty"), said(finding.cost ? sentence(finding.cost) : "")],
    [t("settled by"), (finding.settles ?? []).flatMap((text, i) => [i ? el("br") : "", ...said(sentence(text))])],
    [t("unless"), said(finding.unless ?? "")],
    [t("exactly"), finding.exact ? said(exactly(finding.exact)) : finding.verdict === "open" ? [t("not asked; a page made with --exact has every hidden hand that agrees with the record")] : []],
  ];
  const rows = facts.filter(([, children]) => children.some((child) => child));
  if (rows.length) out.append(el("dl", {}, ...rows.flatMap(([name, children]) => [el("dt", {}, name), el("dd", {}, ...children)])));
  out.append(...offersOf(replay, finding));
  return out;
}

/**
 * Slips of the recorder that would explain what was found, with the lines to type; what was not looked at to its end.
 * @param {Replay} replay
 * @param {Finding | undefined} finding  the one that is open; none for all of the match
 */
function offersOf(replay, finding) {
  const { doc } = replay;
  const offers = (doc.offers ?? []).filter((offer) => !finding || offer.hand === finding.hand);
  return [
    ...offers.length ? [el("h3", {}, t("Perhaps a slip of the recorder"))] : [],
    ...offers.map((offer) => el("p", { class: "offer" }, ...said(sentence(offer.text)), ...(offer.lines ?? []).map((line) => el("code", {}, line)))),
    ...finding ? [] : (doc.cuts ?? []).map((text) => el("p", { class: "soft" }, sentence(text))),
    ...(doc.exact ?? []).filter((one) => !finding || one.hand === finding.hand && !finding.exact).map((one) => el("p", { class: "soft" }, sentence(one.text))),
  ];
}

/** @param {import("./data.js").Exact} exact */
function exactly(exact) {
  if (exact.text) return sentence(exact.text);
  return `${exact.verdict}: ${exact.broken ?? 0} of ${exact.worlds ?? 0} deals that fit${exact.complete ? "" : ", as far as they were counted"}`;
}

/**
 * A remark of the judge as a sentence.
 * @param {string} text
 */
function sentence(text) {
  if (!text) return "";
  const first = text[0] ?? "";
  return first.toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}

/**
 * Hand by hand what was scored.
 * @param {Replay} replay
 * @param {number} h
 */
export function scorePanel(replay, h) {
  const { doc } = replay;
  const sides = Object.keys(doc.sides).length ? Object.keys(doc.sides) : doc.seats;
  const rows = doc.hands.filter((hand) => hand.number && (hand.result || Object.keys(hand.points ?? {}).length));
  if (!rows.length) return el("p", { class: "soft" }, t("No hand has been scored yet."));
  // Partners stand below each other; what has no room so is said by given names, or shorter.
  const names = replay.names(doc.hands.length - 1), most = (innerWidth < 720 ? innerWidth - 24 : 340) / (sides.length + 1) - 8;
  const k = [0, 1].find((at) => sides.every((side) => (names[side]?.[at] ?? side).split(at ? " " : " & ").every((part) => textWidth(part, 15, false) <= most))) ?? 2;
  return el("table", { class: "scores" },
    el("caption", { class: "aside" }, t("Points and totals after each hand")),
    el("thead", {}, el("tr", {}, el("td"), ...sides.map((side) => el("th", { scope: "col" }, names[side]?.[k] ?? side)))),
    el("tbody", {}, ...rows.map((hand) => el("tr", { class: doc.hands[h] === hand ? "now" : undefined },
      el("th", { scope: "row" }, eventLink(hand.first, "event", String(hand.number)), el("span", { class: "soft" }, ...said(inBrief([hand.contract, hand.result].filter(Boolean).join(", "), names)[k] ?? ""))),
      ...sides.map((side) => {
        const points = hand.points?.[side], total = hand.totals?.[side];
        return el("td", {}, el("b", {}, typeof total === "number" ? figure(total) : "·"), el("span", { class: "soft" }, typeof points === "number" ? ` ${points < 0 ? "−" : "+"}${Math.abs(points)}` : ""));
      })))));
}

/**
 * Remarks, claims, disputes, rulings and corrections of the match.
 * @param {Replay} replay
 * @param {number} now
 * @param {boolean} remarks
 */
export function remarksPanel(replay, now, remarks) {
  const { doc } = replay;
  /** @type {[number, import("./dom.js").Child[]][]} */
  const rows = [];
  if (remarks) {
    for (const hand of doc.hands) for (const step of hand.steps) if (step.text && !doc.said.some((item) => item.n === step.n)) rows.push([step.n, [el("span", { class: "remark" }, step.text), el("span", { class: "soft" }, ` ${step.says}`)]]);
  }
  for (const item of doc.said) {
    rows.push([item.n, [...said(item.text ?? ""), item.remark && remarks ? el("span", { class: "remark" }, ` ${item.remark}`) : "",
      ...(item.refs ?? []).flatMap((n) => [" ", eventLink(n, "event")])]]);
  }
  for (const fix of doc.corrections) {
    rows.push([fix.of, corrected(fix)]);
  }
  rows.sort(([a], [b]) => a - b);
  if (!rows.length) return el("p", { class: "soft" }, t("Nobody remarked on anything."));
  return oneStop(el("ul", { class: "said" }, ...rows.map(([n, children]) => el("li", { class: n === now ? "now" : undefined }, eventLink(n, "event"), el("span", {}, ...children)))));
}

/**
 * The corrections at an event: the typed form, and the corrected one.
 * @param {Replay} replay
 * @param {number} now
 */
export function correctedPanel(replay, now) {
  const fixes = replay.doc.corrections.filter((fix) => fix.of === now || fix.at === now);
  return el("ul", { class: "said" }, ...fixes.map((fix) => el("li", {}, eventLink(fix.of, "event"), el("span", {}, ...corrected(fix)))));
}

/**
 * A correction: the typed form, the corrected one, the reason, and its position.
 * @param {import("./data.js").Correction} fix
 * @returns {import("./dom.js").Child[]}
 */
function corrected(fix) {
  return [...(fix.was ?? []).flatMap((text) => [el("s", {}, ...said(text)), " "]), ...said(fix.now || (fix.how === "strike" ? t("struck") : "")),
    fix.text ? el("span", { class: "remark" }, ` “${fix.text}”`) : "", el("span", { class: "soft" }, " ", t("corrected at"), " "), eventLink(fix.at, "event")];
}

/**
 * The position as text: the piles, the seat to act, the score.
 * @param {Replay} replay
 * @param {Place} place
 * @param {import("./seating.js").Table} table
 * @param {Record<string, string>} words
 */
export function positionText(replay, place, table, words) {
  const frame = replay.frames(place.h)[place.i];
  const { called } = table;
  const lines = table.piles.filter((pile) => pile.entries.length || pile.place === "hand").map((pile) => words[pile.name] ?? pile.name);
  if (table.middle.length) lines.unshift(words["trick"] || words["board"] || "");
  if (!frame) return el("ul");
  const toAct = frame.turn.length ? t("{who} to {act}", { who: frame.turn.map((seat) => called[seat] ?? seat).join(", "), act: table.toDo }) : "";
  const scores = Object.entries(table.scores).map(([who, n]) => `${called[who] ?? who} ${n}`).join(", ");
  return el("ul", { class: "position" }, ...[table.standing, table.contract, toAct, scores ? t("Score: {scores}", { scores }) : "", ...lines, ...(replay.doc.hands[place.h]?.steps[place.i]?.inferred ?? []).map((text) => t("Inferred: {text}", { text }))]
    .filter(Boolean).map((line) => el("li", {}, ...said(line))));
}

/**
 * The sets of cards that could have been taken.
 * @param {Step} step
 */
export function choicesOf(step) {
  if (!step.choices?.length) return "";
  return el("p", { class: "choices" }, ...said(t("Could take {cards}.", { cards: step.choices.map((cards) => cards.map(pretty).join(" ")).join(` ${t("or")} `) })));
}

/**
 * Buttons for the hands, with a sign where something was found.
 * @param {Replay} replay
 * @param {number} h
 * @param {(h: number) => void} go
 */
export function handsBar(replay, h, go) {
  const bar = oneStop(el("nav", { class: "hands", "aria-label": t("Hands") }, ...replay.doc.hands.map((hand, k) => {
    const found = replay.doc.findings.filter((f) => f.at >= hand.first && f.at <= hand.last);
    const mark = found.some((f) => f.verdict === "broken") ? "!" : found.length ? "?" : "";
    const made = button(mark ? t("Hand {n}, with findings", { n: hand.number }) : t("Hand {n}", { n: hand.number }), () => go(k), { words: hand.number ? String(hand.number) : "–", kind: "hand" });
    if (k === h) made.setAttribute("aria-current", "true");
    if (mark) made.append(el("sup", {}, mark));
    return made;
  })));
  stopAt(bar, /** @type {HTMLElement} */ (bar.children[h]));
  return bar;
}
