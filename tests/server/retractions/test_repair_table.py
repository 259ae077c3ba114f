"""No commit takes rows that are not there; a table that was damaged all the same is repaired, and tells of it."""

from __future__ import annotations

import pyarrow as pa
import pytest

from model.errors.sql_error import Severity
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_schema
from planner.syntax.own_statements import Place, RepairTableStatement
from planner.syntax.parse import parse
from server.reads import reading
from server.session.session import Session
from tests.server.world import World, fails, simulated, value
from timeline.group_commit import WriteRequest


def _item(world: World, name: str) -> GlobalId:
    return next(id_ for id_, item in world.life.environment.catalog.state.items.items() if item.name == name)


async def _damage(world: World, name: str, columns: list[list[object]], diffs: list[int]) -> None:
    """Writes as no statement does."""
    desc = world.life.environment.storage.desc(_item(world, name))
    arrays = [pa.array(column, type_) for column, type_ in zip(columns, _types(world, name), strict=True)]
    names = [f"c{at}" for at in range(len(desc.columns))]
    table = pa.table([*arrays, pa.array(diffs, pa.int64())], names=[*names, "diff"])
    await world.life.environment.committer.submit(WriteRequest(tables={_item(world, name): [table]}))


def _types(world: World, name: str) -> list[pa.DataType]:
    return list(arrow_schema(world.life.environment.storage.desc(_item(world, name))).types)


def test_repair_is_a_statement_of_its_own() -> None:
    (statement,) = parse('ALTER TABLE s."T" REPAIR')
    assert statement.node == RepairTableStatement(Place(("s", "T"), 12))
    (renaming,) = parse("ALTER TABLE t RENAME TO repair")
    assert not isinstance(renaming.node, RepairTableStatement)


def test_a_damaged_table_is_repaired_and_tells_what_it_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def notice(self: Session, severity: Severity, sqlstate: Sqlstate, message: str, **more: object) -> None:
        told.append(message)

    monkeypatch.setattr(Session, "notice", notice)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE ff (f float8, b text); INSERT INTO ff VALUES ('-0', 'a'), (1, 'a'), (1, 'a')")
        await client.query("CREATE MATERIALIZED VIEW counted AS SELECT b, count(*) AS n FROM t GROUP BY b")
        await _damage(world, "ff", [[0.0, 1.0, 7.0], ["a", "b", "c"]], [-1, -3, 1])
        for number in range(150):
            await _damage(world, "u", [[number], ["x"]], [-1])
        told.clear()
        await client.query("ALTER TABLE ff REPAIR")
        assert sorted(told) == [
            '"ff" takes (0, a) 1 times more often than it holds it: that is dropped',
            '"ff" takes (1, b) 3 times more often than it holds it: that is dropped',
        ]
        assert await client.query("SELECT f::text, count(*) FROM ff GROUP BY 1 ORDER BY 1") == [
            ("-0", 1),
            ("1", 2),
            ("7", 1),
        ]
        told.clear()
        await client.query("ALTER TABLE ff REPAIR")
        assert told == []
        await client.query("BEGIN; ALTER TABLE u REPAIR; INSERT INTO u VALUES (1, 'x'); COMMIT")
        assert len(told) == 101 and told[-1] == "the same of 50 other rows"
        assert await client.query("SELECT * FROM u") == [(1, "x")]
        assert await fails(client, "ALTER TABLE counted REPAIR") == "42809"
        assert await fails(client, "ALTER TABLE nowhere REPAIR") == "42P01"
        assert await fails(client, "BEGIN; INSERT INTO u VALUES (2, 'x'); ALTER TABLE u REPAIR") == "0A000"
        assert await fails(client, "ROLLBACK; BEGIN READ ONLY; ALTER TABLE u REPAIR") == "25006"

    law()


@pytest.mark.parametrize("key", ("", ", PRIMARY KEY (k)"), ids=("rows", "keyed"))
def test_rows_that_have_become_others_on_their_way_are_not_taken(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def normalized(batch: pa.RecordBatch) -> pa.Table:
        """As a Spark that takes both zeros for one."""
        table = pa.Table.from_batches([batch])
        for at, field in enumerate(table.schema):
            if field.type == pa.float64():
                values = [value or 0.0 for value in table.column(at).to_pylist()]
                table = table.set_column(at, field, pa.array(values))
        return table

    monkeypatch.setattr(reading, "_plain_table", normalized)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query(f"CREATE TABLE ff (k int, f float8{key}); INSERT INTO ff VALUES (1, '-0'), (2, 1), (3, 0)")
        for change in ("DELETE FROM ff WHERE f < 1", "UPDATE ff SET f = f + 1", "TRUNCATE ff"):
            assert await fails(client, change) == "XX000"
            await client.query(f"BEGIN; INSERT INTO ff VALUES (7, 7); {change}")
            assert await fails(client, "COMMIT") == "XX000"
            assert await client.query("SELECT k FROM ff ORDER BY 1") == [(1,), (2,), (3,)]
        await client.query("DELETE FROM ff WHERE f = 1; BEGIN; UPDATE ff SET f = 5 WHERE f = 0 AND k = 3; COMMIT")
        assert await value(client, "SELECT count(*) FROM ff") == 2

    law()
