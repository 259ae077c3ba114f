"""Objects that a definition refers to must still be there when the definition enters the catalog.

A statement is planned on one state of the catalog and applied to a later one: DROP TABLE t may come between the
planning and the application of CREATE VIEW v AS SELECT * FROM t.
"""

from __future__ import annotations

from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import Definition, Index, SequenceDefinition, Table, Type
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import Namespace
from planner.catalog_view import KeyKind


def require_secrets(state: CatalogState, user: Connection | WebhookSource) -> None:
    """Raises SqlError 42704 if a secret that a connection or a webhook uses is gone."""
    if not user.secrets <= state.items.keys():
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "a secret that it uses was dropped by a concurrent statement")


def require_references(state: CatalogState, definition: Definition) -> None:
    """Raises SqlError 42704 or 42P01 if an object that a definition needs is gone."""
    if isinstance(definition, Connection | WebhookSource):
        require_secrets(state, definition)
        return
    if isinstance(definition, Sink):
        if not definition.depends_on <= state.items.keys():
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, "what a sink needs was dropped by a concurrent statement")
        return
    if isinstance(definition, SinkProgress):
        if definition.sink_id not in state.items:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, "the sink was dropped by a concurrent statement")
        return
    if isinstance(definition, SourceTable):
        if definition.source_id not in state.items:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, "the source was dropped by a concurrent statement")
        return
    if isinstance(definition, Table | SequenceDefinition | Source | SourceProgress | Type | Secret):
        return
    for reference in definition.references:
        if reference.id.namespace is Namespace.USER and reference.id not in state.items:
            raise SqlError(Sqlstate.UNDEFINED_TABLE, f'relation "{reference.name}" does not exist')


def require_one_primary_key(state: CatalogState, definition: Definition) -> None:
    """Raises SqlError 42P16 for a second primary key of a table."""
    if not isinstance(definition, Index) or not _is_primary(definition):
        return
    for key in state.keys_of(definition.on.id):
        if isinstance(key.definition, Index) and _is_primary(key.definition):
            name = state.items[definition.on.id].name
            message = f'multiple primary keys for table "{name}" are not allowed'
            raise SqlError(Sqlstate.INVALID_TABLE_DEFINITION, message)


def _is_primary(index: Index) -> bool:
    return index.rule is not None and index.rule.kind is KeyKind.PRIMARY
