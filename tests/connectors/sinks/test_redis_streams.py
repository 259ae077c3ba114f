"""Changes as entries of a stream of Redis's."""

from __future__ import annotations

import pytest

from connectors.sinks.fences import CHECKPOINTS
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from tests.connectors.sinks import test_redis
from tests.connectors.sinks.destinations import RealDestination
from tests.connectors.sinks.sessions import RecoveryLog
from tests.connectors.sinks.test_redis import A, B, C, opened
from tests.data_servers import RedisServer

destination = test_redis.destination


def streamed(server: RedisServer, key: str = "t") -> list[tuple[bytes, ...]]:
    """The values of a stream's entries, without when they changed."""
    return [tuple(fields[1::2][:2]) + (fields[-1],) for _, fields in server.ask("XRANGE", key, "-", "+")]


def test_changes_are_entries_of_a_stream(destination: RealDestination, redis_server: RedisServer) -> None:
    log = RecoveryLog()
    session = opened(destination, log=log, key=None)
    session.transact([(A, 1), (B, 1)], 10)
    session.transact([(A, -1), ((1, "z"), 1)], 20)
    ((_, fields),) = redis_server.ask("XREVRANGE", "t", "+", "-", "COUNT", 1)
    assert fields == [b"k", b"1", b"v", b"z", b"mz_timestamp", b"19", b"mz_diff", b"1"]
    session.store([(C, 1)], 29)
    session.driver.close()
    assert len(streamed(redis_server)) == 4
    again = opened(destination, log=log, key=None)
    assert again.position == 20
    again.transact([(C, 1)], 30)
    assert streamed(redis_server)[2:] == [(b"1", b"a", b"-1"), (b"1", b"z", b"1"), (b"3", b"c", b"1")]


def test_a_stream_that_is_written_anew_keeps_its_readers(
    destination: RealDestination, redis_server: RedisServer
) -> None:
    log = RecoveryLog()
    session = opened(destination, log=log, key=None)
    session.transact([(A, 1), (B, 1)], 10)
    session.driver.close()
    redis_server.ask("XGROUP", "CREATE", "t", "readers", "$")
    again = opened(destination, log=log, key=None, anew=True)
    assert len(streamed(redis_server)) == 2
    again.transact([(B, 1)], 20)
    assert streamed(redis_server) == [(b"2", b"b", b"1")]
    read = redis_server.ask("XREADGROUP", "GROUP", "readers", "me", "STREAMS", "t", ">")
    assert len(read[0][1]) == 1


def test_a_session_of_a_stream_that_was_taken_over_adds_nothing(
    destination: RealDestination, redis_server: RedisServer
) -> None:
    log = RecoveryLog()
    zombie = opened(destination, log=log, key=None)
    zombie.transact([(A, 1)], 10)
    opened(destination, log=RecoveryLog(log.frontier), key=None).transact([(B, 1)], 20)
    zombie.store([(C, 1)], 29)
    with pytest.raises(SqlError, match="taken over"):
        zombie.start_commit(30)
    assert len(streamed(redis_server)) == 2


@pytest.mark.parametrize("key", ["t", CHECKPOINTS])
def test_a_key_that_is_no_stream_is_refused(destination: RealDestination, redis_server: RedisServer, key: str) -> None:
    redis_server.ask("SET", "t", "something")
    with pytest.raises(SqlError) as error:
        opened(destination, key=None, target=key)
    assert error.value.sqlstate is Sqlstate.DATATYPE_MISMATCH
