"""The SQL of a definition, as it would have to be written now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from catalog.facts.constraints import constraint_sql, constraints_of
from catalog.facts.defaults import is_generated, shown_default
from catalog.facts.index_definitions import index_sql
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID
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
    numbered_columns,
)
from catalog.nouns.names import quote, quote_all
from catalog.nouns.policies import PolicyCondition
from catalog.nouns.reference import Reference
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.sql.function_sql import function_sql
from catalog.sql.sink_sql import sink_sql
from catalog.sql.webhook_sql import webhook_sql
from catalog.state.catalog_state import CatalogState
from model.external.connections import ConnectionValue
from model.external.records import RecordEncoding
from model.ids.global_id import GlobalId
from model.ids.written_text import WrittenName, WrittenText, text_with_names
from model.types.decimals_columns import visible_layout
from model.types.scalar_type import ScalarType, type_text, users_type
from planner.functions.text.quoting import quote_literal
from planner.plans.types import RangeOptions
from planner.sequence_rules import Identity
from planner.syntax.renamed_text import NewName, with_new_names

_AS = re.compile(r"\bAS\b", re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
# Possessive, since there must be one way only to read what users have written.
_GAP = r"(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*+\*/)*+"
_NAMES = r'\((?:[^"()]|"(?:[^"]|"")*+")*+\)'
_PLACED = re.compile(rf'({_GAP}(?:{_NAMES}{_GAP})?)IN\b{_GAP}CLUSTER\b{_GAP}"default"{_GAP}', re.IGNORECASE | re.DOTALL)


def view_query(state: CatalogState, view: View | MaterializedView) -> str:
    """Returns a view's query, ending in a semicolon: as written, with renamed objects under their present names."""
    renamed = {}
    for reference in view.references:
        new = _new_name(state, reference)
        if new is not None:
            renamed[reference.name.schema, reference.name.name] = new
    query = _query(with_new_names(view.create_sql, renamed) if renamed else view.create_sql)
    columns = numbered_columns(view.desc, visible_layout(view.desc))
    names = tuple(column.name for _, _, column in columns)
    if view.query_columns != names:
        query = f"SELECT * FROM ({query}) AS {quote(view.written.name)} ({', '.join(map(quote, names))})"
    return f" {query};"


def policy_sql(state: CatalogState, condition: PolicyCondition | None) -> str | None:
    """Returns a policy's condition as written, with renamed relations in it under their present names."""
    if condition is None or condition.names is None:
        return None if condition is None else condition.sql
    names = condition.names
    news = {each.name: _new_name(state, each) for each in names.references if each.name != names.written}
    renamed = {(name.schema, name.name): new for name, new in news.items() if new is not None}
    select = "SELECT "
    return with_new_names(select + condition.sql, renamed).removeprefix(select) if renamed else condition.sql


