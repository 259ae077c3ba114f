"""The state of one evaluation, and the shapes of what expressions and relations are compiled to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from model.datum import Row
from planner.interpret.context import EvaluationContext
from planner.ir.relation import Relation

Scopes = tuple[Row, ...]
"""The rows of the enclosing scopes, the nearest first: OuterColumn(1, …) reads scopes[0]."""

Evaluator = Callable[[Row, Scopes], Any]
"""An expression: its value for a row."""

RowSource = Callable[[Scopes], list[Row]]
"""A relation: its rows, each as often as it occurs; the order means nothing. Nobody changes a list he was given."""


@dataclass(slots=True)
class Interpretation:
    """`locals` holds what has been bound so far. `compile_relation` is the way from
    expressions back to relations. `obvious` forgoes all cleverness: nested loops, nothing remembered."""

    context: EvaluationContext
    compile_relation: Callable[[Relation, Interpretation], RowSource]
    obvious: bool = False
    locals: dict[int, list[Row]] = field(default_factory=dict)
