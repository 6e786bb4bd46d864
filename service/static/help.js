// How to record, in the words of a table: the first steps, and what each key does.
// @ts-check

/** @type {Record<number, [string, string]>} The first steps, each with its title. */
export const LESSON = {
  1: ["a card", "Tap its suit, then its rank. Above the keys stands what it meant."],
  2: ["a card that you missed", "“Not seen” stands for it. For several, “more” has “I missed some plays”."],
  3: ["a mistake", "“Undo the last line” takes it back, “correct” changes any line. There is more help in the menu, ☰."],
};

/** @type {[string, string][]} What each key does. */
export const HELP = [
  ["suit, then rank", "writes the card for whose turn it is. The suit that was led stays pressed: then the rank alone is enough."],
  ["not seen", "writes that a card was played that nobody at the table could name."],
  ["write", "writes the line above the keys, where a line has no end of its own."],
  ["⌫", "takes back the last tap, “cancel” all taps of this line."],
  ["undo the last line", "takes back the last thing that was written. It stays in the record as taken back."],
  ["correct", "lists the lines of a hand. Tap one to replace it, to strike it out, or to insert one after it."],
  ["claim", "writes down the score as the table says it; Kibitz says where it counts otherwise."],
  ["more", "has a new hand, only the result, plays that you missed, a remark, who sits here, and keys to build any other line."],
  ["☰", "has the score, the whole match, the sheet, the rules, photographs, and keys for the left hand."],
  ["a dashed ring", "is a line that waits on this phone and is sent once there is a connection. Keep writing."],
];
