"""Tokens of an outside issuer, checked against its keys over real HTTP."""

import gzip
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import RSAAlgorithm
from pytest_httpserver import HTTPServer
from werkzeug import Response

from nexus.auth.jwk import signing_keys
from nexus.auth.tokens import Authenticator
from nexus.errors import AuthUnavailableError, UnauthenticatedError
from tests.auth.issuer import AUDIENCE, Issuer, SigningKey, ec_key, rsa_key
from tests.live import live_nexus

ALWAYS_OLD = -1.0
NEVER_OLD = 1e9


def _private_jwk(key: SigningKey) -> dict[str, Any]:
    assert isinstance(key.private, rsa.RSAPrivateKey)
    jwk: dict[str, Any] = json.loads(RSAAlgorithm.to_jwk(key.private))
    return jwk


def refused(authenticator: Authenticator, token: str) -> bool:
    try:
        authenticator.authenticate(token)
    except UnauthenticatedError:
        return True
    return False


@pytest.mark.parametrize("make_key", [rsa_key, ec_key])
def test_good_token(issuer: Issuer, make_key: Any) -> None:
    key = make_key()
    issuer.keys = [rsa_key("another").jwk(), key.jwk()]
    user_id = uuid4()
    identity = issuer.authenticator().authenticate(issuer.token(key, sub=str(user_id)))
    assert (identity.user_id, identity.email) == (user_id, "reader@example.org")


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": 1},
        {"exp": None},
        {"aud": "other"},
        {"aud": None},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"sub": None},
        {"sub": ""},
        {"nbf": 4102444800},
    ],
    ids=str,
)
def test_bad_claims(issuer: Issuer, changes: dict[str, Any]) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator()
    assert not refused(authenticator, issuer.token(key))
    assert refused(authenticator, issuer.token(key, **changes))


def test_audience_may_be_one_of_several(issuer: Issuer) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    assert not refused(issuer.authenticator(), issuer.token(key, aud=["nexus-test", "other"]))


def test_subject_that_is_no_uuid_is_one_stable_person(issuer: Issuer) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator()

    def person(subject: str) -> object:
        return authenticator.authenticate(issuer.token(key, sub=subject)).user_id

    assert person("auth0|7") == person("auth0|7")
    assert person("auth0|7") != person("auth0|8")


def test_spellings_of_a_uuid_are_different_people(issuer: Issuer) -> None:
    """Only the plain form is an id; someone who can choose a subject must not become somebody."""
    key = ec_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator()
    user_id = uuid4()
    for subject in (f"urn:uuid:{user_id}", f"{{{user_id}}}", user_id.hex):
        identity = authenticator.authenticate(issuer.token(key, sub=subject))
        assert identity.user_id != user_id, subject


def test_subject_with_broken_unicode_is_refused(issuer: Issuer) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    assert refused(issuer.authenticator(), issuer.token(key, sub="\ud800"))


def test_another_key_with_a_known_id(issuer: Issuer) -> None:
    key, thief = rsa_key("same"), rsa_key("same")
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator()
    assert not refused(authenticator, issuer.token(key))
    assert refused(authenticator, issuer.token(thief))


def test_key_id_of_another_kind_of_key(issuer: Issuer) -> None:
    """The key's own type decides the algorithm, never the token's header."""
    one, other = rsa_key("rsa"), ec_key("ec")
    issuer.keys = [one.jwk(), other.jwk()]
    authenticator = issuer.authenticator()
    assert refused(authenticator, issuer.token(one, kid="ec"))
    assert refused(authenticator, issuer.token(other, kid="rsa"))


@pytest.mark.parametrize("kid", ["../../etc/passwd", "' OR '1'='1", "k" * 10_000, "", "\x00"])
def test_made_up_key_ids(issuer: Issuer, kid: str) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    token = jwt.encode(issuer.claims(), key.private, algorithm=key.algorithm, headers={"kid": kid})
    assert refused(issuer.authenticator(), token)


def test_header_urls_are_never_fetched(issuer: Issuer) -> None:
    """`jku` and `x5u` name the attacker's own keys."""
    key, attacker = rsa_key("real"), rsa_key("theirs")
    issuer.keys = [key.jwk()]
    issuer.server.expect_request("/evil").respond_with_json({"keys": [attacker.jwk()]})
    evil = issuer.server.url_for("/evil")
    token = jwt.encode(
        issuer.claims(),
        attacker.private,
        algorithm="RS256",
        headers={"kid": "theirs", "jku": evil, "x5u": evil, "jwk": attacker.jwk()},
    )
    assert refused(issuer.authenticator(), token)
    assert [request.path for request, _ in issuer.server.log] == ["/.well-known/jwks.json"]


