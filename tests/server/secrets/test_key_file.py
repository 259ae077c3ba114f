"""The file of the keys: its owner's alone, whole at any time, and never lost by a rotation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from model.time.clock import SystemRandomness
from server.cli import app
from server.options import ServeOptions
from server.secrets.key_file import make_keys, read_keys, rotate_keys
from server.secrets.keyring import key_text, new_key
from server.start.command_line import without_secrets
from server.start.places import CannotStart, keyring_of

RANDOMNESS = SystemRandomness()


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    assert make_keys(path, RANDOMNESS) and not make_keys(path, RANDOMNESS)
    assert path.stat().st_mode & 0o777 == 0o600 and len(read_keys(path)) == 1
    assert os.listdir(tmp_path) == ["keys"]


def test_a_rotation_keeps_the_older_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    make_keys(path, RANDOMNESS)
    before = read_keys(path)
    assert rotate_keys(path, RANDOMNESS) == 2
    new, *older = read_keys(path)
    assert tuple(older) == before and new not in before
    assert path.stat().st_mode & 0o777 == 0o600 and os.listdir(tmp_path) == ["keys"]


def test_the_command_rotates_the_file_beside_the_data_directory(tmp_path: Path) -> None:
    keys = tmp_path / "data.secrets-key"
    run = CliRunner().invoke(app, ["rotate-secrets-key", "--data-dir", str(tmp_path / "data")])
    assert run.exit_code == 1
    make_keys(keys, RANDOMNESS)
    run = CliRunner().invoke(app, ["rotate-secrets-key", "--data-dir", str(tmp_path / "data")])
    assert run.exit_code == 0 and len(read_keys(keys)) == 2
    assert not any(key_text(key) in run.output for key in read_keys(keys))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys"
    make_keys(path, RANDOMNESS)
    path.chmod(mode)
    with pytest.raises(CannotStart, match="chmod 600"):
        keyring_of(ServeOptions(data_dir=tmp_path / "data", secrets_key_file=path), RANDOMNESS)


def test_the_keys_are_beside_the_data_directory_and_never_in_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ring = keyring_of(ServeOptions(data_dir=data), RANDOMNESS)
    assert ring.keys == read_keys(tmp_path / "data.secrets-key")
    with pytest.raises(ValidationError, match="outside the data directory"):
        ServeOptions(data_dir=data, secrets_key_file=data / "keys")


def test_a_key_from_the_environment_needs_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = new_key(RANDOMNESS)
    monkeypatch.setenv("HEADWATER_SECRETS_KEY", key_text(key))
    options = ServeOptions(data_dir=tmp_path / "data")
    assert keyring_of(options, RANDOMNESS).keys == (key,) and os.listdir(tmp_path) == []
    assert key_text(key) not in repr(options)
    monkeypatch.setenv("HEADWATER_SECRETS_KEY", "nonsense")
    with pytest.raises(CannotStart, match="32 bytes in base64") as failure:
        keyring_of(ServeOptions(data_dir=tmp_path / "data"), RANDOMNESS)
    assert "nonsense" not in str(failure.value)


def test_where_no_file_can_be_made_the_server_starts_without_a_key(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "data"
    ring = keyring_of(ServeOptions(data_dir=missing), RANDOMNESS)
    assert ring.keys == () and "nowhere" in ring.why
    with pytest.raises(CannotStart):
        keyring_of(ServeOptions(secrets_key_file=tmp_path / "nowhere" / "keys"), RANDOMNESS)


def test_a_file_s_name_is_no_secret_of_the_command_line() -> None:
    assert without_secrets(["serve", "--secrets-key-file", "f"]) == (["serve", "--secrets-key-file", "f"], {})
