"""Every query of the corpus has PostgreSQL's columns, types, rows and errors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model.errors.sql_error import SqlError
from model.text.dispatch import format_datum
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import declared_modifier, type_oid
from planner.interpret.evaluate import evaluate_query
from planner.ir.query import Query
from planner.plans.queries import SelectPlan
from planner.rules.pipeline import optimize
from planner.statements.select import without_locks
from tests.planner.query.recorded_queries import Answer, Failure, failure_of, load, tables
from tests.planner.rules.typecheck import check_query, check_relation
from tests.planner.small_catalog import SmallCatalog

ANSWERS = {answer.sql: answer for answer in load()}


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in tables():
        catalog.run(statement)
    return catalog


def texts(rows: list[Row], desc: RelationDesc) -> list[tuple[str | None, ...]]:
    return [
        tuple(None if v is None else format_datum(v, t) for v, t in zip(row, desc.types, strict=True)) for row in rows
    ]


def failure(answer: Answer, catalog: SmallCatalog, *, optimized: bool) -> Failure:
    with pytest.raises(SqlError) as caught:
        plan = without_locks(catalog.plan(answer.sql))
        assert isinstance(plan, SelectPlan)
        evaluate_query(_executed(plan.query, optimized=optimized), catalog.evaluation())
    return failure_of(caught.value)


def _executed(query: Query, *, optimized: bool) -> Query:
    return replace(query, relation=optimize(query.relation)) if optimized else query


@pytest.mark.parametrize("sql", list(ANSWERS))
def test_a_query_has_postgresqls_columns_and_rows_or_error(sql: str, catalog: SmallCatalog) -> None:
    answer = ANSWERS[sql]
    if answer.error is not None:
        assert failure(answer, catalog, optimized=False) == answer.error
        return
    plan = without_locks(catalog.plan(sql))
    assert isinstance(plan, SelectPlan)
    check_query(plan.query)
    desc = plan.query.desc
    assert tuple((c.name, type_oid(c.type), declared_modifier(c.type)) for c in desc.columns) == answer.columns
    found = texts(evaluate_query(plan.query, catalog.evaluation()), desc)
    expected = list(answer.rows)
    if not plan.query.finishing.order:
        found, expected = sorted(found, key=str), sorted(expected, key=str)
    assert found == expected


@pytest.mark.parametrize("sql", [sql for sql, answer in ANSWERS.items() if answer.error is None])
def test_the_rewrites_keep_columns_and_rows(sql: str, catalog: SmallCatalog) -> None:
    plan = without_locks(catalog.plan(sql))
    assert isinstance(plan, SelectPlan)
    after = _executed(plan.query, optimized=True)
    check_relation(after.relation)
    check_query(after)
    before_rows = evaluate_query(plan.query, catalog.evaluation())
    after_rows = evaluate_query(after, catalog.evaluation())
    assert sorted(map(str, after_rows)) == sorted(map(str, before_rows))
