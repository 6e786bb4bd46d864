"""What the suite of all games has to be told of Cribbage, where its page does not say it."""

from replay.testing.declared import PROVEN, VALUES

PROVEN["cribbage"] = "23/23 21/23 13/23 2/2 9/10 12/12 22/22 21/22 22/23 22/23 19/23"
# A target that is reached within a hand, and one that takes some.
VALUES["cribbage", "target"] = (10, 61)
