"""Sources in the catalog: where the records are, how they become rows, how often they are bound."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from catalog.nouns.connections import Connection
from connectors.gauge import Gauge
from connectors.system import SystemSource
from connectors.systems import system_of_source
from connectors.upstream import UpstreamRecords
from model.external.generators import UpstreamTable
from model.external.publications import PublishedTable
from model.external.records import RecordEncoding, registries_of
from model.ids.global_id import GlobalId
from model.ids.written_text import WrittenText
from model.types.column_layout import ColumnLayout, dropped_name, is_dropped_name, plain_layout
from model.types.decimals_columns import visible_layout, with_added_column, with_decimals_columns
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT


@dataclass(frozen=True, slots=True)
class Transactions:
    """The source of the transactions' topic, and a collection's name there."""

    source: GlobalId
    counted_as: str


@dataclass(frozen=True, slots=True)
class Source:
    """A source. The source's id also names the data collection and, in storage, the remap collection.

    `rest`: the text of CREATE SOURCE behind the name
    `transactions`: the source is bound by whole transactions
    `records_max`, `bytes_max`: the limits of a binding, where given
    `cluster`: the oid of the cluster that runs it
    """

    desc: RelationDesc
    records: UpstreamRecords
    encoding: RecordEncoding | UpstreamTable
    interval_ms: int
    retain_history_ms: int | None
    rest: WrittenText
    transactions: Transactions | None = None
    records_max: int | None = None
    bytes_max: int | None = None
    cluster: int = DEFAULT_CLUSTER_OID

    @property
    def connection(self) -> GlobalId | None:
        """The connection to the records; None for a source without a connection."""
        return self.records.connection

    @property
    def system(self) -> SystemSource:
        """The description of the system that is read."""
        return system_of_source(self.records)

    @property
    def gauge(self) -> Gauge:
        """The form of the source's frontiers."""
        return self.system.gauge

    @property
    def kind(self) -> str:
        """The name of the source's kind in the catalog's relations."""
        return self.system.kind

    @property
    def depends_on(self) -> frozenset[GlobalId]:
        """The connections and the source named by the statement."""
        told = None if self.transactions is None else self.transactions.source
        named = (self.connection, told, *_registries_of(self.encoding))
        return frozenset(id_ for id_ in named if id_ is not None)


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table that reads from a source: one more data collection under the same remap collection. A subsource is
    dropped with the source; a table made by CREATE TABLE is not, and `rest` is the text of that statement behind the
    source's name. A table `added` to an existing source has upstream's published table of that time, for a source of
    tables.

    REFRESH keeps the previous published tables in `former`. Columns that it adds are stored behind the existing ones,
    so the column of errors, which is behind the columns that the table had first, ends up between: `desc` has all
    stored columns, the one of errors under the name of a dropped one. `layout` says that this one and the columns of
    decimals are no columns of the table (None: all are).
    """

    desc: RelationDesc
    source_id: GlobalId
    encoding: RecordEncoding | UpstreamTable
    retain_history_ms: int | None
    added: bool = False
    published: PublishedTable | None = None
    rest: WrittenText | None = None
    former: tuple[PublishedTable, ...] = ()
    layout: ColumnLayout | None = None

    @property
    def joins(self) -> int:
        """How often the table is to join the source: once when added, and once per refresh."""
        return int(self.added) + len(self.former)

    @property
    def error_at(self) -> int | None:
        """The position of the stored errors; None: behind all columns."""
        return next((at for at, column in enumerate(self.desc.columns) if is_dropped_name(column.name)), None)

    def refreshed(self, known: PublishedTable, published: PublishedTable) -> SourceTable:
        """Returns the table followed as `published`, which has the columns of `known`, and perhaps more behind them."""
        desc, layout, added = self.desc, self.layout, published.columns[len(known.columns) :]
        if added and self.error_at is None:
            layout = layout or plain_layout(desc.arity)
            desc = RelationDesc((*desc.columns, ColumnDesc(dropped_name(desc.arity + 1), TEXT)))
        for column in added:
            assert layout is not None, "errors are stored among the columns"
            layout = layout.with_added(desc.arity)
            desc = with_added_column(desc, ColumnDesc(column.name, column.type))
        return replace(self, desc=desc, published=published, former=(*self.former, known), layout=layout)

    @property
    def depends_on(self) -> frozenset[GlobalId]:
        """The source, and the registries named by the encoding."""
        return frozenset((self.source_id, *_registries_of(self.encoding)))


def new_source_table(
    desc: RelationDesc, source: GlobalId, encoding: RecordEncoding | UpstreamTable, retain_history_ms: int | None
) -> SourceTable:
    """Returns a new table of a source, whose columns are those of `desc`, and stores their decimals."""
    stored = with_decimals_columns(desc)
    return SourceTable(stored, source, encoding, retain_history_ms, layout=visible_layout(stored))


def _registries_of(encoding: RecordEncoding | UpstreamTable) -> Iterable[GlobalId]:
    return registries_of(encoding) if isinstance(encoding, RecordEncoding) else ()


@dataclass(frozen=True, slots=True)
class SourceProgress:
    """A source progress relation: how far a source is bound. Its id means nothing to storage (source: seed 3)."""

    source_id: GlobalId
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class LeftSlot:
    """A replication slot that a dropped source has left upstream, with all that is needed to drop it. `system`
    identifies the database system; `sealed` are the secrets in the connection's options."""

    slot: str
    system: str
    source: GlobalId
    source_name: str
    connection_id: GlobalId
    connection: Connection
    sealed: tuple[tuple[GlobalId, str], ...]
