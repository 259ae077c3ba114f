"""Plans of statements about functions and procedures of users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

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


@dataclass(frozen=True, slots=True)
class Destination:
    """The variables, by name, that take the first row of a statement's; a field of a variable behind a point. `whole`:
    one variable takes the whole row. `strict`: there has to be one row, and no more."""

    names: tuple[str, ...]
    whole: bool = False
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """Gives a variable the value of an expression."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class PartSubscript:
    """[lower], or the slice [lower:upper] of which each bound may be missing; expressions."""

    lower: str | None
    upper: str | None
    slice: bool


@dataclass(frozen=True, slots=True)
class PartAssignmentStep:
    """Gives a part of a variable the value of an expression. `path`: names of fields, and subscripts."""

    name: str
    path: tuple[str | PartSubscript, ...]
    value: str


@dataclass(frozen=True, slots=True)
class RunStep:
    """Runs an SQL statement, over the variables. `discards`: PERFORM, whose rows nobody takes."""

    sql: str
    into: Destination | None = None
    discards: bool = False


@dataclass(frozen=True, slots=True)
class RunTextStep:
    """EXECUTE: runs the statements that an expression gives as text, with values for their parameters."""

    text: str
    parameters: tuple[str, ...]
    into: Destination | None = None


@dataclass(frozen=True, slots=True)
class RaiseStep:
    """RAISE. Each % of the message stands for a parameter. `condition` names an error or is its SQLSTATE; without a
    message and a condition an error that is handled is raised again. `options` are expressions, by their words."""

    level: str
    message: str | None
    parameters: tuple[str, ...]
    condition: str | None
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ChoiceStep:
    """IF: runs the steps of the first condition that is true, or `otherwise`."""

    branches: tuple[tuple[str, tuple[BlockStep, ...]], ...]
    otherwise: tuple[BlockStep, ...]


@dataclass(frozen=True, slots=True)
class LoopStep:
    """LOOP, and WHILE a condition is true."""

    label: str | None
    condition: str | None
    body: tuple[BlockStep, ...]


@dataclass(frozen=True, slots=True)
class CountStep:
    """FOR over integers. `step` is positive; REVERSE counts down."""

    label: str | None
    name: str
    lower: str
    upper: str
    step: str | None
    reverse: bool
    body: tuple[BlockStep, ...]


@dataclass(frozen=True, slots=True)
class RowsStep:
    """FOR over the rows of a query, or of the text of one that an expression gives."""

    label: str | None
    target: Destination
    query: RunStep | RunTextStep
    body: tuple[BlockStep, ...]


@dataclass(frozen=True, slots=True)
class LeaveStep:
    """EXIT, or CONTINUE, of the loop or block with a label, or of the innermost loop."""

    exits: bool
    label: str | None
    condition: str | None


@dataclass(frozen=True, slots=True)
class ReturnStep:
    """RETURN: ends the code, with the value of an expression if there is one. `more`: RETURN NEXT, which adds a row and
    goes on."""

    value: str | None = None
    more: bool = False


@dataclass(frozen=True, slots=True)
class ReturnRowsStep:
    """RETURN QUERY: adds the rows of a query, or of the text of one that an expression gives, and goes on."""

    query: RunStep | RunTextStep


@dataclass(frozen=True, slots=True)
class DiagnosticsStep:
    """GET DIAGNOSTICS: variables and what each takes, by PostgreSQL's words. `stacked`: of the error that is
    handled."""

    items: tuple[tuple[str, str], ...]
    stacked: bool


@dataclass(frozen=True, slots=True)
class ItemsStep:
    """FOREACH over the elements of an array, or with `slice` over slices of so many dimensions."""

    label: str | None
    target: Destination
    slice: int
    array: str
    body: tuple[BlockStep, ...]


@dataclass(frozen=True, slots=True)
class OpenStep:
    """OPEN of a cursor: `query` None opens that of the declaration, with values for its parameters, a list of
    expressions."""

    cursor: str
    query: RunStep | RunTextStep | None
    arguments: str | None
    scroll: bool | None


@dataclass(frozen=True, slots=True)
class FetchStep:
    """FETCH and MOVE. `number`: an expression for how many rows, or for the place; `count` stands for it, None: all.
    `into` None only moves."""

    cursor: str
    direction: OneOf["forward", "backward", "absolute", "relative"]
    number: str | None
    count: int | None
    into: Destination | None


@dataclass(frozen=True, slots=True)
class CloseStep:
    """CLOSE of a cursor."""

    cursor: str


@dataclass(frozen=True, slots=True)
class CursorRowsStep:
    """FOR over the rows of a cursor, which the loop opens and closes; the variable `name` is the loop's own."""

    label: str | None
    name: str
    opening: OpenStep
    body: tuple[BlockStep, ...]


@dataclass(frozen=True, slots=True)
class BlockCursor:
    """The query of a cursor's declaration, and its parameters, each with the type as in SQL."""

    parameters: tuple[tuple[str, str], ...]
    query: str
    scroll: bool | None


@dataclass(frozen=True, slots=True)
class BlockVariable:
    """A variable. `type` is written as in SQL, with %TYPE and %ROWTYPE; None for a record of any row. `cursor`: the
    variable holds the name of a cursor over this query; `alias`: it is another name of a variable."""

    name: str
    type: str | None
    default: str | None = None
    constant: bool = False
    nullable: bool = True
    cursor: BlockCursor | None = None
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class BlockHandler:
    """WHEN: what runs in place of the rest of a block after an error of one of these conditions, or SQLSTATEs."""

    conditions: tuple[str, ...]
    body: tuple[BlockStep, ...]


@dataclass(frozen=True, slots=True)
class PlpgsqlBlock:
    """BEGIN … END with the variables that are declared before it."""

    label: str | None
    variables: tuple[BlockVariable, ...]
    body: tuple[BlockStep, ...]
    handlers: tuple[BlockHandler, ...]


BlockStep = (
    PlpgsqlBlock
    | Assignment
    | PartAssignmentStep
    | RunStep
    | RunTextStep
    | RaiseStep
    | ChoiceStep
    | LoopStep
    | CountStep
    | RowsStep
    | LeaveStep
    | ReturnStep
    | ReturnRowsStep
    | DiagnosticsStep
    | ItemsStep
    | OpenStep
    | FetchStep
    | CloseStep
    | CursorRowsStep
)


@dataclass(frozen=True, slots=True)
class DoPlan:
    """DO: a block of PL/pgSQL."""

    block: PlpgsqlBlock
