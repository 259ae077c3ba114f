"""Django's test runner, recording each test's outcome; loaded by the suite's own Python."""

from __future__ import annotations

import traceback
import unittest
from typing import Any

from django.test.runner import DiscoverRunner  # type: ignore[import-not-found,unused-ignore]
from recorder import record  # type: ignore[import-not-found,unused-ignore]


class RecordingResult(unittest.TextTestResult):
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


class RecordingRunner(DiscoverRunner):  # type: ignore[misc,unused-ignore]
    """What TEST_RUNNER names."""

    def get_resultclass(self) -> type[unittest.TextTestResult]:
        return RecordingResult
