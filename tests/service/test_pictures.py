"""Pictures that are attached through the service: who may give them, who sees them, and that none does harm."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sampling import a_few
from service_at import Asker, Evening, evening

from events.limits import MAX_ATTACHMENT_BYTES
from records.attachments import attach
from records.copies import picture_from_bytes
from service import middleware, pictures

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


@pytest.fixture
def club(tmp_path: Path):
    with evening(tmp_path) as made:
        made.match()
        yield made


def give(asker: Asker, data: bytes = PNG, kind: str = "image/png", query: str = "", **headers: str) -> Any:
    return asker.client.post(
        f"/api/v1/matches/m1/attachments{query}", content=data,
        headers={**asker.headers, "content-type": kind, **headers},
    )


def test_a_picture_is_attached_listed_and_fetched(club: Evening) -> None:
    recorder = club.as_("recorder", "m1")
    made = give(recorder, query="?about=0&text=the%20sheet")
    assert made.status_code == 201, made.text
    (one,) = recorder.get("/matches/m1/attachments").json()["attachments"]
    assert (
        one["n"], one["type"], one["bytes"], one["refs"], one["text"],
    ) == (1, "image/png", len(PNG), [0], "the sheet")
    told = recorder.get("/matches/m1/attachments/1")
    assert told.content == PNG
    assert give(recorder, query="?about=0&text=the%20sheet").json() == {**made.json(), "repeated": True}


def test_it_is_the_store_that_keeps_it(club: Evening) -> None:
    """If this failed, `kibitz attach` and a bundle would know nothing of it; or the service nothing of what was
    attached there."""
    give(club.as_("recorder", "m1"))
    with club.service.open_store(True) as store:
        (name,) = store.copies.pictures()
        assert (store.copies.folder / name).read_bytes() == PNG
        note = store.read("m1")[1]
        attach(store, "m1", picture_from_bytes(PNG + b"x", "here"), note)
    assert [one["n"] for one in club.as_("director").get("/matches/m1/attachments").json()["attachments"]] == [1, 2]


@pytest.mark.parametrize(("role", "seat"), [("spectator", ""), ("seat", "N")])
def test_those_who_do_not_record_know_of_none(club: Evening, role: Any, seat: str) -> None:
    """If this failed, a photograph of the cards would be shown to the hall. Opening the hands opens no pictures."""
    director, asker = club.as_("director"), club.as_(role, "m1", seat)
    give(director, query="?text=his%20hand")
    director.post("/matches/m1/open", {"hand": 0})
    assert asker.get("/matches/m1/attachments").json()["attachments"] == []
    assert asker.get("/matches/m1/attachments/1").status_code == 404
    assert give(asker).status_code == 403
    for path in ("events", "frames", "kib", "sheet.html"):
        told = asker.get(f"/matches/m1/{path}")
        assert told.status_code == 200, told.text
        assert "his hand" not in told.text
        assert "sha256" not in told.text


def test_a_sealed_picture_is_for_directors(club: Evening) -> None:
    director, recorder = club.as_("director"), club.as_("recorder", "m1")
    assert give(director, query="?sealed=true").status_code == 201
    assert give(recorder, query="?sealed=true").status_code == 403
    assert director.get("/matches/m1/attachments/1").content == PNG
    assert recorder.get("/matches/m1/attachments").json()["attachments"] == []
    assert recorder.get("/matches/m1/attachments/1").status_code == 404
    assert recorder.get("/matches/m1/kib").status_code == 200


@pytest.mark.parametrize(
    ("data", "kind", "status"),
    a_few([
        (b"hello", "image/png", 422), (b"", "image/png", 422), (PNG, "image/jpeg", 422), (PNG, "text/html", 415),
        (b"<svg/>", "image/svg+xml", 415), (PNG, "", 415), (b"<html><script>alert(1)</script>", "image/png", 422),
        (b"GIF89a", "image/gif", 415),
    ], 3),
)  # fmt: skip
def test_only_pictures_are_taken(club: Evening, data: bytes, kind: str, status: int) -> None:
    told = give(club.as_("recorder", "m1"), data, kind)
    assert told.status_code == status
    assert told.headers["content-type"] == "application/problem+json"
    assert club.as_("director").get("/matches/m1/attachments").json()["attachments"] == []


@pytest.mark.parametrize(
    ("kind", "data"),
    [("image/png", PNG + b"<script>alert(1)</script>"), ("application/pdf", b"%PDF-1.7 <script>alert(1)</script>")],
)
def test_what_is_fetched_runs_nothing(club: Evening, kind: str, data: bytes) -> None:
    """If this failed, a picture made to do harm could act as the director who looks at it."""
    give(club.as_("recorder", "m1"), data, kind)
    told = club.as_("director").get("/matches/m1/attachments/1")
    assert told.headers["content-type"] == kind
    assert told.headers["content-disposition"].startswith("attachment; ")
    assert told.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in told.headers["content-security-policy"]
    assert "default-src 'none'" in told.headers["content-security-policy"]


def test_only_those_who_may_attach_send_much(club: Evening) -> None:
    """If this failed, anybody could fill the memory of the service."""
    large = PNG + bytes(middleware.MOST_BODY)
    assert give(club.as_("recorder", "m1"), large).status_code == 201
    assert give(club.as_("spectator", "m1"), large).status_code == 413
    assert club.client.post(
        "/api/v1/matches/m1/attachments", content=large, headers={"content-type": "image/png"},
    ).status_code == 413
    assert give(club.as_("director"), PNG, **{"content-length": str(MAX_ATTACHMENT_BYTES + 1)}).status_code == 413
    assert club.as_("recorder", "m1").post(
        "/matches/m1/lines", {"line": "note " + "x" * middleware.MOST_BODY},
    ).status_code == 413


def test_few_pictures_are_taken_at_once(club: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "PICTURES", 0)
    told = give(club.as_("recorder", "m1"))
    assert (told.status_code, told.headers["retry-after"]) == (429, "5")


def test_a_copy_is_taken_away_by_the_director(club: Evening) -> None:
    director, recorder = club.as_("director"), club.as_("recorder", "m1")
    give(recorder)
    assert recorder.delete("/matches/m1/attachments/1").status_code == 403
    assert director.delete("/matches/m1/attachments/1").status_code == 204
    assert recorder.get("/matches/m1/attachments/1").status_code == 404
    (one,) = recorder.get("/matches/m1/attachments").json()["attachments"]
    assert one["removed"] == 2
    assert director.delete("/matches/m1/attachments/9").status_code == 404


def test_a_picture_of_events_that_are_not_there_is_refused(club: Evening) -> None:
    assert give(club.as_("recorder", "m1"), query="?about=7").status_code == 400


def test_every_type_that_is_taken_is_a_kind_that_is_kept() -> None:
    assert set(pictures.TYPES) == set(pictures.ENDINGS)
