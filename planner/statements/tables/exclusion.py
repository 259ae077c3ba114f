"""EXCLUDE by equality: a key whose rows conflict rather than repeat, perhaps among some rows alone.

EXCLUDE USING btree (room WITH =, day WITH =) WHERE (confirmed)
"""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import bare_text
from planner.catalog_view import KeyKind, KeyRule
from planner.functions.volatility import immutable
from planner.ir.visit import has_subquery
from planner.plans.constraints import NewKey
from planner.query.kept_expressions import planned_condition, require_keepable
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.expression_text import expression_text
from planner.statements.tables.storage_parameters import check_index_parameters
from planner.statements.tables.table_rules import table_row
from planner.types.comparability import ordered

_METHODS = ("btree", "gist", "hash")
_FUNCTIONS = ("func_call", "coalesce_expr", "min_max_expr", "sqlvalue_function", "column_ref")


def declared_exclusion(analysis: Analysis, table: str, desc: RelationDesc, node: Any) -> NewKey:
    """Plans EXCLUDE. Raises SqlError 0A000 for expressions, and for operators other than =, by name."""
    method = node.access_method or "btree"
    if method not in _METHODS:
        message = f'access method "{method}" does not exist'
        if method in ("brin", "gin", "spgist"):
            message = f'access method "{method}" does not support exclusion constraints'
            raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message)
    if method == "hash" and len(node.exclusions) > 1:
        message = 'access method "hash" does not support multicolumn indexes'
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message)
    if node.indexspace:
        raise analysis.unsupported("TABLESPACE", node.location)
    check_index_parameters(node.options)
    columns = tuple(_column(analysis, desc, node, each.list.items) for each in node.exclusions)
    condition = _condition(analysis, table, desc, node.where_clause) if node.HasField("where_clause") else None
    included = tuple(key_position(analysis, desc, name, node.location) for name in strings(node.including))
    rule = KeyRule(KeyKind.EXCLUSION, True, node.deferrable or node.initdeferred, node.initdeferred, method)
    return NewKey(node.conname or None, columns, rule, included, condition)


def key_position(analysis: Analysis, desc: RelationDesc, name: str, location: int) -> int:
    """Returns the position of a key's column. Raises SqlError 42703."""
    if name not in desc.names:
        message = f'column "{name}" named in key does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message, location)
    return desc.names.index(name)


def require_key_type(analysis: Analysis, desc: RelationDesc, column: int, method: str = "btree") -> None:
    """Raises 42704 for a column whose values have no order."""
    type_ = desc.types[column]
    if not ordered(type_):
        message = f'data type {bare_text(type_.base())} has no default operator class for access method "{method}"'
        hint = "You must specify an operator class for the index or define a default operator class for the data type."
        raise analysis.error(Sqlstate.UNDEFINED_OBJECT, message, hint=hint)


def _column(analysis: Analysis, desc: RelationDesc, node: Any, pair: Any) -> int:
    element, operator = pair[0].index_elem, ".".join(each.string.sval for each in pair[1].list.items)
    if not element.name:
        raise analysis.unsupported("an expression in EXCLUDE", node.location)
    if element.name not in desc.names:
        message = f'column "{element.name}" does not exist'
        raise analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
    if operator not in ("=", "pg_catalog.="):
        hint = "Headwater holds EXCLUDE by equality."
        raise analysis.unsupported(f"EXCLUDE with the operator {operator}", node.location, hint=hint)
    if element.opclass or element.collation:
        raise analysis.unsupported("an operator class or a collation in EXCLUDE", node.location)
    if element.ordering != tree.SORTBY_DEFAULT or element.nulls_ordering != tree.SORTBY_NULLS_DEFAULT:
        raise analysis.unsupported("an order in EXCLUDE", node.location)
    at = desc.names.index(element.name)
    require_key_type(analysis, desc, at, node.access_method or "btree")
    return at


def _condition(analysis: Analysis, table: str, desc: RelationDesc, node: Any) -> str:
    """Returns the text of a condition. Raises SqlError 0A000 for a subquery, 42P17 for what changes by itself."""
    text = expression_text(analysis, node)
    condition, used = planned_condition(analysis.context, text, table_row(table, desc))
    require_keepable(condition, used, "a user's type in the condition of EXCLUDE")
    if has_subquery(condition):
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, "cannot use subquery in index predicate")
    if not immutable(condition):
        message = "functions in index predicate must be marked IMMUTABLE"
        raise analysis.error(Sqlstate.INVALID_OBJECT_DEFINITION, message)
    return text if node.WhichOneof("node") in _FUNCTIONS else f"({text})"
