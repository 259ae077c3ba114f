"""A runtime in a few lines, for drivers by themselves: documents from states of a table, and a log in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from connectors.sinks.description import SinkDescription, SinkPlace
from connectors.sinks.documents import changed_documents, keyed_documents
from connectors.sinks.driver import Driver
from connectors.sinks.messages import (
    ALL_KEYS,
    Acknowledge,
    Acknowledged,
    DriverResponse,
    FlushLoads,
    KeyRange,
    Open,
    Opened,
    Request,
    StartCommit,
    StartedCommit,
    Store,
)
from connectors.sinks.ordering import Ordering
from connectors.sinks.recovery_log import merged
from model.external.sinks import SinkPolicy
from model.ids.global_id import GlobalId
from model.time.antichain import MINIMUM
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT
from model.updates.update import Update, updates_to_arrow

DESC = relation_desc(("k", INT4), ("v", TEXT))


def sink_into(
    place: SinkPlace, *, keyed: bool = True, name: str = "s", desc: RelationDesc = DESC, enforced: bool = True
) -> SinkDescription:
    """A sink of all columns, by the first."""
    return SinkDescription(
        sink=GlobalId.user(1),
        name=name,
        input="u2",
        desc=desc,
        fallible=False,
        columns=tuple(range(desc.arity)),
        names=desc.names,
        key=(0,) if keyed else None,
        enforced=enforced,
        place=place,
        policy=SinkPolicy(0, 1000, snapshot=True),
        as_of=MINIMUM,
    )


@dataclass
class RecoveryLog:
    """What is durable of a sink."""

    frontier: Timestamp = Timestamp(0)  # noqa: RUF009 - a number
    state: dict[str, Any] = field(default_factory=dict)


class DriverSession:
    """One session with a driver, held to the rules."""

    def __init__(
        self,
        driver: Driver,
        sink: SinkDescription,
        log: RecoveryLog,
        secrets: Mapping[str, str] | None = None,
        keys: KeyRange = ALL_KEYS,
        *,
        anew: bool = False,
    ) -> None:
        self.driver, self.sink, self.log = driver, sink, log
        self._ordering = Ordering()
        frontier = Timestamp(0) if anew else log.frontier
        (opened,) = self.ask(Open(sink, keys, frontier, log.state, secrets or {}, anew))
        assert isinstance(opened, Opened)
        self.position = frontier if opened.frontier is None else opened.frontier

    def ask(self, request: Request) -> tuple[DriverResponse, ...]:
        self._ordering.requested(request)
        responses = tuple(self.driver.answer(request))
        for response in responses:
            self._ordering.responded(response)
        return responses

    def acknowledge(self) -> None:
        (acknowledged,) = self.ask(Acknowledge())
        assert isinstance(acknowledged, Acknowledged)
        self.log.state = merged(self.log.state, acknowledged.state)

    def store(self, changes: Iterable[tuple[Row, int]], time: int = 0) -> None:
        """Asks for documents of updates, up to where a transaction is committed."""
        self.ask(FlushLoads())
        for documents in (self.documents(changes, time),):
            if documents.num_rows:
                self.ask(Store(documents))

    def documents(self, changes: Iterable[tuple[Row, int]], time: int) -> pa.Table:
        updates = [Update(row, Timestamp(time), diff) for row, diff in changes]
        table = updates_to_arrow(updates, self.sink.desc)
        if self.sink.key is None:
            return changed_documents(table)
        return keyed_documents(table.drop_columns(["time"]), self.sink)

    def start_commit(self, frontier: int) -> StartedCommit:
        (started,) = self.ask(StartCommit(Timestamp(frontier)))
        assert isinstance(started, StartedCommit)
        return started

    def logged(self, frontier: int, started: StartedCommit) -> None:
        """The log has it."""
        self.log.state = merged(self.log.state, started.state)
        self.log.frontier = self.position = Timestamp(frontier)

    def transact(self, changes: Iterable[tuple[Row, int]], frontier: int) -> None:
        """One whole transaction, after an acknowledgement."""
        self.store(changes, frontier - 1)
        self.logged(frontier, self.start_commit(frontier))
        self.acknowledge()
