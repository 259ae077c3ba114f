"""Row security beside what else there is: plans that are kept, subscriptions, transactions, what is maintained, errors,
names and the catalog. In one process, without a wire."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from catalog.durable.rows import load, rows
from model.errors.sql_error import SqlError
from model.types.datum import Row
from server.environment.environment import Environment
from server.statements import subscribe
from server.subscription.subscription import Course
from server.writes import writing
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE

_SETUP = """
CREATE ROLE keeper;
CREATE ROLE alice LOGIN;
CREATE ROLE bob LOGIN;
GRANT ALL ON SCHEMA public TO PUBLIC;
SET ROLE keeper;
CREATE TABLE t (a int PRIMARY KEY, who text NOT NULL, secret int CHECK (secret > 0));
INSERT INTO t VALUES (1, 'alice', 10), (2, 'bob', 20), (3, 'bob', 30);
ALTER TABLE t ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON t USING (who = current_user);
GRANT ALL ON t TO alice, bob;
RESET ROLE
"""
_REFUSED = "0A000"
_CHANGED = ("40001", 'row-level security of table "t" was changed by a concurrent statement', None)


@dataclass
class _House:
    environment: Environment
    clients: int = 1000

    async def client(self, role: str | None = None) -> _Client:
        self.clients += 1
        client = _Client(SimClient(self.environment, self.clients))
        if role is not None:
            await client.rows(f"SET SESSION AUTHORIZATION {role}")
        return client


@dataclass
class _Client:
    sim: SimClient

    async def rows(self, sql: str) -> list[Row]:
        return sorted(await self.sim.query(sql), key=repr)

    async def fails(self, sql: str) -> tuple[str, str, str | None]:
        try:
            found = await self.sim.query(sql)
        except SqlError as error:
            return error.sqlstate.value, error.message, error.detail
        raise AssertionError(f"{sql}: {found}")


def _in_house(body: Callable[[_House, _Client], Awaitable[None]]) -> None:
    """Runs a test's body with an environment in which `_SETUP` was executed, and its superuser."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)

    async def no_time() -> None:
        return

    async def run() -> None:
        places = Places(MemoryConsensus(no_time), MemoryBlob(no_time))

        async def begin() -> Incarnation:
            return await begin_life(1, places, VirtualClock(loop), random.Random(0), RELIABLE)

        life = await asyncio.create_task(begin())
        house = _House(life.environment)
        admin = await house.client()
        await admin.rows(_SETUP)
        await body(house, admin)
        life.kill()
        await asyncio.sleep(0.01)

    run_virtual(loop, asyncio.wait_for(run(), 6_000))


def test_conditions_that_fail_never_meet_hidden_rows() -> None:
    async def body(house: _House, admin: _Client) -> None:
        alice = await house.client("alice")
        for condition in (
            "100 / (secret - 20) <> 0",
            "CASE WHEN secret > 15 THEN 1 / (secret - secret) END IS NULL",
            "(secret || 'x')::text <> '' AND sqrt(15 - secret) > 0",
            "(CASE WHEN secret = 10 THEN '1' ELSE who END)::int = 1",
        ):
            for query in (
                "SELECT a FROM t WHERE {}",
                "SELECT t.a FROM t JOIN (VALUES (1), (2), (3)) AS v (a) ON t.a = v.a AND {}",
                "SELECT a FROM (SELECT a, {} AS c FROM t) AS q WHERE c",
                "SELECT v.a FROM (VALUES (1), (2)) AS v (a) WHERE EXISTS (SELECT FROM t WHERE t.a = v.a AND {})",
            ):
                assert await alice.rows(query.format(condition)) == [(1,)], (query, condition)
        # A policy that fails by itself does, for whom it binds.
        await admin.rows("CREATE POLICY broken ON t AS RESTRICTIVE TO bob USING (10 / (a - 2) < 100)")
        assert (await (await house.client("bob")).fails("SELECT a FROM t"))[0] == "22012"

    _in_house(body)


def test_a_key_finds_no_hidden_row() -> None:
    async def body(house: _House, admin: _Client) -> None:
        alice = await house.client("alice")
        assert await alice.rows("SELECT secret FROM t WHERE a = 2") == []
        assert await alice.rows("UPDATE t SET secret = 1 WHERE a = 2 RETURNING a") == []
        assert await alice.rows("DELETE FROM t WHERE a = 2 RETURNING a") == []
        # That a key is taken can be told, as in PostgreSQL; what has it can't.
        duplicate = 'duplicate key value violates unique constraint "t_pkey"'
        assert await alice.fails("INSERT INTO t VALUES (2, 'alice', 5)") == ("23505", duplicate, None)
        assert (await alice.fails("INSERT INTO t VALUES (5, 'alice', 0)"))[::2] == ("23514", None)
        assert await admin.rows("SELECT secret FROM t WHERE a = 2") == [(20,)]

    _in_house(body)


