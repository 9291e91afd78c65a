"""How often a client may try to sign in or sign up."""

import time
from uuid import UUID

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter

from nexus.config import Settings
from nexus.errors import RateLimitedError
from nexus.logging import get_logger

logger = get_logger(__name__)

_ADDRESS_FACTOR = 6


class AuthLimiter:
    """Limits shared by all BFF processes through Redis; per process while Redis is down."""

    def __init__(self, settings: Settings) -> None:
        self._login = parse(settings.login_rate)
        self._login_by_address = _times(self._login, _ADDRESS_FACTOR)
        self._signup = parse(settings.signup_rate)
        self._shared = MovingWindowRateLimiter(_storage(settings.redis_url))
        self._own = MovingWindowRateLimiter(MemoryStorage())

    def login_attempt(self, *, email: str, address: str, device: str | None) -> None:
        """Count a sign-in attempt; raise when there were too many.

        A device that signed in to this account before has attempts of its own, which nobody else
        can use up.
        """
        if device is not None:
            self._hit(self._login, "login-device", device)
            return
        self._hit(self._login_by_address, "login-address", address)
        self._hit(self._login, "login-email", email)

    def password_attempt(self, *, user_id: UUID) -> None:
        self._hit(self._login, "password", str(user_id))

    def signup_attempt(self, *, address: str) -> None:
        self._hit(self._signup, "signup-address", address)

    def _hit(self, rate: RateLimitItem, *identifiers: str) -> None:
        try:
            self._check(self._shared, rate, identifiers)
        except RateLimitedError:
            raise
        except Exception as error:
            logger.warning("rate_limit_store_unreachable", error=str(error))
            self._check(self._own, rate, identifiers)

    @staticmethod
    def _check(
        limiter: MovingWindowRateLimiter, rate: RateLimitItem, identifiers: tuple[str, ...]
    ) -> None:
        if not limiter.hit(rate, *identifiers):
            logger.warning("too_many_tries", kind=identifiers[0])
            reset = limiter.get_window_stats(rate, *identifiers).reset_time
            raise RateLimitedError(max(1, round(reset - time.time())))


def _times(rate: RateLimitItem, factor: int) -> RateLimitItem:
    return type(rate)(rate.amount * factor, rate.multiples)


def _storage(redis_url: str | None) -> Storage:
    if redis_url is None:
        return MemoryStorage()
    # The library's own spelling of a UNIX socket URL.
    url = redis_url.replace("unix://", "redis+unix://", 1)
    storage = storage_from_string(url, socket_connect_timeout=1, socket_timeout=1)
    assert isinstance(storage, Storage)
    return storage