def create_sql(state: CatalogState, item: Item) -> str:
    """Returns the statement that would create the item as it is now, without its rows, owner and ids."""
    name = state.full_name(item)
    match item.definition:
        case Table() as table:
            return _create_table(state, quote_all(name.schema, name.name), item, table)
        case View(options=options) as view:
            title = quote_all(name.schema, name.name) + _with(options)
            return f"CREATE VIEW {title} AS{view_query(state, view)}"
        case MaterializedView() as view:
            placed = f"{quote_all(name.schema, name.name)}{_in_cluster(state, view.cluster)}{_view_options(view)}"
            title = f"CREATE MATERIALIZED VIEW {placed}"
            return f"{title} AS{view_query(state, view)}"
        case Enum(labels=labels):
            listed = ", ".join(quote_literal(label) for label, _ in labels)
            return f"CREATE TYPE {quote_all(name.schema, name.name)} AS ENUM ({listed});"
        case Domain(rules=rules):
            said = "" if rules.default is None else f" DEFAULT {rules.default}"
            said += "" if rules.nullable else " NOT NULL"
            said += "".join(f" CONSTRAINT {quote(check.name)} CHECK ({check.sql})" for check in rules.checks)
            return f"CREATE DOMAIN {quote_all(name.schema, name.name)} AS {_type_sql(state, rules.base)}{said};"
        case Composite(fields=fields):
            listed = ", ".join(f"{quote(field)} {_type_sql(state, type_)}" for field, type_ in fields)
            return f"CREATE TYPE {quote_all(name.schema, name.name)} AS ({listed});"
        case RangeDefinition(subtype=subtype, multirange=multirange, options=options):
            made = state.full_name(state.items[multirange.id])
            said = f"SUBTYPE = {_type_sql(state, subtype)}, {''.join(_range_options(options))}"
            said += f"MULTIRANGE_TYPE_NAME = {quote_all(made.schema, made.name)}"
            return f"CREATE TYPE {quote_all(name.schema, name.name)} AS RANGE ({said});"
        case MultirangeDefinition():
            return create_sql(state, state.items[item.definition.range_id])
        case Source(rest=rest, cluster=cluster):
            title = f"CREATE SOURCE {quote_all(name.schema, name.name)}{_in_cluster(state, cluster)}"
            return f"{title} {_rest_sql(state, item, _unplaced(rest))};"
        case WebhookSource() as webhook:
            title = f"CREATE SOURCE {quote_all(name.schema, name.name)}"
            return f"{title} {webhook_sql(state, webhook)}{_with(_retention(webhook.retain_history_ms))};"
        case SourceTable(source_id=source, rest=tuple(rest)):
            read = state.full_name(state.items[source])
            columns = ", ".join(quote(column.name) for _, _, column in item.numbered_columns)
            named = f" ({columns})" if isinstance(item.definition.encoding, RecordEncoding) else ""
            title = f"CREATE TABLE {quote_all(name.schema, name.name)}{named} FROM SOURCE"
            return f"{title} {quote_all(read.schema, read.name)} {_rest_sql(state, item, rest)}".rstrip() + ";"
        case SourceProgress(source_id=source) | SourceTable(source_id=source):
            return create_sql(state, state.items[source])
        case SinkProgress(sink_id=sink):
            return create_sql(state, state.items[sink])
        case FunctionDefinition():
            return function_sql(state, item).rstrip() + ";"
        case SequenceDefinition() as sequence:
            return _create_sequence(quote_all(name.schema, name.name), sequence)
        case Secret():
            # Nobody is told what is in it.
            return f"CREATE SECRET {quote_all(name.schema, name.name)} AS '…';"
        case Connection(of, options):
            listed = ", ".join(f"{option} = {_option_sql(state, value)}" for option, value in options)
            return f"CREATE CONNECTION {quote_all(name.schema, name.name)} TO {of} ({listed});"
        case Sink(cluster=cluster):
            title = f"CREATE SINK {quote_all(name.schema, name.name)}{_in_cluster(state, cluster)}"
            return f"{title} {sink_sql(state, item)};"
        case Index() as index:
            place = _in_cluster(state, index.cluster)
            return f"{index_sql(state, item, index, place=place)}{_with(_retention(index.retain_history_ms))};"
        case _:
            assert_never(item.definition)


def _in_cluster(state: CatalogState, cluster: int) -> str:
    """Returns the clause that names a cluster; nothing for the first one."""
    return "" if cluster == DEFAULT_CLUSTER_OID else f" IN CLUSTER {quote(state.clusters[cluster].name)}"


def _unplaced(rest: WrittenText) -> WrittenText:
    """Returns a source's text without IN CLUSTER "default", which it had until sources said where they run."""
    if not rest or not isinstance(rest[0], str):
        return rest
    placed = _PLACED.match(rest[0])
    return rest if placed is None else (placed[1] + rest[0][placed.end() :], *rest[1:])


def _rest_sql(state: CatalogState, item: Item, rest: WrittenText) -> str:
    """Returns the text as written, with renamed objects under their present names."""

    def now(name: WrittenName) -> str:
        named = state.full_name(_progress_of(state, item.id) if name.id is None else state.items[name.id])
        same = (named.schema, named.name) == (name.schema, name.name)
        return name.text if same else quote_all(named.schema, named.name)

    return text_with_names(rest, now)


def _range_options(options: RangeOptions) -> Iterator[str]:
    """Yields the options of a range type, each with a comma."""
    if options.operator_class is not None:
        yield f"SUBTYPE_OPCLASS = {quote(options.operator_class)}, "
    if options.collation is not None:
        yield f"COLLATION = {quote(options.collation)}, "
    if options.distance is not None:
        yield f"SUBTYPE_DIFF = {quote(options.distance)}, "


def _progress_of(state: CatalogState, source: GlobalId) -> Item:
    return next(
        item
        for item in state.items.values()
        if isinstance(item.definition, SourceProgress) and item.definition.source_id == source
    )


