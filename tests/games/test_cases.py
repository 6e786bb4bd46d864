"""Every numbered rule of every page has a case named for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reducers.registry import PAGES, find_game


@pytest.mark.parametrize("game", sorted(PAGES))
def test_every_rule_has_a_case(game: str) -> None:
    """A rule without a case would be a promise nobody keeps."""
    text = Path(__file__).with_name(f"test_{game.replace('-', '_')}.py").read_text(encoding="utf-8")
    for rule in find_game(game).rules:
        assert f"_{rule.id}_" in text, f"{game}.{rule.id}"
