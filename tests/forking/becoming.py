"""Makes of a process that was forked one that runs a module, as if it had been started from the command line.

    told = Becoming("server.cli", ("serve",), dict(os.environ), None, 0o022, resource.getrlimit(RLIMIT_STACK), False)
    become(told, [0, log, log])
    run(told.module)

It has the command line, environment, directory, mask, limits and standard streams that it is told. The environment
that /proc shows of it is its parent's, as the system keeps it: tests that look there start their servers truly.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import runpy
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

MESSAGE_BYTES_MAX = 1 << 17
ROOM_FOR_ARGUMENTS = " " * 4096
"""An argument of the process that forks: over it, what was forked writes the command line that others are to see."""
_ARG_START, _ARG_END = 47, 48


@dataclass(frozen=True, slots=True)
class Becoming:
    """What a process is to run.

    module       run by its name, with `arguments`
    environment  all of it: nothing is inherited
    cwd          where it begins; None is where the process that forks is
    umask        its mask of the files that it creates
    stack        the soft and the hard limit of its stack, which what it starts has too
    new_session  whether it leads a session of its own
    spares       modules for which it has processes ready (`tests.forking.spares`)
    """

    module: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    cwd: str | None
    umask: int
    stack: tuple[int, int]
    new_session: bool
    spares: tuple[str, ...] = ()

    def packed(self) -> bytes:
        return json.dumps(asdict(self)).encode("utf-8", "surrogateescape")

    @staticmethod
    def unpacked(message: bytes) -> Becoming:
        told = json.loads(message.decode("utf-8", "surrogateescape"))
        return Becoming(**{**told, **{name: tuple(told[name]) for name in ("arguments", "stack", "spares")}})


def become(told: Becoming, streams: Sequence[int]) -> None:
    """Takes on all but the module. `streams` become standard input, output and error, and are closed."""
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
    for stream in set(streams) - {0, 1, 2}:
        os.close(stream)
    if told.new_session:
        os.setsid()
    os.umask(told.umask)
    resource.setrlimit(resource.RLIMIT_STACK, told.stack)
    if told.cwd is not None:
        os.chdir(told.cwd)
    os.environ.clear()
    os.environ.update(told.environment)
    time.tzset()
    tempfile.tempdir = None
    command = [sys.executable, "-P", "-m", told.module, *told.arguments]
    sys.orig_argv[:] = command
    sys.argv[1:] = told.arguments
    _show_command(command)


def run(module: str) -> None:
    """Runs the module as `python -m` does; it may end the process."""
    # One that others have imported is run anew, as in a process that has imported nothing.
    sys.modules.pop(module, None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _show_command(command: Sequence[str]) -> None:
    """Writes the command line over that which the system shows of this process."""
    numbers = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    start, end = int(numbers[_ARG_START - 2]), int(numbers[_ARG_END - 2])
    shown = b"".join(os.fsencode(each) + b"\0" for each in command)[: end - start - 1]
    ctypes.memmove(start, shown.ljust(end - start, b"\0"), end - start)
