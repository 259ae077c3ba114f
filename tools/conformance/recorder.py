"""Writes each test's outcome as a line of JSON, at once, so that a suite that ends early leaves what it did.

Loaded by the suites' own Python as a plugin of pytest, and by django_recorder; needs no Headwater.
"""

from __future__ import annotations

import json
import os
from typing import Any

_ERROR_CHARACTERS = 600


def record(test: str, outcome: str, error: str = "") -> None:
    """`outcome` is passed, failed or skipped; the last line of a test that is not `passed` counts."""
    with open(os.environ["CONFORMANCE_RECORD"], "a", encoding="utf-8") as file:
        file.write(json.dumps({"test": test, "outcome": outcome, "error": error[:_ERROR_CHARACTERS]}) + "\n")


def pytest_runtest_logreport(report: Any) -> None:
    """pytest's: called for the setup, the call and the teardown of each test."""
    if report.when != "call" and report.passed:
        return
    crash = getattr(report.longrepr, "reprcrash", None)
    said = crash.message if crash is not None else str(report.longrepr or "").strip().rpartition("\n")[2]
    record(report.nodeid, report.outcome, said if report.failed else "")