def test_token_without_key_id(issuer: Issuer) -> None:
    """Fine while the issuer has one key, a guess when it has two."""
    key = ec_key()
    issuer.keys = [key.jwk()]
    assert not refused(issuer.authenticator(), issuer.token(key, kid=None))
    issuer.keys.append(ec_key("ec-2").jwk())
    assert refused(issuer.authenticator(), issuer.token(key, kid=None))


def test_new_key_is_picked_up(issuer: Issuer) -> None:
    old, new = rsa_key("old"), ec_key("new")
    issuer.keys = [old.jwk()]
    authenticator = issuer.authenticator(lifetime_seconds=NEVER_OLD, cooldown_seconds=0)
    assert not refused(authenticator, issuer.token(old))
    assert refused(authenticator, issuer.token(new))
    issuer.keys = [old.jwk(), new.jwk()]
    assert not refused(authenticator, issuer.token(new))
    assert not refused(authenticator, issuer.token(old))


def test_removed_key_stops_working(issuer: Issuer) -> None:
    old, new = rsa_key("old"), ec_key("new")
    issuer.keys = [old.jwk(), new.jwk()]
    authenticator = issuer.authenticator(lifetime_seconds=ALWAYS_OLD, cooldown_seconds=0)
    assert not refused(authenticator, issuer.token(old))
    issuer.keys = [new.jwk()]
    assert refused(authenticator, issuer.token(old))
    assert not refused(authenticator, issuer.token(new))


def test_known_keys_are_not_fetched_again(issuer: Issuer) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator(lifetime_seconds=NEVER_OLD, cooldown_seconds=0)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: authenticator.authenticate(issuer.token(key)), range(50)))
    assert issuer.fetches == 1


def test_flood_of_unknown_key_ids_fetches_once(issuer: Issuer) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator(lifetime_seconds=NEVER_OLD, cooldown_seconds=3600)
    tokens = [issuer.token(key, kid=f"made-up-{number}") for number in range(50)]
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda token: refused(authenticator, token), tokens))
    assert not refused(authenticator, issuer.token(key))
    assert issuer.fetches == 1


def page(body: object, status: int = 200) -> Response:
    text = body if isinstance(body, str) else json.dumps(body)
    return Response(text, status=status, content_type="application/json")


BROKEN_ANSWERS = {
    "500": page("oops", 500),
    "404": page("no", 404),
    "redirect": Response(status=302, headers={"Location": "http://127.0.0.1:1/"}),
    "not JSON": page("<html>"),
    "a list": page([]),
    "null": page("null"),
    "no keys": page({}),
    "keys null": page({"keys": None}),
    "keys a number": page({"keys": 7}),
    "deep": page("[" * 50_000),
    "huge": page(json.dumps({"keys": [], "padding": "x" * 400_000})),
    "many": page({"keys": [ec_key(f"ec-{number}").jwk() for number in range(101)]}),
    "gzip bomb": Response(
        gzip.compress(json.dumps({"keys": [], "padding": "x" * 1_000_000}).encode()),
        headers={"Content-Encoding": "gzip"},
    ),
}


@pytest.mark.parametrize("name", list(BROKEN_ANSWERS))
def test_known_keys_survive_a_broken_issuer(issuer: Issuer, name: str) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator(lifetime_seconds=ALWAYS_OLD, cooldown_seconds=0)
    assert not refused(authenticator, issuer.token(key))
    issuer.answer = BROKEN_ANSWERS[name]
    assert not refused(authenticator, issuer.token(key))
    assert issuer.fetches == 2


@pytest.mark.parametrize("name", list(BROKEN_ANSWERS))
def test_broken_from_the_start_ends_nobodys_sign_in(issuer: Issuer, name: str) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    issuer.answer = BROKEN_ANSWERS[name]
    authenticator = issuer.authenticator(cooldown_seconds=0)
    with pytest.raises(AuthUnavailableError):
        authenticator.authenticate(issuer.token(key))
    issuer.answer = None
    assert not refused(authenticator, issuer.token(key))


