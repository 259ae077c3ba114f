"""Constraints of a table to changes: checks and foreign keys into the table, keys as unique indexes on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from catalog.changes.change import AlterTable
from catalog.changes.table_changes import AddedForeignKey
from catalog.facts.constraints import constraint_names
from catalog.nouns.index_names import column_names, made_up
from catalog.nouns.items import Index, IndexKey
from catalog.nouns.names import quote
from catalog.nouns.reference import Reference
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.catalog_view import KeyKind, QualifiedName, TableCheck
from planner.plans.constraints import NewCheck, NewConstraint, NewKey
from planner.plans.foreign_keys import ForeignKey, NewForeignKey


class NewNames:
    """Chooses names for new constraints of a table: those given, and made-up ones."""

    def __init__(self, state: CatalogState, table: QualifiedName, own: Iterable[str] = ()) -> None:
        """`own` are the names of the table's existing constraints. The schema need not exist yet."""
        database = state.database_named(table.database)
        schema = None if database is None else state.schema_named(database.oid, table.schema)
        items = () if schema is None else state.items_in(schema.oid)
        self._table = table.name
        self._own = set(own)
        self._constraints = set() if schema is None else set(constraint_names(state, schema.oid))
        self._relations = {table.name, *(item.name for item in items)}

    def of_check(self, check: NewCheck, columns: tuple[str, ...]) -> str:
        """Returns a check's name; made up as `t_a_check` for a check that names one column."""
        named = columns[check.columns[0]] if len(check.columns) == 1 else None
        return self._taken(check.name or made_up(self._table, named, "check", self._constraints.__contains__))

    def of_key(self, key: NewKey, columns: tuple[str, ...]) -> str:
        """Names a key's constraint: `t_pkey`, `t_a_b_key`: names of relations as well."""
        if key.name is not None:
            # That a relation has the name is for the creation of the index to say.
            return key.name if key.name in self._relations else self._taken(key.name)
        taken = (self._constraints | self._relations).__contains__
        if key.rule.kind is KeyKind.PRIMARY:
            return self._taken(made_up(self._table, None, "pkey", taken))
        own = "_".join(column_names(columns[at] for at in (*key.columns, *key.included)))
        return self._taken(made_up(self._table, own, "key" if key.rule.unique else "excl", taken))

    def of_foreign_key(self, key: NewForeignKey, columns: tuple[str, ...]) -> str:
        """Names a foreign key: `t_a_b_fkey`."""
        own = "_".join(columns[at] for at in key.columns)
        return self._taken(key.name or made_up(self._table, own, "fkey", self._constraints.__contains__))

    def _taken(self, name: str) -> str:
        if name in self._own:
            message = f'constraint "{name}" for relation "{self._table}" already exists'
            raise SqlError(Sqlstate.DUPLICATE_OBJECT, message)
        self._own.add(name)
        self._constraints.add(name)
        return name


def named_checks(
    constraints: Iterable[NewConstraint], columns: tuple[str, ...], names: NewNames, new_oid: Callable[[], int]
) -> tuple[TableCheck, ...]:
    """Returns the new checks with names, in the order in which they are tested."""
    checks = [each for each in constraints if isinstance(each, NewCheck)]
    found = [TableCheck(names.of_check(check, columns), check.sql, check.columns, new_oid()) for check in checks]
    return tuple(sorted(found, key=lambda check: check.name))


def named_keys(
    constraints: Iterable[NewConstraint], columns: tuple[str, ...], names: NewNames
) -> Iterator[tuple[str, NewKey]]:
    """Yields the new keys with names."""
    for each in constraints:
        if isinstance(each, NewKey):
            yield names.of_key(each, columns), each


def key_index(key: NewKey, desc: RelationDesc, on: Reference, collection: GlobalId) -> Index:
    """Builds the index of a key."""
    places = (*key.columns, *key.included)
    columns = [desc.columns[at] for at in places]
    own = column_names(column.name for column in columns)
    parts = tuple(
        IndexKey(name, column.type, quote(column.name), at)
        for name, column, at in zip(own, columns, places, strict=True)
    )
    count = len(key.columns)
    return Index(on, parts[:count], None, collection, key.rule, key.condition, parts[count:])


def added_foreign_key(
    key: NewForeignKey, name: str, table: GlobalId, indexes: Iterable[tuple[GlobalId, Index]], oid: int
) -> AlterTable:
    """Returns the change that gives a table a foreign key; `indexes` are those of the referenced table."""
    wanted = sorted(key.parent_columns)
    found = (id for id, index in indexes if _may_be_referenced(index) and _columns(index) == wanted)
    parent = table if key.parent is None else key.parent
    # Whoever dropped the index meanwhile left nothing to rely on, which its creation in the catalog tells.
    index = next(found, GlobalId.user(0))
    foreign = ForeignKey(oid, name, key.columns, parent, key.parent_columns, index, key.rule)
    return AlterTable(table, AddedForeignKey(foreign))


def _may_be_referenced(index: Index) -> bool:
    rule = index.rule
    return index.condition is None and rule is not None and rule.unique and not rule.deferrable


def _columns(index: Index) -> list[int]:
    return sorted(-1 if key.column is None else key.column for key in index.keys)


def indexes_on(state: CatalogState, table: GlobalId) -> list[tuple[GlobalId, Index]]:
    """Returns the keys of a table."""
    return [(key.id, key.definition) for key in state.keys_of(table) if isinstance(key.definition, Index)]
