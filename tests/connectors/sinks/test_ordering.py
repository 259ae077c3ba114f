"""The protocol's rules: of all that may be said, what is refused at each moment, and in which words."""

from __future__ import annotations

import pyarrow as pa
import pytest

from connectors.sinks.messages import (
    ALL_KEYS,
    Acknowledge,
    Acknowledged,
    DriverResponse,
    Flushed,
    FlushLoads,
    Load,
    Loaded,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from connectors.sinks.ordering import Ordering
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.sinks import SqliteTable
from model.time.timestamp import Timestamp
from tests.connectors.sinks.sessions import sink_into

NOTHING = pa.table({})
OPEN = Open(sink_into(SqliteTable("x", "t")), ALL_KEYS, Timestamp(0), {}, {})
REQUESTS: tuple[Request, ...] = (
    OPEN,
    Acknowledge(),
    Load(NOTHING),
    FlushLoads(),
    Store(NOTHING),
    StartCommit(Timestamp(1)),
)
RESPONSES: tuple[DriverResponse, ...] = (
    Opened(None),
    Acknowledged(),
    Loaded(NOTHING),
    Flushed(),
    StartedCommit(),
)
Message = Request | DriverResponse
ACKNOWLEDGED_LATE: tuple[Message, ...] = (
    OPEN,
    Opened(None),
    Acknowledge(),
    Load(NOTHING),
    Acknowledged(),
    Loaded(NOTHING),
    Load(NOTHING),
    FlushLoads(),
    Loaded(NOTHING),
    Flushed(),
    Store(NOTHING),
    Store(NOTHING),
    StartCommit(Timestamp(1)),
    StartedCommit(),
)
ACKNOWLEDGED_EARLY: tuple[Message, ...] = (
    OPEN,
    Opened(None),
    Acknowledged(),
    Acknowledge(),
    FlushLoads(),
    Flushed(),
    StartCommit(Timestamp(1)),
    StartedCommit(),
    Acknowledge(),
    Acknowledged(),
    FlushLoads(),
)
ALLOWED: dict[tuple[type, ...], set[type]] = {
    (): {Open},
    (Open,): {Opened},
    (Opened,): {Acknowledge, Acknowledged},
    (Acknowledge,): {Load, Acknowledged},
    (Acknowledged,): {Acknowledge},
    (Acknowledge, Acknowledged): {Load, Loaded, FlushLoads},
    (FlushLoads,): {Loaded, Flushed},
    (Flushed,): {Store, StartCommit},
    (StartCommit,): {StartedCommit},
    (StartedCommit,): {Acknowledge, Acknowledged},
}


def say(ordering: Ordering, message: Message) -> None:
    if isinstance(message, Request):
        ordering.requested(message)
    else:
        ordering.responded(message)


def moment(said: tuple[Message, ...]) -> tuple[type, ...]:
    """What of a conversation so far decides what may come next."""
    ends = {Open, Opened, FlushLoads, Flushed, StartCommit, StartedCommit}
    last = next((at for at in reversed(range(len(said))) if type(said[at]) in ends), None)
    if last is None:
        return ()
    both = {type(message) for message in said[last + 1 :]} & {Acknowledge, Acknowledged}
    if type(said[last]) in (Opened, StartedCommit) and both:
        return tuple(each for each in (Acknowledge, Acknowledged) if each in both)
    return (type(said[last]),)


@pytest.mark.fault(30)
@pytest.mark.parametrize("conversation", [ACKNOWLEDGED_LATE, ACKNOWLEDGED_EARLY], ids=["late", "early"])
def test_whatever_may_not_come_is_refused_by_name(conversation: tuple[Message, ...]) -> None:
    for length in range(len(conversation) + 1):
        said = conversation[:length]
        for message in (*REQUESTS, *RESPONSES):
            ordering = Ordering()
            for each in said:
                say(ordering, each)
            if type(message) in ALLOWED[moment(said)]:
                say(ordering, message)
                continue
            with pytest.raises(SqlError, match=f"said {type(message).__name__}, where") as error:
                say(ordering, message)
            assert error.value.sqlstate is Sqlstate.PROTOCOL_VIOLATION
