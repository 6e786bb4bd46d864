"""The service that `benchmarks.evening` asks, in a process of its own: `python -m benchmarks.evening_service STORE
PORT`."""

from __future__ import annotations

import sys
from pathlib import Path

from service.serve import plan, serve_until_stopped


def main() -> None:
    serve_until_stopped(plan(Path(sys.argv[1]), port=int(sys.argv[2])), lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
