"""An audit, or what is known about one event, as lines of plain text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from msgspec import Struct

from events.cards import GLYPHS, pretty, pretty_all, suit_of
from events.name_lists import one_of
from reducers.pile_words import pile_in_words
from replay.auditing.audit_shapes import WIDTH, About, Audit, Audited, Card, Held, Packet, ReconstructedDeal
from replay.judging.correction import asked_once, likewise
from replay.judging.findings import OF_THE_RECORD, either_is_broken, where_it_is
from replay.judging.offers import MAX_FINDINGS_TOLD
from replay.plain_text import text_columns, with_player_names
from replay.table.wording import MAX_NAMED, few


class Page(Struct, frozen=True):
    """How lines are written: the names of players and sides, the game's own names for piles, and the width."""

    called: Mapping[str, str] = {}
    width: int = WIDTH
    piles: Mapping[str, str] = {}


PAGE = Page()


def labelled_line(label: str, text: str, page: Page = PAGE) -> Iterator[str]:
    """One labelled line, wrapped with an indent, with the names of players."""
    yield from textwrap.wrap(
        with_player_names(text, page.called), page.width, initial_indent=f"{label:<8}", subsequent_indent=" " * 8,
        break_on_hyphens=False,
    ) or [label]


def finding_lines(a: Audited, page: Page = PAGE) -> Iterator[str]:
    """A finding with all its details."""
    yield from labelled_line(
        a.verdict, f"{a.rule} {a.short}".strip() + f"  {where_it_is(a.at, a.trick)}: {a.says}", page,
    )
    for label, text in (*details_of(a), *([("exact", a.exact.text)] if a.exact is not None else [])):
        yield from labelled_line(label, text, Page(width=page.width) if label in AS_WRITTEN else page)


AS_WRITTEN = ("rule", "legal")
"""The labels of details without names of players: the text of a rule is the game's, and acts are as typed."""


def details_of(a: Audited) -> Iterator[tuple[str, str]]:
    """The details of a finding but its exact opinion, each with its label."""
    if a.unless:
        yield "unless", a.unless
    if a.sentence:
        yield "rule", f"{a.heading}: {a.sentence}"
    if a.middle:
        yield "table", a.middle
    yield from (("because", text) for text in a.because)
    if len(a.chain) > 1:
        yield "chain", " → ".join(f"{link.pos} {link.text}" for link in a.chain)
    if a.known_from is not None:
        yield "known", a.knew or f"from event {a.known_from.pos}"
    if a.legal:
        yield "legal", few(a.legal) + ("" if a.complete else " (perhaps others)")
    if a.cost:
        yield "cost", a.cost
    yield from (("settles", text) for text in a.settles)


def dealt_words(packet: Packet) -> str:
    """The cards of a packet: certain ones plain, inferred ones in brackets, unknown ones counted."""
    words: list[str] = []
    last = ""
    for card in packet.cards:
        if card.how == "unknown":
            continue
        suit = GLYPHS.get(suit_of(card.card), "")
        rank = pretty(card.card).rstrip("♣♦♥♠") if suit else pretty(card.card)
        if card.how == "inferred":
            words.append(f"[{pretty(card.card)}]")
            last = ""
        elif suit and suit == last:
            words[-1] += rank
        else:
            words.append(suit + rank)
            last = suit
    unknown = sum(c.how == "unknown" for c in packet.cards)
    if unknown:
        words.append(
            f"{unknown} unknown" + (f" of {pretty_all(packet.may_be)}" if len(packet.may_be) <= MAX_NAMED else "")
        )
    if packet.vague:
        words.append("and perhaps more")
    return " ".join(words) or "nothing"


def deal_lines(deal: ReconstructedDeal, page: Page = PAGE) -> Iterator[str]:
    """A reconstructed deal."""
    every = "every card is known" if deal.complete else "as far as it can be known"
    guess = any(c.how == "inferred" for p in deal.packets for c in p.cards)
    yield from labelled_line(
        "deal", f"hand {deal.hand}, as reconstructed: {every}" + ("; [in brackets] by elimination" if guess else ""),
        page,
    )
    places = {p.at for p in deal.packets}
    rows = [(_whose(pile, page), words, at) for pile, words, at in _rows(deal.packets)]
    wide = max((text_columns(whose) for whose, _, _ in rows), default=0)
    for whose, words, at in rows:
        where = f" (at {at})" if len(places) > 1 else ""
        yield from labelled_line(
            "", f"{whose}{' ' * (wide - text_columns(whose))}  {words}{where}", Page(width=page.width),
        )


def _whose(pile: str, page: Page) -> str:
    """The owner of a packet, or the name of the pile."""
    return page.called.get(pile) or with_player_names(pile_in_words(pile, page.piles), page.called).removeprefix("the ")


def _rows(packets: Sequence[Packet]) -> Iterator[tuple[str, str, int]]:
    """Pile, cards and position of each packet. Columns of one owner with one card each from one deal share a row."""

    def column(packet: Packet) -> tuple[str, int]:
        stem, _, number = packet.pile.rpartition(":")
        return (
            (stem, packet.at) if stem.startswith("col") and number.isdigit() and len(packet.cards) == 1
            and not packet.vague else (packet.pile, -1)
        )

    for (pile, at), some in groupby(packets, column):
        group = list(some)
        if at < 0 or len(group) == 1:
            yield from ((packet.pile, dealt_words(packet), packet.at) for packet in group)
        else:
            first, last = (packet.pile.rpartition(":")[2] for packet in (group[0], group[-1]))
            yield f"{pile}:{first}..{last}", " ".join(_one(packet.cards[0]) for packet in group), at


