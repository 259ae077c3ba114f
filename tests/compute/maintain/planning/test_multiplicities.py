"""Counts are put together as small as they get, and stay what they are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from compute.maintain.planning.multiplicities import (
    Count,
    Leaf,
    at_most_one,
    is_positive,
    leaves_of,
    once,
    positive,
    summed,
    value,
)
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.relation import Constant, Map
from planner.ir.scalar import Column
from tests.planner.rules.plans import TABLES

LEAVES = tuple(Leaf((table,)) for table in TABLES)
COUNTS = st.tuples(*(st.integers(0, 3) for _ in TABLES))


@st.composite
def examples(draw: st.DrawFn, counts: tuple[int, ...], depth: int = 4) -> tuple[Count, int]:
    """A count and, by definition, how many it is; not below zero, as rows have it."""
    kind = draw(st.sampled_from(("leaf", "once", "added", "removed", "least"))) if depth else "leaf"
    if kind == "leaf":
        at = draw(st.integers(0, len(LEAVES) - 1))
        return LEAVES[at], counts[at]
    count, number = draw(examples(counts, depth - 1))
    if kind == "once":
        return once(count), min(number, 1)
    other, other_number = draw(examples(counts, depth - 1))
    if kind == "added":
        return summed((count, other), ()), number + other_number
    rest = positive(summed((count,), (other,)))
    if kind == "removed":
        return rest, max(number - other_number, 0)
    return positive(summed((count,), (rest,))), min(number, other_number)


@given(st.data(), COUNTS)
def test_what_is_put_together_counts_as_its_parts_do(data: st.DataObject, counts: tuple[int, ...]) -> None:
    count, number = data.draw(examples(counts))
    leaves = leaves_of(count)
    columns = {leaf: Column(at, INT8) for at, leaf in enumerate(leaves)}
    row = tuple(sum(counts[TABLES.index(each)] for each in leaf.inputs) for leaf in leaves)
    desc = relation_desc(*((f"c{at}", INT8) for at in range(len(leaves))))
    scalars = (value(count, columns), is_positive(count, columns))
    (found,) = evaluate_relation(Map(Constant(((row, 1),), desc), scalars, ("n", "p")), EvaluationContext())
    assert found[len(row) :] == (number, number > 0)
    assert number <= 1 or not at_most_one(count)


def test_what_is_once_in_a_whole_that_is_need_not_be_so_in_its_parts() -> None:
    first, second, third = LEAVES
    chain = once(summed((once(summed((first, second), ())), third), ()))
    (leaf,) = leaves_of(chain)
    assert chain == once(leaf) and set(leaf.inputs) == set(TABLES)
    assert once(once(first)) == once(positive(summed((first,), ()))) == once(first)
