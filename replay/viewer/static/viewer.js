// The viewer: a replay stepped through by keys, buttons, links and the time line.
// @ts-check
import { FONT, picture, textWidth } from "./draw.js";
import { arrange, tells } from "./layout.js";
import { Replay, SHAPE, markOf } from "./data.js";
import { button, el, glyphsOf, oneStop, said, stopAt } from "./dom.js";
import { linksOf, menuOf } from "./menu.js";
import { inBrief } from "./names.js";
import { fitted, pileWords, seatBelow } from "./still.js";
import { choicesOf, correctedPanel, findingPanel, handsBar, movesOf, positionText, remarksPanel, scorePanel } from "./panels.js";
import { Beside, besidePanel, differenceOf } from "./beside.js";
import { searchPanel } from "./search.js";
import { t } from "./words.js";

/** @import { Doc, Finding, Hand, Hidden, Place, Step } from "./data.js" */
/** @import { Table } from "./seating.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Fitted } from "./still.js" */
/**
 * @typedef {"found" | "moves" | "score" | "remarks" | "corrected" | "search" | "beside"} Tab
 */

const SPEEDS = [0.5, 1, 2, 4];
/** @type {[Hidden, string][]} */
const WAYS = [["table", t("as seen")], ["proof", t("this evidence")], ["today", t("all known now")]];
/** How long an event is shown while the viewer plays by itself, at its usual speed. */
const STANDS = 1200;

