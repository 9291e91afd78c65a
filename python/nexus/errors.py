"""Every error that callers can get.

    ApiError                     code, status, message
    ├── InvalidRequestError      400  E_INVALID_REQUEST or a more specific code
    ├── UnauthenticatedError     401  E_UNAUTHENTICATED, E_INVALID_CREDENTIALS
    ├── ForbiddenError           403  E_FORBIDDEN, E_CSRF, E_INTERNAL_ONLY, …
    ├── NotFoundError            404  E_NOT_FOUND, E_MEDIA_NOT_FOUND, E_LIBRARY_NOT_FOUND, …
    ├── ConflictError            409  E_INVALID_STATE, E_SIGNUP_REFUSED, …
    ├── TooLargeError            413  E_REQUEST_TOO_LARGE, E_FILE_TOO_LARGE, …
    ├── RateLimitedError         429  E_RATE_LIMITED, with Retry-After
    ├── UnavailableError         503  E_UNAVAILABLE
    ├── AuthUnavailableError     503  E_AUTH_UNAVAILABLE, with Retry-After
    └── StorageFullError         507  E_STORAGE_FULL

Services raise these; only `nexus.http.error_handlers` turns them into responses. A "not found"
never says whether the thing exists: the message is the same for "not there" and "not yours".
"""

import math


class ApiError(Exception):
    """An error with a stable code, an HTTP status and a sentence for a person."""

    def __init__(
        self, code: str, message: str, *, status: int, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.headers = headers or {}


class InvalidRequestError(ApiError):
    def __init__(self, message: str, *, code: str = "E_INVALID_REQUEST") -> None:
        super().__init__(code, message, status=400)


class UnauthenticatedError(ApiError):
    def __init__(
        self, message: str = "Sign in to continue.", *, code: str = "E_UNAUTHENTICATED"
    ) -> None:
        super().__init__(code, message, status=401)


class ForbiddenError(ApiError):
    def __init__(self, message: str, *, code: str = "E_FORBIDDEN") -> None:
        super().__init__(code, message, status=403)


class NotFoundError(ApiError):
    def __init__(self, message: str = "Not found.", *, code: str = "E_NOT_FOUND") -> None:
        super().__init__(code, message, status=404)


class LibraryNotFoundError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(
            "This library does not exist, or is not shared with you.", code="E_LIBRARY_NOT_FOUND"
        )


class MediaNotFoundError(NotFoundError):
    def __init__(self) -> None:
        super().__init__(
            "This item does not exist, or is not shared with you.", code="E_MEDIA_NOT_FOUND"
        )


class ImportNotFoundError(NotFoundError):
    def __init__(self) -> None:
        super().__init__("This import does not exist.", code="E_IMPORT_NOT_FOUND")


class ConflictError(ApiError):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message, status=409)


class TooLargeError(ApiError):
    def __init__(self, message: str, *, code: str = "E_REQUEST_TOO_LARGE") -> None:
        super().__init__(code, message, status=413)


class RateLimitedError(ApiError):
    def __init__(self, retry_after_seconds: int, *, what: str = "Too many attempts.") -> None:
        super().__init__(
            "E_RATE_LIMITED",
            f"{what} Try again in {_duration(retry_after_seconds)}.",
            status=429,
            headers={"Retry-After": str(retry_after_seconds)},
        )


def _duration(seconds: int) -> str:
    """In a natural unit: "1 second", "90 seconds", "2 minutes"."""
    count, unit = (seconds, "second") if seconds <= 90 else (math.ceil(seconds / 60), "minute")
    return f"{count} {unit}{'' if count == 1 else 's'}"


class UnavailableError(ApiError):
    def __init__(
        self, message: str = "Nexus cannot reach its database right now. Try again in a moment."
    ) -> None:
        super().__init__("E_UNAVAILABLE", message, status=503, headers={"Retry-After": "5"})


class AuthUnavailableError(ApiError):
    def __init__(self) -> None:
        super().__init__(
            "E_AUTH_UNAVAILABLE",
            "Your sign-in cannot be checked right now, because the sign-in service is not "
            "responding. Try again in a moment.",
            status=503,
            headers={"Retry-After": "10"},
        )


class StorageFullError(ApiError):
    def __init__(self) -> None:
        super().__init__(
            "E_STORAGE_FULL",
            "The server's disk is full, so this was not saved. Ask the person who runs this "
            "server to free some space, then try again.",
            status=507,
            headers={"Retry-After": "60"},
        )
