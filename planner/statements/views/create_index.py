"""CREATE [DEFAULT] INDEX: the key's expressions over what is indexed, planned and as text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.catalog_view import ItemKind, ItemView, KeyKind, KeyOrder, KeyRule
from planner.expressions.casts import check_collatable, check_collation
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.volatility import immutable
from planner.interpret.parameters import in_default_style
from planner.ir.columns import own_columns
from planner.ir.scalar import Column, Scalar, scalar_type
from planner.ir.visit import has_subquery
from planner.plans.views import CreateIndexPlan, PlannedIndexKey
from planner.query.from_clause import plan_stored_rows, resolve_table
from planner.query.kept_expressions import kept_expression, qualified_text, refuse_reading
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import ANONYMOUS, column_name, location_of, range_parts, strings
from planner.scope.scope import Scope
from planner.statements.cluster import cluster_of_keys, new_cluster
from planner.statements.expression_text import expression_text
from planner.statements.history_interval import retain_history_ms
from planner.statements.tables.exclusion import require_key_type
from planner.statements.tables.storage_parameters import check_index_parameters
from planner.statements.views.operator_classes import check_operator_class
from planner.syntax.identifiers import quoted
from planner.syntax.parse import ParsedStatement

_METHODS = frozenset(("btree", "arrangement"))
_OTHER_METHODS = frozenset(("hash", "gist", "spgist", "gin", "brin"))
_FUNCTIONS = frozenset(("func_call", "coalesce_expr", "min_max_expr", "sqlvalue_function"))


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateIndexPlan:
    node = statement.node
    _refuse(analysis, node)
    unique, extension = node.unique, statement.extension
    cluster = cluster_of_keys(analysis, extension) if unique else new_cluster(analysis, extension.cluster)
    item = resolve_table(analysis, range_parts(node.relation), -1)
    _check_indexable(analysis, item)
    default = statement.extension.default_index
    if default and not item.visible:
        message = f'relation "{item.name.name}" has no columns to index'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    keys = _all_columns(item) if default else _keys(analysis, node)
    history = retain_history_ms(analysis, statement.extension)
    rule, condition = _rule(analysis, node, item), _condition(analysis, node, item)
    named, included = node.idxname or None, _included(analysis, node, item)
    told = node.if_not_exists, history, rule, condition, included, cluster, _functions(analysis)
    return CreateIndexPlan(named, item.id, item.name, keys, default, *told)


def _functions(analysis: Analysis) -> frozenset[GlobalId]:
    """Returns the users' functions in the keys and in the condition."""
    return frozenset(each.id for each in analysis.used_items.values() if each.kind is ItemKind.FUNCTION)


def _rule(analysis: Analysis, node: Any, item: ItemView) -> KeyRule | None:
    if not node.unique:
        return None
    if item.kind is not ItemKind.TABLE:
        raise analysis.unsupported(f"a UNIQUE index on a {item.kind.value}")
    for param in node.index_params:
        at = item.column_named(param.index_elem.name)
        if at is not None:
            require_key_type(analysis, item.desc, at)
    return KeyRule(KeyKind.INDEX, not node.nulls_not_distinct)


def column_key(name: str, expression: Scalar) -> PlannedIndexKey:
    """Returns a plain column as part of a key."""
    return PlannedIndexKey(expression, quoted(name), name)


def _refuse(analysis: Analysis, node: Any) -> None:
    """Raises an error for options whose promise would not be kept. CONCURRENTLY is accepted: every index is built
    that way."""
    method = node.access_method
    if method in _OTHER_METHODS:
        raise analysis.unsupported(f'access method "{method}"', hint="Leave USING out, or write USING arrangement.")
    if method not in _METHODS:
        message = f'access method "{method}" does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message)
    if node.table_space:
        raise analysis.unsupported("TABLESPACE")
    check_index_parameters(node.options)


def _check_indexable(analysis: Analysis, item: ItemView) -> None:
    if item.kind is ItemKind.SEQUENCE:
        message = f'cannot create index on relation "{item.name.name}"'
        detail = "This operation is not supported for sequences."
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, detail=detail)
    if item.kind is ItemKind.SOURCE_PROGRESS:
        message = f'cannot create index on relation "{item.name.name}"'
        detail = "Its column mz_timestamp is the time of each read."
        hint = "Create a materialized view of its other columns."
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, detail=detail, hint=hint)
    if item.kind is ItemKind.SYSTEM:
        message = f'permission denied: "{item.name.name}" is a system catalog'
        raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)


def _all_columns(item: ItemView) -> tuple[PlannedIndexKey, ...]:
    columns = ((at, item.desc.columns[at]) for at in item.visible)
    return tuple(column_key(column.name, Column(at, column.type)) for at, column in columns)


def _keys(analysis: Analysis, node: Any) -> tuple[PlannedIndexKey, ...]:
    named = len(analysis.used_items)
    expressions = _expressions(analysis, node, ClausePlace.INDEX)
    keys = tuple(_key(expressions, param.index_elem) for param in node.index_params)
    if any(each.kind is not ItemKind.FUNCTION for each in (*analysis.used_items.values(),)[named:]):
        raise analysis.unsupported("a user's type in the expression of an index")
    return keys


