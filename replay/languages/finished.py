"""Texts that the pages of games and the sheets make. They are part of the state, or data that programs read, in
English; in another language they are recognised when they are shown."""

FINISHED = (
    # A trick
    "trick {n} to {who}", "tricks {n} and {m} to {who}", "tricks {n} to {m} to {who}",
    # The outcome
    "{who} won in {count} hands", "{who} won in one hand", "{what}, ended by agreement",
    "{what}, ended by agreement ({why})", "{what}, as ruled", "{what}; {others}", "no winner after {count} hands",
    "not finished: {count} hands so far", "not finished: one hand so far", "a tie between {who} after {count} hands",
    "{who} won the match together after {count} hands", "who won hangs on the total of {who} after {count} hands",
    # Beside the score
    "The table's score agrees with the computed one wherever it was stated.",
    "Everything else that the table wrote agrees.", "Confirmed hand by hand: {who}.",
    "Hand {n} is still in play and is not counted.", "Hand {n}: the table wrote {what}.",
    "Hand {n}: the table wrote {what}. Hand {m} carries it on.",
    "Hand {n}: the table wrote {what}. Hands {m} carry it on.", "{n} for {who}", "{n} for {who} ({sum})",
    "Hand {n}: cards were dealt to {who}; nobody wrote it.", "Hands {m}: cards were dealt to {who}; nobody wrote it.",
    "Hand {n}: {count} cards each are dealt here, and again in this hand whenever nobody has a card left; not every "
    "deal was written.",
    "Hands {m}: {count} cards each are dealt here, and again in this hand whenever nobody has a card left; not every "
    "deal was written.",
    "Hand {n}: the card nobody saw is the {card}, among the cards won by {who}, as every other card has its place.",
    "Hand {n}: the card nobody saw is the {card}, among the cards won, as every other card has its place.",
    "{n} hands", "to {target}",
    "Hand {n}: it begins here; nobody wrote it.", "Hands {m}: it begins here; nobody wrote it.",
    "Hand {n}: {who} acts first, so {dealer} has dealt; nobody wrote it.",
    "Hands {m}: {who} acts first, so {dealer} has dealt; nobody wrote it.",
    # Heads, rows and marks
    "WE", "THEY", "We", "They", "Date", "Place", "Score", "Score pad", "Hand", "Hands", "hands", "dealer", "trumps",
    "counted", "points", "total", "cards", "scorer", "confirmed at the table", "result", "made", "failed", "took",
    "tricks", "melds", "melded", "contract", "bid by", "won", "left", "Lies", "Substitutes", "Joined and left",
    "House rules", "As played", "Result", "Round", "Table", "Event", "Time", "bonus", "game", "sum", "called",
    # Scopa
    "primiera", "sweeps", "sweeps {n}, not counted", "Primiera: the best card of each suit",
    "{who} has {n} with the {what}; counting stopped there",
)
"""The most exact of those that fit is taken."""
