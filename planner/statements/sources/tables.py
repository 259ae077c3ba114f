"""FOR ALL TABLES and FOR TABLES (…): which of upstream's tables become tables of a source, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from planner.catalog_view import QualifiedName
from planner.scope.analysis import Analysis
from planner.statements.new_names import new_object_name
from planner.syntax.own_statements import Place
from planner.syntax.source_statements import CreateSource, ForTables

PlannedTables = tuple[tuple[QualifiedName, str, RelationDesc], ...]


def plan_tables(
    analysis: Analysis, node: CreateSource, source: QualifiedName, upstream: Mapping[str, RelationDesc]
) -> PlannedTables:
    """Plans our name, upstream's, and the columns of each table. An upstream of one table, or of none, has a source
    for it."""
    if len(upstream) < 2:
        if node.tables is not None:
            message = "FOR TABLES and FOR ALL TABLES are for sources of several tables"
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.name.location)
        return ()
    if node.tables is None:
        hint = "Say FOR ALL TABLES, or FOR TABLES (a AS b, …)."
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "a source of several tables needs them named", hint=hint)
    planned = tuple(chosen_tables(analysis, node.tables, source, upstream))
    require_distinct(analysis, planned)
    return planned


def require_distinct(analysis: Analysis, planned: PlannedTables) -> None:
    """Raises 42P07 where two tables would have one name."""
    seen = set()
    for name, _, _ in planned:
        if name in seen:
            hint = "FOR TABLES (a AS b, …) gives tables other names."
            message = f'relation "{name.name}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_TABLE, message, hint=hint)
        seen.add(name)


def chosen_tables(
    analysis: Analysis, tables: ForTables, source: QualifiedName, upstream: Mapping[str, RelationDesc]
) -> list[tuple[QualifiedName, str, RelationDesc]]:
    if tables.schemas is not None:
        raise analysis.unsupported("FOR SCHEMAS of a load generator", hint="Say FOR ALL TABLES.")
    if tables.chosen is None:
        return [(QualifiedName(source.database, source.schema, name), name, desc) for name, desc in upstream.items()]
    return [_named(analysis, of, own, source, upstream) for of, own in tables.chosen]


def _named(
    analysis: Analysis, of: Place, own: Place | None, source: QualifiedName, upstream: Mapping[str, RelationDesc]
) -> tuple[QualifiedName, str, RelationDesc]:
    reference = of.parts[-1]
    if len(of.parts) > 1 or reference not in upstream:
        hint = f"There are {', '.join(upstream)}."
        message = f'upstream has no table "{".".join(of.parts)}"'
        raise analysis.error(Sqlstate.UNDEFINED_TABLE, message, of.location, hint=hint)
    name = QualifiedName(source.database, source.schema, reference)
    if own is not None:
        named = new_object_name(analysis, own.parts, own.location)
        name = named if len(own.parts) > 1 else QualifiedName(source.database, source.schema, named.name)
    return name, reference, upstream[reference]
