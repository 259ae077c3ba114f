"""Tells decimals of numerics by columns of their own.

Steps of dataflows keep numerics with one scale a column, so `1.50` and `1.5` lie alike there. Where a plan reads how
many decimals a numeric shows, each relation beneath gets a column that tells them, from the tables that store such
columns upward:

    Map(Join(t, u), n::text)    →    Map(Join(t with n's decimals, u), shown_as(n, decimals)::text)

Of equal values that become one, that with the most decimals is shown; among rows that tie, those with the fewest come
first. `told(relation, asked)` is the relation with its own columns first, then the decimals of the columns `asked`,
in ascending order. Relations in which nobody reads decimals stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import assert_never

from model.types.decimals_columns import told_decimals
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import INT4, has_own_decimals
from planner.functions.numbers.decimals import decimals_if_finite
from planner.functions.numbers.shown_scales import decimals_of_value, reads_decimals
from planner.functions.sameness import same
from planner.ir.aggregate import Aggregate
from planner.ir.columns import remap_columns
from planner.ir.locals import fresh_local_ids
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import Column, Literal, Scalar
from planner.ir.visit import inputs_of, map_relation, with_inputs
from planner.rules.decimals.expressions import decimals_read, decimals_told, shows_decimals, telling
from planner.rules.decimals.groups import MOST_DECIMALS, reduced_with_decimals
from planner.rules.decimals.windows import windowed_with_decimals

Asked = frozenset[int]
NAME = "decimals"


def tell_decimals(relation: Relation) -> Relation:
    """Returns the same columns and rows; what reads decimals of numerics reads them of columns that tell them. The
    relation has no subqueries and no lateral joins."""
    if not reads_decimals(relation) and not shows_decimals(relation):
        return relation
    return _Telling(fresh_local_ids(relation)).told(relation, frozenset())


@dataclass(slots=True)
class _Telling:
    """`locals`: of each Let around, its columns with those that tell decimals, and which of these are asked for."""

    fresh: Iterator[int]
    locals: dict[int, tuple[RelationDesc, set[int]]] = field(default_factory=dict)

    def told(self, relation: Relation, asked: Asked) -> Relation:
        match relation:
            case Constant():
                return _constant(relation, asked)
            case Get():
                places = dict(told_decimals(relation.desc.columns))
                return _extended(relation, [_stored(relation.desc, places, at) for at in sorted(asked)])
            case LocalGet():
                return self._local(relation, asked)
            case Let():
                return self._let(relation, asked)
            case Recursive() | LetRecursive():
                return self._by_value(relation, asked)
            case Project():
                return self._project(relation, asked)
            case Map():
                return self._map(relation, asked)
            case FlatMap():
                return self._flat_map(relation, asked)
            case Filter():
                read = frozenset(decimals_read(relation.predicates)) | asked
                input_ = self.told(relation.input, read)
                places = _places(relation.input, read)
                predicates = tuple(telling(each, places) for each in relation.predicates)
                return _narrowed(Filter(input_, predicates), relation.input, places, asked)
            case Join():
                return self._join(relation, asked)
            case Reduce():
                return reduced_with_decimals(self.told, self.fresh, relation, asked)
            case TopK():
                return self._top_k(relation, asked)
            case Window():
                return windowed_with_decimals(self.told, relation, asked)
            case Negate() | Union():
                return with_inputs(relation, tuple(self.told(each, asked) for each in inputs_of(relation)))
            case Threshold():
                return self._threshold(relation, asked)
            case _:
                assert_never(relation)

    def _by_value(self, relation: Relation, asked: Asked) -> Relation:
        """Returns a relation that hands no decimals on: its numerics show as many as they need."""
        inner = with_inputs(relation, tuple(self.told(each, frozenset()) for each in inputs_of(relation)))
        columns = relation_desc_of(relation).columns
        return _extended(inner, [decimals_of_value(Column(at, columns[at].type)) for at in sorted(asked)])

    def _local(self, relation: LocalGet, asked: Asked) -> Relation:
        known = self.locals.get(relation.local_id)
        if known is None:
            return self._by_value(relation, asked)
        if not asked:
            return relation
        wide, noted = known
        noted |= asked
        arity = relation.desc.arity
        own = _own(relation.desc)
        places = (arity + own.index(at) for at in sorted(asked))
        return Project(LocalGet(relation.local_id, wide), (*range(arity), *places))

    def _let(self, let: Let, asked: Asked) -> Relation:
        desc = relation_desc_of(let.value)
        own, noted = _own(desc), set[int]()
        wide = RelationDesc((*desc.columns, *(ColumnDesc(NAME, INT4) for _ in own)))
        self.locals[let.local_id] = wide, noted
        body = self.told(let.body, asked)
        value = self.told(let.value, frozenset(noted))
        if not noted:
            return with_inputs(let, (value, body))
        places = _places(let.value, frozenset(noted))
        told: list[Scalar] = [Column(places[at], INT4) if at in places else Literal(None, INT4) for at in own]
        value = _rearranged(value, range(desc.arity), told)
        plain = LocalGet(let.local_id, desc)

        def widened(node: Relation) -> Relation:
            if not isinstance(node, LocalGet) or node.local_id != let.local_id or node.desc == wide:
                return node
            return Project(LocalGet(let.local_id, wide), tuple(range(plain.desc.arity)))

        return Let(let.local_id, value, map_relation(body, widened))

    def _project(self, relation: Project, asked: Asked) -> Relation:
        below = frozenset(relation.columns[at] for at in asked)
        input_ = self.told(relation.input, below)
        places = _places(relation.input, below)
        told = tuple(places[relation.columns[at]] for at in sorted(asked))
        return Project(input_, (*relation.columns, *told)) if told else with_inputs(relation, (input_,))

    def _map(self, relation: Map, asked: Asked) -> Relation:
        width = relation_desc_of(relation.input).arity
        shown = [relation.scalars[at - width] for at in sorted(asked) if at >= width]
        read = frozenset(decimals_read(relation.scalars) | decimals_read(shown, asked=True))
        read |= frozenset(at for at in asked if at < width)
        input_ = self.told(relation.input, read)
        places = _places(relation.input, read)
        scalars = tuple(telling(scalar, places) for scalar in relation.scalars)
        told = tuple(decimals_told(scalar, places) for scalar in shown)
        mapped = Map(input_, (*scalars, *told), (*relation.names, *(NAME for _ in told)))
        if not read and not asked:
            return mapped
        first = width + len(read)
        behind = iter(range(first + len(scalars), first + len(scalars) + len(told)))
        decimals = [places[at] if at < width else next(behind) for at in sorted(asked)]
        return Project(mapped, (*range(width), *range(first, first + len(scalars)), *decimals))

    def _flat_map(self, relation: FlatMap, asked: Asked) -> Relation:
        width = relation_desc_of(relation.input).arity
        read = frozenset(decimals_read(relation.arguments, asked=True)) | frozenset(at for at in asked if at < width)
        input_ = self.told(relation.input, read)
        places = _places(relation.input, read)
        arguments = tuple(telling(each, places, asked=True) for each in relation.arguments)
        called = replace(relation, input=input_, arguments=arguments)
        columns = relation_desc_of(relation).columns
        made = range(width, len(columns))
        moved = {**{at: at for at in range(width)}, **{at: at + len(read) for at in made}}
        told = [
            Column(places[at], INT4) if at < width else decimals_of_value(Column(moved[at], columns[at].type))
            for at in sorted(asked)
        ]
        return _rearranged(called, [*moved.values()], told) if read or asked else called

    def _join(self, relation: Join, asked: Asked) -> Relation:
        assert not relation.lateral, "lateral joins are gone before"
        width = relation_desc_of(relation.left).arity
        arity = width + relation_desc_of(relation.right).arity
        read = frozenset(decimals_read(relation.on)) | asked
        of_left = frozenset(at for at in read if at < width)
        of_right = frozenset(at - width for at in read if at >= width)
        left, right = self.told(relation.left, of_left), self.told(relation.right, of_right)
        if not read:
            return with_inputs(relation, (left, right))
        first = width + len(of_left)
        places = _places(relation.left, of_left)
        places |= {at + width: place + first for at, place in _places(relation.right, of_right).items()}
        moved = {at: at if at < width else at - width + first for at in range(arity)}
        # The decimals keep their places; the columns themselves move.
        by_moved = {moved[at]: place for at, place in places.items()}
        on = tuple(telling(remap_columns(each, moved), by_moved) for each in relation.on)
        joined = Join(relation.kind, left, right, on)
        columns = range(relation_desc_of(relation).arity)
        return Project(joined, (*(moved[at] for at in columns), *(places[at] for at in sorted(asked))))

    def _top_k(self, relation: TopK, asked: Asked) -> Relation:
        keys = [key.expression for key in relation.order]
        read = frozenset(decimals_read(keys))
        if asked:
            # Rows that tie are told apart by all that they show, whoever asks for it.
            read |= frozenset(_own(relation_desc_of(relation.input)))
        input_ = self.told(relation.input, read)
        places = _places(relation.input, read)
        order = tuple(replace(key, expression=telling(key.expression, places)) for key in relation.order)
        return _narrowed(replace(relation, input=input_, order=order), relation.input, places, asked)

    def _threshold(self, relation: Threshold, asked: Asked) -> Relation:
        """Joins each row with the most decimals among the equal rows of what is counted up, which is computed once."""
        if not asked:
            return with_inputs(relation, (self.told(relation.input, asked),))
        desc = relation_desc_of(relation)
        bound: dict[int, Relation] = {}
        rows = Threshold(self._counted(relation.input, asked, bound))
        wide = [LocalGet(local_id, relation_desc_of(value)) for local_id, value in bound.items()]
        columns: tuple[Scalar, ...] = tuple(Column(at, type_) for at, type_ in enumerate(desc.types))
        most = tuple(
            Aggregate(MOST_DECIMALS, (Column(desc.arity + number, INT4),), INT4) for number in range(len(asked))
        )
        groups = Reduce(Union(tuple(wide)), columns, most, (*desc.names, *(NAME for _ in most)))
        on = tuple(
            same(Column(at, type_), Column(desc.arity + at, type_), type_) for at, type_ in enumerate(desc.types)
        )
        joined = Join(JoinKind.LEFT, rows, groups, on)
        told: Relation = Project(joined, (*range(desc.arity), *range(2 * desc.arity, 2 * desc.arity + len(asked))))
        for local_id, value in reversed(bound.items()):
            told = Let(local_id, value, told)
        return told

    def _counted(self, relation: Relation, asked: Asked, bound: dict[int, Relation]) -> Relation:
        """Returns a union without decimals; adds to `bound` what of it is counted up, with the decimals."""
        if isinstance(relation, Union):
            return Union(tuple(self._counted(each, asked, bound) for each in relation.inputs))
        if isinstance(relation, Negate):
            return self.told(relation, frozenset())
        value, local_id = self.told(relation, asked), next(self.fresh)
        bound[local_id] = value
        return Project(LocalGet(local_id, relation_desc_of(value)), tuple(range(relation_desc_of(relation).arity)))


def _own(desc: RelationDesc) -> list[int]:
    return [at for at, type_ in enumerate(desc.types) if has_own_decimals(type_)]


def _places(relation: Relation, read: Asked) -> dict[int, int]:
    """Returns the positions of the decimals that `told(relation, read)` has behind the relation's columns."""
    arity = relation_desc_of(relation).arity
    return {at: arity + number for number, at in enumerate(sorted(read))}


