"""Messages that have not ended hold a bounded amount together; the connection goes that holds the most."""

from __future__ import annotations

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.pgwire.arriving import Arriving
from tests.server.pgwire.frames import query
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO, Wire

_MIB = 1 << 20


class _Connection:
    def __init__(self) -> None:
        self.ended: SqlError | None = None

    def terminate(self, error: SqlError) -> None:
        self.ended = error


def test_the_largest_goes_when_it_is_too_much() -> None:
    arriving, (small, large, other) = Arriving(100 * _MIB), [_Connection() for _ in range(3)]
    arriving.note(small, 10 * _MIB)
    arriving.note(large, 60 * _MIB)
    arriving.note(other, 29 * _MIB)
    assert [each.ended for each in (small, large, other)] == [None, None, None]
    arriving.note(other, 40 * _MIB)
    assert large.ended is not None and large.ended.sqlstate is Sqlstate.OUT_OF_MEMORY
    arriving.note(other, 80 * _MIB)
    assert small.ended is None and other.ended is None, "what the largest held is free again"


def test_what_was_read_or_went_counts_no_more() -> None:
    arriving, connections = Arriving(100 * _MIB), [_Connection() for _ in range(50)]
    for each in connections:
        arriving.note(each, 90 * _MIB)
        arriving.note(each, 100)
        arriving.note(each, 90 * _MIB)
        arriving.forget(each)
    assert not any(each.ended for each in connections)


def test_a_message_that_is_too_long_by_itself_is_told_so() -> None:
    arriving, (small, long) = Arriving(100 * _MIB), [_Connection() for _ in range(2)]
    arriving.note(small, 10 * _MIB)
    arriving.note(long, 101 * _MIB)
    assert small.ended is None and long.ended is not None
    assert (long.ended.sqlstate, long.ended.message) == (
        Sqlstate.PROGRAM_LIMIT_EXCEEDED,
        f"the message is longer than {100 * _MIB} bytes",
    )


async def test_a_message_that_was_read_counts_no_more_though_its_client_says_nothing_else() -> None:
    arriving, backend = Arriving(3 * _MIB), ToyBackend()
    wires = [Wire(backend, arriving=arriving) for _ in range(3)]
    for each in wires:
        await each.exchange(HELLO)
    for each in wires:
        await each.exchange(query(f"SELECT '{'x' * 2 * _MIB}'"))
    assert not any(each.transport.closed for each in wires)
    for each in wires:
        await each.leave()
