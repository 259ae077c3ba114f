"""A lateral join as one join, once its right input is matched by a condition."""

from __future__ import annotations

from model.types.scalar_type import BOOL
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Join, JoinKind, Map, Relation
from planner.ir.scalar import TRUE, Call, Case, Column, Literal, Scalar, scalar_type
from planner.rules.decorrelation.frame import beside, projected
from planner.rules.decorrelation.matched import Matched, Rest, replaced


def side_by_side(rest: Rest, kind: JoinKind, left: Relation, found: Matched, on: tuple[Scalar, ...]) -> Relation:
    """Joins left's columns with the outputs: of every match that `on` lets through; LEFT: or NULLs."""
    width = relation_desc_of(left).arity
    if found.missing is not None:
        # Each left row has one row on the right, so that `on` can only be asked afterwards.
        assert kind is JoinKind.INNER or not on, "decided by `joins_at_once`"
        return rest.filtered(_completed(rest, left, found, found.missing), on)
    matches = tuple(beside(predicate, width) for predicate in found.on)
    outputs = tuple(beside(output, width) for output in found.outputs)
    if kind is JoinKind.INNER:
        both: Relation = Join(kind, left, found.relation, matches)
        return rest.filtered(_with_outputs(both, width, outputs), on)
    columns = tuple(Column(index, type_) for index, type_ in enumerate(relation_desc_of(left).types))
    asked = tuple(replaced(predicate, (*columns, *outputs)) for predicate in on)
    if all(isinstance(output, Column) for output in found.outputs):
        both = rest.joined(Join(kind, left, found.relation, (*matches, *asked)))
        return _with_outputs(both, width, outputs)
    nulls = tuple(Literal(None, scalar_type(output)) for output in found.outputs)
    return _marked(rest, left, found, (*matches, *asked), outputs, nulls)


def joins_at_once(kind: JoinKind, found: Matched, on: tuple[Scalar, ...]) -> bool:
    """Tells whether `side_by_side` can be used: values for rows without a match leave no room for a condition."""
    return found.missing is None or kind is JoinKind.INNER or not on


def _with_outputs(both: Relation, width: int, outputs: tuple[Scalar, ...]) -> Relation:
    arity = relation_desc_of(both).arity
    added = tuple(output for output in outputs if not isinstance(output, Column))
    mapped = Map(both, added, tuple(f"output{at}" for at in range(len(added)))) if added else both
    places = iter(range(arity, arity + len(added)))
    kept = [output.index if isinstance(output, Column) else next(places) for output in outputs]
    return projected(mapped, (*range(width), *kept))


def _completed(rest: Rest, left: Relation, found: Matched, missing: tuple[Scalar, ...]) -> Relation:
    width = relation_desc_of(left).arity
    matches = tuple(beside(predicate, width) for predicate in found.on)
    outputs = tuple(beside(output, width) for output in found.outputs)
    plain = all(isinstance(output, Column) for output in found.outputs)
    if plain and all(isinstance(value, Literal) and value.value is None for value in missing):
        return _with_outputs(Join(JoinKind.LEFT, left, found.relation, matches), width, outputs)
    return _marked(rest, left, found, matches, outputs, tuple(beside(value, width) for value in missing))


def _marked(
    rest: Rest,
    left: Relation,
    found: Matched,
    on: tuple[Scalar, ...],
    outputs: tuple[Scalar, ...],
    missing: tuple[Scalar, ...],
) -> Relation:
    """Returns a left join where a column tells the matches from the rows without one."""
    width = relation_desc_of(left).arity
    marked = Map(found.relation, (TRUE,), ("matched",))
    both = rest.joined(Join(JoinKind.LEFT, left, marked, on))
    matches = Call("is_not_null_any", (Column(width + found.arity, BOOL),), BOOL)
    values = tuple(
        output
        if isinstance(own, Column) and isinstance(absent, Literal) and absent.value is None
        else Case(((matches, output),), absent, scalar_type(output))
        for own, output, absent in zip(found.outputs, outputs, missing, strict=True)
    )
    return _with_outputs(both, width, values)
