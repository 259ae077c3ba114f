"""A pytest plugin that counts the processor time of each file of tests, and prints what took five seconds at the end.

Wall time tells little on a machine that does other things as well: a test that waits costs nothing, and one that keeps
two cores busy costs twice what a clock shows. What is counted for a file, in seconds of user and system time:

    this process  +  children that were waited for  +  descendants that are alive
    at the end of the file's last test              −  the same at the end of the file before

so a file is charged with the servers, JVMs and workers that ran while it ran. A process that was orphaned by a kill is
followed until it ends. What is not counted: a process that begins, is orphaned and ends within one file.

`--keep-processor-time` writes the counts of a run to `processor_time.txt`, a line a file that took five seconds:

    84 tests/compute/maintain/test_law.py

Processes of tests are given files in the order of that record, the dearest first (`expected_seconds`).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

import psutil
import pytest

_OUTPUT = "processor_time"
"""The key under which a process of tests tells its counts to the one that distributes the tests."""
_MANY_FILES = 60
_SECONDS_MAX = 120
"""What one file may take: a file is the piece of work that is given to a process of tests, and cannot be divided."""
_RECORD = Path(__file__).with_suffix(".txt")
_RECORDED_SECONDS_MIN = 5
_SECONDS_OF_LONG, _SECONDS_WITH_SPARK, _SECONDS_EACH = 30.0, 8.0, 0.02
"""What a file that is in no record is taken to need: by its marks, else by the number of its tests."""


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

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        """Prints the files for the record, where many were run; writes the record where that was asked for."""
        if config.getoption("--keep-processor-time"):
            _RECORD.write_text(record_text(self.seconds, read_record(), config.rootpath))
        if len(self.seconds) < _MANY_FILES:
            return
        total = sum(self.seconds.values())
        terminalreporter.section(f"processor time: {total / 60:.1f} minutes in {len(self.seconds)} files")
        for name, seconds in sorted(self.seconds.items(), key=lambda item: -item[1]):
            if seconds < _RECORDED_SECONDS_MIN:
                break
            over = f"   over {_SECONDS_MAX} s: divide it" if seconds > _SECONDS_MAX else ""
            terminalreporter.line(f"{seconds:8.1f} s  {name}{over}")


def read_record() -> dict[str, float]:
    """Returns the recorded seconds by the path of a file below the project's root."""
    lines = (line.split(maxsplit=1) for line in _RECORD.read_text().splitlines())
    return {name: float(seconds) for seconds, name in lines}


def record_text(counted: Mapping[str, float], recorded: Mapping[str, float], root: Path) -> str:
    """Returns the record after a run: files that did not run keep their seconds, and files that are gone leave."""
    seconds = {**recorded, **counted}
    kept = [(round(s), name) for name, s in seconds.items() if s >= _RECORDED_SECONDS_MIN and (root / name).exists()]
    return "".join(f"{each} {name}\n" for each, name in sorted(kept, key=lambda line: (-line[0], line[1])))


def expected_seconds(items: Sequence[pytest.Item], recorded: Mapping[str, float]) -> dict[Path, float]:
    """Returns how long each file of `items` is expected to keep the processor, by the record or else by its marks."""
    expected: dict[Path, float] = {}
    for item in items:
        least = _SECONDS_EACH + expected.get(item.path, 0.0)
        if any(item.get_closest_marker(mark) for mark in ("slow", "time_by")):
            least = max(least, _SECONDS_OF_LONG)
        elif item.get_closest_marker("spark"):
            least = max(least, _SECONDS_WITH_SPARK)
        expected[item.path] = least
    found = {item.path: item.nodeid.partition("::")[0] for item in items}
    return {path: recorded.get(found[path], seconds) for path, seconds in expected.items()}


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
