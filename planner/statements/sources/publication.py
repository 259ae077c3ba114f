"""FROM POSTGRES CONNECTION c (PUBLICATION 'p'): the tables of the publication to follow, and their names here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from connectors.postgres.publication import PostgresPublication
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.publications import Publication, PublishedColumn, PublishedTable, no_old_rows
from model.types.scalar_type import TEXT, ScalarType, TypeName
from planner.catalog_view import QualifiedName
from planner.plans.sources import FindPublicationPlan
from planner.scope.analysis import Analysis
from planner.statements.connections.access_objects import access_object
from planner.statements.new_names import new_object_name
from planner.statements.sources.source_options import ClauseOptions
from planner.statements.sources.tables import PlannedTables, require_distinct
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement
from planner.syntax.source_statements import CreateSource, Decoding, ForTables, FromConnection

_RECORDS_ONLY = ("DECODING ERRORS", "KEY DECODING ERRORS", "VALUE DECODING ERRORS")
_TEXT_COLUMNS, _WIDE_COLUMNS = "TEXT COLUMNS", "WIDE COLUMNS"
_NUMERICS = frozenset((TypeName.NUMERIC, TypeName.WIDE))
_NO_TABLES = ForTables(())
"""Those that CREATE TABLE … FROM SOURCE adds are all that there are."""
Chosen = tuple[PublishedTable, QualifiedName]


def plan_publication(
    analysis: Analysis,
    statement: ParsedStatement,
    upstream: FromConnection,
    name: QualifiedName,
    options: ClauseOptions,
) -> FindPublicationPlan | tuple[PostgresPublication, PlannedTables]:
    """Plans a source of a publication: first the question to upstream; with the answer, the tables by their names
    here, upstream's tables, and their columns."""
    node: CreateSource = statement.node
    if node.decoding != Decoding() or node.columns:
        message = "columns, FORMAT, INCLUDE and ENVELOPE of a POSTGRES source"
        raise analysis.unsupported(
            message, node.name.location, hint="Its tables have the columns that upstream's have."
        )
    options.refuse(*_RECORDS_ONLY)
    connection = access_object(analysis, "connection", upstream.connection).id
    said = ClauseOptions(analysis, upstream.options)
    publication = said.text("PUBLICATION")
    if publication is None:
        hint = "CREATE PUBLICATION p FOR ALL TABLES on the server that is read from, and say PUBLICATION 'p'."
        raise analysis.error(
            Sqlstate.SYNTAX_ERROR, "a POSTGRES source needs PUBLICATION", node.name.location, hint=hint
        )
    if node.published is None:
        return FindPublicationPlan(statement, connection, publication)
    chosen = followed_tables(analysis, node.tables or _NO_TABLES, name, node.published, said)
    planned = tuple((own, table.full_name, table.desc) for table, own in chosen)
    require_distinct(analysis, planned)
    followed = tuple({table.full_name: table for table, _ in chosen}.values())
    return PostgresPublication(connection, replace(node.published, tables=followed)), planned


def followed_tables(
    analysis: Analysis, tables: ForTables, source: QualifiedName, published: Publication, said: ClauseOptions
) -> Sequence[Chosen]:
    """Returns the chosen ones, with TEXT COLUMNS as text and WIDE COLUMNS as numerics of any precision. Raises
    SqlError for one that can't be followed."""
    found = replace(published, tables=with_said_types(analysis, published.tables, said))
    chosen = _chosen(analysis, tables, source, found)
    for table, _ in chosen:
        _require_followable(analysis, table)
    return chosen


def _chosen(analysis: Analysis, tables: ForTables, source: QualifiedName, found: Publication) -> Sequence[Chosen]:
    if tables.chosen is not None:
        return [_named(analysis, of, own, source, found) for of, own in tables.chosen]
    published = found.tables
    if tables.schemas is not None:
        known = {table.schema for table in published}
        for schema in tables.schemas:
            if schema not in known:
                message = f'publication "{found.name}" has no table in schema "{schema}"'
                raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message)
        published = tuple(table for table in published if table.schema in tables.schemas)
    if not published:
        message = f'publication "{found.name}" has no tables'
        raise analysis.error(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
    return [(table, QualifiedName(source.database, source.schema, table.name)) for table in published]


def _named(analysis: Analysis, of: Place, own: Place | None, source: QualifiedName, found: Publication) -> Chosen:
    fitting = [table for table in found.tables if (table.schema, table.name)[-len(of.parts) :] == of.parts]
    if len(fitting) != 1:
        which = "several tables" if fitting else "no table"
        names = [table.full_name for table in fitting or found.tables]
        sqlstate = Sqlstate.AMBIGUOUS_ALIAS if fitting else Sqlstate.UNDEFINED_TABLE
        message = f'publication "{found.name}" has {which} "{".".join(of.parts)}"'
        raise analysis.error(sqlstate, message, of.location, hint=f"There are {', '.join(names)}.")
    name = QualifiedName(source.database, source.schema, fitting[0].name)
    if own is not None:
        named = new_object_name(analysis, own.parts, own.location)
        name = named if len(own.parts) > 1 else QualifiedName(source.database, source.schema, named.name)
    return fitting[0], name


def _require_followable(analysis: Analysis, table: PublishedTable) -> None:
    if not table.old_rows:
        raise no_old_rows(table)
    if not table.columns:
        raise analysis.unsupported(f'upstream\'s table "{table.full_name}", which has no columns')


def with_said_types(
    analysis: Analysis, tables: Iterable[PublishedTable], said: ClauseOptions
) -> tuple[PublishedTable, ...]:
    """Returns the tables, with those columns as text that TEXT COLUMNS names, t.c or s.t.c, and those as numerics of
    any precision that WIDE COLUMNS names. Raises 42703 for a name of no column, 42804 for a wide one of another
    type."""
    wide = _with_types(analysis, tables, said, _WIDE_COLUMNS, lambda column: _widened(analysis, column))
    return _with_types(analysis, wide, said, _TEXT_COLUMNS, lambda _: TEXT)


def _with_types(
    analysis: Analysis,
    tables: Iterable[PublishedTable],
    said: ClauseOptions,
    option: str,
    held_as: Callable[[PublishedColumn], ScalarType],
) -> tuple[PublishedTable, ...]:
    left = dict.fromkeys(said.places(option), False)

    def named(table: PublishedTable, column: str) -> bool:
        fitting = [name for name in left if (table.schema, table.name, column)[-len(name) :] == name]
        left.update(dict.fromkeys(fitting, True))
        return bool(fitting)

    changed = tuple(
        replace(
            table,
            columns=tuple(
                replace(column, type=held_as(column)) if named(table, column.name) else column
                for column in table.columns
            ),
        )
        for table in tables
    )
    for name, met in left.items():
        if not met:
            raise _no_column(analysis, name, option)
    return changed


def _widened(analysis: Analysis, column: PublishedColumn) -> ScalarType:
    if column.type.name not in _NUMERICS:
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, f'column "{column.name}" of upstream is no numeric')
    return replace(column.type, name=TypeName.WIDE)


def _no_column(analysis: Analysis, name: tuple[str, ...], option: str) -> SqlError:
    message = f'upstream has no column "{".".join(name)}"'
    return analysis.error(Sqlstate.UNDEFINED_COLUMN, message, hint=f"{option} (schema.table.column, …)")
