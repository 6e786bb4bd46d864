"""The routes under `/api/v1`. Each answer is computed from the log that the client may see."""

from __future__ import annotations

import io
from functools import partial
from typing import Annotated, Any

import msgspec
import segno
from litestar import Response
from litestar.datastructures import Cookie
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct

from events import packs
from events.canon import encode
from events.errors import ConflictError, NotFoundError, UsageError
from events.file_names import file_name
from events.limits import MAX_EVENTS
from events.model import Recorded, Ruling
from events.writing import write_kib
from records.bundle import is_in_parts, make_bundle
from records.projection.search import Found, Hit
from reducers.house_rules import choices_of, house_rules, rule_value
from reducers.opening import opening, options_schema
from reducers.registry import find_game, usable_pages
from reducers.scoring import Points
from replay.auditing.audit import audit
from replay.languages.translate import in_language, t
from replay.pack_names import in_pack
from replay.paper.formats import SHEET, ending_of, format_by_ending
from replay.paper.hand_sheet import hand_sheet
from replay.paper.render import written_sheet
from replay.paper.report import render_report, report
from replay.paper.sheet import sheet_of
from replay.paper.sheet_page import PageLook as SheetLook
from replay.paper.wall import for_the_wall
from replay.scoring.three_ways import ruled_score, score_match
from replay.season.facts import match_facts
from replay.table.frame import frame
from replay.table.pad import PadView, lines_of_hand, pad_in_pack, pad_of, question
from replay.table.session import Session
from replay.viewer.document import document
from replay.visibility import ALL_HANDS, Audience
from service import writing
from service.grants import Grant, Role
from service.listing import MatchInList, rows_for
from service.middleware import COOKIE
from service.problems import RefusedError, not_allowed, not_there, problem_of
from service.request_context import (
    Asked,
    Match,
    MatchAccess,
    dates_of,
    delete,
    get,
    grant_of,
    looking,
    paper,
    post,
    sent,
    service_of,
    table_for,
)

Short = Annotated[str, Meta(max_length=120)]
Key = Annotated[str, Meta(max_length=200)]
Position = Annotated[int, Meta(ge=0, le=MAX_EVENTS)]
WRITERS: tuple[Role, ...] = ("director", "recorder", "seat")
MOST_OF_A_DAY, MOST_WORTH_OPENING = 40, 12
"""Most matches of an evening that are looked through for hands worth opening, and most of those hands."""


# Request bodies


class Secret(Struct, forbid_unknown_fields=True):
    """The secret of a link."""

    secret: Annotated[str, Meta(max_length=100)]


class NewMatch(Struct, forbid_unknown_fields=True):
    """A match to begin: game, players, house rules, pack, and a key that makes a retry harmless. `in_parts`: it can be
    shown in part, with its proof."""

    game: Short
    seats: dict[Annotated[str, Meta(max_length=3)], Short] = {}
    options: dict[Short, Short] = {}
    dealer: Annotated[str, Meta(max_length=3)] = ""
    pack: Short = ""
    date: Annotated[str, Meta(max_length=10)] = ""
    place: Short = ""
    title: Short = ""
    round: Short = ""
    table: Short = ""
    book: Annotated[str, Meta(min_length=1, max_length=64)] = "home"
    key: Key = ""
    in_parts: bool = False


class NewLine(Struct, forbid_unknown_fields=True):
    """A typed line. `expect` is the last event that the writer has seen; `key` makes a retry harmless. `as_played`
    keeps an act that is against the rules; `sealed` makes a remark that only a director reads. A line that was queued
    says what it was typed for: `after` is the key of the line before it, `seat` the acting seat, `phase` the phase of
    the hand. One written `by_hand` names the cards of the pack on the table."""

    line: Annotated[str, Meta(min_length=1, max_length=4000)]
    expect: Position | None = None
    key: Key = ""
    as_played: bool = False
    sealed: bool = False
    after: Key = ""
    seat: Annotated[str, Meta(max_length=8)] = ""
    phase: Annotated[str, Meta(max_length=40)] = ""
    by_hand: bool = False


