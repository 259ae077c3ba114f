"""Plans of statements about functions and procedures of users."""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId
from model.types.relation_desc import RelationDesc
from planner.catalog_view import QualifiedName
from planner.function_rules import Definer, FunctionRules
from planner.ir.query import Query
from planner.ir.scalar import Scalar
from planner.plans.objects import FunctionRef


@dataclass(frozen=True, slots=True)
class CreateFunctionPlan:
    """CREATE FUNCTION and CREATE PROCEDURE. `depends_on`: all that its body names, or of statements in a string, which
    are read when they run, all that its parameters name. `settings`: those of SET, in the order of the statement."""

    name: QualifiedName
    rules: FunctionRules
    depends_on: frozenset[GlobalId]
    or_replace: bool
    settings: tuple[SettingChange, ...] = ()


@dataclass(frozen=True, slots=True)
class RoutineStep:
    """A call of a function that runs as statements, before the query that reads its rows as LocalGet(`local_id`): the
    columns of `desc`, the last of which counts the rows."""

    local_id: int
    name: QualifiedName
    rules: FunctionRules
    arguments: tuple[Scalar, ...]
    desc: RelationDesc
    definer: Definer | None = None


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
    definer: Definer | None = None


@dataclass(frozen=True, slots=True)
class SettingChange:
    """SET or RESET of a routine's: of the setting of a `name`, or of all. `value` None resets; `current`: the value is
    that of the session."""

    name: str | None
    value: str | None = None
    current: bool = False


@dataclass(frozen=True, slots=True)
class RoutineAttributes:
    """The attributes that ALTER FUNCTION and its kin name; None leaves one as it is."""

    strict: bool | None = None
    volatility: str | None = None
    parallel: str | None = None
    leakproof: bool | None = None
    definer: bool | None = None
    cost: float | None = None
    rows: float | None = None


@dataclass(frozen=True, slots=True)
class AlterRoutinePlan:
    """ALTER FUNCTION, PROCEDURE or ROUTINE of attributes, by the word for it in the statement. `settings` are those
    that it changes, in the order of the statement."""

    function: FunctionRef
    attributes: RoutineAttributes
    settings: tuple[SettingChange, ...]
