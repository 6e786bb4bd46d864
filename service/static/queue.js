// Lines that wait on this phone until the service has them. They are kept by the browser, and go out in order.
// @ts-check

/**
 * A line with what it was typed for: the last event that was seen, or the key of the line before it; as an act the seat and the part of the hand.
 * @typedef {{id?: number, match: string, key: string, line: string, expect: number | null, after: string, act?: boolean, seat: string, phase: string,
 *   asPlayed?: boolean, byHand?: boolean, tried?: boolean}} Waiting
 */

const NAME = "kibitz", LINES = "lines", PADS = "pads";

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 2);
    asked.onupgradeneeded = () => {
      const there = asked.result.objectStoreNames;
      if (!there.contains(LINES)) asked.result.createObjectStore(LINES, { keyPath: "id", autoIncrement: true });
      asked.result.createObjectStore(PADS);
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the browser keeps nothing"));
  });
}

/**
 * Do several things in one transaction; it is on the disk when this has returned.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(lines: IDBObjectStore, pads: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
async function within(mode, work) {
  const db = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction([LINES, PADS], mode, { durability: "strict" });
      const request = work(transaction.objectStore(LINES), transaction.objectStore(PADS));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("the browser keeps nothing"));
    });
  } finally {
    db.close();
  }
}

/** The lines of one match that were not sent yet, in order; and the last position that was shown, kept with them so that neither is older
 * than the other whenever the phone loses its power. */
export class Queue {
  /** @param {string} match */
  constructor(match) {
    this.match = match;
    /** @type {Waiting[]} */
    this.lines = [];
    /** Whether these lines waited when the link of this browser ended. */
    this.ended = false;
    /** Whether the browser stores data; a private window may not. */
    this.keeps = true;
  }

  /** The position that was shown last, if there is one. */
  async load() {
    let pad;
    await this.kept(async () => {
      const all = /** @type {Waiting[]} */ (await within("readonly", (lines) => lines.getAll()));
      this.lines = all.filter((line) => line.match === this.match);
      pad = await within("readonly", (_, pads) => pads.get(this.match));
      this.ended = this.lines.length > 0 && (await within("readonly", (_, pads) => pads.count(this.endedKey()))) > 0;
    });
    return pad;
  }

  /**
   * Whether the browser stores data is tested by storing something.
   * @param {() => Promise<unknown>} work
   */
  async kept(work) {
    try {
      await work();
    } catch {
      this.keeps = false;
    }
  }

  endedKey() {
    return ["ended", this.match];
  }

  /** @param {boolean} ended  whether the lines wait because the link has ended */
  async mark(ended) {
    if (ended === this.ended) return;
    this.ended = ended;
    await this.kept(() => within("readwrite", (_, pads) => /** @type {IDBRequest<unknown>} */ (ended ? pads.put(true, this.endedKey()) : pads.delete(this.endedKey()))));
  }

  /** @param {unknown} pad  the position that is shown from now on */
  show(pad) {
    return this.kept(() => within("readwrite", (_, pads) => pads.put(pad, this.match)));
  }

  /** @param {Omit<Waiting, "id" | "match">} line */
  async add(line) {
    const made = /** @type {Waiting} */ ({ ...line, match: this.match });
    // It shows at once; that it is kept is waited for, so that a reload right after has it.
    this.lines.push(made);
    await this.kept(async () => (made.id = /** @type {number} */ (await within("readwrite", (lines) => lines.add({ ...made })))));
  }

  /** @param {Waiting} line */
  async change(line) {
    if (line.id !== undefined) await this.kept(() => within("readwrite", (lines) => lines.put({ ...line })));
  }

  /**
   * @param {Waiting} line
   * @param {unknown} [pad]  the position behind it, if it was written
   */
  async remove(line, pad) {
    this.lines = this.lines.filter((one) => one !== line);
    const { id } = line;
    if (id === undefined) return;
    await this.kept(() => within("readwrite", (lines, pads) => {
      if (pad) pads.put(pad, this.match);
      return lines.delete(id);
    }));
  }
}
