"""Expressions too long for Spark's planner, as a list of steps that Python's workers run for each row.

Each fallible operator is a projection over its operands' projections, and the planner takes far more than linear time
over twenty such projections. A list of steps takes time in proportion to its length, and nothing recurses.

    (a + b) * 2  =  [a, b, 2]  then  3: add(0, 1)   4: multiply(3, 2)

An error stays a value until the end, so that guards (AND, OR, CASE, COALESCE) can ignore errors of unneeded operands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa

from compute.scalars.python_worker import OUT_OF_RANGE, evaluated_columns, quantified_evaluator, scalar_evaluator
from model.errors.sql_error import SqlError
from model.types.datum import Datum
from model.types.scalar_type import ScalarType
from planner.functions.registry import FUNCTIONS
from planner.functions.signature import Volatility
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Literal,
    Or,
    QuantifiedArray,
    Quantifier,
    RowOf,
    Scalar,
    scalar_type,
)
from planner.ir.visit import operands_of

FALLIBLE_DEPTH_MAX = 8
"""Fallible operators in each other that Spark plans within a second."""
FALLIBLE_MAX = 100
DEPTH_MAX = 100


@dataclass(frozen=True, slots=True)
class ExpressionStep:
    """One step over the values at some places.

    `word`: a guard ("and", "or", "case", "coalesce"), "row" for arrays and rows, a quantifier, or "call".
    `places`: the places of the operands.
    `key`, `types`: the function and the argument types of a call.
    """

    word: str
    places: tuple[int, ...]
    key: str = ""
    types: tuple[ScalarType, ...] = ()


@dataclass(frozen=True, slots=True)
class StepProgram:
    """A program of steps. Places number the values of `columns`, then `literals`, then the results of `steps`; the
    last is the expression's value."""

    columns: tuple[int, ...]
    literals: tuple[Datum, ...]
    steps: tuple[ExpressionStep, ...]
    volatile: bool


def is_long(scalar: Scalar) -> bool:
    """Returns whether Spark's planner would take long over the expression."""
    fallible = 0
    depths: dict[int, tuple[int, int]] = {}
    for node in _from_below(scalar):
        below = [depths[id(operand)] for operand in operands_of(node)]
        own = isinstance(node, Call) and FUNCTIONS[node.function].fallible
        fallible += own
        depths[id(node)] = (
            1 + max((depth for depth, _ in below), default=0),
            own + max((depth for _, depth in below), default=0),
        )
    depth, fallible_depth = depths[id(scalar)]
    return depth > DEPTH_MAX or fallible_depth > FALLIBLE_DEPTH_MAX or fallible > FALLIBLE_MAX


def _from_below(scalar: Scalar) -> list[Scalar]:
    """Lists each node once, operands first."""
    found: list[Scalar] = []
    seen: set[int] = set()
    pending: list[tuple[Scalar, bool]] = [(scalar, False)]
    while pending:
        node, is_done = pending.pop()
        if is_done:
            found.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            pending.append((node, True))
            pending.extend((operand, False) for operand in reversed(operands_of(node)))
    return found


def program_of(scalar: Scalar) -> StepProgram:
    """Returns the steps of an expression over columns and literals."""
    nodes = _from_below(scalar)
    read = [node.index for node in nodes if isinstance(node, Column)]
    columns = {index: place for place, index in enumerate(dict.fromkeys(read))}
    literals = [node for node in nodes if isinstance(node, Literal)]
    places = {id(node): len(columns) + number for number, node in enumerate(literals)}
    places |= {id(node): columns[node.index] for node in nodes if isinstance(node, Column)}
    steps: list[ExpressionStep] = []
    volatile = False
    for node in nodes:
        if isinstance(node, Column | Literal):
            continue
        operands = operands_of(node)
        where = tuple(places[id(operand)] for operand in operands)
        places[id(node)] = len(columns) + len(literals) + len(steps)
        steps.append(_step(node, where, tuple(map(scalar_type, operands))))
        volatile = volatile or (isinstance(node, Call) and FUNCTIONS[node.function].volatility is Volatility.VOLATILE)
    return StepProgram(tuple(columns), tuple(node.value for node in literals), tuple(steps), volatile)


