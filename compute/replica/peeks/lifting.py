"""Takes constants out of a plan: plans that differ in such constants alone become one plan.

    σ[c1 > 7](Get u1)         =  π[c0, c1](σ[c1 > c2](Get u1 with a column c2, which is 7))
    σ[c1 = ANY {7,8,9}](Get u1)  likewise, with c1 = c2 OR c1 = c3 OR c1 = c4 OR c1 = c5, where both of the last are 9
    Get u1 ⋈ Constant (7), (8)  =  Get u1 ⋈ Get t1, an input with these two rows

Constants of comparisons come with the rows, as columns of the input. Only operands of comparisons are taken, and only
of types whose constants and columns are lowered alike. Constant rows become an input of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.physical.columns import column_name, column_to_arrow, rows_to_arrow
from model.types.arrays import items_of
from model.types.datum import ShapedArray
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import BOOL, TypeName, has_own_decimals
from planner.ir.relation import Constant, Filter, Get, Project, Relation
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Column,
    Literal,
    Or,
    QuantifiedArray,
    Quantifier,
    Scalar,
    scalar_type,
)
from planner.ir.visit import inputs_of, with_inputs

_COMPARISONS = ("eq_", "ne_", "lt_", "le_", "gt_", "ge_")
_TYPES = frozenset((TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.TEXT, TypeName.DATE, TypeName.UUID))
_LISTED_MAX = 32
"""Members of a list that are taken: each is a column of the input."""
_JOINED: Mapping[tuple[Quantifier, str], type[And | Or]] = {(Quantifier.ANY, "eq_"): Or, (Quantifier.ALL, "ne_"): And}
_FIRST_OF_ROWS = 1 << 40
"""The number of the first input of constant rows; no transient collection gets as far."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """A plan without its constants.

    relation: the plan, which reads further columns behind those of its inputs, and further inputs
    constants: the values of the further columns, in order, by input
    rows: the rows of the further inputs
    """

    relation: Relation
    constants: Mapping[GlobalId, tuple[Literal, ...]]
    rows: Mapping[GlobalId, pa.Table]

    def table(self, id_: GlobalId, table: pa.Table, arity: int) -> pa.Table:
        """Returns an input's rows with its constants as columns behind the first `arity`."""
        for number, literal in enumerate(self.constants.get(id_, ())):
            (value,) = column_to_arrow([literal.value], literal.type)
            table = table.append_column(column_name(arity + number), pa.repeat(value, table.num_rows))
        return table


def lift_constants(relation: Relation) -> Lifted:
    """Returns an equivalent plan over inputs with further columns."""
    taking = _Taking()
    taken = taking.relation(relation)
    constants = {id_: tuple(literals) for id_, literals in taking.constants.items()}
    return Lifted(_widened(taken, constants), constants, taking.rows)


def _read(relation: Relation) -> Get | None:
    """Returns the input of a relation that only filters and projects."""
    while isinstance(relation, Filter | Project):
        relation = relation.input
    return relation if isinstance(relation, Get) else None


def _arity(relation: Relation) -> int:
    """Returns the arity of a relation that only filters and projects."""
    while isinstance(relation, Filter):
        relation = relation.input
    if isinstance(relation, Project):
        return len(relation.columns)
    assert isinstance(relation, Get)
    return relation.desc.arity


