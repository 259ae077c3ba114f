"""Work that stays inside Java is ended where it can be, else left alone, and too much of it ends the JVM: in a process
of its own, with a limit of 0.2 s of the processor."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from compute.replica.running.supervision import STUCK_MAX

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def _told(directory: Path, what: str) -> list[str]:
    command = [sys.executable, "-m", "tests.compute.replica.endless_work", str(directory), what]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout.splitlines()[-1].split("; ")


def test_an_interrupt_ends_what_waits_inside_java_and_the_next_piece_knows_nothing_of_it(tmp_path: Path) -> None:
    assert _told(tmp_path, "cancelled") == [*["cancelled"] * 20, "7", "None"]


def test_a_plan_without_end_is_told_and_left_alone(tmp_path: Path) -> None:
    assert _told(tmp_path, "planned") == ["given up", "7", "None"]


def test_too_many_calls_without_an_end_end_the_jvm_and_say_so(tmp_path: Path) -> None:
    reason, code = _told(tmp_path, "stuck")
    assert reason.startswith(f"{STUCK_MAX + 1} calls of Java do not end, and {STUCK_MAX} may be so: ")
    assert code == str(-signal.SIGKILL)
