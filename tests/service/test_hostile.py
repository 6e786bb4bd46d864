"""Whatever is asked, by whomever: no fault, no traceback, nothing of the inside, and no memory that grows."""

from __future__ import annotations

from pathlib import Path

import pytest
import schemathesis
from browsers import in_a_loop_of_its_own
from hostile_requests import Thrower, thrown
from hypothesis import HealthCheck, given, settings
from litestar.testing import TestClient
from sampling import a_few, forms
from service_at import HOST, Clock

from records import Store
from replay.simulate import simulate
from service.app import application
from service.grants import Grants
from service.service_state import Service, ServiceSettings

ROLES = (
    ("director", "", ""), ("recorder", "m1", ""), ("seat", "m1", "N"), ("spectator", "m1", ""), ("spectator", "", ""),
)


async def all_thrown(place: Path, cases: int, seed: int) -> Thrower:
    path, clock = place / "club.db", Clock()
    with Store.open(path, clock=clock) as store:
        for i, game in enumerate(("kaiser", "scopa", "yaniv"), 1):
            store.import_match(f"m{i}", simulate(game, seed=1, hands=1)[:12], game=game)
    service = Service(ServiceSettings(path, frozenset({HOST})), clock)
    app = application(service)
    tokens = [
        service.grants.secret(service.grants.give(role, role, match=match, seat=seat), "token")
        for role, match, seat in ROLES
    ]
    grants = service.grants
    found = [
        grants.exchange(grants.secret(grants.give(role, role, match=match, seat=seat), "link", once=True))
        for role, match, seat in ROLES
    ]
    cookies = [one[1] for one in found if one is not None]
    async with app.lifespan():
        return await thrown(app, tokens, cases, seed, cookies, ended(grants))


def ended(grants: Grants) -> list[str]:
    """Secrets that show nothing: of a grant that was taken back, of one whose time is over, a link that was used,
    one that is no token, and a cookie that was forgotten."""
    revoked = grants.give("x", "director")
    over = grants.give("x", "director", hours=1 / 3600)
    used = grants.give("x", "director")
    out = [grants.secret(one, "token") for one in (revoked, over)]
    link = grants.secret(used, "link", once=True)
    exchanged = grants.exchange(link)
    assert exchanged is not None
    grants.forget(exchanged[1])
    grants.revoke(revoked.id)
    for _ in range(3):
        grants._clock()
    return [*out, link, exchanged[1], grants.secret(used, "link")]


@pytest.mark.parametrize(("cases", "seed"), forms((2_000, 1), (5_000, 1), *((50_000, seed) for seed in range(2, 22))))
def test_nothing_that_is_asked_is_a_fault(tmp_path: Path, cases: int, seed: int) -> None:
    """If this failed, somebody with a bad browser could stop an evening."""
    before = memory()
    found = in_a_loop_of_its_own(all_thrown(tmp_path, cases, seed))
    assert found.wrong == [], "\n".join(found.wrong[:20])
    assert memory() - before < 300
    # It was not all turned away at the door.
    assert found.counts[201] > cases / 100
    assert found.counts[200] > cases / 20


def memory() -> float:
    """What this process holds, in MB."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


@pytest.mark.rest
@pytest.mark.parametrize("role", a_few([role for role, _, _ in ROLES[:4]], 1))
@pytest.mark.parametrize("examples", forms(4, 8, 5_000))
def test_what_the_schema_allows_is_answered_as_it_says(tmp_path: Path, role: str, examples: int) -> None:
    """If this failed, the schema would promise what is not so. Its requests are made by schemathesis, for every
    operation."""
    path, clock = tmp_path / "club.db", Clock()
    with Store.open(path, clock=clock) as store:
        store.import_match("m1", simulate("kaiser", seed=1, hands=1)[:12], game="kaiser")
    service = Service(ServiceSettings(path, frozenset({HOST, "localhost", "testserver"})), clock)
    match, seat = next((match, seat) for name, match, seat in ROLES if name == role)
    token = service.grants.secret(service.grants.give(role, role, match=match, seat=seat), "token")
    app = application(service)
    with TestClient(app, base_url=f"http://{HOST}", raise_server_exceptions=False) as client:
        document = client.get("/api/v1/schema/openapi.json", headers={"authorization": f"Bearer {token}"}).json()
        schema = schemathesis.openapi.from_dict(document)
        asked = 0
        for result in schema.get_all_operations():
            operation = result.ok()
            if operation.path.endswith("/live"):
                continue  # it does not end

            @settings(
                max_examples=examples, deadline=None, database=None, derandomize=True,
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy())
            def ask(case: schemathesis.Case) -> None:
                nonlocal asked
                asked += 1
                sent = case.as_transport_kwargs(base_url=f"http://{HOST}")
                headers = {
                    **{k: v for k, v in (sent.get("headers") or {}).items() if k.lower() != "authorization"},
                    "authorization": f"Bearer {token}",
                }
                told = client.request(
                    sent["method"], sent["url"], headers=headers,
                    **{k: v for k, v in sent.items() if k in ("params", "json", "data", "content") and v is not None}
                )
                assert told.status_code < 500, (case.method, case.path, told.text[:300])
                assert "Traceback" not in told.text
                # A method that a path has not is asked for by nobody who reads the schema.
                assert str(told.status_code) in case.operation.definition.raw["responses"] or told.status_code == 405, (
                    case.method, case.path, told.status_code,
                )

            ask()
        assert asked > 25
