"""Column references: bare, by table, whole rows, from enclosing queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT4, ScalarType, TypeName
from planner.expressions.missing_names import missing_column, missing_table
from planner.expressions.planner import ClausePlace, Expressions, handles
from planner.functions.types.composites import FIELD
from planner.ir.columns import deepen
from planner.ir.placeholder import Placeholder, TableCallField, TableCallValue
from planner.ir.scalar import Call, Case, Literal, RowOf, Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.temporary_schema import ALIAS, is_temporary

# Database, schema, table, column.
_PARTS_MAX = 4


def scopes(scope: Scope) -> Iterator[tuple[int, Scope]]:
    """Yields the scope and the scopes around it, with their depths."""
    at: Scope | None = scope
    depth = 0
    while at is not None:
        yield depth, at
        at = at.parent
        depth += 1


@handles("column_ref")
def plan_column(expressions: Expressions, node: Any) -> Scalar:
    if node.fields[-1].WhichOneof("node") == "a_star":
        if len(node.fields) == 1:
            raise expressions.analysis.error(Sqlstate.SYNTAX_ERROR, "SELECT * is not valid here", node.location)
        return whole_row(expressions, strings(node.fields[:-1]), node.location)
    parts = strings(node.fields)
    if expressions.place is ClausePlace.DEFAULT:
        message = "cannot use column reference in DEFAULT expression"
        raise expressions.analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)
    if len(parts) > _PARTS_MAX:
        message = f"improper qualified name (too many dotted names): {'.'.join(parts)}"
        raise expressions.analysis.error(Sqlstate.SYNTAX_ERROR, message, node.location)
    if len(parts) == 1:
        return _bare(expressions, parts[0], node.location)
    return _qualified(expressions, parts, node.location)


def _bare(expressions: Expressions, name: str, location: int) -> Scalar:
    for depth, scope in scopes(expressions.scope):
        if scope.hidden:
            continue
        found = [field for item in scope.items if item.columns_visible for field in item.fields if field.name == name]
        if len(found) > 1:
            message = f'column reference "{name}" is ambiguous'
            raise expressions.analysis.error(Sqlstate.AMBIGUOUS_COLUMN, message, location)
        if found:
            _require_one_meaning(expressions.analysis, (name,), location)
            return _read(expressions, scope, found[0].taken(), depth, location)
    system = [(item, f) for item in expressions.scope.items for f in item.system_fields if f.name == name]
    if len(system) > 1:
        message = f'column reference "{name}" is ambiguous'
        raise expressions.analysis.error(Sqlstate.AMBIGUOUS_COLUMN, message, location)
    if system:
        return _system(expressions, *system[0], location)
    row = only_item(expressions, (name,), location)
    if row is not None:
        return _row_of(expressions, *row, location)
    parameter = _parameter(expressions.analysis, (name,), location)
    if parameter is not None:
        return parameter
    raise missing_column(expressions.analysis, expressions.scope, None, name, location)


def _system(expressions: Expressions, item: NamespaceItem, field: Field, location: int) -> Scalar:
    """Returns a system column; NULL in a row that an outer join adds. Raises SqlError 0A000 in an index, 42P10 for
    other columns than tableoid in a condition of MERGE."""
    if expressions.place in (ClausePlace.INDEX, ClausePlace.INDEX_PREDICATE):
        message = "index creation on system columns is not supported"
        raise expressions.analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if expressions.place is ClausePlace.MERGE_WHEN and field.name != "tableoid":
        message = f'cannot use system column "{field.name}" in MERGE WHEN condition'
        raise expressions.analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, location)
    scalar = field.taken()
    if item.present is None:
        return scalar
    type_ = scalar_type(scalar)
    return Case(((item.present, scalar),), Literal(None, type_), type_)


def _read(expressions: Expressions, scope: Scope, scalar: Scalar, depth: int, location: int) -> Scalar:
    if scope.select is not None:
        scope.select.column_places.setdefault(scalar, location)
    return deepen(scalar, depth)


def _qualified(expressions: Expressions, parts: tuple[str, ...], location: int) -> Scalar:
    table, name = parts[:-1], parts[-1]
    found = only_item(expressions, table, location)
    if found is None:
        if len(parts) == 2:
            composite = _find_record_column(expressions, parts[0], location)
            if composite is not None:
                return field_of(expressions.analysis, composite, name, location)
        parameter = _parameter(expressions.analysis, parts, location)
        if parameter is not None:
            return parameter
        raise missing_table(expressions.analysis, expressions.scope, table[-1], location)
    depth, scope, item = found
    fields = [field for field in item.fields if field.name == name]
    if not fields:
        system = [field for field in item.system_fields if field.name == name]
        if system:
            return _read(expressions, scope, _system(expressions, item, system[0], location), depth, location)
    if len(fields) > 1:
        message = f'column reference "{name}" is ambiguous'
        raise expressions.analysis.error(Sqlstate.AMBIGUOUS_COLUMN, message, location)
    if not fields:
        parameter = _parameter(expressions.analysis, parts, location)
        if parameter is not None:
            return parameter
        context = expressions.analysis.context
        if context.catalog.resolve_functions((name,), context.search_path, context.database):
            return expressions.plan(_call_of_row(name, table, location))
        raise missing_column(expressions.analysis, expressions.scope, table[-1], name, location)
    _require_one_meaning(expressions.analysis, parts, location)
    return _read(expressions, scope, fields[0].taken(), depth, location)


def _call_of_row(name: str, table: tuple[str, ...], location: int) -> Any:
    """Returns the tree of `name(table)`, which `table.name` means where no column has the name."""
    row = tree.Node(column_ref=tree.ColumnRef(fields=[_word(part) for part in table], location=location))
    return tree.Node(func_call=tree.FuncCall(funcname=[_word(name)], args=[row], location=location))


def _word(text: str) -> Any:
    return tree.Node(string=tree.String(sval=text))


def _parameter(analysis: Analysis, parts: tuple[str, ...], location: int) -> Scalar | None:
    """Returns the parameter, or a field of the parameter, that a name means in a statement of a routine's, where no
    column has the name: `parameter`, `routine.parameter`, `parameter.field`, `routine.parameter.field`."""
    routine = analysis.context.routine
    if routine is None or len(parts) > 3:
        return None
    named = parts[0] == routine.name and len(parts) > 1 and parts[1] in routine.parameters
    rest = parts[1:] if named else parts
    if rest[0] not in routine.parameters or len(rest) > 2:
        return None
    value = analysis.parameter(routine.parameters.index(rest[0]) + 1, location)
    if len(rest) == 1:
        return value
    type_ = scalar_type(value)
    if routine.exclusive and type_.name is TypeName.RECORD and rest[1] not in {name for name, _ in type_.fields}:
        message = f'record "{rest[0]}" has no field "{rest[1]}"'
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message, location)
    return field_of(analysis, value, rest[1], location)


def _require_one_meaning(analysis: Analysis, parts: tuple[str, ...], location: int) -> None:
    """Raises SqlError 42702 where the name of a column means a variable of PL/pgSQL's, or a variable's field, too."""
    routine = analysis.context.routine
    if routine is None or not routine.exclusive:
        return
    if _parameter(analysis, parts, location) is not None:
        message = f'column reference "{".".join(parts)}" is ambiguous'
        detail = "It could refer to either a PL/pgSQL variable or a table column."
        raise analysis.error(Sqlstate.AMBIGUOUS_COLUMN, message, location, detail=detail)


def _find_record_column(expressions: Expressions, name: str, location: int) -> Scalar | None:
    for depth, scope in scopes(expressions.scope):
        for item in scope.items:
            for field in item.fields:
                type_ = scalar_type(field.scalar)
                is_record = type_.name is TypeName.RECORD and type_.composite is None
                if item.columns_visible and field.name == name and is_record:
                    return _read(expressions, scope, field.taken(), depth, location)
    return None


def field_of(analysis: Analysis, record: Scalar, name: str, location: int) -> Scalar:
    """Plans the field of a record that has a name; raises 42703 when the record has no such field."""
    type_ = scalar_type(record)
    for at, (field, field_type) in enumerate(type_.fields):
        if field == name:
            return field_at(analysis, record, at, field_type, location)
    if type_.name is not TypeName.RECORD:
        message = f"column notation .{name} applied to type {type_}, which is not a composite type"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, location)
    message = f'could not identify column "{name}" in record data type'
    if type_.composite is not None:
        message = f'column "{name}" not found in data type {type_}'
    raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message, location)


def field_at(analysis: Analysis, record: Scalar, at: int, type_: ScalarType, location: int) -> Scalar:
    """Plans the field of a record at a position."""
    match record:
        case RowOf():
            return record.fields[at]
        case Placeholder(TableCallValue(number), depth=depth):
            return Placeholder(TableCallField(number, at), type_, depth)
        case _:
            return Call(FIELD.key, (record, Literal(at, INT4)), type_)


def find_item(scope: Scope, parts: tuple[str, ...]) -> tuple[int, Scope, NamespaceItem] | None:
    """Finds the item of FROM that a name means, in the nearest scope that has it; returns the depth of the scope, the
    scope and the item."""
    for depth, at in scopes(scope):
        if at.hidden:
            continue
        for item in at.items:
            if not item.relation_visible or item.alias != parts[-1]:
                continue
            if len(parts) == 1 or _is_schema(parts[-2], item.schema):
                return depth, at, item
    return None


def _is_schema(name: str, schema: str | None) -> bool:
    """Tells whether `schema` is named so; among temporary schemas, only the session's own can be in FROM."""
    return schema == name or (name == ALIAS and schema is not None and is_temporary(schema))