def test_a_kept_plan_is_one_roles() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("PREPARE p AS SELECT a FROM t ORDER BY a; EXECUTE p")
        for role, seen in (("alice", [(1,)]), ("bob", [(2,), (3,)])):
            await admin.rows(f"SET ROLE {role}")
            assert await admin.rows("EXECUTE p") == seen
        await admin.rows("SET ROLE pg_monitor")
        assert (await admin.fails("EXECUTE p"))[0] == "42501"
        await admin.rows("RESET ROLE; GRANT SELECT ON t TO pg_monitor; SET ROLE pg_monitor")
        assert await admin.rows("EXECUTE p") == []
        await admin.rows("RESET ROLE; CREATE POLICY more ON t TO alice USING (a = 3); SET ROLE alice")
        assert await admin.rows("EXECUTE p") == [(1,), (3,)]
        await admin.rows("RESET ROLE; ALTER ROLE alice BYPASSRLS; SET ROLE alice")
        assert await admin.rows("EXECUTE p") == [(1,), (2,), (3,)]

    _in_house(body)


def test_a_role_that_is_renamed_or_dropped_meanwhile_sees_no_more() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE ROLE carol LOGIN; GRANT SELECT ON t TO PUBLIC")
        carol = await house.client("carol")
        for change in ("SELECT 1", "ALTER ROLE carol RENAME TO dora", "DROP ROLE dora"):
            await admin.rows(change)
            assert await carol.rows("SELECT a FROM t") == []

    _in_house(body)


def test_a_transaction_does_not_read_by_the_policies_of_its_beginning() -> None:
    async def body(house: _House, admin: _Client) -> None:
        alice = await house.client("alice")
        await alice.rows("BEGIN ISOLATION LEVEL SERIALIZABLE")
        assert await alice.rows("SELECT a FROM t") == [(1,)]
        await admin.rows("DROP POLICY own ON t")
        assert await alice.fails("SELECT a FROM t") == _CHANGED
        await alice.rows("ROLLBACK")
        assert await alice.rows("SELECT a FROM t") == []
        # Its own changes of policies hold at once.
        await admin.rows("BEGIN; CREATE POLICY two ON t USING (a = 2); SET LOCAL ROLE alice")
        assert await admin.rows("SELECT a FROM t") == [(2,)]
        await admin.rows("COMMIT")

    _in_house(body)


def test_a_subscription_ends_when_its_policies_change() -> None:
    async def body(house: _House, admin: _Client) -> None:
        alice = await house.client("alice")
        await alice.rows("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t")
        assert [row[2:] for row in await alice.rows("FETCH 1 FROM c")] == [(1, "alice", 10)]
        await admin.rows("INSERT INTO t VALUES (4, 'bob', 40), (5, 'alice', 50)")
        assert [row[2:] for row in await alice.rows("FETCH 1 FROM c")] == [(5, "alice", 50)]
        await admin.rows("ALTER POLICY own ON t USING (false); INSERT INTO t VALUES (6, 'alice', 60)")
        assert await alice.fails("FETCH 1 FROM c") == _CHANGED

    _in_house(body)


def test_policies_that_change_while_a_subscription_begins_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    course = subscribe._course

    async def body(house: _House, admin: _Client) -> None:
        alice = await house.client("alice")

        async def changed_before(*arguments: Any) -> Course:
            await admin.rows("ALTER POLICY own ON t USING (false)")
            return await course(*arguments)

        monkeypatch.setattr(subscribe, "_course", changed_before)
        await alice.rows("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE t")
        assert await alice.fails("FETCH 1 FROM c") == _CHANGED

    _in_house(body)


def test_a_subscription_lives_by_the_policies_of_its_own_transaction() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("BEGIN; CREATE POLICY two ON t USING (a = 2); SET LOCAL ROLE alice")
        await admin.rows("DECLARE c CURSOR FOR SUBSCRIBE t")
        assert [row[2:] for row in await admin.rows("FETCH 2 FROM c")] == [(1, "alice", 10), (2, "bob", 20)]

    _in_house(body)


