"""Plans of statements about functions and procedures of users."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.catalog_view import QualifiedName
from planner.function_rules import FunctionRules
from planner.ir.query import Query
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class CreateFunctionPlan:
    """CREATE FUNCTION and CREATE PROCEDURE. `depends_on`: all that its body names, or of statements in a string, which
    are read when they run, all that its parameters name."""

    name: QualifiedName
    rules: FunctionRules
    depends_on: frozenset[GlobalId]
    or_replace: bool


@dataclass(frozen=True, slots=True)
class RoutineStep:
    """A call of a function that runs as statements, before the query that reads its rows as LocalGet(`local_id`): the
    columns of `desc`, the last of which counts the rows."""

    local_id: int
    name: QualifiedName
    rules: FunctionRules
    arguments: tuple[Scalar, ...]
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class SteppedPlan:
    """A query over the rows of functions that run as statements, and over nothing else."""

    steps: tuple[RoutineStep, ...]
    query: Query


@dataclass(frozen=True, slots=True)
class CallPlan:
    """CALL of a procedure, with a value for each parameter that takes one. `desc`: the row that its OUT parameters
    make; None without any."""

    name: QualifiedName
    rules: FunctionRules
    arguments: tuple[Scalar, ...]
    desc: RelationDesc | None
