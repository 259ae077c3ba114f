"""Shows a CatalogState to the planner, as planner.catalog_view.CatalogView, system relations included."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from catalog.builtin.registry import builtin_named, builtin_with_id, builtin_with_oid
from catalog.declared.relation import BuiltinRelation
from catalog.facts.defaults import next_value_of
from catalog.facts.index_definitions import index_condition_sql, index_key_sql
from catalog.facts.roles.decide import is_superuser, may_use_schema
from catalog.facts.roles.row_security import is_secured
from catalog.facts.roles.shown_acls import role_name
from catalog.facts.visibility import effective_path
from catalog.lookup.large_objects import SCHEMA as LARGE_OBJECTS
from catalog.lookup.large_objects import stands_for
from catalog.lookup.reg_types import system_type_oid
from catalog.nouns.items import (
    Domain,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.reference import BoundNames, Reference
from catalog.nouns.sources import Source, SourceTable
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS, system_schema_named
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.decimals_columns import visible_layout
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import ScalarType
from planner.catalog_view import ItemKind, ItemView, PlanningContext, QualifiedName, TableKey, ViewText
from planner.function_rules import Definer
from planner.sequence_rules import Identity
from planner.temporary_schema import is_temporary, own_name

_MZ_CATALOG = "mz_catalog"
_SYSTEM_SCHEMA_NAMES = tuple(schema.name for schema in SYSTEM_SCHEMAS)


_Named = View | MaterializedView | Index | FunctionDefinition | BoundNames
"""What has references behind the names in its SQL."""


class StateCatalogView:
    """The catalog in one state; created for each state, it stores nothing itself. A `role` sees into schemas with
    USAGE alone; None sees into all."""

    __slots__ = ("_role", "_state")

    def __init__(self, state: CatalogState, role: int | None = None) -> None:
        self._state = state
        self._role = None if role is None or is_superuser(state, role) else role

    @property
    def state(self) -> CatalogState:
        return self._state

    @property
    def version(self) -> int:
        return self._state.version

    def cluster_oid(self, name: str) -> int | None:
        cluster = self._state.cluster_named(name)
        return None if cluster is None else cluster.oid

    def databases(self) -> tuple[str, ...]:
        return tuple(database.name for database in self._state.databases.values())

    def schemas(self, database: str) -> tuple[str, ...]:
        """Returns the schemas of a database, system schemas first; only these when there is no such database."""
        found = self._state.database_named(database)
        own = () if found is None else tuple(schema.name for schema in self._state.schemas_in(found.oid))
        return _SYSTEM_SCHEMA_NAMES + own

    def resolve_item(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        return self._resolve(parts, search_path, database, _is_relation)

    def resolve_type(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        return self._resolve(parts, search_path, database, _is_value_type)

    def resolve_access(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        return self._resolve(parts, search_path, database, _is_access)

    def resolve_functions(
        self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str
    ) -> tuple[ItemView, ...]:
        found = self._state.functions_named(parts[-1])
        if not found:
            return ()
        if len(parts) > 1:
            database = parts[-3] if len(parts) > 2 else database
            path: Iterable[str] = (own_name(parts[-2], search_path),)
            self._require_usable(database, parts[-2])
        else:
            path = (schema for schema in effective_path(search_path) if self._usable(database, schema))
        known: dict[tuple[ScalarType, ...], ItemView] = {}
        for schema in path:
            for item in found:
                if item.schema == self.schema_oid(database, schema):
                    view = self._item_view(item)
                    assert view.function is not None
                    known.setdefault(view.function.types, view)
        return tuple(known.values())

    def within_function(self, id: GlobalId) -> BoundCatalogView:
        definition = self._state.items[id].definition
        assert isinstance(definition, FunctionDefinition)
        return BoundCatalogView(self._state, definition)

    def _resolve(
        self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str, meant: Callable[[ItemView], bool]
    ) -> ItemView | None:
        if len(parts) > 1:
            *database_name, schema, name = parts
            schema = own_name(schema, search_path)
            self._require_usable(database_name[0] if database_name else database, schema)
            found = self._named((*database_name, schema, name), database)
            return found if found is not None and meant(found) else None
        for schema in effective_path(search_path):
            if not self._usable(database, schema):
                continue
            item = self._qualified(database, schema, parts[0])
            if item is not None and meant(item):
                return item
        # Materialize searches its own catalog unasked; last, so that it hides nothing of PostgreSQL's or of a user's.
        return self._qualified(database, _MZ_CATALOG, parts[0]) if meant is _is_relation else None

    def _require_usable(self, database: str, schema: str) -> None:
        """Raises SqlError 42501 for a schema in which the role may not look up objects."""
        if not self._usable(database, schema):
            raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"permission denied for schema {schema}")

    def _usable(self, database: str, schema: str) -> bool:
        if self._role is None:
            return True
        oid = StateCatalogView.schema_oid(self, database, schema)
        return oid is None or may_use_schema(self._state, self._role, oid)

    def _named(self, parts: tuple[str, ...], database: str) -> ItemView | None:
        match parts:
            case (schema, name):
                return self._qualified(database, schema, name)
            case (other, schema, name):
                return self._qualified(other, schema, name)
            case _:
                return None

    def item(self, id: GlobalId) -> ItemView | None:
        builtin = builtin_with_id(id)
        if builtin is not None:
            return _builtin_view(builtin, "")
        item = self._state.items.get(id)
        return None if item is None else self._item_view(item)

    def view_text(self, id: GlobalId) -> ViewText | None:
        item = self._state.items.get(id)
        if item is None or not isinstance(item.definition, View):
            return None
        view = item.definition
        return ViewText(
            view.create_sql, definition_context(BoundCatalogView(self._state, view), view), view.check_option
        )

    def item_by_oid(self, oid: int) -> ItemView | None:
        builtin = builtin_with_oid(oid)
        if builtin is not None:
            return _builtin_view(builtin, "")
        item = self._state.item_by_oid(oid)
        return None if item is None else self._item_view(item)

    def schema_oid(self, database: str, schema: str) -> int | None:
        system = system_schema_named(schema)
        if system is not None:
            return system.oid
        found = self._state.database_named(database)
        own = None if found is None else self._state.schema_named(found.oid, schema)
        return None if own is None else own.oid

    def system_type_oid(self, name: str) -> int | None:
        return system_type_oid(name)

    def _qualified(self, database: str, schema: str, name: str) -> ItemView | None:
        if system_schema_named(schema) is not None:
            own = self._qualified(database, LARGE_OBJECTS, name) if stands_for(schema, name) else None
            builtin = builtin_named(schema, name) if own is None else None
            return own if builtin is None else _builtin_view(builtin, database)
        item = self._state.find(QualifiedName(database, schema, name))
        return None if item is None else self._item_view(item)

    def _item_view(self, item: Item) -> ItemView:
        defaults, identities = self._values_made(item)
        on = _whole_of(item)
        rules = item.definition.rules if isinstance(item.definition, Domain) else None
        name = self._state.full_name(item)
        checks = item.definition.checks if isinstance(item.definition, Table) else ()
        keys = table_keys(self._state, item.id)
        view = ItemView(item.id, item.oid, name, item.kind, item.desc, defaults, on, item.type, rules, checks, keys)
        view = replace(view, row_type=item.row_type)
        layout = item.definition.layout if isinstance(item.definition, Table | SourceTable) else None
        if isinstance(item.definition, View | MaterializedView | Source):
            layout = visible_layout(item.desc)
        secured = is_secured(item)
        generated = item.definition.generated if isinstance(item.definition, Table) else ()
        if isinstance(item.definition, FunctionDefinition):
            rules_of = item.definition.rules
            definer = Definer(item.owner, role_name(self._state, item.owner)) if rules_of.definer else None
            return replace(view, function=rules_of, definer=definer)
        if not (identities or layout or secured or generated):
            return view
        return replace(view, identities=identities, layout=layout, secured=secured, generated=generated)

    def _values_made(self, item: Item) -> tuple[tuple[str | None, ...], tuple[Identity | None, ...]]:
        """Returns each column's DEFAULT, and its kind of identity, if any."""
        if not isinstance(item.definition, Table):
            return (), ()
        defaults = list(item.definition.defaults)
        identities: list[Identity | None] = [None] * len(defaults)
        for sequence in self._state.owned_sequences(item.id):
            assert isinstance(sequence.definition, SequenceDefinition)
            owner = sequence.definition.owned_by
            if owner is not None and owner.identity is not None:
                defaults[owner.column] = next_value_of(sequence.oid)
                identities[owner.column] = owner.identity
        return tuple(defaults), tuple(identities) if any(identities) else ()


