"""A small OIDC issuer: keys, a key set served over real HTTP, tokens signed with them."""

import json
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from nexus.auth.jwks import JwksCache
from nexus.auth.tokens import Authenticator, LocalTokenVerifier, OidcTokenVerifier

AUDIENCE = "nexus-test"
LOCAL_SECRET = "a-local-secret-of-more-than-thirty-two-bytes"


@dataclass(frozen=True)
class SigningKey:
    kid: str
    algorithm: str
    private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

    def jwk(self, **extra: Any) -> dict[str, Any]:
        public = self.private.public_key()
        if isinstance(public, rsa.RSAPublicKey):
            plain = json.loads(RSAAlgorithm.to_jwk(public))
        else:
            plain = json.loads(ECAlgorithm.to_jwk(public))
        return {**plain, "kid": self.kid, "use": "sig", "alg": self.algorithm, **extra}


def rsa_key(kid: str = "rsa-1") -> SigningKey:
    return SigningKey(kid, "RS256", rsa.generate_private_key(65537, 2048))


def ec_key(kid: str = "ec-1") -> SigningKey:
    return SigningKey(kid, "ES256", ec.generate_private_key(ec.SECP256R1()))


@dataclass
class Issuer:
    """Serves `keys`, or `answer` when that is set, and counts how often it was asked."""

    server: HTTPServer
    keys: list[dict[str, Any]] = field(default_factory=list)
    answer: Response | None = None
    fetches: int = 0

    def __post_init__(self) -> None:
        self.server.expect_request("/.well-known/jwks.json").respond_with_handler(self._serve)

    def _serve(self, _request: Request) -> Response:
        self.fetches += 1
        if self.answer is not None:
            return self.answer
        return Response(json.dumps({"keys": self.keys}), content_type="application/json")

    @property
    def url(self) -> str:
        return self.server.url_for("").rstrip("/")

    @property
    def jwks_url(self) -> str:
        return self.server.url_for("/.well-known/jwks.json")

    def authenticator(self, **cache: float) -> Authenticator:
        """Trusts this issuer and local tokens, as a configured API does."""
        keys = JwksCache(self.jwks_url, **cache)
        oidc = OidcTokenVerifier(issuer=self.url, audience=AUDIENCE, keys=keys)
        return Authenticator([LocalTokenVerifier(LOCAL_SECRET), oidc])

    def claims(self, **changes: Any) -> dict[str, Any]:
        """Good claims, with changes; a claim changed to None is left out."""
        now = int(time.time())
        good = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": str(uuid4()),
            "iat": now,
            "exp": now + 600,
            "email": "reader@example.org",
        }
        return {name: value for name, value in {**good, **changes}.items() if value is not None}

    def token(self, key: SigningKey, *, kid: str | None = "", **changes: Any) -> str:
        headers = {"kid": key.kid if kid == "" else kid} if kid is not None else {}
        return jwt.encode(
            self.claims(**changes), key.private, algorithm=key.algorithm, headers=headers
        )
