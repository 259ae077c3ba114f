"""Bodies of SECURITY DEFINER functions that have become part of a query: what they read is read by the rights of the
owner, who is the current user within.

    CREATE FUNCTION mine() RETURNS SETOF text SECURITY DEFINER … 'SELECT a FROM t WHERE who = current_user'

    Filter(ViewGet(t, of mine), who = 'the owner')
"""

from __future__ import annotations

from model.ids.global_id import GlobalId
from model.types.scalar_type import NAME
from planner.ir.relation import Get, Map, Relation, TargetGet, ViewGet
from planner.ir.rewrite_gets import rewrite_gets
from planner.ir.scalar import Literal, Scalar, SessionName, SessionValue
from planner.ir.unit import UNIT
from planner.ir.visit import ScalarVisit, rewrite_relation, rewrite_scalar


def rows_as_definer(function: GlobalId, owner: str, relation: Relation) -> Relation:
    """Returns the rows of a function's body, read as the function of this owner reads."""
    named = rewrite_relation(relation, _naming(owner), 0)
    return rewrite_gets(named, lambda get: _read_for(function, get))


def value_as_definer(function: GlobalId, owner: str, value: Scalar) -> Scalar:
    """Returns the value of a function's body, read as the function of this owner reads."""
    changed = rows_as_definer(function, owner, Map(UNIT, (value,), ("value",)))
    assert isinstance(changed, Map), "nothing but Gets is replaced"
    return changed.scalars[0]


def _read_for(function: GlobalId, get: Get) -> Get:
    """Returns the reading of a collection for a function; what another function within reads is that one's."""
    return get if isinstance(get, TargetGet | ViewGet) else ViewGet(get.id, get.desc, function)


def with_current_user(scalar: Scalar, name: str) -> Scalar:
    """Returns an expression as it is where the current user has a name."""
    return rewrite_scalar(scalar, _naming(name))


def _naming(name: str) -> ScalarVisit:
    owner = Literal(name, NAME)
    return lambda node, level: owner if node == SessionValue(SessionName.CURRENT_USER) else None
