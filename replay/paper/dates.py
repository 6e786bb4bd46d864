"""Dates on paper in the form of the reader; data keeps them as in ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from msgspec.structs import replace

from events.errors import UsageError
from reducers.sheet import Sheet

FORMS: dict[str, Callable[[date], str]] = {
    "words": lambda day: f"{day.day} {day:%B} {day.year}",
    "us": lambda day: f"{day:%B} {day.day}, {day.year}",
    "dots": lambda day: f"{day.day}.{day.month}.{day.year}",
    "slashes": lambda day: f"{day:%d/%m/%Y}",
    "dashes": lambda day: f"{day:%d-%m-%Y}",
    "iso": lambda day: day.isoformat(),
}
"""The forms by name: 14 February 2026, February 14, 2026, 14.2.2026, 14/02/2026, 14-02-2026, 2026-02-14."""

_BY_LANGUAGE = {
    "dots": "az be bg bs cs da de et fi hr hy is ka kk lv mk no nb nn pl ro ru sk sl sq sr tr uk",
    "slashes": "ar ca el es fr gl he id it ms pt th vi", "dashes": "hi nl", "iso": "eu hu ja ko lt mn sv zh",
}  # fmt: skip
_LANGUAGE = {language: form for form, languages in _BY_LANGUAGE.items() for language in languages.split()}
_BY_PLACE = {"US": "us", "PH": "us", "CA": "iso", "ZA": "iso"}
_ISO = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_LOCALE = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}))?\b")


def form_of_locale(named: str) -> str:
    """The form for a locale, or for the first language that a browser accepts.

    >>> form_of_locale("en_US.UTF-8"), form_of_locale("de-CH,de;q=0.9"), form_of_locale("sv_SE"), form_of_locale("C")
    ('us', 'dots', 'iso', 'words')
    """
    found = _LOCALE.match(named)
    if found is None:
        return "words"
    return _LANGUAGE.get(found[1].lower()) or _BY_PLACE.get((found[2] or "").upper(), "words")


def in_form(text: str, form: str) -> str:
    """Text with every ISO date in a form; what is not a day of the calendar stays. Raises UsageError for an unknown
    form.

    >>> in_form("2026-02-14 – 2026-03-01", "words"), in_form("2026-02-??", "us"), in_form("2026-02-30", "dots")
    ('14 February 2026 – 1 March 2026', '2026-02-??', '2026-02-30')
    """
    if form not in FORMS:
        raise UsageError(f"there is no form of dates '{form}'", expected=f"one of {', '.join(FORMS)}")

    def written(found: re.Match[str]) -> str:
        try:
            return FORMS[form](date.fromisoformat(found[0]))
        except ValueError:
            return found[0]

    return _ISO.sub(written, text)


def with_dates(sheet: Sheet, form: str) -> Sheet:
    """The sheet with its date in a form."""
    facts = tuple((name, in_form(value, form) if name == "Date" else value) for name, value in sheet.facts)
    return replace(sheet, facts=facts, head=replace(sheet.head, date=in_form(sheet.head.date, form)))
