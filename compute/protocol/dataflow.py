"""Dataflows: inputs, computation, and destinations of the results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from connectors.sinks.description import SinkDescription
from connectors.sources.description import IngestionDescription
from model.ids.global_id import GlobalId
from model.text.copy_options import CheckedCopyOptions
from model.time.antichain import Antichain
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Import:
    """A collection that a plan's Get of `id` reads: its shard and its columns.

    `fallible`: the shard has one more column after these, the text `err`. Rows with an `err` are the collection's
        errors (their other columns are NULL), and no rows of the Get.
    `error_at`: the place of `err` when columns were added to the shard after `err`; the column is NULL in all rows of
        the Get, and nobody asks for it.
    `counted`: the shard lacks the last of these columns, an int8 with the multiplicity of the shard's row. Each
        distinct row of the shard is a single row of the Get.
    `written`: updates of the asking transaction that the shard does not have yet, as an Arrow stream of the columns and
        `diff`. They are summed with the shard's own; rows are equal when their stored bytes are.
    `staged`: more such updates, in parts of the shard that no state of it names: persist's Part, packed.
    `created`: the asking transaction has created the collection, so there is no shard yet.
    """

    id: GlobalId
    shard: str
    desc: RelationDesc
    fallible: bool = False
    counted: bool = False
    error_at: int | None = None
    written: bytes | None = None
    staged: tuple[bytes, ...] = ()
    created: bool = False

    @property
    def own(self) -> bool:
        """Returns whether nobody but the asking transaction sees these contents."""
        return self.created or self.written is not None or bool(self.staged)

    @property
    def stored(self) -> RelationDesc | None:
        """Returns the columns to read from the shard, which may have more columns by now; None for all."""
        if self.counted:
            return None
        if not self.fallible:
            return self.desc
        columns = tuple(ColumnDesc(column.name, column.type) for column in self.desc.columns)
        return RelationDesc(columns if self.error_at is not None else (*columns, ColumnDesc("err", TEXT)))


@dataclass(frozen=True, slots=True)
class IndexImport:
    """An index that a plan's Get of `id` reads whole: the collection of an IndexExport, and its columns."""

    id: GlobalId
    index: GlobalId
    desc: RelationDesc


class PieceForm(StrEnum):
    """The form of the pieces of a file."""

    PARQUET = "parquet"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class LineForm:
    """Lines of COPY's text or CSV, in the styles of a session. Where the options ask for a header, each piece has
    one if pieces are `headed`."""

    options: CheckedCopyOptions
    headed: bool
    time_zone: str
    date_style: str
    interval_style: str
    extra_float_digits: int
    bytea_output: str


@dataclass(frozen=True, slots=True)
class PiecesAsked:
    """Asks for an answer as pieces of a file, which tasks write to `directory`; `desc` names the columns."""

    directory: str
    desc: RelationDesc
    form: PieceForm | LineForm


@dataclass(frozen=True, slots=True)
class IndexExport:
    """An arrangement of the object `on` by scalars over its columns, which the replica keeps for PeekIndex."""

    id: GlobalId
    on: GlobalId
    key: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class ShardExport:
    """The object `on`, written to a shard as its times complete.

    `desc` describes the shard: the object's columns, all nullable, then the text `err`, which holds the dataflow's
    errors as rows ("SQLSTATE message"; the other columns are NULL).
    """

    id: GlobalId
    on: GlobalId
    shard: str
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class SubscribeExport:
    """The object `on`, sent to the environment as SubscribeBatches.

    With `with_snapshot`, the contents at as_of come first, as updates at as_of; without, only updates after as_of do.
    At most `window` batches are out that are not acknowledged.
    """

    id: GlobalId
    on: GlobalId
    with_snapshot: bool
    window: int = 8


Export = IndexExport | ShardExport | SubscribeExport


@dataclass(frozen=True, slots=True)
class DataflowDescription:
    """A dataflow: imports, objects to compute, exports to keep.

    `objects` are built in order; each may Get imports and earlier objects. `exports` give the destinations of objects
    (or imports); each is tracked by its own frontiers, under its own id. At most one export is a shard: a dataflow that
    begins anew begins at the end of its shard. Updates at or after `until` need not be produced.

    `as_of` is the time from which the exports are to be readable; it must not be before any import's since. (A replica
    that lost its state may find the imports compacted beyond as_of meanwhile: it then begins at the latest of their
    sinces, and reports that time as the exports' since.)
    """

    imports: tuple[Import, ...]
    objects: tuple[tuple[GlobalId, Relation], ...]
    exports: tuple[Export, ...]
    as_of: Antichain
    until: Antichain

    @property
    def export_ids(self) -> tuple[GlobalId, ...]:
        return tuple(export.id for export in self.exports)


Installed = DataflowDescription | IngestionDescription | SinkDescription
"""What a replica runs."""
