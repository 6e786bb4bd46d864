"""Texts that the pages of games and the sheets make. They are part of the state, or data that programs read, in
English; in another language they are recognised when they are shown."""

FINISHED = (
    # A trick
    "trick {n} to {who}", "tricks {n} and {m} to {who}", "tricks {n} to {m} to {who}",
    # The outcome
    "{who} won in {count} hands", "{who} won in one hand", "a tie between {who} after one hand",
    "who won hangs on the total of {who} after one hand", "{who} won {n} : {m}", "{who} won {m}", "a tie at {n}",
    "{what}, ended by agreement", "{what}, ended by agreement ({why})", "{what}, as ruled", "{what}; {others}",
    "no winner after {count} hands", "not finished", "not finished: {count} hands so far",
    "not finished: one hand so far", "a tie between {who} after {count} hands",
    "{who} won the match together after {count} hands", "who won hangs on the total of {who} after {count} hands",
    # Beside the score
    "The table's score agrees with the computed one wherever it was stated.",
    "Everything else that the table wrote agrees.", "Confirmed hand by hand: {who}.",
    "Hand {n} is still in play and is not counted.", "Hand {n}: the table wrote {what}.",
    "Hand {n}: the table wrote {what}. Hand {m} carries it on.",
    "Hand {n}: the table wrote {what}. Hands {m} carry it on.", "{n} for {who}", "{n} for {who} ({sum})",
    "{n} hands", "to {target}",
    # What follows from the record and was not written
    "Hand {n}: {remark}.", "Hands {m}: {remark}.", "{n} more things were inferred; the record shows them.",
    "cards were dealt to {who}; nobody wrote it",
    "{count} cards each are dealt here, and again in this hand whenever nobody has a card left; not every deal was "
    "written",
    "the card nobody saw is the {card}, among the cards won by {who}, as every other card has its place",
    "the card nobody saw is the {card}, among the cards won, as every other card has its place",
    "the card nobody saw is the {card}, in the {where}, as every other card has its place",
    "the card nobody saw is the {card}, as all others were played",
    "it begins here; nobody wrote it", "it begins here, dealt by {who}; nobody wrote it",
    "hand {n} is dealt here, so the one before it was over; nobody wrote that it begins",
    "hand {n} goes on here; its beginning was not recorded",
    "{who} acts first, so {dealer} has dealt; nobody wrote it",
    "{who} calls first, so {dealer} has dealt; nobody wrote it",
    "as the cards were dealt, {dealer} has dealt; nobody wrote it", "{who} chooses, and so has dealt; nobody wrote it",
    "trick {n} was full before this: the card of {who} was not written",
    "the whole pack is dealt, so {who} got one card more than the others; nobody wrote it",
    "{who} passed before this; nobody wrote it", "{who} passed before {other} spoke; nobody wrote it",
    "{who} passed before {other} called; nobody wrote it", "{who} declined before this; nobody wrote it",
    "somebody said {word} before this; nobody wrote it", "{who} drew a card before this; nobody wrote it",
    "{who} passes, so the stakes may have been raised before; nobody wrote it",
    "{who} accepted the raise to {word} before this; nobody wrote it",
    "{who} drew the last card of the stock; nobody wrote which",
    "{who} handed over the {card} before this; nobody wrote it",
    "{who} gave {other} a card before this; nobody wrote it",
    "{who} won the bidding; nobody wrote with what bid",
    "the bidding was not written to its end, and so nobody knows who plays what contract",
    "the stock was out: {n} discards were shuffled to be the new one; nobody wrote it",
    "not known: {remark}", "A total that rests on an unknown figure is unknown too and is shown as ?.",
    "Who pays whom cannot be said while a total is not known.",
    # What an act has brought
    "a sweep for {who}", "{who} takes the pile", "a xeri", "new cards", "{n} left",
    "{who} calls Yaniv", "{who} is out", "{who} goes out", "{who} goes gin", "{who} knocks", "{who} banks next",
    "{who} leads",
    # Heads, rows and marks
    "WE", "THEY", "We", "They", "Date", "Place", "Score", "Score pad", "Hand", "Hands", "hands", "dealer", "trumps",
    "counted", "points", "total", "cards", "scorer", "confirmed at the table", "result", "made", "failed", "took",
    "tricks", "melds", "melded", "contract", "bid by", "won", "left", "Lies", "Substitutes", "Joined and left",
    "House rules", "As played", "Result", "Round", "Table", "Event", "Time", "bonus", "game", "sum", "called",
    # Sums, a term each
    "{n} trick", "{n} tricks", "{n} card", "{n} cards", "{n} overtrick", "{n} overtricks", "{n} down", "down {n}",
    "{n} ace", "{n} aces", "last trick", "in all", "declared", "{n} for the trawl", "{n} up to {m}",
    "{n} against a team that lies down", "{who} won the game, and {n} in all", "the game", "{n} tricks as dealers",
    "{n} tricks as declarers", "{n} from the tie", "{n} against {sum}", "{n} in two cards",
    "{n} to the bank's pontoon", "the bank", "bank has", "everybody is bust", "all bust", "all five tricks",
    "king of trumps", "turned up", "doubled and made", "redoubled and made", "doubled", "redoubled", "vulnerable",
    "{what} doubled", "{what} redoubled", "{what} vulnerable", "{n} no trump", "rubber, two games to none",
    "rubber, two games to one", "one pair", "two pair", "{who} one pair", "{who} two pair", "the target is {n}",
    "{who} could have laid off {cards} and been left with {n}", "{who} could have laid off {cards} onto {other}",
    "{who} could have laid off {cards}", "knocks with {n}", "Yaniv with {n}", "Yaniv by {who} with {n}",
    "beaten by {who}", "one imperial", "{what} with one imperial",
    # What a hand came to
    "{who} won", "{who} wins", "draw", "{who} goes gin and wins", "{who} knocks and wins", "the stock is out",
    "{who} wins with {cards}", "claimed as it was drawn", "claimed as it was thrown", "the own draw",
    "dealt by {who}", "{who} closed", "by a trawl", "forced", "tied", "matched", "cleared",
    "{n} lines and {m} marks left", "{n} lines and a mark left", "{n} lines left", "bottom card",
    # Rows, columns and facts of one game
    "above the line", "below the line", "insult", "overtricks", "undertricks", "rubber", "honours", "entry", "HOUSE",
    "PLAYER", "Game", "Games", "Match", "The hat", "cards laid", "clean burracos", "dirty burracos", "closing",
    "left in hand", "pozzetto not taken", "chips", "Chips", "to", "To settle", "line", "made by", "Lines to erase",
    "in a row", "stake", "boxes", "game bonus", "mattis", "went out", "loser", "bank", "ended", "ending", "flushes",
    "marriages", "sequences", "zetemas", "so far", "player {n}", "hand",
    # Scopa
    "primiera", "sweeps", "sweeps {n}, not counted", "Primiera: the best card of each suit",
    "{who} has {n} with the {what}; counting stopped there",
)
"""The most exact of those that fit is taken."""
