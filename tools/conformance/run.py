"""One suite against one server: starts it, waits for its end or the limit, reads what it recorded."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import psycopg

from tools.conformance.cache import python_of, source_of
from tools.conformance.comparison import Outcome
from tools.conformance.suites import Harness, Suite

_TEST_LIMIT_S = 60
# SQLAlchemy's: ComponentReflectionTest_postgresql+psycopg_16_14::test_…
_VERSION = re.compile(r"_postgresql\+psycopg[_0-9]*")
_DJANGO_SETTINGS = """
DATABASES = {{
    alias: {{
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "headwater",
        "USER": "headwater",
        "HOST": {host!r},
        "PORT": {port},
        "TEST": {{"NAME": "headwater"}},
    }}
    for alias in ("default", "other")
}}
SECRET_KEY = "conformance"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = False
TEST_RUNNER = "django_recorder.RecordingRunner"
"""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens; its user and its database are named `headwater`."""

    host: str
    port: int


def run_suite(suite: Suite, address: Address, chosen: Sequence[str], limit_s: float) -> dict[str, Outcome]:
    """The outcome of each test that ended; `chosen`, when given, stands in place of the suite's own words."""
    python, folder = python_of(suite), source_of(suite)
    with psycopg.connect(host=address.host, port=address.port, user="headwater", autocommit=True) as connection:
        for sql in suite.prepared:
            connection.execute(sql.encode())
    with tempfile.TemporaryDirectory(prefix="headwater-conformance-") as scratch:
        written = Path(scratch) / "outcomes"
        written.touch()
        environment = {**os.environ, **_environment(suite, address, written, Path(scratch))}
        command, cwd = _command(suite, address, str(python), folder, tuple(chosen) or suite.tests)
        with (Path(scratch) / "output").open("wb+") as output:
            process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=output, stderr=subprocess.STDOUT)
            try:
                process.wait(limit_s)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                print(f"{suite.name}: ended after {limit_s:.0f} s; what follows was recorded until then")
            outcomes = outcomes_in(written)
            if not outcomes:
                output.seek(0)
                sys.stdout.write(output.read().decode(errors="replace")[-4000:])
        return outcomes


def _environment(suite: Suite, address: Address, record: Path, scratch: Path) -> Mapping[str, str]:
    variables = {
        "CONFORMANCE_RECORD": str(record),
        "PGHOST": address.host,
        "PGPORT": str(address.port),
        "PGUSER": "headwater",
        "PGPASSWORD": "headwater",
        "PGDATABASE": "headwater",
        "PSYCOPG2_TESTDB": "headwater",
        "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), str(scratch))),
    }
    if suite.harness is Harness.DJANGO:
        settings = _DJANGO_SETTINGS.format(host=address.host, port=address.port)
        (scratch / "conformance_settings.py").write_text(settings)
    return variables


def _command(
    suite: Suite, address: Address, python: str, folder: Path, tests: Sequence[str]
) -> tuple[Sequence[str], Path]:
    """The words that start it, and where."""
    match suite.harness:
        case Harness.DJANGO:
            words = [python, "runtests.py", "--settings=conformance_settings", "--parallel=1", "--keepdb", "--noinput"]
            return [*words, *tests], folder / "tests"
        case Harness.PYTEST | Harness.SQLALCHEMY:
            words = [python, "-m", "pytest", "-q", "-p", "recorder", "-p", "no:cacheprovider", "-o", "addopts="]
            words.append(f"--timeout={_TEST_LIMIT_S}")
            if suite.harness is Harness.SQLALCHEMY:
                url = f"postgresql+psycopg://headwater@{address.host}:{address.port}/headwater"
                words += ["--dburi", url]
            return [*words, *tests], folder
        case _:
            assert_never(suite.harness)


def outcomes_in(record: Path) -> dict[str, Outcome]:
    """A test that passed and then failed in its teardown has failed. Servers' versions in tests' names are left out."""
    found: dict[str, Outcome] = {}
    for line in record.read_text().splitlines():
        said = json.loads(line)
        test = _VERSION.sub("", said["test"])
        before = found.get(test)
        if before is None or before.outcome == "passed":
            found[test] = Outcome(said["outcome"], said["error"])
    return found
