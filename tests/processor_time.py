"""A pytest plugin that counts the processor time of each file of tests, and prints the dearest at the end.

Wall time tells little on a machine that does other things as well: a test that waits costs nothing, and one that keeps
two cores busy costs twice what a clock shows. What is counted for a file, in seconds of user and system time:

    this process  +  children that were waited for  +  descendants that are alive
    at the end of the file's last test              −  the same at the end of the file before

so a file is charged with the servers, JVMs and workers that ran while it ran. A process that was orphaned by a kill is
followed until it ends. What is not counted: a process that begins, is orphaned and ends within one file.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator, Mapping

import psutil
import pytest

_OUTPUT = "processor_time"
"""The key under which a process of tests tells its counts to the one that distributes the tests."""
_SHOWN_FILES = 60
_SECONDS_MAX = 120
"""What one file may take: a file is the piece of work that is given to a process of tests, and cannot be divided."""


class ProcessorTimePlugin:
    """Counts in the processes that run tests, and reports in the one that speaks to the terminal."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._clock = _DescendantsClock()
        self._last = self._clock.read()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Charges the file of `item` when the next test is of another file: reading all processes costs 20 ms."""
        outcome = yield
        if nextitem is None or nextitem.path != item.path:
            now = self._clock.read()
            self.seconds[item.nodeid.partition("::")[0]] += round(max(0.0, now - self._last), 1)
            self._last = now
        return outcome

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hands the counts to the process that distributes tests, where this one is given its tests by another."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[_OUTPUT] = dict(self.seconds)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Adds what a process of tests has counted; one that broke down has told nothing."""
        output: Mapping[str, Mapping[str, float]] = getattr(node, "workeroutput", {})
        for name, seconds in output.get(_OUTPUT, {}).items():
            self.seconds[name] += seconds

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the dearest files, where more than a few were run."""
        if len(self.seconds) < _SHOWN_FILES:
            return
        total = sum(self.seconds.values())
        terminalreporter.section(f"processor time: {total / 60:.1f} minutes in {len(self.seconds)} files")
        for name, seconds in sorted(self.seconds.items(), key=lambda item: -item[1])[:_SHOWN_FILES]:
            over = f"   over {_SECONDS_MAX} s: divide it" if seconds > _SECONDS_MAX else ""
            terminalreporter.line(f"{seconds:8.1f} s  {name}{over}")


class _DescendantsClock:
    """Reads the processor time of this process and of all that it, or its children, have started."""

    def __init__(self) -> None:
        self._followed: dict[psutil.Process, float] = {}
        self._orphans_s = 0.0

    def read(self) -> float:
        """Returns the seconds so far, which never fall but by what died unseen."""
        own = os.times()
        alive = set(psutil.Process().children(recursive=True)) | {p for p in self._followed if p.is_running()}
        for gone in self._followed.keys() - alive:
            # A child that ended was waited for and counts there; an orphan counts nowhere else.
            self._orphans_s += self._followed[gone]
        self._followed, living_s = {}, 0.0
        for process in alive:
            try:
                times, orphaned = process.cpu_times(), process.ppid() == 1
            except psutil.Error:
                continue
            spent = times.user + times.system + times.children_user + times.children_system
            living_s += spent
            self._followed[process] = spent if orphaned else 0.0
        return own.user + own.system + own.children_user + own.children_system + self._orphans_s + living_s
