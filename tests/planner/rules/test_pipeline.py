"""Every rewrite keeps the rows and the columns of random plans, subqueries and laterals within each other included."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given

from model.types.scalar_type import ScalarType
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.rules.decorrelation.decorrelate import decorrelate
from planner.rules.pipeline import INTERPRETED, optimize
from tests.draws import draws
from tests.planner.rules.plans import CONTENTS, Contents, queries, rows_of
from tests.planner.rules.typecheck import check_relation

FEW = draws(60, HealthCheck)


def columns_of(relation: Relation) -> tuple[tuple[str, ScalarType], ...]:
    """Names and types: what no rewrite may change."""
    return tuple((column.name, column.type) for column in relation_desc_of(relation).columns)


@FEW
@given(queries(), CONTENTS)
def test_the_pipeline_keeps_rows_and_types(relation: Relation, contents: Contents) -> None:
    after = optimize(relation)
    check_relation(after)
    assert columns_of(after) == columns_of(relation)
    assert rows_of(after, contents) == rows_of(relation, contents, obvious=True)


@pytest.mark.parametrize("rewrite", INTERPRETED, ids=lambda rewrite: rewrite.__name__)
@FEW
@given(queries(1), CONTENTS)
def test_a_rewrite_by_itself_keeps_rows_and_types(
    rewrite: Callable[[Relation], Relation], relation: Relation, contents: Contents
) -> None:
    flat = decorrelate(relation)
    after = rewrite(flat)
    check_relation(after)
    assert columns_of(after) == columns_of(flat)
    assert rows_of(after, contents) == rows_of(flat, contents)


@FEW
@given(queries(), CONTENTS)
def test_what_the_interpreter_takes_may_keep_its_subqueries(relation: Relation, contents: Contents) -> None:
    after = relation
    for rewrite in INTERPRETED:
        after = rewrite(after)
    check_relation(after)
    assert columns_of(after) == columns_of(relation)
    assert rows_of(after, contents) == rows_of(relation, contents, obvious=True)
