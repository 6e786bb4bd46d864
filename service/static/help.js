// How to record, in the words of a table: the first steps, and what each key does.
// @ts-check
import { t } from "./common.js";

/** @type {Record<number, [string, string]>} The first steps, each with its title. */
export const LESSON = {
  1: [t("a card"), t("Tap its suit, then its rank. Above the keys stands what it meant.")],
  2: [t("a card that you missed"), t("“Not seen” stands for it. For several, “more” has “I missed some plays”.")],
  3: [t("a mistake"), t("“Undo the last line” takes it back, “correct” changes any line. There is more help in the menu, ☰.")],
};

/** @type {[string, string][]} What each key does. */
export const HELP = [
  [t("suit, then rank"), t("writes the card for whose turn it is. The suit that was led stays pressed: then the rank alone is enough.")],
  [t("not seen"), t("writes that a card was played that nobody at the table could name.")],
  [t("write"), t("writes the line above the keys, where a line has no end of its own.")],
  ["⌫", t("takes back the last tap, “cancel” all taps of this line.")],
  [t("undo the last line"), t("takes back the last thing that was written. It stays in the record as taken back.")],
  [t("correct"), t("lists the lines of a hand. Tap one to replace it, to strike it out, or to insert one after it.")],
  [t("claim"), t("writes down the score as the table says it; Kibitz says where it counts otherwise.")],
  [t("more"), t("has a new hand, only the result, plays that you missed, a remark, who sits here, and keys to build any other line.")],
  ["☰", t("has the score, the whole match, the sheet, the rules, photographs, and keys for the left hand.")],
  [t("a dashed ring"), t("is a line that waits on this phone and is sent once there is a connection. Keep writing.")],
];
