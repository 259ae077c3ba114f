"""Plans of statements about sinks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from model.external.sinks import SinkPolicy, SinkTarget
from model.ids.cluster_id import FIRST_CLUSTER
from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName


@dataclass(frozen=True, slots=True)
class CreateSinkPlan:
    """CREATE SINK: writes the changes of `source`.

    `columns`: places of the columns to write
    `key`: places among `columns`; without a key every change is written
    `enforced`: two rows of a key are an error
    `sums`: places of columns in which changes are added up
    `progress`: the name of the sink's progress relation; None: the sink's name and `_progress`
    `cluster`: the oid of the cluster that runs it
    """

    name: QualifiedName
    if_not_exists: bool
    source: GlobalId
    target: SinkTarget
    columns: tuple[int, ...]
    key: tuple[int, ...] | None
    enforced: bool
    policy: SinkPolicy
    sums: tuple[int, ...] = ()
    progress: QualifiedName | None = None
    cluster: int = FIRST_CLUSTER


class SinkCommand(Enum):
    """A command to a sink: pause, resume, or write everything anew."""

    PAUSE = auto()
    RESUME = auto()
    BACKFILL = auto()


@dataclass(frozen=True, slots=True)
class NewSinkSource:
    """SET FROM: what is written from now on; `columns` are places of the columns that there are."""

    id: GlobalId
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NewParallelism:
    """SET (PARALLELISM n): in how many ranges of keys it is written from now on."""

    count: int


@dataclass(frozen=True, slots=True)
class AlterSinkPlan:
    """ALTER SINK. `name` are the parts as written."""

    name: tuple[str, ...]
    if_exists: bool
    action: SinkCommand | NewSinkSource | NewParallelism
