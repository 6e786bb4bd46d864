"""Choose an engine by name."""

from __future__ import annotations

from events.errors import UsageError
from replay.engines.dask import Dask
from replay.engines.port import Engine
from replay.engines.processes import Processes


def engine_named(name: str, jobs: int) -> Engine:
    """The named engine: "" or `processes` for those of this machine, `dask` for a cluster of `jobs` processes created
    for this job, `dask://host:port` for the scheduler of a running one. Raises UsageError for other names."""
    if name in ("", "processes"):
        return Processes(jobs)
    if name == "dask" or name.startswith("dask://"):
        return Dask(name.removeprefix("dask").removeprefix("://"), jobs)
    raise UsageError(f"there is no engine {name[:80]!r}", expected="processes, dask, or dask://host:port")
