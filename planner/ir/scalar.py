"""Scalar expressions: a value for each row, given the row.

Columns are positions. Inside the `Subquery*` and `Exists` nodes, and in the right input of a lateral join, a column
of an enclosing row is an OuterColumn; the `decorrelate` rewrite removes all of them, and only plans without them are
lowered to Spark. The reference interpreter takes both. A Placeholder is in no plan at all: it stands for a column until
the SELECT that it belongs to is put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

from model.types.datum import Datum
from model.types.scalar_type import (
    BOOL,
    FLOAT8,
    INT4,
    MZ_TIMESTAMP,
    NAME,
    REGCONFIG,
    TEXT,
    TIMESTAMPTZ,
    ScalarType,
    array_of,
)
from planner.ir.placeholder import Placeholder

if TYPE_CHECKING:
    from planner.ir.relation import Relation


@dataclass(frozen=True, slots=True)
class Column:
    """The input row's column at `index`, from 0."""

    index: int
    type: ScalarType


@dataclass(frozen=True, slots=True)
class OuterColumn:
    """A column of the row `depth` scopes out (1: the row that the nearest subquery or lateral input serves)."""

    depth: int
    index: int
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Literal:
    value: Datum
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Parameter:
    """$`number`, from 1; replaced by a Literal when a portal is bound."""

    number: int
    type: ScalarType


class SessionName(StrEnum):
    """Values that are fixed when a statement executes, never when it is planned."""

    NOW = "now"
    STATEMENT_TIME = "statement_timestamp"
    CLOCK_TIME = "clock_timestamp"
    MZ_NOW = "mz_now"
    CURRENT_USER = "current_user"
    SESSION_USER = "session_user"
    CURRENT_DATABASE = "current_database"
    CURRENT_SCHEMA = "current_schema"
    CURRENT_SCHEMAS = "current_schemas"
    CURRENT_SCHEMAS_IMPLICIT = "current_schemas_implicit"
    BACKEND_PID = "pg_backend_pid"
    TIME_ZONE = "time_zone"
    DATE_STYLE = "date_style"
    OUTPUT_STYLE = "output_style"
    TEXT_SEARCH = "text_search"
    SIMILARITY = "similarity"
    EXPORTED_SNAPSHOT = "pg_export_snapshot"


_SESSION_TYPES = {
    SessionName.NOW: TIMESTAMPTZ,
    SessionName.STATEMENT_TIME: TIMESTAMPTZ,
    SessionName.CLOCK_TIME: TIMESTAMPTZ,
    SessionName.MZ_NOW: MZ_TIMESTAMP,
    SessionName.CURRENT_USER: NAME,
    SessionName.SESSION_USER: NAME,
    SessionName.CURRENT_DATABASE: NAME,
    SessionName.CURRENT_SCHEMA: NAME,
    SessionName.CURRENT_SCHEMAS: array_of(NAME),
    SessionName.CURRENT_SCHEMAS_IMPLICIT: array_of(NAME),
    SessionName.BACKEND_PID: INT4,
    SessionName.TIME_ZONE: TEXT,
    SessionName.DATE_STYLE: TEXT,
    SessionName.OUTPUT_STYLE: TEXT,
    SessionName.TEXT_SEARCH: REGCONFIG,
    SessionName.SIMILARITY: array_of(FLOAT8),
    SessionName.EXPORTED_SNAPSHOT: TEXT,
}


@dataclass(frozen=True, slots=True)
class SessionValue:
    """A value of the session or of the clock; replaced by a Literal when the statement executes."""

    name: SessionName


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the table in planner/functions, named by its key; casts and operators are functions too."""

    function: str
    arguments: tuple[Scalar, ...]
    type: ScalarType


@dataclass(frozen=True, slots=True)
class And:
    """Three-valued; false wins over an error in another operand, as PostgreSQL's guards do."""

    operands: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Three-valued; true wins over an error in another operand."""

    operands: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """The value of the first branch whose condition is true; later conditions and branches are not evaluated."""

    branches: tuple[tuple[Scalar, Scalar], ...]
    otherwise: Scalar
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Coalesce:
    """The first operand that is not NULL; later ones are not evaluated."""

    operands: tuple[Scalar, ...]
    type: ScalarType


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """ARRAY[…]; `type` is the array's."""

    elements: tuple[Scalar, ...]
    type: ScalarType


@dataclass(frozen=True, slots=True)
class RowOf:
    """ROW(…); `type` is the record's."""

    fields: tuple[Scalar, ...]
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Exists:
    """True where the subquery has a row."""

    relation: Relation


@dataclass(frozen=True, slots=True)
class SubqueryValue:
    """The value of a subquery of one column: NULL without a row, 21000 with two rows or more."""

    relation: Relation
    type: ScalarType


@dataclass(frozen=True, slots=True)
class SubqueryArray:
    """ARRAY(SELECT …): the subquery's one column as an array, in its order."""

    relation: Relation
    type: ScalarType


class Quantifier(StrEnum):
    ANY = "any"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class SubqueryCompare:
    """`left op ANY|ALL (subquery)`: `condition` compares, three-valued, a subquery row with the outer row.

    In `condition`, Column is the subquery's row and OuterColumn(1, …) the row outside.
    IN is ANY of equality; NOT IN is NOT of it.
    """

    quantifier: Quantifier
    condition: Scalar
    relation: Relation


@dataclass(frozen=True, slots=True)
class QuantifiedArray:
    """`left op ANY|ALL (array)`: `comparison` is the function key of the operator on (left, element)."""

    quantifier: Quantifier
    comparison: str
    left: Scalar
    array: Scalar


Subquery = Exists | SubqueryValue | SubqueryArray | SubqueryCompare

Scalar = (
    Column
    | OuterColumn
    | Literal
    | Parameter
    | SessionValue
    | Placeholder
    | Call
    | And
    | Or
    | Case
    | Coalesce
    | ArrayOf
    | RowOf
    | Exists
    | SubqueryValue
    | SubqueryArray
    | SubqueryCompare
    | QuantifiedArray
)


def scalar_type(scalar: Scalar) -> ScalarType:
    """Returns the SQL type of a scalar expression's value."""
    match scalar:
        case And() | Or() | Exists() | SubqueryCompare() | QuantifiedArray():
            return BOOL
        case SessionValue(name):
            return _SESSION_TYPES[name]
        case (
            Column()
            | OuterColumn()
            | Literal()
            | Parameter()
            | Placeholder()
            | Call()
            | Case()
            | Coalesce()
            | ArrayOf()
            | RowOf()
            | SubqueryValue()
            | SubqueryArray()
        ):
            return scalar.type
        case _:
            assert_never(scalar)


TRUE = Literal(True, BOOL)
FALSE = Literal(False, BOOL)
