"""The environment has no JVM: what it imports of compute does not bring PySpark."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "module",
    ["controller.controller", "controller.process", "controller.address", "replica.tasks.state"],
)
def test_the_environments_side_does_not_import_pyspark(module: str) -> None:
    code = f"import sys, compute.{module}; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False).returncode == 0
