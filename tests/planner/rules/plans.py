"""Relations for the tests of rewrites: small tables of integers and NULLs, and plans over them drawn at random."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from model.ids.global_id import GlobalId
from model.order.datum_order import identity_key
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, array_of
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_relation
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Filter,
    Get,
    Join,
    JoinKind,
    Let,
    LocalGet,
    Map,
    Project,
    Reduce,
    Relation,
    TopK,
    Union,
)
from planner.ir.scalar import (
    And,
    Call,
    Case,
    Column,
    Exists,
    Literal,
    Or,
    OuterColumn,
    Quantifier,
    Scalar,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)

PAIR = relation_desc(("k", INT4), ("x", INT4))
TABLES = tuple(Get(GlobalId.user(number), PAIR) for number in (1, 2, 3))

Contents = dict[GlobalId, list[Row]]

_VALUES = st.none() | st.integers(0, 2)
CONTENTS = st.fixed_dictionaries({table.id: st.lists(st.tuples(_VALUES, _VALUES), max_size=4) for table in TABLES})


def rows_of(relation: Relation, contents: Contents, *, obvious: bool = False) -> Counter[object]:
    """The relation's rows as a multiset, equal for equal rows."""
    rows = evaluate_relation(relation, EvaluationContext(collections=contents.__getitem__), obvious=obvious)
    return Counter(map(identity_key(relation_desc_of(relation).types), rows))


def call(function: str, *arguments: Scalar) -> Call:
    """A predicate."""
    return Call(function, arguments, BOOL)


