"""Every setting of every process, typed, in one place.

Values come from the environment (`NEXUS_…`). Secrets that the environment does not give are
generated once into the data directory (`nexus.secrets`).
"""

from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from limits import parse as parse_rate
from pydantic import (
    AliasChoices,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PROJECT_ROOT = Path(__file__).resolve().parents[2]


class Environment(StrEnum):
    LOCAL = "local"
    TEST = "test"
    STAGING = "staging"
    PROD = "prod"


class SettingsError(Exception):
    """A missing or invalid setting, described in one line."""


class Settings(BaseSettings):
    """The whole configuration of one process."""

    model_config = SettingsConfigDict(env_prefix="NEXUS_", extra="ignore", populate_by_name=True)

    env: Environment = Environment.LOCAL
    data_dir: Path = PROJECT_ROOT / ".nexus"
    host: str = "127.0.0.1"
    port: int = Field(default=8420, ge=1, le=65535)
    public_url: str | None = None
    """Where browsers reach Nexus. An https URL turns on Secure cookies with the __Host- prefix."""

    database_url: str | None = None
    redis_url: str | None = None
    api_url: str | None = None
    """Where the BFF finds the API: http(s)://host:port or unix:/path/to/socket."""

    jwt_secret: SecretStr | None = None
    internal_secret: SecretStr | None = None
    storage_secret: SecretStr | None = None

    signup: Literal["open", "closed"] = "open"
    login_rate: str = "10/minute"
    """Sign-in attempts per e-mail address, and six times as many per client address."""
    signup_rate: str = "20/minute"
    """New accounts per client address."""
    request_rate: str = "1000/10 seconds"
    """Requests per account: a burst of this many, refilled over this time."""
    trusted_proxies: str = ""
    """Addresses whose X-Forwarded-For is trusted, comma-separated; none by default."""
    metrics_token: SecretStr | None = None
    """The bearer token that may read /metrics; see `nexus.metrics.access`."""
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    oidc_jwks_url: str | None = None

    storage: Literal["local", "supabase"] = "local"
    storage_prefix: str = ""
    supabase_url: str | None = None
    supabase_service_key: SecretStr | None = None
    supabase_bucket: str = "nexus"

    allow_private_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Hosts (`host` or `host:port`) that may be fetched even though they are not public."""
    image_cache_bytes: int = Field(default=512 * 1024 * 1024, ge=1024 * 1024)
    """How much disk space the cached images of articles may take."""
    extractor: Annotated[str, Field(pattern=r"^.+:\d{1,5}$")] | None = None
    """host:port of an extractor that runs elsewhere; unset: the worker starts its own."""
    chromium: Path | None = None
    browser_memory_bytes: int = Field(default=1536 * 1024 * 1024, ge=256 * 1024 * 1024)
    """How much memory the browsers of one worker process may use together."""
    ingest_mode: Literal["serve", "oneshot"] = "serve"
    worker_concurrency: int = Field(default=2, ge=1, le=64)
    person_concurrency: int | None = Field(default=None, ge=1)
    """How many of one person's articles are fetched at once while there are other accounts."""
    waiting_per_person: int = Field(default=1000, ge=1)
    """How many of one person's articles may wait to be fetched."""

    celery_always_eager: bool = Field(
        default=False,
        validation_alias=AliasChoices("CELERY_ALWAYS_EAGER", "NEXUS_CELERY_ALWAYS_EAGER"),
    )
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"

    @field_validator("*", mode="before")
    @classmethod
    def _blank_is_unset(cls, value: object, info: object) -> object:
        """`NEXUS_X=` in an env file means "not set", not "set to an empty string"."""
        if isinstance(value, str) and not value.strip():
            field = cls.model_fields[info.field_name]  # type: ignore[attr-defined]
            return field.get_default()
        return value

    @field_validator("allow_private_hosts", mode="before")
    @classmethod
    def _split_hosts(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip().lower() for part in value.split(",") if part.strip())
        return value

    @field_validator("data_dir", mode="after")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("database_url", mode="after")
    @classmethod
    def _names_driver(cls, value: str | None) -> str | None:
        """psycopg 3 is the driver, whatever form of Postgres URL was given."""
        for scheme in ("postgresql://", "postgres://"):
            if value is not None and value.startswith(scheme):
                return "postgresql+psycopg://" + value.removeprefix(scheme)
        return value

    @field_validator("login_rate", "signup_rate", "request_rate", mode="after")
    @classmethod
    def _is_rate(cls, value: str) -> str:
        parse_rate(value)
        return value

    @field_validator("public_url", "oidc_issuer", "oidc_jwks_url", "supabase_url", mode="after")
    @classmethod
    def _is_http_url(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value

    @field_validator("public_url", mode="after")
    @classmethod
    def _is_origin(cls, value: str | None) -> str | None:
        """In the form browsers send as Origin: lower case, no default port, no path."""
        if value is None:
            return None
        parts = urlsplit(value)
        if not parts.hostname or parts.path.strip("/") or parts.query or parts.username:
            raise ValueError("must be only scheme, host and port, like https://nexus.example.org")
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        default_port = {"http": 80, "https": 443}[parts.scheme]
        port = "" if parts.port in {None, default_port} else f":{parts.port}"
        return f"{parts.scheme}://{host}{port}"

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.env in {Environment.STAGING, Environment.PROD}:
            for name in ("internal_secret", "jwt_secret", "storage_secret"):
                if getattr(self, name) is None:
                    raise ValueError(f"NEXUS_{name.upper()} is required when NEXUS_ENV={self.env}")
        if self.storage == "supabase" and not (self.supabase_url and self.supabase_service_key):
            raise ValueError(
                "NEXUS_STORAGE=supabase needs NEXUS_SUPABASE_URL and NEXUS_SUPABASE_SERVICE_KEY"
            )
        if self.oidc_issuer and not self.oidc_audience:
            raise ValueError("NEXUS_OIDC_ISSUER needs NEXUS_OIDC_AUDIENCE")
        return self

    @property
    def origin(self) -> str:
        """The origin that pages of this installation are served from."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"http://{host}:{self.port}"

    @property
    def storage_origin(self) -> str | None:
        """The origin browsers send files to, when it is not our own."""
        if self.storage != "supabase" or self.supabase_url is None:
            return None
        parts = urlsplit(self.supabase_url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def extractor_address(self) -> tuple[str, int] | None:
        """Host and port of the extractor that runs elsewhere."""
        if self.extractor is None:
            return None
        host, _, port = self.extractor.rpartition(":")
        return host.strip("[]"), int(port)

    @property
    def articles_per_person(self) -> int:
        """How many articles of one person may be fetched at once; one worker is left for others."""
        return self.person_concurrency or max(1, self.worker_concurrency - 1)

    @property
    def secure_cookies(self) -> bool:
        return self.origin.startswith("https://")


def load_settings() -> Settings:
    """Read the environment; raise SettingsError with one clear line if it is not valid."""
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError(_one_line(error)) from None


def _one_line(error: ValidationError) -> str:
    parts = []
    for problem in error.errors():
        name = "_".join(str(part) for part in problem["loc"]).upper()
        label = name if name.startswith("CELERY") else f"NEXUS_{name}"
        message = problem["msg"].removeprefix("Value error, ")
        parts.append(f"{label}: {message}" if name else message)
    return "; ".join(parts)


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process, read once."""
    return load_settings()
