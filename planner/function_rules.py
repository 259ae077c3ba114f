"""What a function of a user's is: its parameters, its result, and the query that it stands for.

    CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int RETURN a + b

A call becomes the query's value with the arguments in the places of the parameters, when it is planned; a call in FROM
of a function that returns a set becomes the query's rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.types.scalar_type import ScalarType, TypeName


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """A parameter of a user's function; `default` is SQL text."""

    name: str | None
    type: ScalarType
    default: str | None = None


class BodyForm(StrEnum):
    """How the body of a function is written: as a string, after RETURN, between BEGIN ATOMIC and END."""

    STRING = "string"
    RETURN = "return"
    ATOMIC = "atomic"


class FunctionPart(StrEnum):
    """What pg_get_functiondef and its kin print of a function."""

    DEFINITION = "definition"
    ARGUMENTS = "arguments"
    IDENTITY_ARGUMENTS = "identity arguments"
    RESULT = "result"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class FunctionRules:
    """The meaning of a function of a user's.

    `body`: the query, with the schema before each name
    `form`: how it was written
    `volatility`: i, s or v, as in pg_proc; `parallel` likewise
    `sets`: it returns rows: SETOF a type, or TABLE
    `columns`: those of RETURNS TABLE; `result` is the type of the only one, or record
    """

    parameters: tuple[FunctionParameter, ...]
    result: ScalarType
    body: str
    form: BodyForm = BodyForm.STRING
    strict: bool = False
    volatility: str = "v"
    parallel: str = "u"
    cost: float = 100.0
    sets: bool = False
    columns: tuple[tuple[str, ScalarType], ...] = ()

    @property
    def types(self) -> tuple[ScalarType, ...]:
        """Returns the types of the parameters, which tell functions of one name apart."""
        return tuple(parameter.type for parameter in self.parameters)

    def columns_of_rows(self, name: str) -> tuple[tuple[str, ScalarType], ...]:
        """Returns the columns that a function of this name has in FROM."""
        if self.columns:
            return self.columns
        return self.result.fields if self.returns_fields else ((name, self.result),)

    @property
    def returns_fields(self) -> bool:
        """Returns whether each row is a value of a composite type."""
        return not self.columns and self.result.name is TypeName.RECORD
