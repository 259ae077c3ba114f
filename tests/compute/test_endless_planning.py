"""Work that Java goes on with after its cancel or its limit ends the JVM, so that a new one can begin."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.mark.parametrize(("why", "told"), [("cancelled", "cancelled"), ("planned", "given up 54001")])
def test_what_goes_on_inside_java_after_its_cancel_or_its_limit_ends_the_jvm(
    tmp_path: Path, why: str, told: str
) -> None:
    command = [sys.executable, "-m", "tests.compute.endless_work", str(tmp_path), why]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    assert done.stdout.splitlines()[-1] == f"{-signal.SIGKILL} {told}"
