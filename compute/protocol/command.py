"""Commands: the environment sends them to a replica, in order, over one connection.

    Creation         Hello, CreateInstance
    Initialization   any of the below; then InitializationComplete, at which the replica reconciles
    Computation      CreateDataflow, CreateSources, CreateSinks, Schedule, RenderSources, AllowWrites, AllowCompaction,
                     Peek, PeekIndex, CancelPeek, AcknowledgeRows, AcknowledgeBatches, AdvanceTimeline, Await,
                     Rebuild, TellSecrets, Ping, UpdateConfiguration, in any number

Delivery is in order; a command's effect is asynchronous. The replica buffers commands up to InitializationComplete:
their effect must be as if the replica had dropped everything and run only them (source: seed 4).
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
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Hello:
    """The first command of a connection.

    `nonce`: names the environment's incarnation and must be greater, as text, than the nonce of every earlier
        incarnation; the replica drops a connection with an older nonce.
    `version`: must be the replica's own (see `vocabulary.VERSION`), or the replica answers with a Status about the
        mismatch and hangs up.
    `secret`: must be the secret with which the replica was started.
    `client`: names the environment's data, the cluster and the replica in it; while one client is connected, the
        replica refuses any other. Nonces are compared among those of one client.
    """

    nonce: str
    version: str
    secret: str
    client: str


@dataclass(frozen=True, slots=True)
class CreateInstance:
    """The places of the data; must come second, and once.

    A replica that already has an instance with other locations must not mix the two: it ends, to be started afresh.

    `consensus_url`, `blob_url`: the locations.
    `timeline`: the key of consensus with the timeline's upper.
    `preconditions`: keys of consensus with the versions that they must have when the replica writes: the environment's
        fence. A newer environment's preconditions replace those of an earlier environment.
    """

    consensus_url: str
    blob_url: str
    timeline: str
    preconditions: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class InitializationComplete:
    """Ends the description of the wanted state; the replica reconciles, then answers all peeks it kept."""


@dataclass(frozen=True, slots=True)
class CreateDataflow:
    """Installs a dataflow; it must not start before Schedule.

    No export may belong to another installed dataflow. The replica reports Frontiers and DataflowStatus for each export
    from then on.
    """

    description: DataflowDescription


@dataclass(frozen=True, slots=True)
class CreateSources:
    """Installs ingestions; none must start before RenderSources.

    No collection may belong to another installed ingestion. The replica reports Frontiers and DataflowStatus for each
    collection from then on, as for a dataflow's exports; AllowCompaction applies, too. The replica must write all
    collections of an ingestion until the last of them is dropped, because drops arrive one by one. (source: seed 3)
    """

    descriptions: tuple[IngestionDescription, ...]


@dataclass(frozen=True, slots=True)
class CreateSinks:
    """Installs sinks; none must start before Schedule, and none must write before AllowWrites.

    A sink is tracked by its recovery log, whose id nothing else may export; AllowCompaction applies to the log, too.
    """

    descriptions: tuple[SinkDescription, ...]


@dataclass(frozen=True, slots=True)
class TellSecrets:
    """The values of secrets that ingestions and sinks name. The replica must keep them in memory alone.

    Part of no history: sent at the beginning of each connection, and after a change.
    """

    values: tuple[tuple[GlobalId, str], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class RenderSources:
    """The ingestions of these collections may start, and may write, fenced by the instance's preconditions.

    A collection is named by its source and its kind within the source; all collections of a source are written
    together.
    """

    collections: tuple[StorageCollectionId, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """The dataflow that exports `id` may start now; its imports are readable at its as_of."""

    id: GlobalId


@dataclass(frozen=True, slots=True)
class AllowWrites:
    """The dataflow that exports `id` may write to shards; before, it must not.

    Its writes must be fenced by the instance's preconditions.
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
    Parameter or a SessionValue left. The replica must wait until `indexes` are complete at `as_of`; when a dataflow of
    an index has a live error then, the least error is the answer. `bytes_max` bounds the answer's size in memory, and
    `timeout_ms` its work; None means no bound.

    The replica must answer with any number of PeekRows, then exactly one PeekDone, also when cancelled. It must not
    have more than `window` unacknowledged PeekRows out. It may run peeks in any order, and at once.

    With `pieces` the replica may write the rows to files instead, each row once, in the order of the files named: the
    columns of its PeekRows are then `file`, the name of a file in the directory, and `rows`, the number of its rows.
    Files without a name there hold nothing. A replica that can't see the directory, perhaps on another machine, must
    not use files.

    With `traced` the replica should tell in PeekCompleted what Spark's operators did.
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
    traced: bool = False


