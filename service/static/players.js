// The players: those of the register, and the names that are linked to no player. The director links them.
// @ts-check
import { ask, el, inWords, key, opened, select, t } from "./common.js";
import { page, table } from "./many.js";

/**
 * @typedef {{name: string, book: string, match: string, seat: string}} Link
 * @typedef {{name: string, id: string, matches: number, counted: number, links: Link[], like: {name: string, id: string}[], forgotten: boolean}} Player
 */

const book = new URLSearchParams(location.search).get("book") ?? "";
const FIGURES = /** @type {[string, string][]} */ ([["points", t("points")], ["vp", t("victory points")], ["won", t("matches won")], ["lost", t("matches lost")], ["matches", t("matches")], ["hands", t("hands")], ["hands_won", t("hands won")], ["difference", t("points difference")], ["made", t("contracts made")], ["failed", t("contracts failed")], ["chips", t("chips")]]);
/** The most names that become players with one press. */
const MOST_AT_ONCE = 20;
const HEADS = [t("matches"), t("counted in tables"), ""];

/** @param {Link} link */
const spelled = ({ name, book, match, seat }) => (match ? t("seat {seat} of {match}", { seat, match }) : book ? t("“{name}” in the book {book}", { name, book }) : `“${name}”`);

/**
 * @param {Player} one
 * @param {((one: Player) => void) | undefined} change
 * @param {string} words
 */
function row(one, change, words) {
  const who = encodeURIComponent(one.id || one.name);
  return [one.name, change && !one.forgotten ? key(words, () => change(one), { class: "key", "aria-label": `${words}: ${one.name}` }) : "", ...(one.id ? [one.links.map(spelled).join(", ") || t("no name yet")] : []), String(one.matches), String(one.counted), el("span", { class: "links" }, el("a", { href: `/season?player=${who}` }, t("figures")), el("a", { href: `/find?player=${who}` }, t("matches")))];
}

class Register {
  /** @param {boolean} keeps whether this director may change it */
  constructor(keeps) {
    this.keeps = keeps;
    this.place = el("section", { class: "registering", "aria-label": t("what is changed") });
    this.said = el("p", { role: "status" });
    this.lists = el("div", {});
    /** @type {Player[]} */
    this.known = [];
    /** @type {Player[]} */
    this.free = [];
  }

  async list() {
    const { players } = /** @type {{players: Player[]}} */ (await ask("GET", `/players${book ? `?book=${encodeURIComponent(book)}` : ""}`));
    const free = (this.free = players.filter((one) => !one.id));
    this.known = players.filter((one) => one.id);
    const alone = free.filter((one) => !one.like.length).slice(0, MOST_AT_ONCE);
    this.lists.replaceChildren(
      this.known.length ? table([t("name"), "", t("written as"), ...HEADS], this.known.map((one) => row(one, this.keeps ? (who) => this.change(who) : undefined, t("change"))), [1, 2, 5]) : el("p", {}, t("Nobody is in the register of players yet.")),
      ...(free.length ? [el("h2", {}, t("Names not linked to a player")), el("p", { class: "soft" }, t("Each counts by itself until it is linked.")),
        ...(this.keeps && alone.length > 1 ? [el("div", { class: "choices" }, key(t("each of these is a player: {names}", { names: alone.map(({ name }) => name).join(", ") }), () => this.write(t("They are in the register."), ...alone.map(({ name }) => ({ did: "add", name, book })))))] : []), table([t("name"), "", ...HEADS], free.map((one) => row(one, this.keeps ? (who) => this.whose(who) : undefined, t("who is this?"))), [1, 4])] : []));
  }

  /**
   * Write changes of the register, one after the other.
   * @param {string} done what is said afterwards
   * @param {...(Record<string, string> | ((id: string) => Record<string, string>))} deeds
   */
  async write(done, ...deeds) {
    try {
      let id = "";
      for (const deed of deeds) ({ id } = await ask("POST", "/players", typeof deed === "function" ? deed(id) : deed));
      this.place.replaceChildren();
      await this.list();
      this.said.replaceChildren(done);
    } catch (error) {
      this.said.replaceChildren(inWords(error));
    }
  }

  /**
   * A panel above the lists.
   * @param {string} title
   * @param {...Node} parts
   */
  open(title, ...parts) {
    this.said.replaceChildren();
    this.place.replaceChildren(el("h2", { tabindex: -1 }, title), ...parts, key(t("cancel"), () => this.place.replaceChildren()));
    this.place.scrollIntoView({ block: "nearest" });
    this.place.querySelector("h2")?.focus();
  }

  /** @param {Player[]} [others] */
  choice(others = this.known) {
    return select(others.filter((one) => !one.forgotten).map((one) => [one.id, one.name]));
  }