class NewEvents(Struct, forbid_unknown_fields=True):
    """Events in canonical JSON; the store assigns their positions."""

    events: Annotated[list[Recorded], Meta(min_length=1, max_length=500)]
    expect: Position | None = None
    key: Key = ""


class NewGrant(Struct, forbid_unknown_fields=True):
    """A grant to give; `token` requests a bearer token instead of a link."""

    subject: Annotated[str, Meta(min_length=1, max_length=80)]
    role: Role
    match: Annotated[str, Meta(max_length=64)] = ""
    book: Annotated[str, Meta(max_length=64)] = ""
    seat: Annotated[str, Meta(max_length=3)] = ""
    hours: Annotated[float, Meta(ge=0, le=24 * 400)] = 0.0
    token: bool = False


class Opened(Struct, forbid_unknown_fields=True):
    """The hand whose cards all may see from now on; 0 means the whole match."""

    hand: Annotated[int, Meta(ge=0, le=100_000)] = ALL_HANDS


class Text(Struct, forbid_unknown_fields=True):
    """A text to be shown as a code."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


# Response bodies


class GrantIssued(Struct, frozen=True):
    """A grant and its secret. The secret is returned only once."""

    grant: Grant
    secret: str
    path: str = ""


class MatchCreated(Struct, frozen=True):
    """The new match."""

    match: str


class AppendResult(Struct, frozen=True):
    """The result of a submission: its first and last event."""

    match: str
    first: int
    last: int


# Sessions and grants


@post("/api/v1/session", status_code=201)
def enter_route(request: Asked, data: JSONBody[Secret]) -> Response[Grant]:
    """Change the secret of a link for a cookie."""
    service = service_of(request)
    found = service.grants.exchange(data.secret)
    if found is None:
        raise RefusedError(
            "unknown", 401, t("this link has expired or was already used"), todo=t("Ask the director for another one"),
        )
    grant, cookie = found
    kept_ = Cookie(
        key=COOKIE, value=cookie, httponly=True, samesite="strict", path="/", secure=service.settings.secure,
        max_age=60 * 60 * 24 * 30,
    )
    return Response(grant, cookies=[kept_])


@delete("/api/v1/session")
def leave_route(request: Asked) -> None:
    """Forget the cookie. Only the one that was looked at with the page that asks: there may be several heads of that
    name."""
    value: str | None = request.scope["state"].get("cookie")
    if value is None:
        grant_of(request)
    else:
        service_of(request).grants.forget(value)


@get("/api/v1/me")
def me_route(request: Asked) -> Grant:
    """What the asker may do."""
    return grant_of(request)


@get("/api/v1/grants")
def grants_route(request: Asked, match: Annotated[str | None, QueryParameter(max_length=64)] = None) -> list[Grant]:
    """The grants of the matches that a director directs."""
    grant, service = grant_of(request, "director"), service_of(request)
    return [one for one in service.grants.all() if _within(grant, one) and match in (None, one.match)]


@post("/api/v1/grants", status_code=201)
def give_route(request: Asked, data: JSONBody[NewGrant]) -> GrantIssued:
    """Give a grant: the answer has its link."""
    grant, service = grant_of(request, "director"), service_of(request)
    match, book = data.match or grant.match, data.book or grant.book
    if match:
        table = table_for(service, grant, match)
        if data.seat and data.seat not in table.scribe.session.state.terms.seats:
            raise UsageError(
                f"'{data.seat}' does not sit at this table",
                expected=f"one of {', '.join(table.scribe.session.state.terms.seats)}",
            )
    wanted = Grant("", data.subject, data.role, match, book, data.seat)
    if not _within(grant, wanted):
        raise not_allowed("you direct other matches")
    new = service.grants.give(data.subject, data.role, match=match, book=book, seat=data.seat, hours=data.hours)
    if data.token:
        return GrantIssued(new, service.grants.secret(new, "token"))
    secret = service.grants.secret(new, "link", once=data.role != "spectator")
    return GrantIssued(new, secret, f"/enter#{secret}")


@delete("/api/v1/grants/{grant:str}")
def revoke_route(request: Asked, grant: Annotated[str, PathParameter(max_length=40)]) -> None:
    """End a grant."""
    own, service = grant_of(request, "director"), service_of(request)
    one = next((g for g in service.grants.all() if g.id == grant), None)
    if one is None or not _within(own, one):
        raise not_there("there is no such grant")
    service.take_back(grant)


def _within(grant: Grant, other: Grant) -> bool:
    """True if the grant includes everything that the other one does."""
    return grant.match in ("", other.match) and grant.book in ("", other.book)


@post("/api/v1/code", status_code=200)
def code_route(request: Asked, data: JSONBody[Text]) -> dict[str, str]:
    """A link as a code to scan: an SVG."""
    grant_of(request, "director")
    drawn = io.BytesIO()
    segno.make(data.text, error="m").save(drawn, kind="svg", border=3, xmldecl=False, omitsize=True)
    return {"svg": drawn.getvalue().decode()}


# Matches


@get("/api/v1/games")
def games_route(request: Asked) -> list[dict[str, Any]]:
    """The games that can be recorded, by their names: what they are called, and how many sit at a table."""
    grant_of(request)
    return [
        {
            "key": game.key, "name": in_language(game.name), "players": in_language(game.players),
            "family": game.family, "seats": [list(seats) for seats in game.seating.sizes.values()],
        }
        for game in sorted(usable_pages()[0], key=lambda game: packs.small_plain(game.name))
    ]


@get("/api/v1/games/{game:str}/house-rules")
def house_rules_route(request: Asked, game: Annotated[str, PathParameter(max_length=40)]) -> dict[str, Any]:
    """The house rules that a match of a game may have, as a JSON schema, the packs that it may be played with, and the
    words for the values of both."""
    grant_of(request, "director")
    page = find_game(game)
    schema, values = options_schema(page), list[Any](packs.PACKS)
    for name, rule in schema.get("properties", {}).items():
        description, kind = house_rules(page)[name]
        rule["description"] = in_language(description, page.key)
        values += [rule.get("default", ""), *choices_of(kind)]
    words = {
        str(value).lower() if isinstance(value, bool) else str(value): in_language(rule_value(value), "House rules")
        for value in values
    }
    return {"schema": schema, "packs": sorted(packs.PACKS), "words": words}


@get("/api/v1/games/{game:str}/rules")
def rules_route(request: Asked, game: Annotated[str, PathParameter(max_length=40)]) -> dict[str, Any]:
    """The rules of a game in the words of its page, for somebody at the table who wants to look one up."""
    grant_of(request)
    page = find_game(game)
    return {
        "name": in_language(page.name), "summary": page.summary,
        "rules": [{"heading": one.heading, "short": one.short, "text": one.text} for one in page.rules],
    }


@get("/api/v1/matches")
def matches_route(
    request: Asked, game: Annotated[str | None, QueryParameter(max_length=40)] = None,
    book: Annotated[str | None, QueryParameter(max_length=64)] = None,
    player: Annotated[str | None, QueryParameter(max_length=120)] = None,
    after: Annotated[str | None, QueryParameter(max_length=64)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=200)] = 50,
) -> Response[bytes]:  # fmt: skip
    """The matches that the asker may see, the latest first; `after` is the last match of the page before."""
    grant, service = grant_of(request), service_of(request)
    rows = rows_for(service, grant, game=game, book=book, player=player)
    if after is not None:
        rows = _behind(rows, after)
    return sent(request, {"matches": rows[:limit], "more": len(rows) > limit})


def _behind(rows: list[MatchInList], match: str) -> list[MatchInList]:
    """The rows after that of a match; empty if the match is not among them."""
    at = next((i for i, row in enumerate(rows) if row.match == match), len(rows))
    return rows[at + 1 :]


@post("/api/v1/matches", status_code=201)
def begin_match_route(request: Asked, data: JSONBody[NewMatch]) -> MatchCreated:
    """Begin a match."""
    grant, service = grant_of(request, "director"), service_of(request)
    if grant.match or not grant.covers("", data.book):
        raise not_allowed("you direct other matches")
    try:
        facts = opening(
            data.game, seats=dict(data.seats), options=dict(data.options), dealer=data.dealer or None,
            pack=data.pack or None, date=data.date or None, title=data.title or None, round=data.round or None,
            table=data.table or None, place=data.place or None,
        )  # fmt: skip
    except UsageError as error:
        raise RefusedError(
            "usage", 400, in_form_words(error.what, data.game), todo="Change it, and begin the match again",
        ) from error
    made = service.shared.group.submit(
        lambda store: store.create_match(
            facts, game=data.game, book=data.book, recorder=grant.subject, key=data.key, in_parts=data.in_parts,
        )
    ).result()
    service.wrote()
    return MatchCreated(made)


def in_form_words(what: str, game: str) -> str:
    """An error about a new match in the words of a form: a house rule by its description, not its name.

    >>> in_form_words("option target is a whole number from 1 to 999, not 'x'", "kaiser")
    "score that ends the match: a whole number from 1 to 999, not 'x'"
    """
    for name, rule in options_schema(find_game(game)).get("properties", {}).items():
        for sign in (" is ", ": "):
            before, said, why = what.partition(f"option {name}{sign}")
            if said:
                what = f"{before}{in_language(rule['description'], game)}: {in_language(why.replace('_', ' '))}"
    return what


@get("/api/v1/matches/{match:str}")
def one_match_route(request: Asked, match: Match) -> Response[bytes]:
    """A match as it stands: what is played, who plays, and the score."""
    with looking(request, match) as look:
        shown = msgspec.to_builtins(frame(look.view.follower.state, look.audience.viewer))
        return sent(request, {"position": look.view.last, "role": look.grant.role, **shown})


@get("/api/v1/matches/{match:str}/pad")
def pad_route(
    request: Asked, match: Match, at: Annotated[int | None, QueryParameter(ge=1, le=MAX_EVENTS)] = None,
    behind: Annotated[bool, QueryParameter()] = False
) -> Response[bytes]:  # fmt: skip
    """What the phone page needs of a match: the position, the keys of the pad, the last lines. With `at`,
    the pad before this event, or right `behind` it, to correct it."""
    with looking(request, match, *WRITERS) as look:
        session = look.table.session(look.audience)
        shown = _pad(look) if at is None else _pad_of(session.in_place_of(at, behind=behind), look)
        return sent(request, shown)


@get("/api/v1/matches/{match:str}/lines")
def lines_route(
    request: Asked, match: Match, hand: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
    seat: Annotated[str, QueryParameter(max_length=8)] = ""
) -> Response[bytes]:  # fmt: skip
    """The lines of a hand in words, or those of one seat in it, to correct them; without `hand` those of the last
    one."""
    with looking(request, match, *WRITERS) as look:
        session = look.table.session(look.audience)
        hand = hand or session.state.number
        lines = writing.pack_at(session).data(lines_of_hand(session, hand, seat))
        return sent(request, {"hand": hand, "lines": lines})


def _pad(look: MatchAccess) -> PadView:
    """The pad of the current position, with the totals as ruled."""
    session = look.table.session(look.audience)
    is_ruled = any(type(placed.event) is Ruling for placed in session.view.events)
    ruled = ruled_score(look.table.view(look.audience).read) if is_ruled else None
    return _pad_of(session, look, None if ruled is None else ruled.totals)


def _pad_of(session: Session, look: MatchAccess, totals: Points | None = None) -> PadView:
    pad = pad_of(session, look.audience.viewer, totals)
    return pad_in_pack(pad, session.state.game.pack.faces, writing.pack_at(session))


@get("/api/v1/matches/{match:str}/result")
def result_route(
    request: Asked, match: Match,
    said: Annotated[list[Annotated[str, Meta(max_length=80)]] | None, QueryParameter(max_items=80)] = None
) -> Response[bytes]:
    """What is asked next of the result of a hand, after what was said already; null if nothing is."""
    with looking(request, match, "director", "recorder") as look:
        session = look.table.session(look.audience)
        asked = writing.pack_at(session).data(question(session, said or []))
        return sent(request, asked)


@get("/api/v1/matches/{match:str}/events")
def events_route(
    request: Asked, match: Match, after: Annotated[int, QueryParameter(ge=-1, le=MAX_EVENTS)] = -1,
) -> Response[bytes]:
    """The events after a position, in canonical JSON."""
    with looking(request, match) as look:
        lines = [encode(r) for r in look.view.log if r.n > after]
        return sent(request, b'{"match":%b,"events":[%b]}' % (msgspec.json.encode(match), b",".join(lines)))


@get("/api/v1/matches/{match:str}/frames")
def frames_route(request: Asked, match: Match) -> Response[bytes]:
    """All that a viewer needs (docs/replay-data.md), and from where to follow it on."""
    with looking(request, match) as look:
        return sent(request, look.view.kept("frames", lambda: _frames(look)))


def _frames(look: MatchAccess) -> bytes:
    doc = document(look.view.read, look.audience.viewer, seen_whole=look.view.whole)
    doc["findings"] = [f for f in doc["findings"] if _may_be_told(look, f["hand"])]
    doc["offers"] = [o for o in doc["offers"] if _may_be_told(look, o["hand"])]
    if not look.audience.everything:
        doc["kib"] = ""
    doc["links"] = {t("sheet"): f"/api/v1/matches/{look.table.match}/sheet.html"}
    if doc["over"] and (look.audience.everything or is_in_parts(look.service.shared.reading, look.table.match)):
        doc["links"][t("the record with its proof")] = f"/api/v1/matches/{look.table.match}/bundle"
    return msgspec.json.encode({**doc, "follow": look.view.feed.id_at(look.view.last)})


def _may_be_told(look: MatchAccess, hand: int) -> bool:
    """True if the findings of a hand may be shown: while it is played they would coach the table."""
    walk = look.view.follower
    return look.audience.everything or hand in walk.over or hand < walk.hand


@get("/api/v1/matches/{match:str}/findings")
def findings_route(request: Asked, match: Match) -> Response[bytes]:
    """What was found in the hands that are over, as `kibitz audit --json` has it."""
    with looking(request, match) as look:
        audited = look.view.kept("findings", lambda: audit(look.view.read))
        found = [f for f in (*audited.broken, *audited.open) if _may_be_told(look, f.at.hand)]
        return sent(request, {"match": match, "findings": found})


@get("/api/v1/worth-opening")
def worth_opening_route(
    request: Asked, book: Annotated[str | None, QueryParameter(max_length=64)] = None,
    day: Annotated[str, QueryParameter(max_length=10)] = "",
) -> Response[bytes]:
    """The hands worth opening of an evening, the most interesting first, as the asker may see them: in the form of
    `kibitz find --highlights --json`. Only hands that are over are among them."""
    grant, found = grant_of(request), list[tuple[float, Hit]]()
    for row in [row for row in rows_for(service_of(request), grant, book=book) if row.date == day][:MOST_OF_A_DAY]:
        with looking(request, row.match) as look:
            facts = look.view.kept("facts", partial(match_facts, row.match, look.view.read))
            found += [
                (one.weight, Hit(
                    f"{row.match}#{one.at}", row.match, one.at, one.hand, one.kind, one.text, row.name, row.date,
                    row.book, row.title, tuple((player,) for player in row.players),
                ))
                for one in facts.worth_opening if _may_be_told(look, one.hand)
            ]  # fmt: skip
    found.sort(key=lambda one: -one[0])
    hits = Found(tuple(hit for _, hit in found[:MOST_WORTH_OPENING]), len(found) > MOST_WORTH_OPENING)
    return sent(request, hits)


@get("/api/v1/matches/{match:str}/score")
def score_route(request: Asked, match: Match) -> Response[bytes]:
    """The score, all three ways, as `kibitz score --json` has it."""
    with looking(request, match) as look:
        return sent(request, look.view.kept("score", lambda: msgspec.json.encode(score_match(look.view.read))))


@get([f"/api/v1/matches/{{match:str}}/sheet.{ending_of(form)}" for form in SHEET])
def sheet_route(
    request: Asked, match: Match, hand: Annotated[int, QueryParameter(ge=0, le=100_000)] = 0,
    wall: Annotated[bool, QueryParameter()] = False
) -> Response[bytes]:  # fmt: skip
    """The scoresheet in a format, for the wall if asked, or the page of one hand that is over."""
    form = format_by_ending(request.url.path, SHEET, "a sheet")
    with looking(request, match) as look:
        if hand and not _may_be_told(look, hand):
            raise NotFoundError(f"hand {hand} is not over", todo="Its page comes with its end")
        of = SheetLook(wall=wall, dates=dates_of(request))
        body = look.view.kept(f"sheet {form} {hand} {wall} {of.dates}", lambda: _sheet(look, form, hand, of))
        return paper(request, body, form, f"{match}-{hand}" if hand else match)


def _sheet(look: MatchAccess, form: str, hand: int, of: SheetLook) -> bytes:
    log = look.view.read
    shown = in_pack(log.view, log)
    made = shown.data(hand_sheet(log, hand) if hand else sheet_of(log))
    return written_sheet(
        for_the_wall(made) if of.wall else made, form, look=msgspec.structs.replace(of, suits=shown.same),
    )


@get("/api/v1/matches/{match:str}/report")
def report_route(
    request: Asked, match: Match, hand: Annotated[int, QueryParameter(ge=1, le=100_000)],
) -> Response[bytes]:
    """The report on one hand that is over, as a page."""
    with looking(request, match) as look:
        if not _may_be_told(look, hand):
            raise NotFoundError(f"hand {hand} is not over", todo="Its report comes with its end")
        dates = dates_of(request)
        body = look.view.kept(f"report {hand} {dates}", lambda: _report(look, hand, dates))
        return paper(request, body, "html")


def _report(look: MatchAccess, hand: int, dates: str) -> bytes:
    log = look.view.read
    shown = in_pack(log.view, log)
    return render_report(
        shown.data(msgspec.structs.replace(report(log, hand), suits=shown.same, dates=dates)), "html",
    ).encode()


@get("/api/v1/matches/{match:str}/kib")
def kib_route(request: Asked, match: Match) -> Response[bytes]:
    """The record as a file, as far as the asker may see it."""
    with looking(request, match) as look:
        return sent(request, write_kib(look.view.log).encode(), "text/plain", file=f"{file_name(match)}.kib")


@get("/api/v1/matches/{match:str}/bundle")
def bundle_route(request: Asked, match: Match) -> Response[bytes]:
    """The record with the proof that it is what was written: all of it for a director; for others what they may see,
    if the match can be shown in part, with commitments for the rest."""
    with looking(request, match) as look:
        log, store = look.view.log, look.service.shared.reading
        if not look.audience.everything and not is_in_parts(store, match):
            raise not_allowed("the whole record is for the director, and this match cannot be shown in part")
        try:
            body = make_bundle(store, match, view=None if look.audience.everything else lambda _: log)
        except UsageError as error:
            raise RefusedError("usage", 400, error.what, todo="It is signed when the match is over") from error
    return sent(request, body, file=f"{file_name(match)}.bundle.json")


# Writing


@post("/api/v1/matches/{match:str}/lines", status_code=201)
def add_line_route(request: Asked, match: Match, data: JSONBody[NewLine]) -> Response[bytes]:
    """Take down one line. The answer says what it meant, and has the pad for the next."""
    with looking(request, match, *WRITERS) as look:
        _settled(look)
        if data.sealed and look.grant.role != "director":
            raise not_allowed("a sealed remark is made by the director")
        done = writing.enter_line(
            look.table, look.audience, look.grant, data.line,
            writing.TypedFor(data.expect, data.after, data.seat, data.phase), key=data.key, as_played=data.as_played,
            sealed=data.sealed, by_hand=data.by_hand,
        )  # fmt: skip
        return _entered(look, done)


@post("/api/v1/matches/{match:str}/events", status_code=201)
def add_events_route(request: Asked, match: Match, data: JSONBody[NewEvents]) -> Response[bytes]:
    """Take down events as they are, all or none."""
    with looking(request, match, *WRITERS) as look:
        _settled(look)
        try:
            done = writing.enter_events(
                look.table, look.audience, look.grant, data.events, expect=data.expect, key=data.key,
            )
        except ConflictError as error:
            if type(error) is ConflictError and data.key:
                raise RefusedError(
                    "key-reused", 422, problem_of(error).title, todo="Use a new key for new events",
                ) from error
            raise
        return _entered(look, done)


def _settled(look: MatchAccess) -> None:
    if look.service.stopping:
        raise RefusedError(
            "stopping", 503, t("the service is stopping"), todo=t("Send it again in a moment"),
            headers={"retry-after": "5"},
        )


def _entered(look: MatchAccess, done: writing.Entered) -> Response[bytes]:
    if not done.repeated:
        look.service.counters.events.inc(done.last - done.first + 1)
    look.service.changed(look.table)
    look.view = look.table.view(look.audience)
    done = writing.pack_at(look.table.session(look.audience)).data(done)
    body = msgspec.json.encode({**msgspec.to_builtins(done), "match": look.table.match, "pad": _pad(look)})
    return Response(body, status_code=201, media_type="application/json")


@post("/api/v1/matches/{match:str}/open", status_code=204)
def open_hand_route(request: Asked, match: Match, data: JSONBody[Opened]) -> None:
    """From now on everybody sees all cards of a hand, or of the match."""
    with looking(request, match, "director") as look:
        if data.hand != ALL_HANDS and data.hand not in look.view.follower.over:
            raise NotFoundError(f"hand {data.hand} is not over, or was never played", expected="a hand that is over")
        look.service.grants.open_hand(match, data.hand)
    look.service.changed(look.table)


@get("/api/v1/submissions/{key:str}")
def submission_route(
    request: Asked, key: Annotated[str, PathParameter(max_length=200)],
    match: Annotated[str | None, QueryParameter(max_length=64)] = None,
) -> AppendResult:
    """Whether a submission of the asker's match landed, and where."""
    grant, service = grant_of(request, *WRITERS), service_of(request)
    name = match or grant.match
    if not name:
        raise UsageError("which match is meant is not said", expected="?match=…")
    table_for(service, grant, name)
    known = service.shared.reading.submitted(name, key)
    if known is None:
        raise not_there("nothing was recorded under this key")
    return AppendResult(name, *known)


HANDLERS = [
    enter_route, leave_route, me_route, grants_route, give_route, revoke_route, code_route, games_route,
    house_rules_route, rules_route, matches_route, begin_match_route, one_match_route, pad_route, lines_route,
    result_route, events_route, frames_route, findings_route, worth_opening_route, score_route, sheet_route,
    report_route, kib_route, bundle_route, add_line_route, add_events_route, open_hand_route, submission_route,
]  # fmt: skip

__all__ = ["HANDLERS", "Audience"]
