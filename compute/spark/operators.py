"""What the operators of a plan that has run did: rows, times and bytes, from Spark's own figures.

    AdaptiveSparkPlan > WholeStageCodegen > HashAggregate  ->  Generated code > Hash aggregate: 3 rows, 12 ms

Spark adds the figures of all tasks together. Whoever asks has planned the query for this one run, or has begun its
figures anew. Adaptive plans are told as they were in the end; what Spark counts nothing of is left out: columns that
are computed, and what merely wraps an operator.
"""

from __future__ import annotations

import re
from typing import Any

from pyspark.errors.exceptions.captured import unwrap_spark_exception
from pyspark.sql import DataFrame

from compute.protocol.measures import OperatorMeasure

OPERATORS_MAX = 200
"""Each takes some milliseconds of questions to Java."""
_DETAIL_MAX = 120
_NS_PER_MS = 1e6
_ROWS = ("numOutputRows", "pythonNumRowsReceived")
_TIMES_MS = (
    "aggTime", "broadcastTime", "buildTime", "collectTime", "metadataTime", "pipelineTime", "pythonTotalTime",
    "scanTime", "sortTime",
)  # fmt: skip
_EXCHANGE = "Exchange"
_EXCHANGED_ROWS, _EXCHANGED_MS, _EXCHANGED_NS = "shuffleRecordsWritten", "fetchWaitTime", "shuffleWriteTime"
"""Other operators carry these figures too, and mostly have no exchange."""
_BYTES, _SPILLED_BYTES = "dataSize", "spillSize"
_WORDS = {
    "ArrowEvalPython": "Python functions",
    "BatchEvalPython": "Python functions",
    "ColumnarToRow": "Columns to rows",
    "MapInArrow": "Python on batches",
    "WholeStageCodegen": "Generated code",
}
_LITERALS = "LocalTableScan"
_WITHOUT_DETAIL = ("BroadcastExchange", "ReusedExchange", "Scan", "WholeStageCodegen", _LITERALS)
_LEFT_OUT = ("AQEShuffleRead", "Coalesce", "InputAdapter", "Project")
_NUMBERS = re.compile(r"#\d+L?|, ENSURE_REQUIREMENTS|, \[plan_id=\d+\]")


def frame_operators(frame: DataFrame) -> tuple[OperatorMeasure, ...]:
    """Returns the operators of a DataFrame that has been collected, as `plan_operators` does."""
    with unwrap_spark_exception():
        return plan_operators(frame._jdf.queryExecution().executedPlan())


def plan_operators(plan: Any) -> tuple[OperatorMeasure, ...]:
    """Returns the operators of Java's plan, each before those that it reads from; OPERATORS_MAX of them at most."""
    told: list[OperatorMeasure] = []
    left = [(plan, 0)]
    while left and len(told) < OPERATORS_MAX:
        node, depth = left.pop()
        name = str(node.nodeName()).strip()
        wrapped = _wrapped(node, name)
        if wrapped is not None:
            left.append((wrapped, depth))
            continue
        told.append(_measure(node, name, depth))
        below = [*_each(node.children()), *_each(node.subqueries())]
        left += [(child, depth + 1) for child in reversed(below)]
    return tuple(told)


def _wrapped(node: Any, name: str) -> Any | None:
    """Returns the node that a node without figures wraps, or computes columns of; None for an operator."""
    if name == "AdaptiveSparkPlan":
        return node.executedPlan()
    if name.endswith("QueryStage"):
        return node.plan()
    return node.children().apply(0) if name in _LEFT_OUT else None


def _measure(node: Any, name: str, depth: int) -> OperatorMeasure:
    figures = node.metrics()
    kind, _, number = name.partition(" ")
    known = frozenset(str(figures.keys().mkString(",")).split(","))

    def figures_of(*keys: str) -> list[int]:
        return [int(figures.apply(key).value()) for key in keys if key in known]

    rows, times = figures_of(*_ROWS), [float(ms) for ms in figures_of(*_TIMES_MS)]
    if kind == _EXCHANGE:
        rows += figures_of(_EXCHANGED_ROWS)
        times += [*figures_of(_EXCHANGED_MS), *(ns / _NS_PER_MS for ns in figures_of(_EXCHANGED_NS))]
    elif kind == _LITERALS:
        # Rows that are there without a job are not counted by Spark.
        rows = [int(node.rows().size())]
    return OperatorMeasure(
        depth=depth,
        name=" ".join(filter(None, (_WORDS.get(kind) or _words(kind), _words(number).lower()))),
        detail=_detail(node, name),
        rows=rows[0] if rows else None,
        elapsed_ms=sum(times) if times else None,
        bytes=sum(figures_of(_BYTES)) or None,
        spilled_bytes=sum(figures_of(_SPILLED_BYTES)) or None,
    )


def _words(kind: str) -> str:
    """Returns a name of Spark's as words: "Sort merge join" for SortMergeJoin."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z\s]+|\S", kind)).capitalize()


def _detail(node: Any, name: str) -> str:
    """Returns what Spark says of an operator beside its name, without its numbers of columns, and cut."""
    if name.startswith(_WITHOUT_DETAIL):
        return ""
    text = _NUMBERS.sub("", str(node.simpleString(25))).removeprefix(name).strip()
    text = " ".join(text.split())
    return text if len(text) <= _DETAIL_MAX else f"{text[: _DETAIL_MAX - 1]}…"


def _each(nodes: Any) -> list[Any]:
    return [nodes.apply(at) for at in range(nodes.size())]
