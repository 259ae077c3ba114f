"""Options that can't be are named in one line, before anything is changed; each is a variable too."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from server.options import ServeOptions


def _serve(*options: str, **environment: str) -> tuple[int, str]:
    """The exit code and standard error of a server that does not come to serve."""
    line = [sys.executable, "-m", "server.cli", "serve", *options]
    result = subprocess.run(line, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60)
    return result.returncode, result.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("listen", "6875"),
        ("listen", "127.0.0.1:70000"),
        ("listen", "somewhere"),
        ("consensus", "mysql://user@host/database"),
        ("consensus", "consensus.sqlite"),
        ("blob", "ftp://host/folder"),
        ("blob", "s3://"),
        ("spark_master", "local[two]"),
        ("spark_master", "local-cluster[2]"),
        ("replica_memory", "4"),
        ("executor_memory", "much"),
        ("replica", "host"),
        ("replica", ":7000"),
        ("keep_alive_ms", "0"),
        ("max_connections", "many"),
    ],
)
def test_a_variable_that_cannot_be_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"HEADWATER_{name.upper()}", value)
    with pytest.raises(ValueError, match=name):
        ServeOptions()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("listen", "[::1]:0"),
        ("listen", ":6875"),
        ("consensus", "postgresql://headwater:headwater@consensus:5432/headwater"),
        ("blob", "s3://bucket"),
        ("blob", "some/folder"),
        ("spark_master", "local[*]"),
        ("spark_master", "local-cluster[2,1,2048]"),
        ("spark_master", "spark://one:7077,two:7077"),
        ("replica", "unix:/run/replica.sock"),
    ],
)
def test_a_variable_that_can_be_is_taken(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"HEADWATER_{name.upper()}", value)
    assert getattr(ServeOptions(), name) == value


def test_an_option_wins_over_its_variable(tmp_path: Path) -> None:
    code, told = _serve("--listen", "option", HEADWATER_LISTEN="variable", HEADWATER_DATA_DIR=str(tmp_path))
    assert code == 2 and "'option'" in told


def test_an_address_in_use_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, told = _serve("--listen", address, "--data-dir", str(tmp_path / "data"))
    assert (code, told) == (1, f"headwater: cannot listen on {address}: Address already in use\n")
    assert not (tmp_path / "data").exists()


def test_a_data_directory_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    code, told = _serve("--listen", "127.0.0.1:0", "--data-dir", str(tmp_path / "data"))
    assert (code, told) == (1, f"headwater: cannot write to the data directory {tmp_path / 'data'}: File exists\n")


def test_a_consensus_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "consensus.sqlite").write_text("not a database " * 1000)
    code, told = _serve("--listen", "127.0.0.1:0", "--data-dir", str(tmp_path))
    assert code == 1 and told.startswith("headwater: cannot open consensus: ") and "Traceback" not in told


def test_a_password_in_an_address_that_cannot_be_is_not_shown(tmp_path: Path) -> None:
    code, told = _serve("--consensus", "postgres//headwater:hidden@host/database", "--data-dir", str(tmp_path))
    assert code == 2 and "consensus" in told and "hidden" not in told


def test_every_command_tells_its_options() -> None:
    for command in ("serve", "sql", "demo", "replica"):
        line = [sys.executable, "-m", "server.cli", command, "--help"]
        result = subprocess.run(line, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0 and "--help" in result.stdout, result.stderr