def _one(card: Card) -> str:
    """One card of a deal; an inferred one in brackets."""
    return f"[{pretty(card.card)}]" if card.how == "inferred" else pretty(card.card)


def audit_lines(a: Audit, name: str = "", page: Page = PAGE) -> Iterator[str]:
    """The whole audit: contradictions of the record, offers, findings, open questions, deals, a summary."""
    record = [f for f in a.broken if f.rule in OF_THE_RECORD and f.rule != "table.T9"]
    for one in record:
        yield from finding_lines(one, page)
        yield ""
    for offer in a.offers:
        yield from labelled_line(
            "then" if offer.after else "perhaps",
            f"hand {offer.hand}: {offer.text}; type {' and '.join(f'`{typed}`' for typed in offer.lines)}", page,
        )
        yield from labelled_line("", f"removes {few(offer.removes, 4)}", page)
        yield ""
    questions = asked_once(a.open, reason_of)
    for one, *others in (*((f, *rest) for f, rest in one_cause(f for f in a.broken if f not in record)), *questions):
        yield from finding_lines(one, page)
        for text in likewise(others):
            yield from labelled_line("also", text, page)
        yield ""
    for pos, rules in a.either.items():
        yield from labelled_line("broken", f"event {pos} {either_is_broken(rules, one_act=True)} (above)", page)
        yield ""
    for charges in a.across:
        yield from labelled_line("broken", f"{either_is_broken(charges, one_act=False)} (above)", page)
        yield ""
    for deal in a.deals:
        yield from deal_lines(deal, page)
        yield ""
    for tried in a.exact:
        yield from labelled_line("exact", f"hand {tried.hand}: {tried.text}", page)
    for text in a.cuts:
        yield from labelled_line("note", text, Page(width=page.width))
    wrong = len(a.broken) + len(a.illegal) + len(a.across)
    said = (
        f"{wrong} finding{'s' * (wrong != 1)}" if wrong else "no rule was certainly broken" if a.open
        else "no rule was broken"
    )
    charged = {*chain(*a.across), *(f"{rule} at event {pos}" for pos, rules in a.either.items() for rule in rules)}
    asked = sum(any(f"{one.rule} at event {one.at.pos}" not in charged for one in group) for group in questions)
    if asked:
        said += f", {asked} open question{'s' * (asked != 1)}"
    where = (
        f" in hand {a.hand}" if a.hand is not None else f" in {a.hands} hand{'s' * (a.hands != 1)}" if a.hands
        else "; no hand was begun or could be read"
    )
    yield f"{name or a.match or a.name}: {said}{where}"


def one_cause(findings: Iterable[Audited]) -> list[tuple[Audited, tuple[Audited, ...]]]:
    """Group findings by the correction they depend on. Of a large group only the first is shown in full."""
    groups: dict[str, list[Audited]] = {}
    alone: list[tuple[Audited, tuple[Audited, ...]]] = []
    for f in findings:
        groups.setdefault(f.unless, []).append(f)
    for unless, group in groups.items():
        many = bool(unless) and len(group) > MAX_FINDINGS_TOLD
        alone += [(group[0], tuple(group[1:]))] if many else [(f, ()) for f in group]
    return alone


def reason_of(question: Audited) -> str:
    """The reason why a question is open; "" if it has details of its own: a proof, legal alternatives, an exact
    answer."""
    own = question.because or question.legal or question.exact or question.rule in (
        "table.T13", "table.T14", "table.T15",
    )
    return "" if own else question.says.partition("; ")[2]


def about_lines(a: About, page: Page = PAGE) -> Iterator[str]:
    """One event, with everything known about it."""
    where = f"event {a.pos}" + (f", hand {a.hand}" if a.hand else "")
    yield from labelled_line("event", f"{where}: {a.says}", page)
    for was in a.was:
        yield from labelled_line("was", f"{was} (corrected since)", page)
    if a.remark:
        yield from labelled_line("note", a.remark, page)
    if a.phase:
        yield from labelled_line("time", a.phase + (f", {one_of(a.turn)} to act" if a.turn else ""), page)
    if a.middle:
        yield from labelled_line("table", a.middle, page)
    for held in a.held:
        yield from labelled_line(
            "held", f"{page.called.get(held.pile, held.pile)}: {held_words(held)}", Page(width=page.width),
        )
    for r in a.rules:
        yield from labelled_line("rules", f"{r.verdict}  {r.rule} {r.short}" + (f": {r.text}" if r.text else ""), page)
    if a.verdict:
        yield from labelled_line("act", a.verdict, page)
    for text in a.proves:
        yield from labelled_line("proves", text, page)
    for one in a.findings:
        yield ""
        yield from finding_lines(one, page)


def held_words(held: Held) -> str:
    """The content of a pile in words: cards seen then, shown later, inferred, and open."""
    words = [f"{'at least ' if held.vague else ''}{held.count} card{'s' * (held.count != 1)}"]
    if held.seen:
        words.append(f"seen then {pretty_all(held.seen)}")
    if held.later:
        words.append(f"shown later {pretty_all(held.later)}")
    if held.inferred:
        words.append(f"inferred {' '.join(f'[{pretty(c)}]' for c in held.inferred)}")
    if held.hidden:
        of = f" of {pretty_all(held.may_be)}" if len(held.may_be) <= 2 * MAX_NAMED else f" of {len(held.may_be)} cards"
        words.append(f"{held.hidden} unknown{of}")
    return "; ".join(words)