def test_another_reader_beneath_a_view_is_another_policy() -> None:
    changed = ("40001", 'row-level security of view "v" was changed by a concurrent statement', None)

    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE VIEW inner_view AS SELECT * FROM t; GRANT SELECT ON inner_view TO alice")
        for made in ("t", "inner_view"):
            await admin.rows(f"CREATE VIEW v AS SELECT * FROM {made}; GRANT SELECT ON v TO bob")
            subscriber, reader = await house.client("bob"), await house.client("bob")
            await subscriber.rows("BEGIN; DECLARE c CURSOR FOR SUBSCRIBE v")
            assert len(await subscriber.rows("FETCH 3 FROM c")) == 3
            await reader.rows("BEGIN ISOLATION LEVEL SERIALIZABLE")
            assert len(await reader.rows("SELECT a FROM v")) == 3
            await admin.rows(
                "ALTER VIEW v OWNER TO alice; INSERT INTO t VALUES (9, 'bob', 90); DELETE FROM t WHERE a = 9"
            )
            assert await subscriber.fails("FETCH 1 FROM c") == changed
            assert await reader.fails("SELECT a FROM v") == changed
            await subscriber.rows("ROLLBACK")
            await reader.rows("ROLLBACK")
            await admin.rows("DROP VIEW v")

    _in_house(body)


def test_another_owner_of_a_view_without_policies_changes_nothing() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE TABLE u (a int); INSERT INTO u VALUES (1); GRANT SELECT ON u TO alice")
        await admin.rows("CREATE VIEW v AS SELECT a FROM u; GRANT SELECT ON v TO bob")
        bob = await house.client("bob")
        await bob.rows("BEGIN ISOLATION LEVEL SERIALIZABLE")
        assert await bob.rows("SELECT a FROM v") == [(1,)]
        await admin.rows("ALTER VIEW v OWNER TO alice")
        assert await bob.rows("SELECT a FROM v") == [(1,)]
        await admin.rows("REVOKE SELECT ON u FROM alice")
        assert (await bob.fails("SELECT a FROM v"))[0] == "42501"

    _in_house(body)


def test_changes_of_its_own_keep_no_transaction_from_those_of_others() -> None:
    async def body(house: _House, admin: _Client) -> None:
        alice = await house.client("alice")
        for own in ("CREATE TEMP TABLE x (a int)", "CREATE TABLE x (a int); INSERT INTO x VALUES (1)"):
            await alice.rows(f"BEGIN; {own}")
            assert await alice.rows("SELECT a FROM t") == [(1,)]
            await admin.rows("CREATE POLICY more ON t USING (a = 3)")
            assert await alice.fails("SELECT a FROM t") == _CHANGED
            await alice.rows(f"ROLLBACK; BEGIN; {own}")
            assert await alice.rows("SELECT a FROM t") == [(1,), (3,)]
            await admin.rows("REVOKE SELECT ON t FROM alice")
            assert (await alice.fails("SELECT a FROM t"))[0] == "42501"
            await alice.rows("ROLLBACK")
            await admin.rows("GRANT SELECT ON t TO alice; DROP POLICY more ON t")
        # What it grants itself holds, whatever others change meanwhile.
        await admin.rows("BEGIN; CREATE TABLE y (a int); CREATE ROLE carol; GRANT SELECT ON t, y TO carol")
        await alice.rows("CREATE TABLE z (a int)")
        await admin.rows("CREATE POLICY two ON t TO carol USING (a = 2); SET LOCAL ROLE carol")
        await alice.rows("CREATE TABLE zz (a int)")
        assert await admin.rows("SELECT t.a FROM t LEFT JOIN y USING (a)") == [(2,)]
        await admin.rows("RESET ROLE; COMMIT")

    _in_house(body)