export class Viewer {
  /**
   * @param {Doc} doc
   * @param {HTMLElement} root
   */
  constructor(doc, root) {
    this.replay = new Replay(doc);
    this.beside = doc.beside && new Beside(doc, doc.beside);
    this.root = root;
    root.style.fontFamily = FONT;
    this.k = 0;
    this.shownHand = -1;
    /** @type {Map<number, HTMLElement>} The list of moves of each hand that was shown, or is likely to be shown next. */
    this.lists = new Map();
    /** @type {Hidden} */
    this.hidden = "proof";
    /** @type {Finding | undefined} */
    this.finding = undefined;
    /** @type {Tab} */
    this.tab = "moves";
    this.chosen = false;
    /** What the panel shows at the moment. */
    this.paneled = this.front = "";
    this.speed = 1;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {number | undefined} */
    this.telling = undefined;
    this.bottom = seatBelow(doc, new URLSearchParams(location.search).get("seat") ?? "");
    /** @type {Map<string, Fitted>} */
    this.fits = new Map();
    /** @type {HTMLElement | undefined} Made when it is first asked for. */
    this.searching = undefined;
    /** @type {{scene: Scene, k: number, h: number} | undefined} What is drawn at the moment. */
    this.laid = undefined;
    this.parts = this.page();
    root.append(...this.parts.all);
    this.dock();
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.key(event));
    // A phone's address bar that comes and goes changes only the height: the table does not move then.
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth === width && innerWidth < 720) return;
      width = innerWidth;
      this.dock();
      this.fits.clear();
      this.lists.clear();
      this.shownHand = -1;
      this.show(false);
    });
    root.addEventListener("click", (event) => this.clicked(event));
    this.swiped(this.parts.stage);
    this.follow();
  }

  /** @returns {Place} */
  get place() {
    return this.replay.places[this.k] ?? { h: 0, i: 0, n: 0 };
  }

  /** @returns {Hand} */
  get hand() {
    return /** @type {Hand} */ (this.replay.doc.hands[this.place.h]);
  }

  /** @returns {Step} */
  get step() {
    return /** @type {Step} */ (this.hand.steps[this.place.i]);
  }

  /** The page, made once; what changes is filled in by `show`. */
  page() {
    const { doc } = this.replay;
    const tags = doc.tags ?? {};
    const where = [tags.Place ?? tags.Site, day(tags.Date ?? ""), doc.kept ? t("shown in part") : ""].filter(Boolean).join(" · ");
    const contract = el("span", { class: "contract" }), standing = el("span", { class: "standing soft" });
    const menu = el("div", { class: "menu", id: "menu", hidden: true });
    const opener = button(t("Menu"), () => this.toggleMenu(), { icon: "menu", kind: "bare" });
    opener.setAttribute("aria-expanded", "false");
    opener.setAttribute("aria-controls", "menu");
    const [title = "", shorter] = inBrief(doc.title || tags.Event || "", this.replay.names(doc.hands.length - 1));
    // Many papers would not fit the head; the menu has all.
    const links = linksOf(doc).slice(0, 3).map(([name, href]) => el("a", { href }, name));
    const zoom = el("span", { class: "zoom soft", title: t("the cards are this much smaller than usual"), hidden: true });
    const head = el("header", { class: "head" }, el("h1", {}, doc.name), el("span", { class: "title" }, textWidth(title, 15, false) > innerWidth * 0.4 ? shorter : title), standing, zoom, el("span", { class: "where soft", title: doc.kept || undefined }, where), contract, ...links, opener, menu);
    const table = el("div", { class: "table" });
    const line = el("p", { class: "line" });
    const live = el("div", { class: "aside", "aria-live": "polite", role: "status" });
    const slider = el("input", { type: "range", min: 0, max: Math.max(0, this.replay.places.length - 1), step: 1, value: 0, "aria-label": t("Event"), input: () => this.go(Number(slider.value)) });
    const done = el("span", { class: "done" }), marks = el("span", { class: "marks", "aria-hidden": "true" }, done);
    const time = el("div", { class: "time" }, marks, slider);
    const play = button(t("Play"), () => this.toggle(), { icon: "play", kind: "key main", keys: t("Space") });
    const hands = el("span", { class: "of" });
    const controls = el("div", { class: "controls", role: "group", "aria-label": t("Steps") },
      button(t("Start of the hand"), () => this.edge(false), { icon: "first", kind: "key edge", keys: t("Home") }), button(t("Back"), () => this.go(this.k - 1), { icon: "back", keys: "←" }), play,
      button(t("On"), () => this.go(this.k + 1), { icon: "on", keys: "→" }), button(t("End of the hand"), () => this.edge(true), { icon: "last", kind: "key edge", keys: t("End") }),
      el("span", { class: "group wide" }, button(t("Previous hand"), () => this.handBy(-1), { words: "‹", keys: "p" }), hands, button(t("Next hand"), () => this.handBy(1), { words: "›", keys: "n" })),
      el("span", { class: "group wide" }, button(t("Next finding"), () => this.next(), { words: t("! next finding"), keys: "d" }), button(t("Turn the table"), () => this.turn(), { icon: "turn", words: t("turn"), keys: "f" })));
    const hiddenRow = el("fieldset", { class: "hidden" }, el("legend", {}, t("Hidden hands")), ...WAYS.map(([way, words]) => {
      const input = el("input", { type: "radio", name: "hidden", value: way, change: () => this.hide(way) });
      input.checked = way === this.hidden;
      return el("label", {}, input, el("span", {}, words));
    }));
    const hint = el("p", { class: "hint soft" }, t("← → one event · Shift one trick · ? all keys"));
    const moves = el("section", { class: "panel list", "aria-label": t("Moves") });
    const handsPlace = el("div", { class: "handsbar" });
    const tabs = el("div", { class: "tabs", role: "group", "aria-label": t("Panels") });
    const panel = el("section", { class: "panel open", "aria-label": t("Finding"), tabindex: 0 });
    const words = el("div");
    const position = el("details", { class: "words", toggle: () => this.tell() }, el("summary", {}, t("The position in words")), words);
    // The other record has its table and its sentence beside the first.
    const other = el("div", { class: "table" }), otherLine = el("p", { class: "line" }), whose = el("p", { class: "whose" }), otherWhose = el("p", { class: "whose" });
    const stage = el("main", { class: doc.beside ? "stage two-records" : "stage" }, doc.beside ? whose : "", table, line, live,
      doc.beside ? el("section", { class: "other", "aria-label": t("The other record") }, otherWhose, other, otherLine) : "");
    const steps = el("div", { class: "steps", role: "region", "aria-label": t("Time line") }, time, controls);
    const extras = el("div", { class: "extras", role: "region", "aria-label": t("Hidden hands and position") }, hiddenRow, hint, position);
    const side = el("aside", { class: "side", "aria-label": t("Moves and findings") }, el("div", { class: "movesbox" }, handsPlace, moves), tabs, panel);
    menu.append(...menuOf(this));
    return { all: [head, stage, side, steps, extras], stage, whose, other, otherLine, otherWhose, contract, standing, menu, opener, table, zoom, line, live, slider, done, marks, play, hands, moves, handsPlace, tabs, panel, words, position, hiddenRow, side, extras };
  }

  /** On a phone, the things below the buttons of a wide page scroll with the panel instead. */
  dock() {
    const { side, extras, hiddenRow } = this.parts, laid = ({ piles = {} }) => Object.keys(piles).length > 0;
    // Without cards there is nothing to turn.
    hiddenRow.hidden = !this.replay.doc.hands.some(({ frame, steps }) => laid(frame) || steps.some(({ change = {} }) => laid(change)));
    if (innerWidth < 1024) side.append(extras);
    else this.root.append(extras);
  }

  // -- moving ------------------------------------------------------------------------------------------------------

  /** Where the address points. */
  follow() {
    const anchor = location.hash.slice(1);
    const n = /^\d{1,7}$/.test(anchor) ? Number(anchor) : undefined;
    const last = this.replay.places.length - 1;
    const k = anchor === "last" ? last : this.replay.indexOf(n ?? this.replay.doc.start ?? 0);
    this.go(k, n === undefined && anchor !== "last", n);
  }

  /**
   * The match has gone on, or was corrected: show its current state, at the same event or at its end.
   * @param {Doc} doc
   * @param {boolean} end
   */
  take(doc, end) {
    const n = this.place.n, { slider, marks, done } = this.parts;
    this.replay = new Replay(doc);
    this.beside = doc.beside && new Beside(doc, doc.beside);
    this.lists.clear();
    this.fits.clear();
    this.finding = this.searching = undefined;
    this.paneled = "";
    this.shownHand = -1;
    slider.max = String(Math.max(0, this.replay.places.length - 1));
    marks.replaceChildren(done);
    this.go(end ? this.replay.places.length - 1 : this.replay.indexOf(n), true);
  }

  /**
   * To an event, by its place among all.
   * @param {number} k
   * @param {boolean} silent  without telling the address
   * @param {number | undefined} asked  the event that was asked for, which may be a correction
   */
  go(k, silent = false, asked = undefined) {
    this.k = Math.max(0, Math.min(this.replay.places.length - 1, k));
    const n = this.place.n;
    const found = this.replay.findingsAt.get(asked ?? n) ?? this.replay.findingsAt.get(n);
    if (found) {
      this.finding = this.finding && found.includes(this.finding) ? this.finding : found[0];
    } else if (!this.finding?.chain?.some((link) => link.n === n || link.n === asked)) this.finding = undefined;
    if (!silent) this.address(asked ?? n);
    this.show(true);
  }

  /**
   * The address follows without filling the history.
   * @param {number} n
   */
  address(n) {
    // After the step is drawn: it can cost more than the step.
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      if (location.hash === `#${n}`) return;
      try {
        history.replaceState(null, "", `#${n}`);
      } catch {
        // Some browsers forbid it to pages from a disk; the viewer works without it.
      }
    });
  }

  /** @param {boolean} end */
  edge(end) {
    const { places } = this.replay, here = (/** @type {Place} */ { h }) => h === this.place.h;
    this.go(end ? places.findLastIndex(here) : places.findIndex(here));
  }

  /** @param {number} by */
  handBy(by) {
    this.toHand(Math.max(0, Math.min(this.replay.doc.hands.length - 1, this.place.h + by)));
  }

  /** @param {number} h */
  toHand(h) {
    const k = this.replay.places.findIndex((place) => place.h === h);
    if (k >= 0) this.go(k);
  }

  /**
   * To the end of the next trick or turn, or of the one before.
   * @param {number} by
   */
  group(by) {
    const { places, doc } = this.replay;
    const of = (/** @type {number} */ k) => {
      const place = places[k];
      return place ? `${place.h} ${doc.hands[place.h]?.steps[place.i]?.group}` : "";
    };
    let k = this.k;
    if (by > 0) {
      k++;
      while (k < places.length - 1 && of(k + 1) === of(k)) k++;
    } else {
      const here = of(k);
      while (k > 0 && of(k) === here) k--;
    }
    this.go(k);
  }

  /**
   * The other record comes to the front.
   * @param {number | undefined} n  an event of it; else the one beside that at hand
   */
  swap(n = undefined) {
    if (!this.beside) return;
    const to = n ?? this.beside.at(this.place.n).place.n;
    this.take(this.beside.swapped(), false);
    this.laid = undefined;
    this.go(this.replay.indexOf(to));
  }

  /** To the next finding, dispute or correction, or to where two records part; after the last one to the first. */
  next() {
    const { doc } = this.replay;
    const all = [...doc.findings.map((f) => f.at), ...doc.said.filter((s) => /dispute|ruling|fault/.test(s.kind)).map((s) => s.n), ...doc.corrections.map((c) => c.of), ...this.beside?.parts ?? []].sort((a, b) => a - b);
    const n = all.find((at) => at > this.place.n) ?? all[0];
    if (n !== undefined) this.go(this.replay.indexOf(n));
  }

  turn() {
    const { seats } = this.replay.doc;
    this.bottom = seats[(seats.indexOf(this.bottom) + 1) % seats.length] ?? this.bottom;
    this.fits.clear();
    this.show(false);
  }

  /** @param {Hidden} way */
  hide(way) {
    this.hidden = way;
    for (const input of this.parts.hiddenRow.querySelectorAll("input")) input.checked = input.value === way;
    this.fits.clear();
    this.show(false);
  }

  /** The panel in which events are looked for, by card, player or word. */
  search(open = true) {
    this.searching ??= searchPanel(this.replay, (n) => this.go(this.replay.indexOf(n)));
    this.toggleMenu(false);
    this.tab = open ? "search" : "found";
    this.chosen = open;
    this.show(false);
    if (open) this.searching.querySelector("input")?.focus();
  }

  toggle() {
    if (this.timer !== undefined) this.stop();
    else {
      if (this.k >= this.replay.places.length - 1) this.go(0);
      const tick = () => {
        this.go(this.k + 1);
        if (this.k >= this.replay.places.length - 1) this.stop();
        else this.timer = setTimeout(tick, STANDS / this.speed);
      };
      this.timer = setTimeout(tick, STANDS / this.speed);
    }
    this.dress();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.dress();
  }

  /**
   * @param {number} by
   * @param {boolean} round
   */
  faster(by, round = false) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[round ? at % SPEEDS.length : Math.max(0, Math.min(SPEEDS.length - 1, at))] ?? 1;
    this.dress();
  }

  /** The play button and the speed as they are now. */
  dress() {
    const on = this.timer !== undefined;
    const made = button(on ? t("Stop") : t("Play"), () => this.toggle(), { icon: on ? "pause" : "play", kind: "key main", keys: t("Space") });
    const { play } = this.parts;
    play.replaceChildren(...made.childNodes);
    play.setAttribute("aria-label", on ? t("Stop") : t("Play"));
    const speed = this.parts.menu.querySelector(".speed");
    if (speed) {
      speed.replaceChildren(t("speed {n}×", { n: this.speed }));
      speed.setAttribute("aria-label", t("Speed {n} times", { n: this.speed }));
    }
  }

  toggleMenu(open = this.parts.menu.hidden) {
    this.parts.menu.hidden = !open;
    this.parts.opener.setAttribute("aria-expanded", String(open));
  }

  // -- events ------------------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target instanceof Element ? event.target : document.body;
    if (at.matches("input[type=radio], input.link") && event.key.startsWith("Arrow")) return;
    if (at.matches("input[type=search]") && event.key !== "Escape") return;
    if (event.key === " " && at.matches("button, a, summary, input[type=radio]")) return;
    if (at.matches(".panel") && ["ArrowUp", "ArrowDown"].includes(event.key)) return;
    /** @type {Record<string, () => void>} */
    const does = {
      ArrowLeft: () => (event.shiftKey ? this.group(-1) : this.go(this.k - 1)), ArrowRight: () => (event.shiftKey ? this.group(1) : this.go(this.k + 1)),
      PageUp: () => this.group(-1), PageDown: () => this.group(1), Home: () => this.edge(false), End: () => this.edge(true),
      n: () => this.handBy(1), p: () => this.handBy(-1), f: () => this.turn(), d: () => this.next(), c: () => this.root.classList.toggle("quiet"), " ": () => this.toggle(),
      "+": () => this.faster(1), "-": () => this.faster(-1), "?": () => this.toggleMenu(), h: () => this.hide(WAYS[(WAYS.findIndex(([way]) => way === this.hidden) + 1) % 3]?.[0] ?? "proof"),
      o: () => this.swap(), "/": () => this.search(), Escape: () => (this.tab === "search" ? this.search(false) : this.toggleMenu(false)),
    };
    const act = does[event.key];
    if (!act) return;
    event.preventDefault();
    if (this.timer !== undefined && !["+", "-", " ", "?", "c", "h", "f", "Escape"].includes(event.key)) this.stop();
    act();
  }

  /**
   * A finger that is drawn over the table goes one event on, or back.
   * @param {HTMLElement} stage
   */
  swiped(stage) {
    let x = 0, y = 0;
    stage.addEventListener("pointerdown", (event) => ([x, y] = [event.clientX, event.clientY]));
    stage.addEventListener("pointerup", (event) => {
      const wide = event.clientX - x, high = event.clientY - y;
      if (event.pointerType === "mouse" || Math.abs(wide) < 40 || Math.abs(wide) < 2 * Math.abs(high)) return;
      this.stop();
      this.go(this.k + (wide < 0 ? 1 : -1));
    });
  }

  /** @param {Event} event */
  clicked(event) {
    const at = event.target instanceof Element ? event.target : null;
    if (!this.parts.menu.hidden && !at?.closest(".menu") && !at?.closest("button")) this.toggleMenu(false);
    const link = at?.closest("a[data-n]");
    if (!(link instanceof HTMLElement)) return;
    event.preventDefault();
    const n = Number(link.dataset.n);
    this.stop();
    this.go(this.replay.indexOf(n), false);
  }

  // -- showing -----------------------------------------------------------------------------------------------------

  /** @param {boolean} told  whether a step was made that is to be said */
  show(told) {
    if (!this.replay.places.length) return;
    const { place, step, parts } = this;
    const how = { bottom: this.bottom, hidden: this.hidden, finding: this.finding, page: this.pageWidth };
    const table = this.replay.table(place, how);
    this.lay(table);
    this.layBeside();
    const corrected = (step.was ?? []).length > 0;
    const ended = place === this.replay.places.at(-1) ? this.replay.doc.ended ?? "" : "", words = [step.says, step.text, ended].filter(Boolean).join(" ");
    // There is room for two lines; a longer sentence is smaller, so that nothing below it moves.
    parts.line.classList.toggle("long", textWidth(words, 20, false) > 1.7 * (parts.table.clientWidth || innerWidth) - 60);
    parts.line.replaceChildren(el("b", { class: "n" }, String(step.n)), " ", ...said(step.says), " ", ...glyphsOf(step.glyphs), " ",
      step.text ? el("em", { class: "remark" }, step.text, " ") : "", ended ? el("b", { class: "ended" }, ended) : "", corrected && step.at ? el("span", { class: "soft" }, ` ${t("corrected at {n}", { n: step.at })}`) : "", choicesOf(step));
    const found = this.replay.findingsAt.get(step.n) ?? [];
    const spoken = `${step.n}, ${words}${found.length ? ` ${found.map((f) => (f.verdict === "open" ? t("Open question: {what}", { what: f.title || f.short || "" }) : t("Finding: {what}", { what: f.title || f.short || "" }))).join(". ")}` : ""}`;
    if (told) parts.live.textContent = spoken;
    // Things that a table has no room for are in the head of the page.
    const aside = innerWidth >= 720 && (this.beside !== undefined || !tells(table));
    this.root.classList.toggle("aside-told", aside);
    this.contract(inBrief([table.contract, aside ? table.pot : ""].filter(Boolean).join(" · "), table.names));
    const [hand = ""] = table.standing.split(" · ");
    const among = this.replay.doc.hands.length > 1 ? hand : "";
    parts.standing.replaceChildren(el("span", {}, among), el("b", {}, among && table.pot ? "\u00a0· " : "", table.pot));
    parts.hands.textContent = hand;
    this.timeLine(spoken);
    this.panels(corrected || this.replay.doc.corrections.some((c) => c.at === step.n));
    this.list();
    this.tell(table);
  }

  /**
   * The contract in the head: with full names if there is room, with shorter ones, in two lines. It is never cut.
   * @param {string[]} texts
   */
  contract(texts) {
    const { contract } = this.parts, room = innerWidth - textWidth(this.replay.doc.name, 17, true) - 150;
    const whole = texts.slice(0, 2).find((text) => textWidth(text, 15, false) <= room);
    contract.classList.toggle("two", whole === undefined);
    contract.replaceChildren(...said(whole ?? texts.find((text) => textWidth(text, 13, false) <= room * 1.7) ?? texts.at(-1) ?? ""));
  }

  /**
   * The table at the size that holds for its whole hand, so that nothing jumps.
   * @param {Table} table
   */
  lay(table) {
    const { parts } = this;
    const { scene, share, laid } = this.draw(parts.table, this.replay, table, this.fit(parts.table.clientWidth || innerWidth));
    if (this.laid && this.laid.k === this.k - 1 && this.laid.h === this.place.h) this.bring(this.laid.scene, scene, laid);
    this.laid = { scene, k: this.k, h: this.place.h };
    parts.zoom.hidden = share >= 1;
    if (share < 1) parts.zoom.textContent = `${Math.round(share * 100)} %`;
  }

  /** How wide a page would be that had one table as wide as this. */
  get pageWidth() {
    return this.beside && innerWidth >= 1024 ? this.parts.table.clientWidth || innerWidth : innerWidth;
  }

  /** The table of the other record, at the event that is paired with the current one. */
  layBeside() {
    const { beside, parts, bottom, hidden } = this;
    if (!beside) return;
    const { place, row, step } = beside.at(this.place.n), [here, there] = beside.data.titles;
    const turn = () => [button(t("The other record"), () => this.swap(), { words: there, kind: "who", keys: "o" }), el("span", { class: "differs" }, differenceOf(row))];
    parts.whose.replaceChildren(here, ...(innerWidth < 1024 ? turn() : []));
    parts.otherWhose.replaceChildren(...turn());
    parts.otherLine.replaceChildren(el("b", { class: "n" }, String(place.n)), " ", ...said(step?.says ?? ""));
    const width = parts.other.clientWidth;
    if (!width) return;
    const page = this.pageWidth, fit = this.fit(width, beside.replay, place.h, "beside ");
    this.draw(parts.other, beside.replay, beside.replay.table(place, { bottom, hidden, finding: undefined, page }), fit);
  }

  /**
   * A table in its place. Unchanged parts of the previous one stay in place.
   * @param {HTMLElement} into
   * @param {Replay} replay
   * @param {Table} table
   * @param {Fitted} fit
   */
  draw(into, replay, table, fit) {
    const { scene, share } = arrange(table, fit, textWidth, fit.share);
    scene.height = Math.max(scene.height, fit.least);
    const before = into.querySelector("svg"), laid = picture(scene, replay.pack, pileWords(table), before);
    if (laid !== before) into.replaceChildren(laid);
    return { scene, share, laid };
  }

  /**
   * The cards of the last act come from their previous place, or from a pile that has fewer cards now.
   * @param {Scene} before
   * @param {Scene} now
   * @param {SVGElement} drawn
   */
  bring(before, now, drawn) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const cards = before.items.flatMap((item) => (item.kind === "card" ? [item] : [])), coming = now.items.flatMap((item) => (item.kind === "card" && item.entry.now ? [item] : []));
    const fewer = Object.entries(this.step.change?.piles ?? {}).filter(([name, pile]) => (pile?.count ?? 0) < (this.replay.frames(this.place.h)[this.place.i - 1]?.piles[name]?.count ?? 0)).map(([name]) => name);
    const elements = drawn.querySelectorAll("g.card.now");
    coming.forEach((item, i) => {
      const from = cards.find((one) => one.entry.card === item.entry.card && item.entry.card !== "??" && one.pile !== item.pile) ?? cards.findLast((one) => fewer.includes(one.pile));
      if (from) elements[i]?.animate([{ transform: `translate(${from.x}px, ${from.y}px) scale(${from.w / item.w})` }, { transform: `translate(${item.x}px, ${item.y}px)` }], 150);
    });
  }

  /**
   * How large the cards of this hand can be, and how high its table is.
   * @param {number} width
   * @param {Replay} replay
   * @param {number} h
   * @param {string} of  which of two records it is
   * @returns {Fitted}
   */
  fit(width, replay = this.replay, h = this.place.h, of = "") {
    const known = this.fits.get(`${of}${h}`);
    if (known && known.width === width) return known;
    const most = Math.max(300, innerHeight - (innerWidth >= 1024 ? 262 : innerWidth >= 720 ? 290 : 300));
    const fit = fitted(replay, h, { bottom: this.bottom, hidden: this.hidden }, { width, page: this.pageWidth, most }, textWidth);
    this.fits.set(`${of}${h}`, fit);
    return fit;
  }

  /** @param {string} spoken */
  timeLine(spoken) {
    const { slider, marks, done } = this.parts;
    const { places, doc } = this.replay;
    const last = Math.max(1, places.length - 1);
    if (marks.childNodes.length === 1) {
      const put = (/** @type {number} */ k, /** @type {string} */ kind, /** @type {string} */ text) => {
        const mark = el("span", { class: kind }, text);
        mark.style.left = `${(k / last) * 100}%`;
        marks.append(mark);
      };
      doc.hands.forEach((_, h) => h && put(places.findIndex((place) => place.h === h), "tick", ""));
      for (const n of this.beside?.parts ?? []) put(this.replay.indexOf(n), "part", "");
      for (const fix of doc.corrections) put(this.replay.indexOf(fix.of), "fix", "");
      for (const finding of doc.findings) put(this.replay.indexOf(finding.at), "found", markOf(finding.verdict));
      marks.append(el("span", { class: "thumb" }));
    }
    slider.value = String(this.k);
    slider.setAttribute("aria-valuetext", spoken);
    const share = `${(this.k / last) * 100}%`;
    done.style.width = share;
    const thumb = marks.lastElementChild;
    if (thumb instanceof HTMLElement) {
      thumb.style.left = share;
      thumb.textContent = this.replay.findingsAt.get(this.place.n)?.[0] ? markOf(this.replay.findingsAt.get(this.place.n)?.[0]?.verdict ?? "") : "";
    }
  }

  /**
   * The list of moves of a hand. A long one takes longer than a frame to make, so it is kept.
   * @param {number} h
   */
  listOf(h) {
    const hand = this.replay.doc.hands[h];
    const made = this.lists.get(h) ?? (hand ? oneStop(movesOf(this.replay, hand)) : undefined);
    if (made) this.lists.set(h, made);
    return made;
  }

  /** The list of moves of the hand, with the current event marked. The list of the next hand is made while the page is idle. */
  list() {
    const { moves, handsPlace } = this.parts;
    if (this.shownHand !== this.place.h) {
      this.shownHand = this.place.h;
      moves.replaceChildren(this.listOf(this.place.h) ?? "");
      const next = this.place.h + 1;
      if ("requestIdleCallback" in window) requestIdleCallback(() => this.listOf(next));
      else setTimeout(() => this.listOf(next), 300);
      handsPlace.replaceChildren(this.replay.doc.hands.length > 1 ? handsBar(this.replay, this.place.h, (h) => this.toHand(h)) : "");
    }
    moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const now = moves.querySelector(`a.move[data-n="${this.step.n}"]`), focused = moves.contains(document.activeElement);
    if (!(now instanceof HTMLElement)) return;
    now.setAttribute("aria-current", "step");
    // The Tab key stops at the event at hand, and goes with it.
    stopAt(moves, now);
    if (focused) now.focus({ preventScroll: true });
    const scroller = innerWidth < 1024 ? this.parts.side : moves;
    if (scroller.clientHeight >= scroller.scrollHeight || !now.offsetHeight) return;
    // The tabs of a phone and the names of the columns stay in place above the list.
    const over = (scroller === moves ? 0 : this.parts.tabs.offsetHeight) + (moves.querySelector("thead")?.offsetHeight ?? 0) + 4;
    // The result of a hand is with its last event.
    const end = (this.place.i === this.hand.steps.length - 1 && moves.querySelector(".result")) || now;
    const box = scroller.getBoundingClientRect(), { top } = now.getBoundingClientRect(), { bottom } = end.getBoundingClientRect();
    if (top < box.top + over || bottom > box.bottom - 8) scroller.scrollTop += Math.min(top - box.top - over, Math.max(top - box.top - box.height / 2, bottom - box.bottom + 8));
  }

  /** @param {boolean} corrected */
  panels(corrected) {
    const { tabs, panel } = this.parts;
    const { doc } = this.replay;
    const wide = innerWidth >= 1024;
    const broken = doc.findings.length;
    /** @type {[Tab, string][]} */
    const names = [["found", this.finding ? t("Finding") : broken ? t("Findings {n}", { n: broken }) : t("Findings")], ["moves", t("Moves")], ["score", t("Score")], ["remarks", t("Remarks")]];
    if (corrected) names.splice(1, 0, ["corrected", t("Corrected")]);
    if (this.beside) names.splice(2, 0, ["beside", t("Both")]);
    if (this.tab === "search") names.push(["search", t("Search")]);
    // The open question at the event comes to the front, until a tab is chosen by hand.
    let tab = this.tab;
    if (!this.chosen || (tab === "corrected" && !corrected)) tab = this.finding ? "found" : corrected ? "corrected" : wide ? "found" : "moves";
    if (wide && tab === "moves") tab = "found";
    // Unchanged things are not made again.
    const key = [tab, tab === "search" || tab === "beside" ? "" : tab === "score" ? this.place.h : tab === "found" && !this.finding ? "all" : this.place.n, this.finding ? doc.findings.indexOf(this.finding) : "", corrected, wide, this.root.classList].join(" ");
    if (key === this.paneled) return;
    this.paneled = key;
    const shown = names.filter(([key]) => !(wide && key === "moves"));
    tabs.replaceChildren(...shown.map(([key, words]) => {
      const made = button(words, () => {
        this.tab = key;
        this.chosen = true;
        this.panels(corrected);
        /** @type {HTMLElement | null} */ (tabs.querySelector("[aria-pressed=true]"))?.focus();
      }, { words, kind: "tab" });
      made.setAttribute("aria-pressed", String(key === tab));
      return made;
    }));
    this.root.dataset.tab = tab;
    // Another finding, or another panel, is read from its beginning.
    const front = tab + doc.findings.indexOf(/** @type {Finding} */ (this.finding));
    if (front !== this.front) (wide ? panel : this.parts.side).scrollTop = 0;
    this.front = front;
    panel.setAttribute("aria-label", names.find(([key]) => key === tab)?.[1] ?? "");
    panel.replaceChildren(tab === "found" ? findingPanel(this.replay, this.finding, this.place.n) : tab === "corrected" ? correctedPanel(this.replay, this.step.n)
      : tab === "search" ? this.searching ?? "" : tab === "beside" && this.beside ? besidePanel(this.beside, this.replay, (n) => this.swap(n)) : tab === "score" ? scorePanel(this.replay, this.place.h) : tab === "remarks" ? remarksPanel(this.replay, this.place.n, !this.root.classList.contains("quiet")) : "");
  }

  /** @param {Table | undefined} table */
  tell(table = undefined) {
    const { position, words } = this.parts;
    if (!position.open) return;
    const laid = table ?? this.replay.table(this.place, { bottom: this.bottom, hidden: this.hidden, finding: this.finding, page: this.pageWidth });
    words.replaceChildren(positionText(this.replay, this.place, laid, pileWords(laid)));
  }
}

