"""What processes are started with: a safe path for Python of our own, and no secret of the server's for anybody."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from model.process.children import bare_environment, own_environment, program_environment, python_module

_CODE = str(Path(__file__).resolve().parents[3])


@pytest.fixture(autouse=True)
def _server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADWATER_PASSWORD", "HEADWATER_REPLICA_SECRET", "HEADWATER_CONSENSUS", "headwater_password"):
        monkeypatch.setenv(name, "hidden")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of the blob")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def test_nobody_has_the_servers_options() -> None:
    for environment in (own_environment(), bare_environment(), program_environment()):
        assert not [name for name in environment if name.upper().startswith("HEADWATER_")]
        assert environment["PATH"] == os.environ["PATH"] and environment["LC_ALL"] == "C.UTF-8"


def test_who_reaches_nothing_has_no_keys() -> None:
    assert own_environment()["AWS_SECRET_ACCESS_KEY"] == program_environment()["AWS_SECRET_ACCESS_KEY"] == "of the blob"
    assert "AWS_SECRET_ACCESS_KEY" not in bare_environment()


@pytest.mark.parametrize(
    ("given", "own", "programs"),
    [
        (None, [_CODE], None),
        ("", [_CODE], None),
        (os.pathsep, [_CODE], None),
        ("/a", [_CODE, "/a"], "/a"),
        (f"{os.pathsep}/a{os.pathsep}{os.pathsep}/b", [_CODE, "/a", "/b"], f"/a{os.pathsep}/b"),
        (f"{_CODE}{os.pathsep}/a", [_CODE, "/a"], "/a"),
    ],
)
def test_the_directory_that_a_process_starts_in_is_on_no_path_of_ours(
    given: str | None, own: list[str], programs: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if given is not None:
        monkeypatch.setenv("PYTHONPATH", given)
    told = own_environment()["PYTHONPATH"]
    assert told.split(os.pathsep) == own and bare_environment()["PYTHONPATH"] == told
    # A program is started by a replica, which has that environment.
    monkeypatch.setenv("PYTHONPATH", told)
    assert program_environment().get("PYTHONPATH") == programs


def test_a_module_of_ours_is_found_where_the_user_has_one_of_its_name(tmp_path: Path) -> None:
    for name in ("model", "server", "storage"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("print('USER')")
    command = [*python_module("model.process.redaction")]
    done = subprocess.run(command, cwd=tmp_path, env=own_environment(), capture_output=True, text=True, check=True)
    assert done.stdout == ""
