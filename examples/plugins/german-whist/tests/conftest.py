"""What the suite of all games has to be told of German Whist, where its page does not say it."""

from replay.testing.declared import PROVEN, REFUSED

PROVEN["german-whist"] = "9/21 5/21 9/21 6/12 5/19 11/21 7/21 5/20 8/19 6/21 8/21"
REFUSED["german-whist"] = (
    0.5, "thirteen times the loser of a trick draws unseen, so that the cards can have gone in many ways",
)
