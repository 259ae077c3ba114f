"""What the system tells of processes and threads, in Linux's /proc. They themselves are not asked: they may be stuck.

A process is known by its boot and by the clock tick since that boot at which it began: an id is given again, and wall
time may be set.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_STATE, _USER_TICKS, _SYSTEM_TICKS, _BEGUN_TICKS = 0, 11, 12, 19
"""Fields of `stat` behind the name, which is in parentheses and may hold anything."""
_ENDED = "ZX"
_STOPPED = "Tt"
_BUSY = "RD"
LOOKS_APART_S = 1.0
"""How long passes between two looks at whether a process uses its time."""


@dataclass(frozen=True, slots=True)
class ProcessStat:
    """The state of a process. `processor_s`: the seconds for which the process has had a processor. `begun_ticks` are
    clock ticks since the machine's start."""

    state: str
    processor_s: float
    begun_ticks: int

    @property
    def stopped(self) -> bool:
        """Returns whether a signal or a debugger has stopped the process, which then goes on only when told to."""
        return self.state in _STOPPED


def stat_of(pid: int, thread: int | None = None) -> ProcessStat | None:
    """Reads the state of a process, or of one of its threads; None when there is none, or it has ended and waits for
    its parent."""
    path = _PROC / str(pid) / "stat" if thread is None else _PROC / str(pid) / "task" / str(thread) / "stat"
    try:
        fields = path.read_text().rpartition(")")[2].split()
    except (OSError, UnicodeDecodeError):
        return None
    if fields[_STATE] in _ENDED:
        return None
    ticks = int(fields[_USER_TICKS]) + int(fields[_SYSTEM_TICKS])
    return ProcessStat(fields[_STATE], ticks / os.sysconf("SC_CLK_TCK"), int(fields[_BEGUN_TICKS]))


def birth_of(pid: int) -> str | None:
    """Returns what tells this process from any other that has had, or will have, its id; None when there is none."""
    found = stat_of(pid)
    return None if found is None else f"{boot_id()} {found.begun_ticks}"


def boot_id() -> str:
    """Returns the id of the machine's present start: another one after each. Raises OSError."""
    return (_PROC / "sys/kernel/random/boot_id").read_text().strip()


def is_busy(pid: int) -> bool:
    """Tells whether any of a process's threads runs, is ready to (where a machine is starved, it waits), or waits for
    a disk."""
    try:
        threads = [int(each.name) for each in (_PROC / str(pid) / "task").iterdir()]
    except OSError:
        return False
    found = (stat_of(pid, thread) for thread in threads)
    return any(each is not None and each.state in _BUSY for each in found)


class AwaitedProcess:
    """A process that starts, or was asked something, and is waited for until it is hopeless: since its start, or since
    now where it is `asked`, it has had a processor for less than `processor_s`, and was not idle at `idle_looks` looks
    in a row. One that a starved machine keeps waiting is ready to run, and not idle."""

    def __init__(self, pid: int, processor_s: float, idle_looks: int, *, asked: bool = False) -> None:
        found = stat_of(pid) if asked else None
        self._pid = pid
        self._begun_s = 0.0 if found is None else found.processor_s
        self._processor_s = processor_s
        self._idle_looks = idle_looks
        self._idle = 0
        self._had_s = self._begun_s

    def hopeless(self) -> bool:
        """Looks; some time is to pass between two looks."""
        found = stat_of(self._pid)
        had_s = 0.0 if found is None else found.processor_s
        self._idle = 0 if had_s > self._had_s or is_busy(self._pid) else self._idle + 1
        self._had_s = had_s
        return had_s - self._begun_s >= self._processor_s or self._idle >= self._idle_looks


class UsableTime:
    """The time in which a process could have worked, up to `seconds`: its processor time, and looks, `LOOKS_APART_S`
    apart, at which the process wanted no processor. Waiting for a processor of a starved machine does not count."""

    def __init__(self, pid: int, seconds: float) -> None:
        found = stat_of(pid)
        self._pid = pid
        self._had_s = 0.0 if found is None else found.processor_s
        self._left_s = seconds

    def hopeless(self) -> bool:
        """Looks; about `LOOKS_APART_S` are to pass between two looks."""
        found = stat_of(self._pid)
        had_s = 0.0 if found is None else found.processor_s
        worked_s = max(0.0, had_s - self._had_s)
        self._had_s = had_s
        self._left_s -= worked_s if is_busy(self._pid) else max(worked_s, LOOKS_APART_S)
        return self._left_s <= 0
