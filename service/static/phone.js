// The phone at the table: keys below, answers above, and lines that wait while there is no connection.
// @ts-check
import { OfflineError, RefusedError, ask, copy, el, freshKey, inWords, isSecure, key, pretty, root, suited } from "./common.js";
import { Queue } from "./queue.js";
import { ResultForm } from "./result.js";

/**
 * @typedef {{text: string, label: string, says?: string, ends?: boolean}} Key
 * @typedef {{n: number, says: string, short: string, by?: string}} LastLine
 * @typedef {{match: string, last: number, game: string, name: string, hand: number, contract: string, score: [string, string][], turn: string[],
 *   to_act: string, over: boolean, called: Record<string, string>, seats: string[], lines?: LastLine[], middle?: [string, string][], hint?: string,
 *   led?: string, one_card?: boolean, trick?: number, suits?: Key[], ranks?: Key[], singles?: Key[], gone?: string[], keys?: Key[], verbs?: Key[],
 *   piles?: Key[], unseen?: boolean, result?: boolean}} Pad
 * @typedef {import("./queue.js").Waiting} Waiting
 */

const RETRY = [500, 1000, 2000, 4000, 8000];
const match = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/matches/${encodeURIComponent(match)}`;

class Phone {
  /** @param {Queue} queue */
  constructor(queue) {
    this.queue = queue;
    /** @type {Pad | undefined} */
    this.pad = undefined;
    /** @type {string[]} The words of the line that is being written. */
    this.words = [];
    /** What the line begins with, if something was chosen for it: a correction, a seat. */
    this.prefix = "";
    this.suit = "";
    /** @type {{ok: boolean, text: string, told: string[]} | undefined} */
    this.answer = undefined;
    /** @type {{line: Waiting, problem: import("./common.js").Problem} | undefined} What the service asks back about the first line that waits. */
    this.asked = undefined;
    this.offline = false;
    this.sending = false;
    this.tries = 0;
    /** @type {"pad" | "more" | "lines" | "write" | "result" | "claim" | "menu"} */
    this.mode = "pad";
    this.mirrored = localStorage.getItem("kibitz-mirrored") === "yes";
    this.warned = false;
    /** The suit of the first card that was written while there was no connection, and how many followed. */
    this.alone = { suit: "", cards: 0 };
  }

  async begin() {
    const known = localStorage.getItem(`kibitz-pad-${match}`);
    if (known) this.pad = JSON.parse(known);
    await this.queue.load();
    this.show();
    await this.refresh();
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") {
        this.stayAwake();
        if (this.queue.lines.length) this.send();
        else this.refresh();
      }
    });
    this.stayAwake();
    this.follow();
    this.send();
  }

  async stayAwake() {
    if (!isSecure() || !("wakeLock" in navigator)) return;
    try {
      await navigator.wakeLock.request("screen");
    } catch {
      // The battery is low, or the page is not in front: then the screen dims as ever.
    }
  }

  /** Others may write into this match too: then the position is asked for again. */
  follow() {
    const stream = new EventSource(`/api/v1${path}/live`);
    const news = (/** @type {MessageEvent} */ event) => {
      const n = Number(String(event.lastEventId).split("-")[0]);
      if (this.pad && n > this.pad.last && !this.sending && !this.queue.lines.length) this.refresh();
    };
    stream.addEventListener("step", news);
    stream.addEventListener("anew", news);
    stream.addEventListener("ended", () => stream.close());
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => this.follow(), 5000);
    };
  }

  async refresh() {
    try {
      this.take(await ask("GET", `${path}/pad`));
      this.offline = false;
    } catch (error) {
      if (error instanceof OfflineError) this.lost();
      else this.refused(error);
    }
    this.show();
  }

  /** @param {Pad} pad */
  take(pad) {
    this.pad = pad;
    // Where no suit is led, that of the last card stays pressed.
    this.suit = pad.trick || pad.led ? pad.led ?? "" : this.suit;
    localStorage.setItem(`kibitz-pad-${match}`, JSON.stringify(pad));
  }

  /** @param {unknown} error */
  refused(error) {
    if (error instanceof RefusedError && error.problem.status === 401) {
      root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), el("p", { role: "alert" }, inWords(error)), this.queue.lines.length
        ? el("p", {}, `${this.queue.lines.length} lines wait on this phone. They go out as soon as it has a link again.`) : ""));
      return;
    }
    this.answer = { ok: false, text: inWords(error), told: [] };
  }

  lost() {
    this.offline = true;
    const wait = RETRY[Math.min(this.tries++, RETRY.length - 1)];
    setTimeout(() => (this.queue.lines.length ? this.send() : this.refresh()), wait);
  }

  // -- writing -----------------------------------------------------------------------------------------------------

  /** The line as it will be sent: cards that follow each other are one word. */
  get line() {
    let out = this.prefix;
    let before = "";
    for (const word of this.words) {
      const joined = isCard(word) && isCard(before) && !this.pad?.one_card;
      out += (out && !joined && !out.endsWith(" ") ? " " : "") + word;
      before = word;
    }
    return out.trim();
  }

  /** @param {Key} one */
  tap(one) {
    this.mode = "pad";
    this.words.push(one.text);
    if (one.ends) this.done();
    else this.show();
  }

  /** @param {string} suit */
  tapSuit(suit) {
    this.suit = this.suit === suit ? "" : suit;
    this.show();
  }

  /** @param {string} rank */
  tapRank(rank) {
    if (!this.suit) {
      this.answer = { ok: false, text: "Tap the suit first, then the rank.", told: [] };
      this.show();
      return;
    }
    this.tapCard(rank + this.suit);
  }

  /** @param {string} card */
  tapCard(card) {
    this.words.push(card);
    if (this.pad?.one_card && (!this.prefix || this.prefix.endsWith(" "))) this.done();
    else this.show();
  }

  back() {
    if (this.words.length) this.words.pop();
    else this.prefix = "";
    this.show();
  }

  async done() {
    const line = this.line;
    this.words = [];
    this.prefix = "";
    if (!line) return;
    await this.write(line);
  }

  /**
   * @param {string} line
   * @param {boolean} asPlayed
   */
  async write(line, asPlayed = false) {
    this.mode = "pad";
    this.answer = undefined;
    // A line that follows another on this phone is read where that one leads.
    const expect = this.queue.lines.length ? null : this.pad?.last ?? null;
    const first = this.queue.lines.length === 0;
    await this.queue.add({ key: freshKey(), line, expect, asPlayed });
    if (this.offline || !first) this.guess(line);
    this.show();
    await this.send();
  }

  /** Without a connection nobody says which suit was led: the first card of a trick does. */
  guess(/** @type {string} */ line) {
    const size = this.pad?.trick ?? 0, card = /^([2-9AKQJT])([shdc])$/.exec(line);
    if (!size || !card) return;
    const lain = this.alone.cards || (this.pad?.middle?.length ?? 0) % size;
    if (lain === 0) this.alone.suit = card[2] ?? "";
    this.alone.cards = (lain + 1) % size;
    this.suit = this.alone.cards ? this.alone.suit || this.pad?.led || "" : "";
  }

  async send() {
    if (this.sending || this.asked) return;
    this.sending = true;
    try {
      for (let line = this.queue.lines[0]; line; line = this.queue.lines[0]) {
        const told = await ask("POST", `${path}/lines`, { line: line.line, key: line.key, as_played: line.asPlayed ?? false, ...(line.expect === null ? {} : { expect: line.expect }) });
        this.offline = false;
        this.tries = 0;
        await this.queue.remove(line);
        // The next one was written to follow this one.
        const next = this.queue.lines[0];
        if (next && next.expect === null) {
          next.expect = told.last;
          await this.queue.change(next);
        }
        this.alone = { suit: "", cards: 0 };
        this.take(told.pad);
        this.answer = { ok: true, text: told.line, told: told.told ?? [] };
      }
    } catch (error) {
      const line = this.queue.lines[0];
      if (error instanceof OfflineError) this.lost();
      else if (error instanceof RefusedError && line && error.problem.status !== 401) {
        this.asked = { line, problem: error.problem };
        if (error.problem.status === 409) await this.look();
      } else this.refused(error);
    } finally {
      this.sending = false;
    }
    this.show();
  }

  /** What others wrote is looked at before the own line is offered again. */
  async look() {
    try {
      this.take(await ask("GET", `${path}/pad`));
    } catch {
      // The next try shows it.
    }
  }

  /**
   * The first line that waits, once more: as it is, otherwise, or not at all.
   * @param {"again" | "as played" | "drop" | "edit" | string} how
   */
  async decide(how) {
    const asked = this.asked;
    if (!asked) return;
    this.asked = undefined;
    const { line } = asked;
    if (how === "drop" || how === "edit") {
      await this.queue.remove(line);
      const next = this.queue.lines[0];
      if (next && next.expect === null) {
        next.expect = this.pad?.last ?? null;
        await this.queue.change(next);
      }
      if (how === "edit") {
        this.mode = "write";
        this.draft = line.line;
      }
    } else {
      if (how === "as played") line.asPlayed = true;
      else if (how !== "again") line.line = how;
      line.key = freshKey();
      line.expect = this.pad?.last ?? null;
      await this.queue.change(line);
    }
    this.show();
    await this.send();
  }

  // -- showing -----------------------------------------------------------------------------------------------------

  show() {
    const { pad } = this;
    if (!pad) {
      root().replaceChildren(el("main", { class: "plain" }, el("h1", {}, "Kibitz"), el("p", {}, this.offline ? "There is no connection, and this phone has not seen the match yet." : this.answer?.text ?? "One moment …")));
      return;
    }
    document.title = `${pad.name}: ${pad.to_act || "at the table"}`;
    const above = el("div", { class: "above" }, this.banner(), this.lines(), this.mode === "pad" ? this.middle() : "", this.answerLine());
    const below = this.mode === "pad" ? this.keys() : this.panel();
    const page = el("main", { class: `phone${this.mirrored ? " mirrored" : ""}` }, this.head(), above, below);
    root().replaceChildren(page);
  }

  head() {
    const pad = /** @type {Pad} */ (this.pad);
    const menu = key("☰", () => this.open(this.mode === "menu" ? "pad" : "menu"), { class: "bare", "aria-label": "Menu", "aria-expanded": this.mode === "menu" });
    const figures = pad.score.map(([, figure]) => figure).join(pad.score.length === 2 ? " : " : " · ");
    return el("header", {}, el("b", { class: "game" }, pad.name), el("span", { class: "soft" }, pad.hand ? `hand ${pad.hand}` : ""), ...contract(pad), el("span", { class: "score", title: pad.score.map(([who, figure]) => `${who} ${figure}`).join(", ") }, figures), menu);
  }

  banner() {
    const n = this.queue.lines.length;
    if (!this.queue.keeps && n) return el("p", { class: "banner", role: "status" }, el("b", {}, "This browser keeps nothing. "), "Do not close the page while lines wait.");
    if (!this.offline) return "";
    const many = n === 0 ? "What you write waits on this phone." : n === 1 ? "One line waits on this phone and will be sent." : `${count(n)} lines wait on this phone and will be sent in their order.`;
    return el("p", { class: "banner", role: "status" }, el("b", {}, "No connection. "), `${many} Keep writing.`);
  }

  lines() {
    const pad = /** @type {Pad} */ (this.pad);
    const waiting = this.queue.lines.map((line) => el("li", { class: "waiting" }, el("span", { class: "ring", "aria-hidden": "true" }), el("span", { class: "n" }, "–"), el("span", { class: "says" }, ...suited(inSigns(line.line))), el("span", { class: "soft" }, this.sending && !this.offline ? "being sent" : "not yet sent")));
    const sent = (pad.lines ?? []).slice(-3).map((line) => el("li", {}, el("span", { class: "n" }, String(line.n)), el("span", { class: "says" }, line.by ? `${line.by} ` : "", ...suited(line.says))));
    return el("ol", { class: "lines", "aria-label": "The last lines" }, ...[...sent, ...waiting].slice(-4));
  }

  middle() {
    const pad = /** @type {Pad} */ (this.pad);
    const laid = pad.middle ?? [];
    if (!laid.length && !pad.trick) return "";
    if (!pad.trick) return el("div", { class: "middle row" }, ...laid.flatMap(([, card]) => [card_(card)]));
    const first = laid[0]?.[0] ?? pad.turn[0] ?? pad.seats[0] ?? "";
    const from = Math.max(0, pad.seats.indexOf(first)), order = [...pad.seats.slice(from), ...pad.seats.slice(0, from)];
    const by = new Map(laid.map(([seat, card]) => [seat, card]));
    return el("div", { class: "middle" }, ...order.slice(0, 6).map((seat) => {
      const card = by.get(seat);
      return el("div", { class: `place${pad.turn.includes(seat) ? " turn" : ""}` }, el("span", { class: "who" }, pad.called[seat] ?? seat), card ? card_(card) : el("span", { class: "empty" }));
    }));
  }

  answerLine() {
    const pad = /** @type {Pad} */ (this.pad);
    if (this.asked) return this.question(this.asked);
    const to = el("b", { class: "to" }, this.queue.lines.length ? "" : pad.over ? "the match is over" : named(pad));
    if (this.line) return el("div", { class: "answer typing" }, el("span", {}, ...suited(inSigns(this.line)), " …"), el("span", { class: "soft" }, "being written"));
    if (this.offline) return el("div", { class: "answer two" }, el("span", {}, "Not checked while there is no connection."), el("span", { class: "soft" }, "It will say what each line meant once they are sent."));
    if (!this.answer) return el("div", { class: "answer", role: "status" }, el("span", {}), to);
    const said = el("span", { class: this.answer.ok ? "said" : "said wrong" }, this.answer.ok ? el("span", { class: "tick", "aria-label": "written down" }, "✓") : el("span", { class: "mark" }, "!"), ...(this.answer.ok ? written(pad, this.answer.text) : suited(this.answer.text)));
    const told = this.answer.told.length ? el("ul", { class: "told" }, ...this.answer.told.map((text) => el("li", {}, ...suited(text)))) : "";
    return el("div", { class: "answer", role: "status" }, said, this.answer.ok ? to : "", told);
  }

  /** @param {{line: Waiting, problem: import("./common.js").Problem}} asked */
  question({ line, problem }) {
    const keys = [];
    if (problem.status === 409 && problem.type.endsWith("stale")) keys.push(key("write it now", () => this.decide("again")));
    for (const reading of problem.readings ?? []) keys.push(key(inSigns(reading), () => this.decide(reading)));
    if (problem.doubts?.length) keys.push(key("it was played so", () => this.decide("as played")));
    keys.push(key("change it", () => this.decide("edit")), key("leave it out", () => this.decide("drop")));
    const missed = (problem.missed ?? []).slice(-4).map((one) => el("li", {}, `${one.n} `, ...suited(one.line)));
    const why = problem.doubts?.length ? problem.doubts : [problem.status === 409 && missed.length ? "Somebody else wrote meanwhile:" : [problem.title, problem.expected && `expected ${problem.expected}`].filter(Boolean).join("; ")];
    return el("div", { class: "question", role: "alert" }, el("p", {}, el("span", { class: "mark" }, "!"), el("b", {}, ...suited(inSigns(line.line)))), ...why.map((text) => el("p", { class: "why" }, ...suited(text))),
      missed.length ? el("ul", {}, ...missed) : "", el("div", { class: "choices" }, ...keys));
  }

  keys() {
    const pad = /** @type {Pad} */ (this.pad);
    const hint = el("p", { class: "hint soft" }, ...suited(pad.hint ?? ""));
    const acts = (pad.keys ?? []).map((one) => key(el("span", {}, ...suited(one.label)), () => this.tap(one), { class: "key act" }));
    const offlineGrid = this.offline || this.queue.lines.length > 0;
    const grid = pad.unseen || !pad.keys?.length || offlineGrid || this.prefix || this.words.length ? this.grid() : [];
    const seats = pad.turn.length > 1 && !this.words.length && !this.prefix ? pad.turn.map((seat) => key(pad.called[seat] ?? seat, () => {
      this.prefix = `${seat} `;
      this.show();
    }, { class: "key act seat" })) : [];
    const tools = el("div", { class: "row tools" }, key("undo", () => this.write("undo"), { class: "key tool" }), key("correct", () => this.open("lines"), { class: "key tool" }),
      key("claim", () => this.open("claim"), { class: "key tool" }), key("more", () => this.open("more"), { class: "key tool" }),
      this.line && !pad.one_card ? key("write", () => this.done(), { class: "key tool main" }) : key("⌫", () => this.back(), { class: "key tool", "aria-label": "take back what is being written" }));
    return el("div", { class: "pad" }, hint, acts.length ? el("div", { class: `acts${acts.length > 6 ? " many" : ""}` }, ...seats, ...acts) : seats.length ? el("div", { class: "acts" }, ...seats) : "", ...grid, tools);
  }

  grid() {
    const pad = /** @type {Pad} */ (this.pad);
    const suits = pad.suits ?? [], ranks = pad.ranks ?? [], singles = pad.singles ?? [];
    if (!suits.length && !ranks.length) return [];
    const gone = new Set(pad.gone ?? []);
    const four = ranks.length + singles.length <= 8;
    const suitKeys = suits.map((suit) => {
      const pressed = this.suit === suit.text;
      return key(el("span", { class: `card ${suit.says}` }, suit.label + "\ufe0e"), () => this.tapSuit(suit.text), { class: "key suit", "aria-pressed": pressed, "aria-label": suit.says });
    });
    const x = key("not seen", () => this.tapCard("x"), { class: "key small" });
    const rankKeys = ranks.map((rank) => key(rank.label, () => this.tapRank(rank.text), { class: `key rank${gone.has(rank.text + this.suit) ? " gone" : ""}`, "aria-label": gone.has(rank.text + this.suit) ? `${rank.label}, seen already` : rank.label }));
    const single = singles.map((one) => key(el("span", {}, ...suited(one.label)), () => this.tapCard(one.text), { class: `key rank${gone.has(one.text) ? " gone" : ""}` }));
    const verbs = this.words.length || this.prefix ? [] : (pad.verbs ?? []).map((verb) => key(verb.label, () => this.tap({ ...verb, ends: false }), { class: "key verb" }));
    const verbRow = verbs.length ? [el("div", { class: "row verbs" }, ...verbs)] : [];
    const pileRow = this.words.length && pad.piles?.length ? [el("div", { class: "row piles" }, ...pad.piles.slice(0, 12).map((pile) => key(pile.label, () => this.tap({ ...pile, ends: false }), { class: "key verb" })))] : [];
    return [...verbRow, ...pileRow, el("div", { class: `grid ${four ? "four" : "five"}` }, ...suitKeys, ...(four ? [] : [x]), ...rankKeys, ...single, ...(four ? [x] : []))];
  }

  // -- what is opened ------------------------------------------------------------------------------------------------

  /** @param {Phone["mode"]} mode */
  open(mode) {
    this.mode = mode;
    this.show();
  }

  panel() {
    const pad = /** @type {Pad} */ (this.pad);
    const close = key("back to the keys", () => this.open("pad"), { class: "key wide" });
    switch (this.mode) {
      case "lines":
        return el("section", { class: "panel" }, el("h2", {}, "Correct"), ...this.correctable(), close);
      case "claim":
        return el("section", { class: "panel" }, el("h2", {}, "The score as the table says it"), ...this.claim(pad), close);
      case "write":
        return el("section", { class: "panel" }, el("h2", {}, "A line in words"), this.field(), close);
      case "result":
        return el("section", { class: "panel" }, new ResultForm(path, (line) => this.write(line), () => this.open("pad")).element, close);
      case "menu":
        return el("section", { class: "panel" }, ...this.menu(pad), close);
      default:
        return el("section", { class: "panel" }, el("div", { class: "choices" }, pad.result ? key("only the result", () => this.open("result")) : "", key("a new hand", () => this.write("hand")), key("write a line", () => this.open("write")),
          key("a remark", () => this.begin_("note ")), key("not seen: some acts", () => this.write("gap")), key("the whole last line back", () => this.write("undo line")),
          ...pad.seats.map((seat) => key(`for ${pad.called[seat] ?? seat}`, () => {
            this.prefix = `${seat} `;
            this.open("pad");
          })), ...(pad.verbs ?? []).map((verb) => key(verb.label, () => this.tap({ ...verb, ends: false })))), close);
    }
  }

  /** @param {string} text */
  begin_(text) {
    this.draft = text;
    this.open("write");
  }

  field() {
    const input = /** @type {HTMLInputElement} */ (el("input", { type: "text", value: this.draft ?? "", autocapitalize: "off", autocomplete: "off", spellcheck: "false", "aria-label": "the line", enterkeyhint: "send" }));
    this.draft = undefined;
    const send = () => {
      if (input.value.trim()) this.write(input.value.trim());
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") send();
    });
    setTimeout(() => input.focus(), 0);
    return el("div", { class: "field" }, input, key("write", send, { class: "key main" }));
  }

  correctable() {
    const pad = /** @type {Pad} */ (this.pad);
    return (pad.lines ?? []).slice().reverse().map((line) => el("div", { class: "line" }, el("span", { class: "says" }, `${line.n} ${line.by ? `${line.by} ` : ""}`, ...suited(line.says)),
      el("div", { class: "choices" }, key("replace", () => {
        this.prefix = `fix ${line.n} `;
        this.open("pad");
      }), key("strike out", () => this.write(`fix ${line.n}-`)), key("insert after", () => this.begin_(`fix ${line.n}+ `)), key("dispute", () => this.begin_(`@ dispute #${line.n} `)), key("remark", () => this.begin_(`note ${line.n} `)))));
  }

  /** @param {Pad} pad */
  claim(pad) {
    const sides = Object.entries(pad.called).filter(([who]) => pad.score.some(([name]) => name === pad.called[who]));
    const seen = new Set();
    const fields = sides.filter(([, name]) => !seen.has(name) && seen.add(name)).map(([who, name]) => {
      const input = /** @type {HTMLInputElement} */ (el("input", { type: "text", inputmode: "numeric", "aria-label": `points of ${name}`, "data-who": who }));
      return { who, input, row: el("label", { class: "claimed" }, el("span", {}, name), input) };
    });
    const sideOf = (/** @type {string} */ who) => Object.entries(pad.called).find(([one, name]) => name === pad.called[who] && one.length > who.length)?.[0] ?? who;
    return [...fields.map((one) => one.row), key("write it down", () => {
      const told = fields.filter((one) => one.input.value.trim()).map((one) => `${sideOf(one.who)}=${one.input.value.trim()}`);
      if (told.length) this.write(`claim ${told.join(" ")}`);
    }, { class: "key wide main" })];
  }

  /** @param {Pad} pad */
  menu(pad) {
    const copied = el("span", { class: "soft" });
    const notSecure = isSecure() ? "" : el("p", { class: "soft" }, "This page came over a plain connection: the phone may dim its screen, and links are copied by hand.");
    return [el("h2", {}, `${pad.name}${pad.hand ? `, hand ${pad.hand}` : ""}`), el("table", {}, ...pad.score.map(([who, figure]) => el("tr", {}, el("th", { scope: "row" }, who), el("td", {}, figure)))),
      el("p", { class: "links" }, el("a", { href: `/m/${encodeURIComponent(match)}` }, "the whole match"), el("a", { href: `/api/v1${path}/sheet.html` }, "the sheet"), el("a", { href: "/board" }, "the evening")),
      el("div", { class: "choices" }, key(this.mirrored ? "keys for the right hand" : "keys for the left hand", () => {
        this.mirrored = !this.mirrored;
        localStorage.setItem("kibitz-mirrored", this.mirrored ? "yes" : "no");
        this.show();
      }), key("copy the address", () => copy(`${location.origin}/m/${encodeURIComponent(match)}`, copied))), copied, notSecure];
  }
}

