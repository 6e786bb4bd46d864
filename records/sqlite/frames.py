"""Reads a write-ahead log (WAL) as SQLite does after a crash, to say what is wrong with it.

A header of 32 bytes is followed by frames: 24 bytes, then a page. Each frame repeats the salts of the header, and has
a checksum over everything before it. SQLite takes the frames up to the first that does not fit, and silently ignores
the rest. The format is https://www.sqlite.org/fileformat2.html#walformat.

This is slow, and is done only when events are known to be missing.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Literal

from msgspec import Struct

_HEADER, _FRAME = 32, 24
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}


class WalState(Struct, frozen=True):
    """The state of a WAL, and a clause that describes it. `frames` is the number of intact frames."""

    state: Literal["missing", "cut short", "damaged", "whole"]
    text: str
    frames: int = 0


MISSING = WalState("missing", "its write-ahead file (-wal) is missing")
# SQLite creates an empty WAL if there is none, so an empty one says no more than a missing one.
EMPTY = WalState("missing", "its write-ahead file (-wal) is missing, or an empty one was put in its place")


def wal_state_at(path: Path) -> WalState:
    """The state of the WAL at `path`. OSError if it exists but cannot be read."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return MISSING
    if not data:
        return EMPTY
    if len(data) < _HEADER:
        return WalState("cut short", f"its write-ahead file (-wal) is cut short after {_bytes(len(data))}")
    magic, _, size, _, *salts = struct.unpack_from(">6I", data)
    order = _MAGIC.get(magic)
    if order is None or size not in {512 << i for i in range(8)}:
        return WalState("damaged", "the header of its write-ahead file (-wal) is damaged")
    sums = _summed(order, data[:24], 0, 0)
    if sums != struct.unpack_from(">2I", data, 24):
        return WalState("damaged", "the header of its write-ahead file (-wal) is damaged")
    return _walked(data, order, size, (salts[0], salts[1]), sums)


def _walked(data: bytes, order: str, size: int, salts: tuple[int, int], sums: tuple[int, int]) -> WalState:
    """Follow the frames up to the first that does not fit."""
    step, whole, at = _FRAME + size, 0, _HEADER
    while at + step <= len(data):
        sums = _summed(order, data[at : at + 8], *sums)
        sums = _summed(order, data[at + _FRAME : at + step], *sums)
        if struct.unpack_from(">2I", data, at + 8) != salts or struct.unpack_from(">2I", data, at + 16) != sums:
            # Older frames, all with other salts, may follow the last one. Anything else is damage.
            later = range(at + step, len(data) - step + 1, step)
            if struct.unpack_from(">2I", data, at + 8) == salts or any(
                struct.unpack_from(">2I", data, place + 8) == salts for place in later
            ):
                many = (len(data) - _HEADER) // step
                text = (
                    f"its write-ahead file (-wal) is damaged: frame {whole + 1} of {many} is not the one "
                    "that was written"
                )
                return WalState("damaged", text, whole)
            break
        whole, at = whole + 1, at + step
    else:
        # The file ends after the last intact frame: the rest, if there was any, was cut off.
        rest = len(data) - at
        text = f"its write-ahead file (-wal) is cut short after {whole} whole frame{'s' * (whole != 1)}"
        return WalState("cut short", text + (f" and {_bytes(rest)}" if rest else ""), whole)
    return WalState("whole", "its write-ahead file (-wal) does not hold them, and is not damaged", whole)


def _summed(order: str, data: bytes, one: int, two: int) -> tuple[int, int]:
    """SQLite's checksum of a part, continued from the part before."""
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _bytes(number: int) -> str:
    return f"{number} byte{'s' * (number != 1)}"
