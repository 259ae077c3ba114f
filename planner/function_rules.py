"""Functions and procedures of users: parameters, a result, and the query in place of a call, or the statements of a
run.

    CREATE FUNCTION add(a int, b int DEFAULT 1) RETURNS int RETURN a + b

A call becomes the query's value with the arguments in the places of the parameters, when it is planned; a call in FROM
of a function that returns a set becomes the query's rows. A procedure runs statements one after the other, with the
arguments as parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from model.types.scalar_type import VOID, ScalarType, TypeName

OUTPUTS = frozenset("ob")
"""The modes of parameters that a call gives back."""


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """A parameter of a user's function; `default` is SQL text. `mode`: i for IN, o for OUT, b for INOUT, v for
    VARIADIC, as in pg_proc."""

    name: str | None
    type: ScalarType
    default: str | None = None
    mode: str = "i"


_GATHERED = {
    TypeName.ANYARRAY: ScalarType(TypeName.ANYELEMENT),
    TypeName.ANYCOMPATIBLEARRAY: ScalarType(TypeName.ANYCOMPATIBLE),
}


def gathered_element(type_: ScalarType) -> ScalarType | None:
    """Returns the type of each argument that a VARIADIC parameter of a type gathers; None for no type of arrays."""
    return _GATHERED.get(type_.name, type_.element)


def outputs_of(parameters: Iterable[FunctionParameter]) -> tuple[tuple[str, ScalarType], ...]:
    """Returns the columns that the OUT and INOUT ones of parameters make."""
    given = (parameter for parameter in parameters if parameter.mode in OUTPUTS)
    return tuple((each.name or f"column{number}", each.type) for number, each in enumerate(given, 1))


@dataclass(frozen=True, slots=True)
class RoutineNames:
    """The names of a routine and of the parameters of the routine's statements. `bound`: all other names in the
    statements are whole, whatever the caller's search path. `exclusive`: a name that a column has, too, is
    ambiguous, as in PL/pgSQL; else the column wins."""

    name: str
    parameters: tuple[str | None, ...]
    bound: bool = False
    exclusive: bool = False


@dataclass(frozen=True, slots=True)
class Definer:
    """The owner of a SECURITY DEFINER routine, by whose rights the body runs."""

    role: int
    name: str


class BodyForm(StrEnum):
    """The form in which the body of a function is written: as a string, after RETURN, between BEGIN ATOMIC and END."""

    STRING = "string"
    RETURN = "return"
    ATOMIC = "atomic"


class FunctionPart(StrEnum):
    """A part of a function that pg_get_functiondef or its kin print."""

    DEFINITION = "definition"
    ARGUMENTS = "arguments"
    IDENTITY_ARGUMENTS = "identity arguments"
    RESULT = "result"
    BODY = "body"


class Language(StrEnum):
    """What a body is written in; the values are the languages' names in pg_language."""

    SQL = "sql"
    PLPGSQL = "plpgsql"


@dataclass(frozen=True, slots=True)
class FunctionRules:
    """The meaning of a function of a user's.

    `body`: the query, with the schema before each name
    `form`: how it was written
    `volatility`: i, s or v, as in pg_proc; `parallel` likewise
    `sets`: it returns rows: SETOF a type, or TABLE
    `columns`: those of RETURNS TABLE, or a function's OUT parameters; `result` is the type of the only one, or record
    `procedure`: CALL runs its statements; `result` is void, or record where parameters are OUT
    `stepwise`: the function runs as statements, like a procedure, and is no query
    `definer`: SECURITY DEFINER, the body runs by the rights of the owner; `settings`: those of SET while it runs, in
    the order of the statement
    `leakproof`, `rows`: as in pg_proc; `rows` is None where nobody says how many
    `language`: of the body; a function that is not in SQL is stepwise
    `listed`: in a call, `columns` are those of a column definition list
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
    procedure: bool = False
    stepwise: bool = False
    definer: bool = False
    settings: tuple[tuple[str, str], ...] = ()
    leakproof: bool = False
    rows: float | None = None
    language: Language = Language.SQL
    listed: bool = False

    @property
    def runs(self) -> bool:
        """Tells whether the body runs as statements."""
        return self.procedure or self.stepwise

    @property
    def inputs(self) -> tuple[FunctionParameter, ...]:
        """Returns the parameters that take values."""
        return tuple(parameter for parameter in self.parameters if parameter.mode != "o")

    @property
    def types(self) -> tuple[ScalarType, ...]:
        """Returns the types of the parameters that take values, which tell functions of one name apart."""
        return tuple(parameter.type for parameter in self.inputs)

    @property
    def outputs(self) -> tuple[tuple[str, ScalarType], ...]:
        """Returns the columns that OUT and INOUT parameters make."""
        return outputs_of(self.parameters)

    @property
    def table(self) -> tuple[tuple[str, ScalarType], ...]:
        """Returns the columns of RETURNS TABLE; none where OUT parameters make the columns, or a list names them."""
        given = self.listed or any(parameter.mode in OUTPUTS for parameter in self.parameters)
        return () if given else self.columns

    @property
    def variadic(self) -> ScalarType | None:
        """Returns the type of the arguments that an array gathers; None without a VARIADIC parameter."""
        return next((gathered_element(parameter.type) for parameter in self.parameters if parameter.mode == "v"), None)

    @property
    def value_type(self) -> ScalarType:
        """Returns the type of the value of a call, with the fields of a record that are known."""
        if self.columns and self.result.name is TypeName.RECORD and not self.result.fields:
            return replace(self.result, fields=self.columns)
        return self.result

    @property
    def returns_record(self) -> bool:
        """Returns whether each call says which columns there are: RETURNS record."""
        return (
            not self.procedure and not self.columns and self.result.name is TypeName.RECORD and not self.result.fields
        )

    def columns_returned(self, name: str) -> tuple[tuple[str, ScalarType], ...]:
        """Returns the columns that the last statement of a run has to make."""
        if self.procedure:
            return self.outputs
        return () if self.result == VOID else self.columns_of_rows(name)

    @property
    def noun(self) -> str:
        """Returns the word for it in errors."""
        return "procedure" if self.procedure else "function"

    def naming(self, name: str) -> RoutineNames:
        """Returns the names that the statements of a routine of this name may use."""
        bound = self.form is not BodyForm.STRING
        return RoutineNames(name, tuple(parameter.name for parameter in self.inputs), bound)

    def columns_of_rows(self, name: str) -> tuple[tuple[str, ScalarType], ...]:
        """Returns the columns that a function of this name has in FROM."""
        if self.columns:
            return self.columns
        return self.result.fields if self.returns_fields else ((name, self.result),)

    @property
    def returns_fields(self) -> bool:
        """Returns whether each row is a value of a composite type."""
        return not self.columns and self.result.name is TypeName.RECORD
