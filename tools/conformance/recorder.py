"""Writes each test's outcome as a line of JSON, at once, so that a suite that ends early leaves what it did.

Loaded by the suites' own Python, as a plugin of pytest or as Django's test runner; needs neither Headwater nor the
other of the two.
"""

from __future__ import annotations

import json
import os
import traceback
import unittest
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


class _Recording(unittest.TextTestResult):
    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        record(test.id(), "passed")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        record(test.id(), "skipped")

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self._failed(test, err)

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self._failed(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._failed(test, err)

    @staticmethod
    def _failed(test: unittest.TestCase, err: Any) -> None:
        record(test.id(), "failed", "".join(traceback.format_exception_only(err[0], err[1])).strip())


def django_runner(*arguments: Any, **options: Any) -> Any:
    """What TEST_RUNNER names: Django's own runner, whose results are recorded."""
    from django.test.runner import DiscoverRunner  # type: ignore[import-not-found,unused-ignore]

    class Runner(DiscoverRunner):  # type: ignore[misc,unused-ignore]
        def get_resultclass(self) -> type[unittest.TextTestResult]:
            return _Recording

    return Runner(*arguments, **options)