def test_what_is_maintained_is_owned_by_who_is_not_bound() -> None:
    async def body(house: _House, admin: _Client) -> None:
        alice, keeper, bob = [await house.client(role) for role in ("alice", "keeper", "bob")]
        assert (await alice.fails("CREATE MATERIALIZED VIEW m AS SELECT * FROM t"))[0] == _REFUSED
        await alice.rows("CREATE VIEW v AS SELECT * FROM t; GRANT SELECT ON v TO PUBLIC")
        assert (await alice.fails("CREATE DEFAULT INDEX ON v"))[0] == _REFUSED
        await keeper.rows("CREATE VIEW i WITH (security_invoker) AS SELECT * FROM t")
        assert (await keeper.fails("CREATE MATERIALIZED VIEW m AS SELECT * FROM v"))[0] == _REFUSED
        await keeper.rows("CREATE MATERIALIZED VIEW m AS SELECT * FROM i; GRANT SELECT ON i, m TO bob")
        assert (await keeper.fails("ALTER TABLE t FORCE ROW LEVEL SECURITY"))[0] == _REFUSED
        assert (await admin.fails("ALTER MATERIALIZED VIEW m OWNER TO alice"))[0] == _REFUSED
        assert (await admin.fails("ALTER TABLE t OWNER TO alice"))[0] == _REFUSED
        assert len(await bob.rows("SELECT * FROM i")) == 2
        await admin.rows("CREATE TABLE u (a int); GRANT SELECT ON u TO alice")
        await alice.rows("CREATE MATERIALIZED VIEW n AS SELECT * FROM u")
        assert (await admin.fails("ALTER TABLE u ENABLE ROW LEVEL SECURITY"))[0] == _REFUSED
        await admin.rows("ALTER ROLE alice BYPASSRLS; ALTER TABLE u ENABLE ROW LEVEL SECURITY")
        assert (await admin.fails("ALTER ROLE alice NOBYPASSRLS"))[0] == _REFUSED

    _in_house(body)


def test_columns_and_roles_of_a_policy_are_kept() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE POLICY narrow ON t AS RESTRICTIVE TO bob USING (secret > 20)")
        assert await admin.fails("ALTER TABLE t DROP COLUMN secret") == (
            "2BP01",
            "cannot drop column secret of table t because other objects depend on it",
            "policy narrow on table t depends on column secret of table t",
        )
        assert await admin.fails("ALTER TABLE t ALTER COLUMN secret TYPE text") == (
            _REFUSED,
            "cannot alter type of a column used in a policy definition",
            'policy narrow on table t depends on column "secret"',
        )
        await admin.rows("CREATE ROLE eve; CREATE POLICY hers ON t TO eve USING (true)")
        assert await admin.fails("DROP ROLE eve") == (
            "2BP01",
            'role "eve" cannot be dropped because some objects depend on it',
            "target of policy hers on table t",
        )
        await admin.rows("DROP OWNED BY eve; DROP ROLE eve; ALTER TABLE t DROP COLUMN secret CASCADE")
        assert await admin.rows("SELECT policyname FROM pg_policies") == [("own",)]

    _in_house(body)


def test_what_no_policy_can_be_is_refused() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE VIEW v AS SELECT 1 AS a")
        for sql, sqlstate, message in (
            ("CREATE POLICY p ON t USING (t IS NOT NULL)", _REFUSED, "a whole row in a policy"),
            ("CREATE POLICY p ON t USING (secret < mz_now()::text::int8)", _REFUSED, "mz_now() in a policy"),
            ("ALTER POLICY own ON t WITH CHECK (now() < mz_now())", _REFUSED, "mz_now() in a policy"),
            ("CREATE POLICY p ON t USING (a)", "42804", "argument of POLICY must be type boolean, not type integer"),
            ("CREATE POLICY p ON t USING (max(a) > 1)", "42803", "not allowed in policy expressions"),
            ("CREATE POLICY p ON t FOR INSERT USING (true)", "42601", "only WITH CHECK expression allowed for INSERT"),
            ("CREATE POLICY own ON t", "42710", 'policy "own" for table "t" already exists'),
            ("CREATE POLICY p ON v USING (true)", "42809", '"v" is not a table'),
            ("ALTER TABLE v ENABLE ROW LEVEL SECURITY", "42809", "ENABLE ROW SECURITY"),
            ("DROP POLICY p ON t", "42704", 'policy "p" for table "t" does not exist'),
        ):
            found = await admin.fails(sql)
            assert found[0] == sqlstate and message in found[1], (sql, found)
        alice = await house.client("alice")
        for sql in ("DROP POLICY own ON t", "COMMENT ON POLICY own ON t IS 'x'"):
            assert await alice.fails(sql) == ("42501", "must be owner of relation t", None)
        assert (await alice.fails("CREATE POLICY p ON t"))[:2] == ("42501", "must be owner of table t")

    _in_house(body)


