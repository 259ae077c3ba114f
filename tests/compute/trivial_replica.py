"""A replica process whose renderer knows a handful of nodes: tests of the process need no more."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from compute.replica.peeks.peek import Rendering
from compute.replica.process.main import run_with
from compute.replica.process.options import options_from, settled
from model.ids.global_id import GlobalId
from planner.ir.relation import Finishing, Get, Join, Project, Reduce, Relation
from planner.ir.scalar import Literal


@dataclass(frozen=True)
class TrivialRendered:
    dataframe: DataFrame
    fallible: bool = False

    def raise_for(self, batch: pa.RecordBatch) -> None:
        raise AssertionError("nothing here fails")


def _render(relation: Relation, inputs: Mapping[GlobalId, DataFrame]) -> DataFrame:
    match relation:
        case Get(id=id_):
            return inputs[id_]
        case Project(input=input_, columns=columns):
            frame = _render(input_, inputs)
            return frame.select(*(frame[f"c{c}"].alias(f"c{i}") for i, c in enumerate(columns)))
        case Join(left=left, right=right):
            sides = [_render(left, inputs), _render(right, inputs)]
            joined = sides[0].crossJoin(sides[1])
            return joined.toDF(*(f"c{i}" for i in range(len(joined.columns))))
        case Reduce(input=input_):
            # Counts in a way that no optimizer sees through.
            frame = _render(input_, inputs)
            return frame.agg(F.sum((F.xxhash64(*frame.columns) % 2).cast("decimal(20, 0)") * 0 + 1).alias("c0"))
        case _:
            raise RuntimeError(f"{relation} is beyond the trivial renderer")


def render(
    spark: SparkSession, relation: Relation, finishing: Finishing, inputs: Mapping[GlobalId, DataFrame]
) -> TrivialRendered:
    frame = _render(relation, inputs).select(*(f"c{i}" for i in finishing.project))
    if isinstance(finishing.limit, Literal):
        frame = frame.limit(int(str(finishing.limit.value)))
    return TrivialRendered(frame)


def nothing_prepared(
    spark: SparkSession, relation: Relation, finishing: Finishing, schemas: Mapping[GlobalId, pa.Schema]
) -> None:
    """Everything here runs as a job."""


if __name__ == "__main__":
    sys.exit(run_with(settled(options_from(sys.argv[1:])), Rendering(render, nothing_prepared)))
