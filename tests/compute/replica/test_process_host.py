"""Replica processes are found, told apart and ended, whatever the clock says and whatever became of their record."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from compute.controller import connection
from compute.controller.controller import ComputeController, ControllerOptions
from compute.controller.process import ProcessHost, ProcessOptions
from compute.directory_lock import DirectoryLock, DirectoryTaken, holder_of
from compute.processes import LOOKS_APART_S, AwaitedProcess, UsableTime, birth_of, is_busy, stat_of
from model.time.clock import SystemClock, SystemRandomness

_MODULE = "tests.compute.replica.idle_replica"
_SLEEPS = "import time; time.sleep(3600)"


class Directory:
    """A data directory, and the processes that hosts have started for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.hosts: list[ProcessHost] = []

    def host(self) -> ProcessHost:
        """As another server has it."""
        options = ProcessOptions(self.path, module=_MODULE)
        self.hosts.append(ProcessHost(options, SystemClock(), SystemRandomness()))
        return self.hosts[-1]

    def replicas(self) -> list[int]:
        """All that live."""
        children = psutil.Process().children(recursive=True)
        return [each.pid for each in children if birth_of(each.pid) and str(self.path) in " ".join(each.cmdline())]


@pytest.fixture
async def directory(tmp_path: Path) -> AsyncIterator[Directory]:
    directory = Directory(tmp_path / "data")
    yield directory
    for host in directory.hosts:
        if host._child is not None:
            host._child.kill()
            host._child.wait()


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.02)


async def test_the_next_server_finds_the_replica_though_wall_time_was_set(
    directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = directory.host()
    (await first.connect()).close()
    told = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: told(process) + 3600)
    monkeypatch.setattr(psutil, "boot_time", lambda: 0.0)
    second = directory.host()
    (await second.connect()).close()
    assert second.pid == first.pid
    assert directory.replicas() == [first.pid]


@pytest.mark.parametrize("record", [None, b"{", b'{"pid": 1, "birth": "0 0", "address": "unix:/", "secret": ""}'])
async def test_a_replica_without_a_record_ends_before_another_begins(
    directory: Directory, record: bytes | None
) -> None:
    first = directory.host()
    (await first.connect()).close()
    path = directory.path / "replica.json"
    if record is None:
        path.unlink()
    else:
        path.write_bytes(record)
    second = directory.host()
    (await second.connect()).close()
    assert second.pid != first.pid
    assert directory.replicas() == [second.pid]