def _kept_text(expressions: Expressions, node: Any) -> str:
    """Returns an expression's text, in which users' functions have their schemas. Raises 0A000 for functions that read
    rows."""
    text = expression_text(expressions.analysis, node)
    again, tree_ = kept_expression(expressions.analysis.context, text, expressions.scope, expressions.place)
    refuse_reading(again.analysis, again.plan(tree_), "an index")
    return qualified_text(again.analysis, text)


def _expressions(analysis: Analysis, node: Any, place: ClausePlace) -> Expressions:
    """Returns the planner of expressions over a row of what is indexed."""
    relation = tree.RangeVar()
    relation.CopyFrom(node.relation)
    relation.location = -1
    source = plan_stored_rows(analysis, relation)
    return Expressions(analysis, Scope(source.items), QueryEnvironment(), place)


def _included(analysis: Analysis, node: Any, item: ItemView) -> tuple[PlannedIndexKey, ...]:
    """Returns the columns of INCLUDE. Raises 0A000 on a view and for expressions, 42P17 for whatever says how a column
    is ordered."""
    params = [param.index_elem for param in node.index_including_params]
    if params and item.kind is not ItemKind.TABLE:
        hint = "An index holds all columns of what it is on."
        raise analysis.unsupported(f"INCLUDE in an index on a {item.kind.value}", hint=hint)
    expressions = _expressions(analysis, node, ClausePlace.INDEX)
    for each in params:
        if not each.name:
            message = "expressions are not supported in included columns"
            raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
        for given, what in (
            (bool(each.collation), "a collation"),
            (bool(each.opclass), "an operator class"),
            (each.ordering != tree.SORTBY_DEFAULT, "ASC/DESC options"),
            (each.nulls_ordering != tree.SORTBY_NULLS_DEFAULT, "NULLS FIRST/LAST options"),
        ):
            if given:
                message = f"including column does not support {what}"
                raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, message)
    return tuple(_key(expressions, each) for each in params)


def _condition(analysis: Analysis, node: Any, item: ItemView) -> str | None:
    """Returns the text of a partial index's condition, by which columns are named. Raises 0A000 on a view, whose own
    condition does as well, and for names of users' types, which a rename would leave behind."""
    if not node.HasField("where_clause"):
        return None
    if item.kind is not ItemKind.TABLE:
        hint = "Create a view with the condition, and index that."
        raise analysis.unsupported(f"a partial index on a {item.kind.value}", location_of(node.where_clause), hint=hint)
    named = len(analysis.used_items)
    expressions = _expressions(analysis, node, ClausePlace.INDEX_PREDICATE)
    condition = in_default_style(expressions.plan_boolean(node.where_clause, "WHERE"))
    refuse_reading(analysis, condition, "an index")
    if has_subquery(condition):
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot use subquery in index predicate")
    if not immutable(condition):
        message = "functions in index predicate must be marked IMMUTABLE"
        raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, message)
    if any(each.kind is not ItemKind.FUNCTION for each in (*analysis.used_items.values(),)[named:]):
        raise analysis.unsupported("a user's type in the condition of an index")
    text = _kept_text(expressions, node.where_clause)
    return text if node.where_clause.WhichOneof("node") in (*_FUNCTIONS, "column_ref") else f"({text})"


def _key(expressions: Expressions, element: Any) -> PlannedIndexKey:
    """Plans a key of an index; ASC, DESC, NULLS FIRST and LAST are kept to be told. They, collations and operator
    classes order nothing: an index finds equal keys, and its rows are sorted when read."""
    analysis = expressions.analysis
    key = _written_key(expressions, element)
    if element.collation:
        check_collation(analysis, strings(element.collation))
        check_collatable(analysis, scalar_type(key.expression))
    if element.opclass:
        check_operator_class(analysis, element, scalar_type(key.expression))
    descending = element.ordering == tree.SORTBY_DESC
    first = element.nulls_ordering == tree.SORTBY_NULLS_FIRST
    by_default = element.nulls_ordering == tree.SORTBY_NULLS_DEFAULT
    return replace(key, order=KeyOrder(descending, descending if by_default else first))


def _written_key(expressions: Expressions, element: Any) -> PlannedIndexKey:
    analysis = expressions.analysis
    if element.name:
        reference = tree.ColumnRef(fields=[tree.Node(string=tree.String(sval=element.name))], location=-1)
        return column_key(element.name, expressions.plan_known(tree.Node(column_ref=reference)))
    expression = in_default_style(expressions.plan_known(element.expr))
    if has_subquery(expression):
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot use subquery in index expression")
    if not immutable(expression):
        message = "functions in index expression must be marked IMMUTABLE"
        raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, message)
    text = _kept_text(expressions, element.expr)
    kind = element.expr.WhichOneof("node")
    if kind == "column_ref" and own_columns(expression):
        name = column_name(element.expr)
        return column_key(name, expression)
    name = column_name(element.expr)
    return PlannedIndexKey(
        expression, text if kind in _FUNCTIONS else f"({text})", "expr" if name == ANONYMOUS else name
    )
