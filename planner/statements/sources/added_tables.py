"""CREATE TABLE … FROM SOURCE and ALTER SOURCE … ADD | DROP SUBSOURCE, REFRESH: tables of a source that is there."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from model.external.generators import UpstreamTable, generated_tables
from model.external.publications import PublishedTable
from model.external.records import RecordEncoding
from model.ids.written_text import WrittenText
from model.types.relation_desc import RelationDesc
from planner.catalog_view import FoundUpstream, ItemKind, ItemView, QualifiedName
from planner.plans.objects import DropPlan, ObjectKind
from planner.plans.sources import (
    AddedTable,
    AddTablesPlan,
    FetchSchemasPlan,
    FindUpstreamPlan,
    RefreshTablesPlan,
)
from planner.query.from_clause import find_relation
from planner.scope.analysis import Analysis
from planner.statements.new_names import new_object_name
from planner.statements.sources.encoding import plan_encoding
from planner.statements.sources.publication import followed_tables, with_said_types
from planner.statements.sources.schemas import wanted_schemas
from planner.statements.sources.source_columns import named_columns
from planner.statements.sources.source_options import ClauseOptions
from planner.statements.sources.tables import chosen_tables, require_distinct
from planner.statements.sources.transactions import plan_transactions
from planner.statements.sources.written_names import names_of_decoding, written_text
from planner.syntax.connection_statements import AddedSubsources, AlterOwnObject, DroppedSubsources, RefreshedSubsources
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import CreateTableFromSource, Decoding, ForTables

_REFERENCE, _RETAIN_HISTORY = "REFERENCE", "RETAIN HISTORY"
_Content = tuple[RecordEncoding | UpstreamTable, RelationDesc, PublishedTable | None]


def plan_create(analysis: Analysis, statement: ParsedStatement) -> AddTablesPlan | FetchSchemasPlan | FindUpstreamPlan:
    node: CreateTableFromSource = statement.node
    source = _source(analysis, node.source)
    if node.found is None:
        return FindUpstreamPlan(statement, source.id)
    name = new_object_name(analysis, node.name.parts, node.name.location)
    options, said = ClauseOptions(analysis, node.options), ClauseOptions(analysis, node.upstream)
    reference = said.name(_REFERENCE)
    if node.found.kind == "kafka":
        content = _of_records(analysis, statement, node.found, reference, options)
        if isinstance(content, FetchSchemasPlan):
            return content
    else:
        content = _of_table(analysis, node, node.found, reference, said)
    rest: WrittenText = ()
    if node.rest is not None:
        rest = written_text(statement, node.rest, names_of_decoding(analysis, node.decoding))
    table = AddedTable(name, *content, options.interval_ms(_RETAIN_HISTORY), rest)
    return AddTablesPlan(source.id, (table,), node.if_not_exists)


def plan_subsources(
    analysis: Analysis, statement: ParsedStatement
) -> AddTablesPlan | RefreshTablesPlan | FindUpstreamPlan | DropPlan:
    """Plans ALTER SOURCE s ADD SUBSOURCE, DROP SUBSOURCE and REFRESH."""
    node: AlterOwnObject = statement.node
    source = _source(analysis, node.name)
    match node.action:
        case DroppedSubsources(names, if_exists, cascade):
            for name in names:
                _subsource(analysis, name, source, if_exists=if_exists)
            return DropPlan(ObjectKind.SOURCE, tuple(name.parts for name in names), if_exists, cascade)
        case AddedSubsources() as added:
            if added.found is None:
                return FindUpstreamPlan(statement, source.id)
            return _added_subsources(analysis, added, source)
        case RefreshedSubsources() as refreshed:
            if refreshed.found is None:
                return FindUpstreamPlan(statement, source.id)
            return _refreshed_subsources(analysis, refreshed, source)
        case _:
            raise AssertionError("others are planned elsewhere")


def _added_subsources(analysis: Analysis, added: AddedSubsources, source: ItemView) -> AddTablesPlan:
    chosen, found, options = ForTables(added.tables), added.found, ClauseOptions(analysis, added.options)
    assert found is not None, "it was looked up"
    tables: list[AddedTable] = []

    def add(name: QualifiedName, of: str, desc: RelationDesc, published: PublishedTable | None) -> None:
        tables.append(AddedTable(name, UpstreamTable(of), desc, published, None, None))

    if found.published is not None:
        for table, name in followed_tables(analysis, chosen, source.name, found.published, options):
            add(name, table.full_name, table.desc, table)
    elif found.generator is not None and len(generated_tables(found.generator)) > 1:
        for name, of, desc in chosen_tables(analysis, chosen, source.name, generated_tables(found.generator)):
            add(name, of, desc, None)
    else:
        message = f'source "{source.name.name}" has no subsources'
        hint = f"CREATE TABLE … FROM SOURCE {source.name.name} adds a table to a source of a topic."
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, hint=hint)
    require_distinct(analysis, tuple((each.name, "", each.desc) for each in tables))
    return AddTablesPlan(source.id, tuple(tables))


def _refreshed_subsources(analysis: Analysis, refreshed: RefreshedSubsources, source: ItemView) -> RefreshTablesPlan:
    found = refreshed.found
    assert found is not None, "it was looked up"
    if found.published is None:
        message = f'source "{source.name.name}" has no tables that are altered upstream'
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, hint="Sources of POSTGRES have.")
    named = [_subsource(analysis, name, source, if_exists=False) for name in refreshed.names]
    published = with_said_types(analysis, found.published.tables, ClauseOptions(analysis, refreshed.options))
    return RefreshTablesPlan(source.id, tuple(item.id for item in named if item is not None), published)


def _source(analysis: Analysis, place: Place) -> ItemView:
    item = find_relation(analysis, place.parts, place.location)
    if item.kind is not ItemKind.SOURCE:
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, f'"{item.name.name}" is not a source', place.location)
    return item


def _subsource(analysis: Analysis, place: Place, source: ItemView, *, if_exists: bool) -> ItemView | None:
    context = analysis.context
    item = context.catalog.resolve_item(place.parts, context.search_path, context.database)
    if (item is None and not if_exists) or (item is not None and item.on != source.id):
        message = f'source "{source.name.name}" has no subsource "{".".join(place.parts)}"'
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message, place.location)
    return item


def _of_records(
    analysis: Analysis,
    statement: ParsedStatement,
    found: FoundUpstream,
    reference: tuple[str, ...] | None,
    options: ClauseOptions,
) -> FetchSchemasPlan | _Content:
    node: CreateTableFromSource = statement.node
    topic = found.topic
    assert topic is not None, "a source of Kafka has one"
    if reference is not None and ".".join(reference) != topic:
        message = f'source "{node.source.parts[-1]}" does not read "{".".join(reference)}"'
        raise analysis.error(
            Sqlstate.UNDEFINED_TABLE, message, node.source.location, hint=f'It reads the topic "{topic}".'
        )
    if plan_transactions(analysis, node.decoding.envelope) is not None:
        raise analysis.unsupported("TRANSACTION METADATA of a table of a source", node.name.location)
    wanted = wanted_schemas(analysis, node.decoding, topic)
    if wanted:
        return FetchSchemasPlan(statement, wanted)
    return *plan_encoding(analysis, node.decoding, node.columns, options), None


def _of_table(
    analysis: Analysis,
    node: CreateTableFromSource,
    found: FoundUpstream,
    reference: tuple[str, ...] | None,
    said: ClauseOptions,
) -> _Content:
    if found.published is None and found.generator is None:
        hint = "Tables are added to sources of KAFKA, POSTGRES and LOAD GENERATOR; another source reads it as well."
        raise analysis.unsupported(f"a table from a source of kind {found.kind}", node.source.location, hint=hint)
    if node.decoding != Decoding():
        message = f"FORMAT, INCLUDE and ENVELOPE of a table from a source of kind {found.kind}"
        raise analysis.unsupported(message, node.name.location, hint="It has the columns that upstream's has.")
    if reference is None:
        message = f'source "{node.source.parts[-1]}" has several tables'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.source.location, hint="Say (REFERENCE t).")
    chosen = ForTables(((Place(reference, node.source.location), None),))
    name = new_object_name(analysis, node.name.parts, node.name.location)
    if found.published is not None:
        if node.columns:
            raise analysis.unsupported("columns of a table of upstream's", node.name.location)
        ((table, _),) = followed_tables(analysis, chosen, name, found.published, said)
        return UpstreamTable(table.full_name), table.desc, table
    assert found.generator is not None
    ((_, of, desc),) = chosen_tables(analysis, chosen, name, generated_tables(found.generator))
    return UpstreamTable(of), named_columns(analysis, desc, node.columns), None
