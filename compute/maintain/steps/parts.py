"""The vocabulary of steps: keyed segments, their arrangements, and words of EXPLAIN."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from planner.ir.aggregate import SortKey
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar


class Maintenance(StrEnum):
    """The methods of maintenance, as EXPLAIN names them."""

    LINEAR = "linear"
    JOIN = "delta join"
    ACCUMULABLE = "accumulable"
    GROUP = "by group"
    PREFIX = "ordered prefix"
    DELAY = "temporal"
    RECOMPUTE = "recompute"


@dataclass(frozen=True, slots=True)
class Keyed:
    """The rows of a segment, arranged by scalars over its columns. Equal Keyeds share an arrangement.

    Keys are never of types with parts (arrays, records). Equal intervals or jsonbs may still differ in their bytes.
    """

    segment: Relation
    key: tuple[Scalar, ...]


class ArrangedForm(StrEnum):
    """The content of an arrangement for each row; joined rows exclude rows with a NULL key."""

    ROWS = "rows"
    JOINED = "joined rows"
    SUMS = "sums"


@dataclass(frozen=True, slots=True)
class ArrangedInput:
    """An arranged input of a step.

    `same`: a text equal for inputs that can share an arrangement; a text, because 1.0 and 1.00 are equal values, but
        not the same.
    `form`: the content of the arrangement.
    `keyed`: the rows and their key.
    `orders`: the orders of the rows within a key, if any; the first counts most.
    """

    same: str
    form: ArrangedForm
    keyed: Keyed
    orders: tuple[SortKey, ...] = ()


def arranged_rows(keyed: Keyed, orders: tuple[SortKey, ...] = ()) -> ArrangedInput:
    """Arranges whole rows by a key, and within the key by orders."""
    return ArrangedInput(f"rows in order of {orders!r} {keyed!r}", ArrangedForm.ROWS, keyed, orders)


@dataclass(frozen=True, slots=True)
class Texts:
    """Writes relations and expressions as text: `explain`, given names, and `explain_scalar` of planner/explain.py."""

    relation: Callable[[Relation], str]
    scalar: Callable[[Scalar], str]

    def title(self, relation: Relation) -> str:
        """Returns the node's text without its inputs."""
        return self.relation(relation).partition("\n")[0]
