"""The multiplicity of a row as a function of its multiplicity in each input: the algebra of set operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from model.types.scalar_type import BOOL, INT8
from planner.ir.relation import Relation
from planner.ir.scalar import And, Call, Case, Column, Literal, Scalar

_ZERO, _ONE = Literal(0, INT8), Literal(1, INT8)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A count: the row's multiplicities in all these inputs, added up."""

    inputs: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A count: the sum of `added` minus the sum of `removed`. No operand is a Sum, and none is negative."""

    added: tuple[Count, ...]
    removed: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Once:
    """A count that is 1 where the operand is more than 0, and 0 elsewhere: the count of DISTINCT."""

    operand: Count


@dataclass(frozen=True, slots=True)
class Positive:
    """A count that is the operand where positive, and 0 elsewhere: the count of EXCEPT ALL."""

    operand: Count


@dataclass(frozen=True, slots=True)
class Least:
    """A count that is the smaller of two counts: the count of INTERSECT ALL."""

    first: Count
    second: Count


Count = Leaf | Sum | Once | Positive | Least


def summed(added: tuple[Count, ...], removed: tuple[Count, ...]) -> Count:
    """Returns a sum with nested sums opened, and all leaves of one sign combined."""
    more: list[Count] = []
    less: list[Count] = []
    for operands, same, other in ((added, more, less), (removed, less, more)):
        for operand in operands:
            same += operand.added if isinstance(operand, Sum) else (operand,)
            other += operand.removed if isinstance(operand, Sum) else ()
    total = Sum(_one_leaf(more), _one_leaf(less))
    return total.added[0] if len(total.added) == 1 and not less else total


def once(operand: Count) -> Count:
    """Returns the operand capped at 1. Caps inside a sum of additions are dropped: the cap outside covers them."""
    if isinstance(operand, Once | Positive):
        return once(operand.operand)
    if isinstance(operand, Sum) and not operand.removed:
        return Once(summed(tuple(_uncapped(each) for each in operand.added), ()))
    return Once(operand)


def positive(operand: Count) -> Count:
    """Returns the operand floored at 0; x - max(x - y, 0) is the smaller of x and y."""
    match operand:
        case Sum((first,), (Positive(Sum((same,), second)),)) if first == same:
            return Least(first, summed(second, ()))
        case Sum() if operand.removed:
            return Positive(operand)
        case _:
            return operand


def _uncapped(count: Count) -> Count:
    while isinstance(count, Once) and not (isinstance(count.operand, Sum) and count.operand.removed):
        count = count.operand
    return count


def _one_leaf(counts: list[Count]) -> tuple[Count, ...]:
    inputs = tuple(each for count in counts if isinstance(count, Leaf) for each in count.inputs)
    others = tuple(count for count in counts if not isinstance(count, Leaf))
    return (Leaf(inputs), *others) if inputs else others


def leaves_of(count: Count) -> tuple[Leaf, ...]:
    """Returns the leaves, each once."""
    match count:
        case Leaf():
            return (count,)
        case Sum():
            return tuple(dict.fromkeys(leaf for each in (*count.added, *count.removed) for leaf in leaves_of(each)))
        case Once() | Positive():
            return leaves_of(count.operand)
        case Least():
            return tuple(dict.fromkeys((*leaves_of(count.first), *leaves_of(count.second))))
        case _:
            assert_never(count)


def at_most_one(count: Count) -> bool:
    """Returns whether the count is certainly never more than 1."""
    match count:
        case Leaf():
            return False
        case Sum():
            return len(count.added) == 1 and at_most_one(count.added[0])
        case Once():
            return True
        case Positive():
            return at_most_one(count.operand)
        case Least():
            return at_most_one(count.first) or at_most_one(count.second)
        case _:
            assert_never(count)


def is_positive(count: Count, columns: dict[Leaf, Column]) -> Scalar:
    """Returns a scalar that tells whether the count is positive, given the columns of the leaves' counts."""
    match count:
        case Once() | Positive():
            return is_positive(count.operand, columns)
        case Least():
            return And((is_positive(count.first, columns), is_positive(count.second, columns)))
        case Sum((first,), removed) if removed and at_most_one(first):
            without = tuple(Call("not_bool", (is_positive(each, columns),), BOOL) for each in removed)
            return And((is_positive(first, columns), *without))
        case _:
            return Call("gt_int8_int8", (value(count, columns), _ZERO), BOOL)


def value(count: Count, columns: dict[Leaf, Column]) -> Scalar:
    """Returns the count as an int8."""
    match count:
        case Leaf():
            return columns[count]
        case Sum():
            total: Scalar | None = None
            for each in count.added:
                addend = value(each, columns)
                total = addend if total is None else Call("add_int8_int8", (total, addend), INT8)
            for each in count.removed:
                total = Call("subtract_int8_int8", (_ZERO if total is None else total, value(each, columns)), INT8)
            return _ZERO if total is None else total
        case Once():
            return Case(((is_positive(count, columns), _ONE),), _ZERO, INT8)
        case Positive():
            return Case(((is_positive(count, columns), value(count.operand, columns)),), _ZERO, INT8)
        case Least():
            return Call("least_anyelement", (value(count.first, columns), value(count.second, columns)), INT8)
        case _:
            assert_never(count)