def _constant(relation: Constant, asked: Asked) -> Relation:
    if not asked:
        return relation
    columns = sorted(asked)
    rows = tuple(
        ((*row, *(decimals_if_finite(v) if isinstance(v := row[at], Decimal) else None for at in columns)), count)
        for row, count in relation.rows
    )
    return Constant(rows, RelationDesc((*relation.desc.columns, *(ColumnDesc(NAME, INT4) for _ in columns))))


def _stored(desc: RelationDesc, places: dict[int, int], at: int) -> Scalar:
    return Column(places[at], INT4) if at in places else decimals_of_value(Column(at, desc.columns[at].type))


def _extended(relation: Relation, scalars: list[Scalar]) -> Relation:
    """Returns the relation's columns, then the scalars."""
    return _rearranged(relation, range(relation_desc_of(relation).arity), scalars) if scalars else relation


def _rearranged(relation: Relation, columns: Iterable[int], scalars: list[Scalar]) -> Relation:
    """Returns some columns of a relation, then scalars over all of its columns."""
    arity = relation_desc_of(relation).arity
    computed = [scalar for scalar in scalars if not isinstance(scalar, Column)]
    behind = iter(range(arity, arity + len(computed)))
    places = [scalar.index if isinstance(scalar, Column) else next(behind) for scalar in scalars]
    mapped = Map(relation, tuple(computed), tuple(NAME for _ in computed)) if computed else relation
    return Project(mapped, (*columns, *places))


def _narrowed(relation: Relation, before: Relation, places: dict[int, int], asked: Asked) -> Relation:
    """Returns the columns that a relation had before, and the decimals of those that are asked for."""
    if len(places) == len(asked):
        return relation
    return Project(relation, (*range(relation_desc_of(before).arity), *(places[at] for at in sorted(asked))))
