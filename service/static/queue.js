// Lines that wait on this phone until the service has them. They are kept by the browser, and go out in order.
// @ts-check

/**
 * A line with what it was typed for: the last event that was seen, or the key of the line before it; as an act the seat and the part of the hand.
 * @typedef {{id?: number, match: string, key: string, line: string, expect: number | null, after: string, act?: boolean, seat: string, phase: string,
 *   asPlayed?: boolean, tried?: boolean}} Waiting
 */

const NAME = "kibitz", STORE = "lines";

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id", autoIncrement: true });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the browser keeps nothing"));
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @returns {Promise<T>}
 */
async function within(mode, work) {
  const db = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(STORE, mode, { durability: "strict" });
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("the browser keeps nothing"));
    });
  } finally {
    db.close();
  }
}

/** The lines of one match that were not sent yet, in order. */
export class Queue {
  /** @param {string} match */
  constructor(match) {
    this.match = match;
    /** @type {Waiting[]} */
    this.lines = [];
    /** Whether the browser keeps what is written; a private window may not. */
    this.keeps = true;
  }

  async load() {
    try {
      const all = /** @type {Waiting[]} */ (await within("readonly", (store) => store.getAll()));
      this.lines = all.filter((line) => line.match === this.match);
    } catch {
      this.keeps = false;
    }
  }

  /** @param {Omit<Waiting, "id" | "match">} line */
  async add(line) {
    const made = /** @type {Waiting} */ ({ ...line, match: this.match });
    // It shows at once; that it is kept is waited for, so that a reload right after has it.
    this.lines.push(made);
    try {
      made.id = /** @type {number} */ (await within("readwrite", (store) => store.add({ ...made })));
    } catch {
      this.keeps = false;
    }
  }

  /** @param {Waiting} line */
  async change(line) {
    if (line.id === undefined) return;
    try {
      await within("readwrite", (store) => store.put({ ...line }));
    } catch {
      this.keeps = false;
    }
  }

  /** @param {Waiting} line */
  async remove(line) {
    this.lines = this.lines.filter((one) => one !== line);
    const { id } = line;
    if (id === undefined) return;
    try {
      await within("readwrite", (store) => store.delete(id));
    } catch {
      this.keeps = false;
    }
  }
}
