"""A sheet as PDF for paper, and as an image for a group. Typst sets both with its own fonts, which have the suit
symbols."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Literal

import msgspec

from events.errors import UsageError, needs_extra
from reducers.sheet import Sheet
from replay.languages.translate import in_language
from replay.paper.cells import BESIDE, HOW
from replay.paper.grids import Grid, drawn_sheet, merged_heads
from replay.paper.sheet_page import PageLook, fields_of, inside, print_sizes, recorded_by, signatures, told_facts

PAPERS = {"a4": "a4", "letter": "us-letter"}
_SUSPECTS = b"/Suspects false"
_CODES = frozenset({"paper", "logo", "form", "kinds", "kind", "mark", "sign", "code"})
"""Keys whose values are codes for the template, and no text to print."""
_PICTURE = 144.0
"""Dots per inch of an image: 160 mm are 907 dots wide."""


def as_pdf(sheet: Sheet, look: PageLook, remarks: str = "") -> bytes:
    """The sheet as PDF, with a heading of its own above its remarks if given. Raises UsageError if Typst is not
    installed."""
    return _set(sheet, look, PAPERS[look.paper], "pdf", {"beside": remarks} if remarks else {})


def as_png(sheet: Sheet, look: PageLook) -> bytes:
    """The sheet as one image, as high as needed, without lines to sign on. Raises UsageError if Typst is not
    installed."""
    return _set(sheet, look, "picture", "png")


def _set(
    sheet: Sheet, look: PageLook, paper: str, format: Literal["pdf", "png"], more: Mapping[str, str] = {},
) -> bytes:
    try:
        return set_in_type("sheet.typ", {**data_of(sheet, look, paper), **more}, "a sheet", format)
    except RuntimeError as error:
        if look.logo is None:
            raise
        raise UsageError("the picture for the head of the sheet cannot be drawn", todo="Name another one.") from error


def set_in_type(template: str, content: dict[str, Any], what: str, format: Literal["pdf", "png"] = "pdf") -> bytes:
    """Set a template of this folder with its content. Raises UsageError, which names `what` is made, if Typst is
    missing; RuntimeError if an image in the data cannot be drawn."""
    with needs_extra(f"{what} as {format.upper()}", "pdf"):
        import typst
    write: Any = typst.compile
    source = files("replay.paper").joinpath(template).read_bytes()
    made = write(
        source, format=format, sys_inputs={"data": json.dumps(content, ensure_ascii=False)},
        ppi=_PICTURE if format == "png" else None,
    )
    data = made if isinstance(made, bytes) else b"".join(made or ())
    # Poppler takes an explicit false for an error. It is the default, and blanks keep the offsets in the file.
    return data.replace(_SUSPECTS, b" " * len(_SUSPECTS), 1) if format == "pdf" else data


def data_of(sheet: Sheet, look: PageLook, paper: str) -> dict[str, Any]:
    """The content of the sheet for the template."""
    head = sheet.head
    blocks, notes = drawn_sheet(sheet)
    won = [side for side in head.sides if side.won]
    sides = head.sides if len(head.sides) <= 2 or not won else won
    facts = " · ".join(f"{in_language(name)}: {in_language(value, name)}" for name, value in told_facts(sheet))
    foot = [look.url] if look.url else []
    foot += [recorded_by(sheet)] if head.lines else []
    told = [text for text in ((head.game if head.event else ""), head.date, head.terms) if text]
    content = {
        "title": sheet.title, "paper": paper, "sizes": print_sizes(look), "suits": look.suits, "blank": sheet.blank,
        "wall": look.wall, "inside": inside(look), "fields": fields_of(sheet),
        "logo": look.logo[0] if look.logo else "", "logo-bytes": list(look.logo[1]) if look.logo else [],
        "event": head.event or head.game or sheet.title, "place": head.place, "told": told, "terms": bool(head.terms),
        "sides": [{"name": s.name, "total": s.total, "won": s.won} for s in sides if not sheet.blank],
        "verdict": head.verdict,
        "grids": [
            one for drawn in blocks
            for one in _grids(drawn.wide, first=drawn is blocks[0], alone=len(blocks) == 1, blank=sheet.blank)
        ],
        "notes": [{"sign": n.sign, "said": n.said} for n in notes], "remarks": sheet.remarks, "facts": facts,
        "signing": [list(one) for one in signatures(sheet)], "foot": foot, "signed": sheet.signed, "code": look.code,
        "how": HOW, "beside": BESIDE,
    }  # fmt: skip
    return dict(_said(content))


def _said(value: Any) -> Any:
    """The texts of a value in the language of the reader."""
    if isinstance(value, str):
        return in_language(value)
    if isinstance(value, list | tuple):
        return type(value)(map(_said, value))
    if isinstance(value, dict):
        return {key: one if key in _CODES else _said(one) for key, one in value.items()}
    return value


def _grids(grids: tuple[Grid, ...], *, first: bool, alone: bool, blank: bool) -> Iterator[dict[str, Any]]:
    for i, grid in enumerate(grids):
        heading = "" if alone or (first and i == 0) else grid.heading
        merged = merged_heads(grid, joined=blank)
        yield {
            **msgspec.to_builtins(grid), "heading": heading, "wide": not grid.heading or blank,
            "heads": [(head, sub) for head, sub, _ in merged], "spans": [span for _, _, span in merged],
        }  # fmt: skip
