"""Which engine is asked for."""

from __future__ import annotations

from events.errors import UsageError
from replay.engines.dask import Dask
from replay.engines.port import Engine
from replay.engines.processes import Processes


def engine_named(name: str, jobs: int) -> Engine:
    """The engine that is asked for: nothing or `processes` for those of this machine, `dask` for a cluster of `jobs` processes made
    for this job, `dask://host:port` for the scheduler of one that runs already. UsageError if there is none of this name."""
    if name in ("", "processes"):
        return Processes(jobs)
    if name == "dask" or name.startswith("dask://"):
        return Dask(name.removeprefix("dask").removeprefix("://"), jobs)
    raise UsageError(f"there is no engine {name[:80]!r}", expected="processes, dask, or dask://host:port")
