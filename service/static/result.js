// The result of a hand, asked fact by fact.
// @ts-check
import { ask, el, inWords, key, suited, t } from "./common.js";

/**
 * @typedef {{called: string, choices: string, keys?: {text: string, label: string}[], digits?: boolean,
 *   outcomes?: {text: string, points: Record<string, string>, totals: Record<string, string>}[]}} Question
 */

/**
 * Keys for a figure; `tapped` is told how the figure changes.
 * @param {(change: (figures: string) => string) => void} tapped
 */
export function figurePad(tapped) {
  const figure = (/** @type {string} */ one) => key(one, () => tapped((figures) => (figures.length < 7 ? figures + one : figures)), { class: "key figure", "data-word": `figure ${one}` });
  return el("div", { class: "figures" }, ...[..."1234567890"].map(figure), key("−", () => tapped((figures) => (figures.startsWith("-") ? figures.slice(1) : `-${figures}`)), { class: "key figure", "data-word": "figure -", "aria-label": t("minus") }),
    key("⌫", () => tapped((figures) => figures.slice(0, -1)), { class: "key figure", "aria-label": t("take back the last figure") }));
}

export class ResultForm {
  /**
   * @param {string} path
   * @param {(line: string) => void} write
   * @param {() => void} leave
   */
  constructor(path, write, leave) {
    this.path = path;
    this.write = write;
    this.leave = leave;
    /** @type {{called: string, word: string, label: string}[]} */
    this.said = [];
    this.element = el("div", { class: "result" });
    this.next();
  }

  async next() {
    const query = this.said.map((one) => `said=${encodeURIComponent(one.word)}`).join("&");
    try {
      this.show(/** @type {Question | null} */ (await ask("GET", `${this.path}/result${query ? `?${query}` : ""}`)));
    } catch (error) {
      this.said.pop();
      this.element.append(el("p", { role: "alert", class: "why" }, inWords(error)));
    }
  }

  /**
   * @param {string} called
   * @param {string} word
   * @param {string} label
   */
  say(called, word, label) {
    this.said.push({ called, word, label });
    this.next();
  }

  /** @param {Question | null} question */
  show(question) {
    const answers = this.said.map((one, at) => el("button", { type: "button", class: "told", onclick: () => {
      this.said.length = at;
      this.next();
    } }, el("span", { class: "soft" }, one.called), el("b", {}, ...suited(one.label))));
    const down = key(t("write it down"), () => this.write(["result", ...this.said.map((one) => one.word)].join(" ")), { class: `key wide${question ? "" : " main"}`, disabled: !this.said.length, "data-word": "write" });
    const tools = el("div", { class: "row tools" }, key(t("cancel"), () => this.leave(), { class: "key" }), down);
    if (!question) {
      this.element.replaceChildren(el("h2", {}, t("The result")), ...answers, tools);
      return;
    }
    const keys = (question.keys ?? []).map((one) => key(el("span", {}, ...suited(one.label)), () => this.say(question.called, one.text, one.label), { class: "key act", "data-word": `answer ${one.text}` }));
    const extra = [key(t("not known"), () => this.say(question.called, "-", t("not known")), { class: "key", "data-word": "answer -" }), this.said.length ? key(t("back one answer"), () => {
      this.said.pop();
      this.next();
    }) : ""];
    this.element.replaceChildren(el("h2", {}, question.called), ...answers, question.digits || !keys.length ? this.number(question) : el("div", { class: "acts of3 all" }, ...keys), el("div", { class: "choices" }, ...extra), this.outcomes(question), tools);
  }

  /** @param {Question} question */
  number(question) {
    let figures = "";
    const shown = el("output", { class: "figure" }, "–");
    const next = key(t("next"), () => this.say(question.called, figures, figures), { class: "key main wide", disabled: true, "data-word": "next" });
    return el("div", { class: "field" }, el("span", { class: "soft" }, question.choices), shown, figurePad((change) => {
      figures = change(figures);
      shown.textContent = figures || "–";
      next.disabled = !/\d/.test(figures);
    }), next);
  }

  /** @param {Question} question */
  outcomes(question) {
    const all = question.outcomes ?? [];
    if (!all.length || all.length > 3) return "";
    const who = Object.keys(all[0]?.points ?? {});
    const label = (/** @type {string} */ text) => question.keys?.find((one) => one.text === text)?.label ?? text;
    return el("table", { class: "outcomes" }, el("tr", {}, el("th", {}, t("as it stands")), ...all.map((one) => el("th", { scope: "col" }, t("if {answer}", { answer: label(one.text) })))),
      ...who.map((side) => el("tr", {}, el("th", { scope: "row" }, side), ...all.map((one) => el("td", {}, `${one.points[side]} → ${one.totals[side]}`)))));
  }
}
