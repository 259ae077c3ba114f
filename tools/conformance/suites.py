"""The suites: where each comes from, which of it is run, and what it must be told about the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_PYTEST = ("pytest==9.2.0", "pytest-timeout==2.4.0")


class Harness(StrEnum):
    """What runs a suite's tests."""

    PYTEST = "pytest"
    SQLALCHEMY = "sqlalchemy"
    DJANGO = "django"


@dataclass(frozen=True, slots=True)
class Suite:
    """`source` is the distribution that holds the tests, `tests` the words that choose them.

    `packages` is what the suite's Python needs; `removed` are folders of the source that would hide what is installed;
    `amended` are texts to replace in the suite's files: (folder, old, new). `prepared` is SQL to run before. `goal` is
    the percentage to reach.
    """

    name: str
    source: str
    packages: tuple[str, ...]
    tests: tuple[str, ...]
    harness: Harness = Harness.PYTEST
    removed: tuple[str, ...] = ()
    amended: tuple[tuple[str, str, str], ...] = ()
    prepared: tuple[str, ...] = ()
    goal: int | None = None


def _pinned(package: str) -> str:
    """The requirement as constraints.txt pins it."""
    lines = (_ROOT / "constraints.txt").read_text().splitlines()
    return next(line for line in lines if line.startswith(f"{package}=="))


_PSYCOPG2 = "psycopg2==2.9.13"
_DJANGO = "django==5.2.19"
_SQLALCHEMY = "sqlalchemy==2.1.9"

# Of Django's 17,000 tests those that ask most of a database.
_DJANGO_TESTS = (
    "backends",
    "basic",
    "bulk_create",
    "delete",
    "get_or_create",
    "indexes",
    "many_to_many",
    "many_to_one",
    "migrations",
    "model_fields",
    "model_indexes",
    "model_inheritance",
    "one_to_one",
    "ordering",
    "queries",
    "transactions",
    "update",
)

SUITES: Sequence[Suite] = (
    Suite(
        "pg8000",
        _pinned("pg8000"),
        (_pinned("pg8000"), *_PYTEST, "pytest-mock==3.17.0", "pytest-benchmark==5.3.1", "pytz==2026.6"),
        ("test", "--benchmark-disable"),
        amended=(("test", '"postgres"', '"headwater"'),),
        goal=98,
    ),
    Suite(
        "asyncpg",
        _pinned("asyncpg"),
        (_pinned("asyncpg"), *_PYTEST, "distro==1.9.0"),
        ("tests", "--ignore=tests/test__sourcecode.py"),
        removed=("asyncpg",),
        amended=(("tests", "database='postgres'", "database='headwater'"),),
        goal=98,
    ),
    Suite(
        "psycopg2",
        _PSYCOPG2,
        (_PSYCOPG2.replace("psycopg2", "psycopg2-binary"), *_PYTEST),
        ("tests",),
        goal=98,
    ),
    Suite(
        "django",
        _DJANGO,
        (_DJANGO, _pinned("psycopg"), _pinned("psycopg-binary")),
        _DJANGO_TESTS,
        Harness.DJANGO,
        removed=("django",),
        # Headwater has no database `postgres`, which Django only warns of.
        amended=(("tests", 'simplefilter("error", RuntimeWarning)', 'simplefilter("ignore", RuntimeWarning)'),),
        goal=98,
    ),
    Suite(
        "sqlalchemy",
        _SQLALCHEMY,
        (_SQLALCHEMY, _pinned("psycopg"), _pinned("psycopg-binary"), *_PYTEST),
        ("test/dialect/test_suite.py",),
        Harness.SQLALCHEMY,
        # Neither server has extensions.
        amended=(("lib/sqlalchemy/dialects/postgresql", "for extension, min_version in _extensions", "for _ in ()"),),
        prepared=("CREATE SCHEMA test_schema", "CREATE SCHEMA test_schema_2"),
        goal=98,
    ),
)


def suite_named(name: str) -> Suite:
    """Of SUITES; a name is one of theirs."""
    return next(suite for suite in SUITES if suite.name == name)