  /**
   * Who a name is: a player, an alike one first, or somebody new.
   * @param {Player} free
   */
  whose(free) {
    const { name } = free, likely = free.like.filter((one) => one.id), whose = this.choice(this.known.filter((one) => !likely.some(({ id }) => id === one.id)));
    const isOf = (/** @type {string} */ id, /** @type {string} */ called) => key(t("this is {name}", { name: called }), () => this.write(t("{name} is {other} from now on.", { name, other: called }), { did: "link", player: id, name, book }));
    this.open(t("Who is {name}?", { name }), el("div", { class: "choices" }, ...likely.map(({ id, name: called }) => isOf(id, called)),
      key(t("a player of this name"), () => this.write(t("{name} is a player of the register now.", { name }), { did: "add", name, book }), { class: "key main" })),
    ...(whose.options.length ? [el("div", { class: "two-up" }, el("label", {}, t("somebody else"), whose), key(t("this is who it is"), () => this.write(t("{name} is {other} from now on.", { name, other: whose.selectedOptions[0]?.text ?? "" }), { did: "link", player: whose.value, name, book })))] : []));
  }

  /** @param {Player} one */
  change(one) {
    const name = el("input", { value: one.name, maxlength: 120, autocomplete: "off" }), also = el("input", { maxlength: 120, autocomplete: "off" });
    const others = this.choice(this.known.filter(({ id }) => id !== one.id)), last = el("div", { class: "choices" });
    const forget = key(t("show this name nowhere any more"), () => last.replaceChildren(el("p", {}, t("Sheets, tables and replays will say “Former player” from now on. What was recorded stays as it is. There is no way back.")), key(t("forget the name"), () => this.write(t("The name is shown nowhere any more."), { did: "forget", player: one.id }), { class: "key main" })));
    last.append(forget);
    this.open(one.name,
      el("div", { class: "two-up" }, el("label", {}, t("name"), name), key(t("rename"), () => this.write(t("It is {name} from now on.", { name: name.value.trim() }), { did: t("rename"), player: one.id, name: name.value }))),
      el("div", { class: "two-up" }, el("label", {}, t("also written as"), also), key(t("link this name"), () => this.write(t("{name} is {other} from now on.", { name: also.value.trim(), other: one.name }), { did: "link", player: one.id, name: also.value.trim() }))),
      this.decision(one),
      ...(one.links.length ? [el("ul", { class: "grants" }, ...one.links.map((link) => el("li", {}, el("span", {}, spelled(link)), key(t("this is somebody else"), () => this.write(t("{name} is linked to nobody now.", { name: spelled(link) }), { did: "unlink", player: one.id, ...link })))))] : []),
      ...(others.options.length ? [el("div", { class: "two-up" }, el("label", {}, t("the same player as"), others), key(t("make one of the two"), () => this.write(t("They are one player: {name}.", { name: others.selectedOptions[0]?.text ?? "" }), { did: "merge", player: one.id, into: others.value })))] : []), last);
  }

  /**
   * What the director decides about a player: a bye, an excuse, points given or taken.
   * @param {Player} one
   */
  decision(one) {
    const kind = select([["adjusted", t("points given or taken")], ["bye", t("a bye")], ["absent", t("excused")]]), text = (/** @type {Record<string, unknown>} */ more) => el("input", { maxlength: 120, autocomplete: "off", ...more });
    const of = text({ value: book, list: "books" }), game = text({ maxlength: 40, placeholder: t("if the book has several") }), day = text({ type: "date" }), what = select(FIGURES), more = text({ inputmode: "decimal", maxlength: 12, placeholder: "-50" }), why = text({});
    return el("details", {}, el("summary", {}, t("decide about an evening")), el("div", { class: "two-up" }, el("label", {}, t("decision"), kind), el("label", {}, t("book"), of), el("label", {}, t("game"), game), el("label", {}, t("evening"), day), el("label", {}, t("what is added to"), what), el("label", {}, t("how much"), more), el("label", {}, t("reason"), why)),
      key(t("decide"), () => this.write(t("It is decided about {name}; tables list it with its reason.", { name: one.name }), /** @type {any} */ ({ did: "adjust", player: one.id, book: of.value.trim(), game: game.value.trim(), day: day.value, figures: more.value.trim() ? [`${what.value}=${more.value.trim().replace(",", ".")}`] : [], kind: kind.value, why: why.value.trim() }))));
  }

  add() {
    const name = el("input", { maxlength: 120, autocomplete: "off" });
    return el("form", { class: "asked", onsubmit: (/** @type {Event} */ submitted) => {
      submitted.preventDefault();
      // A name that is written at tables already may be this player's, or somebody's of the register.
      const free = this.free.find((one) => one.name === name.value.trim());
      if (free) this.whose(free);
      else this.write(t("{name} is in the register.", { name: name.value.trim() }), { did: "add", name: name.value }).then(() => (name.value = ""));
    } }, el("label", {}, t("a new player"), name), el("button", { type: "submit", class: "key main" }, t("add the player")));
  }
}

opened(async () => {
  const grant = await ask("GET", "/me");
  const register = new Register(grant.role === "director" && !grant.match && !grant.book);
  const [{ books }] = await Promise.all([ask("GET", "/books"), register.list()]);
  page(t("The players"), true, el("datalist", { id: "books" }, ...books.map((/** @type {{book: string}} */ one) => el("option", { value: one.book }))), ...(register.keeps ? [register.add()] : []), register.said, register.place, register.lists);
});
