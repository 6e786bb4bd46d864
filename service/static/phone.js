// The phone at the table: keys below, answers above, and lines that wait while there is no connection.
// @ts-check
import { lookAhead, round } from "./ahead.js";
import { HELP, LESSON } from "./help.js";
import { OfflineError, RefusedError, ask, copy, el, freshKey, inWords, key, root, sentence, shortening, suited, t, tn } from "./common.js";
import { languageChoice } from "./language.js";
import { photographs } from "./photograph.js";
import { position } from "./position.js";
import { Queue } from "./queue.js";
import { ResultForm, figurePad } from "./result.js";

/** @import { Waiting } from "./queue.js" */
/**
 * @typedef {{text: string, label: string, says?: string, ends?: boolean, by?: string, card?: boolean}} Key
 * @typedef {{n: number, says: string, by?: string, cards?: number}} LastLine
 * @typedef {{match: string, last: number, game: string, name: string, hand: number, contract: string, score: [string, string][], turn: string[],
 *   to_act: string, over: boolean, phase: string, ahead?: import("./ahead.js").Known, called: Record<string, string>, seats: string[], lines?: LastLine[], middle?: [string, string][], hint?: string,
 *   led?: string, front?: string, full?: number, trick?: number, suits?: Key[], ranks?: Key[], singles?: Key[], gone?: string[], cards?: Record<string, string>, keys?: Key[],
 *   verbs?: Key[], pieces?: Key[], piles?: Key[], figures?: boolean, unseen?: boolean, result?: boolean, open_table?: boolean}} Pad
 */

