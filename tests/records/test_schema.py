"""Migrations: each step once, all or none, from the first release on, and never backwards."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from events.errors import StoreError
from events.model import Open, Pass, Play, Recorded, verb_of
from records import Appended, Store
from records.sqlite import schema

if TYPE_CHECKING:
    from sqlite_utils import Database

# A store as version 5 wrote it, that of the first release, in the words of SQL. Never change it.
SAMPLE = """
CREATE TABLE "books" ("book" TEXT PRIMARY KEY NOT NULL, "head" INTEGER NOT NULL, "created" TEXT NOT NULL, digest TEXT NOT NULL DEFAULT '', settled INTEGER NOT NULL DEFAULT 1);
INSERT INTO "books" VALUES('home',3,'2026-03-14T20:00:00.000Z','8d446a56df9442ca',1);
INSERT INTO "books" VALUES('cup',4,'2026-03-16T09:00:01.000Z','3fb4162b5404c8f3',1);
INSERT INTO "books" VALUES('hands',95,'2026-11-27T19:23:07.569Z','730ffb8010c3e477',1);
CREATE TABLE "checkpoints" (
   "book" TEXT NOT NULL REFERENCES "books"("book"),
   "size" INTEGER NOT NULL,
   "signer" TEXT NOT NULL REFERENCES "signers"("signer"),
   "root" TEXT NOT NULL,
   "time" TEXT NOT NULL,
   "note" TEXT NOT NULL,
   PRIMARY KEY ("book", "size", "signer")
);
INSERT INTO "checkpoints" VALUES('home',3,'41999aac6d0c69936a5978ed7bcccfc76bc2a3764b2673b9dd07984e48b05255','55be1802495f0decd7bac1b5cfb9a1b606f25d8c2a7e4bf4cd571fcbf7eb0932','2026-03-15T09:00:01.000Z','kibitz-9cb38ac2/home
3
Vb4YAklfDezXusG1z7mhtgbyXYwqfkv0zVcfy/frCTI=

— kibitz-9cb38ac2/home eTq7nd+imAaaBv0Yu9BoA3CQ1zneclLLaxZI9NmWlforUusziFKMz4W3HCGEFW7yxshxjgv+f/ZLa+NUrWAdl628ngg=
');
INSERT INTO "checkpoints" VALUES('cup',4,'4f61cb6cf40bf1857115f7ed2da16792c130cda617597169f64242bdcb076e66','d6cc17c0fda6fd2766876d0ac67721a67f69cb52879dfadfb51ef23b7f5a994e','2026-11-21T23:08:00.727Z','kibitz-27a05d92/cup
4
1swXwP2m/Sdmh20Kxnchpn9py1KHnfrftR7yO39amU4=

— kibitz-27a05d92/cup F/my9ZXlwS61GPdoCGvn6ku4JljqiKTaFn00HLIypAwfvXNyZUkt+ZXv7/ROuGWBqbGw7eSG9XuW7bN+A3tvJwW6lwk=
');
INSERT INTO "checkpoints" VALUES('hands',95,'d94da12a450d400c6cb6b3e5ca2c6fc2f815fa5adf63f68d74a482d1532b2a9a','fcba6a6f96b10bd96e407ab80e6b82e40a36b219c1273408de068f9321f60af2','2026-11-27T19:23:08.526Z','kibitz-b978d0e4/hands
95
/Lpqb5axC9luQHq4DmuC5Ao2shnBJzQI3gaPkyH2CvI=

— kibitz-b978d0e4/hands 9Ee7JbRXoX4wTkI6Wyat0XRMBKAMyWV7r5WAlkqS+fCHiW9RwmnfdioiGdgaNqJPBgUhBCYOxKNYkPFzruZilB1pgQU=
');
CREATE TABLE "keys" ("match" TEXT NOT NULL REFERENCES "matches"("match"), "key" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL, "first" INTEGER NOT NULL, "last" INTEGER NOT NULL, digest TEXT NOT NULL DEFAULT '', PRIMARY KEY ("match", "key"));
INSERT INTO "keys" VALUES('kaiser-4f7k2m','k0','49c2838045c898f811bb054838c6ce73cd8431eb637ab13d77890cce98a58eff',0,0,'00904ca6c8934477');
INSERT INTO "keys" VALUES('kaiser-4f7k2m','k1','23d9fe37d3b675dffb12b5b8911610a7c506017f720c457aa9dbfae790ba8d8e',1,1,'3364c78abd09c1bf');
INSERT INTO "keys" VALUES('kaiser-cup1','c0','4958b0f59c084753817b9949243435b754f3cc347ec8d105269a09346af4d537',0,0,'e2195c4b65f7e7b5');
CREATE TABLE matches (match TEXT PRIMARY KEY NOT NULL, book TEXT NOT NULL REFERENCES books(book), game TEXT NOT NULL, created TEXT NOT NULL, changed TEXT NOT NULL, last INTEGER NOT NULL, is_over INTEGER NOT NULL, parent TEXT REFERENCES matches(match), parent_n INTEGER, digest TEXT NOT NULL DEFAULT '', is_sealed INTEGER NOT NULL DEFAULT 0, volume INTEGER) WITHOUT ROWID;
INSERT INTO "matches" VALUES('kaiser-4f7k2m','home','kaiser','2026-03-14T20:00:00.000Z','2026-03-14T20:00:09.000Z',2,0,NULL,NULL,'d60d69b0cd211eab',0,NULL);
INSERT INTO "matches" VALUES('kaiser-cup1','cup','kaiser','2026-03-16T09:00:01.000Z','2026-03-16T09:00:03.000Z',3,1,NULL,NULL,'0945551a21be3627',1,NULL);
INSERT INTO "matches" VALUES('kaiser-hand00','hands','kaiser','2026-01-03T19:00:00.000Z','',4,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand01','hands','kaiser','2026-01-03T19:00:00.000Z','',5,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand02','hands','kaiser','2026-01-03T19:00:00.000Z','',6,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand03','hands','kaiser','2026-11-27T19:23:07.625Z','',4,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand04','hands','kaiser','2026-01-03T19:00:00.000Z','',5,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand05','hands','kaiser','2026-01-03T19:00:00.000Z','',6,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand06','hands','kaiser','2026-01-03T19:00:00.000Z','',4,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand07','hands','kaiser','2026-01-03T19:00:00.000Z','',5,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand08','hands','kaiser','2026-01-03T19:00:00.000Z','',6,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand09','hands','kaiser','2026-01-03T19:00:00.000Z','',4,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand10','hands','kaiser','2026-01-03T19:00:00.000Z','',5,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand11','hands','kaiser','2026-01-03T19:00:00.000Z','',6,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand12','hands','kaiser','2026-01-03T19:00:00.000Z','',4,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand13','hands','kaiser','2026-01-03T19:00:00.000Z','',5,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand14','hands','kaiser','2026-01-03T19:00:00.000Z','',6,0,NULL,NULL,'',1,1);
INSERT INTO "matches" VALUES('kaiser-hand15','hands','kaiser','2026-01-03T19:00:00.000Z','',4,0,NULL,NULL,'',1,1);
CREATE TABLE "migrations" ("number" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, "applied" TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'first_tables','2026-03-14T20:00:00.000Z');
INSERT INTO "migrations" VALUES(2,'hash_chain','2026-03-15T09:00:00.000Z');
INSERT INTO "migrations" VALUES(3,'sealing','2026-03-16T09:00:00.000Z');
INSERT INTO "migrations" VALUES(4,'tail_and_runs','2026-03-17T09:00:00.000Z');
INSERT INTO "migrations" VALUES(5,'volumes','2026-11-27T19:23:06.647Z');
CREATE TABLE "recent" (
   "place" INTEGER PRIMARY KEY,
   "match" TEXT NOT NULL,
   "n" INTEGER NOT NULL,
   "book" TEXT NOT NULL,
   "pos" INTEGER NOT NULL,
   "last_pos" INTEGER NOT NULL,
   "events" INTEGER NOT NULL,
   "beside" TEXT NOT NULL,
   "payload" TEXT NOT NULL,
   "leaves" BLOB NOT NULL,
   "key" TEXT NOT NULL,
   "fingerprint" TEXT NOT NULL,
   "changed" TEXT NOT NULL,
   "digest" TEXT NOT NULL
);
CREATE TABLE "runs" (
   "match" TEXT NOT NULL REFERENCES "matches"("match"),
   "n" INTEGER NOT NULL,
   "book" TEXT NOT NULL REFERENCES "books"("book"),
   "pos" INTEGER NOT NULL,
   "last_pos" INTEGER NOT NULL,
   "events" INTEGER NOT NULL,
   "beside" TEXT NOT NULL,
   "payload" TEXT NOT NULL,
   "leaves" BLOB NOT NULL,
   PRIMARY KEY ("match", "n")
);
INSERT INTO "runs" VALUES('kaiser-4f7k2m',0,'home',1,3,3,'{"key":["k0","k1",""],"recorder":"ann","time":["2026-03-14T20:00:00.000Z","2026-03-14T20:00:05.000Z","2026-03-14T20:00:09.000Z"]}','{"event":{"by":"@","facts":{"Game":"kaiser","Match":"kaiser-4f7k2m"},"verb":"open"}}
{"event":{"by":"N","cards":["7h"],"verb":"play"},"text":"led"}
{"event":{"by":"E","verb":"pass"}}',X'0000000000000000000000000000000000000000000000000000000000000000D97E1EB2DB7EFE117119EBF71542647BFD361A3B2CFAD5BD8FD8FA34C644E69EE85747EDA0F45D52E55AF0D69AAF5064B1507FB90508A12F7388582BE68AD4D56BFDAC64569EED28DE7708FFE2DEA57DF551D9F1D286C4630DE672A50358333F');
CREATE TABLE "sealed" (
   "match" TEXT PRIMARY KEY NOT NULL REFERENCES "matches"("match"),
   "book" TEXT NOT NULL REFERENCES "books"("book"),
   "first_pos" INTEGER NOT NULL,
   "last_pos" INTEGER NOT NULL,
   "events" INTEGER NOT NULL,
   "dictionary" INTEGER NOT NULL,
   "tip" BLOB NOT NULL,
   "body" BLOB NOT NULL
);
INSERT INTO "sealed" VALUES('kaiser-cup1','cup',1,4,4,1,X'40314C20D9962D5898D322D62C4609D8E309AD4D2EC156CAFF9674AECD0DA7BD',X'28B52FFD65016200650300C3020A4A734DC082A3826240300A55602B88835141E94008E7B8E01C17608E34AE40BD080B0A6B0888870516F092E108809D6B714C0693129B68D2A58883587B402984B7FC333A4BB96897D6556C4EA2B9BC401B7FA335CBD283907FB3EB0D7F9F1AC02318F3CC2341DB221E3096416D');
CREATE TABLE "signers" (
   "signer" TEXT PRIMARY KEY NOT NULL,
   "created" TEXT NOT NULL
);
INSERT INTO "signers" VALUES('41999aac6d0c69936a5978ed7bcccfc76bc2a3764b2673b9dd07984e48b05255','2026-03-15T09:00:01.000Z');
INSERT INTO "signers" VALUES('4f61cb6cf40bf1857115f7ed2da16792c130cda617597169f64242bdcb076e66','2026-11-21T23:08:00.727Z');
INSERT INTO "signers" VALUES('d94da12a450d400c6cb6b3e5ca2c6fc2f815fa5adf63f68d74a482d1532b2a9a','2026-11-27T19:23:08.526Z');
CREATE TABLE "tiles" (
   "book" TEXT NOT NULL REFERENCES "books"("book"),
   "number" INTEGER NOT NULL,
   "root" BLOB NOT NULL,
   PRIMARY KEY ("book", "number")
);
CREATE TABLE "volumes" (
   "volume" INTEGER PRIMARY KEY,
   "book" TEXT NOT NULL REFERENCES "books"("book"),
   "first_pos" INTEGER NOT NULL,
   "last_pos" INTEGER NOT NULL,
   "matches" INTEGER NOT NULL,
   "events" INTEGER NOT NULL,
   "dictionary" INTEGER NOT NULL,
   "tips" BLOB NOT NULL,
   "clock" BLOB NOT NULL,
   "body" BLOB NOT NULL
);
INSERT INTO "volumes" VALUES(1,'hands',1,95,16,95,1,X'49F87715296119504FB63A8FEB1C3B413632FE835D902BC76BF9F6D80B94F52008B0905A9A1D407F21B3C2F8B1DE367A45AFDDB959F3A82FCE42225BF77EF9DC0867D8F6F03BF230F114D2D3F007FCBF6819EF99216B40D8F4EEF55AEC3561EAFD9993C1C3429F7F5930D2F7B21EF45CAE9A033139359432955CBBBC8459CAB0',X'FFAD8317815C115AB46E6403D325990B9FAD8502C5813DE053DD0213FEA9A979C41403EF6EE52EBE23477D596935037E95B9B7C635C702DB5D2AAFB0175A534D59C302966116673C25FD0B24072E972B14AE63E2C3DC0212FF35B027243904B5DD5CB228',X'28B52FFD6501C30BED210082BABB22909AF820EFE45FEB4B8E844FE3441378D14F128B192C88869E1427C5499C93229D020B99AC89D852D2B877ED2C8FFA42D5059D4ABC4633ED180A3D13DF30D6F588D4047EEF88451AB79DA8EBAC5065B25ED855294BCB8E37ED272FF0E6953A6A98E3BD65174E1CF4802E9B9A2275654D8FAC6D3D25F46B3F89006F3A4359E7563953F87698147DCD68BA20AB3DABA8969DF3D034BB20DE7ED202EF043A9351274B8CB0D27B594EA58E19726EF7659BA43D506FC60B5CAB136D3F39C37B21B35ED6498129F4562A1A359EC4DDC9D91EACE4C23E766CA689E6D77ED2C33BA39A5EC32FEA7CAD8A05C5EDD1DC2C2C396975BA3E461F34A528D67E528677A6BB568915ADF1F5BE063CA394733535E35455A23DC41EC899CCADFDE401BCB1F2AAAC0D1DDF50A4D68837990B6AA9333D9DD74F9693A04F35DB4F1AC03B335E27576698F352DF6A724B825C3642C3479DBAAE89A9D7805BD57EB200DE7583D464CE66A2D4CB7E901A62A0E63ED778567CE27AB9469D957A62FBC918DE0D99F093C4E9F2F8FB706AD3A151E9A69A03619BB9F62A1B29D062CFF69304F05E2833101D1FD379B9D013A733C5DCEEDB2A8A436ABFAC68951A8D6D3F39006F8605EF0B29F031B9171A31EE649AEA6E62B546536AF5863DCB4BEAD0F69302F056C8F0CE9BB8932A5F475B2B091D1BD71231168ACCAC83D7B785A9FAB49F0C80F742A39EDD5869DC6B41D7E389D4EA6E21967E93C976472AC10CE551FB4900783F11F5480E9F9EABAA20098A28887AA4C6DA50D4589BD7FC739A63F8ECB9F75CF6DCF34E32826099BDECEB4F632E0896D9CB9C62A2A2A2A2A273CE398F8888888080808070707070A8EBBAFEF8BF73CE39DF147B3FC4FB22DE7B4BF4786F8BBF7804158F023292D2630C8B4FE8271C1D25191F2718B1BF887B8F4342524638482E0896D9CBBEFE34E68260997DC1C7064A8688478F31623AC6C417948C0E930D8B0B7DF1B45CFF0B6DC1C85FA62DF3EC69B9FE08971953CB3FEE1635E66240CB099639A1F615F45CE03DC7C7468F312E4034FA4A80ACA82179579AD48F6937E002991991341A0E12E0A41444511401C5189608899010E4D00413CE68D36AD79AE187C58AEFE353669D5CD0B44EDDA5A3A54E5D11385A8209E52E3374F0C92F7EC097D84B45FCFCD04700417158EB5FCCBD9B9F321B56DEA2DB55C3D444E8712CE178E2D8D39D4D71ADAEE04BEF1D8B2D681F55612FCB282613343C3161761CFF5C1E988760D3AA0D7CE4586247DCC6CA2BB1F680FB9CEC7734685A65DBB9FE774DC8D83F7AAD100556B002C55E68CEE0159D1788220D6D911FA5F0F25A11625D8F94281257B842A9D3786F9186511264D2ECA401663B4F0CBC156DFD27A8351A72446DD6827890714C6D2435B0616F350B1D9FF9B1E39C5CD4918AF18A822E6474A2AE24A311D524468122113C56A2EEB44FD7A7FA573F0CFA51A03C0F8A96ED2F09D92A989600CF8E11A27E7E6FB0483FF78766DAC365D4E54E415E2E76231A62E14B00');
CREATE INDEX openings_by_key ON keys (key) WHERE first = 0;
CREATE INDEX sealed_by_end ON sealed (book, last_pos, first_pos);
CREATE INDEX runs_by_end ON runs (book, last_pos, pos);
CREATE VIEW events AS SELECT r.book, r.pos + e.key + coalesce((SELECT sum(s.value) FROM json_each(r.beside, '$.skipped') s WHERE s.key < e.key), 0) AS pos, r.match, r.n + e.key AS n, CASE json_type(r.beside, '$.type') WHEN 'array' THEN json_extract(r.beside, '$.type[' || e.key || ']') ELSE coalesce(json_extract(r.beside, '$.type'), json_extract(e.value, '$.event.verb')) END AS type, CASE json_type(r.beside, '$.version') WHEN 'array' THEN json_extract(r.beside, '$.version[' || e.key || ']') ELSE coalesce(json_extract(r.beside, '$.version'), 1) END AS version, CASE json_type(r.beside, '$.time') WHEN 'array' THEN json_extract(r.beside, '$.time[' || e.key || ']') ELSE coalesce(json_extract(r.beside, '$.time'), '') END AS time, CASE json_type(r.beside, '$.recorder') WHEN 'array' THEN json_extract(r.beside, '$.recorder[' || e.key || ']') ELSE coalesce(json_extract(r.beside, '$.recorder'), '') END AS recorder, CASE json_type(r.beside, '$.key') WHEN 'array' THEN json_extract(r.beside, '$.key[' || e.key || ']') ELSE coalesce(json_extract(r.beside, '$.key'), '') END AS key, e.value AS payload, substr(r.leaves, 32 * e.key + 1, 32) AS prev, substr(r.leaves, 32 * e.key + 33, 32) AS leaf FROM (SELECT match, n, book, pos, beside, payload, leaves FROM runs UNION ALL SELECT match, n, book, pos, beside, payload, leaves FROM recent) r, json_each('[' || replace(r.payload, char(10), ',') || ']') e;
CREATE INDEX volumes_by_end ON volumes (book, last_pos, first_pos);
CREATE INDEX unfinished ON matches (changed) WHERE is_over = 0 AND is_sealed = 0;
"""

# The root over the three events of the book home.
ROOT = "55be1802495f0decd7bac1b5cfb9a1b606f25d8c2a7e4bf4cd571fcbf7eb0932"


def write_store(path: Path) -> None:
    conn = sqlite3.connect(path)
    conn.executescript(SAMPLE)
    conn.close()


def tables(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """The tables, indexes and columns of a store, without the accidents of spelling."""
    conn = sqlite3.connect(path)
    names = conn.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
    found = {
        f"{kind} {name}": conn.execute(
            f"PRAGMA table_info({name})" if kind == "table" else f"PRAGMA index_info({name})"
        ).fetchall()
        + (conn.execute(f"PRAGMA foreign_key_list({name})").fetchall() if kind == "table" else [])
        for kind, name in names
    }
    conn.close()
    return found


@pytest.mark.parametrize("write", [True, False])
def test_a_store_of_the_first_release_goes_on(path: Path, write: bool) -> None:
    """Given a store as the first release wrote it, when it is opened, then its match is there and can go on."""
    write_store(path)
    with Store.open(path, write=write) as store:
        opening, led, passed = store.read("kaiser-4f7k2m")
        assert isinstance(opening.event, Open)
        assert led == Recorded(
            n=1,
            event=Play(by="N", cards=("7h",)),
            text="led",
            time="2026-03-14T20:00:05.000Z",
            recorder="ann",
            key="k1",
        )
        assert passed.event == Pass(by="E")
        assert [row.match for row in store.matches(book="home")] == ["kaiser-4f7k2m"]
        store.check()
    with Store.open(path) as store:
        led = Recorded(n=0, event=Play(by="N", cards=("7h",)), text="led", recorder="ann")
        assert store.append("kaiser-4f7k2m", [led], key="k1") == Appended(1, 1, repeated=True)
        assert store.append("kaiser-4f7k2m", [Recorded(n=0, event=Pass(by="S"))], expect=2) == Appended(3, 3)
        assert store.create_match({}, game="kaiser", recorder="ann", key="k0") == "kaiser-4f7k2m"


def test_a_store_of_the_first_release_is_like_a_new_one(path: Path, tmp_path: Path) -> None:
    write_store(path)
    Store.open(path).close()
    Store.open(tmp_path / "new.db").close()
    assert tables(path) == tables(tmp_path / "new.db")


NOW = list(schema.MIGRATIONS)


def note_steps(path: Path) -> list[tuple[int, str]]:
    conn = sqlite3.connect(path)
    steps = conn.execute("SELECT number, name FROM migrations ORDER BY number").fetchall()
    conn.close()
    return steps


def add_colour(db: Database) -> None:
    db.table("matches").add_column("colour", str)


def add_shape(db: Database) -> None:
    db.table("matches").add_column("shape", str)


def break_down(db: Database) -> None:
    db.table("matches").add_column("half", str)
    db.execute("DELETE FROM runs")
    raise sqlite3.OperationalError("broken down")


def with_steps(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[Database], None]) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", [*NOW, *steps])


@pytest.mark.parametrize("write", [True, False])
def test_later_steps_are_applied_once_and_in_order(path: Path, monkeypatch: pytest.MonkeyPatch, write: bool) -> None:
    write_store(path)
    with_steps(monkeypatch, add_colour, add_shape)
    for _ in range(2):
        with Store.open(path, write=write) as store:
            assert len(store.read("kaiser-4f7k2m")) == 3
    assert note_steps(path) == [
        (1, "first_tables"), (2, "hash_chain"), (3, "sealing"), (4, "tail_and_runs"), (5, "volumes"), (6, "add_colour"),
        (7, "add_shape"),
    ]


def test_a_step_that_fails_leaves_the_store_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also the steps before it are taken back, and the next try starts from the same place."""
    write_store(path)
    before = tables(path)
    with_steps(monkeypatch, add_colour, break_down)
    with pytest.raises(StoreError, match="broken down"):
        Store.open(path)
    assert tables(path) == before
    with_steps(monkeypatch, add_colour, add_shape)
    with Store.open(path) as store:
        assert len(store.read("kaiser-4f7k2m")) == 3


def test_a_store_of_a_newer_version_is_refused_and_left_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_store(path)
    with monkeypatch.context() as patch:
        with_steps(patch, add_colour, add_shape)
        Store.open(path).close()
    before = path.read_bytes()
    for write in (True, False):
        with pytest.raises(StoreError, match=r"has version 7, this Kibitz knows versions 5 to 5.*newer Kibitz"):
            Store.open(path, write=write)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        "CREATE TABLE recipes (name TEXT)",
        "CREATE TABLE migrations (id INTEGER, applied TEXT); INSERT INTO migrations VALUES (1, '')",
        "CREATE TABLE migrations (number INTEGER, name TEXT); INSERT INTO migrations VALUES (1, 'make_recipes')",
        "CREATE TABLE migrations (number INTEGER, name TEXT)",
    ],
)
@pytest.mark.parametrize("write", [True, False])
def test_the_database_of_another_program_is_refused_and_left_alone(path: Path, words: str, write: bool) -> None:
    conn = sqlite3.connect(path)
    conn.executescript(words)
    conn.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Store.open(path, write=write)
    assert path.read_bytes() == before


def test_opening_an_up_to_date_store_changes_nothing(path: Path, store: Store, match: str) -> None:
    store.close()
    before = path.read_bytes()
    Store.open(path).close()
    Store.open(path, write=False).close()
    assert path.read_bytes() == before


def test_a_copy_is_a_store(path: Path, store: Store, match: str, tmp_path: Path) -> None:
    """A closed store is one file, whole; the empty lock file and the ends of the books stay beside it, a copy needs
    neither."""
    store.close()
    assert sorted((p.name, p.stat().st_size > 0) for p in tmp_path.iterdir()) == [
        ("kibitz.db", True),
        ("kibitz.db-ends", True),
        ("kibitz.db-lock", False),
    ]
    shutil.copy(path, tmp_path / "copy.db")
    with Store.open(tmp_path / "copy.db", write=False) as copy:
        assert copy.length(match) == 1


def test_a_store_of_the_first_release_is_verified(path: Path) -> None:
    """Its events are as written, its checkpoint is good, and one more can be signed."""
    write_store(path)
    with Store.open(path) as store:
        done = store.verify("home")
        assert (done.found, done.size, done.checkpoints) == ([], 3, 1)
        assert done.root == ROOT
        store.append("kaiser-4f7k2m", [Recorded(n=0, event=Pass(by="S"))])
        store.sign("home")
        assert store.verify("home").found == []


def test_a_match_sealed_by_the_first_release_can_be_read_and_opened(path: Path) -> None:
    """The first dictionary is kept for ever: what was compressed with it comes out byte for byte."""
    write_store(path)
    with Store.open(path) as store:
        assert [(r.n, verb_of(r.event), r.time, r.recorder, r.key, r.text) for r in store.read("kaiser-cup1")] == [
            (0, "open", "2026-03-16T09:00:01.000Z", "ann", "c0", ""),
            (1, "play", "2026-03-16T09:00:02.000Z", "ann", "c1", "led"),
            (2, "pass", "2026-03-16T09:00:03.000Z", "bob", "", ""),
            (3, "pass", "2026-03-16T21:00:00Z", "bob", "", ""),
        ]
        assert store.verify("cup").found == []
        store.unseal("kaiser-cup1")
        assert store.verify("cup").found == []


def test_matches_bound_by_the_first_release_can_be_read_and_opened(path: Path) -> None:
    """The form of a volume is kept for ever: what was bound comes out byte for byte, and one match of it can be
    opened."""
    write_store(path)
    with Store.open(path) as store:
        done = store.verify("hands")
        assert (done.found, done.size, done.checkpoints) == ([], 95, 1)
        assert done.root == "fcba6a6f96b10bd96e407ab80e6b82e40a36b219c1273408de068f9321f60af2"
        store.check()
        names = [f"kaiser-hand{i:02}" for i in range(16)]
        assert sorted(m.match for m in store.matches(book="hands")) == names
        assert [len(store.read(name)) for name in names] == [5 + i % 3 for i in range(16)]
        store.unseal("kaiser-hand07")
        assert store.verify("hands").found == []


def test_a_store_from_before_the_first_release_is_refused_and_left_alone(path: Path) -> None:
    write_store(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("DELETE FROM migrations WHERE number > 3")
        conn.commit()
    before = path.read_bytes()
    for write in (True, False):
        with pytest.raises(StoreError, match="has version 3, this Kibitz knows versions 5 to 5"):
            Store.open(path, write=write)
    assert path.read_bytes() == before
