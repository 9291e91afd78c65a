"""Requests of one account run out, come back with time, and are nobody else's."""

import asyncio

import pytest

from nexus.bff.request_rate import RequestRate
from nexus.errors import RateLimitedError
from tests.coroutines import run
from tests.live import live_nexus


def test_a_bucket_refills() -> None:
    now = 0.0
    rate = RequestRate("10/5 seconds", now=lambda: now)
    for _ in range(10):
        rate.count("a", credential="cookie")
    with pytest.raises(RateLimitedError) as refused:
        rate.count("a", credential="cookie")
    assert refused.value.headers == {"Retry-After": "1"}
    rate.count("b", credential="other cookie")
    rate.refuse_early("other cookie")
    with pytest.raises(RateLimitedError):
        rate.refuse_early("cookie")
    now = 1.0
    rate.refuse_early("cookie")
    for _ in range(2):
        rate.count("a", credential="token")
    with pytest.raises(RateLimitedError):
        rate.refuse_early("token")


def test_who_asks_for_much_is_served_one_at_a_time() -> None:
    now = 0.0
    rate = RequestRate("1000/10 seconds", now=lambda: now)
    for _ in range(200):
        rate.count("busy", credential="busy cookie")
    rate.count("other", credential="other cookie")

    async def passes(credential: str) -> bool:
        """Whether a turn comes while the busy account is having one."""
        async with rate.turn(credential="busy cookie"):
            second = asyncio.create_task(_turn(rate, credential))
            # More turns of the loop than it takes; only a wait for the other outlasts them.
            for _ in range(20):
                await asyncio.sleep(0)
            done = second.done()
        await second
        return done

    assert not run(passes("busy cookie"))
    assert run(passes("other cookie"))
    assert run(passes("a cookie nobody has seen"))
    now = 20.0
    assert run(passes("busy cookie")), "it has paused"


async def _turn(rate: RequestRate, credential: str) -> None:
    async with rate.turn(credential=credential):
        pass


def test_a_flood_of_one_account_is_refused_and_no_others() -> None:
    with (
        live_nexus(request_rate="20/day") as nexus,
        nexus.signed_up() as flood,
        nexus.signed_up() as other,
    ):
        statuses = [flood.get("/api/me").status_code for _ in range(25)]
        assert statuses == [200] * 20 + [429] * 5
        refused = flood.get("/api/me")
        assert refused.json()["error"]["code"] == "E_RATE_LIMITED"
        assert int(refused.headers["Retry-After"]) >= 1
        assert other.get("/api/me").status_code == 200
        assert flood.get("/auth/session").status_code == 200


def test_a_foreign_token_uses_up_nothing_of_anybodys() -> None:
    with live_nexus(request_rate="5/minute") as nexus, nexus.signed_up() as person:
        for number in range(10):
            headers = {"Authorization": f"Bearer forged.{number}.token"}
            assert person.get("/api/me", headers=headers).status_code == 401
        assert person.get("/api/me").status_code == 200
