"""The objects of a catalog, as data. Objects refer to each other by oid or GlobalId, never by name, so that a rename
changes one object only.

A maintained item (an index, a materialized view) has, besides its own id, that of its `collection`, which holds its
present contents: CREATE OR REPLACE keeps the item and gives it another collection, because an id never stands for two
collections.

A view's SQL is bound to the objects that it named at its creation: `references` records the item behind each written
name, and the names of its columns at that time. So renames never change SQL text: a view is planned again in a catalog
where the old names still stand for the same items (`view.BoundCatalogView`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.derived_oids import row_array_oid, row_type_oid
from catalog.nouns.names import quote, quote_all
from catalog.nouns.policies import NO_ROW_SECURITY, RowSecurity
from catalog.nouns.reference import Reference
from catalog.nouns.sinks import Sink, SinkProgress, ViewSink
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from model.ids.global_id import GlobalId
from model.text.dispatch import parse_datum
from model.types.column_layout import ColumnLayout, plain_layout
from model.types.decimals_columns import visible_layout
from model.types.range_types import multirange_of
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT8, EnumType, NamedType, RangeType, ScalarType, TypeName, users_type
from planner.catalog_view import (
    DomainRules,
    GeneratedColumn,
    ItemKind,
    KeyOrder,
    KeyRule,
    OnCommit,
    QualifiedName,
    TableCheck,
)
from planner.function_rules import FunctionRules
from planner.plans.foreign_keys import ForeignKey
from planner.plans.types import RangeOptions
from planner.sequence_rules import Identity, SequenceRules

SUPERUSER_OID = 10
"""The role that a catalog begins with, as in PostgreSQL."""

PUBLIC_OWNER_OID = 6171
"""pg_database_owner, PostgreSQL's own role, which owns every schema `public`."""

SEQUENCE_DESC = relation_desc(("last_value", INT8, False), ("log_cnt", INT8, False), ("is_called", BOOL, False))


