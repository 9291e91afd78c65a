"""Secrets of an installation: made once, kept, and nobody else's to read."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from nexus.config import Settings, SettingsError, get_settings
from nexus.secrets import ensure_secrets
from tests.patience import PATIENCE_SECONDS

NAMES = ("jwt_secret", "internal_secret", "storage_secret")


def settings_in(folder: Path, **given: str) -> Settings:
    unset: dict[str, SecretStr | None] = dict.fromkeys(NAMES)
    secrets = {name: SecretStr(value) for name, value in given.items()}
    return get_settings().model_copy(update={"data_dir": folder, **unset, **secrets})


def revealed(settings: Settings) -> dict[str, str]:
    return {name: getattr(settings, name).get_secret_value() for name in NAMES}


def test_made_on_first_start_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first = revealed(ensure_secrets(settings_in(folder)))
    assert revealed(ensure_secrets(settings_in(folder))) == first
    assert len(set(first.values())) == 3
    assert all(len(secret) >= 43 for secret in first.values())


def test_every_installation_has_its_own(tmp_path: Path) -> None:
    one = revealed(ensure_secrets(settings_in(tmp_path / "a")))
    two = revealed(ensure_secrets(settings_in(tmp_path / "b")))
    assert not set(one.values()) & set(two.values())


def test_nobody_else_may_read_them(tmp_path: Path) -> None:
    ensure_secrets(settings_in(tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["secrets.json"]
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_the_environment_wins(tmp_path: Path) -> None:
    settings = ensure_secrets(settings_in(tmp_path, jwt_secret="from-outside"))
    assert revealed(settings)["jwt_secret"] == "from-outside"
    assert "from-outside" not in (tmp_path / "secrets.json").read_text()


def test_nothing_is_written_when_nothing_is_missing(tmp_path: Path) -> None:
    given = dict.fromkeys(NAMES, "given")
    assert revealed(ensure_secrets(settings_in(tmp_path / "none", **given))) == given
    assert not (tmp_path / "none").exists()


def test_a_secret_added_later_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "secrets.json").write_text(
        json.dumps({"jwt_secret": "kept", "internal_secret": ""})
    )
    made = revealed(ensure_secrets(settings_in(tmp_path)))
    assert made["jwt_secret"] == "kept"
    assert made["internal_secret"]
    assert json.loads((tmp_path / "secrets.json").read_text()) == made


def test_a_killed_start_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    (tmp_path / ".secrets.json.killed.tmp").write_text("half")
    assert revealed(ensure_secrets(settings_in(tmp_path)))
    assert [file.name for file in tmp_path.iterdir()] == ["secrets.json"]


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '"x"'])
def test_a_damaged_file_is_one_clear_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "secrets.json").write_text(content)
    with pytest.raises(SettingsError, match=r"secrets\.json is damaged"):
        ensure_secrets(settings_in(tmp_path))
    assert (tmp_path / "secrets.json").read_text() == content


def test_threads_starting_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: revealed(ensure_secrets(settings_in(tmp_path))), range(8)))
    assert all(secrets == made[0] for secrets in made)


def test_processes_starting_at_once_agree(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from nexus.config import Settings;"
        "from nexus.secrets import ensure_secrets;"
        "made = ensure_secrets(Settings(env='local', data_dir=Path(sys.argv[1])));"
        "print(made.jwt_secret.get_secret_value())"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            stdout=subprocess.PIPE,
            env={"PATH": ""},
        )
        for _ in range(3)
    ]
    made = {process.communicate(timeout=PATIENCE_SECONDS)[0] for process in processes}
    assert len(made) == 1
    assert len(made.pop()) > 40
