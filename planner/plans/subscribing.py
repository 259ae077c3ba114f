"""SUBSCRIBE's plan: what is shown of a relation's changes, from when to when."""

from __future__ import annotations

from dataclasses import dataclass

from model.types.relation_desc import RelationDesc
from planner.ir.aggregate import SortKey
from planner.ir.query import AsOf
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Earliest:
    """AS OF EARLIEST: the first time at which all inputs can be read."""


@dataclass(frozen=True, slots=True)
class UpTo:
    """UP TO `time`, the end of a SUBSCRIBE, which is exclusive. None is UNTIL LATEST: up to and with all that is
    complete when the subscription begins."""

    time: Scalar | None


@dataclass(frozen=True, slots=True)
class Differences:
    """A row for each update, with its mz_diff. `order`, within each timestamp, sees mz_diff and then the columns."""

    order: tuple[SortKey, ...]


@dataclass(frozen=True, slots=True)
class Upsert:
    """ENVELOPE UPSERT: one row for each key (columns by position) that changes at a timestamp: new values, or a
    deletion.
    """

    keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Debezium:
    """ENVELOPE DEBEZIUM of a SUBSCRIBE: as Upsert, with the values before and after a change."""

    keys: tuple[int, ...]


SubscribeOutput = Differences | Upsert | Debezium


@dataclass(frozen=True, slots=True)
class SubscribePlan:
    """The changes of `relation` over time. `desc` is what the client sees: mz_timestamp, then what `progress` and
    `output` ask for, with the relation's columns. `decimals`: the position of each numeric of the relation whose
    decimals another column tells, and of that column, which the client does not see."""

    relation: Relation
    output: SubscribeOutput
    snapshot: bool
    progress: bool
    as_of: AsOf | Earliest | None
    up_to: UpTo | None
    desc: RelationDesc
    decimals: tuple[tuple[int, int], ...] = ()
