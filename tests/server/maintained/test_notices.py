"""mz_notices: what asks for attention, who may see its words, and when it goes."""

from __future__ import annotations

import asyncio
import datetime
from dataclasses import replace

import pytest

from catalog.builtin import notice_rows
from catalog.declared.dataflow_status import MaintainedStatus, RepairStatus
from catalog.declared.snapshot import SinkStatus, SourceStatus, SystemSnapshot, TaskCondition
from catalog.durable.rows import FIRST_DATABASE
from catalog.nouns.items import SUPERUSER_OID
from tests.catalog.catalogs import Catalog
from tests.server.world import World, simulated

_AT = datetime.datetime(2026, 11, 28, 12, tzinfo=datetime.UTC)
_NOTICES = (
    "SELECT notice_type, o.name, n.message, n.action FROM mz_internal.mz_notices n "
    "JOIN mz_catalog.mz_objects o ON o.id = n.object_id ORDER BY 1, 2"
)


def _rows(snapshot: SystemSnapshot) -> list[tuple[object, ...]]:
    return [(kind, message, hint, at) for _, kind, _, message, hint, _, _, at in notice_rows._notices(snapshot)]


def test_what_stands_still_or_was_wrong_is_told_with_its_hint() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    stalled = TaskCondition(_AT, "stalled", "the broker is away", "Start it.")
    status = MaintainedStatus(table.id, (), "stalled", True, 0, 0, "out of time", 3)
    snapshot = SystemSnapshot(
        state=catalog.state,
        database=FIRST_DATABASE,
        sources=(SourceStatus(table.id, stalled),),
        sinks=(SinkStatus(table.id, replace(stalled, hint=None)), SinkStatus(table.id, TaskCondition(_AT, "running"))),
        maintained=(replace(status, repairs=RepairStatus(1, 4, _AT), recomputed=("a join", "a recursion")),),
    )
    told = _rows(snapshot)
    assert told[:2] == [
        ("source stalled", 'source "t": the broker is away', "Start it.", _AT),
        ("sink stalled", 'sink "t": the broker is away', None, _AT),
    ]
    assert [(kind, message) for kind, message, _, _ in told[2:]] == [
        ("view stands still", '"t": out of time'),
        ("view recomputed", 'part of "t" is recomputed at each change: a join; a recursion'),
        ("view repaired", '"t" was built anew, which corrected it by 4 rows'),
    ]


def test_words_that_quote_rows_are_for_those_who_may_read_them() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    snapshot = SystemSnapshot(
        state=catalog.state,
        database=FIRST_DATABASE,
        user="nobody",
        sources=(SourceStatus(table.id, TaskCondition(_AT, "stalled", 'invalid: "secret"', 'Mend "secret".')),),
    )
    assert catalog.state.roles[SUPERUSER_OID].name != "nobody"
    ((_, message, hint, _),) = _rows(snapshot)
    assert "secret" not in f"{message} {hint}"


def test_views_that_are_recomputed_and_indexes_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notice_rows, "_DAY_MS", 60_000)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE seen (a int PRIMARY KEY, b int); INSERT INTO seen VALUES (1, 2)")
        await client.query("CREATE VIEW v AS SELECT b, count(*) AS n FROM seen GROUP BY b")
        await client.query('CREATE INDEX read_at_times ON v (b); CREATE INDEX "Never read" ON seen (b)')
        recursive = "WITH MUTUALLY RECURSIVE r (n int) AS (SELECT a FROM seen UNION SELECT n + 1 FROM r WHERE n < 3)"
        await client.query(f"CREATE MATERIALIZED VIEW around AS {recursive} SELECT n FROM r")
        first = await client.query(_NOTICES)
        assert [each[:2] for each in first] == [("view recomputed", "around")]
        for _ in range(3):
            await asyncio.sleep(30)
            assert await client.query("SELECT n FROM v WHERE b = 2") == [(1,)]
        unused, recomputed = await client.query(_NOTICES)
        message = 'index "Never read" has not been read for a day'
        assert unused == ("index unused", "Never read", message, 'DROP INDEX public."Never read"')
        assert recomputed == first[0]
        await client.query(unused[3])
        assert await client.query(_NOTICES) == first

    law()


def test_the_stages_of_a_statement_are_told_in_their_order() -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("SELECT 'looked for'")
        stages = await client.query(
            "SELECT event_type FROM mz_internal.mz_statement_lifecycle_history h "
            "JOIN mz_internal.mz_recent_activity_log l ON l.execution_id = h.statement_id "
            "WHERE l.sql = 'SELECT ''looked for''' ORDER BY h.occurred_at, event_type"
        )
        assert {event for (event,) in stages} == {
            "arrived",
            "execution-began",
            "optimization-finished",
            "execution-finished",
        }

    law()
