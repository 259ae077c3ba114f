"""Fault cases of the materialization protocol that are a session's own, where two have a range of keys each."""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.dynamodb import driver as dynamodb
from connectors.dynamodb.driver import DynamodbDriver
from connectors.sinks import fences
from connectors.sinks.messages import ALL_KEYS, KeyRange
from model.errors.sql_error import SqlError
from model.types.datum import Row
from tests.connectors.sinks import test_drivers, test_fault_cases
from tests.connectors.sinks.cut_connection import CuttingProxy
from tests.connectors.sinks.destinations import RealDestination, redis_destination
from tests.connectors.sinks.kinds import made
from tests.connectors.sinks.sessions import DriverSession, RecoveryLog, sink_into
from tests.connectors.sinks.test_drivers import A, B, C, fence_unchecked, log_trusted
from tests.connectors.sinks.test_dynamodb import MANY, dies_after
from tests.connectors.sinks.test_fault_cases import ended_or_answered, fence_not_locked, hold, others_left, waits
from tests.data_servers import KEPT, run_redis

destination = test_drivers.destination
proxied = test_fault_cases.proxied
both = pytest.mark.parametrize("destination", ["postgres", "mysql"], indirect=True)
divided = pytest.mark.parametrize("destination", ["postgres", "mysql", "redis", "dynamodb"], indirect=True)
_RANGES = KeyRange(0, 499), KeyRange(500, ALL_KEYS.end)
_WAIT_S = 30.0
_LOCKED_S = 10.0
_AT_ONCE = 4
_TRIES = 20


def _opened(destination: RealDestination, log: RecoveryLog, keys: KeyRange) -> DriverSession:
    known = RecoveryLog(log.frontier, dict(log.state))
    session = DriverSession(destination.driver(), sink_into(destination.place), known, keys=keys)
    session.acknowledge()
    return session


def _divided(destination: RealDestination, log: RecoveryLog) -> tuple[DriverSession, DriverSession]:
    """Sessions of two ranges."""
    left, right = (_opened(destination, log, keys) for keys in _RANGES)
    return left, right


def _begun(destination: RealDestination, log: RecoveryLog) -> tuple[DriverSession, DriverSession]:
    """As the runtime divides: A is there, at 10."""
    whole = DriverSession(destination.driver(), sink_into(destination.place), log)
    whole.acknowledge()
    whole.transact([(A, 1)], 10)
    return _divided(destination, log)


def _close(*sessions: DriverSession) -> None:
    for session in sessions:
        session.driver.close()


@pytest.mark.fault(7)
@pytest.mark.parametrize("heard", [True, False])
def test_a_connection_that_ends_within_a_ranges_commit_is_asked_about(
    proxied: tuple[RealDestination, CuttingProxy], heard: bool
) -> None:
    destination, proxy = proxied
    log = RecoveryLog()
    left, right = _begun(destination, log)
    left.store([(B, 1)], 19)
    right.store([(C, 1)], 19)
    right.start_commit(20)
    proxy.arm(b"COMMIT", heard=heard)
    with pytest.raises(SqlError):
        left.start_commit(20)
    assert proxy.fired
    _close(left, right)
    left, right = _divided(destination, log)
    assert (left.position, right.position) == (20 if heard else 10, 20)
    left.transact([] if heard else [(B, 1)], 20)
    assert destination.read() == Counter([A, B, C])


def test_sessions_that_ask_the_log_alone_are_seen(
    proxied: tuple[RealDestination, CuttingProxy], monkeypatch: pytest.MonkeyPatch
) -> None:
    log_trusted(monkeypatch)
    with pytest.raises((AssertionError, SqlError)):
        test_a_connection_that_ends_within_a_ranges_commit_is_asked_about(proxied, heard=False)


@pytest.mark.fault(8)
@both
def test_rows_that_ranges_have_locked_do_not_hold_up_the_next(destination: RealDestination) -> None:
    log = RecoveryLog()
    zombies = _begun(destination, log)
    zombies[0].store([(A, -1), ((1, "never"), 1)], 19)
    zombies[1].store([((7, "never"), 1)], 19)
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(_committed_by_others, destination, log)
        try:
            left, right = done.result(_LOCKED_S)
        except TimeoutError:
            _close(*zombies)
            raise
    for zombie in zombies:
        with pytest.raises(SqlError):
            zombie.start_commit(20)
    right.transact([(C, 1)], 30)
    assert destination.read() == Counter([(1, "once"), B, C])
    assert (left.position, right.position) == (20, 30)


def _committed_by_others(destination: RealDestination, log: RecoveryLog) -> tuple[DriverSession, DriverSession]:
    left, right = _divided(destination, log)
    left.transact([(A, -1), ((1, "once"), 1)], 20)
    right.transact([(B, 1)], 20)
    return left, right


@pytest.mark.fault(9)
@both
def test_a_range_that_is_about_to_commit_is_waited_for_and_heard(destination: RealDestination) -> None:
    log, reached, goes_on = RecoveryLog(), threading.Event(), threading.Event()
    left, _ = _begun(destination, log)
    left.store([(B, 1)], 19)
    hold(left, reached, goes_on)
    with ThreadPoolExecutor(2) as pool:
        committed = pool.submit(left.start_commit, 20)
        assert reached.wait(_WAIT_S)
        opens: Future[tuple[DriverSession, DriverSession]] = pool.submit(_divided, destination, log)
        waited = waits(destination, opens)
        goes_on.set()
        ended_or_answered(committed)
        others = opens.result(_WAIT_S)
    assert waited and [each.position for each in others] == [20, 10]
    others[1].transact([(C, 1)], 20)
    assert destination.read() == Counter([A, B, C])


