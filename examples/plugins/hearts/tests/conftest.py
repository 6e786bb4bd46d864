"""What the suite of all games has to be told of Hearts, where its page does not say it."""

from replay.testing.declared import PROVEN, REFUSED, VALUES

PROVEN["hearts"] = "25/25 23/25 25/25 13/16 15/19 19/19 25/25 19/25 17/23 18/25 14/25"
REFUSED["hearts"] = (0.3, "twelve cards change hands unseen, so that they can have gone in many ways")
# A hand or two to the end, and not some twenty.
VALUES["hearts", "target"] = (20, 40)
