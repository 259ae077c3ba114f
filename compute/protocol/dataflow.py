"""Dataflows: what to compute from which collections, and where the results go."""

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
    """A collection that a plan's Get of `id` reads: the shard that holds it, and its columns.

    `fallible`: the shard has one more column after these, the text `err`. Its rows with an `err` are the collection's
    errors (their other columns are NULL), and no rows of the Get. Where columns were added to the shard, `err` may be
    one of these columns, the one at `error_at`: it is NULL in all rows of the Get, and nobody asks for it.

    `counted`: the shard lacks the last of these columns, an int8, which says how often it holds the row. Each of its
    rows is one of the Get, whatever its multiplicity.

    `written`: updates that the shard does not have yet, of the transaction that asks, as an Arrow stream of the
    columns and `diff`. They are summed with the shard's own, so rows are one where their stored bytes are.
    """

    id: GlobalId
    shard: str
    desc: RelationDesc
    fallible: bool = False
    counted: bool = False
    error_at: int | None = None
    written: bytes | None = None

    @property
    def stored(self) -> RelationDesc | None:
        """What is read of the shard; None for all of it. It may have come to have more columns meanwhile."""
        if self.counted:
            return None
        if not self.fallible:
            return self.desc
        columns = tuple(ColumnDesc(column.name, column.type) for column in self.desc.columns)
        return RelationDesc(columns if self.error_at is not None else (*columns, ColumnDesc("err", TEXT)))


@dataclass(frozen=True, slots=True)
class IndexImport:
    """An index that a plan's Get of `id` reads whole: the collection that an IndexExport keeps, and its columns."""

    id: GlobalId
    index: GlobalId
    desc: RelationDesc


class PieceForm(StrEnum):
    """What the pieces of a file hold."""

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
    """An answer as pieces of a file, which tasks write to `directory`; `desc` names its columns."""

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

    `desc` is the shard's: the object's columns, all nullable, then the text `err`, in which the dataflow's errors lie
    as rows ("SQLSTATE message"; the other columns are NULL).
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
    """What to compute and keep.

    `objects` are built in order; each may Get imports and earlier objects. `exports` say where objects (or imports) go;
    each is tracked by its own frontiers, under its own id. At most one is a shard: a dataflow that begins anew begins
    where its shard ends. Updates at or after `until` need not be produced.

    `as_of` is from when the exports are to be readable; it must not be before any import's since. (A replica that
    lost its state of a dataflow may find that the imports have been compacted beyond as_of meanwhile: it then begins at
    the latest of their sinces, and reports that as the exports' since.)
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