@pytest.mark.fault(10)
@divided
def test_of_sessions_of_ranges_that_open_at_once_one_commits_each(destination: RealDestination) -> None:
    """What the first ones have commits, whoever opened the others."""
    log = RecoveryLog()
    _close(*_begun(destination, log))
    sessions: queue.SimpleQueue[tuple[int, DriverSession]] = queue.SimpleQueue()
    begin = threading.Barrier(_AT_ONCE)

    def open_both(at: int) -> None:
        """As a replica does: again after a failure, which those that open at the same time may cause."""
        begin.wait(_WAIT_S)
        for number in (0, 1) if at % 2 else (1, 0):
            for _ in range(_TRIES):
                with suppress(SqlError):
                    sessions.put((number, _opened(destination, log, _RANGES[number])))
                    break

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(open_both, range(_AT_ONCE)))
    assert sessions.qsize() == 2 * _AT_ONCE
    committed: list[tuple[int, Row]] = []
    while not sessions.empty():
        number, session = sessions.get()
        assert session.position in (10, 20)
        row = (100 + sessions.qsize(), "a")
        with suppress(SqlError):
            session.transact([(row, 1)], 20)
            committed.append((number, row))
    assert sorted(number for number, _ in committed) == [0, 1]
    assert destination.read() == Counter([A, *(row for _, row in committed)])


@pytest.mark.fault(11)
@both
def test_ranges_without_a_table_of_checkpoints_begin_anew(destination: RealDestination) -> None:
    log = RecoveryLog()
    left, right = _begun(destination, log)
    left.transact([(B, 1)], 20)
    right.transact([], 20)
    _close(left, right)
    assert destination.execute is not None
    destination.execute(f"DROP TABLE {fences.CHECKPOINTS}")
    log.frontier = left.log.frontier
    left, right = _divided(destination, log)
    assert (left.position, right.position) == (0, 0)
    _close(left, right)
    whole = _opened(destination, log, ALL_KEYS)
    assert whole.position == 0
    whole.transact([(B, 1), (C, 1)], 30)
    assert destination.read() == Counter([B, C])


@pytest.mark.fault(26)
@pytest.mark.parametrize("destination", ["dynamodb"], indirect=True)
def test_a_range_that_dies_between_portions_leaves_parts_of_its_own(
    destination: RealDestination, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next session of the range knows of them, and so does one that has more keys."""
    log = RecoveryLog()
    left, right = _begun(destination, log)
    with monkeypatch.context() as patch:
        dies_after(patch, 2)
        with pytest.raises(SqlError):
            left.transact([(row, 1) for row in MANY[10:]], 20)
    right.transact([], 10)
    _close(left, right)
    assert 1 < len(destination.read()) < len(MANY)
    drivers = [each.driver for each in (*_divided(destination, log), _opened(destination, log, ALL_KEYS))]
    assert [driver.partial for driver in drivers if isinstance(driver, DynamodbDriver)] == [True, False, True]


@pytest.mark.fault(28)
@pytest.mark.parametrize("kept", [True, False])
def test_ranges_of_a_server_that_is_killed_ask_what_it_has_kept(tmp_path: Path, kept: bool) -> None:
    with (
        run_redis(tmp_path, *(KEPT if kept else ("--save", ""))) as server,
        closing(redis_destination(server)) as found,
    ):
        log = RecoveryLog()
        left, right = _begun(found, log)
        left.transact([(B, 1)], 20)
        server.kill()
        with pytest.raises(SqlError):
            right.transact([(C, 1)], 20)
        _close(left, right)
        server.start()
        left, right = _divided(found, log)
        assert (left.position, right.position) == ((20, 10) if kept else (0, 0))
        assert found.read() == (Counter([A, B]) if kept else Counter())


def test_ranges_of_a_server_that_has_lost_all_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log_trusted(monkeypatch)
    with pytest.raises(AssertionError):
        test_ranges_of_a_server_that_is_killed_ask_what_it_has_kept(tmp_path, kept=False)


def _parts_of_nobody(patch: pytest.MonkeyPatch) -> None:
    """What a range has left in parts is not known to those that have its keys later."""
    patch.setattr(dynamodb, "opened_at", lambda keys, rows: replace(fences.opened_at(keys, rows), partial=False))


@pytest.mark.parametrize(
    ("defect", "test", "kind"),
    [
        (others_left, test_rows_that_ranges_have_locked_do_not_hold_up_the_next, "postgres"),
        (others_left, test_rows_that_ranges_have_locked_do_not_hold_up_the_next, "mysql"),
        (fence_not_locked, test_a_range_that_is_about_to_commit_is_waited_for_and_heard, "postgres"),
        (fence_unchecked, test_of_sessions_of_ranges_that_open_at_once_one_commits_each, "postgres"),
        (fence_unchecked, test_of_sessions_of_ranges_that_open_at_once_one_commits_each, "redis"),
        (_parts_of_nobody, test_a_range_that_dies_between_portions_leaves_parts_of_its_own, "dynamodb"),
        (log_trusted, test_ranges_without_a_table_of_checkpoints_begin_anew, "postgres"),
    ],
)
def test_a_planted_defect_is_seen(
    defect: Callable[[pytest.MonkeyPatch], None],
    test: Callable[..., None],
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.connectors.sinks.test_faults_in_ranges._LOCKED_S", 1.0)
    with closing(made(kind, tmp_path, request)) as destination:
        defect(monkeypatch)
        with pytest.raises((AssertionError, SqlError, TimeoutError)):
            test(destination, **({"monkeypatch": monkeypatch} if kind == "dynamodb" else {}))