@dataclass(frozen=True, slots=True)
class Role:
    """A role. `superuser` implies every other right. `inherit` is the setting with which memberships granted to the
    role begin. `connection_limit` -1 is no limit. `password`, a SCRAM verifier as in pg_authid, lets nobody in after
    `valid_until`, a timestamptz's text in UTC."""

    oid: int
    name: str
    superuser: bool
    createrole: bool
    createdb: bool
    login: bool
    inherit: bool = True
    replication: bool = False
    bypass_row_security: bool = False
    connection_limit: int = -1
    valid_until: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Database:
    """A database; `owner` is a role's oid."""

    oid: int
    name: str
    owner: int


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema; `database` and `owner` are oids."""

    oid: int
    database: int
    name: str
    owner: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    `desc`: all stored columns
    `defaults`: the SQL text of each column's DEFAULT
    `retain_history_ms`: None is the server's default
    `on_commit`: for tables in a temporary schema
    `checks`: by name
    `foreign_keys`: by age
    `layout`: which of the stored columns exist, None for all
    `generated`: the columns whose values are expressions over the row, which stand in `defaults`
    """

    desc: RelationDesc
    defaults: tuple[str | None, ...]
    retain_history_ms: int | None
    create_sql: str
    on_commit: OnCommit = OnCommit.PRESERVE_ROWS
    checks: tuple[TableCheck, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    layout: ColumnLayout | None = None
    row_security: RowSecurity = NO_ROW_SECURITY
    generated: tuple[GeneratedColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A view.

    `create_sql`: the statement as written, complete and qualified, in database `written.database`
    `references`: the items that its names stand for
    `written`: the view's name in `create_sql`
    `query_columns`: the column names that its query gives itself
    `desc`: the columns with their present names
    `options`: of WITH (…), as pg_class.reloptions shows them, which say nothing about the query
    """

    desc: RelationDesc
    create_sql: str
    references: tuple[Reference, ...]
    written: QualifiedName
    query_columns: tuple[str, ...]
    options: tuple[str, ...] = ()

    @property
    def as_invoker(self) -> bool:
        """Tells whether what lies beneath is read by the reader's rights, not by those of the view's owner."""
        value = next((each.partition("=")[2] for each in self.options if each.startswith("security_invoker=")), "off")
        return parse_datum(value, BOOL) is True

    @property
    def check_option(self) -> str | None:
        """Returns which new rows WITH CHECK OPTION holds against conditions: "local" for the view's own, "cascaded" for
        those of all views beneath, too."""
        return next((each.partition("=")[2] for each in self.options if each.startswith("check_option=")), None)


@dataclass(frozen=True, slots=True)
class MaterializedView:
    """A materialized view: a View with a Table's history, and a `collection`, its shard, which the cluster with the oid
    `cluster` maintains. `strict`: its maintenance must never fall back to recomputing."""

    desc: RelationDesc
    create_sql: str
    references: tuple[Reference, ...]
    written: QualifiedName
    query_columns: tuple[str, ...]
    strict: bool
    retain_history_ms: int | None
    collection: GlobalId
    cluster: int = DEFAULT_CLUSTER_OID


@dataclass(frozen=True, slots=True)
class IndexKey:
    """A key of an index. `sql` is the expression as it was written (`b`, `lower(b)`, `(a + 1)`); `column` is the
    position of a plain column."""

    name: str
    type: ScalarType
    sql: str
    column: int | None
    order: KeyOrder = field(default_factory=KeyOrder)


@dataclass(frozen=True, slots=True)
class Index:
    """An index.

    `on`: the indexed relation, by the names that the keys' SQL uses
    `collection`: the arrangement, which the cluster with the oid `cluster` maintains; a key's, `default`
    `rule`: for a unique index, of which PRIMARY KEY and UNIQUE are kinds
    `condition`: the rows that a partial index is about, as SQL: of these alone are the keys unique. The arrangement has
        all rows
    `included`: further columns, which are told, and change nothing: the arrangement has all columns
    `functions`: users' functions in the keys and in the condition
    """

    on: Reference
    keys: tuple[IndexKey, ...]
    retain_history_ms: int | None
    collection: GlobalId
    rule: KeyRule | None = None
    condition: str | None = None
    included: tuple[IndexKey, ...] = ()
    cluster: int = DEFAULT_CLUSTER_OID
    functions: tuple[Reference, ...] = ()

    @property
    def desc(self) -> RelationDesc:
        """Describes the index's columns, under PostgreSQL's names for them."""
        return RelationDesc(tuple(ColumnDesc(key.name, key.type) for key in (*self.keys, *self.included)))

    @property
    def create_sql(self) -> str:
        """The statement as written, without a name."""
        keys = ", ".join(f"({key.sql})" if key.column is None else key.sql for key in self.keys)
        included = f" INCLUDE ({', '.join(key.sql for key in self.included)})" if self.included else ""
        where = "" if self.condition is None else f" WHERE {self.condition}"
        return f"CREATE INDEX ON {quote_all(self.on.name.schema, self.on.name.name)} ({keys}){included}{where}"

    @property
    def references(self) -> tuple[Reference, ...]:
        return (self.on, *self.functions)

    @property
    def written(self) -> QualifiedName:
        return self.on.name


@dataclass(frozen=True, slots=True)
class Enum:
    """An enumerated type. `labels` are in order, each with the position that stands for it in stored rows, for ever."""

    array_oid: int
    labels: tuple[tuple[str, float], ...]

    @property
    def desc(self) -> RelationDesc:
        """A type has no columns."""
        return RelationDesc(())


@dataclass(frozen=True, slots=True)
class Domain:
    array_oid: int
    rules: DomainRules

    @property
    def desc(self) -> RelationDesc:
        """A type has no columns."""
        return RelationDesc(())


@dataclass(frozen=True, slots=True)
class Composite:
    """A composite type. `relation_oid` is the oid of the empty relation that PostgreSQL keeps for the fields."""

    array_oid: int
    relation_oid: int
    fields: tuple[tuple[str, ScalarType], ...]

    @property
    def desc(self) -> RelationDesc:
        """A type has no columns."""
        return RelationDesc(())


@dataclass(frozen=True, slots=True)
class RangeDefinition:
    """A range type. `multirange` names the item of the multirange type."""

    array_oid: int
    subtype: ScalarType
    multirange: NamedType
    options: RangeOptions

    @property
    def desc(self) -> RelationDesc:
        """A type has no columns."""
        return RelationDesc(())


@dataclass(frozen=True, slots=True)
class MultirangeDefinition:
    """The multirange type of a range type, and dropped with the range type."""

    array_oid: int
    range: ScalarType

    @property
    def desc(self) -> RelationDesc:
        """A type has no columns."""
        return RelationDesc(())

    @property
    def range_id(self) -> GlobalId:
        """The item of the range type."""
        assert self.range.range is not None, "a multirange is made of ranges"
        return self.range.range.id


@dataclass(frozen=True, slots=True)
class OwnedBy:
    """The column, by position, with which a sequence is dropped. `identity`: the sequence makes the column's values."""

    table: GlobalId
    column: int
    identity: Identity | None


@dataclass(frozen=True, slots=True)
class SequenceDefinition:
    """A sequence. Its current value is not in the catalog, but kept under `collection`; RESTART gives it another
    collection, so that it begins again, at `first`, when the transaction commits."""

    rules: SequenceRules
    first: int
    owned_by: OwnedBy | None
    collection: GlobalId

    @property
    def desc(self) -> RelationDesc:
        """Describes the columns that can be selected from it."""
        return SEQUENCE_DESC


@dataclass(frozen=True, slots=True)
class FunctionDefinition:
    """A function of a user's. Its body's names are bound as a view's are: `references` are the items behind them, and
    `written` is the function's name at its creation."""

    rules: FunctionRules
    references: tuple[Reference, ...]
    written: QualifiedName

    @property
    def desc(self) -> RelationDesc:
        """A function has no columns."""
        return RelationDesc(())


Type = Enum | Domain | Composite | RangeDefinition | MultirangeDefinition
AccessObject = Secret | Connection | Sink
"""What is needed to reach other systems, or reaches them; PostgreSQL has no such objects, and nobody reads them."""

Definition = (
    Table
    | View
    | MaterializedView
    | Index
    | SequenceDefinition
    | Source
    | SourceProgress
    | SourceTable
    | WebhookSource
    | SinkProgress
    | Type
    | FunctionDefinition
    | AccessObject
)
Maintained = MaterializedView | Index
Computed = MaterializedView | Index | ViewSink
"""What a dataflow of its own keeps, in its collection."""
WrittenDefinition = Table | WebhookSource
"""What the environment itself writes, in its commits."""
_KINDS = {
    Table: ItemKind.TABLE,
    View: ItemKind.VIEW,
    MaterializedView: ItemKind.MATERIALIZED_VIEW,
    Index: ItemKind.INDEX,
    SequenceDefinition: ItemKind.SEQUENCE,
    Source: ItemKind.SOURCE,
    SourceProgress: ItemKind.SOURCE_PROGRESS,
    SourceTable: ItemKind.SOURCE,
    WebhookSource: ItemKind.SOURCE,
    Enum: ItemKind.TYPE,
    Domain: ItemKind.TYPE,
    Composite: ItemKind.TYPE,
    RangeDefinition: ItemKind.TYPE,
    MultirangeDefinition: ItemKind.TYPE,
    FunctionDefinition: ItemKind.FUNCTION,
    Secret: ItemKind.SECRET,
    Connection: ItemKind.CONNECTION,
    Sink: ItemKind.SINK,
    ViewSink: ItemKind.SINK,
    SinkProgress: ItemKind.SINK_PROGRESS,
}


_RowsOfAType = Table | View | MaterializedView | Source | SourceTable | WebhookSource | SourceProgress | SinkProgress
_OBJECT_TYPES = {ItemKind.SOURCE_PROGRESS: "source_progress", ItemKind.SINK_PROGRESS: "sink_progress"}


@dataclass(frozen=True, slots=True)
class Item:
    """An object of a schema. `schema` and `owner` are oids; `created_ms` is the time of its creation, in ms."""

    id: GlobalId
    oid: int
    schema: int
    name: str
    owner: int
    created_ms: int
    definition: Definition

    @property
    def key(self) -> str:
        """Returns what only this item of its schema has: the name, and of a function, whose name others may have, a
        text that is nobody's name."""
        return f"\0{self.oid}" if isinstance(self.definition, FunctionDefinition) else self.name

    @property
    def kind(self) -> ItemKind:
        return _KINDS[type(self.definition)]

    @property
    def object_type(self) -> str:
        """Returns the item's kind as mz_objects.type has it."""
        return _OBJECT_TYPES.get(self.kind, self.kind.value.replace(" ", "-"))

    @property
    def desc(self) -> RelationDesc:
        return self.definition.desc

    @property
    def layout(self) -> ColumnLayout:
        """Tells which of the columns exist, and their numbers."""
        match self.definition:
            case Table() | SourceTable():
                layout = self.definition.layout
            case View() | MaterializedView() | Source():
                layout = visible_layout(self.desc)
            case _:
                layout = None
        return plain_layout(self.desc.arity) if layout is None else layout

    @property
    def numbered_columns(self) -> tuple[tuple[int, int, ColumnDesc], ...]:
        """The number, position and description of each column that exists, in order."""
        return numbered_columns(self.desc, self.layout)

    def column_numbers(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Returns the numbers, from 1, of the columns at these positions."""
        numbers = self.layout.numbers
        return tuple(numbers[at] for at in positions)

    @property
    def depends_on(self) -> frozenset[GlobalId]:
        """Returns the relations, types and secrets that the item's definition names, system relations included."""
        types = frozenset(user.id for type_ in self.named_types if (user := users_type(type_)) is not None)
        if isinstance(self.definition, Connection | WebhookSource):
            return self.definition.secrets
        if isinstance(self.definition, SourceProgress):
            return types | {self.definition.source_id}
        if isinstance(self.definition, SinkProgress):
            return types | {self.definition.sink_id}
        if isinstance(self.definition, Source | SourceTable | Sink):
            return types | self.definition.depends_on
        if isinstance(self.definition, Table | SequenceDefinition | Type | Secret):
            return types
        return types.union(reference.id for reference in self.definition.references)

    @property
    def named_types(self) -> tuple[ScalarType, ...]:
        """The types of which it is made, as declared."""
        match self.definition:
            case Domain(rules=rules):
                return (rules.base,)
            case Composite(fields=fields):
                return tuple(type_ for _, type_ in fields)
            case RangeDefinition(subtype=subtype):
                return (subtype,)
            case MultirangeDefinition(range=range_):
                return (range_,)
            case FunctionDefinition(rules=function):
                return (*(each.type for each in function.parameters), function.result)
            case _:
                return self.desc.types

    @property
    def type(self) -> ScalarType | None:
        """The type that columns of this type have; None for an item that is no type."""
        match self.definition:
            case Enum(array_oid, labels):
                enum = EnumType(self.id, self.oid, array_oid, quote(self.name), labels)
                return ScalarType(TypeName.ENUM, enum=enum)
            case Domain(array_oid, rules):
                return replace(rules.base, domain=NamedType(self.id, self.oid, array_oid, quote(self.name)))
            case Composite(array_oid, _, fields):
                named = NamedType(self.id, self.oid, array_oid, quote(self.name))
                return ScalarType(TypeName.RECORD, fields=fields, composite=named)
            case RangeDefinition(array_oid, subtype, multirange):
                made = RangeType(self.id, self.oid, array_oid, quote(self.name), subtype, multirange)
                return ScalarType(TypeName.RANGE, range=made)
            case MultirangeDefinition(range=range_):
                return multirange_of(range_)
            case _:
                return None

    @property
    def row_type(self) -> ScalarType | None:
        """The type of a relation's rows; None for an item that has no rows, and for one without columns."""
        if not isinstance(self.definition, _RowsOfAType):
            return None
        fields = tuple((column.name, column.type) for _, _, column in self.numbered_columns)
        named = NamedType(self.id, row_type_oid(self.oid), row_array_oid(self.oid), quote(self.name))
        return ScalarType(TypeName.RECORD, fields=fields, composite=named) if fields else None

    @property
    def value_type(self) -> ScalarType | None:
        """The type that columns can be declared of by the item's name: its own, or that of its rows."""
        return self.type or self.row_type

    @property
    def retain_history_ms(self) -> int | None:
        """How much of its past stays readable; None where it has none, or for the server's default."""
        if isinstance(self.definition, View | SequenceDefinition | SourceProgress | SinkProgress | Type | AccessObject):
            return None
        if isinstance(self.definition, FunctionDefinition):
            return None
        return self.definition.retain_history_ms


@dataclass(frozen=True, slots=True)
class HeldObject:
    """A relation in a read hold, and the collections that reading it needs. `replaced`: the relation's contents have
    been replaced since, and nothing of it is held any more."""

    id: GlobalId
    inputs: tuple[GlobalId, ...]
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class ReadHold:
    """A hold that a user has named. `capabilities` names the hold on each collection; storage knows their frontiers
    and expiry. With `lease_ms` None it never expires."""

    oid: int
    name: str
    owner: int
    created_ms: int
    lease_ms: int | None
    objects: tuple[HeldObject, ...]
    capabilities: tuple[tuple[GlobalId, str], ...]


def numbered_columns(desc: RelationDesc, layout: ColumnLayout | None = None) -> tuple[tuple[int, int, ColumnDesc], ...]:
    """Returns the number, position and description of each column that exists, in order."""
    stored = plain_layout(desc.arity).stored if layout is None else layout.stored
    return tuple((number, at, desc.columns[at]) for number, at in enumerate(stored, 1) if at is not None)


def cluster_of(definition: Definition) -> int | None:
    """Returns the oid of the cluster that runs what is defined; None where none does. A table of a source is run with
    its source."""
    return definition.cluster if isinstance(definition, Index | MaterializedView | Source | Sink) else None
