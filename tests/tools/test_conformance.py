"""Suites are compared by the tests that PostgreSQL passes, and what fails is told by its error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tools.conformance.comparison import Family, Outcome, compare, family_of
from tools.conformance.run import outcomes_in

_PASSED = Outcome("passed")


def test_what_postgresql_fails_or_skips_does_not_count() -> None:
    postgresql = {"a": _PASSED, "b": Outcome("failed", "no"), "c": Outcome("skipped"), "d": _PASSED}
    found = compare("driver", 50, postgresql, {"a": _PASSED, "b": _PASSED, "c": _PASSED, "d": Outcome("failed", "x")})
    assert (found.baseline, found.passed, found.percent) == (2, 1, 50.0)


def test_a_test_that_did_not_end_or_was_skipped_is_not_passed() -> None:
    postgresql = {"a": _PASSED, "b": _PASSED, "c": _PASSED}
    found = compare("driver", None, postgresql, {"a": _PASSED, "c": Outcome("skipped")})
    assert found.families == [Family("did not end", ["b"]), Family("skipped", ["c"])]


def test_the_largest_family_comes_first_and_numbers_do_not_tell_families_apart() -> None:
    postgresql = dict.fromkeys("abc", _PASSED)
    headwater = {
        "a": Outcome("failed", "type does not exist"),
        "b": Outcome("failed", "row 1 at 0x7f: wrong\nmore"),
        "c": Outcome("failed", "row 25 at 0x80: wrong\nless"),
    }
    found = compare("driver", None, postgresql, headwater)
    assert found.families == [Family("row N at N: wrong", ["b", "c"]), Family("type does not exist", ["a"])]


def test_a_server_error_that_a_driver_prints_as_its_fields_is_its_message() -> None:
    said = """pg8000.DatabaseError: {'S': 'ERROR', 'C': '42704', 'M': 'type "point" does not exist', 'P': '8'}"""
    assert family_of(Outcome("failed", said)) == 'type "point" does not exist'
    assert family_of(Outcome("failed", "{'C': '0A000', 'M': 'LISTEN is not supported'}")) == "LISTEN is not supported"


def test_the_recorder_keeps_what_was_done_before_an_end_and_a_failed_teardown_fails(tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(
        "import os, pytest\n"
        "@pytest.fixture\n"
        "def broken():\n"
        "    yield\n"
        "    raise RuntimeError('at the end')\n"
        "def test_good(): pass\n"
        "def test_bad(): assert 1 == 2\n"
        "def test_teardown(broken): pass\n"
        "def test_ends(): os._exit(1)\n"
    )
    record = tmp_path / "record"
    folder = Path(__file__).parents[2] / "tools" / "conformance"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "recorder", "-p", "no:cacheprovider", "--rootdir=."]
    environment = {"CONFORMANCE_RECORD": str(record), "PYTHONPATH": str(folder)}
    subprocess.run([*command, "test_suite.py"], cwd=tmp_path, env=environment, check=False, capture_output=True)
    assert len([json.loads(line) for line in record.read_text().splitlines()]) == 4
    assert outcomes_in(record) == {
        "test_suite.py::test_good": _PASSED,
        "test_suite.py::test_bad": Outcome("failed", "assert 1 == 2"),
        "test_suite.py::test_teardown": Outcome("failed", "RuntimeError: at the end"),
    }
