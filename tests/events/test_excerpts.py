"""The excerpts that the notation was tried on: each line reads, and writes back to the same characters."""

from __future__ import annotations

import re

import pytest

from events.entries import read_entries
from events.kib import read_kib
from events.writing import write_line

EXCERPTS = """
-- kaiser
12. W play ?? {covered by a sleeve}
16. E play 3s {no hearts, apparently}
20. @ fix #18+ S play Td {seen by all, not typed}
21. @ fix #12 W play Jc {in the pile of North and South, all four agree}
24. E play Ah
25. S dispute #16 revoke {the ace of hearts at 24 was in the hand at 16}
-- calabrasella
8. A move 3d >C
9. C move ?? >A
10. C discard 2x??
12. C draw Qh2d <widow
-- court-piece
9. S move 2c <trick >S {found a heart}
10. S play 4h
19. N call revoke E #14
23. @ ruling #19 #14 revoke courts.NS=1 {shown by the five of clubs at 18}
-- mattis
5. C play 4d <stock {blind}
13. @ fix #11 B move ?? >stock_ {it went underneath}
14. @ gap {the rest of the first half was not written}
18. A draw 6c7c8c <trick {cannot beat, takes the lowest play}
-- jersey-gin
12. B discard down ??
14. B meld KcKdKh/4c5c6c7c
15. B show 2hAs7s
16. C meld 8c >meld:B:2
-- burraco
4. N meld 7c7h2d=7?
7. E meld 5d6dJo=7d8d/KhKsKc
13. W meld 7d >meld:EW:1 {the joker goes to the low end}
18. N move AsKs <meld:NS:3 >N {two cards are no meld, taken back}
-- conquian
14. B pass
15. A call force #14
16. B arrange 6h7hJhQh
-- machiavelli
8. C arrange meld:2=8h8s8d8c meld:5=9cTc
9. C call fail
10. C arrange meld:2=8h8s8d meld:5=-
11. C draw 3x??
-- yaniv
3. B discard 5hJo=6h7h
13. @ shuffle 8x?? <discard >stock
16. A move As <discard >A
-- kowah
15. C draw down ?? {not shown}
21. B draw up 7h
22. A draw 7h <B {claims it}
-- zetema
10. C draw Qh <rank:Q
11. C meld KhQh/KsQs >dead
13. C draw 3x??
24. @ fix #13 C draw 2x?? {two were needed}
-- pontoon
11. A move 8c >A:2
12. A bet 4 >A:2
14. A:2 draw up Tc
30. @ fix #14 A:2 draw up Th {the ten of clubs is with the bank}
-- ziginette
6. A bet 5 >7h
7. & B bet 10 >Kd
17. @ fix #16 A bet 5 >Jc {misheard}
-- russian-bank
5. B move 4c <reserve:B >col:A:3
6. A call stop #5 {foundation before the space}
7. @ ruling #6 #5 stop rule=russian-bank.R5
21. @ fix #17 A discard 5c <stock:A {put on the own pile: that ended the turn}
-- california-speed
4. & B deal col:B:1..4=7hJc2d9s <stock:B
6. B move Qd <stock:B >col:B:1 ~3.12
7. & A move ?? <stock:A >col:B:1 ~3.12 {both hands on the same pile}
16. A move * <col:A:1..4 >stock:A_
-- elsewhere
1. N call misdeal
2. B move down * <discard:B >stock:B
3. @ shuffle stock=7h3x??
4. @ end hand void
5. N bid 7no
6. E bid game
7. W name nt
8. C capture 7c/4d3d
9. C capture 7c/* <won:B
10. @ fix #15-
11. @ tally trick.1=N tricks.EW=3 tricks.NS=5
12. NS claim 5 stake.A:2=4
13. @ open Option.last_trick=yes reason="two words" seats=A,B
14. A call last-card 3 B 7h #1 #2
15. H pay 4 <house >A
"""
LINES = [line for line in EXCERPTS.strip().splitlines() if not line.startswith("--")]


@pytest.mark.parametrize("line", LINES)
def test_a_line_writes_back_as_it_was(line: str) -> None:
    """The notation of the table is the strict form: nothing is respelled."""
    n = int(line.partition(".")[0])
    before = "".join(f"{i}. @ gap\n" for i in range(1, n))
    reading = read_kib(f"%kib 1\n{before}{line}\n")
    assert [str(e) for e in reading.errors] == []
    assert write_line(reading.records[-1]) == line


@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_one_way_at_the_table(line: str) -> None:
    """With capital seats and whole verbs nothing is left open, whoever sits there."""
    seats = re.findall(r"[A-Z]", "ABCDEFGHIJKL" if " A" in line or " B" in line or " C" in line else "NESWAB")
    found = [e.event for e in read_entries(line, seats=seats, sides=["NS", "EW"]) if e.event is not None]
    assert found
    assert f"{found[0].by} " in line
