// Polls the board every two seconds, and reports it only if it has changed.
// @ts-check
import { inWords, RefusedError, t } from "./common.js";

/**
 * @typedef {{side: string, name: string, total: string, course: (number | null)[], leads: boolean}} Side
 * @typedef {{match: string, table: string, game: string, title: string, hand: number, over: boolean, winner: string, sides: Side[],
 *   target: number | null, now: string, ended: string, players: string[], disputed: number, rulings: number, position: number, date: string}} Table
 * @typedef {{title: string, tables: Table[], players: number, ended: string[], round: string, meetings: string[]}} News
 */

const EVERY = 2000, WITHIN = 15000;

/** The time of day, as on a clock on a wall. */
export const clock = () => new Date().toTimeString().slice(0, 5);

/** Asks for the board every two seconds. If nothing has changed, the answer has no body. */
export class Board {
  /**
   * @param {string} query
   * @param {(news: News) => void} show
   * @param {(words: string) => void} tell what is wrong, or nothing
   */
  constructor(query, show, tell) {
    this.query = query;
    this.show = show;
    this.tell = tell;
    this.tag = "";
    this.since = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  begin() {
    this.look();
    document.addEventListener("visibilitychange", () => document.hidden || this.soon());
  }

  /**
   * Ask now.
   * @param {() => void} [then]
   */
  async soon(then) {
    await this.look();
    then?.();
  }

  async look() {
    clearTimeout(this.timer);
    try {
      const answer = await fetch(`/api/v1/board${this.query}`, { credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(WITHIN), headers: this.tag ? { "if-none-match": this.tag } : {} });
      if (answer.ok) {
        this.tag = answer.headers.get("etag") ?? "";
        this.show(await answer.json());
      } else if (answer.status !== 304) {
        const told = await answer.json().catch(() => ({}));
        throw new RefusedError({ type: "", title: t("the service answered {status}", { status: answer.status }), status: answer.status, ...told });
      }
      this.since = "";
      this.tell("");
    } catch (error) {
      this.since ||= clock();
      const offline = error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
      this.tell(offline ? t("No connection since {time}. This is how it stood then.", { time: this.since }) : inWords(error));
    }
    // A hidden page stops polling until it is visible again.
    if (!document.hidden) this.timer = setTimeout(() => this.look(), EVERY);
  }
}
