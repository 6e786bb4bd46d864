// Phrases with named places. In another language than English they are written into the scripts when these are sent.
// @ts-check

/** @param {number} n  which form a number takes */
const formFor = (n) => Number(n !== 1);

/**
 * A phrase with its places filled.
 * @param {string} text
 * @param {Record<string, string | number>} [places]
 */
export function t(text, places = {}) {
  return text.replace(/\{(\w+)\}/g, (place, name) => String(places[name] ?? place));
}

/**
 * A phrase with a number, in the form that the language has for it.
 * @param {string[]} forms
 * @param {number} n
 * @param {Record<string, string | number>} [places]
 */
export function tn(forms, n, places = {}) {
  return t(forms[formFor(n)] ?? forms.at(-1) ?? "", { n, ...places });
}
