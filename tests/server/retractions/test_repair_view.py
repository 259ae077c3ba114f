"""A materialized view that somebody doubts is held against its definition, and built anew where it is wrong."""

from __future__ import annotations

import pyarrow as pa
import pytest

from catalog.nouns.items import MaterializedView
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_schema
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from planner.plans.views import CheckPlan
from planner.syntax.own_statements import Place, RepairViewStatement
from planner.syntax.parse import parse
from server.session.session import Session
from server.statements.definitions import repair_view
from server.statements.definitions.check_view import differing_rows
from server.transactions.execution import Execution
from storage.persist.commit import Committed
from tests.server.world import World, fails, simulated


def test_repair_is_a_statement_of_its_own() -> None:
    (statement,) = parse('ALTER MATERIALIZED VIEW s."V" REPAIR')
    assert statement.node == RepairViewStatement(Place(("s", "V"), 24))
    (renaming,) = parse("ALTER MATERIALIZED VIEW v RENAME TO repair")
    assert not isinstance(renaming.node, RepairViewStatement)


async def _damage(world: World, name: str, rows: list[tuple[str, int, int]], *, last: bool = False) -> None:
    """Writes rows of a text and a number of a view, as its dataflow does not; `last`: and ends the collection."""
    environment = world.life.environment
    item = next(item for item in environment.catalog.state.items.values() if item.name == name)
    assert isinstance(item.definition, MaterializedView)
    machine = environment.storage.machine(str(item.definition.collection))
    while True:
        await machine.refresh()
        upper = machine.state.write_frontier
        assert upper.time is not None
        texts, numbers, diffs = zip(*rows, strict=True)
        schema = arrow_schema(machine.state.desc)
        columns = [pa.array(texts, schema.types[0]), pa.array(numbers, schema.types[1])]
        columns += [pa.nulls(len(rows), schema.types[2]), pa.array(diffs, pa.int64())]
        table = pa.table(columns, names=["c0", "c1", "c2", "diff"])
        after = Antichain(None if last else Timestamp(upper.time + 1))
        write = await machine.prepare_append([table], upper, after, exact=True)
        if isinstance(await environment.storage.commit([write]), Committed):
            return


def test_a_view_that_is_wrong_is_built_anew_and_tells_how_wrong_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def notice(self: Session, severity: Severity, sqlstate: Sqlstate, message: str, **more: object) -> None:
        told.append(message)

    monkeypatch.setattr(Session, "notice", notice)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE x (b text); INSERT INTO x VALUES ('a'), ('a'), ('b')")
        await client.query("CREATE MATERIALIZED VIEW counted AS SELECT b, count(*) AS n FROM x GROUP BY b")
        await client.query("CREATE MATERIALIZED VIEW over AS SELECT sum(n) AS all FROM counted")
        assert await client.query("SELECT * FROM counted ORDER BY 1") == [("a", 2), ("b", 1)]
        told.clear()
        await client.query("ALTER MATERIALIZED VIEW counted REPAIR")
        assert told == []
        await _damage(world, "counted", [("a", 2, -1), ("a", 7, 1), ("z", 1, 1)])
        await client.query("INSERT INTO x VALUES ('c')")
        # The commit has the time that the view was complete at by then, so its row is missing.
        assert await client.query("SELECT * FROM counted ORDER BY 1") == [("a", 7), ("b", 1), ("z", 1)]
        await client.query("ALTER MATERIALIZED VIEW counted REPAIR")
        assert told == ['"counted" differs from its definition by 4 rows: it is built anew']
        assert await client.query("SELECT * FROM counted ORDER BY 1") == [("a", 2), ("b", 1), ("c", 1)]
        assert await client.query("SELECT * FROM over") == [(4,)]
        repairs = "SELECT refused_writes, corrected_rows, last_at IS NOT NULL FROM mz_internal.mz_view_repairs"
        assert (0, 4, True) in await client.query(repairs)
        await client.query("INSERT INTO x VALUES ('d'); DELETE FROM x WHERE b = 'b'")
        assert await client.query("SELECT * FROM counted ORDER BY 1") == [("a", 2), ("c", 1), ("d", 1)]

    law()


