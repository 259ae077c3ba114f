"""A row of the function table: signature, result, failure modes, meaning.

Keys are deterministic and part of the contract with the lowering to Spark: `<word>_<argument type names joined by _>`
(pg_type.typname; arrays as `_int4`), with these words for operators: add subtract multiply divide modulo power negate
eq ne lt le gt ge distinct not_distinct concat like not_like ilike not_ilike matches not_matches imatches not_imatches
arrow arrow_text path path_text contains contained overlaps … Casts are `cast_<from>_<to>`, then `modify_<to>(value,
modifier, explicit)` where the target has a modifier. Comparisons exist for two arguments of one type only (the planner
casts to the common type). Functions that depend on the session (a time zone) name the SessionName values they take
after their arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType
from planner.ir.scalar import SessionName


class Volatility(StrEnum):
    IMMUTABLE = "immutable"
    STABLE = "stable"
    VOLATILE = "volatile"


ResultType = ScalarType | Callable[[tuple[ScalarType, ...]], ScalarType]
"""A fixed type, or one computed from the actual argument types."""


@dataclass(frozen=True, slots=True)
class Function:
    """A scalar function; `name` is the SQL name (operators by their symbol; prefix operators have one argument).

    `strict`: NULL for any NULL argument, without a call
    `fallible`: may raise SqlError for some non-NULL arguments
    `evaluate`: takes datums (then the session values) and returns a datum
    `variadic`: the last argument type repeats
    `form`: "function" | "operator" | "cast" | "modifier" (written by nobody) | "syntax" (written by the
        grammar alone, such as IS NULL)
    `typed`: the meaning depends on the argument types, which `evaluate` takes as a tuple before the datums
    `needs_system`: asks the catalog or the session; `evaluate` takes a SystemLookup before everything else
    """

    key: str
    name: str
    arguments: tuple[ScalarType, ...]
    result: ResultType
    evaluate: Callable[..., Any]
    strict: bool = True
    fallible: bool = False
    volatility: Volatility = Volatility.IMMUTABLE
    variadic: bool = False
    form: str = "function"
    session: tuple[SessionName, ...] = ()
    typed: bool = False
    needs_system: bool = False


class CastContext(StrEnum):
    """The places where PostgreSQL applies a cast by itself (pg_cast.castcontext)."""

    IMPLICIT = "implicit"
    ASSIGNMENT = "assignment"
    EXPLICIT = "explicit"


@dataclass(frozen=True, slots=True)
class Cast:
    """A cast from one type to another and the context in which it applies without being asked for."""

    source: ScalarType
    target: ScalarType
    context: CastContext
    function: Function


class RowsRead(StrEnum):
    """The rows of a group, in order, that an aggregate reads: all, or few enough that a group need not be gathered."""

    ALL = "all"
    MOST_FREQUENT = "the first of the rows that are equal to the most others"
    AT_FRACTION = "the first row, and the first whose share of the rows reaches the fraction"
    AROUND_FRACTION = "the first row, and the two around the fraction of the way to the last"


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """An overload of an aggregate. `evaluate` takes a list of argument tuples (rows of the group that count, in order)
    and returns a datum.

    `skips_nulls`: rows with a NULL argument are left out before. `ordered`: the answer depends on the order.
    `key` is `<name>_<argument type names>` (`count_star` for count(*)). `typed`: `evaluate` takes the actual argument
    types as a tuple before the rows. `session`: the session values it takes after the rows. `direct`: an ordered-set
    aggregate's number of direct arguments, which come first; the others are those of WITHIN GROUP. `reads`: with other
    than all rows, `evaluate` takes a sequence of them that holds only the rows it reads.
    """

    key: str
    name: str
    arguments: tuple[ScalarType, ...]
    result: ResultType
    evaluate: Callable[..., Any]
    skips_nulls: bool = True
    ordered: bool = False
    fallible: bool = False
    typed: bool = False
    session: tuple[SessionName, ...] = ()
    direct: int | None = None
    reads: RowsRead = RowsRead.ALL


Span = tuple[int, int]
"""The positions from the first until before the second."""


@dataclass(frozen=True, slots=True)
class WindowRows:
    """A group as a window function sees it: of each row, in the window's order, the arguments, where its peers stand,
    and its frame, as spans in order that do not touch and are not empty."""

    arguments: Sequence[tuple[Any, ...]]
    peers: Sequence[Span]
    frames: Sequence[tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class WindowFunction:
    """An overload of a window function. `evaluate` takes a group with a row at least and returns a datum for each row.
    `key` is `<name>_<argument type names>`."""

    key: str
    name: str
    arguments: tuple[ScalarType, ...]
    result: ResultType
    evaluate: Callable[[WindowRows], list[Any]]


@dataclass(frozen=True, slots=True)
class TableFunction:
    """A function that returns rows. `evaluate` takes datums (then the session values) and returns the rows, lazily if
    there may be many; `result` gives the desc of rows for the argument types. `typed` and `needs_system` as for
    Function.
    """

    key: str
    name: str
    arguments: tuple[ScalarType, ...]
    result: Callable[[tuple[ScalarType, ...]], RelationDesc]
    evaluate: Callable[..., Iterable[tuple[Any, ...]]]
    strict: bool = True
    fallible: bool = False
    session: tuple[SessionName, ...] = ()
    variadic: bool = False
    typed: bool = False
    needs_system: bool = False
