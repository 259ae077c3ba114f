"""What steps are described with: keyed segments, what is arranged of them, and words of EXPLAIN."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from planner.ir.aggregate import SortKey
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


class Maintenance(StrEnum):
    """How an operator is maintained, as EXPLAIN says it."""

    LINEAR = "linear"
    JOIN = "delta join"
    ACCUMULABLE = "accumulable"
    GROUP = "by group"
    PREFIX = "ordered prefix"
    DELAY = "temporal"
    RECOMPUTE = "recompute"


@dataclass(frozen=True, slots=True)
class Keyed:
    """The rows of a segment, arranged by scalars over its columns. Equal ones share an arrangement.

    Keys are never of types with parts (arrays, records). Of intervals and jsonb, equal ones may differ.
    """

    segment: Relation
    key: tuple[Scalar, ...]


class ArrangedForm(StrEnum):
    """What an arrangement has of each row; those that are joined leave out rows with a NULL in their key."""

    ROWS = "rows"
    JOINED = "joined rows"
    SUMS = "sums"


@dataclass(frozen=True, slots=True)
class ArrangedInput:
    """An input that a step has arranged. `orders`: in which the rows of a key lie, when they do; the first counts most.

    `same` is a text that only inputs have that are arranged alike: they share one arrangement. It is told by texts
    since 1.0 and 1.00 are equal, and yet not the same.
    """

    same: str
    form: ArrangedForm
    keyed: Keyed
    orders: tuple[SortKey, ...] = ()


def arranged_rows(keyed: Keyed, orders: tuple[SortKey, ...] = ()) -> ArrangedInput:
    """Whole rows by a key, and in it by orders."""
    return ArrangedInput(f"rows in order of {orders!r} {keyed!r}", ArrangedForm.ROWS, keyed, orders)


@dataclass(frozen=True, slots=True)
class Texts:
    """How relations and expressions are written: `explain`, given names, and `explain_scalar` of planner/explain.py."""

    relation: Callable[[Relation], str]
    scalar: Callable[[Scalar], str]

    def title(self, relation: Relation) -> str:
        """The node without its inputs."""
        return self.relation(relation).partition("\n")[0]