def test_a_view_that_can_not_be_read_is_built_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[CheckPlan] = []

    async def differing(plan: CheckPlan, execution: Execution) -> int:
        looked.append(plan)
        if len(looked) == 1:
            raise SqlError(Sqlstate.DATA_CORRUPTED, "it retracts rows that it does not hold")
        return await differing_rows(plan, execution)

    monkeypatch.setattr(repair_view, "differing_rows", differing)

    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE x (b text); INSERT INTO x VALUES ('a')")
        await client.query("CREATE MATERIALIZED VIEW counted AS SELECT b, count(*) AS n FROM x GROUP BY b")
        assert await client.query("SELECT * FROM counted") == [("a", 1)]
        await _damage(world, "counted", [("never", 1, -1)])
        await client.query("INSERT INTO x VALUES ('b')")
        await client.query("ALTER MATERIALIZED VIEW counted REPAIR")
        assert await client.query("SELECT * FROM counted ORDER BY 1") == [("a", 1), ("b", 1)]
        assert len(looked) == 2

    law()


def test_a_view_of_constants_that_has_ended_is_built_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def notice(self: Session, severity: Severity, sqlstate: Sqlstate, message: str, **more: object) -> None:
        told.append(message)

    monkeypatch.setattr(Session, "notice", notice)

    def collection_of(world: World, name: str) -> GlobalId:
        items = world.life.environment.catalog.state.items.values()
        definition = next(item.definition for item in items if item.name == name)
        assert isinstance(definition, MaterializedView)
        return definition.collection

    @simulated
    async def law(world: World) -> None:
        client, environment = world.client(), world.life.environment
        await client.query("CREATE MATERIALIZED VIEW fixed AS SELECT 'a' AS b, 1::int8 AS n")
        await client.query("CREATE MATERIALIZED VIEW over AS SELECT sum(n) AS all FROM fixed")
        await _damage(world, "fixed", [("z", 7, 1)], last=True)
        ended, over = collection_of(world, "fixed"), collection_of(world, "over")
        assert environment.storage.frontiers(ended).upper.time is None
        told.clear()
        await client.query("ALTER MATERIALIZED VIEW fixed REPAIR")
        assert told == ['"fixed" differs from its definition by 1 rows: it is built anew']
        assert collection_of(world, "fixed") != ended and collection_of(world, "over") != over
        assert await client.query("SELECT * FROM fixed") == [("a", 1)]
        assert await client.query("SELECT * FROM over") == [(1,)]
        told.clear()
        await client.query("ALTER MATERIALIZED VIEW fixed REPAIR")
        assert told == []

    law()


def test_what_can_not_be_repaired_is_refused() -> None:
    @simulated
    async def law(world: World) -> None:
        client = world.client()
        await client.query("CREATE TABLE x (b text); CREATE VIEW plain AS TABLE x")
        await client.query("CREATE MATERIALIZED VIEW kept AS TABLE x")
        repair = "ALTER MATERIALIZED VIEW kept REPAIR"
        assert await fails(client, "ALTER MATERIALIZED VIEW x REPAIR") == "42809"
        assert await fails(client, "ALTER MATERIALIZED VIEW plain REPAIR") == "42809"
        assert await fails(client, "ALTER MATERIALIZED VIEW nowhere REPAIR") == "42P01"
        assert await fails(client, "ALTER TABLE kept REPAIR") == "42809"
        assert await fails(client, f"BEGIN; {repair}") == "25001"
        assert await fails(client, f"ROLLBACK; BEGIN READ ONLY; {repair}") == "25006"
        await client.query(f"ROLLBACK; {repair}")

    law()
