"""A catalog that an older Headwater wrote is brought up to date at the start, once, before anything builds on it."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from typing import Any

import pytest

from catalog.durable import rows as durable_rows
from catalog.durable.migrations.row_texts import Rows
from catalog.durable.migrations.steps import CATALOG_VERSION, STEPS, catalog_version, migrate
from catalog.durable.rows import CATALOG_SHARD_ID
from catalog.nouns.items import Role
from model.errors.sql_error import SqlError
from model.time.timestamp import Timestamp
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE

_NEXT = CATALOG_VERSION + 1


def _add_setting(rows: Rows) -> Rows:
    return [*rows, ("system", "added", '"yes"')]


def test_an_older_catalog_is_upgraded_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    places = Places(MemoryConsensus(), MemoryBlob())
    begin = partial(begin_life, places=places, clock=VirtualClock(loop), source=random.Random(0), faults=RELIABLE)

    async def lived(number: int) -> Incarnation:
        return await asyncio.create_task(begin(number))

    async def written(life: Incarnation, table: str) -> int:
        client = SimClient(life.environment, 1)
        await client.query(f"CREATE TABLE {table} (a int)")
        await client.query(f"INSERT INTO {table} VALUES (1)")
        life.kill()
        return life.environment.catalog.changed_at

    def version(life: Incarnation, time: int) -> int:
        return catalog_version(life.environment.catalog.history.rows_at(Timestamp(time)))

    async def work() -> None:
        before = await written(await lived(1), "old")
        monkeypatch.setattr("catalog.durable.rows.CATALOG_VERSION", _NEXT)
        monkeypatch.setattr("catalog.durable.rows.migrate", lambda rows: migrate(rows, (*STEPS, _add_setting)))
        second = await lived(2)
        upgraded = second.environment.catalog.changed_at
        assert upgraded > before and (version(second, before), version(second, upgraded)) == (CATALOG_VERSION, _NEXT)
        assert second.environment.catalog.state.configuration == {"added": "yes"}
        await written(second, "new")
        third = await lived(3)
        assert third.environment.storage.reads.changed_after(CATALOG_SHARD_ID, Timestamp(upgraded))
        client = SimClient(third.environment, 2)
        assert await client.query("SELECT * FROM old UNION ALL SELECT * FROM new") == [(1,), (1,)]
        assert (version(third, before), version(third, third.environment.catalog.changed_at)) == (
            CATALOG_VERSION,
            _NEXT,
        )
        third.kill()

    run_virtual(loop, work())


_SINCE_VERSION_1 = ("replication", "bypass_row_security", "connection_limit", "valid_until", "password")


def _written_as_version_1(patch: pytest.MonkeyPatch) -> None:
    """Has the catalog written as by the Headwater that knew one superuser, and no privileges."""
    value = durable_rows._value

    def value_then(entry: Any) -> Any:
        found = value(entry)
        return {k: v for k, v in found.items() if k not in _SINCE_VERSION_1} if isinstance(entry, Role) else found

    patch.setattr(durable_rows, "CATALOG_VERSION", 1)
    patch.setattr(durable_rows, "migrate", list)
    patch.setattr(durable_rows, "role_entries", lambda state: {})
    patch.setattr(durable_rows, "_value", value_then)


def test_what_is_older_than_roles_belongs_to_the_superuser() -> None:
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    places = Places(MemoryConsensus(), MemoryBlob())
    begin = partial(begin_life, places=places, clock=VirtualClock(loop), source=random.Random(0), faults=RELIABLE)

    async def refused(client: SimClient, sql: str) -> str | None:
        try:
            await client.query(sql)
        except SqlError as error:
            return error.sqlstate.value
        return None

    async def work() -> None:
        with pytest.MonkeyPatch.context() as patch:
            _written_as_version_1(patch)
            first = await asyncio.create_task(begin(1))
            client = SimClient(first.environment, 1)
            await client.query("CREATE TABLE t (a int PRIMARY KEY, b serial); INSERT INTO t VALUES (1), (2)")
            await client.query("CREATE TYPE e AS ENUM ('x'); CREATE SCHEMA s; CREATE TABLE s.u (c e)")
            await client.query("INSERT INTO s.u VALUES ('x'); CREATE VIEW v AS TABLE t")
            await client.query("CREATE MATERIALIZED VIEW m AS SELECT count(*) AS n FROM v; CREATE READ HOLD h ON t")
            written = first.environment.catalog
            rows = written.history.rows_at(Timestamp(written.changed_at))
            assert catalog_version(rows) == 1 and {kind for kind, _, _ in rows}.isdisjoint(("acl", "membership"))
            first.kill()
        for life in (2, 3):
            second = await asyncio.create_task(begin(life))
            client = SimClient(second.environment, life)
            assert await client.query("SELECT n, c::text FROM m, s.u") == [(2, "x")]
            owners = "SELECT relowner FROM pg_class WHERE oid >= 16384 UNION SELECT typowner FROM pg_type"
            assert await client.query(owners) == [(10,)]
            if life == 2:
                await client.query("CREATE ROLE alice; CREATE ROLE bob IN ROLE pg_monitor; GRANT SELECT ON t TO alice")
            await client.query("SET ROLE alice")
            assert await client.query("SELECT * FROM t") == [(1, 1), (2, 2)]
            for sql in ("INSERT INTO t VALUES (3)", "CREATE TABLE x (a int)", "TABLE m", "DROP READ HOLD h"):
                assert await refused(client, sql) == "42501", sql
            await client.query("RESET ROLE")
            assert await client.query("SELECT pg_has_role('bob', 'pg_read_all_stats', 'usage')") == [(True,)]
            second.kill()

    run_virtual(loop, work())
