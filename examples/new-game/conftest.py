"""What the suite of all games has to be told of Forehand, where its page does not say it."""

from replay.testing.declared import PROVEN

# Of every ten breaches that can be proven in a poor record at least one is; `pytest -k playthrough --kibitz-row`
# prints what is proven today.
PROVEN["forehand"] = " ".join(["1/10"] * 11)
