"""planner.functions.system.lookup.SystemLookup over a CatalogState: definitions, sizes and comments of objects.

Names and privileges have lookups of their own. What only the session or storage knows comes through SessionFacts.
"""

from __future__ import annotations

from typing import assert_never

from catalog.builtin.registry import builtin_with_oid
from catalog.changes.domains import check_definitions
from catalog.declared.relation import RelationKind
from catalog.facts.comments import comment_on
from catalog.facts.constraints import constraint_definitions
from catalog.facts.defaults import shown_default
from catalog.facts.index_definitions import index_key_sql, index_sql
from catalog.facts.shown import shown
from catalog.facts.visibility import item_visible
from catalog.lookup.object_names import NamedObjects
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.role_privileges import CatalogPrivileges
from catalog.lookup.updatable_views import CatalogUpdates
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    Composite,
    Domain,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    MultirangeDefinition,
    RangeDefinition,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.names import quote, quote_all
from catalog.nouns.sinks import Sink, SinkProgress, ViewSink
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.sql.definitions import view_query
from catalog.sql.function_sql import arguments, function_sql, result, written_body
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.names import split_name
from planner.function_rules import BodyForm, FunctionPart
from planner.functions.system.session_facts import SessionFacts
from planner.temporary_schema import is_temporary, own_schema


class CatalogLookup:
    """Answers functions' questions about one version of the catalog, for one session."""

    def __init__(
        self, state: CatalogState, database: str, search_path: tuple[str, ...], user: str, facts: SessionFacts
    ) -> None:
        self._state = state
        self._database = database
        self._search_path = search_path
        self.names = NamedObjects(state, database, search_path, user)
        self.privileges = CatalogPrivileges(state, self.names, user)
        self.session = facts
        self._updates = CatalogUpdates(state)

    def temporary_schema(self) -> int:
        own, database = own_schema(self._search_path), self._state.database_named(self._database)
        schema = None if own is None or database is None else self._state.schema_named(database.oid, own)
        return 0 if schema is None else schema.oid

    def is_temporary_schema(self, oid: int) -> bool:
        schema = self._state.schemas.get(oid)
        return schema is not None and is_temporary(schema.name)

    def view_definition(self, oid: int) -> str | None:
        item = self._state.item_by_oid(oid)
        if item is None or not isinstance(item.definition, View | MaterializedView):
            return None
        return shown(view_query, self._state, item.definition)

    def updatable_events(self, oid: int) -> int:
        item = self._state.item_by_oid(oid)
        if item is None:
            builtin = builtin_with_oid(oid)
            return 28 if builtin is not None and builtin.kind is RelationKind.TABLE else 0
        return self._updates.events(item.id)

    def column_updatable(self, oid: int, number: int) -> bool:
        item = self._state.item_by_oid(oid)
        return item is not None and self._updates.column(item.id, number)

    def expression_text(self, kept: str) -> str:
        return shown(shown_default, self._state, kept, self._search_path)

    def serial_sequence(self, table: str, column: str) -> str | None:
        item = StateCatalogView(self._state).resolve_item(split_name(table), self._search_path, self._database)
        if item is None:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{table}" does not exist')
        if column not in item.desc.names:
            message = f'column "{column}" of relation "{item.name.name}" does not exist'
            raise SqlError(Sqlstate.UNDEFINED_COLUMN, message)
        at = item.desc.names.index(column)
        for sequence in self._state.owned_sequences(item.id):
            assert isinstance(sequence.definition, SequenceDefinition) and sequence.definition.owned_by is not None
            if sequence.definition.owned_by.column == at:
                return quote_all(self._state.schemas[sequence.schema].name, sequence.name)
        return None

    def constraint_definition(self, oid: int, pretty: bool) -> str | None:
        """Domains and tables have some."""
        of_domains = check_definitions(self._state, pretty)
        return of_domains.get(oid) or dict(constraint_definitions(self._state, pretty, self._shown_name)).get(oid)

    def _shown_name(self, item: Item) -> str:
        """Returns the item's name, with its schema where the search path doesn't find it."""
        if item_visible(self._state, item, self._search_path):
            return quote(item.name)
        return quote_all(self._state.schemas[item.schema].name, item.name)

    def index_definition(self, oid: int, column: int, pretty: bool) -> str | None:
        """Returns the SQL of a whole index, or of its column `column` (from 1); `pretty` leaves out a schema in the
        search path."""
        item = self._state.item_by_oid(oid)
        if item is None or not isinstance(item.definition, Index):
            return None
        index = item.definition
        if column == 0:
            on = self.names.relation_name(self._state.items[index.on.id].oid) if pretty else None
            return shown(index_sql, self._state, item, index, on)
        return shown(index_key_sql, self._state, index, column - 1, pretty) if column <= index.desc.arity else ""

    def function_text(self, oid: int, part: FunctionPart) -> str | None:
        item = self._state.item_by_oid(oid)
        if item is None or not isinstance(item.definition, FunctionDefinition):
            return None
        match part:
            case FunctionPart.DEFINITION:
                return shown(function_sql, self._state, item)
            case FunctionPart.ARGUMENTS:
                return arguments(self._state, item)
            case FunctionPart.IDENTITY_ARGUMENTS:
                return arguments(self._state, item, defaults=False)
            case FunctionPart.RESULT:
                return result(self._state, item)
            case FunctionPart.BODY:
                as_string = item.definition.rules.form is BodyForm.STRING
                return None if as_string else shown(written_body, self._state, item).strip()

    def description(self, oid: int, catalog: str | None, column: int) -> str | None:
        return comment_on(self._state, oid, catalog, column)

    def relation_size(self, oid: int) -> int | None:
        if builtin_with_oid(oid) is not None:
            return 0
        item = self._state.item_by_oid(oid)
        if item is None:
            return None
        return self._stored_bytes(item)

    def database_size(self, name: str) -> int:
        database = self._state.database_named(name)
        if database is None:
            raise SqlError(Sqlstate.INVALID_CATALOG_NAME, f'database "{name}" does not exist')
        return sum(
            self._stored_bytes(item)
            for schema in self._state.schemas_in(database.oid)
            for item in self._state.items_in(schema.oid)
        )

    def _stored_bytes(self, item: Item) -> int:
        match item.definition:
            case ViewSink(collection=collection):
                return self.session.stored_bytes(collection)
            case View() | SequenceDefinition() | Enum() | Domain() | Composite() | Secret() | Connection() | Sink():
                return 0
            case FunctionDefinition() | RangeDefinition() | MultirangeDefinition():
                return 0
            case SourceProgress(source_id=source):
                return self.session.stored_bytes(GlobalId.remapping(source))
            case SinkProgress(sink_id=sink):
                return self.session.stored_bytes(sink)
            case Table() | Source() | SourceTable() | WebhookSource():
                return self.session.stored_bytes(item.id)
            case MaterializedView(collection=collection) | Index(collection=collection):
                return self.session.stored_bytes(collection)
            case _:
                assert_never(item.definition)