@dataclass(slots=True)
class _Taking:
    """What is taken out of a plan: constants of comparisons by the input that they come with, and constant rows by the
    input that they become."""

    constants: dict[GlobalId, list[Literal]] = field(default_factory=dict)
    rows: dict[GlobalId, pa.Table] = field(default_factory=dict)

    def relation(self, relation: Relation) -> Relation:
        """Rewrites predicates to read future columns, behind those of the input, and constant rows to be an input."""
        if isinstance(relation, Constant):
            return self._constant(relation)
        get = _read(relation)
        below = tuple(map(self.relation, inputs_of(relation)))
        if isinstance(relation, Filter) and get is not None:
            arity = _arity(relation.input)
            return Filter(below[0], tuple(self._predicate(each, get.id, arity) for each in relation.predicates))
        return with_inputs(relation, below)

    def _constant(self, relation: Constant) -> Relation:
        desc, counted = relation.desc, relation.rows
        if not counted or not desc.arity or any(count < 0 for _, count in counted):
            return relation
        if any(map(has_own_decimals, desc.types)):
            # Its decimals stand in columns of their own.
            return relation
        id_ = GlobalId.transient(_FIRST_OF_ROWS + len(self.rows))
        self.rows[id_] = rows_to_arrow([row for row, count in counted for _ in range(count)], desc)
        return Get(id_, desc)

    def _predicate(self, scalar: Scalar, id_: GlobalId, arity: int) -> Scalar:
        match scalar:
            case And(operands):
                return And(tuple(self._predicate(each, id_, arity) for each in operands))
            case Or(operands):
                return Or(tuple(self._predicate(each, id_, arity) for each in operands))
            case Call("not_bool", (operand,)):
                return replace(scalar, arguments=(self._predicate(operand, id_, arity),))
            case QuantifiedArray():
                comparisons = _compared_one_by_one(scalar)
                return scalar if comparisons is None else self._predicate(comparisons, id_, arity)
            case Call(function, arguments) if function.startswith(_COMPARISONS) and any(map(_of_column, arguments)):
                return replace(scalar, arguments=tuple(self._argument(each, id_, arity) for each in arguments))
            case _:
                return scalar

    def _argument(self, scalar: Scalar, id_: GlobalId, arity: int) -> Scalar:
        if not isinstance(scalar, Literal) or scalar.value is None or scalar.type.name not in _TYPES:
            return scalar
        literals = self.constants.setdefault(id_, [])
        literals.append(scalar)
        return Column(arity + len(literals) - 1, scalar.type)


def _of_column(scalar: Scalar) -> bool:
    """Returns whether an operand is a column, or a column of varchar as text."""
    match scalar:
        case Call("cast_varchar_text", (inner,)):
            return isinstance(inner, Column)
        case _:
            return isinstance(scalar, Column)


def _compared_one_by_one(scalar: QuantifiedArray) -> Scalar | None:
    """Returns `IN` and `NOT IN` over few constants as comparisons with each; None for other lists.

    The last is repeated up to a power of two, so that lists of many lengths become few plans.
    """
    joined = _JOINED.get((scalar.quantifier, scalar.comparison[:3]))
    type_ = scalar_type(scalar.array).element
    if joined is None or type_ is None or type_.name not in _TYPES or not _of_column(scalar.left):
        return None
    match scalar.array:
        case Literal(tuple() | ShapedArray() as array, _):
            items: tuple[Scalar, ...] = tuple(Literal(item, type_) for item in items_of(array))
        case ArrayOf(elements):
            items = elements
        case _:
            return None
    if not 1 <= len(items) <= _LISTED_MAX or not all(
        isinstance(each, Literal) and each.type == type_ for each in items
    ):
        return None
    items += items[-1:] * ((1 << (len(items) - 1).bit_length()) - len(items))
    compared = tuple(Call(scalar.comparison, (scalar.left, item), BOOL) for item in items)
    return compared[0] if len(compared) == 1 else joined(compared)


def _widened(relation: Relation, constants: Mapping[GlobalId, tuple[Literal, ...]]) -> Relation:
    get = _read(relation)
    if get is None:
        return with_inputs(relation, tuple(_widened(each, constants) for each in inputs_of(relation)))
    if get.id not in constants:
        return relation
    return Project(_wide(relation, constants[get.id]), tuple(range(_arity(relation))))


def _wide(relation: Relation, literals: tuple[Literal, ...]) -> Relation:
    """Adds columns to a relation that reads a single input."""
    match relation:
        case Get(id_, desc):
            added = (ColumnDesc("constant", literal.type) for literal in literals)
            return Get(id_, RelationDesc((*desc.columns, *added)))
        case Filter(input_, predicates):
            return Filter(_wide(input_, literals), predicates)
        case Project(input_, columns):
            arity = _arity(input_)
            return Project(_wide(input_, literals), (*columns, *range(arity, arity + len(literals))))
        case _:
            raise AssertionError("it reads an input and does nothing else")
