"""Asks the system about processes, which blocks: never on the event loop."""

from __future__ import annotations

import psutil


def family_of(pid: int) -> list[psutil.Process]:
    """Returns a process and all beneath it; nothing where it is gone."""
    try:
        leader = psutil.Process(pid)
        return [leader, *leader.children(recursive=True)]
    except psutil.Error:
        return []


def used_by(process: psutil.Process) -> tuple[int, float] | None:
    """Returns the resident memory in bytes and the processor time in seconds of a process; None where it is gone."""
    try:
        with process.oneshot():
            times = process.cpu_times()
            return process.memory_info().rss, times.user + times.system
    except psutil.Error:
        return None
