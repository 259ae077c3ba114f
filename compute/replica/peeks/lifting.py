"""Takes constants of comparisons out of a plan: plans that differ in such constants alone become one plan.

    σ[c1 > 7](Get u1)  =  π[c0, c1](σ[c1 > c2](Get u1 with a column c2, which is 7))

The constants come with the rows, as columns of the input. Only operands of comparisons are taken, and only of types
whose constants and columns are lowered alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pyarrow as pa

from model.ids.global_id import GlobalId
from model.physical.columns import column_name, column_to_arrow
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TypeName
from planner.ir.relation import Filter, Get, Project, Relation
from planner.ir.scalar import Call, Column, Literal, Scalar
from planner.ir.visit import inputs_of, with_inputs

_COMPARISONS = ("eq_", "ne_", "lt_", "le_", "gt_", "ge_")
_TYPES = frozenset((TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.TEXT, TypeName.DATE, TypeName.UUID))


@dataclass(frozen=True, slots=True)
class Lifted:
    """A plan without its constants. `relation` reads further columns behind those of its inputs; `constants` are
    their values, in order."""

    relation: Relation
    constants: Mapping[GlobalId, tuple[Literal, ...]]

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
    return Lifted(_widened(taken, constants), constants)


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
    constants: dict[GlobalId, list[Literal]] = field(default_factory=dict)

    def relation(self, relation: Relation) -> Relation:
        """Rewrites predicates to read future columns, behind those of the input."""
        below = tuple(map(self.relation, inputs_of(relation)))
        get = _read(relation)
        if isinstance(relation, Filter) and get is not None:
            arity = _arity(relation.input)
            return Filter(below[0], tuple(self._predicate(each, get.id, arity) for each in relation.predicates))
        return with_inputs(relation, below)

    def _predicate(self, scalar: Scalar, id_: GlobalId, arity: int) -> Scalar:
        if not (isinstance(scalar, Call) and scalar.function.startswith(_COMPARISONS)):
            return scalar
        if not any(isinstance(argument, Column) for argument in scalar.arguments):
            return scalar
        return replace(scalar, arguments=tuple(self._argument(each, id_, arity) for each in scalar.arguments))

    def _argument(self, scalar: Scalar, id_: GlobalId, arity: int) -> Scalar:
        if not isinstance(scalar, Literal) or scalar.value is None or scalar.type.name not in _TYPES:
            return scalar
        literals = self.constants.setdefault(id_, [])
        literals.append(scalar)
        return Column(arity + len(literals) - 1, scalar.type)


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
