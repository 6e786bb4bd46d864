"""Dues and chips over a season: what each player owes the club, or gets from the others.

Amounts are in hundredths, so that no cent is lost. Chips are the points of games in which what one wins another loses.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from msgspec import Struct

from events.errors import UsageError
from reducers.words.debts import fewest_payments

MOST_AMOUNT = 1_000_000_00


class SeasonPayment(Struct, frozen=True):
    """What one pays another, in hundredths."""

    payer: str
    payee: str
    amount: int


class PlayerAccount(Struct, frozen=True):
    """The account of a player: evenings and dues for them, chips and what they are worth; all amounts in hundredths."""

    name: str
    evenings: int
    dues: int
    chips: int
    worth: int


class SeasonAccounts(Struct, frozen=True):
    """The accounts of a season, what all owe the club as dues, and the fewest payments that settle the chips."""

    accounts: tuple[PlayerAccount, ...]
    dues: int
    payments: tuple[SeasonPayment, ...]


def parse_amount(text: str, what: str) -> int:
    """An amount such as 2.50 or 2,50 in hundredths; 0 for an empty text. Raises UsageError.

    >>> parse_amount("2,50", "dues"), parse_amount("", "dues")
    (250, 0)
    """
    try:
        amount = Decimal(text.strip().replace(",", ".") or "0") * 100
    except InvalidOperation:
        amount = Decimal(-1)
    if not 0 <= amount <= MOST_AMOUNT or amount != int(amount):
        raise UsageError(f"{text[:40]!r} is no amount", where=f"--{what}", expected="an amount such as 2.50")
    return int(amount)


def written_amount(amount: int) -> str:
    """An amount in hundredths as it is written.

    >>> written_amount(-1250)
    '−12.50'
    """
    return f"{'−' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02}"


def settled(evenings: Mapping[str, int], chips: Mapping[str, int], dues: int, stake: int) -> SeasonAccounts:
    """The accounts of players, by name. Raises UsageError if there is a stake, and the chips do not add up to
    nothing."""
    if stake and sum(chips.values()):
        raise UsageError(
            f"what the players won and lost comes to {sum(chips.values())}, and chips are settled only if "
            "what one wins another loses",
            where="--stake",
            expected="a game of chips, or one in which all totals of a match come to nothing",
            todo="--game chooses it; --dues needs no such game",
        )  # fmt: skip
    accounts = tuple(
        PlayerAccount(name, n, n * dues, chips.get(name, 0) if stake else 0, chips.get(name, 0) * stake)
        for name, n in evenings.items()
    )
    return SeasonAccounts(
        accounts, sum(a.dues for a in accounts),
        tuple(SeasonPayment(*one) for one in fewest_payments({a.name: a.worth for a in accounts})),
    )
