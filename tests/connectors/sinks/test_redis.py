"""What is Redis's own: names of keys, types, a server that undoes nothing, forgets, is full or hangs."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from connectors.redis import driver as redis
from connectors.redis.keys import RedisKeys
from connectors.redis.pieces import APPLY, MOVE
from connectors.redis.redis_connections import RedisSession
from connectors.sinks.fences import CHECKPOINTS
from connectors.sinks.messages import Load, Loaded, StartCommit
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.text.dispatch import format_datum, parse_datum
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import BYTEA, INT4, TEXT, ScalarType, TypeName
from planner.statements.sinks.create_sink import KEY_TYPES
from tests.connectors.sinks.destinations import RealDestination, redis_destination
from tests.connectors.sinks.sessions import DESC, DriverSession, RecoveryLog, sink_into
from tests.connectors.sinks.test_types import VALUES
from tests.data_servers import KEPT, RedisServer, run_redis
from tests.ports import free_port

A, B, C = (1, "a"), (2, "b"), (3, "c")


@pytest.fixture
def destination(redis_server: RedisServer) -> Iterator[RealDestination]:
    with closing(redis_destination(redis_server)) as destination:
        yield destination


def opened(
    destination: RealDestination,
    desc: RelationDesc = DESC,
    log: RecoveryLog | None = None,
    *,
    key: tuple[int, ...] | None = (0,),
    name: str = "s",
    anew: bool = False,
    target: str = "t",
) -> DriverSession:
    """A session that has acknowledged what there was."""
    assert isinstance(destination.place, RedisKeys)
    destination.place = replace(destination.place, target=target)
    sink = replace(sink_into(destination.place, desc=desc, name=name), key=key)
    session = DriverSession(destination.driver(), sink, RecoveryLog() if log is None else log, anew=anew)
    session.acknowledge()
    return session


def loaded(session: DriverSession, keys: list[Row], desc: RelationDesc) -> list[Row]:
    (found,) = session.ask(Load(rows_to_arrow(keys, relation_desc(("k", desc.types[0])))))
    assert isinstance(found, Loaded)
    return [*rows_from_arrow(found.documents, desc)]


# Values and keys


@pytest.mark.in_part(4)
@pytest.mark.parametrize("type_", VALUES, ids=str)
def test_redis_gives_back_what_it_was_given(type_: ScalarType, redis_server: RedisServer) -> None:
    datums = [*(parse_datum(text, type_) for text in VALUES[type_]), None]
    wanted = [None if datum is None else format_datum(datum, type_) for datum in datums]
    desc = RelationDesc((ColumnDesc("k", INT4), ColumnDesc("odd 'ü' *", type_)))
    with closing(redis_destination(redis_server, desc)) as destination:
        session = opened(destination, desc)
        session.transact([((k, datum), 1) for k, datum in enumerate(datums)], 10)
        session.transact([((1000, datums[0]), 1), *(((k, d), -1) for k, d in enumerate(datums))], 20)
        session.transact([((1000, datums[0]), -1), *(((k, d), 1) for k, d in enumerate(datums))], 30)
        read = {row[0]: row[1] for row in loaded(session, [(k,) for k in range(len(datums) + 1)], desc)}
        assert len(read) == len(datums)
        back = [read[k] for k in range(len(datums))]
        assert [None if datum is None else format_datum(datum, type_) for datum in back] == wanted
        held = redis_server.hashes("t:*")
        shown = [held[f"t:{k}".encode()].get("odd 'ü' *".encode()) for k in range(len(datums))]
        if type_.name is TypeName.BYTEA:
            assert shown == datums
        else:
            assert shown == [None if text is None else text.encode() for text in wanted]


@pytest.mark.in_part(4)
@pytest.mark.parametrize("type_", [type_ for type_ in VALUES if type_.name in KEY_TYPES], ids=str)
def test_every_key_is_found_again(type_: ScalarType, redis_server: RedisServer) -> None:
    keys = [parse_datum(text, type_) for text in VALUES[type_]]
    desc = RelationDesc((ColumnDesc("k", type_), ColumnDesc("v", TEXT)))
    with closing(redis_destination(redis_server, desc)) as destination:
        session = opened(destination, desc)
        session.transact([((key, "a"), 1) for key in keys], 10)
        session.transact([change for key in keys for change in (((key, "a"), -1), ((key, "b"), 1))], 20)
        assert destination.read() == Counter((key, "b") for key in keys)
        session.transact([((key, "b"), -1) for key in keys], 30)
        assert not destination.read()


def test_keys_of_several_columns_are_told_apart(redis_server: RedisServer) -> None:
    desc = relation_desc(("k", TEXT), ("l", TEXT), ("m", BYTEA))
    parts = ["", "a", "A", "a ", ":", "a:", ":a", "\\", "\\:", "a\\", "ä"]
    rows = [(one, other, more) for one in parts for other in parts for more in (b"", b":", b"\xff")]
    with closing(redis_destination(redis_server, desc)) as destination:
        session = opened(destination, desc, key=(0, 1, 2))
        session.transact([(row, 1) for row in rows], 10)
        assert destination.read() == Counter(rows)
        assert b"t:a\\::\\\\:\\\\x" in redis_server.hashes("t:*")
        session.transact([(row, -1) for row in rows[1:]], 20)
        assert destination.read() == Counter(rows[:1])


def test_what_is_null_is_no_field(destination: RealDestination, redis_server: RedisServer) -> None:
    session = opened(destination)
    session.transact([((1, None), 1), (B, 1)], 10)
    session.transact([(B, -1), ((2, None), 1)], 20)
    assert redis_server.hashes("t:*") == {b"t:1": {b"k": b"1"}, b"t:2": {b"k": b"2"}}
    session.transact([((1, None), -1), ((1, ""), 1)], 30)
    assert redis_server.hashes("t:1") == {b"t:1": {b"k": b"1", b"v": b""}}


def test_a_transaction_of_any_size_is_one(destination: RealDestination, redis_server: RedisServer) -> None:
    """20 MB, and 20,000 documents, none of which comes alone."""
    session = opened(destination)
    long = [((k, str(k) + "x" * 1_000_000), 1) for k in range(20)]
    short = [((k, str(k)), 1) for k in range(20, 20_000)]
    session.transact([*long, *short], 10)
    assert redis_server.ask("DBSIZE") == 20_001
    assert redis_server.ask("HSTRLEN", "t:19", "v") == 1_000_002
    session.transact([(row, -1) for row, _ in (*long, *short[1:])], 20)
    assert destination.read() == Counter([(20, "20")])


# What is there, and whose it is


def test_a_lost_checkpoint_means_to_begin_anew(destination: RealDestination, redis_server: RedisServer) -> None:
    """All keys of the sink's go that are no more, and no others."""
    log = RecoveryLog()
    session = opened(destination, log=log, target="t[1]*")
    session.transact([((k, "a"), 1) for k in range(5_000)], 10)
    session.driver.close()
    for other in ("t[1]*", "t1:1", "t[1]x:1", "t[1]x", "tt[1]*:1"):
        redis_server.ask("SET", other, "x")
    redis_server.ask("DEL", CHECKPOINTS)
    again = opened(destination, log=log, target="t[1]*")
    assert again.position == 0
    assert redis_server.ask("DBSIZE") == 5_000 + 5 + 1
    again.transact([(B, 1), (C, 1)], 20)
    assert redis_server.ask("DBSIZE") == 2 + 5 + 1
    assert redis_server.hashes("t\\[1\\]\\*:*") == {
        b"t[1]*:2": {b"k": b"2", b"v": b"b"},
        b"t[1]*:3": {b"k": b"3", b"v": b"c"},
    }