const RETRY = [500, 1000, 2000, 4000, 8000];
const IN_SIGHT = 3, ROWS_BESIDE_CARDS = 2, ROWS_ALONE = 6;
/** The signs between the pieces of a line: source and target, the next group of cards, the card that a joker stands for. */
const SIGNS = [["<", t("from …")], [">", t("to …")], ["/", t("next group")], ["=", t("is …")]];
const match = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/matches/${encodeURIComponent(match)}`;
/** The browser's key for "this recorder has seen the first steps". */
const TAUGHT = "kibitz-taught";

class Phone {
  /** @param {Queue} queue */
  constructor(queue) {
    this.queue = queue;
    /** @type {Pad | undefined} */
    this.pad = undefined;
    /** @type {string[]} The words of the line that is being written. */
    this.words = [];
    /** Whose act it is, if that was tapped. */
    this.seat = "";
    /** @type {{n: number, after: boolean, cards: number, pad: Pad, ready: boolean} | undefined} The event that is corrected, and the pad of its place. */
    this.fixing = undefined;
    /** Whether a line is put together piece by piece: then only a key of its own sends it. */
    this.composing = false;
    /** Whether a suit was tapped and no rank after it: the same rank again may be meant. */
    this.again = false;
    /** @type {Key | undefined} A key that waits for its card. */
    this.waits = undefined;
    /** @type {number | undefined} The line whose corrections are offered. */
    this.chosen = undefined;
    /** @type {{hand: number, seat: string, lines: LastLine[]}} Where the recorder looks for a line to correct, and what was found. */
    this.sought = { hand: 0, seat: "", lines: [] };
    /** @type {HTMLElement[]} What is shown in place of the keys: the rules of the game, the help, the photographs. */
    this.leaf = [];
    /** Which step of the first lesson is shown, from 1 on; 0 if none is. */
    this.lesson = 0;
    /** @type {string | undefined} What stands in the field for a line in words. */
    this.draft = undefined;
    /** @type {HTMLElement | undefined} */
    this.page = undefined;
    this.spoken = el("p", { class: "spoken", role: "status", "aria-live": "polite" });
    this.suit = "";
    /** @type {{ok: boolean, text: string, next?: string, told: {text: string, n: number, lines: string[]}[]} | undefined} */
    this.answer = undefined;
    /** @type {{line: Waiting, problem: import("./common.js").Problem} | undefined} What the service asks back about the first line that waits. */
    this.asked = undefined;
    this.offline = false;
    this.sending = false;
    this.tries = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    /** @type {"pad" | "more" | "acts" | "lines" | "write" | "result" | "claim" | "players" | "menu" | "leaf"} */
    this.mode = "pad";
    this.modeBefore = "";
    /** Whether a finger is on the page: a key that is redrawn under it would not be pressed. */
    this.pressed = false;
    /** Whether somebody tapped the suit for the card that is being written: then no answer changes it. */
    this.chose = false;
    /** @type {string | undefined} The suit that is led by then. */
    this.suitLater = undefined;
    /** Whether there is something new to show once the finger is gone. */
    this.stale = false;
    /** The last event that the page has shown; new lines follow it. */
    this.seen = 0;
    this.mirrored = localStorage.getItem("kibitz-mirrored") === "yes";
    this.warned = false;
    /** @type {{title: string, todo: string} | undefined} Why nothing goes out any more: the link has ended. */
    this.ended = undefined;
    /** Whether the line in question is being typed again. */
    this.editing = false;
    /** Whether the lines that wait are from before a link ended: they go out if somebody says so. */
    this.held = false;
  }

  async begin() {
    this.pad = /** @type {Pad | undefined} */ (await this.queue.load());
    this.suit = this.soon.led;
    this.show();
    await this.refresh();
    if (this.pad && !this.pad.lines?.length && this.pad.suits?.length && !localStorage.getItem(TAUGHT)) this.teach(1);
    this.feel();
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") {
        this.stayAwake();
        if (this.queue.lines.length && !this.ended) this.send();
        else this.refresh();
      }
    });
    this.stayAwake();
    this.follow();
    this.send();
  }

  /** Nothing is redrawn between the touch of a finger and the key press. */
  feel() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let late;
    const free = () => {
      clearTimeout(late);
      this.pressed = false;
      if (this.stale) this.show();
    };
    addEventListener("pointerdown", () => {
      clearTimeout(late);
      this.pressed = true;
    }, true);
    // The key press comes after the finger is lifted; without a key there is no press.
    addEventListener("pointerup", () => (late = setTimeout(free, 400)), true);
    addEventListener("pointercancel", free, true);
    addEventListener("click", () => {
      this.pressed = false;
      setTimeout(free, 0);
    }, true);
  }

  /**
   * Show a step of the lesson, on the first line of a first evening or on request.
   * @param {number} step  after the last one the lesson is over, for good on this phone
   */
  teach(step) {
    this.lesson = step in LESSON ? step : 0;
    if (!this.lesson) localStorage.setItem(TAUGHT, "yes");
    this.show();
  }

  async stayAwake() {
    if (!isSecureContext || !("wakeLock" in navigator)) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // The battery is low, or the page is not in front: then the screen dims as ever.
    }
  }

  /** Ask for the position again when somebody else writes into this match. */
  follow() {
    const stream = new EventSource(`/api/v1${path}/live`);
    const news = (/** @type {MessageEvent} */ event) => {
      const n = Number(String(event.lastEventId).split("-")[0]);
      if (this.pad && n > this.pad.last && !this.sending && !this.queue.lines.length) this.refresh();
    };
    stream.addEventListener("step", news);
    stream.addEventListener("anew", news);
    const ended = () => {
      stream.close();
      this.refresh();
    };
    stream.addEventListener("ended", ended);
    stream.onerror = () => {
      if (stream.readyState !== EventSource.CLOSED) return;
      ended();
      setTimeout(() => this.ended || this.follow(), 5000);
    };
  }

  async refresh() {
    try {
      await this.fetch();
      this.offline = false;
      if (this.ended) this.follow();
      this.ended = undefined;
      this.held = this.queue.lines.length > 0 && this.queue.ended;
      if (!this.held) await this.queue.mark(false);
    } catch (error) {
      if (error instanceof OfflineError) this.lost();
      else this.refused(error);
    }
    this.show();
  }

  /** @param {Pad} pad */
  take(pad) {
    // An answer may come late: the known state is newer then, and a suit tapped in the meantime stays.
    if (this.isLate(pad)) return;
    // If no suit is led, the suit of the last card stays pressed.
    const suit = this.chose || pad.last === this.pad?.last || !(pad.trick || pad.led) ? this.suit : pad.led ?? "";
    // Under a finger a rank means what it meant when the finger came down.
    if (this.pressed) this.suitLater = suit;
    else this.suit = suit;
    this.pad = pad;
  }

  /** @param {Pad} pad */
  isLate(pad) {
    return this.pad !== undefined && pad.last < this.pad.last;
  }

  /** Fetch the current position. */
  async fetch() {
    const pad = /** @type {Pad} */ (await ask("GET", `${path}/pad`));
    if (!this.isLate(pad)) await this.queue.show(pad);
    this.take(pad);
  }

  /** @param {unknown} error */
  refused(error) {
    if (hasEnded(error)) {
      const { title, todo = "" } = error.problem;
      this.ended = error.problem.status === 401 ? { title, todo } : { title: t("the link of this browser is for something else"), todo: t("Ask the director for a link to record this table") };
      this.offline = false;
      clearTimeout(this.retry);
      this.queue.mark(true);
      return;
    }
    this.answer = { ok: false, text: inWords(error), told: [] };
  }

  lost() {
    this.offline = true;
    const wait = RETRY[Math.min(this.tries++, RETRY.length - 1)];
    // However many lines were written meanwhile, the service is asked once.
    clearTimeout(this.retry);
    this.retry = setTimeout(() => (this.queue.lines.length ? this.send() : this.refresh()), wait);
  }

  // -- writing -----------------------------------------------------------------------------------------------------

  /** The pad in use: of the current position, or of the place of a correction. */
  get shown() {
    return /** @type {Pad} */ (this.fixing?.pad ?? this.pad);
  }

  /** Short names, for places with little room. */
  get short() {
    const { called = {}, seats = [] } = this.pad ?? {};
    return shortening(seats.map((seat) => called[seat] ?? seat));
  }

  /** After how many cards the line is whole; 0 if it is sent with a key. */
  get full() {
    if (this.composing || (this.words[0] && !isCard(this.words[0]))) return 0;
    if (this.fixing) return this.fixing.cards;
    // How many cards another seat has to show is its own affair.
    return this.seat && this.seat !== this.shown.turn[0] && this.shown.full !== 1 ? 0 : this.shown.full ?? 0;
  }

  /** How a line begins that corrects an event. */
  get corrects() {
    return this.fixing ? `fix ${this.fixing.n}${this.fixing.after ? "+" : ""}` : "";
  }

  /** The line as it will be sent: cards that follow each other are one word. */
  get line() {
    if (!this.words.length && !this.composing) return "";
    let out = isCard(this.words[0] ?? "") && !this.seat && !this.fixing ? this.shown.front ?? "" : "";
    let before = "";
    this.words.forEach((word, at) => {
      // The sign in front of `meld:1=` only opens the list of the piles.
      if (word === "=" && this.words[at + 1]?.endsWith("=")) return;
      const glued = (isCard(word) && isCard(before)) || (isFigure(word) && isFigure(before)) || /[<>/=]$/.test(before) || word === "/" || word === "=";
      out += (!out || out.endsWith(" ") || glued ? "" : " ") + word;
      before = word;
    });
    return [this.corrects, this.seat, out].filter(Boolean).join(" ");
  }

  /** @param {Key} one */
  tap(one) {
    this.mode = "pad";
    if (one.card) {
      const card = this.words.length === 1 && isCard(this.words[0] ?? "") ? this.words[0] : "";
      if (card) this.fill(one, card);
      else {
        this.waits = this.waits?.text === one.text ? undefined : one;
        this.show();
      }
      return;
    }
    // Acts of several seats are written with theirs.
    if (one.by) this.seat = "";
    if (one.ends && this.alike) this.words.push(this.alike);
    this.words.push(one.text);
    if (one.ends && !this.composing) this.done();
    else this.show();
  }

  /**
   * @param {Key} one
   * @param {string} card
   */
  fill(one, card) {
    this.write(one.text.replace("??", card === "x" ? "??" : card), true);
  }

  /**
   * A suit that is pressed stays pressed: an answer may have pressed it just before the finger came down.
   * @param {string} suit
   */
  tapSuit(suit) {
    this.suitLater = undefined;
    this.suit = suit;
    this.chose = true;
    this.again = this.words.length > 0 && this.full !== 1;
    this.show();
  }

  /** The card that `write` adds: of the suit that was tapped last, if no rank followed it, and of the rank before. */
  get alike() {
    const last = this.words.at(-1) ?? "";
    return this.again && this.suit && /^[2-9AKQJT][shdc]$/.test(last) && last[1] !== this.suit ? last[0] + this.suit : "";
  }

  /** @param {string} rank */
  tapRank(rank) {
    if (!this.suit) {
      this.answer = { ok: false, text: t("Tap the suit first, then the rank."), told: [] };
      this.show();
      return;
    }
    this.tapCard(rank + this.suit);
  }

  /** @param {string} card */
  tapCard(card) {
    if (this.waits) {
      this.fill(this.waits, card);
      return;
    }
    this.words.push(card);
    this.again = false;
    if (this.full && this.words.filter(isCard).length === this.full) this.done();
    else this.show();
  }

  back() {
    if (this.alike) this.again = false;
    else if (this.words.length) this.words.pop();
    else this.forget();
    this.show();
  }

  /** Drop the line that is being written. */
  forget() {
    this.words = [];
    this.seat = "";
    this.fixing = undefined;
    this.composing = false;
    this.waits = undefined;
    this.again = false;
    this.chose = false;
  }

  async done() {
    if (this.alike) this.words.push(this.alike);
    if (this.line) await this.write(this.line, !this.fixing);
    else this.forget();
  }

  /** Take back the last line: out of those that wait, if it was never sent, else out of the record. */
  async undo() {
    const last = this.queue.lines.at(-1);
    if (last && !last.tried) {
      await this.queue.remove(last);
      this.show();
    } else await this.write("undo");
  }

  /** The table as it will be once the lines that wait are written, as far as that is known. */
  get soon() {
    const { pad, queue: { lines } } = this;
    // A phone that comes back with less than it had written behind knows nothing of what follows.
    return pad && (lines[0]?.expect ?? 0) <= pad.last ? lookAhead(pad, lines) : { turn: [], laid: [], led: "" };
  }

  /**
   * The seat whose act is tapped, and the part of the hand: the line is written for no other seat.
   * @param {boolean} act
   */
  typedFor(act) {
    const { turn } = this.soon, seat = this.seat || (turn.length === 1 ? turn[0] ?? "" : "");
    return act ? { act, seat, phase: seat || !this.queue.lines.length ? this.pad?.phase ?? "" : "" } : { seat: "", phase: "" };
  }

  /**
   * @param {string} line
   * @param {boolean} act  tapped as what comes next at the table, and not something about it
   * @param {boolean} byHand  written with the cards of the pack on the table
   */
  async write(line, act = false, byHand = false) {
    if (this.asked && this.editing) {
      // Other words may be about somebody else's act.
      Object.assign(this.asked.line, { act: false, seat: "", phase: "", byHand });
      return this.decide(line);
    }
    this.mode = "pad";
    this.answer = undefined;
    // A recorder who has written a line no longer needs this step.
    if (this.lesson) this.teach(this.lesson + 1);
    // A line that follows another on this phone is read where that one leads.
    const before = this.queue.lines.at(-1);
    const kept = this.queue.add({ key: freshKey(), line, byHand, expect: before ? null : this.seen, after: before?.key ?? "", ...this.typedFor(act) });
    // A suit that was tapped for a card of this line is not meant for the next.
    this.forget();
    if (this.pad?.trick && (before || this.offline || this.ended)) this.suit = this.soon.led;
    // It shows at once, and goes out once this phone keeps it.
    this.show();
    await kept;
    await this.send();
  }

  async send() {
    if (this.sending || this.asked || this.ended || this.held) return;
    this.sending = true;
    try {
      for (let line = this.queue.lines[0]; line; line = this.queue.lines[0]) {
        if (!line.tried) {
          line.tried = true;
          await this.queue.change(line);
        }
        const told = await ask("POST", `${path}/lines`, { line: line.line, key: line.key, as_played: line.asPlayed ?? false, after: line.after, seat: line.seat, phase: line.phase, by_hand: line.byHand ?? false, ...(line.expect === null ? {} : { expect: line.expect }) });
        this.offline = false;
        this.tries = 0;
        await this.queue.remove(line, this.isLate(told.pad) ? undefined : told.pad);
        // No other line came between the position that was seen and this line.
        if (this.seen >= told.first - 1) this.seen = told.last;
        this.take(told.pad);
        this.answer = { ok: true, text: told.line, next: told.next, told: told.told ?? [] };
      }
    } catch (error) {
      const line = this.queue.lines[0];
      if (error instanceof OfflineError) {
        this.lost();
        if (this.pad?.trick && !this.chose) this.suit = this.soon.led;
      } else if (error instanceof RefusedError && line && error.problem.status !== 401) {
        // A refusal shows that the service was reached.
        this.offline = false;
        this.tries = 0;
        this.asked = { line, problem: error.problem };
        if (error.problem.status === 409 || error.problem.status === 404) await this.look();
      } else this.refused(error);
    } finally {
      this.sending = false;
    }
    this.show();
  }

  /** What others wrote is looked at before the own line is offered again. */
  async look() {
    try {
      await this.fetch();
    } catch (error) {
      // The next try shows it.
      if (!hasEnded(error)) return;
      this.asked = undefined;
      this.refused(error);
    }
  }

  /**
   * Send the first waiting line again: for its seat, as played, in other words, or not at all.
   * @param {"again" | "as played" | "drop" | "drop all" | string} how
   * @param {string} seat  for whom it is written again
   */
  async decide(how, seat = "") {
    const asked = this.asked, edited = this.editing;
    if (!asked) return;
    this.asked = undefined;
    this.editing = false;
    this.mode = "pad";
    const { line, problem } = asked, [, behind] = this.queue.lines;
    if (how === "drop all") await this.discardAll();
    // What was typed behind this line is asked about: the service finds no line that it followed.
    else if (how === "drop") await this.queue.remove(line);
    else {
      const own = seat && !this.pad?.turn.includes(seat) && !line.line.startsWith(`${seat} `) ? `${seat} ` : "";
      if (how === "as played") line.asPlayed = true;
      else if (how !== "again") Object.assign(line, { line: how, byHand: edited && line.byHand });
      else Object.assign(line, { line: own + line.line, seat, phase: "" });
      Object.assign(line, { key: freshKey(), tried: false, expect: this.pad?.last ?? null, after: "" });
      await this.queue.change(line);
      if (behind && behind.expect === null && !problem.type.endsWith("unfounded")) {
        behind.after = line.key;
        await this.queue.change(behind);
      }
    }
    this.show();
    await this.send();
  }

  async discardAll() {
    for (const line of this.queue.lines) await this.queue.remove(line);
  }

  /**
   * The lines from before a link ended are sent, or thrown away.
   * @param {boolean} send
   */
  async goOn(send) {
    if (!send) await this.discardAll();
    this.held = false;
    await this.queue.mark(false);
    this.show();
    await this.send();
  }

  // -- showing -----------------------------------------------------------------------------------------------------

  show() {
    const { pad } = this;
    if (this.pressed) {
      this.stale = true;
      return;
    }
    this.stale = false;
    this.suit = this.suitLater ?? this.suit;
    this.suitLater = undefined;
    this.seen = Math.max(this.seen, pad?.last ?? 0);
    if (!pad) {
      const says = this.offline ? t("There is no connection, and this phone has not seen the match yet.") : this.answer?.text ?? t("One moment …");
      root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), this.ended ? this.banner() : el("p", {}, says)));
      return;
    }
    inPack = pad.cards ?? {};
    document.title = `${pad.name}: ${named(pad) || t("at the table")}`;
    const focused = document.activeElement instanceof HTMLElement && this.page?.contains(document.activeElement) ? document.activeElement : undefined;
    const word = focused?.dataset.word, label = focused?.textContent;
    const acts = this.mode === "pad" || this.mode === "acts";
    const answer = this.answerLine();
    const above = el("div", { class: "above", tabindex: 0, role: "region", "aria-label": t("What was written, and the table") }, this.banner() || this.step(), this.lines(), acts ? this.middle() : "");
    const below = this.mode === "pad" ? this.keys() : this.panel();
    const page = el("main", { class: `phone${this.mirrored ? " mirrored" : ""}${this.lesson ? ` lesson${this.lesson}` : ""}` }, el("h1", { class: "spoken" }, t("{game}, at the table", { game: pad.name })), this.head(), above, answer, below);
    const scrolled = this.page?.querySelector(".panel")?.scrollTop ?? 0;
    root().replaceChildren(page, this.spoken);
    this.page = page;
    fit(above, Boolean(pad.trick));
    const panel = page.querySelector(".panel");
    if (panel && this.mode === this.modeBefore) panel.scrollTop = scrolled;
    this.modeBefore = this.mode;
    const says = answer.dataset.says ?? "";
    if (says !== this.spoken.textContent) this.spoken.replaceChildren(says);
    if (!focused) return;
    // The page was redrawn while a keyboard user was on it.
    const again = [.../** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("button, select"))].find((one) => (word ? one.dataset.word === word : one.textContent === label));
    again?.focus({ preventScroll: true });
  }

  head() {
    const pad = /** @type {Pad} */ (this.pad);
    const menu = key("☰", () => this.open(this.mode === "menu" ? "pad" : "menu"), { class: "bare", "aria-label": t("Menu"), "aria-expanded": this.mode === "menu" });
    const sides = pad.score.length, many = sides > 3 || (sides > 2 && pad.contract !== "");
    // Beside a contract partners have room for their initials; their names are below.
    const brief = (/** @type {string} */ who) => (pad.contract && who.includes(" & ") ? who.split(" & ").map((one) => [...one][0]).join(" & ") : this.short(who));
    const each = pad.score.map(([who, figure]) => el("span", {}, el("b", {}, figure), sides > 4 ? "" : el("span", { class: "soft" }, many ? [...this.short(who)].slice(0, 3).join("") : brief(who))));
    return el("header", {}, el("div", { class: "what" }, el("b", { class: "game" }, pad.name), el("span", { class: "soft" }, pad.hand ? t("hand {n}", { n: pad.hand }) : "")), el("div", { class: "what" }, ...contract(pad, this.short)),
      el("div", { class: `score${many ? " many" : ""}`, title: pad.score.map(([who, figure]) => `${who} ${figure}`).join(", ") }, ...each), menu);
  }

  banner() {
    const n = this.queue.lines.length;
    if (!this.queue.keeps && n) return el("p", { class: "banner", role: "status" }, el("b", {}, t("This browser keeps nothing."), " "), t("Do not close the page while lines wait."));
    if (!isSecureContext && !localStorage.getItem("kibitz-plain-told")) {
      return el("p", { class: "banner", role: "note" }, t("This page came over a plain connection: the phone may dim its screen, a reload needs the network, and links are copied by hand."), " ", key(t("understood"), () => {
        localStorage.setItem("kibitz-plain-told", "yes");
        this.show();
      }, { class: "key" }));
    }
    const many = n ? tn(["One line waits on this phone.", "{count} lines wait on this phone."], n, { count: count(n) }) : t("What you write waits on this phone.");
    if (this.ended) {
      return el("p", { class: "banner", role: "alert" }, el("b", {}, sentence(this.ended.title)), ` ${this.pad ? `${many} ` : ""}${n ? t("{todo}, and open it in this browser: then they can be sent.", { todo: this.ended.todo }) : t("{todo}, and open it in this browser.", { todo: this.ended.todo })} `, key(t("try again"), () => this.refresh()));
    }
    if (!this.offline) return "";
    return el("p", { class: "banner", role: "status" }, el("b", {}, t("No connection."), " "), n ? tn(["One line waits on this phone and will be sent. Keep writing.", "{count} lines wait on this phone and will be sent in their order. Keep writing."], n, { count: count(n) }) : t("What you write waits on this phone. Keep writing."));
  }

  /** A step of the lesson; the keys that it is about are marked. */
  step() {
    const [title, text] = LESSON[this.lesson] ?? [];
    if (!title || this.mode !== "pad" || this.line || this.fixing || this.composing || this.waits || this.asked) return "";
    const last = !(this.lesson + 1 in LESSON);
    return el("section", { class: "lesson", "aria-label": t("how to record"), "aria-live": "polite" }, el("p", {}, el("b", {}, t("{n} of {all}: {title}.", { n: this.lesson, all: Object.keys(LESSON).length, title }), " "), text), el("div", { class: "choices" }, key(last ? t("begin") : t("next"), () => this.teach(this.lesson + 1), { class: "key main", "data-word": "next" }), last ? "" : key(t("skip"), () => this.teach(0))));
  }

  lines() {
    const pad = /** @type {Pad} */ (this.pad);
    const waiting = this.queue.lines.map((line) => el("li", { class: "waiting" }, el("span", { class: "ring", "aria-hidden": "true" }), el("span", { class: "n" }, "–"), el("span", { class: "says" }, ...suited(this.whoAndWhat(line))), el("span", { class: "soft" }, this.sending && !this.offline ? t("being sent") : t("not yet sent"))));
    const sent = (pad.lines ?? []).map((line) => el("li", {}, el("span", { class: "n" }, String(line.n)), el("span", { class: "says" }, line.by ? `${line.by} ` : "", ...suited(line.says))));
    return el("ol", { class: "lines", "aria-label": t("The last lines") }, ...sent, ...waiting);
  }

  middle() {
    const pad = /** @type {Pad} */ (this.pad);
    const { laid, turn } = this.soon;
    if (!laid.length && !pad.trick) return "";
    if (!pad.trick) return el("div", { class: "middle row" }, ...laid.flatMap(([, card]) => [card_(card)]));
    const many = pad.seats.length, clockwise = Object.fromEntries(pad.seats.map((seat, k) => [seat, pad.seats[(k + 1) % many] ?? ""]));
    const order = round(laid[0]?.[0] ?? turn[0] ?? (this.queue.lines.length ? "" : pad.seats[0] ?? ""), pad.ahead?.next ?? clockwise, many);
    return el("div", { class: `middle${many > 6 ? " many" : ""}` }, ...pad.seats.map((_, k) => {
      // Who has laid a card may not be known yet.
      const seat = order[k] ?? "", card = seat ? laid.find(([by]) => by === seat)?.[1] : laid[k]?.[1];
      return el("div", { class: `place${seat && turn.includes(seat) ? " turn" : ""}` }, el("span", { class: "who" }, this.short(pad.called[seat] ?? seat) || "–"), card ? card_(card) : el("span", { class: "empty" }));
    }));
  }

  /** The line above the keys: the line being written, the meaning of the last one, or a question about it. */
  answerLine() {
    const pad = /** @type {Pad} */ (this.pad);
    if (this.held) return this.heldBack();
    if (this.asked) return this.question(this.asked);
    if (this.waits) return el("div", { class: "answer typing" }, el("span", {}, ...suited(this.waits.label)), el("span", { class: "soft" }, t("which card?")));
    if (this.line || this.fixing) return el("div", { class: "answer typing" }, el("span", {}, ...suited(this.beingWritten())), el("span", { class: "soft" }, this.fixing ? t("a correction") : t("being written")));
    if (this.offline || this.ended) {
      const [seat = ""] = this.soon.turn;
      return el("div", { class: "answer" }, el("span", {}, t("Not checked until it is sent.")), seat ? el("b", { class: "to" }, t("{who} is next", { who: pad.called[seat] ?? seat })) : "");
    }
    const next = this.queue.lines.length ? "" : pad.over ? t("the match is over") : named(pad), to = el("b", { class: "to" }, next);
    if (!this.answer) return el("div", { class: "answer" }, el("span", {}), to);
    const words = this.answer.ok ? written(pad, this.answer) : suited(this.answer.text);
    const said = el("span", { class: this.answer.ok ? "said" : "said wrong" }, this.answer.ok ? el("span", { class: "tick", "aria-hidden": "true" }, "✓") : el("span", { class: "mark", "aria-hidden": "true" }, "!"), ...words);
    const told = this.answer.told.length ? el("ul", { class: "told" }, ...this.answer.told.map((one) => this.found(one))) : "";
    const whole = el("div", { class: "answer" }, said, this.answer.ok ? to : "", told);
    const text = said.textContent ?? "";
    whole.dataset.says = `${text.startsWith("✓") ? t("written down: {line}", { line: text.slice(1) }) : text}; ${next}`;
    return whole;
  }

  /** The line that is being written, with the event that it corrects. */
  beingWritten() {
    const line = `${this.inNames(this.line.replace(/^fix \d+\+? ?/, ""))} …`, { fixing } = this;
    return !fixing ? line : fixing.after ? t("after {n}: {line}", { n: fixing.n, line }) : t("{n} becomes {line}", { n: fixing.n, line });
  }

  /**
   * A finding, which leads to the event that it is about; or a correction that would explain some, to be made with one tap.
   * @param {{text: string, n: number, lines: string[]}} one
   */
  found({ text, n, lines }) {
    if (!lines.length) return el("li", {}, el("a", { href: `/m/${encodeURIComponent(match)}#${n}` }, ...suited(text)));
    const turns = / move round, /.test(text);
    return el("li", {}, ...suited(text), " ", key(turns ? t("they move round") : t("correct it so"), async () => {
      for (const line of lines) await this.write(line);
    }));
  }

  /**
   * A line as one would say it: its seat by name, its verb in a word, its cards in signs.
   * @param {string} line
   */
  inNames(line) {
    const { called = {}, pieces = [] } = this.shown, takes = /[^ /]\/[^ /]/.test(line);
    const named = line.split(" ").map((word, at) => {
      const [sign = "", rest = ""] = /^[<>]/.test(word) ? [word[0], word.slice(1)] : ["", word];
      // The cards of a capture say that they take others.
      if (at && takes && rest === "capture") return "";
      const place = (at === 0 || sign ? called[rest] : undefined) ?? pieces.find((one) => one.text === rest)?.label ?? rest.replaceAll(":", " ");
      return (sign === "<" ? t("from {place}", { place }) : sign === ">" ? t("to {place}", { place }) : place).trim();
    });
    return inSigns(named.filter(Boolean).join(" ").replace(/^(?:\. )+/, ""));
  }

  /**
   * A line that waits, with whose act it is if that was known when it was typed.
   * @param {Waiting} line
   */
  whoAndWhat(line) {
    const { called = {} } = /** @type {Pad} */ (this.pad), says = line.byHand ? line.line : this.inNames(line.line);
    return line.seat && !line.line.startsWith(`${line.seat} `) ? `${called[line.seat] ?? line.seat} ${says}` : says;
  }

  /** Lines that wait from before the link ended: the holder of the new link decides about them. */
  heldBack() {
    const n = this.queue.lines.length;
    return el("div", { class: "question", role: "alert" }, el("p", {}, el("span", { class: "mark" }, "!"), tn(["One line was written on this phone after the link before had ended.", "{count} lines were written on this phone after the link before had ended."], n, { count: count(n) })),
      el("div", { class: "choices" }, key(tn(["send it", "send them"], n), () => this.goOn(true)), key(tn(["discard it", "discard all"], n), () => this.goOn(false))));
  }

  /** @param {{line: Waiting, problem: import("./common.js").Problem}} asked */
  question({ line, problem }) {
    const pad = /** @type {Pad} */ (this.pad), keys = [], n = this.queue.lines.length;
    if (problem.status === 409) {
      // It is written for the seat that it was typed for, or for the one that somebody names.
      const seats = line.act ? [...new Set([line.seat, pad.turn.length === 1 ? pad.turn[0] ?? "" : ""])].filter(Boolean) : [];
      for (const seat of seats.length ? seats : [""]) keys.push(key(seat ? t("write it for {who}", { who: pad.called[seat] ?? seat }) : t("write it now"), () => this.decide("again", seat), { class: "key", "data-word": `again ${seat}`.trim() }));
    }
    for (const reading of problem.readings ?? []) keys.push(key(el("span", {}, ...suited(this.inNames(reading))), () => this.decide(reading), { class: "key", "data-word": `reading ${reading}` }));
    if (problem.doubts?.length) keys.push(key(t("that is how it was played"), () => this.decide("as played"), { class: "key", "data-word": "as played" }));
    keys.push(key(t("change it"), () => {
      // A line written by hand has the cards of the pack on the table.
      this.draft = line.byHand ? line.line : line.line.replace(/[2-9AKQJT][shdc]/g, (card) => inPack[card] ?? card);
      this.open("write");
      this.editing = true;
    }), key(t("discard my line"), () => this.decide("drop")), n > 1 ? key(t("discard all {n}", { n }), () => this.decide("drop all"), { class: "key", "data-word": "discard all" }) : "");
    const missed = (problem.missed ?? []).slice(-4).map((one) => el("li", {}, `${one.n} `, ...suited(one.line)));
    const why = problem.doubts?.length ? problem.doubts : problem.readings?.length ? [t("This can mean several things. What happened?")] : [problem.type.endsWith("unfounded") ? t("It was typed behind a line that you discarded. Was it played all the same?") : problem.status === 409 && missed.length ? t("Somebody else wrote meanwhile:") : problem.expected ? t("{title}; expected {expected}", { title: problem.title, expected: problem.expected }) : problem.title];
    return el("div", { class: "question", role: "alert" }, el("p", {}, el("span", { class: "mark" }, "!"), el("b", {}, ...suited(this.whoAndWhat(line)))), ...why.map((text) => el("p", { class: "why" }, ...suited(text))),
      missed.length ? el("ul", {}, ...missed) : "", el("div", { class: "choices" }, ...keys));
  }

  keys() {
    const pad = this.shown;
    if (this.composing) return el("div", { class: "pad" }, ...this.pieces(pad), ...this.grid(), this.tools());
    const typing = this.words.length > 0;
    const offlineGrid = this.offline || this.ended || this.queue.lines.length > 0;
    const grid = pad.over ? [] : pad.unseen || !pad.keys?.length || offlineGrid || this.fixing || typing || this.lesson ? this.grid() : [];
    const verbs = typing || this.waits ? [] : (pad.verbs ?? []).map((verb) => key(verb.label, () => this.tap(verb), { class: "key act verb", "data-word": verb.text }));
    const places = typing && !this.full ? this.signs(pad) : [];
    const acts = [...verbs, ...places, ...this.acts(pad)];
    return el("div", { class: "pad" }, el("p", { class: "hint soft" }, ...suited(pad.hint ?? "")), ...this.tabs(pad), this.laidOut(acts, grid.length ? ROWS_BESIDE_CARDS : ROWS_ALONE), ...grid, this.tools());
  }

  /**
   * Signs that may follow a tapped card: the card that a joker stands for; after a verb, the target.
   * @param {Pad} pad
   */
  signs(pad) {
    const [first = "", last = ""] = [this.words[0], this.words.at(-1)], goes = pad.piles?.length && !isCard(first);
    return SIGNS.filter(([sign]) => (sign === "=" ? last.startsWith("Jo") : goes && sign !== "<")).map(([sign = "", label = ""]) => key(label, () => {
      if (sign === ">") this.composing = true;
      this.tap({ text: sign, label });
    }, { class: "key act verb", "data-word": sign }));
  }

  /**
   * The actor, if several seats may act: the first one is expected.
   * @param {Pad} pad
   */
  tabs(pad) {
    if (pad.turn.length < 2 || this.fixing) return [];
    const chosen = this.seat || pad.turn[0];
    return [el("div", { class: "row tabs", role: "group", "aria-label": t("Who acts") }, ...pad.turn.map((seat) => key(this.short(pad.called[seat] ?? seat), () => {
      this.seat = this.seat === seat ? "" : seat;
      this.show();
    }, { class: "key seat", "aria-pressed": seat === chosen, "data-word": `seat ${seat}` })))];
  }

  /** @param {Pad} pad */
  acts(pad) {
    const chosen = this.seat || (pad.turn.length > 1 ? pad.turn[0] : "");
    // Of a game without cards nothing but results is written.
    if (pad.result && !pad.keys?.length && !pad.suits?.length && !pad.ranks?.length) return [key(t("the result"), () => this.open("result"), { class: "key act", "data-word": "result" })];
    return (pad.keys ?? []).filter((one) => !one.by || !chosen || one.by === chosen || pad.turn.length < 2).map((one) => key(el("span", { class: /^[♠♥♦♣]$/u.test(one.label) ? "sign" : "" }, ...suited(one.label)), () => this.tap(one),
      { class: "key act", "data-word": one.text, ...(one.card ? { "aria-pressed": this.waits?.text === one.text } : {}) }));
  }

  /**
   * As many keys as fit; the others are one tap away.
   * @param {HTMLElement[]} acts
   * @param {number} rows
   */
  laidOut(acts, rows) {
    if (!acts.length) return "";
    const wide = acts.some((one) => (one.textContent?.length ?? 0) > 12), across = acts.length <= 3 || wide ? 3 : 4, room = across * rows;
    const shown = acts.length > room ? [...acts.slice(0, room - 1), key(t("{n} more", { n: acts.length - room + 1 }), () => this.open("acts"), { class: "key act", "data-word": "more acts" })] : acts;
    return el("div", { class: `acts of${across}` }, ...shown);
  }

  tools() {
    if (this.line || this.fixing || this.composing) {
      return el("div", { class: "row tools" }, key(t("cancel"), () => {
        this.forget();
        this.show();
      }, { class: "key tool" }), key("⌫", () => this.back(), { class: "key tool", "aria-label": t("take back the last tap") }), this.composing ? "" : key(t("more"), () => this.compose(), { class: "key tool" }),
        key(this.alike ? el("span", {}, ...suited(t("with {card}, write", { card: pretty(this.alike) }))) : t("write"), () => this.done(), { class: "key tool main twice", "data-word": "write", disabled: !this.words.length }));
    }
    return el("div", { class: "row tools" }, key(t("undo the last line"), () => this.undo(), { class: "key tool", "data-word": "undo" }), key(t("correct"), () => this.search(), { class: "key tool" }),
      key(t("claim"), () => this.open("claim"), { class: "key tool" }), key(t("more"), () => this.open("more"), { class: "key tool", "data-word": "more" }));
  }

  /** @param {string} seat */
  compose(seat = this.seat) {
    this.seat = seat;
    this.composing = true;
    this.open("pad");
  }

  /**
   * A line that no key offers, piece by piece.
   * @param {Pad} pad
   */
  pieces(pad) {
    const last = this.words.at(-1) ?? "";
    const piece = (/** @type {Key} */ one) => key(one.label, () => this.tap(one), { class: "key act", "data-word": one.text });
    if (/^[<>]$/.test(last) || (last === "=" && !isCard(this.words.at(-2) ?? ""))) {
      const end = last === "=" ? "=" : "", seats = last === "=" ? [] : pad.seats.map((seat) => ({ text: seat, label: pad.called[seat] ?? seat }));
      return [el("div", { class: "acts of3 tall" }, ...[...(pad.piles ?? []), ...seats].map((one) => piece({ text: one.text + end, label: one.label })))];
    }
    const rows = [];
    if (!this.words.length) {
      const seats = this.seat ? [] : pad.seats.map((seat) => key(this.short(pad.called[seat] ?? seat), () => this.compose(seat), { class: "key act seat", "data-word": seat }));
      rows.push(el("div", { class: "acts of4" }, ...seats, ...(pad.pieces ?? []).map(piece)));
      if (pad.figures) rows.push(this.figures());
      return rows;
    }
    const others = (pad.pieces ?? []).filter((one) => ["up", "down", "-"].includes(one.text) || one.label.startsWith("“"));
    if (others.length) rows.push(el("div", { class: "acts of4" }, ...others.map(piece)));
    if (pad.figures) rows.push(this.figures());
    rows.push(el("div", { class: "row" }, ...SIGNS.map(([sign = "", label = ""]) => piece({ text: sign, label }))));
    return rows;
  }

  figures() {
    return el("div", { class: "figures" }, ...[..."1234567890"].map((figure) => key(figure, () => this.tap({ text: figure, label: figure }), { class: "key figure", "data-word": figure })));
  }

  grid() {
    const pad = this.shown;
    const suits = pad.suits ?? [], ranks = pad.ranks ?? [], singles = pad.singles ?? [];
    if (!suits.length && !ranks.length) return [];
    const gone = new Set(pad.gone ?? []);
    const four = ranks.length + singles.length <= 8;
    const suitKeys = suits.map((suit) => {
      const pressed = this.suit === suit.text;
      return key(inColour(suit.text, suit.label + (suit.label.length > 1 ? "" : "\ufe0e")), () => this.tapSuit(suit.text), { class: `key suit${suit.label.length > 1 ? " word" : ""}`, "aria-pressed": pressed, "aria-label": suit.says, "data-word": suit.text });
    });
    const x = key(t("not seen"), () => this.tapCard("x"), { class: "key small", "data-word": "x" });
    const rankKeys = ranks.map((rank) => key(rank.label, () => this.tapRank(rank.text), { class: `key rank${gone.has(rank.text + this.suit) ? " gone" : ""}`, disabled: this.suit !== "" && !rank.says?.includes(this.suit), "data-word": `rank ${rank.text}`, "aria-label": gone.has(rank.text + this.suit) ? t("{rank}, seen already", { rank: rank.label }) : rank.label }));
    const single = singles.map((one) => key(el("span", {}, ...suited(one.label)), () => this.tapCard(one.text), { class: `key rank${gone.has(one.text) ? " gone" : ""}${one.label.length > 3 ? " word" : ""}`, "data-word": one.text }));
    return [el("div", { class: `grid ${four ? "four" : "five"}` }, ...suitKeys, ...(four ? [] : [x]), ...rankKeys, ...single, ...(four ? [x] : []))];
  }

  // -- what is opened ------------------------------------------------------------------------------------------------

  /** @param {Phone["mode"]} mode */
  open(mode) {
    this.editing = false;
    this.mode = mode;
    this.show();
  }

  panel() {
    const pad = /** @type {Pad} */ (this.pad);
    const close = key(t("back to the keys"), () => this.open("pad"), { class: "key wide" });
    switch (this.mode) {
      case "lines":
        return el("section", { class: "panel" }, el("h2", {}, t("Correct")), ...this.correctable(), close);
      case "claim":
        return el("section", { class: "panel" }, el("h2", {}, t("The score as the table says it")), ...this.claim(pad), close);
      case "write":
        return el("section", { class: "panel" }, el("h2", {}, t("A line in words")), this.field(), close);
      case "players":
        return el("section", { class: "panel" }, el("h2", {}, t("Who sits here")), ...this.players(pad), close);
      case "result":
        return el("section", { class: "panel" }, new ResultForm(path, (line) => this.write(`${this.corrects} ${line}`.trim(), !this.fixing), () => this.open("pad")).element, close);
      case "leaf":
        return el("section", { class: "panel" }, ...this.leaf, close);
      case "menu":
        return el("section", { class: "panel" }, ...this.menu(pad), close);
      case "acts":
        return el("section", { class: "panel" }, el("h2", {}, t("What was done")), ...this.tabs(pad), el("div", { class: "acts of3 all" }, ...this.acts(this.shown)), close);
      default: {
        const piece = (/** @type {Key} */ one) => key(one.label, () => {
          this.compose();
          this.tap(one);
        }, { class: "key", "data-word": one.text });
        const seats = pad.seats.map((seat) => key(`${this.short(pad.called[seat] ?? seat)} …`, () => this.compose(seat), { class: "key seat", "data-word": seat }));
        return el("section", { class: "panel more" }, el("h2", {}, t("The hand")), el("div", { class: "choices" }, pad.result ? key(t("only the result"), () => this.open("result")) : "", key(t("a new hand"), () => this.write("hand"), { class: "key", "data-word": "hand" }),
          key(t("I missed some plays"), () => this.write("gap")), key(t("taken back at the table"), () => this.write("back"), { class: "key", "data-word": "back" }), key(t("a remark"), () => this.begin_("note ")), key(t("who sits here"), () => this.open("players"), { class: "key", "data-word": "who sits here" }), key(t("write a line"), () => this.open("write"))),
          el("h2", {}, t("Build a line")), el("div", { class: "choices three" }, ...seats, ...(pad.pieces ?? []).map(piece)), close);
      }
    }
  }

  /** @param {string} text */
  begin_(text) {
    this.draft = text;
    this.open("write");
  }

  field() {
    const input = el("input", { type: "text", value: this.draft ?? "", autocapitalize: "off", autocomplete: "off", spellcheck: "false", "aria-label": t("the line"), enterkeyhint: "send" });
    this.draft = undefined;
    const send = () => {
      if (input.value.trim()) this.write(input.value.trim(), false, true);
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") send();
    });
    setTimeout(() => input.focus(), 0);
    return el("div", { class: "field" }, input, key(t("write"), send, { class: "key main" }));
  }

  /**
   * Correct an event with the keys of its place.
   * @param {LastLine} line
   * @param {boolean} after  put something in after it
   */
  async fix(line, after) {
    this.forget();
    const fixing = { n: line.n, after, cards: after ? 0 : line.cards ?? 0, pad: /** @type {Pad} */ (this.pad), ready: false };
    this.fixing = fixing;
    this.suit = "";
    this.open("pad");
    try {
      const pad = await ask("GET", `${path}/pad?at=${line.n}&behind=${after}`);
      // Meanwhile it may have been cancelled, or begun.
      if (this.fixing !== fixing) return;
      fixing.pad = pad;
      // An inserted line needs its seat.
      if (after) this.seat ||= pad.turn[0] ?? "";
      this.suit ||= pad.led ?? "";
    } catch {
      // Without a connection the keys of this position have to do.
    }
    fixing.ready = true;
    this.show();
  }

  /**
   * Look for a line to correct: in one hand, by default the latest, and of one seat or all.
   * @param {number} hand
   * @param {string} seat
   */
  async search(hand = 0, seat = "") {
    this.sought = { hand, seat, lines: this.sought.hand === hand && hand ? this.sought.lines : this.pad?.lines ?? [] };
    const sought = this.sought;
    this.chosen = undefined;
    this.open("lines");
    try {
      const found = await ask("GET", `${path}/lines?hand=${hand}&seat=${encodeURIComponent(seat)}`);
      if (this.sought === sought) this.sought = { ...found, seat };
    } catch {
      // Without a connection there are the last lines.
    }
    if (this.mode === "lines") this.show();
  }

  correctable() {
    const pad = /** @type {Pad} */ (this.pad), { hand, seat, lines } = this.sought;
    const choice = (/** @type {string} */ label, /** @type {[string, string][]} */ options, /** @type {string} */ chosen, /** @type {(value: string) => void} */ take) => {
      const select = el("select", { "data-word": label }, ...options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
      select.addEventListener("change", () => take(select.value));
      return el("label", {}, label, select);
    };
    const hands = Array.from({ length: Math.max(pad.hand, hand) }, (_, k) => /** @type {[string, string]} */ ([`${k + 1}`, `${k + 1}`]));
    const seats = pad.seats.map((one) => /** @type {[string, string]} */ ([one, pad.called[one] ?? one]));
    return [el("div", { class: "two-up" }, choice(t("hand"), hands, `${hand || pad.hand}`, (value) => this.search(Number(value), seat)), choice(t("who"), [["", t("everybody")], ...seats], seat, (value) => this.search(hand, value))),
      ...this.linesToCorrect(lines)];
  }

  /** @param {LastLine[]} lines */
  linesToCorrect(lines) {
    return lines.slice().reverse().map((line) => {
      const chosen = this.chosen === line.n;
      const head = key(el("span", {}, `${line.n} ${line.by ? `${line.by} ` : ""}`, ...suited(line.says)), () => {
        this.chosen = chosen ? undefined : line.n;
        this.show();
      }, { class: "key line", "aria-expanded": chosen });
      return el("div", { class: "line" }, head, chosen ? el("div", { class: "choices" }, key(t("replace"), () => this.fix(line, false)), key(t("strike out"), () => this.write(`fix ${line.n}-`)), key(t("insert after"), () => this.fix(line, true)),
        key(t("dispute"), () => this.write(`@ dispute #${line.n}`)), key(t("remark"), () => this.begin_(`note ${line.n} `))) : "");
    });
  }

  /** @param {Pad} pad */
  claim(pad) {
    const sides = Object.entries(pad.called).filter(([who]) => pad.score.some(([name]) => name === pad.called[who]));
    const seen = new Set();
    const fields = sides.filter(([, name]) => !seen.has(name) && seen.add(name)).map(([who, name]) => ({ who, name, figures: "" }));
    const sideOf = (/** @type {string} */ who) => Object.entries(pad.called).find(([one, name]) => name === pad.called[who] && one.length > who.length)?.[0] ?? who;
    const place = el("div", {});
    let at = 0;
    const draw = () => place.replaceChildren(...fields.map((one, k) => key(el("span", { class: "claimed" }, el("span", {}, one.name), el("b", {}, one.figures || "–")), () => {
      at = k;
      draw();
    }, { class: "key wide", "aria-pressed": k === at })), figurePad((figures) => {
      const one = fields[at];
      if (one) one.figures = figures(one.figures);
      draw();
    }));
    draw();
    return [place, key(t("write it down"), () => {
      const told = fields.filter((one) => /\d/.test(one.figures)).map((one) => `${sideOf(one.who)}=${one.figures}`);
      if (told.length) this.write(`claim ${told.join(" ")}`);
    }, { class: "key wide main" })];
  }

  /**
   * A substitute takes a seat; players join and leave if the game allows it; the table ends the match.
   * @param {Pad} pad
   */
  players(pad) {
    const who = el("select", {}, ...pad.seats.map((seat) => el("option", { value: seat }, pad.called[seat] ?? seat)));
    const name = el("input", { maxlength: 60, autocomplete: "off" });
    const with_name = (/** @type {(name: string) => string} */ line) => {
      const typed = name.value.replaceAll('"', "").trim();
      if (typed) this.write(line(typed));
      else name.focus();
    };
    const end = el("div", { class: "choices" });
    const first = key(t("end the match by agreement"), () => end.replaceChildren(key(t("the better total has won"), () => this.write("@ end match agreed")), key(t("it counts for nobody"), () => this.write("@ end match void")), key(t("cancel"), () => end.replaceChildren(first))), { class: "key", "data-word": "end the match" });
    end.append(first);
    return [el("div", { class: "two-up" }, el("label", {}, t("the seat of"), who), el("label", {}, t("name"), name)), el("div", { class: "choices" },
      key(t("takes this seat over"), () => with_name((typed) => `open ${who.value}=${JSON.stringify(typed)}`)),
      pad.open_table ? key(t("joins the table"), () => with_name((typed) => `join ${typed}`)) : "",
      pad.open_table ? key(el("span", {}, t("leaves the table")), () => this.write(`leave ${who.value}`)) : ""), end];
  }

  /** The rules of the game, as its page says them. */
  async look_up() {
    const waits = this.read(el("p", {}, t("One moment …")));
    try {
      const { name, summary, rules } = await ask("GET", `/games/${encodeURIComponent(this.pad?.game ?? "")}/rules`);
      const list = rules.map((/** @type {{short: string, heading: string, text: string}} */ one) => [el("dt", {}, one.short || one.heading), el("dd", {}, ...suited(one.text))]);
      if (this.leaf === waits) this.read(el("h2", {}, t("The rules of {game}", { game: name })), el("p", {}, sentence(summary)), el("dl", {}, ...list.flat()));
    } catch (error) {
      if (this.leaf === waits) this.read(el("p", { role: "alert" }, inWords(error)));
    }
  }

  /** What each key does. */
  help() {
    this.read(el("h2", {}, t("What the keys do")), el("dl", {}, ...HELP.flatMap(([word, text]) => [el("dt", {}, word), el("dd", {}, text)])), key(t("show me the first steps"), () => {
      this.mode = "pad";
      this.teach(1);
    }, { class: "key wide" }));
  }

  /** @param {...HTMLElement} parts what stands in the place of the keys until somebody goes back to them */
  read(...parts) {
    this.leaf = parts;
    this.open("leaf");
    return parts;
  }

  /** @param {Pad} pad */
  menu(pad) {
    const copied = el("span", { class: "soft" });
    const notSecure = isSecureContext ? "" : el("p", { class: "soft" }, t("This page came over a plain connection: the phone may dim its screen, and links are copied by hand."));
    return [el("h2", {}, pad.hand ? t("{game}, hand {n}", { game: pad.name, n: pad.hand }) : pad.name), el("table", {}, ...pad.score.map(([who, figure]) => el("tr", {}, el("th", { scope: "row" }, who), el("td", {}, figure)))),
      el("p", { class: "links" }, el("a", { href: `/m/${encodeURIComponent(match)}` }, t("the whole match")), el("a", { href: `/api/v1${path}/sheet.html` }, t("the sheet")), el("a", { href: "/board" }, t("the evening"))),
      el("div", { class: "choices" }, key(t("help"), () => this.help()), key(t("the table"), () => this.read(el("h2", {}, t("The table")), position(match))), key(t("rules"), () => this.look_up(), { class: "key", "data-word": "the rules" }), key(t("photographs"), () => this.read(el("h2", {}, t("Photographs of this table")), photographs(path, false))), key(this.mirrored ? t("keys for the right hand") : t("keys for the left hand"), () => {
        this.mirrored = !this.mirrored;
        localStorage.setItem("kibitz-mirrored", this.mirrored ? "yes" : "no");
        this.show();
      }), key(t("copy the address"), () => copy(`${location.origin}/m/${encodeURIComponent(match)}`, copied))), copied, languageChoice(), notSecure];
  }
}