class BoundCatalogView(StateCatalogView):
    """The catalog in which a definition's SQL is planned: names have the meaning that they had when the view or index
    was created.

    A renamed object (a column, a schema and a database too) goes by its old name here. Columns added later are left
    out, so that `*` in the SQL keeps its meaning: the columns here may be a prefix of the relation's present ones.
    Apart from the references and the system relations the catalog is empty; it lacks even the view itself.
    """

    __slots__ = ("_references", "_schemas", "seen")

    def __init__(self, state: CatalogState, definition: _Named) -> None:
        """The SQL is planned in database `definition.written.database`, with an empty search path; a temporary
        definition with its schema in the path, under the name pg_temp too."""
        super().__init__(state)
        self.seen: set[GlobalId] = set()
        """The items that were looked at: what the SQL means depends on them, and on no others."""
        self._references = {reference.name: reference for reference in definition.references}
        names = [definition.written, *self._references]
        self._schemas = dict.fromkeys(name.schema for name in names if system_schema_named(name.schema) is None)

    def _item_view(self, item: Item) -> ItemView:
        self.seen.add(item.id)
        return super()._item_view(item)

    def schemas(self, database: str) -> tuple[str, ...]:
        """Returns the schemas that the SQL names."""
        return _SYSTEM_SCHEMA_NAMES + tuple(self._schemas)

    def schema_oid(self, database: str, schema: str) -> int | None:
        """Returns the schema's oid; 0 when no schema has the name any more."""
        found = super().schema_oid(database, schema)
        return 0 if found is None and schema in self._schemas else found

    def resolve_item(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        """Finds an item by name. A name without a schema stands in a regclass constant only, where nothing was filled
        in."""
        found = self._resolve(parts, search_path, database, _is_relation)
        if found is None and len(parts) == 1:
            named = [written for written in self._references if written.name == parts[0]]
            return self._qualified(named[0].database, named[0].schema, named[0].name) if named else None
        return found

    def resolve_functions(
        self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str
    ) -> tuple[ItemView, ...]:
        found: list[ItemView] = []
        if len(parts) == 1:
            return ()
        for reference in self._references.values():
            item = self._state.items.get(reference.id)
            if item is None or not isinstance(item.definition, FunctionDefinition):
                continue
            if function_written(item.oid, reference.name) == QualifiedName(database, *parts[-2:]):
                found.append(self._item_view(item))
        return tuple(found)

    def within_function(self, id: GlobalId) -> BoundCatalogView:
        within = super().within_function(id)
        within.seen = self.seen
        return within

    def _qualified(self, database: str, schema: str, name: str) -> ItemView | None:
        if system_schema_named(schema) is not None:
            return super()._qualified(database, schema, name)
        reference = self._references.get(QualifiedName(database, schema, name))
        if reference is None:
            return None
        item = self.item(reference.id)
        assert item is not None, f"a view names {reference.name}, which is gone: drops must not leave it"
        columns = tuple(
            ColumnDesc(name, column.type, column.nullable)
            for name, column in zip(reference.columns, item.desc.columns, strict=False)
        )
        keys = tuple(key for key in item.keys if all(at is None or at < len(columns) for _, at in key.parts))
        layout = None if item.layout is None else item.layout.within(len(columns))
        return replace(item, name=reference.name, desc=RelationDesc(columns), keys=keys, layout=layout)


def definition_context(catalog: BoundCatalogView, definition: _Named) -> PlanningContext:
    """Returns the context in which a definition's SQL means what it meant when it was written."""
    schema = definition.written.schema
    path = (schema,) if is_temporary(schema) else ()
    return PlanningContext(catalog=catalog, database=definition.written.database, search_path=path, user="")


def table_keys(state: CatalogState, id: GlobalId) -> tuple[TableKey, ...]:
    """Returns the keys of a table, under the columns' present names."""
    found = []
    for item in state.keys_of(id):
        index = item.definition
        assert isinstance(index, Index) and index.rule is not None, "keys are unique indexes"
        parts = tuple((index_key_sql(state, index, number, True), key.column) for number, key in enumerate(index.keys))
        condition = None if index.condition is None else index_condition_sql(state, index)
        found.append(TableKey(item.name, item.id, index.rule, parts, condition))
    return tuple(found)


def references_to(state: CatalogState, ids: Iterable[GlobalId]) -> tuple[Reference, ...]:
    """Returns the references that a view or an index created now would have."""
    view = StateCatalogView(state)
    references = []
    for id in sorted(ids):
        item = view.item(id)
        assert item is not None, f"a view depends on {id}, which does not exist"
        if item.kind is ItemKind.SYSTEM:
            references.append(Reference(item.name, id, ()))
        elif item.kind is ItemKind.FUNCTION:
            references.append(Reference(_function_reference(item), id, ()))
        else:
            references.append(Reference(item.name, id, item.desc.names))
    return tuple(references)


def _function_reference(item: ItemView) -> QualifiedName:
    """Names a function as no other function of its name is named."""
    return replace(item.name, name=f"{item.name.name}_{item.oid}")


def function_written(oid: int, reference: QualifiedName) -> QualifiedName:
    """Returns the name that a function had when a reference to it was made."""
    return replace(reference, name=reference.name.removesuffix(f"_{oid}"))


def _is_type(item: ItemView) -> bool:
    return item.kind is ItemKind.TYPE


def _is_value_type(item: ItemView) -> bool:
    return item.value_type is not None


def _is_access(item: ItemView) -> bool:
    return item.kind in (ItemKind.SECRET, ItemKind.CONNECTION, ItemKind.SINK)


def _is_relation(item: ItemView) -> bool:
    return not (_is_type(item) or _is_access(item) or item.kind is ItemKind.FUNCTION)


def _whole_of(item: Item) -> GlobalId | None:
    """Returns the relation under an index, or the source of a table; None for other items."""
    match item.definition:
        case Index(on=on):
            return on.id
        case SourceTable(source_id=source):
            return source
        case _:
            return None


def _builtin_view(builtin: BuiltinRelation, database: str) -> ItemView:
    name = QualifiedName(database, builtin.schema, builtin.name)
    return ItemView(builtin.id, builtin.oid, name, ItemKind.SYSTEM, builtin.desc)
