// A match in the viewer, followed as it is played.
// @ts-check
import { ask, el, figure, freshKey, inWords, key, opened, root, suited, t } from "./common.js";
// @ts-ignore: the viewer is one file, made of the modules of `replay/viewer/static`.
import { Viewer } from "./viewer.js";

const match = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const path = `/matches/${encodeURIComponent(match)}`;

class Watch {
  /** @param {any} doc */
  constructor(doc) {
    this.doc = doc;
    this.live = !/^#\d+$/.test(location.hash);
    this.place = el("div", { class: "watch" });
    this.bar = el("p", { class: "livebar", role: "status" });
    this.claim = el("section", { class: "claim", "aria-label": t("a dispute") });
    this.score = el("p", { class: "agree", role: "status" });
    // The role and the seat of the reader.
    this.role = this.seat = "";
    this.stage = el("div", { id: "viewer", class: "viewer" });
    this.place.append(this.bar, this.score, this.claim, this.stage);
    root().replaceChildren(this.place);
    /** @type {any} */
    this.viewer = undefined;
    this.late = 0;
    // Whether the service does not answer at the moment; the event that was disputed from here.
    this.gone = false;
    this.asked = 0;
    // How many rulings there were when the score was asked for, and the totals as they were ruled.
    this.rulings = 0;
    /** @type {Record<string, number> | undefined} */
    this.ruled = undefined;
    this.open(doc);
    addEventListener("keydown", () => setTimeout(() => this.moved(), 0));
    this.stage.addEventListener("click", () => setTimeout(() => this.moved(), 0));
    addEventListener("hashchange", () => setTimeout(() => this.moved(), 0));
    this.stage.addEventListener("input", () => setTimeout(() => this.moved(), 0));
    this.follow(doc.follow);
  }

  get count() {
    return this.doc.hands.reduce((/** @type {number} */ sum, /** @type {any} */ hand) => sum + hand.steps.length, 0);
  }

  /** @param {any} doc */
  open(doc) {
    this.doc = doc;
    if (!this.count) {
      this.stage.replaceChildren(el("p", { class: "wait" }, t("{game}: {title}. Nothing has been played yet.", { game: doc.name, title: doc.title })));
    } else if (!this.viewer) {
      this.stage.replaceChildren();
      this.viewer = new Viewer(doc, this.stage);
      if (this.live) this.viewer.go(this.count - 1, true);
    } else this.viewer.take(doc, this.live);
    this.tell();
  }

  /** After a step: follow the match only from its end. */
  moved() {
    if (!this.viewer) return;
    this.live = this.viewer.k >= this.count - 1;
    this.tell();
  }

  tell() {
    const over = this.doc.over;
    if (this.live) this.late = 0;
    const back = this.live ? "" : key(this.late ? t("back to live, {n} new", { n: this.late }) : t("back to live"), () => {
      this.live = true;
      this.viewer?.go(this.count - 1, true);
      this.tell();
    }, { class: "key" });
    const claim = this.viewer && this.role && this.role !== "spectator" ? key(t("dispute this event"), () => this.dispute(), { class: "key" }) : "";
    const how = this.gone && !over ? t("No connection; this is how it stood. Trying again …") : over ? t("The match is over.") : this.live ? t("● live") : t("Viewing an earlier position");
    this.bar.replaceChildren(el("span", {}, how), back, claim);
    this.score.replaceChildren(...this.agreement());
    this.ask_totals();
  }

  /** Fetch the score as ruled: a player agrees to that one. */
  async ask_totals() {
    const rulings = this.doc.said.filter((/** @type {any} */ one) => one.kind === "ruling").length;
    if (this.role !== "seat" || rulings === this.rulings) return;
    this.rulings = rulings;
    try {
      this.ruled = (await ask("GET", `${path}/score`)).ways?.ruled?.totals;
      this.score.replaceChildren(...this.agreement());
    } catch {
      this.rulings = -1;
    }
  }

  /** A key with which a player agrees to the score of the last finished hand, or to what was claimed. */
  agreement() {
    const { doc, seat } = this, hand = doc.hands.findLast((/** @type {any} */ one) => Object.keys(one.totals ?? {}).length);
    const [side = seat, seats = [seat]] = Object.entries(/** @type {Record<string, string[]>} */ (doc.sides ?? {})).find(([, sitting]) => sitting.includes(seat)) ?? [];
    if (this.role !== "seat" || !hand || Object.values(hand.totals).includes(null)) return [];
    const said = doc.said.filter((/** @type {any} */ one) => ["claim", "confirm"].includes(one.kind) && one.n >= hand.first && one.n <= hand.last);
    if (said.some((/** @type {any} */ one) => one.by === side || seats.includes(one.by))) return [el("span", {}, t("You have agreed to the score of hand {n}.", { n: hand.number }))];
    const claim = said.findLast((/** @type {any} */ one) => one.kind === "claim");
    const figures = Object.entries(/** @type {Record<string, number>} */ (this.ruled ?? hand.totals));
    const told = claim?.text ?? t("After hand {n}: {score}.", { n: hand.number, score: figures.map(([who, n]) => `${doc.called[who] ?? who} ${figure(n)}`).join(", ") });
    const line = claim ? `${seat} confirm #${claim.n}` : `${seat} claim ${figures.map(([who, n]) => `${who}=${n}`).join(" ")}`, once = freshKey();
    return [el("span", {}, told), key(claim ? t("I agree") : t("the score is right"), async () => {
      try {
        await ask("POST", `${path}/lines`, { line, key: once });
        await this.anew();
      } catch (error) {
        this.score.append(el("span", { role: "alert" }, inWords(error)));
      }
    })];
  }