async def test_a_socket_apart_goes_with_its_replica(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data directory whose path is too long for a socket: replicas that are stopped, and killed, leave no folder."""
    short = Path(tempfile.mkdtemp())
    monkeypatch.setattr(tempfile, "tempdir", str(short))
    directory = Directory(tmp_path / ("d" * 100))
    first = directory.host()
    (await first.connect()).close()
    assert len(list(short.iterdir())) == 1
    assert first._child is not None
    first._child.kill()
    first._child.wait()
    second = directory.host()
    (await second.connect()).close()
    assert len(list(short.iterdir())) == 1
    await second.stop()
    short.rmdir()


async def test_a_second_replica_in_a_directory_says_who_works_there(directory: Directory) -> None:
    host = directory.host()
    (await host.connect()).close()
    command = [sys.executable, "-m", "compute.replica", "--listen", f"unix:{directory.path}/x", "--data-dir"]
    refused = subprocess.run([*command, str(directory.path)], stderr=subprocess.PIPE, check=False, text=True)
    assert refused.returncode == 1
    assert refused.stderr == f"headwater replica: process {host.pid} works in {directory.path}\n"
    assert directory.replicas() == [host.pid]


async def test_a_replica_that_was_stopped_is_given_up(directory: Directory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_LOOK_S", 0.02)
    monkeypatch.setattr("compute.controller.process._STOP_TIMEOUT_S", 10_000.0)
    host = directory.host()
    options = ControllerOptions("sqlite:", "", "1", "timeline/t", ())
    controller = ComputeController(options, {"r1": host}, SystemClock(), SystemRandomness())
    controller.start()
    try:
        await _until(lambda: controller._replicas[0].connected)
        first = host.pid
        assert first is not None and not host.stopped
        os.kill(first, signal.SIGSTOP)
        await _until(lambda: host.pid not in (None, first) and controller._replicas[0].connected)
        assert birth_of(first) is None
        assert directory.replicas() == [host.pid]
    finally:
        await controller.stop()


def test_a_process_is_known_by_its_birth() -> None:
    process = subprocess.Popen([sys.executable, "-c", _SLEEPS])
    birth = birth_of(process.pid)
    assert birth is not None and birth == birth_of(process.pid) != birth_of(os.getpid())
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert birth_of(process.pid) is None, "it waits for its parent"
    process.wait()
    assert birth_of(process.pid) is None


def test_what_the_system_tells_of_a_process_and_its_threads() -> None:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        for thread in (None, process.pid):
            before = stat_of(process.pid, thread)
            assert before is not None and not before.stopped
            while (found := stat_of(process.pid, thread)) is not None and found.processor_s < before.processor_s + 0.05:
                pass
            assert found is not None
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        found = stat_of(process.pid)
        assert found is not None and found.stopped
        assert stat_of(process.pid, 1) is None
    finally:
        process.kill()
        process.wait()


def test_a_process_that_starts_is_waited_for_unless_it_works_for_too_long_or_not_at_all() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys\nwhile not sys.stdin.read(1): pass"], stdin=subprocess.PIPE
    )
    try:
        while is_busy(process.pid):
            pass
        starting = AwaitedProcess(process.pid, 1000.0, 3)
        assert any(starting.hopeless() for _ in range(4)), "it waits for what does not come"
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
        assert not is_busy(process.pid)
    finally:
        process.kill()
        process.communicate()
    working = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        starting = AwaitedProcess(working.pid, 0.2, 1)
        while not starting.hopeless():
            assert is_busy(working.pid), "however long it waits for a processor"
        found = stat_of(working.pid)
        assert found is not None and found.processor_s >= 0.2
        asked = AwaitedProcess(working.pid, 0.2, 1, asked=True)
        while not asked.hopeless():
            pass
        later = stat_of(working.pid)
        assert later is not None and later.processor_s >= found.processor_s + 0.2, "what it did before is not counted"
    finally:
        working.kill()
        working.wait()


def test_a_process_uses_time_when_it_works_and_when_it_wants_no_processor() -> None:
    idle = subprocess.Popen([sys.executable, "-c", "import sys\nsys.stdin.read(1)"], stdin=subprocess.PIPE)
    try:
        while is_busy(idle.pid):
            pass
        usable = UsableTime(idle.pid, 3 * LOOKS_APART_S)
        assert [usable.hopeless() for _ in range(3)] == [False, False, True]
    finally:
        idle.kill()
        idle.communicate()
    working = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        before = stat_of(working.pid)
        usable, looks = UsableTime(working.pid, 0.2), 0
        while not usable.hopeless():
            looks += 1
        after = stat_of(working.pid)
        assert before is not None and after is not None and after.processor_s >= before.processor_s + 0.2
        assert looks > 1, "a look at a process that waits for a processor counts nothing"
    finally:
        working.kill()
        working.wait()


def test_a_directory_is_one_processs_until_that_ends(tmp_path: Path) -> None:
    holds = "import sys, time; from pathlib import Path; from compute.directory_lock import DirectoryLock\n"
    holds += "lock = DirectoryLock(Path(sys.argv[1])); print('held', flush=True); time.sleep(3600)"
    process = subprocess.Popen([sys.executable, "-c", holds, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stdout.readline() == b"held\n"
    assert holder_of(tmp_path) == process.pid
    with pytest.raises(DirectoryTaken, match=f"process {process.pid} works in "):
        DirectoryLock(tmp_path)
    process.kill()
    process.wait()
    process.stdout.close()
    assert holder_of(tmp_path) is None
    lock = DirectoryLock(tmp_path)
    assert holder_of(tmp_path) == os.getpid()
    lock.release()
    assert holder_of(tmp_path) is None
