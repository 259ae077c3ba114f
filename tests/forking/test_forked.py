"""A process that was forked is as one that was started, for itself and for those who look at it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.forking.forked import ForkedProcess, fork
from tests.forking.shown import MODULE, STACK_BYTES
from tests.polling import await_that

_OF_OUR_OWN = {"pid", "parent", "environment", "open"}


def _forked(folder: Path, *arguments: str, spares: tuple[str, ...] = ()) -> ForkedProcess:
    with (folder / "log").open("wb") as output:
        return fork(MODULE, arguments, {**os.environ, "OWN": "told"}, output.fileno(), output.fileno(), spares)


def _started(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", MODULE, *arguments]
    with (folder / "log").open("wb") as output:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, env={**os.environ, "OWN": "told"})


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_what_is_forked_finds_what_it_would_find_if_it_were_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    finds = []
    starts: list[Callable[[Path, str], Any]] = [_forked, _started]
    for start in starts:
        process = start(tmp_path, "found")
        assert process.wait(60) == process.returncode == 7
        finds.append(_read(tmp_path / "found"))
        assert finds[-1]["pid"] == process.pid
        environment = finds[-1]["environment"]
        assert environment["OWN"] == "told" and environment["PATH"] == os.environ["PATH"]
    forked, started = ({name: each[name] for name in each.keys() - _OF_OUR_OWN} for each in finds)
    assert forked == started


def test_what_a_forked_process_starts_is_its_child_whether_it_waited_or_not(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    process = _forked(tmp_path, "child", str(first), str(second), spares=(MODULE,))
    assert process.wait(60) == 0, (tmp_path / "log").read_text()
    waited, started = _read(first), _read(second)
    for each, path in ((waited, first), (started, second)):
        assert each["parent"] == process.pid and each["environment"]["TOLD"] == str(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert each["stack"] == STACK_BYTES
    assert {name: waited[name] for name in ("name", "leads", "cwd")} == {
        name: started[name] for name in ("name", "leads", "cwd")
    }
    assert waited["command"] == [sys.executable, "-P", "-m", MODULE, str(first)]


def test_what_is_forked_is_killed_and_what_waits_for_it_ends(tmp_path: Path) -> None:
    process = _forked(tmp_path, "wait", spares=(MODULE,))
    log = tmp_path / "log"
    await_that(lambda: "waits" in log.read_text() or process.poll() is not None)
    assert process.poll() is None
    (spare,) = psutil.Process(process.pid).children()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0)
    process.kill()
    assert process.wait(60) == -signal.SIGKILL
    process.kill()
    assert not psutil.pid_exists(process.pid)
    psutil.wait_procs([spare], timeout=60)
    assert not spare.is_running()


def test_a_failure_is_printed_and_is_the_exit_status(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = fork("tests.forking.nowhere", (), dict(os.environ), output.fileno(), output.fileno())
    assert process.wait(60) == 1
    assert "No module named tests.forking.nowhere" in log.read_text()
