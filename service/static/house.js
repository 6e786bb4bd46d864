// The house rules of a game, as a part of a form.
// @ts-check
import { ask, el, told, t } from "./common.js";

/** @typedef {{type: string, title: string, description?: string, default: unknown, enum?: unknown[], minimum?: number, maximum?: number}} Rule */

/**
 * The field of a house rule; until it is changed, the rule is as in the text of the game.
 * @param {string} name
 * @param {Rule} rule
 * @param {(value: unknown) => string} inWord
 */
function ruleField(name, rule, inWord) {
  const values = rule.enum ?? (rule.type === "boolean" ? [true, false] : undefined), usual = t("{value} (usual)", { value: inWord(rule.default) });
  if (values) return el("select", { "data-rule": name }, el("option", { value: "" }, usual), ...values.filter((value) => value !== rule.default).map((value) => el("option", { value: String(value) }, inWord(value))));
  return el("input", { "data-rule": name, autocomplete: "off", placeholder: rule.default === "" ? "" : usual, ...(rule.type === "integer" ? { type: "number", min: rule.minimum, max: rule.maximum } : { maxlength: 120 }) });
}

/**
 * The house rules of a game, asked for once somebody wants to see them.
 * @param {string} words
 * @param {() => string} game
 * @param {(packs: [string, string][]) => void} [heard]  told which packs the game is played with, and what they are called
 */
export function houseRules(words, game, heard = () => {}) {
  const fields = el("div", { class: "two-up" }), element = el("details", { class: "rules" }, el("summary", {}, words), fields);
  let asked = "";
  const learn = () => told(fields, async () => {
    if (asked === game()) return;
    fields.replaceChildren();
    asked = "";
    if (!element.open) return;
    asked = game();
    const { schema, packs, words: of } = await ask("GET", `/games/${encodeURIComponent(asked)}/house-rules`), inWord = (/** @type {unknown} */ value) => of[String(value)] ?? String(value);
    heard(packs.map((/** @type {string} */ one) => [one, inWord(one)]));
    fields.replaceChildren(...Object.entries(/** @type {Record<string, Rule>} */ (schema.properties ?? {})).map(([name, rule]) => el("label", {}, rule.description ?? rule.title, ruleField(name, rule, inWord))));
  });
  element.addEventListener("toggle", learn);
  /** The rules that are otherwise than usual. */
  const chosen = () => Object.fromEntries([...(/** @type {NodeListOf<HTMLInputElement>} */ (fields.querySelectorAll("[data-rule]")))].filter((field) => field.value.trim()).map((field) => [field.dataset.rule, field.value.trim()]));
  return { element, learn, chosen };
}
