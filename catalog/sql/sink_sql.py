"""Writes sinks as CREATE SINK statements."""

from __future__ import annotations

import json
from typing import assert_never

from catalog.nouns.items import Item
from catalog.nouns.names import quote, quote_all
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.state.catalog_state import CatalogState
from model.external.sinks import (
    ConnectedStore,
    ConnectedTable,
    ConnectorProgram,
    DirectoryOfFiles,
    LakeDirectory,
    RegistryFormat,
    SinkEnvelope,
    SinkTarget,
    SqliteTable,
)
from model.ids.global_id import GlobalId
from planner.functions.text.quoting import quote_literal


def sink_sql(state: CatalogState, item: Item) -> str:
    """Returns the text behind the name."""
    sink = item.definition
    assert isinstance(sink, Sink)
    source = state.items[sink.source_id]
    named = state.full_name(source)
    said = f"FROM {quote_all(named.schema, named.name)} INTO "
    match sink.target:
        case SqliteTable(path, table):
            said += f"SQLITE (PATH = {quote_literal(path)}, TABLE = {quote_literal(table)})"
        case DirectoryOfFiles(path):
            said += f"FILES (PATH = {quote_literal(path)})"
        case LakeDirectory(of, path, table):
            named_there = f", TABLE = {quote_literal('.'.join(table))}" if table else ""
            said += f"{of} (PATH = {quote_literal(path)}{named_there})"
        case ConnectorProgram(command, config):
            told = f", CONFIG = {quote_literal(json.dumps(dict(config)))}" if config else ""
            said += f"CONNECTOR (COMMAND = {quote_literal(command)}{told})"
        case ConnectedTable(of, connection, table):
            said += f"{of} CONNECTION {_item_name(state, connection)} (TABLE = {quote_literal('.'.join(table))})"
        case ConnectedStore(of, connection, options, partition_by=by):
            said_of = [f"{name} = {quote_literal(value)}" for name, value in options]
            if by is not None:
                said_of.append(f"PARTITION BY = {quote(source.desc.columns[sink.columns[by]].name)}")
            told = f" ({', '.join(said_of)})" if said_of else ""
            said += f"{of} CONNECTION {_item_name(state, connection)}{told}"
        case _:
            assert_never(sink.target)
    if sink.key is not None:
        columns = (quote(source.desc.columns[sink.columns[place]].name) for place in sink.key)
        said += f" KEY ({', '.join(columns)}){'' if sink.enforced else ' NOT ENFORCED'}"
    if isinstance(sink.target, ConnectedStore) and sink.target.headers is not None:
        said += f" HEADERS {quote(source.desc.columns[sink.columns[sink.target.headers]].name)}"
    said += _clauses(state, sink.target)
    said += _progress(state, item)
    policy = sink.policy
    snapshot = "" if policy.snapshot else ", SNAPSHOT = FALSE"
    summed = ", ".join(f"{quote(source.desc.columns[sink.columns[place]].name)} SUM" for place in sink.sums)
    reduced = f", REDUCE = ({summed})" if summed else ""
    divided = f", PARALLELISM = {policy.parallelism}" if policy.parallelism > 1 else ""
    return f"{said} WITH (MAX AGE = '{policy.age_ms} ms', MAX SIZE = {policy.rows_max}{snapshot}{reduced}{divided})"


def _progress(state: CatalogState, sink: Item) -> str:
    """Returns EXPOSE PROGRESS, where the progress is called otherwise than by default. Sinks of older versions have
    none."""
    for item in state.items.values():
        if isinstance(item.definition, SinkProgress) and item.definition.sink_id == sink.id:
            named = item.name == f"{sink.name}_progress"
            return "" if named else f" EXPOSE PROGRESS AS {_item_name(state, item.id)}"
    return ""


def _clauses(state: CatalogState, target: SinkTarget) -> str:
    """Returns the clauses FORMAT and ENVELOPE."""
    if isinstance(target, DirectoryOfFiles):
        return f" FORMAT {target.format.value.upper()}"
    if not isinstance(target, ConnectedStore):
        return ""
    if target.format is None:
        return ""
    value = _format(state, target.format)
    said = f" FORMAT {value}"
    if target.key_format is not None:
        said = f" KEY FORMAT {_format(state, target.key_format)} VALUE FORMAT {value}"
    return said if target.envelope is SinkEnvelope.CHANGES else f"{said} ENVELOPE {target.envelope.value.upper()}"


def _format(state: CatalogState, format_: str | RegistryFormat) -> str:
    if isinstance(format_, str):
        return format_
    return f"{format_.name} USING CONFLUENT SCHEMA REGISTRY CONNECTION {_item_name(state, format_.registry)}"


def _item_name(state: CatalogState, id_: GlobalId) -> str:
    name = state.full_name(state.items[id_])
    return quote_all(name.schema, name.name)
