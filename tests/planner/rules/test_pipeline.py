"""Every rewrite keeps the rows and the columns of random plans, subqueries and laterals within each other included."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings

from model.errors import NotSupported
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation
from planner.ir.typecheck import check_relation
from planner.rules.decorrelation.decorrelate import decorrelate
from planner.rules.pipeline import REWRITES, optimize
from tests.planner.rules.plans import CONTENTS, Contents, queries, rows_of

FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
FLAT = [rewrite for rewrite in REWRITES if rewrite is not decorrelate]


@FEW
@given(queries(), CONTENTS)
def test_the_pipeline_keeps_rows_and_types(relation: Relation, contents: Contents) -> None:
    try:
        after = optimize(relation)
    except NotSupported:
        return
    check_relation(after)
    assert relation_desc_of(after).types == relation_desc_of(relation).types
    assert rows_of(after, contents) == rows_of(relation, contents, obvious=True)


@pytest.mark.parametrize("rewrite", FLAT, ids=lambda rewrite: rewrite.__name__)
@FEW
@given(queries(1), CONTENTS)
def test_a_rewrite_by_itself_keeps_rows_and_types(
    rewrite: Callable[[Relation], Relation], relation: Relation, contents: Contents
) -> None:
    flat = decorrelate(relation)
    after = rewrite(flat)
    check_relation(after)
    assert relation_desc_of(after).types == relation_desc_of(flat).types
    assert rows_of(after, contents) == rows_of(flat, contents)