@dataclass(frozen=True, slots=True)
class Plans:
    """Makes plans at random, with up to `subqueries` levels of subqueries and laterals within each other."""

    chance: Random
    subqueries: int

    def _one(self, *choices: str) -> str:
        return self.chance.choice(choices)

    def _maybe(self) -> bool:
        return self.chance.random() < 0.5

    def _within(self) -> Plans:
        return Plans(self.chance, self.subqueries - 1)

    def term(self, own: int, scopes: tuple[int, ...]) -> Scalar:
        """An int4: a column of the own row or of a row outside, or a literal."""
        columns: list[Scalar] = [Column(index, INT4) for index in range(own)]
        outer: list[Scalar] = [
            OuterColumn(depth, index, INT4) for depth, width in enumerate(scopes, 1) for index in range(width)
        ]
        literals: list[Scalar] = [Literal(1, INT4), Literal(None, INT4)]
        pools = [pool for pool in (columns, columns, outer, outer, literals) if pool]
        return self.chance.choice(self.chance.choice(pools))

    def value(self, own: int, scopes: tuple[int, ...]) -> Scalar:
        """An int4, perhaps of a subquery."""
        if self.subqueries and self.chance.randint(0, 2) == 0:
            return SubqueryValue(self._single((own, *scopes)), INT4)
        if self.chance.randint(0, 5) == 0:
            return Case(((self.predicate(own, scopes), self.term(own, scopes)),), self.term(own, scopes), INT4)
        return self.term(own, scopes)

    def _single(self, scopes: tuple[int, ...]) -> Relation:
        inner = self._within()
        relation = inner.relation(2, scopes)
        width = relation_desc_of(relation).arity
        column = inner.term(width, scopes)
        if self._one("aggregate", "limit") == "limit":
            mapped = Project(Map(relation, (column,), ("v",)), (width,))
            return TopK(mapped, (), (SortKey(Column(0, INT4), True, True),), Literal(1, INT8), None)
        if self._one("max", "count") == "max":
            return Reduce(relation, (), (Aggregate("max_int4", (column,), INT4),), ("max",))
        count = Reduce(relation, (), (Aggregate("count_any", (column,), INT8),), ("count",))
        return Project(Map(count, (Call("cast_int8_int4", (Column(0, INT8),), INT4),), ("c",)), (1,))

    def comparison(self, left: Scalar, right: Scalar) -> Scalar:
        return call(self._one("eq_int4_int4", "eq_int4_int4", "ne_int4_int4", "lt_int4_int4"), left, right)

    def predicate(self, own: int, scopes: tuple[int, ...], size: int = 2) -> Scalar:
        """A boolean."""
        kinds = ["compare", "compare", "null"]
        if size:
            kinds += ["not", "and", "or"]
        if self.subqueries:
            kinds += ["exists", "any", "all", "any"]
        match self._one(*kinds):
            case "compare":
                return self.comparison(self.term(own, scopes), self.value(own, scopes))
            case "null":
                return call("is_null_any", self.value(own, scopes))
            case "not":
                return call("not_bool", self.predicate(own, scopes, size - 1))
            case "and":
                return And((self.predicate(own, scopes, size - 1), self.predicate(own, scopes, size - 1)))
            case "or":
                return Or((self.predicate(own, scopes, size - 1), self.predicate(own, scopes, size - 1)))
            case "exists":
                return Exists(self._within().relation(2, (own, *scopes)))
            case quantifier:
                return self._compare(Quantifier(quantifier), (own, *scopes))

    def _compare(self, quantifier: Quantifier, scopes: tuple[int, ...]) -> Scalar:
        inner = self._within()
        relation = inner.relation(2, scopes)
        width = relation_desc_of(relation).arity
        condition = self.comparison(inner.term(0, scopes), inner.term(width, scopes))
        return SubqueryCompare(quantifier, condition, relation)

    def predicates(self, own: int, scopes: tuple[int, ...]) -> tuple[Scalar, ...]:
        return tuple(self.predicate(own, scopes) for _ in range(self.chance.randint(1, 2)))

    def relation(self, size: int, scopes: tuple[int, ...] = ()) -> Relation:
        """A relation of int4 columns only (one at least)."""
        if not size:
            return self.chance.choice(TABLES)
        below = self.relation(size - 1, scopes)
        width = relation_desc_of(below).arity
        match self._one("filter", "filter", "map", "project", "join", "join", "reduce", "top", "union", "let"):
            case "filter":
                return Filter(below, self.predicates(width, scopes))
            case "map":
                return Map(below, (self.value(width, scopes),), ("m",))
            case "project":
                kept = [self.chance.randrange(width) for _ in range(self.chance.randint(1, 3))]
                return Project(below, tuple(kept))
            case "reduce":
                return self._reduce(below, scopes)
            case "top":
                order = (SortKey(self.term(width, scopes), self._maybe(), self._maybe()),)
                group = (0,) if self._maybe() else ()
                return TopK(below, group, order, Literal(self.chance.randint(0, 2), INT8), None)
            case "union":
                return Union((Project(below, (0, width - 1)), Project(self.relation(size - 1, scopes), (0, 0))))
            case "let":
                local = self.chance.getrandbits(40)
                body = Join(JoinKind.INNER, LocalGet(local, relation_desc_of(below)), TABLES[0], ())
                return Let(local, below, Project(Filter(body, self.predicates(width + 2, scopes)), (0,)))
            case _:
                return self._join(below, size, scopes)

    def _join(self, left: Relation, size: int, scopes: tuple[int, ...]) -> Relation:
        width = relation_desc_of(left).arity
        if self.subqueries and self._maybe():
            kind = JoinKind(self._one("inner", "left"))
            right = self._within().relation(size - 1, (width, *scopes))
            lateral = True
        else:
            kind = JoinKind(self._one("inner", "left", "full", "semi", "anti"))
            right = self.relation(size - 1, scopes)
            lateral = False
        # What a full join may not ask: whether it is planned is another test.
        asking = Plans(self.chance, 0) if kind is JoinKind.FULL else self
        on = asking.predicates(width + relation_desc_of(right).arity, scopes) if self._maybe() else ()
        return Join(kind, left, right, on, lateral)

    def _reduce(self, below: Relation, scopes: tuple[int, ...]) -> Relation:
        width = relation_desc_of(below).arity
        key = tuple(self.value(width, scopes) for _ in range(self.chance.randint(0, 1)))
        maximum = Aggregate("max_int4", (self.value(width, scopes),), INT4)
        if self._maybe():
            maximum = Aggregate("max_int4", maximum.arguments, INT4, condition=self.predicate(width, scopes))
        return Reduce(below, key, (maximum,), (*("k" for _ in key), "m"))

    def query(self) -> Relation:
        """A relation whose last columns are subqueries of every form."""
        below = self.relation(2)
        width = relation_desc_of(below).arity
        ordered = TopK(Project(self._within().relation(1, (width,)), (0,)), (), _ORDER, None, None)
        array = SubqueryArray(ordered, _INTS)
        scalars = (self.predicate(width, ()), self.value(width, ()), array)
        count = self.chance.randint(1, 3)
        return Map(below, scalars[:count], ("p", "v", "a")[:count])


_INTS = array_of(INT4)
_ORDER = (SortKey(Column(0, INT4), False, False),)


def queries(subqueries: int = 2) -> st.SearchStrategy[Relation]:
    """Relations over the tables, with subqueries and laterals `subqueries` deep."""
    return st.integers(0, 2**32).map(lambda seed: Plans(Random(seed), subqueries).query())