@pytest.mark.parametrize("key", [(0,), None], ids=["hashes", "stream"])
def test_what_no_sink_wrote_is_not_replaced(
    destination: RealDestination, redis_server: RedisServer, key: tuple[int, ...] | None
) -> None:
    for made in (("HSET", "t:5", "k", "5"), ("XADD", "t", "*", "k", "5")):
        redis_server.ask(*made)
    with pytest.raises(SqlError, match="not empty"):
        opened(destination, key=key)
    assert not redis_server.ask("EXISTS", CHECKPOINTS)


@pytest.mark.parametrize("target", ["t", "t:x", "t:x:y", "t:"])
def test_two_sinks_never_write_the_same_keys(destination: RealDestination, target: str) -> None:
    session = opened(destination, target="t:x" if target == "t" else "t")
    with pytest.raises(SqlError, match="by another sink") as error:
        opened(destination, name="other", target=target)
    assert error.value.detail == 'The sink is "s".'
    opened(destination, name="other", target="tx")
    session.transact([(A, 1)], 10)


def test_the_row_of_a_sink_that_is_no_more_can_be_taken_away(
    destination: RealDestination, redis_server: RedisServer
) -> None:
    opened(destination)
    with pytest.raises(SqlError) as error:
        opened(destination, name="other")
    assert error.value.hint is not None
    field = error.value.hint.split('"')[1]
    assert redis_server.ask("HDEL", CHECKPOINTS, field) == 1
    opened(destination, name="other").transact([(A, 1)], 10)
    assert destination.read() == Counter([A])


