"""Explicit transactions beside DDL: what they see stays as it was, through errors that savepoints heal too; and what
they write after reading rests on what was so right before their commit, names, mz_now() and the catalog included."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

from catalog.lookup.reliance import Reliance
from catalog.nouns.items import View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.timestamp import TIMESTAMP_MIN, Timestamp, step_back
from model.updates.update import updates_from_arrow
from planner.catalog_view import QualifiedName
from server.environment.environment import Environment
from server.planning.statement_plans import Planned
from server.session.planned import planned_in_its_catalog
from server.session.session import Session
from server.writes import committing
from storage.persist.snapshot import read_changes
from tests.simulation.compacting import compaction_that_never_rests
from tests.simulation.incarnation import Incarnation, SimClient, begin_life, task_of_its_life
from tests.simulation.places import Places
from tests.simulation.virtual_time import VirtualClock, VirtualLoop, run_virtual
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import RELIABLE

WRITERS, CHANGERS, READERS, ROUNDS = 2, 2, 2, 6
SETUP = (
    "CREATE TABLE brief (x int) WITH (RETAIN HISTORY FOR '1s')",
    "CREATE TABLE due (n int8)",
    "CREATE TABLE log (name text, classes int8, waiting int8)",
    "CREATE VIEW v AS SELECT 'v0' AS name",
    "CREATE VIEW w AS SELECT 'w0' AS name",
    "INSERT INTO brief VALUES (0)",
)
_WAITING = "SELECT count(*) FROM due WHERE mz_now() < n"
_SPAN_MS = 20_000
_STALE = Sqlstate.SERIALIZATION_FAILURE
Plant = Callable[[], AbstractContextManager[object]]


def run_transactions(seed: int, planted: Plant = nullcontext) -> list[str]:
    """The violations that the seed shows; none, of a system without a bug."""
    loop = VirtualLoop()
    loop.set_task_factory(task_of_its_life)
    with planted(), compaction_that_never_rests(seed, 0.1):
        return run_virtual(loop, asyncio.wait_for(_Simulation(seed, loop).run(), 600))


def _counted(names: int) -> str:
    """By name: what is merely listed is no conflict with what others make."""
    listed = ", ".join(f"'made{number}'" for number in range(names))
    return f"SELECT count(*) FROM pg_class WHERE relname IN ({listed})"


class _Simulation:
    def __init__(self, seed: int, loop: VirtualLoop) -> None:
        self._source = random.Random(seed)
        self._clock = VirtualClock(loop)
        self._made = 0
        # A text of 500 names is planned beside the loop: others change the catalog meanwhile.
        self._classes = _counted(500 if seed % 4 == 0 else 60)
        self._due: list[int] = []
        self.violations: list[str] = []

    async def run(self) -> list[str]:
        places = Places(MemoryConsensus(self._no_time), MemoryBlob(self._no_time))

        async def begin() -> Incarnation:
            return await begin_life(1, places, self._clock, self._source, RELIABLE)

        life = await asyncio.create_task(begin())
        clients = iter([SimClient(life.environment, 1000 + number) for number in range(10)])
        setup = next(clients)
        for statement in SETUP:
            await setup.query(statement)
        now = self._clock.now_ms()
        self._due = [now + self._source.randrange(_SPAN_MS) for _ in range(8)]
        await setup.query("INSERT INTO due VALUES " + ", ".join(f"({n})" for n in self._due))
        kinds = [self._write] * WRITERS + [self._change] * CHANGERS + [self._read] * READERS
        await asyncio.gather(*(self._rounds(kind, next(clients)) for kind in kinds))
        await self._check(life)
        life.kill()
        await asyncio.sleep(0.01)
        return self.violations

    async def _no_time(self) -> None:
        await asyncio.sleep(self._source.random() * 0.002)

    async def _rounds(self, kind: Callable[[SimClient], Awaitable[None]], client: SimClient) -> None:
        for _ in range(ROUNDS):
            await asyncio.sleep(self._source.random() * 2)
            try:
                await kind(client)
            except SqlError as error:
                if error.sqlstate is not _STALE:
                    self.violations.append(f"{error.sqlstate.name}: {error.message}")
                if client.session.transaction_status != "I":
                    await client.query("ROLLBACK")

    async def _change(self, client: SimClient) -> None:
        self._made += 1
        changes = (
            f"CREATE OR REPLACE VIEW v AS SELECT 'v{self._made}' AS name",
            "ALTER VIEW v SWAP WITH w",
            f"CREATE TABLE made{self._made} (x int)",
            "UPDATE brief SET x = x + 1",
            "UPDATE brief SET x = x + 1",
        )
        await client.query(self._source.choice(changes))

    async def _write(self, client: SimClient) -> None:
        await client.query("BEGIN")
        ((name,),) = await client.query("SELECT name FROM v")
        ((classes,),) = await client.query(self._classes)
        ((waiting,),) = await client.query(_WAITING)
        await asyncio.sleep(self._source.random() * 0.5)
        assert isinstance(name, str) and isinstance(classes, int) and isinstance(waiting, int)
        await client.query(f"INSERT INTO log VALUES ('{name}', {classes}, {waiting}); COMMIT")

    async def _read(self, client: SimClient) -> None:
        """The same questions again and again, with errors in between."""
        await client.query("BEGIN READ ONLY")
        questions = ["SELECT name FROM v", "SELECT name FROM w", "SELECT x FROM brief", self._classes, _WAITING]
        self._source.shuffle(questions)
        first = [await client.query(question) for question in questions]
        await client.query("SAVEPOINT p")
        for _ in range(3):
            try:
                await client.query("SELECT 1 / 0")
            except SqlError:
                await client.query("ROLLBACK TO p")
            await asyncio.sleep(self._source.random() * 15)
            again = [await client.query(question) for question in questions]
            if again != first:
                self.violations.append(f"a transaction read {first} and then {again}")
        await client.query("COMMIT")

    async def _check(self, life: Incarnation) -> None:
        """Each row of the log says what was so right before it came to be."""
        environment = life.environment
        state = environment.catalog.state
        log = state.find(QualifiedName("headwater", "public", "log"))
        assert log is not None
        storage = environment.storage
        upper = storage.frontiers(log.id).upper.time
        assert upper is not None
        changes = storage.reads.updates_between(log.id, TIMESTAMP_MIN, upper)
        for update in updates_from_arrow(await read_changes(changes, storage.blob), log.desc):
            before = step_back(Timestamp(update.time))
            catalog = environment.catalog.at(before)
            made = sum(item.name.startswith("made") for item in catalog.items.values())
            so = (_shown_by_v(catalog), made, sum(before < n for n in self._due))
            if update.row != so:
                self.violations.append(f"{update.row} was written at {update.time}, when {so} was so")


def _shown_by_v(catalog: CatalogState) -> str:
    item = catalog.find(QualifiedName("headwater", "public", "v"))
    assert item is not None and isinstance(item.definition, View)
    return item.definition.create_sql.split("'")[1]


@contextmanager
def reads_in_the_newest_catalog() -> Iterator[None]:
    """Open transactions see what others do to the catalog."""

    def newest(environment: Environment, _: object, *rest: Any) -> Planned:
        return planned_in_its_catalog(environment, None, *rest)

    with patch("server.session.planner.planned_in_its_catalog", newest):
        yield


@contextmanager
def names_not_validated() -> Iterator[None]:
    """What was read may mean something else by COMMIT."""
    with patch.object(Reliance, "holds_in", lambda self, state: True):
        yield


@contextmanager
def reads_not_repeated() -> Iterator[None]:
    """Other answers of the catalog, and of conditions on mz_now(), are no conflict."""

    async def careless(*_: object) -> None:
        return

    with patch.object(committing, "repeat_reads", careless):
        yield


@contextmanager
def errors_release_holds() -> Iterator[None]:
    """A transaction that a savepoint lets go on holds nothing any more."""
    fail = Session.fail

    async def careless(self: Session, error: SqlError) -> None:
        await fail(self, error)
        if self.transactions.current is not None:
            await self.transactions.current.release_resources()

    with patch.object(Session, "fail", careless):
        yield


BUGS: dict[str, Plant] = {
    "reads in the newest catalog": reads_in_the_newest_catalog,
    "names not validated": names_not_validated,
    "reads not repeated": reads_not_repeated,
    "errors release holds": errors_release_holds,
}
