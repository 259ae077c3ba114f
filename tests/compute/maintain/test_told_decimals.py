"""Maintained plans show of each numeric the decimals that the interpreter's numbers carry, through random histories."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from compute.maintain.planning.determinism import settled
from compute.maintain.planning.maintained import plan_maintenance
from compute.render import render_peek
from compute.spark.session import profile_sessions
from model.ids.global_id import GlobalId
from model.order.datum_order import row_key
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.updates.update import Update
from planner.interpret.evaluate import evaluate_relation
from planner.ir.properties import relation_desc_of
from planner.ir.query import whole_query
from planner.rules.pipeline import optimize, optimize_maintained
from tests.compute.maintain.histories import History, course_of, differences, random_cuts
from tests.planner.rules.told_queries import DESC, QUERIES, catalog_of, random_row, stored_query

_TIMES = 6
_BATCH = 16


def _history(dice: random.Random) -> History:
    """Rows of both tables come, and go, some as equal rows with other decimals."""
    updates: dict[GlobalId, list[Update]] = {}
    for number in (1, 2):
        live: list[Row] = []
        mine = updates.setdefault(GlobalId.user(number), [])
        for time in range(_TIMES):
            for _ in range(dice.choice((0, 1, 2, 4))):
                if live and dice.random() < 0.4:
                    mine.append(Update(live.pop(dice.randrange(len(live))), Timestamp(time), -1))
                    continue
                row, count = random_row(dice), dice.choice((1, 1, 2))
                mine.append(Update(row, Timestamp(time), count))
                live += [row] * count
    return History(dict.fromkeys(updates, DESC), updates)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, len(QUERIES), _BATCH))
def test_maintained_numerics_show_the_decimals_of_the_query(
    first: int, spark: SparkSession, tmp_path: Path, whole: bool
) -> None:
    """Every run maintains every fourth query, and asks every fourth once."""
    dice = random.Random(first)
    catalog, history = catalog_of(dice), _history(dice)
    views = {
        GlobalId.user(100 + at): (sql, stored_query(catalog, sql))
        for at, sql in enumerate(QUERIES[first : first + _BATCH : 1 if whole else 4])
    }
    relations = tuple((id_, settled(optimize_maintained(relation))) for id_, (_, relation) in views.items())
    cuts = random_cuts(dice, _TIMES)
    course = course_of(plan_maintenance(relations, tuple(views)), history, profile_sessions(spark), tmp_path, cuts)
    wrong = [
        f"{sql}\n  {difference}"
        for id_, (sql, relation) in views.items()
        for difference in differences(id_, relation, history, course, range(cuts[0], _TIMES))
    ]
    assert not wrong, f"seed {first}, cuts {cuts}:\n" + "\n".join(wrong)


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.in_part(4, first=1)
@pytest.mark.parametrize("sql", QUERIES)
def test_one_query_in_spark_shows_the_decimals_of_the_query(sql: str, spark: SparkSession) -> None:
    catalog = catalog_of(random.Random(f"{sql}!"))
    relation = optimize(stored_query(catalog, sql))
    desc = relation_desc_of(relation)
    wanted = Counter(map(row_key(desc.types), evaluate_relation(relation, catalog.evaluation())))
    frames = {id_: spark.createDataFrame(rows_to_arrow(rows, DESC)) for id_, rows in catalog.rows.items()}
    peek = render_peek(spark, relation, whole_query(relation).finishing, frames)
    found = Counter(map(row_key(desc.types), rows_from_arrow(peek.rows_of(peek.dataframe.toArrow()), desc)))
    assert found == wanted, f"extra {found - wanted}, missing {wanted - found}"