/**
 * A date in words; a text that is no date stays as typed.
 * @param {string} date
 */
function day(date) {
  const parts = /^(\d{4})[-.](\d\d)[-.](\d\d)$/.exec(date);
  if (!parts) return date;
  const when = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  return Number(parts[2]) > 12 ? date : when.toLocaleDateString(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, { day: "numeric", month: "long", year: "numeric" });
}

/** Begin with the data in the page. */
export function begin() {
  const data = document.getElementById("kibitz-data");
  if (!data) return undefined;
  const doc = /** @type {Doc} */ (JSON.parse(data.textContent ?? "{}"));
  const root = document.getElementById("kibitz") ?? document.body.appendChild(el("div", { id: "kibitz" }));
  root.classList.add("viewer");
  if (doc.kibitz !== "replay" || doc.version > SHAPE) {
    root.prepend(el("p", { role: "alert" }, t("This replay was written by a later version of Kibitz. Its moves stand below as text.")));
    return undefined;
  }
  for (const child of [...document.body.children]) {
    if (child !== root && child instanceof HTMLElement && child.tagName !== "SCRIPT" && child.className !== "found-at") child.hidden = true;
  }
  root.replaceChildren();
  // What looks after the page (a test, a script of the reader) finds the viewer at its element.
  return Object.assign(root, { viewer: new Viewer(doc, root) }).viewer;
}

begin();
