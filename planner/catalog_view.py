"""All that the planner sees of the catalog. The catalog room implements it; tests bring their own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from model.external.generators import GeneratorKind
from model.external.publications import Publication
from model.ids.global_id import GlobalId
from model.types.column_layout import ColumnLayout
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType
from planner.function_rules import Definer, FunctionRules, RoutineNames
from planner.sequence_rules import Identity

CLUSTER = "default"
"""The name of the first cluster, where sessions begin, and where keys of tables are kept."""


@dataclass(frozen=True, slots=True)
class QualifiedName:
    """An object's full name; every part is as PostgreSQL folds it."""

    database: str
    schema: str
    name: str

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


class ItemKind(StrEnum):
    TABLE = "table"
    VIEW = "view"
    MATERIALIZED_VIEW = "materialized view"
    INDEX = "index"
    SEQUENCE = "sequence"
    SOURCE = "source"
    SINK = "sink"
    SOURCE_PROGRESS = "source progress relation"
    SINK_PROGRESS = "sink progress relation"
    TYPE = "type"
    FUNCTION = "function"
    SECRET = "secret"
    CONNECTION = "connection"
    SYSTEM = "system relation"


class OnCommit(StrEnum):
    """The fate of a temporary table when a transaction commits."""

    PRESERVE_ROWS = "preserve rows"
    DELETE_ROWS = "delete rows"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class DomainCheck:
    """A CHECK constraint of a domain. `sql`: the expression, over VALUE. `validated`: values stored before satisfy the
    check too. `number`: identifies the check within the domain, for ever.
    """

    name: str
    sql: str
    validated: bool = True
    number: int = 0


@dataclass(frozen=True, slots=True)
class DomainRules:
    """The rules that a domain adds to its base type, which may be a domain; `default` is SQL text, checks are sorted
    by name."""

    base: ScalarType
    nullable: bool
    default: str | None
    checks: tuple[DomainCheck, ...]


@dataclass(frozen=True, slots=True)
class TableCheck:
    """A CHECK constraint of a table; `sql` is its expression over the columns, at `columns` in the table; `oid` is its
    row's in pg_constraint."""

    name: str
    sql: str
    columns: tuple[int, ...]
    oid: int


LARGE_OBJECTS = "pg_large_objects"
"""The schema of the tables that hold large objects, which no user can name so."""


@dataclass(frozen=True, slots=True)
class GeneratedColumn:
    """The position of a column GENERATED ALWAYS AS (…) STORED, and those of the columns that its expression reads. The
    expression stands where other columns have their DEFAULT."""

    column: int
    reads: tuple[int, ...]


class KeyKind(StrEnum):
    """The origin of a key: a constraint, or a unique index."""

    PRIMARY = "primary key"
    UNIQUE = "unique"
    INDEX = "unique index"
    EXCLUSION = "exclusion"


@dataclass(frozen=True, slots=True)
class KeyRule:
    """That an index's keys are unique; without `nulls_distinct` NULL equals NULL. A `deferrable` constraint may be
    checked at COMMIT, and is if it is `deferred` and SET CONSTRAINTS tells nothing else. `method` is the access method
    that EXCLUDE named, which decides nothing."""

    kind: KeyKind
    nulls_distinct: bool
    deferrable: bool = False
    deferred: bool = False
    method: str = "btree"

    @property
    def unique(self) -> bool:
        """Tells whether the catalogs call the index unique: EXCLUDE's is not, though it is held alike."""
        return self.kind is not KeyKind.EXCLUSION


@dataclass(frozen=True, slots=True)
class KeyOrder:
    """The order that CREATE INDEX asked of a key: it is told, and orders nothing."""

    descending: bool = False
    nulls_first: bool = False

    @property
    def words(self) -> str:
        """Returns what PostgreSQL prints behind the key."""
        if self.descending:
            return " DESC" if self.nulls_first else " DESC NULLS LAST"
        return " NULLS FIRST" if self.nulls_first else ""

    @property
    def option(self) -> int:
        """Returns the number of pg_index.indoption."""
        return self.descending + 2 * self.nulls_first


@dataclass(frozen=True, slots=True)
class TableKey:
    """A unique index of a table. Each part is SQL over the columns, and the position of the column that it is, if it is
    no more. With a `condition` it is about some rows alone."""

    name: str
    index: GlobalId
    rule: KeyRule
    parts: tuple[tuple[str, int | None], ...]
    condition: str | None = None

    @property
    def columns(self) -> tuple[int, ...] | None:
        """The positions of the key's columns; None when a part is an expression."""
        found = tuple(column for _, column in self.parts if column is not None)
        return found if len(found) == len(self.parts) else None


