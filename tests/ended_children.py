"""Work that is done in a child, which is ended at any of its steps."""

from __future__ import annotations

import os
from collections.abc import Callable


def came_to_its_end(work: Callable[[Callable[[], None]], object], step: int) -> bool:
    """Do this in a child that is ended at its `step`-th step, and return whether it came to its end; the work calls
    what it is given before each step."""
    child = os.fork()
    if not child:
        left = step

        def before() -> None:
            nonlocal left
            left -= 1
            if not left:
                os._exit(9)

        try:
            work(before)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, 9)
    return status == 0
