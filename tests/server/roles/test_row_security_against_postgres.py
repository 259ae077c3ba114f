"""Every role tries every statement under every set of policies, on Headwater and on PostgreSQL: both show the same
rows, leave the same rows behind, or fail with one SQLSTATE and message."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.judge import Judge
from tests.server.roles.outcomes import Connection, on_both, outcome
from tests.server.roles.secured_cells import (
    CLEANED,
    POLICIES,
    PREPARED,
    REFUSED,
    ROLES,
    SEEN,
    SETUP,
    SEVERAL_TABLES,
    STATEMENTS,
)

_UNDONE = (
    *(f"DROP POLICY IF EXISTS {name} ON s.t" for name in "pqrd"),
    "DROP POLICY IF EXISTS p ON s.u",
    *(f"ALTER TABLE s.{name} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY" for name in "tu"),
)


_NAMING = ("permission denied for table", "infinite recursion")


@pytest.fixture(scope="module")
def both(judge: Judge) -> Iterator[tuple[Connection, Connection]]:
    with on_both(judge, SETUP, CLEANED) as connections:
        yield connections


@pytest.fixture(params=POLICIES)
def secured(both: tuple[Connection, Connection], request: pytest.FixtureRequest) -> Iterator[str]:
    for connection in both:
        for statement in POLICIES[request.param]:
            connection.execute(statement)
    yield request.param
    for connection in both:
        for statement in _UNDONE:
            connection.execute(statement)


def _cells(secured: str) -> list[tuple[str, tuple[str, ...]]]:
    """Returns attempts. With row_security off PostgreSQL refuses (42501) before it follows policies in a circle."""
    scripts: list[tuple[str, ...]] = [(statement,) for statement in STATEMENTS]
    scripts += [each for each in PREPARED if secured != "in a circle" or "row_security = off" not in each[0]]
    return [(role, script) for script in scripts for role in ROLES]


@pytest.mark.time_by("--secured-cells", 0.05)
def test_each_role_sees_and_writes_what_postgres_lets_it(
    both: tuple[Connection, Connection], secured: str, request: pytest.FixtureRequest
) -> None:
    cells, differing = _cells(secured), []
    count = int(request.config.getoption("--secured-cells"))
    if count < len(cells):
        cells = random.Random(secured).sample(cells, count)
    for role, script in cells:
        found, wanted = (_alike(outcome(each, role, *script, seen=SEEN), secured) for each in both)
        if found != wanted:
            differing.append(f"{secured}, {role}: {'; '.join(script)}:\n  {found}, and PostgreSQL says\n  {wanted}")
    assert not differing, "\n".join([f"{len(differing)} of {len(cells)}", *differing])


def _alike(found: list[Any], secured: str) -> list[Any]:
    """Without the detail of an error: of constraints, PostgreSQL's tells what a role has written itself. Where policies
    read several tables, which of them is named first is by the way."""

    def told(entry: Any) -> Any:
        if not isinstance(entry, tuple) or len(entry) != 3:
            return entry
        named = secured in SEVERAL_TABLES and entry[1].startswith(_NAMING)
        return entry[:1] if named else entry[:2]

    return [told(entry) for entry in found]


@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_left_out_is_refused_to_whom_policies_bind(both: tuple[Connection, Connection], sql: str) -> None:
    ours, _ = both
    for statement in POLICIES["own rows"]:
        ours.execute(statement)
    try:
        assert outcome(ours, "r_one", sql)[-1][0] == "0A000"
        assert outcome(ours, "r_owner", sql)[-1][0] not in ("0A000", "42501")
    finally:
        for statement in _UNDONE:
            ours.execute(statement)