/**
 * Whether there is no link any more with which this table can be recorded.
 * @param {unknown} error
 * @returns {error is RefusedError}
 */
function hasEnded(error) {
  return error instanceof RefusedError && [401, 403, 404].includes(error.problem.status);
}

/** @param {string} word */
function isCard(word) {
  return /^(?:[2-9AKQJT][shdc]|x|Jo[+-]?)$/.test(word);
}

/** @param {string} word */
function isFigure(word) {
  return /^\d$/.test(word);
}

/**
 * The lines and the table get the room that the keys leave: with too little, old lines go first, then the table (but not a trick), then more lines.
 * @param {HTMLElement} above
 * @param {boolean} trick
 */
function fit(above, trick) {
  const pad = above.parentElement?.querySelector(".pad");
  const over = () => above.scrollHeight > above.clientHeight + 1, tight = () => over() || (pad && pad.scrollHeight > pad.clientHeight);
  const table = above.querySelector(".middle"), lines = above.querySelector(".lines");
  const lesson = above.querySelector(".lesson"), keep = lesson ? 1 : IN_SIGHT + (lines?.querySelector(".waiting") ? 1 : 0);
  // The keys keep their room.
  while (tight() && lines && lines.children.length > keep) lines.firstElementChild?.remove();
  if (table && (lesson ? tight() : over() && !trick)) table.remove();
  // On a very small screen with many keys, the help shows the rest.
  if (lesson && tight()) lesson.remove();
  while (over() && lines && lines.children.length > 1) lines.firstElementChild?.remove();
  if (over() && table) table.remove();
}

