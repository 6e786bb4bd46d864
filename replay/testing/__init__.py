"""What is asked of every page: a suite that plays matches by chance, hides them, breaks rules in them and reads poor
records.

`pytest --kibitz-game NAME` asks it of an installed page (`replay.testing.plugin`, in the extra `kibitz[games]`). The
tests of this repository adopt the same functions.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

# Their assertions say what they compared.
pytest.register_assert_rewrite(
    *(
        f"replay.testing.{name}"
        for name in ("conformance", "degradation", "given", "playthroughs", "referees", "tables", "worlds")
    )
)


def adopt(module: dict[str, Any], suite: ModuleType) -> None:
    """Put the tests of a suite among the names of a test module, so that pytest finds them there."""
    module.update({name: test for name, test in vars(suite).items() if name.startswith("test_")})


__all__ = ["adopt"]