def test_sinks_that_commit_at_once_do_not_keep_others_from_opening(destination: RealDestination) -> None:
    ended, other = threading.Event(), opened(destination, name="other", target="other")

    def commit() -> None:
        frontier = 10
        while not ended.is_set():
            other.transact([], frontier)
            frontier += 1

    committing = threading.Thread(target=commit)
    committing.start()
    try:
        log = RecoveryLog()
        for frontier in range(10, 300, 10):
            session = opened(destination, log=log)
            session.transact([((frontier, "a"), 1)], frontier)
            session.driver.close()
    finally:
        ended.set()
        committing.join()
    assert len(destination.read()) == 29


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (("maxmemory-policy", "allkeys-lru"), "its maxmemory-policy is allkeys-lru"),
        (("cluster-enabled", "yes"), "it is of a cluster"),
    ],
)
def test_servers_that_would_lose_documents_are_refused(tmp_path: Path, settings: tuple[str, str], why: str) -> None:
    ports = ("--cluster-port", str(free_port()))
    with run_redis(tmp_path, f"--{settings[0]}", settings[1], *ports) as server:
        with pytest.raises(SqlError, match=why) as error:
            with closing(redis_destination(server)) as destination:
                opened(destination)
    assert error.value.sqlstate is Sqlstate.FEATURE_NOT_SUPPORTED


def test_old_servers_are_refused(destination: RealDestination, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis, "_VERSION_MIN", 1_000)
    with pytest.raises(SqlError, match="older than Redis"):
        opened(destination)


# What fails


def test_whoever_looks_sees_a_whole_transaction(destination: RealDestination, redis_server: RedisServer) -> None:
    """3,000 documents that are all alike at every moment, though they are sent in pieces."""
    _changed_together(destination, redis_server)


def _changed_together(destination: RealDestination, redis_server: RedisServer) -> None:
    session = opened(destination)
    session.transact([((k, "0"), 1) for k in range(3_000)], 10)
    seen: Counter[int] = Counter()
    ended = threading.Event()

    def look() -> None:
        # One command sees one moment.
        script = (
            "local seen = {} for k = 0, 2999 do seen[redis.call('HGET', 't:' .. k, 'v') or ''] = 1 end"
            " local n = 0 for _ in pairs(seen) do n = n + 1 end return n"
        )
        while not ended.is_set():
            seen[redis_server.ask("EVAL", script, 0)] += 1

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for at in range(1, 12):
            changes = [((k, str(at - 1)), -1) for k in range(3_000)] + [((k, str(at)), 1) for k in range(3_000)]
            session.transact(changes, 10 + at)
    finally:
        ended.set()
        looking.join()
    assert sum(seen.values()) > 3
    assert [*seen] == [1]


def _pieces_alone(patch: pytest.MonkeyPatch) -> None:
    """Nothing holds the pieces of a transaction together."""
    ask = RedisSession.ask
    answers: list[object] = []

    def alone(self: RedisSession, *words: str | bytes | int) -> object:
        if words[0] == "EXEC":
            return [answers.pop()]
        if words[0] != "MULTI":
            answers[:] = [ask(self, *words)]
            return answers[0]
        return b"OK"

    patch.setattr(RedisSession, "ask", alone)