  /** @param {string} since */
  follow(since) {
    const stream = new EventSource(`/api/v1${path}/live?after=${encodeURIComponent(since)}`);
    stream.addEventListener("step", (event) => this.step(JSON.parse(/** @type {MessageEvent} */ (event).data), /** @type {MessageEvent} */ (event).lastEventId));
    stream.addEventListener("anew", () => this.anew());
    stream.addEventListener("ended", () => {
      stream.close();
      this.bar.replaceChildren(t("You may follow this match no longer."));
    });
    stream.onopen = () => {
      this.gone = false;
      this.tell();
    };
    stream.onerror = () => {
      this.gone = true;
      this.tell();
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => this.follow(this.doc.follow), 4000);
    };
  }

  /** Earlier data no longer hold, or a hand is over and has been judged. */
  async anew() {
    try {
      this.open(await ask("GET", `${path}/frames`));
    } catch (error) {
      this.bar.replaceChildren(inWords(error));
    }
  }

  /**
   * @param {any} news
   * @param {string} id
   */
  step(news, id) {
    const { doc } = this;
    doc.follow = id;
    let hand = doc.hands.at(-1);
    if (!hand || (news.frame && hand.number !== news.hand)) {
      if (!news.frame) {
        this.anew();
        return;
      }
      hand = { number: news.hand, dealer: news.frame.dealer, first: news.n, last: news.n, contract: "", result: "", points: {}, totals: {}, notes: [], list: "turns", groups: [], frame: news.frame, steps: [] };
      doc.hands.push(hand);
    } else if (news.frame) news.step.change = news.frame;
    hand.groups = [...hand.groups.slice(0, news.first_group), ...news.groups];
    hand.list = hand.groups.some((/** @type {any} */ group) => group.kind === "trick") ? "columns" : "turns";
    hand.steps.push(news.step);
    if (this.asked) this.answered();
    hand.last = news.n;
    if (!this.live) this.late++;
    // With the end of a hand come its result and what was found in it.
    if (news.over) this.anew();
    else this.open(doc);
  }

  /** Dispute the event that is shown; the player and the reason are asked below the bar. */
  dispute() {
    const n = this.viewer.place.n, names = /** @type {Record<string, string>} */ (this.doc.names ?? {});
    const step = this.doc.hands.flatMap((/** @type {any} */ hand) => hand.steps).find((/** @type {any} */ one) => one.n === n);
    const who = el("select", {}, ...(this.doc.seats ?? []).map((/** @type {string} */ seat) => el("option", { value: seat }, names[seat] ?? seat)), el("option", { value: "@" }, t("nobody in particular")));
    const word = el("input", { list: "words", maxlength: 40, autocomplete: "off", placeholder: "revoke" });
    const said = el("span", { role: "alert" }), sent = freshKey();
    const send = async () => {
      const by = this.seat || who.value;
      try {
        await ask("POST", `${path}/lines`, { key: sent, line: `${by} dispute #${n} ${word.value.trim().toLowerCase().replace(/\s+/g, "-").replace(/[^a-z-]/g, "")}`.trim() });
        this.asked = n;
        this.claim.replaceChildren(el("p", {}, el("b", {}, t("Sent to the director."), " "), t("Play goes on; the ruling will stand here.")), this.away());
      } catch (error) {
        said.replaceChildren(inWords(error));
      }
    };
    this.claim.replaceChildren(el("p", {}, el("b", {}, t("Event {n}", { n })), step ? `: ${step.says}` : ""), this.seat ? "" : el("label", {}, t("who requests a ruling"), who), el("label", {}, t("reason (optional)"), word),
      el("datalist", { id: "words" }, ...["revoke", "out-of-turn", "misdeal", "score", "count"].map((one) => el("option", { value: one }))), el("p", { class: "keys" }, key(t("ask the director"), send), key(t("cancel"), () => this.claim.replaceChildren())), said);
    word.focus();
  }

  away() {
    return key(t("close"), () => {
      this.asked = 0;
      this.claim.replaceChildren();
    });
  }

  /** After a dispute was sent from here, a new event may be the ruling. */
  async answered() {
    try {
      const found = (await ask("GET", `${path}/disputes`)).questions.find((/** @type {any} */ one) => one.about.some((/** @type {any} */ event) => event.n === this.asked));
      const ruling = found?.ruled.findLast((/** @type {any} */ one) => one.holds);
      if (ruling && this.asked) this.claim.replaceChildren(el("p", {}, el("b", {}, t("Ruled:"), " "), ...suited(ruling.text)), this.away());
    } catch {
      // It is asked again with the next event.
    }
  }
}

opened(async () => {
  const [doc, grant] = await Promise.all([ask("GET", `${path}/frames`), ask("GET", "/me")]);
  document.title = `${doc.name}: ${doc.title}`;
  const watch = new Watch(doc);
  Object.assign(watch, { role: grant.role, seat: grant.seat });
  watch.tell();
  Object.assign(root(), { watch });
});