@dataclass(frozen=True, slots=True)
class ItemView:
    """A relation, index or type as the planner sees it.

    `oid`: stable within the catalog
    `desc`: all stored columns; `layout`: the columns that exist, in their order; None if all do
    `defaults`: each column's DEFAULT as SQL text
    `on`: the relation of an index, or the source of a table that reads from a source
    `type`, `domain`: the type, if the item is a type (a type has no columns), and a domain's constraints
    `row_type`: the type of the rows, if the item is a relation: of all its columns that exist
    `checks`, `keys`: a table's constraints; CHECKs by name, keys by age
    `identities`: the GENERATED … AS IDENTITY of each column, if any column has one
    `secured`: the table's row security is on
    `generated`: the columns whose values are expressions over the row, which stand in `defaults`
    `function`: the meaning, if the item is a function; `definer`: by whose rights a SECURITY DEFINER one runs
    """

    id: GlobalId
    oid: int
    name: QualifiedName
    kind: ItemKind
    desc: RelationDesc
    defaults: tuple[str | None, ...] = ()
    on: GlobalId | None = None
    type: ScalarType | None = None
    domain: DomainRules | None = None
    checks: tuple[TableCheck, ...] = ()
    keys: tuple[TableKey, ...] = ()
    identities: tuple[Identity | None, ...] = ()
    layout: ColumnLayout | None = None
    secured: bool = False
    generated: tuple[GeneratedColumn, ...] = ()
    function: FunctionRules | None = None
    definer: Definer | None = None
    row_type: ScalarType | None = None

    @property
    def value_type(self) -> ScalarType | None:
        """The type that the item's name means where a type is named."""
        return self.type or self.row_type

    @property
    def of_system(self) -> bool:
        """Tells whether the item is a system relation, or a table in which the server keeps what one shows."""
        return self.kind is ItemKind.SYSTEM or self.name.schema == LARGE_OBJECTS

    @property
    def visible(self) -> tuple[int, ...]:
        """Returns the positions of the columns that have not been dropped, in their order."""
        return tuple(range(self.desc.arity)) if self.layout is None else self.layout.visible

    @property
    def visible_desc(self) -> RelationDesc:
        """Describes the visible columns, in order."""
        if self.layout is None:
            return self.desc
        return RelationDesc(tuple(self.desc.columns[at] for at in self.layout.visible))

    def is_generated(self, position: int) -> bool:
        """Tells whether the column at a position is GENERATED ALWAYS AS (…) STORED."""
        return any(each.column == position for each in self.generated)

    def column_number(self, position: int) -> int:
        """Returns the number, from 1, of the column at a position."""
        return position + 1 if self.layout is None else self.layout.numbers[position]

    def column_named(self, name: str) -> int | None:
        """Returns the position of a visible column."""
        return next((at for at in self.visible if self.desc.columns[at].name == name), None)


class CatalogView(Protocol):
    """One version of the catalog; it never changes while a statement is planned."""

    @property
    def version(self) -> int: ...

    def databases(self) -> tuple[str, ...]: ...

    def schemas(self, database: str) -> tuple[str, ...]:
        """Returns the names of schemas, system schemas included."""
        ...

    def resolve_item(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        """Finds the relation that `[[database.]schema.]name` means; pg_catalog is searched first when the path lacks
        it."""
        ...

    def resolve_type(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        """Returns the user's type that `[[database.]schema.]name` means."""
        ...

    def resolve_access(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        """Returns the secret, connection or sink that `[[database.]schema.]name` means."""
        ...

    def resolve_functions(
        self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str
    ) -> tuple[ItemView, ...]:
        """Returns the users' functions that `[[database.]schema.]name` can mean; of several with the same parameters
        the first of the path."""
        ...

    def within_function(self, id: GlobalId) -> CatalogView:
        """Returns the catalog in which a function's body is planned: its names mean what they meant at its creation."""
        ...

    def item(self, id: GlobalId) -> ItemView | None: ...

    def view_text(self, id: GlobalId) -> ViewText | None:
        """Returns the text of a view; None for all else."""
        ...

    def item_by_oid(self, oid: int) -> ItemView | None: ...

    def schema_oid(self, database: str, schema: str) -> int | None: ...

    def system_type_oid(self, name: str) -> int | None:
        """Returns the oid of a type of pg_type by name, as regtype reads names, `trigger` among them; None when no type
        has the name."""
        ...

    def cluster_oid(self, name: str) -> int | None: ...


@dataclass(frozen=True, slots=True)
class PlanningContext:
    """Everything that planning a statement depends on besides its text; together with the text it is the key of the
    plan cache.

    `cluster` is the session's; there need be none of this name.
    `routine`: the names of the routine with the statement; `parameter_types` are the routine's.
    `checks_bodies`: the statements of a new routine are looked at, unless check_function_bodies is off.
    `search_path` begins with the session's temporary schema when there is one (planner.temporary_schema).
    """

    catalog: CatalogView
    database: str
    search_path: tuple[str, ...]
    user: str
    parameter_types: tuple[ScalarType | None, ...] = ()
    cluster: str = CLUSTER
    routine: RoutineNames | None = None
    checks_bodies: bool = True


@dataclass(frozen=True, slots=True)
class ViewText:
    """The statement that created a view, and the context in which its names mean what they meant then. `check_option`:
    "local" or "cascaded", None for a view without WITH CHECK OPTION."""

    sql: str
    context: PlanningContext
    check_option: str | None


@dataclass(frozen=True, slots=True)
class FoundUpstream:
    """A source's upstream, from the catalog (its `kind`, the `topic` or the load `generator`), and upstream's
    answers, where it was asked."""

    kind: str
    topic: str | None = None
    generator: GeneratorKind | None = None
    published: Publication | None = None