@dataclass(frozen=True, slots=True)
class Nearest:
    """Asks for the rows of an index whose vector in `column` is nearest to the vector `to`, in its held form.

    `distance` names one of the functions of distances; with `descending` the greatest come first, NaN before all.
    `nulls_first` puts rows without a vector before all others, else they come last. The answer has the first `rows`
    rows that meet the `conditions` over the object's columns, and all that tie with the last of them; it may have more.
    The peek fails (54000) where too many rows would have to be looked at, and for vectors of other dimensions.
    """

    column: int
    distance: str
    to: bytes
    descending: bool
    nulls_first: bool
    rows: int
    conditions: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class PeekIndex:
    """Asks the index `index` like Peek: answered from the arrangement, without a job on Spark.

    `keys` are rows of key datums, in the types of the index's key, whose rows are wanted; None wants all rows. Keys may
    consist of the first parts of the index's key, all of equal length: rows whose keys begin so are wanted. A key with
    a NULL finds rows with a NULL key there: the environment takes care of SQL's equality. `finishing` orders by columns
    only; its limit and offset are literals. The environment holds the index at `as_of`.

    With `numbered`, several questions share the peek: the answer has a further column at the end, the place in `keys`
    of each row's key (int64). The finishing is then a projection alone. So it is with `nearest`, which limits the rows
    with the keys.

    The replica must wait until the index is complete at `as_of`. When the dataflow has a live error then, the least
    error is the answer. The peek fails (55000) when the index can't be read at `as_of` any more.
    """

    uuid: str
    index: GlobalId
    keys: tuple[Row, ...] | None
    as_of: Timestamp
    finishing: Finishing
    numbered: bool = False
    nearest: Nearest | None = None
    bytes_max: int | None = None
    timeout_ms: int | None = None
    window: int = 8


@dataclass(frozen=True, slots=True)
class AcknowledgeBatches:
    """The environment has handed `batches` more SubscribeBatches of `id` on, and there is room for as many.

    `told`: the subscriber has all updates of times before, of whichever replica; what the replica has still to send of
        a tick that ends there it may leave out, but for the end.

    May name a subscribe that is already dropped.
    """

    id: GlobalId
    batches: int
    told: Antichain = field(default_factory=lambda: Antichain.at(0))


@dataclass(frozen=True, slots=True)
class AdvanceTimeline:
    """A hint, not part of any history: all collections of the timeline are complete up to `upper`, durably.

    Sent after every group commit and at the beginning of a connection. The replica must not depend on it: it looks
    at consensus from time to time, so that a lost hint costs only freshness.
    """

    upper: Antichain


@dataclass(frozen=True, slots=True)
class Await:
    """A hint, not part of any history: a reader waits until `id` is complete at `time`, and its upper should move at
    once.

    Without the hint, uppers of unchanged shards move together, from time to time.
    """

    id: GlobalId
    time: Timestamp


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Forgets the kept state of the dataflow that exports the materialized view `id`, and begins it anew from its
    inputs; what its shard holds wrongly is corrected, and told in the measures. Not part of any history: a replica that
    is started anew has lost it."""

    id: GlobalId


@dataclass(frozen=True, slots=True)
class AcknowledgeRows:
    """The environment has handed `chunks` more PeekRows on, and has room for as many.

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
class Ping:
    """A question whether the replica still works, not part of any history: it must answer with Pong, at once."""


PARTITIONS = "headwater.partitions"
"""The parameter of how many tasks work on a large step; 0: as many as there is room for."""
SIBLINGS = "headwater.siblings"
"""The parameter of where the cluster's replicas keep their states (see `siblings`). All others are Spark's."""


@dataclass(frozen=True, slots=True)
class UpdateConfiguration:
    """Sets parameters of the whole replica; a later value of a name replaces the earlier.

    Parameters must not change an answer, only the way to find it: reconciliation hoists them to the front.
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
    | Rebuild
    | AcknowledgeRows
    | CancelPeek
    | Ping
    | UpdateConfiguration
)
