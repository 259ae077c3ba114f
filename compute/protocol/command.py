"""Commands: what the environment tells a replica, in order, over one connection.

    Creation         Hello, CreateInstance
    Initialization   any of the below; then InitializationComplete, at which the replica reconciles
    Computation      CreateDataflow, CreateSources, CreateSinks, Schedule, RenderSources, AllowWrites, AllowCompaction,
                     Peek, PeekIndex, CancelPeek, AcknowledgeRows, AcknowledgeBatches, AdvanceTimeline, Await,
                     TellSecrets, UpdateConfiguration, in any number

Delivery is in order; what a command sets off is asynchronous. Commands up to InitializationComplete are buffered by
the replica: their effect must be as if it had dropped everything and run only them (source: seed 4).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compute.protocol.dataflow import DataflowDescription, Import, IndexImport, PiecesAsked
from connectors.sinks.description import SinkDescription
from connectors.sources.description import IngestionDescription, StorageCollectionId
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
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

    `timeline` is the key of consensus under which the timeline's upper is recorded. `preconditions` are keys of
    consensus with the versions that they must be at when the replica writes: the environment's fence. Those of a
    newer environment replace those of an earlier one.
    """

    consensus_url: str
    blob_url: str
    timeline: str
    preconditions: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class InitializationComplete:
    """The end of what should be running; the replica reconciles, then answers everything that it kept."""


@dataclass(frozen=True, slots=True)
class CreateDataflow:
    """Installs a dataflow; it must not start before Schedule.

    No export may be one of another installed dataflow. The replica reports Frontiers and DataflowStatus for each export
    from then on.
    """

    description: DataflowDescription


@dataclass(frozen=True, slots=True)
class CreateSources:
    """Installs ingestions; none must start before RenderSources.

    No collection may be one of another that is installed. The replica reports Frontiers and DataflowStatus for each
    collection from then on, as for a dataflow's exports; AllowCompaction is about them, too. It must write all
    collections of an ingestion until the last of them is dropped, for they are told one by one. (source: seed 3)
    """

    descriptions: tuple[IngestionDescription, ...]


@dataclass(frozen=True, slots=True)
class CreateSinks:
    """Installs sinks; none must start before Schedule, and none must write before AllowWrites.

    Each is followed by its recovery log, whose id no other may export; AllowCompaction is about that, too.
    """

    descriptions: tuple[SinkDescription, ...]


@dataclass(frozen=True, slots=True)
class TellSecrets:
    """The values of secrets that ingestions and sinks name. The replica must keep them in memory alone.

    Part of no history: told at the beginning of each connection, and when one changes.
    """

    values: tuple[tuple[GlobalId, str], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class RenderSources:
    """The ingestions of these collections may start, and may write, fenced by the instance's preconditions.

    A collection is named by its source and by what it is of it; all of one source's are written together.
    """

    collections: tuple[StorageCollectionId, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The dataflow that exports `id` may start now; its imports are readable at its as_of."""

    id: GlobalId


@dataclass(frozen=True, slots=True)
class AllowWrites:
    """The dataflow that exports `id` may write to shards; until then it must not.

    What it writes must be fenced by the instance's preconditions.
    """

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

    `uuid` must be unused. Every Get of the relation must be imported, from a shard or from an index, and held by the
    environment at `as_of` until the answer is complete. Neither relation nor finishing may have an OuterColumn, a
    Parameter or a SessionValue left. The replica must wait until `indexes` are complete at `as_of`; when the dataflow
    of one has a live error then, the answer is the least one.
    `bytes_max` bounds the answer's size in memory; None does not. `timeout_ms` bounds its work; None does not.

    The replica must answer with any number of PeekRows, then exactly one PeekDone, also when cancelled. It must not
    have more than `window` PeekRows out that are not acknowledged. It may run peeks in any order, and at once.

    With `pieces` it may write the rows to files instead, each once in the files that it names, in their order: then
    the columns of its PeekRows are `file`, the name of one in the directory, and `rows`, how many these are. Files that
    it does not name hold nothing. It must do neither where it does not see the directory: it may be of another machine.
    """

    uuid: str
    relation: Relation
    imports: tuple[Import, ...]
    as_of: Timestamp
    finishing: Finishing
    indexes: tuple[IndexImport, ...] = ()
    bytes_max: int | None = None
    timeout_ms: int | None = None
    window: int = 8
    pieces: PiecesAsked | None = None


@dataclass(frozen=True, slots=True)
class PeekIndex:
    """As Peek, of the index `index`: answered from its arrangement, without a job on Spark.

    `keys` are the rows of key datums, in the types of the index's key, whose rows are wanted; None wants all. They may
    be of the first parts of the key alone, all of as many: then rows whose keys begin so are wanted. A key with a NULL
    finds the rows whose key is NULL there: SQL's equality is for the environment to see to. `finishing` orders by
    columns only; its limit and offset are literals. The environment holds the index at `as_of`.

    `numbered`: several questions in one. The answer has one more column, behind the others: the place in `keys` of each
    row's key (int64). The finishing is then a projection alone.

    The replica must wait until the index is complete at `as_of`. When the dataflow has a live error then, the answer is
    the least one. It fails (55000) when the index can't be read at `as_of` any more.
    """

    uuid: str
    index: GlobalId
    keys: tuple[Row, ...] | None
    as_of: Timestamp
    finishing: Finishing
    numbered: bool = False
    bytes_max: int | None = None
    timeout_ms: int | None = None
    window: int = 8


@dataclass(frozen=True, slots=True)
class AcknowledgeBatches:
    """The environment has handed `batches` more SubscribeBatches of `id` on, and there is room for as many.

    May name a subscribe that is already dropped.
    """

    id: GlobalId
    batches: int


@dataclass(frozen=True, slots=True)
class AdvanceTimeline:
    """A hint, not part of any history: all collections of the timeline are complete up to `upper`, durably.

    Sent after every group commit and at the beginning of a connection. The replica must not depend on it: it looks
    at consensus from time to time, so that a lost hint costs only freshness.
    """

    upper: Antichain


@dataclass(frozen=True, slots=True)
class Await:
    """A hint, not part of any history: someone waits until `id` is complete at `time`; its upper should move at once.

    Without it, shards in which nothing changed have their uppers moved together, from time to time.
    """

    id: GlobalId
    time: Timestamp


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
    | CreateSources
    | CreateSinks
    | RenderSources
    | TellSecrets
    | Schedule
    | AllowWrites
    | AllowCompaction
    | Peek
    | PeekIndex
    | AcknowledgeBatches
    | AdvanceTimeline
    | Await
    | AcknowledgeRows
    | CancelPeek
    | UpdateConfiguration
)