def only_item(
    expressions: Expressions, parts: tuple[str, ...], location: int
) -> tuple[int, Scope, NamespaceItem] | None:
    """Finds an item as `find_item` does; raises 42P09 where a bare name may mean tables of several schemas."""
    found = find_item(expressions.scope, parts)
    if found is not None and len(parts) == 1:
        _, scope, item = found
        if any(other.relation_visible and other.alias == item.alias and other is not item for other in scope.items):
            message = f'table reference "{parts[0]}" is ambiguous'
            raise expressions.analysis.error(Sqlstate.AMBIGUOUS_ALIAS, message, location)
    return found


def whole_row(expressions: Expressions, parts: tuple[str, ...], location: int) -> Scalar:
    """Plans `table.*` used as one value."""
    found = only_item(expressions, parts, location)
    if found is None:
        raise missing_table(expressions.analysis, expressions.scope, parts[-1], location)
    return _row_of(expressions, *found, location)


def _row_of(expressions: Expressions, depth: int, scope: Scope, item: NamespaceItem, location: int) -> Scalar:
    if item.scalar_result:
        return _read(expressions, scope, item.fields[0].taken(), depth, location)
    fields = tuple(_read(expressions, scope, field.taken(), depth, location) for field in item.fields)
    # A relation's rows are of its own type, whatever its columns are called here.
    names = [field.name for field in item.fields] if item.source is None else item.source.visible_desc.names
    types = tuple((name, scalar_type(value)) for name, value in zip(names, fields, strict=True))
    named = None if item.source is None or item.source.row_type is None else item.source.row_type.composite
    row = RowOf(fields, ScalarType(TypeName.RECORD, fields=types, composite=named))
    if item.present is None:
        return row
    present = _read(expressions, scope, item.present, depth, location)
    return Case(((present, row),), Literal(None, row.type), row.type)


def column_of_row(expressions: Expressions, row: Any, name: str) -> Scalar | None:
    """Plans `(table).name` and `(table.*).name` as a column of the table, under the name that the column has in this
    query; returns None when `row` is not a table's row."""
    if row.WhichOneof("node") != "column_ref":
        return None
    nodes = row.column_ref.fields
    star = nodes[-1].WhichOneof("node") == "a_star"
    parts = strings(nodes[:-1] if star else nodes)
    if not parts or only_item(expressions, parts, row.column_ref.location) is None:
        return None
    if not star and not isinstance(expressions.plan(row), RowOf | Case):
        return None
    return _qualified(expressions, (*parts, name), row.column_ref.location)


def star_fields(scope: Scope) -> tuple[Field, ...]:
    """Returns the columns of `*`."""
    return tuple(field for item in scope.items if item.columns_visible for field in item.fields)