def _option_sql(state: CatalogState, value: ConnectionValue) -> str:
    """Returns an option's value as SQL; for a secret its name."""
    match value:
        case str():
            return quote_literal(value)
        case tuple():
            return f"({', '.join(map(quote_literal, value))})"
        case GlobalId():
            secret = state.full_name(state.items[value])
            return f"SECRET {quote_all(secret.schema, secret.name)}"


def _type_sql(state: CatalogState, type_: ScalarType) -> str:
    """Returns the type's name, in full for a user's type."""
    user = users_type(type_)
    if user is None:
        return type_text(type_)
    name = state.full_name(state.items[user.id])
    array = type_.element is not None and type_.domain is None
    return quote_all(name.schema, name.name) + ("[]" if array else "")


def _identities(state: CatalogState, table: Item) -> dict[int, str]:
    """Returns the clauses of a table's identity columns, by position."""
    found = {}
    for item in state.owned_sequences(table.id):
        owner = item.definition.owned_by if isinstance(item.definition, SequenceDefinition) else None
        if owner is not None and owner.identity is not None:
            word = "ALWAYS" if owner.identity is Identity.ALWAYS else "BY DEFAULT"
            found[owner.column] = f" GENERATED {word} AS IDENTITY"
    return found


def _create_table(state: CatalogState, name: str, item: Item, table: Table) -> str:
    columns = []
    identities = _identities(state, item)
    for _, at, column in item.numbered_columns:
        default = table.defaults[at]
        said = f"{quote(column.name)} {_type_sql(state, column.type)}"
        if default is not None:
            text = shown_default(state, default, ())
            said += f" GENERATED ALWAYS AS ({text}) STORED" if is_generated(item, at) else f" DEFAULT {text}"
        said += identities.get(at, "")
        columns.append(said if column.nullable else f"{said} NOT NULL")

    def full_name(other: Item) -> str:
        return quote_all(state.schemas[other.schema].name, other.name)

    for each in constraints_of(state, item):
        columns.append(f"CONSTRAINT {quote(each.name)} {constraint_sql(state, each, True, full_name)}")
    return f"CREATE TABLE {name} ({', '.join(columns)}){_with(_retention(table.retain_history_ms))};"


def _create_sequence(name: str, sequence: SequenceDefinition) -> str:
    rules = sequence.rules
    counted = f"START WITH {rules.start} INCREMENT BY {rules.increment}"
    bounds = f"MINVALUE {rules.minimum} MAXVALUE {rules.maximum} CACHE {rules.cache}"
    return f"CREATE SEQUENCE {name} AS {rules.type} {counted} {bounds}{' CYCLE' if rules.cycle else ''};"


def _view_options(view: MaterializedView) -> str:
    return _with(("INCREMENTAL = STRICT",) if view.strict else (), _retention(view.retain_history_ms))


def _retention(retain_history_ms: int | None) -> tuple[str, ...]:
    return () if retain_history_ms is None else (f"RETAIN HISTORY FOR '{retain_history_ms} milliseconds'",)


def _with(*options: tuple[str, ...]) -> str:
    listed = ", ".join(option for some in options for option in some)
    return f" WITH ({listed})" if listed else ""


def _new_name(state: CatalogState, reference: Reference) -> NewName | None:
    """Returns the new name of a reference; None when its name is unchanged."""
    item = state.items.get(reference.id)
    if item is None or isinstance(item.definition, FunctionDefinition):
        return None
    name = state.full_name(item)
    columns = _known_columns(item, reference)
    if columns is None and (name.schema, name.name) == (reference.name.schema, reference.name.name):
        return None
    return NewName(name.schema, name.name, columns)


def _known_columns(item: Item, reference: Reference) -> tuple[str, ...] | None:
    """Returns the view's names for the present columns, up to the last one that it knows; None when they are the
    present names."""
    visible, known = item.layout.visible, len(reference.columns)
    names = item.desc.names
    written = [reference.columns[at] if at < known else names[at] for at in visible]
    last = max((number for number, at in enumerate(visible, 1) if at < known), default=0)
    return None if written[:last] == [names[at] for at in visible[:last]] else tuple(written[:last])


def _query(create_sql: str) -> str:
    """Returns the query of a definition: only a name and column names stand before AS, so the first AS outside of
    quotes begins the query."""
    blanked = _QUOTED.sub(lambda match: "x" * len(match[0]), create_sql)
    match = _AS.search(blanked)
    assert match is not None, "a view's definition has AS"
    return create_sql[match.end() :].strip().rstrip(";").rstrip()
