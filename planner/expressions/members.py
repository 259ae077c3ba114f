"""LIST[…] and MAP[…], nested and cast, and the items and slices of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import TEXT, ScalarType, list_of, map_of, type_text
from planner.expressions.arrays import subscript
from planner.expressions.columns import scopes
from planner.expressions.planner import Expressions
from planner.functions.collections.lists import LIST_OF, holdable
from planner.functions.collections.maps import MAP_OF
from planner.functions.signature import CastContext
from planner.ir.scalar import Call, Literal, Scalar, scalar_type
from planner.scope.names import location_of
from planner.syntax.members import Constructor, Nesting, Subscript
from planner.types.coercion import cast_error, coerce, to_common_type

_EXAMPLES = {"list": "LIST[]::int list", "map": "MAP[]::map[text=>int]"}


def constructor_of(expressions: Expressions, node: Any) -> Constructor | None:
    """Returns the LIST[…] or MAP[…] that an expression is; None for any other."""
    return constructor_at(expressions, node.func_call) if node.WhichOneof("node") == "func_call" else None


def constructor_at(expressions: Expressions, call: Any) -> Constructor | None:
    """Returns the constructor that a call stands for; raises 42601 for syntax that only calls allow."""
    found = expressions.analysis.members.constructors.get(call.location)
    own_words = (call.agg_star, call.agg_distinct, call.agg_order, call.agg_within_group, call.func_variadic)
    if found is not None and (any(own_words) or call.HasField("over") or call.HasField("agg_filter")):
        message = f'syntax error at or near "{found.kind.upper()}"'
        raise expressions.analysis.error(Sqlstate.SYNTAX_ERROR, message, call.location)
    return found


def plan_constructor(expressions: Expressions, node: Any, found: Constructor) -> Scalar:
    """Plans LIST[…] or MAP[…] with subscripts behind it, whose member type is the common type of the members.

    `list[1]` is planned as an item of a column called `list`, if there is such a column.
    """
    count = len(found.nesting) * (2 if found.kind == "map" else 1)
    members, indices = list(node.args[:count]), _indices(list(node.args[count:]), found.subscripts)
    if found.kind == "list" and found.nesting == (None,) and _has_column(expressions):
        column = tree.ColumnRef(fields=[tree.Node(string=tree.String(sval="list"))], location=node.location)
        first = tree.A_Indices(uidx=members[0])
        return subscript(expressions, expressions.plan(tree.Node(column_ref=column)), [first, *indices], node.location)
    value = _make(expressions, members, found, None, node.location)
    return subscript(expressions, value, indices, node.location) if indices else value


def plan_constructor_as(expressions: Expressions, node: Any, found: Constructor, target: ScalarType) -> Scalar | None:
    """Plans a constructor with a cast, which is applied to each member; returns None for other casts."""
    if target.name.value != found.kind or found.subscripts:
        return None
    return _make(expressions, list(node.args), found, target, node.location)


def _indices(nodes: list[Any], subscripts: Sequence[Subscript]) -> list[Any]:
    """Returns the subscripts behind LIST[…] or MAP[…] in the form that the syntax tree gives them behind other
    values."""
    found: list[Any] = []
    for kind in subscripts:
        if kind == "item":
            found.append(tree.A_Indices(uidx=nodes.pop(0)))
            continue
        first = None if kind == "to" else nodes.pop(0)
        last = None if kind == "from" else nodes.pop(0)
        found.append(tree.A_Indices(is_slice=True, lidx=first, uidx=last))
    return found


def _has_column(expressions: Expressions) -> bool:
    return any(
        field.name == "list"
        for _, scope in scopes(expressions.scope)
        for item in scope.items
        if item.columns_visible
        for field in item.fields
    )


def _make(
    expressions: Expressions, nodes: Sequence[Any], found: Constructor, target: ScalarType | None, location: int
) -> Scalar:
    keyed = found.kind == "map"
    if not nodes and target is None:
        raise expressions.analysis.error(
            Sqlstate.INDETERMINATE_DATATYPE,
            f"cannot determine type of empty {found.kind}",
            location,
            hint=f"Explicitly cast to the desired type, for example {_EXAMPLES[found.kind]}.",
        )
    members = nodes[1::2] if keyed else nodes
    places = [location_of(item) for item in members]
    wanted = None if target is None else target.member
    values = [
        _member(expressions, item, found, inner, wanted, location)
        for item, inner in zip(members, found.nesting, strict=True)
    ]
    if target is not None:
        if not values:
            return Literal((), target)
        cast = _cast_all(expressions, values, target, places)
        type_ = target
    else:
        cast, common = to_common_type(expressions.analysis, values, found.kind.upper(), places)
        type_ = _type_of(expressions, found, common.plain(), location)
    if not keyed:
        return Call(LIST_OF.key, tuple(cast), type_)
    keys = [expressions.to_type(expressions.plan(key), TEXT, "MAP", location_of(key)) for key in nodes[::2]]
    return Call(MAP_OF.key, tuple(part for pair in zip(keys, cast, strict=True) for part in pair), type_)


def _type_of(expressions: Expressions, found: Constructor, member: ScalarType, location: int) -> ScalarType:
    if not holdable(member):
        raise expressions.analysis.unsupported(f"a {found.kind} of values of type {type_text(member)}", location)
    return map_of(member) if found.kind == "map" else list_of(member)


def _member(
    expressions: Expressions,
    node: Any,
    found: Constructor,
    inner: Nesting | None,
    wanted: ScalarType | None,
    place: int,
) -> Scalar:
    if inner is not None:
        count = len(inner) * (2 if found.kind == "map" else 1)
        nodes = [] if count == 0 else [node] if count == 1 else list(node.row_expr.args)
        nested = Constructor(found.kind, inner)
        if wanted is not None and wanted.name.value != found.kind:
            wanted = None
        return _make(expressions, nodes, nested, wanted, place)
    own = constructor_of(expressions, node)
    if own is not None and wanted is not None:
        made = plan_constructor_as(expressions, node.func_call, own, wanted)
        if made is not None:
            return made
    return expressions.plan(node)


def _cast_all(
    expressions: Expressions, values: Sequence[Scalar], target: ScalarType, places: Sequence[int]
) -> tuple[Scalar, ...]:
    assert target.member is not None
    cast: list[Scalar] = []
    for value, place in zip(values, places, strict=True):
        one = coerce(expressions.analysis, value, target.member, CastContext.EXPLICIT, place)
        if one is None:
            raise cast_error(expressions.analysis, scalar_type(value), target.member, place)
        cast.append(one)
    return tuple(cast)
