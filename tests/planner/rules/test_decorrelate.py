"""Decorrelation: the same rows as evaluating each subquery for each outer row, without looking outside."""

from __future__ import annotations

from hypothesis import HealthCheck, given

from planner.ir.properties import relation_desc_of
from planner.ir.relation import Join, Relation
from planner.ir.scalar import OuterColumn, Scalar
from planner.ir.visit import rewrite_relation, subqueries_of, walk_relation
from planner.rules.decorrelation.decorrelate import decorrelate
from tests.draws import draws
from tests.planner.rules.plans import CONTENTS, Contents, queries, rows_of


def assert_flat(relation: Relation) -> None:
    """No subquery, no lateral join, no reference outside."""

    def visit(node: Scalar, level: int) -> None:
        assert not isinstance(node, OuterColumn), relation

    for node in walk_relation(relation):
        assert not (isinstance(node, Join) and node.lateral)
        assert next(subqueries_of(node), None) is None
    rewrite_relation(relation, visit, 0)


@draws(150, HealthCheck)
@given(queries(), CONTENTS)
def test_joins_have_the_rows_of_the_subqueries(relation: Relation, contents: Contents) -> None:
    flat = decorrelate(relation)
    assert_flat(flat)
    assert relation_desc_of(flat).types == relation_desc_of(relation).types
    assert relation_desc_of(flat).names == relation_desc_of(relation).names
    assert rows_of(flat, contents) == rows_of(relation, contents, obvious=True)
