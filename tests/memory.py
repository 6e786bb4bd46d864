"""How much memory something takes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable


def peak(work: Callable[[], object]) -> int:
    """The most memory that was in use at once, beyond what was before, in bytes.

    What other tests of the process keep would make the garbage collector wait until much more has come; so it leaves that alone.
    """
    gc.collect()
    gc.freeze()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
