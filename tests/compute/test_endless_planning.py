"""Cancelled work that Java goes on with ends the JVM, so that a new one can begin; nobody waits for it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_what_goes_on_inside_java_after_its_cancel_ends_the_jvm(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.compute.endless_work", str(tmp_path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    assert done.stdout.split()[-1] == str(-signal.SIGKILL)