const SUITS = /** @type {Record<string, [string, string]>} */ ({ s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] });
/** What the cards of the pack on the table are called, if it is not the French one.
 * @type {Record<string, string>} */
let inPack = {};

/**
 * A card of the notation as players write it: `9c` is `9♣`, or `9b` if batons are on the table.
 * @param {string} card
 */
function pretty(card) {
  if (inPack[card]) return inPack[card] ?? "";
  if (card.startsWith("Jo")) return t("joker");
  if (card.includes("?")) return t("not seen");
  const rank = card.slice(0, -1), suit = card.at(-1) ?? "";
  return (rank === "T" ? "10" : rank) + (SUITS[suit]?.[0] ?? suit);
}

/** @param {string} card */
function card_(card) {
  return el("span", { class: "face", role: "img", "aria-label": pretty(card) }, ...(inPack[card] ? [inColour(card.at(-1) ?? "", pretty(card))] : suited(pretty(card))));
}

/** @param {string} suit @param {string} label */
function inColour(suit, label) {
  return el("span", { class: `card ${SUITS[suit]?.[1]}` }, label);
}

/**
 * A line with its cards in signs.
 * @param {string} line
 */
function inSigns(line) {
  // A card that captures others is described as in the lines above: `Kh/AdQs` takes two.
  const cards = (/** @type {string} */ run) => (run.match(/[2-9AKQJT][shdc]/g) ?? []).map(pretty).join(" ");
  return line.replace(/\b((?:[2-9AKQJT][shdc])+)\/((?:[2-9AKQJT][shdc])+)\b/g, (_, with_, taken) => t("{cards} takes {taken}", { cards: cards(with_), taken: cards(taken) })).replace(/\b(?:[2-9AKQJT][shdc])+\b/g, cards).replace(/\bx\b/g, t("not seen"));
}

