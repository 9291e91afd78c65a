"""HTTP requests that can only reach what the egress rules allow."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import ada_url
import httpx

from nexus.egress.guard import Guard, InvalidTarget, Target
from nexus.outbound.client import bounded_client, location, within
from nexus.outbound.limits import DeadlinePassed, Limits

MAX_REDIRECTS = 3
_ADDRESS = "nexus.address"


@contextmanager
def open_public(
    url: str,
    guard: Guard,
    limits: Limits,
    *,
    headers: dict[str, str] | None = None,
    redirects: int = MAX_REDIRECTS,
) -> Iterator[httpx.Response]:
    """The response at the end of an address's redirects, its body not yet read.

    Every hop is checked, and dialled at an address that was checked. The limits' seconds are for
    all of them together; looking up the last name may add `DNS_SECONDS`.
    """
    # Connections are not reused: the pool keys them by address, and two names may share one.
    with bounded_client(limits, headers=headers) as client:
        response = _follow(client, url, guard, limits, redirects)
        try:
            yield response
        finally:
            response.close()


def address_of(response: httpx.Response) -> str:
    """The address that a response came from, by its name."""
    address: str = response.extensions[_ADDRESS]
    return address


def _follow(
    client: httpx.Client, url: str, guard: Guard, limits: Limits, redirects: int
) -> httpx.Response:
    ends = limits.clock() + limits.seconds
    for _ in range(redirects + 1):
        target = guard.check_url(url)
        response = _dial(client, target, guard.addresses(target), limits, ends)
        leads_to = location(response)
        if leads_to is None:
            response.extensions[_ADDRESS] = target.url
            return response
        response.close()
        url = _joined(target.url, leads_to)
    raise httpx.TooManyRedirects("it redirects too often")


def _dial(
    client: httpx.Client, target: Target, addresses: list[str], limits: Limits, ends: float
) -> httpx.Response:
    failure: httpx.TransportError = httpx.ConnectError("the name has no address")
    for address in addresses:
        left = ends - limits.clock()
        if left <= 0:
            raise DeadlinePassed("it took too long")
        request = _pinned(client, target, address, replace(limits, seconds=left))
        try:
            return client.send(request, stream=True)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            failure = error
    raise failure


def _pinned(client: httpx.Client, target: Target, address: str, limits: Limits) -> httpx.Request:
    """A request to the address. The name stays in the Host header and in TLS, so certificates are
    verified for it; httpx never parses it, because it accepts fewer names than browsers do.
    """
    parsed = ada_url.URL(target.url)
    return client.build_request(
        "GET",
        httpx.URL(scheme=parsed.protocol.removesuffix(":"), host=address, port=target.port),
        headers={"Host": parsed.host},
        extensions={
            **within(limits),
            "target": f"{parsed.pathname}{parsed.search}".encode(),
            "sni_hostname": target.host,
        },
    )


def _joined(base: str, written: str) -> str:
    try:
        return ada_url.URL(written, base=base).href
    except ValueError:
        raise InvalidTarget("invalid", "it redirects to an invalid address") from None
