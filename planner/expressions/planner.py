"""Expressions: dispatches each node of the syntax tree to the file that knows its kind.

The result may still be of unknown type (string constants, NULL, undecided parameters): whoever uses it decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, ScalarType, bare_text, type_text
from planner.functions.signature import CastContext
from planner.ir.scalar import Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of
from planner.scope.scope import Scope
from planner.types.coercion import coerce, known


class ClausePlace(StrEnum):
    """The clause that contains an expression; the value is its name in errors."""

    SELECT = "SELECT"
    WHERE = "WHERE"
    HAVING = "HAVING"
    FILTER = "FILTER"
    JOIN_ON = "JOIN conditions"
    GROUP_BY = "GROUP BY"
    ORDER_BY = "ORDER BY"
    DISTINCT_ON = "DISTINCT ON"
    LIMIT = "LIMIT"
    OFFSET = "OFFSET"
    VALUES = "VALUES"
    RETURNING = "RETURNING"
    UPDATE = "UPDATE"
    MERGE_WHEN = "MERGE WHEN conditions"
    FROM_FUNCTION = "functions in FROM"
    DEFAULT = "DEFAULT expressions"
    AGGREGATE = "aggregate function calls"
    WINDOW = "window function calls"
    WINDOW_DEFINITION = "window definitions"
    FRAME_ROWS = "window ROWS"
    FRAME_RANGE = "window RANGE"
    FRAME_GROUPS = "window GROUPS"
    EXECUTE = "EXECUTE parameters"
    CALL = "CALL arguments"
    AS_OF = "AS OF"
    INDEX = "index expressions"
    INDEX_PREDICATE = "index predicates"
    CHECK = "check constraints"
    GENERATED = "column generation expressions"
    POLICY = "policy expressions"
    COPY_WHERE = "COPY FROM WHERE conditions"
    ALTER_TYPE = "transform expressions"
    SECRET = "the values of secrets"


@dataclass(frozen=True, slots=True)
class Expressions:
    """Plans expressions of one clause, over the rows of one scope. `conditional`: the construct, CASE or COALESCE, that
    decides about their evaluation; empty without a condition.
    """

    analysis: Analysis
    scope: Scope
    environment: QueryEnvironment
    place: ClausePlace
    conditional: str = ""

    def at(self, place: ClausePlace) -> Expressions:
        return replace(self, place=place)

    def within(self, conditional: str) -> Expressions:
        return replace(self, conditional=conditional)

    def plan(self, node: Any) -> Scalar:
        """Returns the expression, perhaps of unknown type."""
        kind = node.WhichOneof("node")
        handler = _HANDLERS.get(kind)
        if handler is None:
            raise self.analysis.unsupported(f"the expression {kind}", location_of(node))
        return handler(self, getattr(node, kind))

    def plan_known(self, node: Any) -> Scalar:
        """Returns the expression; what is of unknown type becomes text."""
        return known(self.analysis, self.plan(node))

    def plan_boolean(self, node: Any, what: str) -> Scalar:
        """Returns a condition; 42804 `argument of WHERE must be type boolean, not type integer`."""
        return self.to_boolean(self.plan(node), what, location_of(node))

    def to_boolean(self, scalar: Scalar, what: str, location: int) -> Scalar:
        return self.to_type(scalar, BOOL, what, location)

    def to_type(self, scalar: Scalar, type_: ScalarType, what: str, location: int) -> Scalar:
        """Returns an expression where a clause demands a type."""
        value = coerce(self.analysis, scalar, type_, CastContext.ASSIGNMENT, location)
        if value is None:
            actual = bare_text(scalar_type(scalar))
            message = f"argument of {what} must be type {type_text(type_)}, not type {actual}"
            raise self.analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
        return value


Handler = Callable[[Expressions, Any], Scalar]
_HANDLERS: dict[str, Handler] = {}


def handles(kind: str) -> Callable[[Handler], Handler]:
    """Registers what plans nodes of a kind."""

    def register(handler: Handler) -> Handler:
        assert kind not in _HANDLERS, f"two handlers for {kind}"
        _HANDLERS[kind] = handler
        return handler

    return register
