"""Commands: what the environment tells a replica, in order, over one connection.

    Creation         Hello, CreateInstance
    Initialization   any of the below; then InitializationComplete, at which the replica reconciles
    Computation      CreateDataflow, Schedule, AllowWrites, AllowCompaction, Peek, CancelPeek, AcknowledgeRows,
                     UpdateConfiguration, in any number

Delivery is in order; what a command sets off is asynchronous. Commands up to InitializationComplete are buffered by
the replica: their effect must be as if it had dropped everything and run only them (source: seed 4).
"""

from __future__ import annotations

from dataclasses import dataclass

from model.antichain import Antichain
from model.global_id import GlobalId
from model.relation_desc import RelationDesc
from model.timestamp import Timestamp
from planner.ir.relation import Finishing, Relation


@dataclass(frozen=True, slots=True)
class Hello:
    """The first command of a connection.

    `nonce` names the environment's incarnation and must be greater, as text, than that of every earlier incarnation;
    the replica drops the connection whose nonce is not the newest. `version` must be the replica's own (see
    `vocabulary.VERSION`), or the replica answers with a Status that says so and hangs up. `secret` must be the one
    that the replica was started with.
    """

    nonce: str
    version: str
    secret: str


@dataclass(frozen=True, slots=True)
class CreateInstance:
    """Where the data lies; must come second, and once.

    A replica that already has an instance with other locations must not mix the two: it ends, to be started afresh.
    """

    consensus_url: str
    blob_url: str


@dataclass(frozen=True, slots=True)
class InitializationComplete:
    """The end of what should be running; the replica reconciles, then answers everything that it kept."""


@dataclass(frozen=True, slots=True)
class Import:
    """A collection that a plan's Get of `id` reads: the shard that holds it, and its columns."""

    id: GlobalId
    shard: str
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class DataflowDescription:
    """What to compute and keep.

    `objects` are built in order; each may Get imports and earlier objects. `exports` names the objects that others
    may read, each tracked by its frontier. `as_of` must not be before any import's since; updates at or after `until`
    need not be produced.
    """

    imports: tuple[Import, ...]
    objects: tuple[tuple[GlobalId, Relation], ...]
    exports: tuple[GlobalId, ...]
    as_of: Antichain
    until: Antichain


@dataclass(frozen=True, slots=True)
class CreateDataflow:
    """Installs a dataflow; it must not start before Schedule.

    No export may be one of another installed dataflow. The replica reports frontiers for each export from then on.
    """

    description: DataflowDescription


@dataclass(frozen=True, slots=True)
class Schedule:
    """The dataflow that exports `id` may start now; its imports are readable at its as_of."""

    id: GlobalId


@dataclass(frozen=True, slots=True)
class AllowWrites:
    """The dataflow that exports `id` may write to shards; until then it must not."""

    id: GlobalId


@dataclass(frozen=True, slots=True)
class AllowCompaction:
    """Reads of `id` before `frontier` will not come; the frontier must not regress.

    At the empty frontier the replica drops the export, reports the empty frontier, and, with the last export, the
    dataflow; no later command may name the export.
    """

    id: GlobalId
    frontier: Antichain


@dataclass(frozen=True, slots=True)
class Peek:
    """Asks for the rows of `relation` at `as_of`.

    `uuid` must be unused. Every Get of the relation must be imported, and held by the environment at `as_of` until
    the answer is complete. Neither relation nor finishing may have an OuterColumn, a Parameter or a SessionValue left.
    `bytes_max` bounds the answer's size in memory; None does not. `timeout_ms` bounds its work; None does not.

    The replica must answer with any number of PeekRows, then exactly one PeekDone, also when cancelled. It must not
    have more than `window` PeekRows out that are not acknowledged. It may run peeks in any order, and at once.
    """

    uuid: str
    relation: Relation
    imports: tuple[Import, ...]
    as_of: Timestamp
    finishing: Finishing
    bytes_max: int | None = None
    timeout_ms: int | None = None
    window: int = 8


@dataclass(frozen=True, slots=True)
class AcknowledgeRows:
    """The environment has handed `chunks` more PeekRows on, and there is room for as many.

    May name a peek that is already answered.
    """

    uuid: str
    chunks: int


@dataclass(frozen=True, slots=True)
class CancelPeek:
    """The answer is no longer wanted; the replica must stop the work and must still send PeekDone.

    May name a peek that is already answered.
    """

    uuid: str


@dataclass(frozen=True, slots=True)
class UpdateConfiguration:
    """Sets parameters of the whole replica; a later value of one name replaces the earlier.

    Parameters must not change what an answer is, only how it is found: reconciliation hoists them to the front.
    """

    parameters: tuple[tuple[str, str], ...]


Command = (
    Hello
    | CreateInstance
    | InitializationComplete
    | CreateDataflow
    | Schedule
    | AllowWrites
    | AllowCompaction
    | Peek
    | AcknowledgeRows
    | CancelPeek
    | UpdateConfiguration
)
