"""Fault cases of the materialization protocol that are a session's own, by their numbers: docs/sink_faults.md."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from connectors.files.driver import FilesDriver
from connectors.files.store import FileStore
from connectors.mysql.driver import MysqlDriver
from connectors.mysql.table import MysqlTable
from connectors.postgres.driver import PostgresDriver
from connectors.postgres.table import PostgresTable
from connectors.sinks import fences
from connectors.sinks.description import SinkPlace
from connectors.sinks.messages import FlushLoads, KeyRange, Load, Loaded, StartedCommit, Store
from connectors.sinks.recovery_log import merged
from connectors.sqlite.driver import SqliteDriver
from model.errors.sql_error import SqlError
from model.external.sinks import SqliteTable
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.text.dispatch import format_datum, parse_datum
from model.time.timestamp import Timestamp
from model.types.datum import Datum, Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT4, ScalarType, TypeName
from tests.connectors.sinks import destinations, test_drivers, test_redis
from tests.connectors.sinks.cut_connection import CuttingProxy, cutting
from tests.connectors.sinks.destinations import RealDestination
from tests.connectors.sinks.kinds import FILES, TABLES, UNREAD, made
from tests.connectors.sinks.sessions import DESC, DriverSession, RecoveryLog, sink_into
from tests.connectors.sinks.test_drivers import A, B, C, fence_unchecked, log_trusted, one_staged, opened
from tests.connectors.sinks.test_types import VALUES
from tests.data_servers import MariaDb
from tests.judge import Judge

destination = test_drivers.destination
tables = pytest.mark.parametrize("destination", TABLES, indirect=True)
files = pytest.mark.parametrize("destination", FILES, indirect=True)
fenced = pytest.mark.parametrize("destination", [*TABLES, "redis", *UNREAD, "delta", "iceberg"], indirect=True)
split = pytest.mark.parametrize("destination", [*TABLES, "redis", "dynamodb"], indirect=True)
_WAIT_S, _LOCKED_S = 30.0, 10.0


# 7: the connection ends within COMMIT


@pytest.fixture(params=["postgres", "mysql"])
def proxied(request: pytest.FixtureRequest) -> Iterator[tuple[RealDestination, CuttingProxy]]:
    """A destination whose connections may be cut."""
    if request.param == "postgres":
        judge: Judge = request.getfixturevalue("judge")
        found, host, port = destinations.postgres_destination(judge), judge.host, judge.port
    else:
        server: MariaDb = request.getfixturevalue("mariadb")
        found, host, port = destinations.mysql_destination(server), server.host, server.port
    with cutting(host, int(port)) as proxy, closing(found):
        assert isinstance(found.place, PostgresTable | MysqlTable)
        settings = dict(found.place.settings) | {"host": "127.0.0.1", "port": str(proxy.port)}
        found.place = replace(found.place, settings=tuple(settings.items()))
        yield found, proxy


@pytest.mark.fault(7)
@pytest.mark.parametrize("heard", [True, False])
def test_a_connection_that_ends_within_commit_is_asked_about(
    proxied: tuple[RealDestination, CuttingProxy], heard: bool
) -> None:
    destination, proxy = proxied
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    proxy.arm(b"COMMIT", heard=heard)
    with pytest.raises(SqlError):
        session.start_commit(20)
    assert proxy.fired
    session.driver.close()
    again = opened(destination, log)
    assert again.position == (20 if heard else 10)
    again.transact([(C, 1)] if heard else [(B, 1), (C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


def test_a_session_that_asks_the_log_alone_is_seen(
    proxied: tuple[RealDestination, CuttingProxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    log_trusted(monkeypatch)
    with pytest.raises((AssertionError, SqlError)):
        test_a_connection_that_ends_within_commit_is_asked_about(proxied, heard=True)


def test_a_session_of_a_server_that_has_lost_all_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log_trusted(monkeypatch)
    with pytest.raises(AssertionError):
        test_redis.test_a_server_that_is_killed_is_asked_what_it_has_kept(tmp_path, kept=False)


# 8: a zombie has locked rows, and hangs


@pytest.mark.fault(8)
@pytest.mark.parametrize("destination", ["postgres", "mysql"], indirect=True)
def test_rows_that_a_session_has_locked_do_not_hold_up_the_next(destination: RealDestination) -> None:
    log = RecoveryLog()
    zombie = opened(destination, log)
    zombie.transact([(A, 1), (B, 1)], 10)
    zombie.store([(A, -1), ((1, "never"), 1)], 19)
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(_committed_twice, destination, _copied(log))
        try:
            live = done.result(_LOCKED_S)
        except TimeoutError:
            zombie.driver.close()
            raise
    with pytest.raises(SqlError):
        zombie.start_commit(20)
    live.transact([(C, 1)], 40)
    assert destination.read() == Counter([(1, "twice"), B, C])


def _committed_twice(destination: RealDestination, log: RecoveryLog) -> DriverSession:
    live = opened(destination, log)
    live.transact([(A, -1), ((1, "once"), 1)], 20)
    live.transact([((1, "once"), -1), ((1, "twice"), 1)], 30)
    return live


# 9: a zombie has moved the checkpoint, and not committed


class _Held:
    """A connection that waits where it is to commit."""

    def __init__(self, inner: Any, reached: threading.Event, goes_on: threading.Event) -> None:
        self._inner, self._reached, self._goes_on = inner, reached, goes_on

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def execute(self, query: Any, *told: Any) -> Any:
        if query == "COMMIT":
            self._reached.set()
            assert self._goes_on.wait(_WAIT_S)
        return self._inner.execute(query, *told)


def hold(session: DriverSession, reached: threading.Event, goes_on: threading.Event) -> None:
    driver = session.driver
    if isinstance(driver, MysqlDriver):
        execute = driver._execute

        def held(query: str, *told: Any) -> Any:
            if query == "COMMIT":
                reached.set()
                assert goes_on.wait(_WAIT_S)
            return execute(query, *told)

        setattr(driver, "_execute", held)  # noqa: B010
    else:
        assert isinstance(driver, PostgresDriver | SqliteDriver)
        driver._connected = _Held(driver._connected, reached, goes_on)  # type: ignore[assignment]


def ended_or_answered(committed: Future[StartedCommit]) -> None:
    """Waits for a commit that another session waits for. It is then there, even if its session was ended silently."""
    with suppress(SqlError):
        committed.result(_WAIT_S)


def waits(destination: RealDestination, opens: Future[Any]) -> bool:
    """Returns whether `opens` waits. PostgreSQL tells who waits for a lock, so that a busy machine hides nothing; in
    other destinations what has not ended after a while counts as waiting."""
    if not isinstance(destination.place, PostgresTable) or destination.execute is None:
        return not wait([opens], 0.3).done
    while not opens.done():
        if destination.execute("SELECT 1 FROM pg_locks WHERE NOT granted"):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.fault(9)
@tables
def test_a_session_that_is_about_to_commit_is_waited_for_and_heard(destination: RealDestination) -> None:
    log, reached, goes_on = RecoveryLog(), threading.Event(), threading.Event()
    zombie = opened(destination, log)
    zombie.transact([(A, 1)], 10)
    zombie.store([(B, 1)], 19)
    hold(zombie, reached, goes_on)
    with ThreadPoolExecutor(2) as pool:
        committed = pool.submit(zombie.start_commit, 20)
        assert reached.wait(_WAIT_S)
        opens: Future[DriverSession] = pool.submit(opened, destination, RecoveryLog(log.frontier, dict(log.state)))
        waited = waits(destination, opens)
        goes_on.set()
        ended_or_answered(committed)
        live = opens.result(_WAIT_S)
    assert waited and live.position == 20
    live.transact([(C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


# 10: many sessions open at once

_AT_ONCE = 4
_TRIES = 20


@pytest.mark.fault(10)
@fenced
def test_of_sessions_that_open_at_once_one_commits(destination: RealDestination) -> None:
    drivers = [destination.driver() for _ in range(_AT_ONCE)]
    sessions: queue.SimpleQueue[DriverSession] = queue.SimpleQueue()
    begin = threading.Barrier(_AT_ONCE)

    def open_one(at: int) -> None:
        """As a replica does: again after a failure, which those that open at the same time may cause."""
        begin.wait(_WAIT_S)
        for _ in range(_TRIES):
            with suppress(SqlError):
                sessions.put(DriverSession(drivers[at], sink_into(destination.place), RecoveryLog()))
                return

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(open_one, range(_AT_ONCE)))
    assert sessions.qsize() == _AT_ONCE
    committed: list[Row] = []
    while not sessions.empty():
        session = sessions.get()
        row = (len(committed) + 10 * sessions.qsize(), "a")
        with suppress(SqlError):
            session.acknowledge()
            session.transact([(row, 1)], 10)
            committed.append(row)
    assert len(committed) == 1
    assert destination.read() == Counter(committed)


# 12: another sink's checkpoint


def _another_place(place: SinkPlace) -> SinkPlace:
    """A table beside."""
    if isinstance(place, SqliteTable):
        return replace(place, table="u")
    assert isinstance(place, PostgresTable | MysqlTable)
    return replace(place, table=(*place.table[:-1], "u"))


@pytest.mark.fault(12)
@tables
def test_another_sinks_checkpoint_is_its_own(destination: RealDestination) -> None:
    assert destination.execute is not None
    destination.execute("DROP TABLE IF EXISTS u")
    here = destination.place
    destination.place = _another_place(here)
    other_log = RecoveryLog()
    other = opened(destination, other_log, "other")
    other.transact([(C, 1)], 7)
    other.driver.close()
    query = f"SELECT sink, fence, frontier FROM {fences.CHECKPOINTS} WHERE sink = 'other'"
    row = destination.execute(query)
    destination.place = here
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.driver.close()
    opened(destination, log, anew=True).transact([(B, 1)], 20)
    assert destination.execute(query) == row
    destination.place = _another_place(here)
    assert opened(destination, other_log, "other").position == 7
    assert Counter(map(tuple, destination.execute("SELECT k, v FROM u"))) == Counter([C])


# 13, 14: ranges of keys

_PARENT, _LEFT, _RIGHT = KeyRange(0, 1000), KeyRange(0, 499), KeyRange(500, 1000)


def _ranged(destination: RealDestination, log: RecoveryLog, keys: KeyRange) -> DriverSession:
    session = DriverSession(destination.driver(), sink_into(destination.place), log, keys=keys)
    session.acknowledge()
    return session


def _copied(log: RecoveryLog) -> RecoveryLog:
    return RecoveryLog(log.frontier, dict(log.state))


@pytest.mark.fault(13)
@split
def test_parts_of_a_split_go_on_where_it_stood_and_fence_it_off(destination: RealDestination) -> None:
    log = RecoveryLog()
    parent = _ranged(destination, log, _PARENT)
    parent.transact([(A, 1)], 10)
    left, right = (_ranged(destination, _copied(log), keys) for keys in (_LEFT, _RIGHT))
    assert (left.position, right.position) == (10, 10)
    with pytest.raises(SqlError):
        parent.store([((9, "never"), 1)], 19)
        parent.start_commit(20)
    parent.driver.close()
    left.transact([(B, 1)], 20)
    right.transact([(C, 1)], 30)
    assert destination.read() == Counter([A, B, C])


@pytest.mark.fault(14)
@split
def test_joined_parts_do_not_go_on_where_the_whole_once_stood(destination: RealDestination) -> None:
    log = RecoveryLog()
    _ranged(destination, log, _PARENT).transact([(A, 1)], 10)
    left, right = (_ranged(destination, _copied(log), keys) for keys in (_LEFT, _RIGHT))
    left.transact([(B, 1)], 20)
    right.transact([(C, 1)], 30)
    joined = _ranged(destination, log, _PARENT)
    assert joined.position == 0
    for part in (left, right):
        with pytest.raises(SqlError):
            part.store([((9, "never"), 1)], 39)
            part.start_commit(40)
        part.driver.close()
    joined.transact([(A, 1), (B, 1), (C, 1)], 40)
    joined.driver.close()
    again = _ranged(destination, log, _PARENT)
    assert again.position == 40, "the parts are found again"
    assert destination.read() == Counter([A, B, C])


@pytest.mark.parametrize("destination", ["postgres"], indirect=True)
def test_a_range_does_not_wait_for_ever_for_another_ranges_commit(destination: RealDestination) -> None:
    """The value of a row of one goes to a row of the other, and something came to be unique there."""
    assert destination.execute is not None
    log = RecoveryLog()
    _ranged(destination, log, _PARENT).transact([(A, 1)], 10)
    left, right = (_ranged(destination, _copied(log), keys) for keys in (_LEFT, _RIGHT))
    destination.execute("CREATE UNIQUE INDEX its_value ON t (v)")
    left.store([(A, -1)], 19)
    with ThreadPoolExecutor(1) as pool:
        stored = pool.submit(right.store, [((2, "a"), 1)], 19)
        try:
            with pytest.raises(SqlError) as error:
                stored.result(_LOCKED_S)
        except TimeoutError:
            right.driver.abort()
            raise
    assert error.value.message.endswith("canceling statement due to lock timeout")
    assert "PARALLELISM 1" in (error.value.hint or "")
    left.driver.close()
    right.driver.close()
    assert destination.read() == Counter([A])
    divided = sink_into(destination.place)
    divided = replace(divided, policy=replace(divided.policy, parallelism=2))
    with pytest.raises(SqlError, match="index its_value"):
        DriverSession(destination.driver(), divided, log, keys=_LEFT)


# 17, 23, 24, 37: what is staged, and not yet applied


@pytest.mark.fault(17)
@files
def test_what_is_applied_in_part_is_applied_to_its_end(destination: RealDestination) -> None:
    log = RecoveryLog()
    session = opened(destination, log)
    session.transact([(A, 1)], 10)
    session.ask(FlushLoads())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("connectors.files.driver._FILE_BYTES", 1)
        for row in (B, C):
            session.ask(Store(session.documents([(row, 1)], 19)))
    session.logged(20, session.start_commit(20))
    assert isinstance(session.driver, FilesDriver)
    apply = session.driver.store.apply
    applied: list[Any] = []

    def dying(staged: Any) -> bool:
        if applied:
            raise OSError("the process has ended")
        applied.append(staged)
        return apply(staged)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session.driver.store, "apply", dying)
        with pytest.raises(SqlError):
            session.acknowledge()
    assert applied, "the fault has not come about"
    session.driver.close()
    assert destination.read() in (Counter([A, B]), Counter([A, C]))
    again = opened(destination, log)
    assert destination.read() == Counter([A, B, C])
    again.transact([(B, -1)], 30)
    assert destination.read() == Counter([A, C])


@pytest.mark.fault(23, 37)
@files
def test_what_is_staged_of_a_version_is_not_applied_to_the_next(destination: RealDestination) -> None:
    """Another relation, or BACKFILL: all is written anew, and what waits of before is in what is written."""
    log = RecoveryLog()
    one_staged(destination, log).driver.close()
    again = opened(destination, log, anew=True)
    again.transact([(A, 1), (B, 1), (C, 1)], 30)
    assert destination.read() == Counter([A, B, C])
    again.driver.close()
    opened(destination, log)
    assert destination.read() == Counter([A, B, C])
    assert log.state["version"] == 2


@pytest.mark.fault(24)
@files
def test_of_what_two_sessions_stage_what_the_log_has_is_applied_by_a_third(destination: RealDestination) -> None:
    """There is one split, which nobody applies for; who has staged may be gone all the same."""
    log = RecoveryLog()
    first = opened(destination, log)
    first.transact([(A, 1)], 10)
    second = opened(destination, _copied(log))
    first.store([(B, 1)], 19)
    second.store([(B, 1), (C, 1)], 19)
    first.start_commit(20)
    log.state = merged(log.state, second.start_commit(20).state)
    log.frontier = Timestamp(20)
    first.driver.close()
    second.driver.close()
    third = opened(destination, log)
    assert destination.read() == Counter([A, B, C])
    third.transact([(A, -1)], 30)
    assert destination.read() == Counter([B, C])


# 33: one key in two sinks


@pytest.mark.fault(33)
@tables
def test_a_key_that_two_sinks_have_is_answered_to_each(destination: RealDestination) -> None:
    assert destination.execute is not None
    destination.execute("DROP TABLE IF EXISTS u")
    here, sessions = destination.place, []
    for place, name, row in ((here, "s", (1, "here")), (_another_place(here), "other", (1, "there"))):
        destination.place = place
        session = opened(destination, RecoveryLog(), name)
        session.transact([(row, 1)], 10)
        sessions.append((session, row))
    for session, row in sessions:
        responses = session.ask(Load(rows_to_arrow([(1,), (7,)], relation_desc(("k", INT4)))))
        responses += session.ask(FlushLoads())
        found = [
            each
            for loaded in responses
            if isinstance(loaded, Loaded)
            for each in rows_from_arrow(loaded.documents, DESC)
        ]
        assert found == [row]


# 36: every type through SQLite, and back


@pytest.mark.fault(36)
@pytest.mark.parametrize("type_", VALUES, ids=str)
def test_sqlite_gives_back_what_it_was_given(type_: ScalarType, tmp_path: Path) -> None:
    datums = [*(parse_datum(text, type_) for text in VALUES[type_]), None]
    desc = RelationDesc((ColumnDesc("k", INT4), ColumnDesc('odd "name"', type_)))
    with closing(destinations.sqlite_destination(tmp_path)) as destination:
        session = DriverSession(destination.driver(), sink_into(destination.place, desc=desc), RecoveryLog())
        session.acknowledge()
        session.transact([((k, datum), 1) for k, datum in enumerate(datums)], 10)
        keys = rows_to_arrow([(k,) for k in range(len(datums))], relation_desc(("k", INT4)))
        (loaded,) = session.ask(Load(keys))
    assert isinstance(loaded, Loaded)
    read = {row[0]: row[1] for row in rows_from_arrow(loaded.documents, desc)}
    back = [read[k] for k in range(len(datums))]
    assert [_shown(datum, type_) for datum in back] == [_shown(datum, type_) for datum in datums]


def _shown(datum: Datum, type_: ScalarType) -> str | None:
    return None if datum is None else format_datum(datum, type_)


def test_another_number_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.sqlite.driver.written_text", lambda documents, *_: documents.column(0))
    with pytest.raises(AssertionError):
        test_sqlite_gives_back_what_it_was_given(ScalarType(TypeName.NUMERIC), tmp_path)


# Defects, and what has to see them


def others_left(patch: pytest.MonkeyPatch) -> None:
    """Nobody is ended who hangs."""
    patch.setattr(PostgresDriver, "_end_others", lambda driver, keys: None)
    patch.setattr(MysqlDriver, "_end_others", lambda driver, others: None)
    patch.setattr("tests.connectors.sinks.test_fault_cases._LOCKED_S", 1.0)


def _locks_waited_for(patch: pytest.MonkeyPatch) -> None:
    """PostgreSQL takes 0 for ever."""
    patch.setattr("connectors.postgres.driver._LOCKED_S", 0)


def fence_not_locked(patch: pytest.MonkeyPatch) -> None:
    """The checkpoint is read before others have come to their end."""
    whole = PostgresDriver._on_checkpoints

    def unlocked(driver: PostgresDriver, text: str, *values: object) -> Any:
        return whole(driver, text.replace(" FOR UPDATE", ""), *values)

    patch.setattr(PostgresDriver, "_on_checkpoints", unlocked)


def _one_name(patch: pytest.MonkeyPatch) -> None:
    """All sinks are one."""
    patch.setattr(test_drivers, "sink_into", lambda place, **told: sink_into(place, **(told | {"name": "one"})))


def _ranges_ignored(patch: pytest.MonkeyPatch) -> None:
    def opened_at(keys: KeyRange, rows: Iterable[fences.SplitCheckpoint]) -> fences.SplitCheckpoint:
        own = [row for row in rows if row.keys == keys]
        return own[0] if own else fences.SplitCheckpoint(keys, 1, Timestamp(0))

    for system in ("sqlite", "postgres", "mysql", "redis", "dynamodb"):
        patch.setattr(f"connectors.{system}.driver.opened_at", opened_at)


def _applied_only_whole(patch: pytest.MonkeyPatch) -> None:
    """What is in part applied counts as applied."""
    whole = FilesDriver._open

    def open_(self: FilesDriver, request: Any) -> Any:
        found = whole(self, request)
        store: FileStore = self.store
        if self._staged and store.apply(self._staged[0]):
            self._staged = []
        return found

    patch.setattr(FilesDriver, "_open", open_)


def _versions_mixed(patch: pytest.MonkeyPatch) -> None:
    """What waits of a version is applied to the next."""
    whole = FilesDriver._open

    def open_(self: FilesDriver, request: Any) -> Any:
        return whole(self, replace(request, anew=False))

    patch.setattr(FilesDriver, "_open", open_)


def _all_that_is_hidden(patch: pytest.MonkeyPatch) -> None:
    """What is staged is not looked at."""
    whole = FilesDriver._open

    def open_(self: FilesDriver, request: Any) -> Any:
        return whole(self, replace(request, state={}))

    patch.setattr(FilesDriver, "_open", open_)


Defect = Callable[[pytest.MonkeyPatch], None]
_SEEN_BY: list[tuple[Defect, Callable[..., None], list[str]]] = [
    (others_left, test_rows_that_a_session_has_locked_do_not_hold_up_the_next, ["postgres", "mysql"]),
    (_locks_waited_for, test_a_range_does_not_wait_for_ever_for_another_ranges_commit, ["postgres"]),
    (fence_not_locked, test_a_session_that_is_about_to_commit_is_waited_for_and_heard, ["postgres"]),
    (fence_unchecked, test_of_sessions_that_open_at_once_one_commits, [*TABLES, "redis", "iceberg"]),
    (_one_name, test_another_sinks_checkpoint_is_its_own, TABLES),
    (_ranges_ignored, test_parts_of_a_split_go_on_where_it_stood_and_fence_it_off, [*TABLES, "redis", "dynamodb"]),
    (_ranges_ignored, test_joined_parts_do_not_go_on_where_the_whole_once_stood, [*TABLES, "redis", "dynamodb"]),
    (_applied_only_whole, test_what_is_applied_in_part_is_applied_to_its_end, FILES),
    (_versions_mixed, test_what_is_staged_of_a_version_is_not_applied_to_the_next, ["json", "bucket"]),
    (_all_that_is_hidden, test_of_what_two_sessions_stage_what_the_log_has_is_applied_by_a_third, ["json", "bucket"]),
]


@pytest.mark.parametrize(
    ("defect", "test", "kind"), [(defect, test, kind) for defect, test, kinds in _SEEN_BY for kind in kinds]
)
def test_a_planted_defect_is_seen(
    defect: Defect,
    test: Callable[..., None],
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(made(kind, tmp_path, request)) as destination:
        defect(monkeypatch)
        with pytest.raises((AssertionError, pytest.fail.Exception, SqlError, TimeoutError)):
            test(destination)
