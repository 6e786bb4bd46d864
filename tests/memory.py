"""How much memory something takes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

USUAL = (700, 10, 10)
"""How often Python looks for garbage if nothing else is said."""


def peak(work: Callable[[], object]) -> int:
    """The most memory that was in use at once, beyond what was before, in bytes.

    The garbage collector looks as often as in a process of its own. What other tests keep would make it wait until
    much more has come; so it leaves that alone.
    """
    gc.collect()
    gc.freeze()
    seldom = gc.get_threshold()
    gc.set_threshold(*USUAL)
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.set_threshold(*seldom)
