"""The tree of RFC 6962, in the store's own code and in the verifier that is handed out: they share nothing."""

from __future__ import annotations

import pytest

from records import merkle, verify_bundle
from records.merkle import Tree, hash_node

# The reference inputs of Certificate Transparency, and the published root after each.
ENTRIES = [
    bytes.fromhex(entry)
    for entry in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def by_the_book(entries: list[bytes]) -> bytes:
    """The definition of RFC 6962, 2.1, word for word."""
    if not entries:
        return merkle.EMPTY
    if len(entries) == 1:
        return verify_bundle.leaf_of(entries[0])
    k = 1
    while k * 2 < len(entries):
        k *= 2
    return hash_node(by_the_book(entries[:k]), by_the_book(entries[k:]))


def included(leaf: bytes, index: int, size: int, proof: list[bytes], root: bytes) -> bool:
    """What the verifier says."""
    return verify_bundle.root_from_inclusion(leaf, index, size, proof) == root


def extended(old: int, old_root: bytes, new: int, new_root: bytes, proof: list[bytes]) -> list[bool]:
    return [
        merkle.extends(old, old_root, new, new_root, proof),
        verify_bundle.extends(old, old_root, new, new_root, proof),
    ]


@pytest.mark.parametrize("size", range(9))
def test_the_published_roots(size: int) -> None:
    tree = Tree([verify_bundle.leaf_of(entry) for entry in ENTRIES])
    assert tree.root(size).hex() == ROOTS[size]
    assert Tree([verify_bundle.leaf_of(entry) for entry in ENTRIES[:size]]).root().hex() == ROOTS[size]


@pytest.mark.parametrize("size", range(1, 9))
def test_both_verifiers_accept_the_published_trees(size: int) -> None:
    """Every leaf is shown to be in the published root, and every smaller published tree to be its beginning."""
    tree = Tree([verify_bundle.leaf_of(entry) for entry in ENTRIES])
    root = bytes.fromhex(ROOTS[size])
    for index in range(size):
        leaf = verify_bundle.leaf_of(ENTRIES[index])
        assert included(leaf, index, size, tree.inclusion(index, size), root)
    for old in range(1, size + 1):
        assert extended(old, bytes.fromhex(ROOTS[old]), size, root, tree.consistency(old, size)) == [True, True]


@pytest.mark.parametrize(
    ("size", "index", "path"),
    [(7, 0, "b h l"), (7, 3, "c g l"), (7, 4, "f j k"), (7, 6, "i k")],
)
def test_the_paths_of_the_rfc(size: int, index: int, path: str) -> None:
    """The worked example of RFC 6962, 2.1.3: a tree of seven leaves and its named nodes."""
    entries = [f"d{i}".encode() for i in range(7)]
    a, b, c, d, e, f, j = (verify_bundle.leaf_of(entry) for entry in entries)
    g, h, i = hash_node(a, b), hash_node(c, d), hash_node(e, f)
    k = hash_node(g, h)
    l = hash_node(i, j)  # noqa: E741
    names = {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g, "h": h, "i": i, "j": j, "k": k, "l": l}
    tree = Tree([a, b, c, d, e, f, j])
    assert tree.root() == hash_node(k, l)
    # The RFC's own letters: PATH(0) = [b, h, l], PATH(3) = [c, g, l], PATH(4) = [f, j, k], PATH(6) = [i, k].
    assert tree.inclusion(index, size) == [names[name] for name in path.split()]
    assert tree.consistency(3, 7) == [c, d, g, l]
    assert tree.consistency(4, 7) == [l]
    assert tree.consistency(6, 7) == [i, j, k]


def test_every_proof_of_every_small_tree() -> None:
    """Up to 33 leaves: each proof is accepted, and no proof for anything else."""
    entries = [bytes([i]) for i in range(33)]
    leaves = [verify_bundle.leaf_of(entry) for entry in entries]
    tree = Tree(leaves)
    for size in range(1, 34):
        root = by_the_book(entries[:size])
        assert tree.root(size) == root
        for index in range(size):
            proof = tree.inclusion(index, size)
            assert included(leaves[index], index, size, proof, root)
            assert not included(leaves[(index + 1) % 33], index, size, proof, root)
            assert not included(leaves[index], index, size, [*proof, root], root)
            assert not included(leaves[index], index, size, [bytes(32), *proof[1:]], root)
            for wrong in {(index + 1) % size, size} - {index}:
                assert not included(leaves[index], wrong, size, proof, root)
            if proof:
                assert not included(leaves[index], index, size, proof[:-1], root)
        for old in range(1, size + 1):
            proof = tree.consistency(old, size)
            assert extended(old, tree.root(old), size, root, proof) == [True, True]
            assert extended(old, bytes(32), size, root, proof) == [False, False]
            assert extended(old, tree.root(old), size, bytes(32), proof) == [False, False]
            assert extended(old, tree.root(old), size, root, [*proof, root]) == [False, False]
            if proof:
                assert extended(old, tree.root(old), size, root, proof[:-1]) == [False, False]
                assert extended(old, tree.root(old), size, root, [*proof[:-1], bytes(32)]) == [False, False]


@pytest.mark.parametrize(
    "ask", [lambda t: t.root(4), lambda t: t.inclusion(3), lambda t: t.consistency(4, 3), lambda t: t.inclusion(-1)],
)
def test_what_is_not_there_has_no_proof(ask: object) -> None:
    with pytest.raises(ValueError, match=r"leaf|leaves"):
        ask(Tree([bytes(32)] * 3))
