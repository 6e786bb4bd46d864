"""A club with a season behind it, and who asks its service; modules with tables of their own have other clubs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from a_season import fill
from service_at import Asker, Evening, evening

from records import Store


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a season of four games."""
    place = tmp_path_factory.mktemp("season")
    with Store.open(place / "club.db") as store:
        fill(store, 2)
    return place


@pytest.fixture
def club(filled: Path, tmp_path: Path) -> Iterator[Evening]:
    """A service over it."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    with evening(tmp_path) as made:
        yield made


@pytest.fixture
def director(club: Evening) -> Asker:
    return club.as_("director")