def test_no_session_gives_a_policys_constants_another_meaning() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE TABLE p (at timestamptz, d date, i interval); ALTER TABLE p ENABLE ROW LEVEL SECURITY")
        await admin.rows("CREATE POLICY q ON p USING (true)")
        for condition in (
            "at <= '2026-11-28 00:00'",
            "at < timestamptz(0) '2026-11-28'",
            "at IN (now(), '2026-11-28 00:00')",
            "at = ANY ('{2026-11-28 00:00}')",
            "at <@ '[2026-11-28 00:00,2027-01-01 00:00)'::tstzrange",
            "coalesce(at, 'now') > '2026-11-28 00:00+00'",
            "CASE WHEN d < 'today' THEN true END",
            "d < '01/02/2026'",
            "i < '-1 2:03:04'",
        ):
            for sql in (f"CREATE POLICY r ON p USING ({condition})", f"ALTER POLICY q ON p WITH CHECK ({condition})"):
                found = await admin.fails(sql)
                assert found[0] == _REFUSED and "a constant in a policy that depends on the session" in found[1], sql
        fixed = "at <= '2026-11-28 00:00+00' AND d < '2026-11-28' AND date_trunc('day', at) < now() AND i < '1 day'"
        await admin.rows(f"ALTER POLICY q ON p USING ({fixed}); GRANT ALL ON p TO alice")
        await admin.rows("INSERT INTO p VALUES ('2026-11-28 05:00+00', '2000-01-01', '1 hour')")
        alice = await house.client("alice")
        for zone in ("UTC", "America/New_York", "Asia/Tokyo"):
            assert await alice.rows(f"SET TimeZone = '{zone}'; SET DateStyle = 'ISO, DMY'; SELECT d FROM p") == []

    _in_house(body)


def test_new_rows_are_held_against_the_time_of_the_statement() -> None:
    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE TABLE p (at timestamptz, d date); ALTER TABLE p ENABLE ROW LEVEL SECURITY")
        await admin.rows("CREATE POLICY q ON p USING (true) WITH CHECK (at = now() AND d = current_date)")
        await admin.rows("GRANT ALL ON p TO alice")
        alice = await house.client("alice")
        assert await alice.rows("INSERT INTO p VALUES (now(), current_date)") == []
        assert (await alice.fails("INSERT INTO p VALUES (now() - interval '1 second', current_date)"))[0] == "42501"
        assert await alice.rows("UPDATE p SET at = current_timestamp RETURNING d = current_date") == [(True,)]
        assert (await alice.fails("UPDATE p SET at = '1970-01-01 00:00+00'"))[0] == "42501"

    _in_house(body)


def test_new_rows_of_large_batches_are_made_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []

    async def done(work: Callable[[], object], *, large: bool) -> object:
        made.append(large)
        return work()

    async def body(house: _House, admin: _Client) -> None:
        await admin.rows("CREATE TABLE p (a int); ALTER TABLE p ENABLE ROW LEVEL SECURITY; INSERT INTO p VALUES (1)")
        await admin.rows("CREATE POLICY q ON p USING (a > 0); GRANT ALL ON p TO alice")
        alice = await house.client("alice")
        monkeypatch.setattr(writing, "done", done)
        monkeypatch.setattr(writing, "LARGE_BYTES", 0)
        await alice.rows("UPDATE p SET a = a + 1")
        assert made == [True]
        assert (await alice.fails("UPDATE p SET a = 0"))[0] == "42501"
        assert await alice.rows("SELECT a FROM p") == [(2,)]

    _in_house(body)


def test_the_catalog_keeps_and_shows_policies() -> None:
    async def body(house: _House, admin: _Client) -> None:
        made = "CREATE POLICY narrow ON t AS RESTRICTIVE FOR UPDATE TO bob, alice USING (a > 1) WITH CHECK (a > 2)"
        await admin.rows(f"{made}; ALTER TABLE t FORCE ROW LEVEL SECURITY; COMMENT ON POLICY own ON t IS 'mine'")
        assert await admin.rows("SELECT * FROM pg_policies") == [
            ("public", "t", "narrow", "RESTRICTIVE", ("bob", "alice"), "UPDATE", "a > 1", "a > 2"),
            ("public", "t", "own", "PERMISSIVE", ("public",), "ALL", "who = current_user", None),
        ]
        described = "SELECT obj_description(oid, 'pg_policy') FROM pg_policy WHERE polname = 'own'"
        assert await admin.rows(described) == [("mine",)]
        assert await admin.rows("SELECT rowsecurity FROM pg_tables WHERE tablename = 't'") == [(True,)]
        state = house.environment.catalog.state
        assert load(rows(state)).items == state.items and load(rows(state)).comments == state.comments
        explained = await (await house.client("alice")).rows("EXPLAIN SELECT * FROM t")
        assert any("current_user" in str(row[0]) for row in explained)

    _in_house(body)
