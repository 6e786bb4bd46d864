// What a drawing needs of a page if there is no browser: elements that are stored, and become text.
// @ts-check

/** Signs that are not written as they are in a text of XML. */
const WRITTEN = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => WRITTEN[sign] ?? sign);
}

/** An element, with only the parts that `draw.js` and `faces.js` use. */
class Drawn {
  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
    /** @type {Map<string, string>} */
    this.attributes = new Map();
    /** @type {(Drawn | string)[]} */
    this.inside = [];
  }

  get children() {
    return this.inside.filter((one) => one instanceof Drawn);
  }

  get classList() {
    return { add: (/** @type {string} */ name) => this.setAttribute("class", `${this.getAttribute("class") ?? ""} ${name}`.trim()) };
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  /** @param {(Drawn | string)[]} more */
  append(...more) {
    this.inside.push(...more);
  }

  /**
   * @param {Drawn} made
   * @param {Drawn | null} before
   */
  insertBefore(made, before) {
    const at = before ? this.inside.indexOf(before) : -1;
    this.inside.splice(at < 0 ? this.inside.length : at, 0, made);
  }

  cloneNode() {
    const copy = new Drawn(this.tag);
    copy.attributes = new Map(this.attributes);
    copy.inside = this.inside.map((one) => (one instanceof Drawn ? one.cloneNode() : one));
    return copy;
  }

  text() {
    /** @type {string[]} */
    const parts = [];
    this.write(parts);
    // Joined once: a long text that grew piece by piece is none that the engine can hand over.
    return parts.join("");
  }

  /** @param {string[]} parts */
  write(parts) {
    parts.push(`<${this.tag}`, ...[...this.attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`));
    if (!this.inside.length) {
      parts.push("/>");
      return;
    }
    parts.push(">");
    for (const one of this.inside) {
      if (one instanceof Drawn) one.write(parts);
      else parts.push(escaped(one));
    }
    parts.push(`</${this.tag}>`);
  }
}

Object.assign(globalThis, { document: { createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => new Drawn(tag) } });
