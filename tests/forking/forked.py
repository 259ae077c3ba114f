"""A process that was forked for a test, and the parent of all of them, which begins when the first is asked for."""

from __future__ import annotations

import atexit
import functools
import os
import resource
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.forking.becoming import ROOM_FOR_ARGUMENTS, Becoming
from tests.forking.parent import NUMBER_BYTES

_ROOT = Path(__file__).resolve().parents[2]
_WITHOUT_THREADS = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""Libraries that would begin threads when they are imported, which a fork would lose."""


class ForkedProcess:
    """Is asked and ended as a `subprocess.Popen` is, though it is another process's child."""

    def __init__(self, pid: int, pidfd: int, connection: socket.socket) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._pidfd = pidfd
        self._connection = connection.detach()

    def __del__(self) -> None:
        if self.returncode is None:
            self._close()

    def poll(self) -> int | None:
        """Returns its exit status, or None as long as it runs."""
        if self.returncode is None and select.select([self._connection], [], [], 0)[0]:
            self._end()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Returns its exit status once it has ended; subprocess.TimeoutExpired when that takes too long."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
            self._end()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _end(self) -> None:
        self.returncode = _number(os.read(self._connection, NUMBER_BYTES))
        self._close()

    def _close(self) -> None:
        os.close(self._connection)
        os.close(self._pidfd)


def fork(
    module: str,
    arguments: tuple[str, ...],
    environment: Mapping[str, str],
    output: int,
    errors: int,
    spares: tuple[str, ...] = (),
) -> ForkedProcess:
    """Runs a module of ours in a process that has imported it. `output` and `errors` take what it prints; for each of
    `spares` it has a process ready (`tests.forking.spares`)."""
    stack = resource.getrlimit(resource.RLIMIT_STACK)
    becoming = Becoming(module, arguments, environment, os.getcwd(), _umask(), stack, False, spares)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, open(os.devnull, "rb") as nothing:
        socket.send_fds(_parent().orders, [b"."], [theirs.fileno(), nothing.fileno(), output, errors])
    pid = _number(ours.recv(NUMBER_BYTES))
    # It waits for what it is told, so the id is still its own.
    pidfd = os.pidfd_open(pid)
    ours.send(becoming.packed())
    return ForkedProcess(pid, pidfd, ours)


def _number(data: bytes) -> int:
    assert data, "the parent of the processes of tests has ended"
    return int.from_bytes(data, signed=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


class _Parent:
    """The process of `tests.forking.parent`, and the socket by which it is given orders."""

    def __init__(self) -> None:
        self.orders, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tests.forking.parent", ROOM_FOR_ARGUMENTS],
                stdin=theirs.fileno(),
                env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(_ROOT), **_WITHOUT_THREADS},
                start_new_session=True,
            )
        atexit.register(self._end)

    def _end(self) -> None:
        self.orders.close()
        self._process.wait()


@functools.cache
def _parent() -> _Parent:
    """The one of this process, which begins when it is first needed and ends with it."""
    return _Parent()