def test_an_issuer_that_is_down_is_asked_once_in_a_while(unused_httpserver: HTTPServer) -> None:
    issuer = Issuer(unused_httpserver)
    token = issuer.token(ec_key())
    authenticator = issuer.authenticator(cooldown_seconds=3600)
    issuer.answer = page("oops", 500)
    for _ in range(3):
        with pytest.raises(AuthUnavailableError) as raised:
            authenticator.authenticate(token)
    assert issuer.fetches == 1
    assert (raised.value.status, raised.value.code) == (503, "E_AUTH_UNAVAILABLE")
    assert int(raised.value.headers["Retry-After"]) > 0
    unused_httpserver.stop()
    with pytest.raises(AuthUnavailableError):
        issuer.authenticator().authenticate(token)


def test_over_the_api_it_is_a_503_that_ends_no_session() -> None:
    # Port 1: nobody listens there.
    with live_nexus(oidc_issuer="http://127.0.0.1:1", oidc_audience=AUDIENCE) as nexus:
        claims = {"iss": "http://127.0.0.1:1", "aud": AUDIENCE, "sub": "x", "exp": 4102444800}
        token = jwt.encode(claims, ec_key().private, algorithm="ES256", headers={"kid": "k"})
        with nexus.browser() as browser:
            answer = browser.get("/api/me", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "E_AUTH_UNAVAILABLE")
    assert answer.headers["retry-after"] == "10"
    assert "set-cookie" not in answer.headers


def test_a_new_key_while_the_issuer_is_down_ends_nobodys_sign_in(issuer: Issuer) -> None:
    old, new = rsa_key("old"), ec_key("new")
    issuer.keys = [old.jwk()]
    authenticator = issuer.authenticator(lifetime_seconds=NEVER_OLD, cooldown_seconds=0)
    assert not refused(authenticator, issuer.token(old))
    issuer.answer = page("oops", 500)
    with pytest.raises(AuthUnavailableError):
        authenticator.authenticate(issuer.token(new))
    assert not refused(authenticator, issuer.token(old))


@pytest.mark.parametrize("changes", [{"exp": 1}, {"aud": "other"}, {"sub": None}], ids=str)
def test_what_no_key_can_make_good_is_refused_without_the_issuer(
    issuer: Issuer, changes: dict[str, Any]
) -> None:
    issuer.answer = page("oops", 500)
    assert refused(issuer.authenticator(), issuer.token(ec_key(), **changes))
    assert refused(issuer.authenticator(), "not.a.token")
    assert issuer.fetches == 0


@pytest.mark.parametrize(
    ("claim", "seconds", "taken"),
    [
        ("exp", -50, True),
        ("exp", -75, False),
        ("nbf", 50, True),
        ("nbf", 75, False),
        ("iat", 50, True),
        ("iat", 75, False),
    ],
)
def test_clocks_may_be_a_minute_apart(
    issuer: Issuer, claim: str, seconds: int, taken: bool
) -> None:
    key = ec_key()
    issuer.keys = [key.jwk()]
    changes: dict[str, Any] = {claim: int(time.time()) + seconds}
    token = issuer.token(key, **changes)
    assert refused(issuer.authenticator(), token) is not taken


def test_known_keys_survive_an_issuer_that_is_down(unused_httpserver: HTTPServer) -> None:
    issuer = Issuer(unused_httpserver)
    key = ec_key()
    issuer.keys = [key.jwk()]
    authenticator = issuer.authenticator(lifetime_seconds=ALWAYS_OLD, cooldown_seconds=0)
    token = issuer.token(key)
    assert not refused(authenticator, token)
    unused_httpserver.stop()
    assert not refused(authenticator, token)


def bad_entries(key: SigningKey) -> dict[str, Any]:
    """Entries that are no signing keys of ours, however the token is signed."""
    good = key.jwk()
    return {
        "for encryption": {**good, "use": "enc"},
        "use null": {**good, "use": None},
        "use a list": {**good, "use": ["sig"]},
        "to sign only": {**good, "key_ops": ["sign"]},
        "to encrypt": {**good, "key_ops": ["encrypt", "wrapKey"]},
        "for nothing": {**good, "key_ops": []},
        "operations not a list": {**good, "key_ops": "verify"},
        "operations null": {**good, "key_ops": None},
        "to verify, for encryption": {**good, "use": "enc", "key_ops": ["verify"]},
        "to sign, for signatures": {**good, "use": "sig", "key_ops": ["sign"]},
        "another type": {**good, "kty": "EC"},
        "another type and algorithm": {**good, "kty": "EC", "alg": "ES256"},
        "the other algorithm": {**good, "alg": "ES256"},
        "algorithm a list": {**good, "alg": ["RS256"]},
        "id a list": {**good, "kid": [key.kid]},
        "id an object": {**good, "kid": {}},
        "private": {**_private_jwk(key), "kid": key.kid},
        "exponent one": {**good, "e": "AQ"},
        "a modulus of 800,000 bits": {**good, "n": "_" * 133_333},
        "another algorithm": {**good, "alg": "RS512"},
        "symmetric": {"kty": "oct", "kid": key.kid, "k": "c2VjcmV0" * 8, "alg": "HS256"},
        "symmetric, no algorithm": {"kty": "oct", "kid": key.kid, "k": "c2VjcmV0" * 8},
        "symmetric, says RS256": {"kty": "oct", "kid": key.kid, "k": "c2Vj" * 8, "alg": "RS256"},
        "unknown type": {"kty": "XYZ", "kid": key.kid},
        "no type": {"kid": key.kid},
        "numbers for text": {**good, "n": 7, "e": 7},
        "broken numbers": {**good, "n": "AAAA", "e": "AAAA"},
        "text": "key",
        "null": None,
        "a list": [good],
    }


