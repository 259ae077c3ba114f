"""Sums of floats as if computed exactly and rounded once: they do not depend on the order or partitioning of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compute.scalars.python_worker import AggregateWorker
from compute.scalars.value import Value
from model.scalar_type import BOOL, FLOAT8

if TYPE_CHECKING:
    from compute.operators.aggregates import Groups


def float_sum(groups: Groups, value: Value, distinct: str, condition: str) -> Value:
    """The double nearest to the exact sum; NULL over no rows."""
    collected = groups.partial(f"collect_list(named_struct('a0', CAST({value.sql} AS DOUBLE))){condition}", BOOL)
    worker = AggregateWorker("sum_float8", (FLOAT8,), (), (), (), bool(distinct), (), FLOAT8, True)
    return groups.python.aggregate(groups.finals, worker, collected)