def _step(node: Scalar, places: tuple[int, ...], types: tuple[ScalarType, ...]) -> ExpressionStep:
    match node:
        case Call(function):
            return ExpressionStep("call", places, function, types)
        case And():
            return ExpressionStep("and", places)
        case Or():
            return ExpressionStep("or", places)
        case Case():
            return ExpressionStep("case", places)
        case Coalesce():
            return ExpressionStep("coalesce", places)
        case ArrayOf() | RowOf():
            return ExpressionStep("row", places)
        case QuantifiedArray(quantifier, comparison):
            return ExpressionStep(quantifier.value, places, comparison, types)
        case _:
            raise AssertionError(f"{type(node).__name__} in a plan for Spark: binding and decorrelation remove it")


@dataclass(frozen=True, slots=True)
class _Failed:
    """The result of a step that has raised."""

    error: SqlError


_Memory = list[Any]
_Evaluate = Callable[[_Memory], Any]


def _strict_in_errors(places: tuple[int, ...], evaluate: Callable[..., Any]) -> _Evaluate:
    def step(memory: _Memory) -> Any:
        values = [memory[place] for place in places]
        for value in values:
            if value.__class__ is _Failed:
                return value
        try:
            return evaluate(*values)
        except SqlError as error:
            return _Failed(error)
        except ArithmeticError:
            return _Failed(OUT_OF_RANGE)

    return step


def _logical(places: tuple[int, ...], winner: bool) -> _Evaluate:
    def step(memory: _Memory) -> Any:
        result: Any = not winner
        failure: _Failed | None = None
        for place in places:
            value = memory[place]
            if value is winner:
                return winner
            if value is None:
                result = None
            elif value.__class__ is _Failed:
                failure = failure or value
        return result if failure is None else failure

    return step


def _case(places: tuple[int, ...]) -> _Evaluate:
    branches = list(zip(places[:-1:2], places[1::2]))

    def step(memory: _Memory) -> Any:
        for condition, value in branches:
            found = memory[condition]
            if found is True:
                return memory[value]
            if found.__class__ is _Failed:
                return found
        return memory[places[-1]]

    return step


def _coalesce(places: tuple[int, ...]) -> _Evaluate:
    def step(memory: _Memory) -> Any:
        for place in places:
            if memory[place] is not None:
                return memory[place]
        return None

    return step


def _evaluate_of(step: ExpressionStep) -> _Evaluate:
    match step.word:
        case "call":
            return _strict_in_errors(step.places, scalar_evaluator(step.key, step.types))
        case "and" | "or":
            return _logical(step.places, step.word == "or")
        case "case":
            return _case(step.places)
        case "coalesce":
            return _coalesce(step.places)
        case "row":
            return _strict_in_errors(step.places, lambda *values: values)
        case quantifier:
            compare = quantified_evaluator(step.key, Quantifier(quantifier), step.types)
            return _strict_in_errors(step.places, compare)


@dataclass(frozen=True)
class ProgramWorker:
    """Programs are the same if they are written alike: equal literals may differ (0 and -0, '1 day' and '24:00:00')."""

    program: StepProgram = field(compare=False)
    types: tuple[ScalarType, ...]
    result: ScalarType
    text: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", repr(self.program))

    @cached_property
    def _evaluate(self) -> Callable[..., Datum]:
        steps = list(map(_evaluate_of, self.program.steps))
        literals = self.program.literals

        def evaluate(*datums: Datum) -> Datum:
            memory: _Memory = [*datums, *literals]
            for step in steps:
                memory.append(step(memory))
            value: Any = memory[-1]
            if value.__class__ is _Failed:
                raise value.error
            found: Datum = value
            return found

        return evaluate

    def __call__(self, *columns: pa.Array) -> pa.Array:
        return evaluated_columns(columns, self.types, self._evaluate, self.result)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}