/** @param {string} word */
function isCard(word) {
  return /^(?:[2-9AKQJT][shdc]|x|Jo)$/.test(word);
}

/** @param {string} card */
function card_(card) {
  return el("span", { class: "face", role: "img", "aria-label": pretty(card) }, ...suited(pretty(card)));
}

/**
 * A line with its cards in signs.
 * @param {string} line
 */
function inSigns(line) {
  return line.replace(/\b([2-9AKQJT])([shdc])(?![a-z])/g, (_, rank, suit) => pretty(rank + suit)).replace(/\bx\b/g, "not seen");
}

/** @param {Pad} pad */
function named(pad) {
  return pad.to_act.replace(/ \(\w+(?::\d)?\)/g, "");
}

/**
 * The contract, what it is before who plays it: where there is too little room the name is cut.
 * @param {Pad} pad
 */
function contract(pad) {
  const who = Object.values(pad.called).sort((a, b) => b.length - a.length).find((name) => pad.contract.startsWith(`${name} `)) ?? "";
  const what = who ? pad.contract.slice(who.length + 1) : pad.contract;
  return [el("b", { class: "contract" }, ...suited(what)), el("span", { class: "by soft" }, who)];
}

/**
 * What was just written down, with names, and what came of it.
 * @param {Pad} pad
 * @param {string} text  as the service answered it
 */
function written(pad, text) {
  const [acts, ...rest] = text.split(" · ");
  const last = pad.lines?.at(-1);
  const one = last && /^\d+ {2}/.test(acts ?? "") && Number.parseInt(acts ?? "", 10) === last.n;
  const came = rest.filter((part) => !/^[^:]* to [a-z ]+$/.test(part));
  return [...(one ? [`${last.by ? `${last.by} ` : ""}`, ...suited(last.says), el("span", { class: "soft" }, ` ${last.n}`)] : suited(acts ?? "")), ...(came.length ? [" · ", ...suited(came.join(" · "))] : [])];
}

/** @param {number} n */
function count(n) {
  return ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"][n] ?? String(n);
}

const phone = new Phone(new Queue(match));
Object.assign(root(), { phone });
phone.begin();
