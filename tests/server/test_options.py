"""Options that can't be are named in one line, before anything is changed; each is a variable too."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from compute.controller.process import ProcessOptions, replica_arguments
from compute.replica.process.options import options_from
from server.options import ServeOptions
from server.start.command_line import without_secrets
from storage.backup.manifest import MANIFEST_PREFIX
from tests.server_process import run_headwater, start_from_command_line


def _serve(*options: str, **environment: str) -> tuple[int, str]:
    """The exit code and standard error of a server that does not come to serve."""
    result = run_headwater("serve", *options, environment=environment)
    return result.returncode, result.stderr


def test_a_blob_that_holds_backups_is_refused(tmp_path: Path) -> None:
    backup = tmp_path / "backups" / MANIFEST_PREFIX / "2026-11-28T08.json"
    backup.parent.mkdir(parents=True)
    backup.touch()
    for given in (str(tmp_path / "backups"), f"file://{tmp_path}/backups"):
        code, told = _serve("--data-dir", str(tmp_path / "data"), "--blob", given, "--listen", "127.0.0.1:0")
        assert code == 1 and "backups holds backups, and garbage collection would delete their parts" in told
    assert not any((tmp_path / "backups").rglob("*.parquet"))


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
        ("warm_up", "perhaps"),
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


def test_a_replica_hears_how_it_is_to_start(tmp_path: Path) -> None:
    told = ProcessOptions(tmp_path, "local[3]", "3g", "5g", 7.0, warm_up=False)
    heard = options_from([*replica_arguments(told), "--listen", "unix:/run/replica.sock"])
    assert (heard.data_dir, heard.master, heard.memory) == (tmp_path, "local[3]", "3g")
    assert (heard.executor_memory, heard.wait_s, heard.warm_up) == ("5g", 7.0, False)
    plain = options_from([*replica_arguments(ProcessOptions(tmp_path)), "--listen", "unix:/run/replica.sock"])
    assert plain.warm_up and plain.state_in_blob is None
    told = ProcessOptions(tmp_path, state_in_blob="r1", state_cache_bytes=5)
    heard = options_from([*replica_arguments(told), "--listen", "unix:/run/replica.sock"])
    assert (heard.state_in_blob, heard.state_cache_bytes) == ("r1", 5)


@pytest.mark.parametrize("name", ["", "r1/r2", "..", "a b", "ä", "a" * 64])
def test_a_name_of_states_in_blob_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SystemExit):
        options_from(["--data-dir", str(tmp_path), "--listen", "unix:/run/replica.sock", "--state-in-blob", name])


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


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"tls_cert": "server.crt"}, "both a certificate and its key"),
        ({"tls_key": "server.key"}, "both a certificate and its key"),
        ({"tls_client_ca": "clients.crt"}, "need one of the server's"),
    ],
)
def test_half_of_what_tls_needs_is_refused(given: Mapping[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ServeOptions.model_validate(given)
    assert ServeOptions().tls is None


def test_a_certificate_that_cannot_be_used_is_told_before_anything_is_written(tmp_path: Path) -> None:
    made = "--cert", str(tmp_path / "a.crt"), "--key", str(tmp_path / "a.key")
    line = [sys.executable, "-m", "server.cli", "certificate", *made, "--host", "db.example.com"]
    subprocess.run(line, check=True, timeout=60)
    (tmp_path / "a.crt").write_text("no certificate")
    files = "--tls-cert", str(tmp_path / "a.crt"), "--tls-key", str(tmp_path / "a.key")
    code, told = _serve("--listen", "127.0.0.1:0", "--data-dir", str(tmp_path / "data"), *files)
    assert code == 1 and told.startswith(f"headwater: cannot speak TLS: cannot use {tmp_path / 'a.crt'}"), told
    assert not (tmp_path / "data").exists()
    assert subprocess.run(line, check=False, timeout=60, capture_output=True).returncode == 1


def test_every_command_tells_its_options() -> None:
    for command in ("serve", "sql", "demo", "certificate", "replica"):
        line = [sys.executable, "-m", "server.cli", command, "--help"]
        result = subprocess.run(line, capture_output=True, text=True, timeout=60)
        assert result.returncode == 0 and "--help" in result.stdout, result.stderr


def _command_lines(pid: int) -> list[str]:
    """Those of the server and of all that it has started, as every user of the machine sees them."""
    server = psutil.Process(pid)
    return [" ".join(process.cmdline()) for process in (server, *server.children(recursive=True))]


@pytest.mark.spark
def test_secrets_leave_the_command_line(tmp_path: Path) -> None:
    consensus = f"sqlite:///{tmp_path}/consensus.sqlite"
    server = start_from_command_line(tmp_path, "--password=hidden-one", "--consensus", consensus)
    try:
        lines = _command_lines(server.process.pid)
        assert lines and not any("hidden-one" in line for line in lines)
        assert consensus in lines[0]
    finally:
        server.stop()


def test_what_is_secret_is_told_from_the_rest() -> None:
    url = "postgresql://one:secret@host/database"
    assert without_secrets(["serve", "--consensus", url, "--password", "x", "--listen", ":0"]) == (
        ["serve", "--listen", ":0"],
        {"HEADWATER_CONSENSUS": url, "HEADWATER_PASSWORD": "x"},
    )
    assert without_secrets(["serve", f"--consensus={url}"]) == (["serve"], {"HEADWATER_CONSENSUS": url})
    plain = ["serve", "--consensus", "postgresql://host/database", "--password"]
    assert without_secrets(plain) == (plain, {})


def test_a_password_may_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("of the file\nand no more")
    assert ServeOptions(password_file=file).asked_password == "of the file"
    assert ServeOptions(password=SecretStr("given")).asked_password == "given"
    with pytest.raises(ValueError, match="not both"):
        ServeOptions(password=SecretStr("given"), password_file=file)


def test_a_password_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    code, told = _serve("--data-dir", str(tmp_path / "data"), "--password-file", str(tmp_path / "none"))
    assert code == 1
    assert f"cannot read the password file {tmp_path / 'none'}: No such file or directory" in told
