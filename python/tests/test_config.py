"""Settings: typed, checked at the start, and said in one line when they are wrong."""

import os
from pathlib import Path

import pytest

from nexus.config import PROJECT_ROOT, Environment, Settings, SettingsError, load_settings

SECRETS = {
    "NEXUS_JWT_SECRET": "j" * 32,
    "NEXUS_INTERNAL_SECRET": "i" * 32,
    "NEXUS_STORAGE_SECRET": "s" * 32,
}


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("NEXUS_", "CELERY_")):
            monkeypatch.delenv(name)


def set_all(monkeypatch: pytest.MonkeyPatch, values: dict[str, str]) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def test_defaults() -> None:
    settings = load_settings()
    assert settings.env is Environment.LOCAL
    assert (settings.host, settings.port) == ("127.0.0.1", 8420)
    assert settings.data_dir == PROJECT_ROOT / ".nexus"
    assert (settings.signup, settings.storage, settings.ingest_mode) == ("open", "local", "serve")
    assert settings.database_url is None
    assert settings.internal_secret is None
    assert settings.origin == "http://127.0.0.1:8420"
    assert not settings.secure_cookies


INVALID = {
    "env": ({"NEXUS_ENV": "production"}, "NEXUS_ENV: "),
    "port text": ({"NEXUS_PORT": "http"}, "NEXUS_PORT: "),
    "port zero": ({"NEXUS_PORT": "0"}, "NEXUS_PORT: "),
    "port large": ({"NEXUS_PORT": "70000"}, "NEXUS_PORT: "),
    "signup": ({"NEXUS_SIGNUP": "maybe"}, "NEXUS_SIGNUP: "),
    "storage": ({"NEXUS_STORAGE": "s3"}, "NEXUS_STORAGE: "),
    "rate": ({"NEXUS_LOGIN_RATE": "often"}, "NEXUS_LOGIN_RATE: "),
    "public URL": ({"NEXUS_PUBLIC_URL": "nexus.example.org"}, "NEXUS_PUBLIC_URL: must start with"),
    "public URL with a path": ({"NEXUS_PUBLIC_URL": "https://a.org/nexus"}, "NEXUS_PUBLIC_URL: "),
    "public URL with a user": ({"NEXUS_PUBLIC_URL": "https://u:p@a.org"}, "NEXUS_PUBLIC_URL: "),
    "public URL without a host": ({"NEXUS_PUBLIC_URL": "https://"}, "NEXUS_PUBLIC_URL: "),
    "public URL with a bad port": ({"NEXUS_PUBLIC_URL": "https://a.org:x"}, "NEXUS_PUBLIC_URL: "),
    "issuer": ({"NEXUS_OIDC_ISSUER": "ftp://x"}, "NEXUS_OIDC_ISSUER: "),
    "issuer alone": ({"NEXUS_OIDC_ISSUER": "https://x"}, "needs NEXUS_OIDC_AUDIENCE"),
    "supabase alone": ({"NEXUS_STORAGE": "supabase"}, "NEXUS_SUPABASE_URL"),
    "eager": ({"CELERY_ALWAYS_EAGER": "perhaps"}, "CELERY_ALWAYS_EAGER"),
    "log level": ({"NEXUS_LOG_LEVEL": "loud"}, "NEXUS_LOG_LEVEL: "),
    "workers": ({"NEXUS_WORKER_CONCURRENCY": "0"}, "NEXUS_WORKER_CONCURRENCY: "),
}


@pytest.mark.parametrize("name", INVALID)
def test_invalid_settings_are_one_clear_line(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    values, said = INVALID[name]
    set_all(monkeypatch, values)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_several_mistakes_are_all_named(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, {"NEXUS_PORT": "x", "NEXUS_SIGNUP": "x"})
    with pytest.raises(SettingsError, match=r"NEXUS_PORT: .*; NEXUS_SIGNUP: "):
        load_settings()


@pytest.mark.parametrize("env", ["staging", "prod"])
@pytest.mark.parametrize("missing", [*SECRETS])
def test_deployments_need_their_secrets(
    monkeypatch: pytest.MonkeyPatch, env: str, missing: str
) -> None:
    set_all(monkeypatch, {**SECRETS, "NEXUS_ENV": env})
    assert load_settings().env == env
    # Blank in an env file means unset.
    monkeypatch.setenv(missing, "  ")
    with pytest.raises(SettingsError, match=f"{missing} is required when NEXUS_ENV={env}"):
        load_settings()


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, {name: f"hidden-{name}" for name in SECRETS})
    shown = repr(load_settings()) + load_settings().model_dump_json()
    assert "hidden-" not in shown


@pytest.mark.parametrize("name", ["NEXUS_PORT", "NEXUS_DATA_DIR", "NEXUS_SIGNUP", "NEXUS_CHROMIUM"])
def test_blank_is_unset(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    plain = load_settings()
    monkeypatch.setenv(name, "")
    assert load_settings() == plain


@pytest.mark.parametrize(
    ("public_url", "origin"),
    [
        ("https://nexus.example.org", "https://nexus.example.org"),
        ("https://nexus.example.org/", "https://nexus.example.org"),
        ("https://Nexus.Example.ORG:443", "https://nexus.example.org"),
        ("https://nexus.example.org:8443", "https://nexus.example.org:8443"),
        ("http://nexus.lan:80/", "http://nexus.lan"),
        ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"),
    ],
)
def test_origin_is_what_browsers_send(
    monkeypatch: pytest.MonkeyPatch, public_url: str, origin: str
) -> None:
    monkeypatch.setenv("NEXUS_PUBLIC_URL", public_url)
    settings = load_settings()
    assert settings.origin == origin
    assert settings.secure_cookies == origin.startswith("https://")


def test_origin_of_an_ipv6_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXUS_HOST", "::1")
    assert load_settings().origin == "http://[::1]:8420"


def test_data_dir_is_absolute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXUS_DATA_DIR", "some/where")
    assert load_settings().data_dir == Path.cwd() / "some" / "where"


def test_private_hosts_are_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEXUS_ALLOW_PRIVATE_HOSTS", " NAS.lan , 127.0.0.1:8000,,")
    assert load_settings().allow_private_hosts == ("nas.lan", "127.0.0.1:8000")


def test_every_setting_is_in_the_readme() -> None:
    readme = (PROJECT_ROOT / "README.md").read_text()
    names = {f"NEXUS_{name.upper()}" for name in Settings.model_fields}
    names.remove("NEXUS_CELERY_ALWAYS_EAGER")
    assert [name for name in sorted(names) if f"`{name}`" not in readme] == []


@pytest.mark.parametrize(
    ("storage", "url", "origin"),
    [
        ("supabase", "https://a.supabase.co", "https://a.supabase.co"),
        ("supabase", "https://a.example:8443/supabase/", "https://a.example:8443"),
        ("local", "https://a.supabase.co", None),
    ],
)
def test_browsers_send_files_to_an_origin(storage: str, url: str, origin: str | None) -> None:
    settings = Settings.model_validate(
        {"storage": storage, "supabase_url": url, "supabase_service_key": "key"}
    )
    assert settings.storage_origin == origin
