"""Views drawn at random: set operations, aggregates, joins, recursions and conditions on time over each other."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, MZ_TIMESTAMP, NUMERIC
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Join,
    JoinKind,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    RecursionLimit,
    Recursive,
    RecursiveBinding,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
)
from planner.ir.scalar import And, Call, Column, Literal, Or, Scalar, SessionName, SessionValue
from tests.planner.rules.plans import TABLES, Plans, call

_NOW = SessionValue(SessionName.MZ_NOW)
_WIDTH = 2
_DESC = relation_desc(("k", INT4), ("x", INT4))
_COLUMNS = Column(0, INT4), Column(1, INT4)


@dataclass(frozen=True, slots=True)
class Views:
    """Relations of two int4 columns."""

    chance: Random

    def _one(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def _maybe(self) -> bool:
        return self.chance.random() < 0.5

    def _local(self) -> int:
        return self.chance.getrandbits(40)

    def relation(self, size: int) -> Relation:
        if not size:
            return self._leaf()
        below = self.relation(size - 1)
        kinds = ("set", "set", "reduce", "reduce", "join", "join", "time", "top", "recursion", "mutual", "series")
        match self._one(*kinds):
            case "set":
                return self._set_operation(below, size)
            case "reduce":
                return self._reduce(below)
            case "join":
                return self._join(below, size)
            case "time":
                return Filter(below, (*self._bounds(), *self._conditions(_WIDTH)))
            case "top":
                order = (SortKey(self.chance.choice(_COLUMNS), self._maybe(), self._maybe()),)
                limit = Literal(self.chance.randint(0, 2), INT8) if self._maybe() else None
                return TopK(below, (0,) if self._maybe() else (), order, limit, None)
            case "recursion":
                return self._recursion(below)
            case "mutual":
                return self._mutual_recursion(below)
            case _:
                one, end = Literal(1, INT4), Column(1, INT4)
                series = FlatMap(below, "generate_series_int4_int4", (one, end), relation_desc(("s", INT4)))
                return Project(series, (0, 2))

    def _leaf(self) -> Relation:
        if self.chance.randint(0, 7) == 0:
            return Constant((((1, 1), 2), ((None, 0), 1)), _DESC)
        if self._maybe():
            return self.chance.choice(TABLES)
        relation = Plans(self.chance, 0).relation(2)
        width = relation_desc_of(relation).arity
        return Project(relation, (0, width - 1))

    def _set_operation(self, left: Relation, size: int) -> Relation:
        right = self.relation(self.chance.randrange(size))
        if self._maybe():
            left, right = _distinct(left), _distinct(right)
        match self._one("union", "except", "intersect", "shared"):
            case "union":
                both = Union((left, right))
                return _distinct(both) if self._maybe() else both
            case "except":
                return Threshold(Union((left, Negate(right))))
            case "intersect":
                local = self._local()
                shared = LocalGet(local, relation_desc_of(left))
                missing = Threshold(Union((shared, Negate(right))))
                return Let(local, left, Threshold(Union((shared, Negate(missing)))))
            case _:
                local = self._local()
                shared = LocalGet(local, relation_desc_of(left))
                joined = Join(JoinKind.LEFT, shared, shared, (self._equality(2),))
                return Let(local, left, Union((Project(joined, (0, 3)), shared)))

    def _conditions(self, width: int) -> tuple[Scalar, ...]:
        def term() -> Scalar:
            return self.chance.choice((Column(self.chance.randrange(width), INT4), Literal(1, INT4)))

        word = self._one("eq", "ne", "lt")
        conditions = (call(f"{word}_int4_int4", term(), term()), call("is_not_null_any", term()))
        return conditions[: self.chance.randint(0, 2)]

    def _bounds(self) -> tuple[Scalar, ...]:
        def bound() -> Scalar:
            word = self._one("lt", "le", "eq", "ge", "gt")
            moment = Call("cast_int4_mz_timestamp", (self.chance.choice(_COLUMNS),), MZ_TIMESTAMP)
            sides = (_NOW, moment) if self._maybe() else (moment, _NOW)
            compared = call(f"{word}_mz_timestamp_mz_timestamp", *sides)
            return call("not_bool", compared) if word != "eq" and self._maybe() else compared

        bounds = tuple(bound() for _ in range(self.chance.randint(1, 3)))
        return (And(bounds),) if self._maybe() else bounds

    def _reduce(self, below: Relation) -> Relation:
        kinds = [self._one("sum", "sum", "min"), *(self._one("sum", "distinct", "distinct") for _ in range(2))]
        aggregates = tuple(self._aggregate(kind) for kind in kinds[: self.chance.randint(0, 3)])
        key = _COLUMNS[: self.chance.randint(0, 2)]
        names = tuple(f"r{at}" for at in range(len(key) + len(aggregates)))
        reduced = Reduce(below, key, aggregates, names)
        types = relation_desc_of(reduced).types
        numbers = [at for at, type_ in enumerate(types) if type_ == INT8]
        shown = tuple(Call("cast_int8_int4", (Column(at, INT8),), INT4) for at in numbers)
        mapped = Map(reduced, (*shown, Literal(0, INT4), Literal(None, INT4)), tuple("abcde"[: len(shown) + 2]))
        last = relation_desc_of(mapped).arity - 1
        plain = [at for at, type_ in enumerate(relation_desc_of(mapped).types) if type_ == INT4]
        kept = Filter(mapped, self._conditions(1)) if types and types[0] == INT4 else mapped
        return Project(kept, (plain[0], plain[min(2, len(plain) - 1)] if self._maybe() else last))

    def _aggregate(self, kind: str) -> Aggregate:
        argument = self.chance.choice(_COLUMNS)
        condition = call("lt_int4_int4", Literal(0, INT4), self.chance.choice(_COLUMNS)) if self._maybe() else None
        if kind == "min":
            return Aggregate("min_int4", (argument,), INT4, self._maybe(), condition)
        distinct = kind == "distinct"
        match self._one("star", "count", "sum", "avg", "some"):
            case "star" if not distinct:
                return Aggregate("count_star", (), INT8, condition=condition)
            case "sum":
                return Aggregate("sum_int4", (argument,), INT8, distinct, condition)
            case "avg":
                return Aggregate("avg_int4", (argument,), NUMERIC, distinct, condition)
            case "some":
                small = call("lt_int4_int4", argument, Literal(2, INT4))
                return Aggregate("bool_or_bool", (small,), BOOL, distinct, condition)
            case _:
                return Aggregate("count_any", (argument,), INT8, distinct, condition)

    def _equality(self, left: int) -> Scalar:
        word = self._one("eq", "eq", "not_distinct")
        sides = [Column(self.chance.randrange(left), INT4), Column(left + self.chance.randrange(2), INT4)]
        if self._maybe():
            sides.reverse()
        return call(f"{word}_int4_int4", *sides)

    def _join(self, left: Relation, size: int) -> Relation:
        right = self.relation(self.chance.randrange(size))
        if self.chance.randint(0, 2) == 0:
            right = Reduce(right, (_COLUMNS[0],), (Aggregate("max_int4", (_COLUMNS[1],), INT4),), ("k", "m"))
        on: list[Scalar] = [self._equality(2) for _ in range(self.chance.randint(0, 2))]
        on += self._conditions(2 * _WIDTH)
        if self.chance.randint(0, 3) == 0:
            equal = self._equality(2)
            on.append(Or((equal, call("is_null_any", equal))))
        kind = JoinKind(self._one("inner", "left", "full", "semi", "anti"))
        joined = Join(kind, left, right, tuple(on))
        return joined if kind in (JoinKind.SEMI, JoinKind.ANTI) else Project(joined, (0, self.chance.choice((1, 2, 3))))

    def _recursion(self, base: Relation) -> Relation:
        local = self._local()
        last = LocalGet(local, RelationDesc(relation_desc_of(base).columns))
        step = Join(JoinKind.INNER, last, self._leaf(), (call("eq_int4_int4", Column(1, INT4), Column(2, INT4)),))
        return Recursive(local, base, Project(step, (0, 3)), True)

    def _mutual_recursion(self, base: Relation) -> Relation:
        """Rows added and taken away in turns, so that only the limit may end it."""
        desc = RelationDesc(relation_desc_of(base).columns)
        one, other = LocalGet(self._local(), desc), LocalGet(self._local(), desc)
        on = (call("eq_int4_int4", Column(1, INT4), Column(2, INT4)),)
        step = Project(Join(JoinKind.INNER, other, self._leaf(), on), (0, 3))
        rest = Threshold(Union((one, Negate(self._leaf())))) if self._maybe() else one
        bindings = (
            RecursiveBinding(one.local_id, desc, _distinct(Union((base, step)))),
            RecursiveBinding(other.local_id, desc, rest),
        )
        body = other if self._maybe() else Union((one, Reduce(other, _COLUMNS, (), desc.names)))
        return LetRecursive(bindings, body, RecursionLimit(self.chance.randint(1, 4), False))


def _distinct(relation: Relation) -> Relation:
    return Reduce(relation, _COLUMNS, (), relation_desc_of(relation).names)


def views(size: int = 3) -> st.SearchStrategy[Relation]:
    """Relations over the tables of tests/planner/rules/plans.py."""
    return st.integers(0, 2**32).map(lambda seed: Views(Random(seed)).relation(size))
