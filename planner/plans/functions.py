"""Plans of statements about functions of users."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from planner.catalog_view import QualifiedName
from planner.function_rules import FunctionRules


@dataclass(frozen=True, slots=True)
class CreateFunctionPlan:
    """CREATE FUNCTION. `depends_on`: all that its body names."""

    name: QualifiedName
    rules: FunctionRules
    depends_on: frozenset[GlobalId]
    or_replace: bool