def test_pieces_that_nothing_holds_together_are_seen(
    destination: RealDestination, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _pieces_alone(monkeypatch)
    with pytest.raises(AssertionError):
        _changed_together(destination, redis_server)


@pytest.mark.fault(7)
def test_a_connection_that_ends_within_a_commit_is_asked_about(
    destination: RealDestination, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it was done or not, the next session knows."""
    log = RecoveryLog()
    session = opened(destination, log=log)
    session.transact([(A, 1)], 10)
    ask = RedisSession.ask
    for sent in (True, False):
        with monkeypatch.context() as patch:

            def cut(self: RedisSession, *words: str | bytes | int, sent: bool = sent) -> object:
                if words[0] == "EXEC":
                    if sent:
                        ask(self, *words)
                    self.abort()
                return ask(self, *words)

            session.store([(B, 1) if sent else (C, 1)], 19)
            patch.setattr(RedisSession, "ask", cut)
            with pytest.raises(SqlError) as error:
                session.start_commit(20 if sent else 30)
            assert error.value.sqlstate is Sqlstate.CONNECTION_FAILURE
        session.driver.close()
        session = opened(destination, log=log)
        assert session.position == 20
        assert destination.read() == Counter([A, B])


def test_a_session_never_connects_again_by_itself(destination: RealDestination, redis_server: RedisServer) -> None:
    """The pieces behind would be taken for transactions of their own."""
    log = RecoveryLog()
    session = opened(destination, log=log)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    redis_server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    for _ in range(3):
        with pytest.raises(SqlError):
            list(session.driver.answer(StartCommit(Timestamp(20))))
    with pytest.raises(SqlError) as error:
        session.start_commit(20)
    assert error.value.sqlstate is Sqlstate.CONNECTION_FAILURE
    assert destination.read() == Counter([A])


@pytest.mark.fault(28)
@pytest.mark.parametrize("kept", [True, False])
def test_a_server_that_is_killed_is_asked_what_it_has_kept(tmp_path: Path, kept: bool) -> None:
    with run_redis(tmp_path, *(KEPT if kept else ("--save", ""))) as server:
        with closing(redis_destination(server)) as destination:
            log = RecoveryLog()
            session = opened(destination, log=log)
            session.transact([((k, "a"), 1) for k in range(3_000)], 10)
            server.kill()
            with pytest.raises(SqlError):
                session.transact([(B, 1)], 20)
            session.driver.close()
            with pytest.raises(SqlError):
                opened(destination, log=log)
            server.start()
            again = opened(destination, log=log)
            assert again.position == (10 if kept else 0)
            assert len(destination.read()) == (3_000 if kept else 0)


def test_a_transaction_that_is_cut_in_the_servers_log_is_none(tmp_path: Path) -> None:
    """A machine may end while the server's log is written: what is incomplete there has not been."""
    with run_redis(tmp_path, *KEPT) as server, closing(redis_destination(server)) as destination:
        log = RecoveryLog()
        session = opened(destination, log=log)
        session.transact([((k, "a"), 1) for k in range(3_000)], 10)
        (written,) = (server.directory / "appendonlydir").glob("*.incr.aof")
        whole = written.stat().st_size
        session.transact([((k, "b"), 1) for k in range(3_000, 6_000)], 20)
        session.driver.close()
        server.kill()
        with written.open("r+b") as file:
            file.truncate((whole + written.stat().st_size) // 2)
        server.start()
        again = opened(destination, log=log)
        assert again.position == 10
        assert destination.read() == Counter((k, "a") for k in range(3_000))


def test_documents_that_do_not_fit_into_memory_are_none(
    destination: RealDestination, redis_server: RedisServer
) -> None:
    """A full server refuses all of a transaction, and what is there stays; it goes on once there is room."""
    log = RecoveryLog()
    session = opened(destination, log=log)
    session.transact([((k, "a"), 1) for k in range(3_000)], 10)
    ask = RedisSession.ask
    for full_at in ("MULTI", "EXEC"):

        def fill(self: RedisSession, *words: str | bytes | int, full_at: str = full_at) -> object:
            if words[0] == full_at:
                redis_server.ask("CONFIG", "SET", "maxmemory", "1mb")
            return ask(self, *words)

        session.store([((k, "b" * 100), 1) for k in range(3_000, 9_000)], 19)
        try:
            with pytest.MonkeyPatch.context() as patch, pytest.raises(SqlError, match="used memory > 'maxmemory'"):
                patch.setattr(RedisSession, "ask", fill)
                session.start_commit(20)
            session.driver.close()
            with pytest.raises(SqlError, match="used memory > 'maxmemory'"):
                opened(destination, log=log)
        finally:
            redis_server.ask("CONFIG", "SET", "maxmemory", "0")
        assert destination.read() == Counter((k, "a") for k in range(3_000))
        session = opened(destination, log=log)
        assert session.position == 10


def test_a_step_that_fails_after_all_makes_unknown_how_far_the_sink_is(
    destination: RealDestination, redis_server: RedisServer
) -> None:
    """Who may not write one of the keys: the server undoes nothing, so all is written anew."""
    rights = ("+@all", "%R~*", f"~{CHECKPOINTS}")
    redis_server.ask("ACL", "SETUSER", "writer", "reset", "on", "nopass", *rights)
    log = RecoveryLog()

    def fail(*changes: tuple[Row, int], frontier: int) -> None:
        session = opened(destination, log=log)
        with pytest.raises(SqlError, match="access at least one of the keys"):
            session.transact(changes, frontier)
        session.driver.close()
        (_, row) = redis_server.ask("HGETALL", CHECKPOINTS)
        assert (json.loads(row)["session"], json.loads(row)["frontier"]) == ("", 0)

    try:
        assert isinstance(destination.place, RedisKeys)
        mine = (*destination.place.settings, ("user", "writer"), ("password", "x"))
        destination.place = replace(destination.place, settings=mine)
        redis_server.ask("ACL", "SETUSER", "writer", "%W~t:[0-4]*")
        fail(*(((k, "a"), 1) for k in range(8)), frontier=10)
        assert len(destination.read()) == 5
        redis_server.ask("ACL", "SETUSER", "writer", "%W~t:[0-8]*")
        session = opened(destination, log=log)
        session.transact([((k, "a"), 1) for k in range(8)], 10)
        session.driver.close()
        fail(*(((k, "b"), 1) for k in range(8, 12)), frontier=20)
        redis_server.ask("ACL", "SETUSER", "writer", "allkeys")
        session = opened(destination, log=log)
        assert session.position == 0
        session.transact([((k, "c"), 1) for k in range(10)], 30)
        assert destination.read() == Counter((k, "c") for k in range(10))
    finally:
        redis_server.ask("ACL", "DELUSER", "writer")


def test_a_session_that_hangs_can_be_ended(destination: RealDestination, redis_server: RedisServer) -> None:
    session = opened(destination)
    session.transact([(A, 1)], 10)
    session.store([(B, 1)], 19)
    redis_server.ask("CLIENT", "PAUSE", 60_000, "WRITE")
    failures: list[SqlError] = []

    def commit() -> None:
        try:
            session.start_commit(20)
        except SqlError as error:
            failures.append(error)

    try:
        committing = threading.Thread(target=commit)
        committing.start()
        while b"paused_actions" in redis_server.ask("INFO", "clients") and not _blocked(redis_server):
            time.sleep(0.01)
        session.driver.abort()
        committing.join(20)
        assert not committing.is_alive(), "it hangs"
    finally:
        redis_server.ask("CLIENT", "UNPAUSE")
    assert failures
    assert destination.read() in (Counter([A]), Counter([A, B]))


def _blocked(server: RedisServer) -> bool:
    return b"cmd=exec" in server.ask("CLIENT", "LIST")


# Defects that are put in on purpose, and the test that has to see them.


def _glob_in_names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(redis, "_GLOB", re.compile("(never)(?!)"))


def _row_stays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("connectors.redis.driver.APPLY", APPLY.replace("redis.call('HSET', checkpoints, row, ARGV[3])", ""))


def _undeclared(patch: pytest.MonkeyPatch) -> None:
    """A script that a full server lets begin."""
    patch.setattr("connectors.redis.driver.APPLY", APPLY.replace("#!lua", ""))
    patch.setattr("connectors.redis.driver.MOVE", MOVE.replace("#!lua", ""))


def _connects_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(RedisSession, "_connected", lambda self, connection: connection.on_connect())


@pytest.mark.parametrize(
    ("defect", "test"),
    [
        (_glob_in_names, test_a_lost_checkpoint_means_to_begin_anew),
        (_row_stays, test_a_step_that_fails_after_all_makes_unknown_how_far_the_sink_is),
        (_undeclared, test_documents_that_do_not_fit_into_memory_are_none),
        (_connects_again, test_a_session_never_connects_again_by_itself),
    ],
)
def test_a_defect_of_a_session_is_seen(
    defect: Callable[[pytest.MonkeyPatch], None],
    test: Callable[[RealDestination, RedisServer], None],
    destination: RealDestination,
    redis_server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    defect(monkeypatch)
    with pytest.raises((AssertionError, pytest.fail.Exception, SqlError)):
        test(destination, redis_server)


def test_rows_of_checkpoints_can_be_read(destination: RealDestination, redis_server: RedisServer) -> None:
    session = opened(destination)
    session.transact([(A, 1)], 10)
    ((field, row),) = [redis_server.ask("HGETALL", CHECKPOINTS)]
    assert field == b"s 0-4294967295"
    assert {**json.loads(row), "session": ""} == {
        "sink": "s",
        "target": "t",
        "keys": [0, 4294967295],
        "session": "",
        "frontier": 10,
    }
