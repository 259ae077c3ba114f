"""A replica as a child process that outlives the environment.

A file in the data directory records the process: id and birth, socket and secret. The next environment finds the file
and connects, instead of waiting for another JVM; a replica with other options is replaced. A process with another birth
is another program with a reused id, and is left alone. Births are measured in ticks since the machine's start, because
wall time may be set. The replica holds a lock on the directory; a holder without a readable record is ended before a
new replica begins.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil
import structlog

from compute.controller.link import Link, ReplicaUnavailable, Silence, open_link
from compute.controller.replica_values import STATE_CACHE_BYTES
from compute.directory_lock import holder_of
from compute.processes import AwaitedProcess, birth_of, stat_of
from compute.protocol.siblings import ARRANGEMENTS, StatesPlace
from model.process.children import own_environment, python_module
from model.time.clock import Clock, Randomness

log = structlog.get_logger()

SECRET_ON_INPUT = "--secret-on-input"
"""The option of a replica that reads the secret from its standard input, which nobody else sees, nor its children."""
_SOCKET_PATH_MAX = 100  # a Unix socket's address has 108 bytes at most
_LISTEN_PROCESSOR_S = 60.0
_LISTEN_IDLE_LOOKS = 60
_SILENT = 60.0, 15
"""A replica that does not answer is given up when it has had a processor for so long, or was idle at so many looks."""
_LOOK_POLLS = 20
_STOP_TIMEOUT_S = 10.0
_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class ProcessOptions:
    """The options of a replica's process on this machine. `data_dir` takes the record, the log and the replica's own
    files; its state, unless `state_in_blob` names a place in blob. `module` is run with `-m`."""

    data_dir: Path
    master: str | None = None
    memory: str = "2g"
    executor_memory: str = "1g"
    wait_s: float = 60.0
    warm_up: bool = True
    state_in_blob: str | None = None
    state_cache_bytes: int = STATE_CACHE_BYTES
    module: str = "compute.replica"


class _Record(msgspec.Struct, frozen=True):
    pid: int
    birth: str
    address: str
    secret: str
    options: tuple[str, ...] = ()


class ProcessHost:
    """Finds the recorded replica, or starts a replica."""

    def __init__(self, options: ProcessOptions, clock: Clock, randomness: Randomness) -> None:
        self._options = dataclasses.replace(options, data_dir=options.data_dir.absolute())
        self._clock = clock
        self._randomness = randomness
        self._record: _Record | None = None
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._record is None else self._record.pid

    @property
    def address(self) -> str:
        return "" if self._record is None else self._record.address

    @property
    def secret(self) -> str:
        return "" if self._record is None else self._record.secret

    @property
    def _record_path(self) -> Path:
        return self._options.data_dir / "replica.json"

    async def connect(self) -> Link:
        self._record = self._find()
        if self._record is not None and self._record.options != replica_arguments(self._options):
            await self.replace()
        if self._record is None:
            try:
                await self._clear_directory()
                self._record = await asyncio.to_thread(self._start)
            except OSError as error:
                raise ReplicaUnavailable(f"the replica could not be started: {error}") from error
        starting = AwaitedProcess(self._record.pid, _LISTEN_PROCESSOR_S, _LISTEN_IDLE_LOOKS)
        polls = 0
        while True:
            with contextlib.suppress(OSError):
                return await open_link(self._record.address)
            if not self._alive(self._record) or (polls % _LOOK_POLLS == 0 and starting.hopeless()):
                break
            await self._clock.sleep(_POLL_S)
            polls += 1
        await self.replace()
        raise ReplicaUnavailable(f"the replica does not listen; its log is {self._log_path}")

    @property
    def stopped(self) -> bool:
        found = None if self._record is None else stat_of(self._record.pid)
        return found is not None and found.stopped

    @property
    def states(self) -> StatesPlace:
        in_blob = self._options.state_in_blob
        return StatesPlace(str(self._options.data_dir / ARRANGEMENTS)) if in_blob is None else StatesPlace("", in_blob)

    def silence(self) -> Silence | None:
        record = self._record
        return None if record is None else AwaitedProcess(record.pid, *_SILENT, asked=True)

    async def _clear_directory(self) -> None:
        """Ends a replica that works in the directory but has no readable record. Raises OSError."""
        holder = holder_of(self._options.data_dir)
        birth = None if holder is None else birth_of(holder)
        if holder is not None and birth is not None:
            log.warning("a replica without a record is ended", pid=holder)
            await self._end(_Record(holder, birth, "", ""))

    async def replace(self) -> None:
        record, self._record = self._record, None
        try:
            self._record_path.unlink(missing_ok=True)
        except OSError as error:
            raise ReplicaUnavailable(f"the record of the replica can't be taken away: {error}") from error
        finally:
            if record is not None:
                await self._end(record)

    async def stop(self) -> None:
        await self.replace()

    async def end_recorded(self) -> None:
        """Ends the replica that is recorded, whoever has started it. Raises ReplicaUnavailable."""
        self._record = self._find()
        if self._record is not None:
            await self.replace()

    @property
    def _log_path(self) -> Path:
        return self._options.data_dir / "replica.log"

    def _find(self) -> _Record | None:
        try:
            record = msgspec.json.decode(self._record_path.read_bytes(), type=_Record)
        except (OSError, msgspec.DecodeError):
            return None
        if self._alive(record):
            return record
        self._remove_socket(record)
        return None

    def _alive(self, record: _Record) -> bool:
        if self._child is not None and self._child.pid == record.pid:
            return self._child.poll() is None
        return birth_of(record.pid) == record.birth

    def _start(self) -> _Record:
        options = self._options
        options.data_dir.mkdir(parents=True, exist_ok=True)
        secret = self._randomness.token()
        address = f"unix:{_socket_path(options.data_dir, secret)}"
        arguments = replica_arguments(options)
        command = [*python_module(options.module), "--listen", address, SECRET_ON_INPUT, *arguments]
        log_descriptor = os.open(self._log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=log_descriptor,
                stderr=subprocess.STDOUT,
                env=own_environment(),
                start_new_session=True,  # it is to outlive the environment
            )
        finally:
            os.close(log_descriptor)
        try:
            birth = birth_of(self._child.pid)
            if birth is None:
                raise OSError("it ended as soon as it was started")
            record = _Record(self._child.pid, birth, address, secret, arguments)
            _write_private(self._record_path, msgspec.json.encode(record))
            assert self._child.stdin is not None
            with self._child.stdin as told:
                told.write(secret.encode())
        except BaseException:
            # Without its record nobody would ever find it again.
            self._child.kill()
            raise
        return record

    async def _end(self, record: _Record) -> None:
        children = _children(record.pid)
        found = stat_of(record.pid)
        # One that is stopped can't be told to end.
        orderly = () if found is not None and found.stopped else (signal.SIGTERM,)
        for number in (*orderly, signal.SIGKILL):
            if not self._alive(record):
                break
            with contextlib.suppress(ProcessLookupError):
                os.kill(record.pid, number)
            await self._wait_until(lambda: not self._alive(record), _STOP_TIMEOUT_S)
        for child in children:
            # They end with their parent, but for one that was stopped.
            with contextlib.suppress(psutil.Error):
                if child.status() == psutil.STATUS_STOPPED:
                    child.kill()
        self._remove_socket(record)

    def _remove_socket(self, record: _Record) -> None:
        """Removes the socket of a replica that has ended, with the folder that was made for it alone."""
        if record.address:
            path = Path(record.address.removeprefix("unix:"))
            with contextlib.suppress(OSError):
                path.unlink()
            if path.parent != self._options.data_dir:
                with contextlib.suppress(OSError):
                    path.parent.rmdir()

    async def _wait_until(self, condition: Callable[[], bool], timeout_s: float) -> None:
        waited = 0.0
        while not condition() and waited < timeout_s:
            await self._clock.sleep(_POLL_S)
            waited += _POLL_S


def _children(pid: int) -> list[psutil.Process]:
    try:
        children: list[psutil.Process] = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []
    return children


def replica_arguments(options: ProcessOptions) -> tuple[str, ...]:
    """Returns the command line's options but for the address."""
    arguments = ["--data-dir", str(options.data_dir), "--memory", options.memory]
    arguments += ["--executor-memory", options.executor_memory, "--wait", str(options.wait_s)]
    if options.master is not None:
        arguments += ["--master", options.master]
    if options.state_in_blob is not None:
        arguments += ["--state-in-blob", options.state_in_blob, "--state-cache-bytes", str(options.state_cache_bytes)]
    if not options.warm_up:
        arguments += ["--no-warm-up"]
    return tuple(arguments)


def _socket_path(data_dir: Path, secret: str) -> Path:
    """Returns the path of the socket: beside the data, or among temporary files when that path is too long for a
    socket."""
    name = f"replica-{secret[:8]}.sock"
    path = data_dir / name
    if len(str(path)) <= _SOCKET_PATH_MAX:
        return path
    return Path(tempfile.mkdtemp(prefix="headwater-")) / name


def _write_private(path: Path, data: bytes) -> None:
    temporary = path.with_suffix(".temporary")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    temporary.rename(path)
