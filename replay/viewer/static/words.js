// Phrases with places. In another language they are written into the scripts when these are sent.
// @ts-check

const formFor = (/** @type {number} */ n) => Number(n !== 1);

/** @param {string} text @param {Record<string, string | number>} [places] */
export function t(text, places = {}) {
  return text.replace(/\{(\w+)\}/g, (place, name) => String(places[name] ?? place));
}

/** @param {string[]} forms @param {number} n @param {Record<string, string | number>} [places] */
export function tn(forms, n, places = {}) {
  return t(forms[formFor(n)] ?? forms.at(-1) ?? "", { n, ...places });
}
