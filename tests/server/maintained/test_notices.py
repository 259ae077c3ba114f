"""mz_notices: what asks for attention, who may see its words, and when it goes."""

from __future__ import annotations

import asyncio
import datetime
from dataclasses import replace

import pytest

from catalog.builtin import notice_rows
from catalog.declared.dataflow_status import MaintainedStatus, MissedIndex, RepairStatus
from catalog.declared.snapshot import SinkStatus, SnapshotReader, SourceStatus, SystemSnapshot, TaskCondition
from catalog.durable.rows import FIRST_DATABASE
from catalog.nouns.items import SUPERUSER_OID
from model.ids.global_id import GlobalId
from server.ledgers.index_uses import MissedIndexes
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
        reader=SnapshotReader("nobody"),
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


def test_an_index_that_many_queries_ask_for() -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query('CREATE TABLE asked (a int, "B" int); INSERT INTO asked VALUES (1, 2), (1, 3)')
        await client.query("CREATE MATERIALIZED VIEW grouped AS SELECT a, count(*) AS n FROM asked GROUP BY a")
        for _ in range(9):
            assert await client.query('SELECT a FROM asked WHERE "B" = 2') == [(1,)]
        assert await client.query(_NOTICES) == []
        await client.query('UPDATE asked SET a = 1 WHERE "B" = 2')
        for _ in range(10):
            # Nobody else's: no value is given, or no index would be read.
            await client.query('SELECT a FROM asked WHERE "B" > 2; SELECT count(*) FROM asked WHERE a = 1')
            await client.query("SELECT n FROM grouped WHERE n = 2 AND a = 1")
        whole = "was read whole 10 times in a day for given values of"
        table = "index missing", "asked", f'"asked" {whole} "B"', 'CREATE INDEX ON public.asked ("B")'
        view = "index missing", "grouped", f'"grouped" {whole} a and n', "CREATE INDEX ON public.grouped (a, n)"
        assert await client.query(_NOTICES) == [table, view]
        await client.query('CREATE INDEX behind ON asked (a, "B"); CREATE INDEX ON grouped (n)')
        missed = f'{table[2]}; index "behind" does not begin with it'
        assert await client.query(_NOTICES) == [(*table[:2], missed, table[3])]
        await client.query(table[3])
        assert await client.query(_NOTICES) == []
        await client.query("DROP TABLE asked CASCADE")
        assert await client.query(_NOTICES) == []

    law()


def test_missed_indexes_are_told_apart_and_those_of_temporary_tables_are_nobodys_matter() -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE asked (a int, b int); CREATE TEMPORARY TABLE own (a int)")
        for _ in range(10):
            await client.query(
                "SELECT FROM asked WHERE a = 1; SELECT FROM asked WHERE b = 1; SELECT FROM own WHERE a = 1"
            )
        ids = await world.client().query("SELECT id FROM mz_internal.mz_notices ORDER BY id")
        assert [str(each).partition(" ")[2] for (each,) in ids] == ["index missing (a)", "index missing (b)"]

    law()


def test_reads_that_missed_an_index_are_those_of_a_day_and_of_so_many_kinds() -> None:
    missed, day = MissedIndexes(), 24 * 60 * 60 * 1000
    missed.note(GlobalId.user(1), ("a",), 0)
    missed.note(GlobalId.user(1), ("a",), day - 1)
    assert missed.of_the_day(day - 1) == (MissedIndex(GlobalId.user(1), ("a",), 2, 0),)
    assert missed.of_the_day(day) == ()
    missed.note(GlobalId.user(1), ("a",), day)
    assert missed.of_the_day(day) == (MissedIndex(GlobalId.user(1), ("a",), 1, day),)
    for number in range(2_000):
        missed.note(GlobalId.user(number + 2), ("a",), day)
    assert len(missed.of_the_day(day)) == 1_000


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
