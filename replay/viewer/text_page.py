"""A replay as a page of text: the players, the deal, the moves with their findings, the result.

Chat previews show it, and browsers without scripts. Each event has its number as an anchor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from events.cards import GLYPHS, item, pretty, suit_of
from reducers.scoring import figure, signed
from replay.paper.as_html import h
from replay.viewer.frames import apply_frame_change

Data = Mapping[str, Any]
VS15 = "\ufe0e"
"""Requests text where a phone would draw an emoji."""


def replay_narration(doc: Data) -> str:
    """The page of a replay as HTML, without its frame; `doc` is plain data."""
    return "".join(_Page(doc).lines())


def heading(doc: Data) -> str:
    """The heading of the page.

    >>> heading({"name": "Kaiser", "title": "Valentine's evening"})
    "Kaiser: Valentine's evening"
    """
    return f"{doc['name']}: {doc['title']}"


def match_summary(doc: Data) -> str:
    """A match in a sentence, for a preview."""
    hands = len(doc["hands"])
    return f"{players_line(doc)}; {hands} hand{'s' * (hands != 1)}: {match_result(doc)}."


def match_result(doc: Data) -> str:
    """The standing of a match, and how it ended.

    >>> match_result({"called": {"A": "Ann"}, "totals": {"A": 5, "B": None}, "ended": "Ann won the match."})
    'Ann 5, B ?; Ann won the match'
    """
    totals = ", ".join(f"{doc['called'].get(who, who)} {figure(n)}" for who, n in doc["totals"].items())
    return "; ".join(part for part in (totals, doc["ended"].removesuffix(".")) if part)


def players_line(doc: Data) -> str:
    """The sides, one beside the other."""
    return " – ".join(doc["called"].get(side, side) for side in doc["sides"])


class _Page:
    def __init__(self, doc: Data) -> None:
        self.doc, self.called = doc, doc["called"]
        self.signs: Mapping[str, Sequence[str]] = doc["pack"]["called"]
        self.found: dict[int, list[Data]] = {}
        for finding in doc["findings"]:
            self.found.setdefault(finding["at"], []).append(finding)

    def lines(self) -> Iterator[str]:
        """The whole page."""
        doc = self.doc
        yield f'<main class="told"><h1>{h(heading(doc))}</h1>'
        tags = [f"{text}" for name, text in doc["tags"].items() if name != "Event"]
        yield f"<p>{h(' · '.join(tags))}</p>" if tags else ""
        yield f"<p>{h(match_summary(doc))}</p>"
        yield f"<p>{h(doc['kept'])}</p>" if doc.get("kept") else ""
        links = [f'<a href="{h(to)}">{h(name)}</a>' for name, to in doc.get("links", {}).items()]
        yield f"<p>{' · '.join(links)}</p>" if links else ""
        for hand in doc["hands"]:
            yield from self.hand(hand)
        if "beside" in doc:
            yield from self.beside(doc["beside"])
        yield "</main>"

    def beside(self, beside: Data) -> Iterator[str]:
        """The events on which a second record differs."""
        says = [{s["n"]: s["says"] for one in doc["hands"] for s in one["steps"]} for doc in (self.doc, beside["doc"])]
        yield f"<h2>{h(' and '.join(beside['titles']))}</h2><table>"
        for a, b, *differs in beside["rows"]:
            if differs:
                cells = (f"{n}. {h(signs(said[n]))}" if n in said else "" for n, said in zip((a, b), says, strict=True))
                yield f"<tr><td>{'<td>'.join(cells)}"
        yield "</table>"

    def hand(self, hand: Data) -> Iterator[str]:
        """One hand: the deal, the moves, the result."""
        self.called = hand.get("called", self.doc["called"])
        dealer = self.called.get(hand["dealer"], hand["dealer"])
        contract = f" · {hand['contract']}" if hand["contract"] else ""
        yield f'<section id="hand-{hand["number"]}"><h2>Hand {hand["number"]}, {h(dealer)} dealt{h(contract)}</h2>'
        yield from self.deal(hand)
        yield from self.columns(hand) if hand["list"] == "columns" else self.turns(hand)
        gains = ", ".join(
            f"{self.called.get(who, who)} {signed(n)} = {figure(hand['totals'].get(who))}"
            for who, n in hand["points"].items()
        )
        if gains:
            yield f"<p><b>{h(hand['result'] or 'result')}</b> {h(gains)}</p>"
        for note in hand["notes"]:
            yield f"<p>{h(note)}</p>"
        yield "</section>"

    def deal(self, hand: Data) -> Iterator[str]:
        """The cards dealt to each player that were seen then or later."""
        dealt = next((s for s in reversed(hand["steps"]) if s["verb"] == "deal"), None)
        if dealt is None:
            return
        at = hand["steps"].index(dealt)
        held: dict[str, list[str]] = {}
        for pile in self.frame(hand, at)["piles"].values():
            if pile.get("holding") and pile.get("cards"):
                held[pile["name"]] = list(pile["cards"])
        rows = []
        for name, cards in held.items():
            later = [
                card for pile, card, since, until in (*hand["later"], *hand["counted"]) if pile == name
                and since <= at < until
            ]
            seen = [card for card in cards if item(card).card != "??"] + later
            unseen = sum(item(card).count or 1 for card in cards if item(card).card == "??") - len(later)
            words = [*self.by_suit(seen), *([f"{unseen} unseen"] if unseen > 0 else [])]
            rows.append(f"<dt>{h(self.called.get(name, name))}</dt><dd>{' '.join(words)}</dd>")
        yield f"<dl>{''.join(rows)}</dl>" if rows else ""

    def by_suit(self, cards: Iterable[str]) -> Iterator[str]:
        """Cards suit by suit."""
        suits: dict[str, list[str]] = {}
        for card in cards:
            suits.setdefault(suit_of(item(card).card), []).append(card)
        for suit in (*GLYPHS, ""):
            if suit in suits:
                yield self.in_signs(sorted(suits[suit], key=lambda card: "AKQJT98765432".find(card[0])))
        for suit in suits.keys() - {*GLYPHS, ""}:
            yield self.in_signs(suits[suit])

    def in_signs(self, cards: Iterable[str]) -> str:
        """Cards with the symbols of the pack on the table."""
        return h(signs(" ".join(self.signs[card][0] if card in self.signs else pretty(card) for card in cards)))

    @staticmethod
    def frame(hand: Data, upto: int) -> dict[str, Any]:
        """The frame after a step."""
        frame: dict[str, Any] = dict(hand["frame"])
        for step in hand["steps"][: upto + 1]:
            frame = apply_frame_change(frame, step.get("change", {}))
        return frame

    # -- the moves ----------------------------------------------------------------------------------------------------

    def columns(self, hand: Data) -> Iterator[str]:
        """A row per trick, a column per player; speech before it has rows of its own. Optional end tags of rows and
        cells are omitted."""
        order: Sequence[str] = self.doc["order"]
        head = "".join(f'<th scope="col">{h(self.called[seat])}' for seat in order)
        yield f'<table><tr><td>{head}'
        for i, group in enumerate(hand["groups"]):
            steps = [s for s in hand["steps"] if s.get("group", -1) == i]
            cells: dict[str, list[str]] = {}
            below: list[str] = []
            for step in steps:
                if group["kind"] in ("trick", "bids") and step["by"] in order and step["verb"] not in SAID:
                    cells.setdefault(step["by"], []).append(self.cell(step, group))
                    below += self.below(step)
                else:
                    below.append(f'<p id="{step["n"]}">{step["n"]}. {self.sentence(step)}</p>')
                    below += self.below(step)
            if cells:
                row = "".join(f"<td>{' '.join(cells.get(seat, []))}" for seat in order)
                yield f'<tr><th scope="row">{h(group["label"])}{row}'
            if below:
                yield f'<tr><td><td colspan="{len(order)}">{"".join(below)}'
        yield "</table>"

    def cell(self, step: Data, group: Data) -> str:
        """An act in a row of acts."""
        led = "▸ " if step["by"] == group.get("leader") else ""
        won = ' class="won"' if step["by"] == group.get("winner") else ""
        said = f'{led}{self.was(step)}{h(signs(step["short"]))}{"!" if self.broken(step) else ""}{self.marks(step)}'
        return f'<span id="{step["n"]}"{won}>{said}</span>'

    def turns(self, hand: Data) -> Iterator[str]:
        """A line per event."""
        steps = hand["steps"]
        n = steps[0]["n"] if steps else 1
        yield f'<ol start="{n}">'
        for step in steps:
            # Optional end tags, consecutive numbers and quotes are omitted, as a long match has many.
            value = "" if step["n"] == n else f' value={step["n"]}'
            n = step["n"] + 1
            yield f'<li id={step["n"]}{value}>{self.sentence(step)}{"".join(self.below(step))}'
        yield "</ol>"

    def sentence(self, step: Data) -> str:
        """An event in a line."""
        return f'{self.was(step)}{h(signs(step["says"]))}{self.marks(step)}'

    @staticmethod
    def marks(step: Data) -> str:
        """The marks of the recorder, as in chess."""
        return "".join(f" {MARKS[n] if n < len(MARKS) else f'${n}'}" for n in step.get("glyphs", ()))

    @staticmethod
    def was(step: Data) -> str:
        """The versions before correction."""
        return "".join(f"<s>{h(signs(text))}</s> " for text in step.get("was", ()))

    def broken(self, step: Data) -> bool:
        """True if there is a breach at an event."""
        return any(f["verdict"] == "broken" for f in self.found.get(step["n"], ()))

    def below(self, step: Data) -> list[str]:
        """What belongs below an event: the remark, the correction, the findings."""
        out = []
        if step.get("text"):
            out.append(f"<p><i>{h(step['text'])}</i></p>")
        if step.get("at"):
            out.append(
                f"<p>{step['n']}: corrected at {step['at']}</p>" if step.get("was")
                else f"<p>put in at {step['at']}</p>"
            )
        out += [f"<p>{h(text)}</p>" for text in step.get("inferred", ())]
        return out + [self.finding(f) for f in self.found.get(step["n"], ())]

    def finding(self, f: Data) -> str:
        """A finding with its sentences; the events of its proof are links."""
        sign = "!" if f["verdict"] == "broken" else "?"
        chain = " ".join(f'<a href="#{one["n"]}">{one["n"]}</a>' for one in f["chain"])
        more = [
            *f["because"], *(f"settled by {text}" for text in f["settles"]),
            *([f"unless {f['unless']}"] if f["unless"] else []),
        ]
        text = "".join(f"<br>{h(signs(one))}" for one in more)
        return (
            f'<p class="found"><b>{sign} {h(f["title"])}</b> ({f["at"]}): '
            f'{h(signs(f["says"]))}{text}<br>{h(f["sentence"])} {chain}</p>'
        )


MARKS = ("", "!", "?", "!!", "??", "!?", "?!")
SAID = ("claim", "confirm", "dispute", "ruling", "fault", "note")


def signs(text: str) -> str:
    """Suit symbols as text, which phones would otherwise draw as emoji."""
    for sign in GLYPHS.values():
        text = text.replace(sign, sign + VS15)
    return text