/** @param {Pad} pad */
function named(pad) {
  return pad.to_act.replace(/ \(\w+(?::\d)?\)/g, "");
}

/**
 * The contract, with its text before the player's name: with little room a long one takes two lines, and the name is cut.
 * @param {Pad} pad
 * @param {(name: string) => string} short
 */
function contract(pad, short) {
  const who = Object.values(pad.called).sort((a, b) => b.length - a.length).find((name) => pad.contract.startsWith(`${name} `)) ?? "";
  const what = who ? pad.contract.slice(who.length + 1) : pad.contract;
  return [el("b", { class: `contract${what.length > 5 ? " long" : ""}` }, ...suited(what)), el("span", { class: "by soft" }, short(who))];
}

/**
 * The last written line, with names, and its result.
 * @param {Pad} pad
 * @param {{text: string, next?: string}} answer  of the service
 */
function written(pad, { text, next }) {
  const [acts, ...rest] = text.split(" · ");
  const [, first, last = first] = /^(\d+)(?:–(\d+)(?!.*\())? {2}/.exec(acts ?? "") ?? [];
  // Other recorders may have written since. The result of an earlier act is in brackets after it.
  const told = (pad.lines ?? []).filter(({ n }) => n >= Number(first) && n <= Number(last));
  const inNames = (acts ?? "").replace(/(^[\d–]+ {2}|, )([A-Z])(?= )/g, (_, before, seat) => before + (pad.called[seat] ?? seat));
  // The next player is shown beside it.
  const came = rest.filter((part) => part !== next);
  const said = told.flatMap((one, k) => [k ? ", " : "", one.by ? `${one.by} ` : "", ...suited(one.says)]);
  return [...(said.length ? [...said, el("span", { class: "soft" }, ` ${first === last ? first : `${first}–${last}`}`)] : suited(inNames)), ...(came.length ? [" · ", ...suited(came.join(" · "))] : [])];
}

/** @param {number} n */
function count(n) {
  return [t("No"), t("One"), t("Two"), t("Three"), t("Four"), t("Five"), t("Six"), t("Seven"), t("Eight"), t("Nine")][n] ?? String(n);
}

const phone = new Phone(new Queue(match));
Object.assign(root(), { phone });
phone.begin();
if (isSecureContext && "serviceWorker" in navigator) {
  // So that a reload without a connection still finds the page.
  navigator.serviceWorker.register(new URL("./worker.js", import.meta.url), { scope: "/" }).catch(() => undefined);
}
