"""Bodies of SECURITY DEFINER functions that have become part of a query: what they read is read by the rights of the
owner, who is the current user within.

    CREATE FUNCTION mine() RETURNS SETOF text SECURITY DEFINER … 'SELECT a FROM t WHERE who = current_user'

    Filter(ViewGet(t, of mine), who = 'the owner')
"""

from __future__ import annotations

from model.ids.global_id import GlobalId, Namespace
from model.types.scalar_type import NAME
from planner.catalog_view import ItemView
from planner.function_rules import FunctionRules
from planner.functions.registry import FUNCTIONS, TABLE_FUNCTIONS
from planner.ir.reads import reads_of
from planner.ir.relation import FlatMap, Get, Map, Relation, TargetGet, ViewGet
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Call, Literal, Scalar, SessionName, SessionValue
from planner.ir.unit import UNIT
from planner.ir.visit import ScalarVisit, parts_of, rewrite_relation, rewrite_scalar, scalars_of, walk_relation

_SCHEMAS = frozenset((SessionName.CURRENT_SCHEMA, SessionName.CURRENT_SCHEMAS, SessionName.CURRENT_SCHEMAS_IMPLICIT))
SEARCH_PATH = "search_path"


def rows_as_definer(item: ItemView, relation: Relation) -> Relation:
    """Returns the rows of a function's body, read as the function reads."""
    if item.definer is None:
        return relation
    named = rewrite_relation(relation, _naming(item.definer.name), 0)
    return rewrite_gets(named, lambda get: _read_for(item.id, get))


def with_current_user(scalar: Scalar, name: str) -> Scalar:
    """Returns an expression as it is where the current user has a name."""
    return rewrite_scalar(scalar, _naming(name))


def _naming(name: str) -> ScalarVisit:
    owner = Literal(name, NAME)
    return lambda node, level: owner if node == SessionValue(SessionName.CURRENT_USER) else None


def value_as_definer(item: ItemView, value: Scalar) -> Scalar:
    """Returns the value of a function's body, read as the function reads."""
    if item.definer is None:
        return value
    changed = rows_as_definer(item, Map(UNIT, (value,), ("value",)))
    assert isinstance(changed, Map), "nothing but Gets is replaced"
    return changed.scalars[0]


def _read_for(function: GlobalId, get: Get) -> Get:
    """Returns the reading of a collection for a function; what another function within reads is that one's."""
    return get if isinstance(get, TargetGet | ViewGet) else ViewGet(get.id, get.desc, function)


def runs_apart(rules: FunctionRules, body: Relation) -> bool:
    """Tells whether a function must run by itself, with another role or other settings in the session: it asks the
    server in their place, or is computed by settings."""
    if any(name != SEARCH_PATH for name, _ in rules.settings):
        return True
    if not rules.definer and not rules.settings:
        return False
    reads = reads_of(body)
    if rules.settings and not _SCHEMAS.isdisjoint(reads.session_values):
        return True
    if rules.definer and any(id_.namespace is Namespace.SYSTEM for id_ in reads.collections):
        return True
    return any(map(_asks_server, walk_relation(body)))


def _asks_server(node: Relation) -> bool:
    if isinstance(node, FlatMap) and TABLE_FUNCTIONS[node.function].needs_system:
        return True
    calls = (part for scalar in scalars_of(node) for part in parts_of(scalar) if isinstance(part, Call))
    return any(FUNCTIONS[call.function].needs_system for call in calls)
