"""The Merkle tree of RFC 6962 (section 2.1) over hashed leaves: roots and proofs.

Sizes count leaves, indexes count from 0. A proof is a list of 32-byte hashes in the order of the RFC.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

EMPTY = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""


def hash_node(left: bytes, right: bytes) -> bytes:
    """The hash of the node above two nodes."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree over leaves that stores every full subtree, so that a proof takes time in proportion to the height."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._levels: list[list[bytes]] = [list(leaves)]
        sha = hashlib.sha256
        while len(below := self._levels[-1]) > 1:
            self._levels.append([sha(b"\x01" + below[i] + below[i + 1]).digest() for i in range(0, len(below) - 1, 2)])

    def __len__(self) -> int:
        return len(self._levels[0])

    def root(self, size: int | None = None) -> bytes:
        """The root of the first `size` leaves (default: all). ValueError if there are fewer."""
        size = self._size(size)
        return self._span(0, size) if size else EMPTY

    def subtree(self, start: int, level: int) -> bytes:
        """The root over 2 ** `level` leaves from `start`, which is a multiple of that number."""
        return self._levels[level][start >> level]

    def inclusion(self, index: int, size: int | None = None) -> list[bytes]:
        """The proof that leaf `index` is in the tree of the first `size` leaves. ValueError if it is not."""
        size = self._size(size)
        if not 0 <= index < size:
            raise ValueError(f"there is no leaf {index} among {size}")
        path: list[bytes] = []
        start, stop = 0, size
        while stop - start > 1:
            middle = start + _split(stop - start)
            if index < middle:
                path.append(self._span(middle, stop))
                stop = middle
            else:
                path.append(self._span(start, middle))
                start = middle
        return path[::-1]

    def consistency(self, old: int, new: int | None = None) -> list[bytes]:
        """The proof that the tree of the first `new` leaves extends the tree of the first `old`. Raises ValueError."""
        new = self._size(new)
        if not 0 <= old <= new:
            raise ValueError(f"{old} leaves do not come before {new}")
        if old in (0, new):
            return []
        path: list[bytes] = []
        start, stop, whole = 0, new, True
        while stop != old:
            middle = start + _split(stop - start)
            if old <= middle:
                path.append(self._span(middle, stop))
                stop = middle
            else:
                path.append(self._span(start, middle))
                start, whole = middle, False
        if not whole:
            path.append(self._span(start, stop))
        return path[::-1]

    def _size(self, size: int | None) -> int:
        size = len(self) if size is None else size
        if not 0 <= size <= len(self):
            raise ValueError(f"there are no {size} leaves, but {len(self)}")
        return size

    def _span(self, start: int, stop: int) -> bytes:
        """The root over the leaves from `start` to before `stop`; `start` is where the RFC would split."""
        count = stop - start
        if count & (count - 1) == 0:
            level = count.bit_length() - 1
            return self._levels[level][start >> level]
        middle = start + _split(count)
        return hash_node(self._span(start, middle), self._span(middle, stop))


TILE = 1024
"""Leaves in a tile: a power of two, so that the root over them is a node of every larger tree."""


class Tiled:
    """A tree whose first leaves are known only as roots of tiles. It gives roots of sizes from there on.

    `tiles` are all full tiles: the given ones, then those made of the leaves."""

    def __init__(self, tiles: Sequence[bytes], leaves: Sequence[bytes]) -> None:
        self._given, self._leaves = len(tiles), leaves
        full = range(0, len(leaves) - TILE + 1, TILE)
        self.tiles = [*tiles, *(Tree(leaves[at : at + TILE]).root() for at in full)]
        self._above = Tree(self.tiles)

    def __len__(self) -> int:
        return self._given * TILE + len(self._leaves)

    def root(self, size: int | None = None) -> bytes:
        """The root of the first `size` leaves (default: all). ValueError for a size inside the given tiles."""
        size = len(self) if size is None else size
        if not self._given * TILE <= size <= len(self):
            raise ValueError(f"the root of {size} leaves is not known here")
        tiles, rest = divmod(size, TILE)
        start = (tiles - self._given) * TILE
        loose = [Tree(self._leaves[start : start + rest]).root()] if rest else []
        # The full subtrees are on the left: the tiles as a tree of their own, split as in the RFC, then the rest.
        peaks, at = [], 0
        for bit in reversed(range(tiles.bit_length())):
            if tiles >> bit & 1:
                peaks.append(self._above.subtree(at, bit))
                at += 1 << bit
        peaks += loose
        if not peaks:
            return EMPTY
        found = peaks.pop()
        while peaks:
            found = hash_node(peaks.pop(), found)
        return found


def _split(count: int) -> int:
    """The largest power of two below `count`."""
    return 1 << ((count - 1).bit_length() - 1)


def extends(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """True if the proof shows that the new tree begins with all of the old one (RFC 9162, 2.1.4.2)."""
    if not 0 <= old <= new:
        return False
    if old == new:
        return not proof and old_root == new_root
    if old == 0:
        return not proof and old_root == EMPTY
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    one = two = path[0]
    for node in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            one, two = hash_node(node, one), hash_node(node, two)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            two = hash_node(two, node)
        at, last = at >> 1, last >> 1
    return last == 0 and one == old_root and two == new_root