BAD_ENTRIES = list(bad_entries(rsa_key()))


def key_of(private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, algorithm: str) -> SigningKey:
    return SigningKey("weak", algorithm, private)


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
@pytest.mark.parametrize("says_algorithm", [True, False])
@pytest.mark.parametrize(
    "key",
    [
        key_of(rsa.generate_private_key(65537, 1024), "RS256"),
        key_of(ec.generate_private_key(ec.SECP384R1()), "ES384"),
        key_of(ec.generate_private_key(ec.SECP256K1()), "ES256K"),
    ],
    ids=lambda key: f"{type(key.private).__name__} {key.private.key_size} {key.algorithm}",
)
def test_keys_that_are_too_weak_or_of_another_kind(
    issuer: Issuer, key: SigningKey, says_algorithm: bool
) -> None:
    entry = key.jwk()
    entry["alg"] = {"RSA": "RS256", "EC": "ES256"}[entry["kty"]]
    if not says_algorithm:
        del entry["alg"]
    issuer.keys = [entry, ec_key("good").jwk()]
    assert signing_keys({"keys": issuer.keys}).keys() == {"good"}
    assert refused(issuer.authenticator(), issuer.token(key))


@pytest.mark.parametrize("operations", [["verify"], ["sign", "verify"], ["verify", 7, None]])
def test_keys_to_verify_with(issuer: Issuer, operations: list[Any]) -> None:
    key = ec_key()
    issuer.keys = [key.jwk(key_ops=operations)]
    assert not refused(issuer.authenticator(), issuer.token(key))
    del issuer.keys[0]["use"]
    assert not refused(issuer.authenticator(), issuer.token(key))


@pytest.mark.parametrize("kid", ["same", None])
def test_two_keys_with_one_id_are_a_guess(issuer: Issuer, kid: str | None) -> None:
    one, other, good = ec_key("same"), rsa_key("same"), ec_key("good")
    for pair in ([one, other], [other, one], [one, ec_key("same")], [one, other, one]):
        issuer.keys = [{**key.jwk(), "kid": kid} for key in pair] + [good.jwk()]
        authenticator = issuer.authenticator()
        assert refused(authenticator, issuer.token(one, kid=kid))
        assert refused(authenticator, issuer.token(other, kid=kid))
        assert not refused(authenticator, issuer.token(good))


def test_one_key_listed_twice_is_one_key(issuer: Issuer) -> None:
    key = ec_key()
    issuer.keys = [key.jwk(), key.jwk(use="sig", x5t="AAAA")]
    assert not refused(issuer.authenticator(), issuer.token(key))
    assert not refused(issuer.authenticator(), issuer.token(key, kid=None))


@pytest.mark.parametrize("name", BAD_ENTRIES)
def test_entries_that_are_no_signing_keys(issuer: Issuer, name: str) -> None:
    """They are passed over, and the good key beside them works."""
    key, good = rsa_key("bad"), ec_key("good")
    issuer.keys = [bad_entries(key)[name], good.jwk()]
    authenticator = issuer.authenticator()
    assert refused(authenticator, issuer.token(key))
    assert not refused(authenticator, issuer.token(good))


def test_symmetric_key_in_the_set_does_not_sign(issuer: Issuer) -> None:
    secret = "c2VjcmV0" * 8
    issuer.keys = [{"kty": "oct", "kid": "sym", "k": secret, "alg": "HS256", "use": "sig"}]
    decoded = jwt.utils.base64url_decode(secret)
    token = jwt.encode(issuer.claims(), decoded, algorithm="HS256", headers={"kid": "sym"})
    assert refused(issuer.authenticator(), token)
