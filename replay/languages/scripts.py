"""Scripts of the pages in a language: their phrases are written into the script when it is sent, so that a page
carries one language, English costs nothing, and nothing is looked up in the browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from replay.languages.catalogue import Language

_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_CALLED = re.compile(rf"\b(?:t\((?P<text>{_TEXT})|tn\(\[(?P<one>{_TEXT}), (?P<many>{_TEXT})\])")
_RULE = "Number(n !== 1)"
"""The rule of plurals in `words.js`."""


def phrases_in_script(script: str) -> Iterator[tuple[str, str]]:
    """Each phrase of a script with its plural form, empty if it has none."""
    for found in _CALLED.finditer(script):
        if found["text"]:
            yield json.loads(found["text"]), ""
        else:
            yield json.loads(found["one"]), json.loads(found["many"])


def script_in(spoken: Language, script: str) -> str:
    """A script with its phrases, and the rule of plurals, in a language, as far as the catalogue has them."""

    def one(found: re.Match[str]) -> str:
        if found["text"]:
            text = json.loads(found["text"])
            return f"t({_quoted(spoken.phrases.get(text, text))}"
        forms = spoken.plurals.get(json.loads(found["one"]))
        return f"tn([{', '.join(map(_quoted, forms))}]" if forms else found[0]

    return _CALLED.sub(one, script).replace(_RULE, f"Number({spoken.rule})") if spoken.phrases else script


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
