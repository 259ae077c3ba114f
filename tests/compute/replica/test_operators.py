"""What a plan that has run is told as, over objects that answer as Java's do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from compute.spark.operators import OPERATORS_MAX, plan_operators


class _Sequence(list[Any]):
    def size(self) -> int:
        return len(self)

    def apply(self, at: int) -> Any:
        return self[at]


@dataclass
class _Metric:
    number: int

    def value(self) -> int:
        return self.number


class _Metrics(dict[str, int]):
    def keys(self) -> Any:
        return self

    def mkString(self, between: str) -> str:
        return between.join(iter(self))

    def apply(self, key: str) -> _Metric:
        return _Metric(self[key])


@dataclass
class _Node:
    """A SparkPlan."""

    name: str
    below: list[_Node] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    text: str = ""
    asked_beside: list[_Node] = field(default_factory=list)

    def nodeName(self) -> str:
        return self.name

    def children(self) -> _Sequence:
        return _Sequence(self.below)

    def subqueries(self) -> _Sequence:
        return _Sequence(self.asked_beside)

    def metrics(self) -> _Metrics:
        return _Metrics(self.figures)

    def simpleString(self, fields_max: int) -> str:
        assert fields_max
        return f"{self.name}{self.text}"

    def rows(self) -> _Sequence:
        return _Sequence([None] * 4)

    def executedPlan(self) -> _Node:
        return self.below[0]

    plan = executedPlan


def test_wrappers_are_left_out_and_figures_are_those_of_each_operator() -> None:
    scan = _Node("Scan parquet ", [], {"numOutputRows": 9, "scanTime": 2, "metadataTime": 3}, "secret place")
    written = {"shuffleRecordsWritten": 7, "shuffleWriteTime": 1_500_000, "fetchWaitTime": 2, "dataSize": 64}
    exchange = _Node("Exchange", [_Node("InputAdapter", [scan])], written, " hashpartitioning(c0#1L, 2), [plan_id=9]")
    stage = _Node("ShuffleQueryStage", [exchange])
    sums = {"numOutputRows": 3, "aggTime": 11, "spillSize": 5}
    aggregate = _Node("HashAggregate", [_Node("AQEShuffleRead", [stage])], sums, "(keys=[c0#12], f=[sum(c1#3L)])")
    code = _Node("WholeStageCodegen (1)", [_Node("Project", [aggregate])], {"pipelineTime": 20})
    # An operator that could exchange rows, and did not, counts none.
    first = _Node("TakeOrderedAndProject", [code], dict.fromkeys(written, 0), asked_beside=[_Node("LocalTableScan")])
    plan = _Node("AdaptiveSparkPlan", [_Node("ResultQueryStage", [first])])
    told = plan_operators(plan)
    assert [(each.depth, each.name, each.detail, each.rows, each.elapsed_ms) for each in told] == [
        (0, "Take ordered and project", "", None, None),
        (1, "Generated code (1)", "", None, 20.0),
        (2, "Hash aggregate", "(keys=[c0], f=[sum(c1)])", 3, 11.0),
        (3, "Exchange", "hashpartitioning(c0, 2)", 7, 3.5),
        (4, "Scan parquet", "", 9, 5.0),
        (1, "Local table scan", "", 4, None),
    ]
    assert [(each.bytes, each.spilled_bytes) for each in told[1:4]] == [(None, None), (None, 5), (64, None)]


def test_large_plans_and_long_words_are_cut() -> None:
    node = _Node("Filter", [], {}, " " + "x" * 1_000)
    for _ in range(3_000):
        node = _Node("Union", [node, node])
    told = plan_operators(node)
    assert len(told) == OPERATORS_MAX
    (cut,) = plan_operators(_Node("Filter", [], {}, " " + "x\n" * 1_000))
    assert len(cut.detail) == 120 and cut.detail.endswith("…") and "\n" not in cut.detail
