"""The description of a sink that a replica gets: the collection to read, the destination, and when transactions
close. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from model.external.sinks import SinkEnvelope, SinkPolicy
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.types.decimals_columns import told_decimals
from model.types.relation_desc import RelationDesc


class SinkPlace(Protocol):
    """A destination, as a replica is told of it: plain data, of a class that its system has."""

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """The settings whose values are secrets, by the secrets' ids."""


@runtime_checkable
class EnvelopedPlace(Protocol):
    """A destination of messages."""

    @property
    def envelope(self) -> SinkEnvelope:
        """The contents of a message."""


@dataclass(frozen=True, slots=True)
class SinkDescription:
    """A sink to be written by a replica.

    `name`: names the sink in the destination, where other servers may have sinks too
    `input`: the shard of the collection that is read
    `desc`: the collection's columns, the first ones of the shard
    `fallible`: the shard has one more column, with errors, behind the others or at `error_at`
    `columns`, `names`: places of the collection's columns that go into documents, and the columns' names in documents
    `key`: the key's places among the documents' columns; None: every change is a document
    `enforced`: two documents with one key are an error
    `sums`: places of the documents' columns that hold sums of changes
    `generation`: how often the sink was told to write everything anew
    `as_of`: the time from which the input is held
    """

    sink: GlobalId
    name: str
    input: str
    desc: RelationDesc
    fallible: bool
    columns: tuple[int, ...]
    names: tuple[str, ...]
    key: tuple[int, ...] | None
    enforced: bool
    place: SinkPlace
    policy: SinkPolicy
    as_of: Antichain
    sums: tuple[int, ...] = ()
    generation: int = 0
    error_at: int | None = None

    @property
    def documents(self) -> RelationDesc:
        """Describes the documents' columns."""
        named = zip(self.columns, self.names, strict=True)
        return RelationDesc(tuple(replace(self.desc.columns[at], name=name) for at, name in named))

    @property
    def shown(self) -> Mapping[int, int]:
        """Returns, by place among the documents' columns, where the collection tells the decimals of a numeric."""
        told = dict(told_decimals(self.desc.columns))
        return {place: told[at] for place, at in enumerate(self.columns) if at in told}

    @property
    def of_keys(self) -> SinkDescription:
        """Returns the sink reduced to the columns of its key."""
        assert self.key is not None, "it has a key"
        columns, names = (tuple(self.columns[at] for at in self.key), tuple(self.names[at] for at in self.key))
        return replace(self, columns=columns, names=names, key=tuple(range(len(columns))), sums=())

    @property
    def tells_before(self) -> bool:
        """Tells whether a document also carries the previous row of its key (Debezium's `before`)."""
        place = self.place
        return isinstance(place, EnvelopedPlace) and place.envelope is SinkEnvelope.DEBEZIUM and self.key is not None

    @property
    def identity(self) -> str:
        """Names the contents of the destination: when the identity changes, everything is written anew."""
        return f"{self.input}/{self.generation}"

    @property
    def export_ids(self) -> tuple[GlobalId, ...]:
        """Returns the id of the recovery log, whose frontier the controller follows."""
        return (self.sink,)
