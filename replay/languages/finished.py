"""Texts with places that the pages of games make: they are part of the state, in English, and are recognised when
they are shown in another language."""

FINISHED = (
    "trick {n} to {who}",
    "tricks {first} and {last} to {who}",
    "tricks {first} to {last} to {who}",
)

__all__ = ["FINISHED"]
