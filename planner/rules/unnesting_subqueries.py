"""Subqueries in expressions: semi and anti joins as conditions of WHERE, elsewhere columns joined to the row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from model.errors import NotSupported
from model.scalar_type import BOOL, INT8
from planner.ir.aggregate import Aggregate
from planner.ir.columns import map_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    Join,
    JoinKind,
    Let,
    LocalGet,
    Map,
    Project,
    Reduce,
    Relation,
    TopK,
)
from planner.ir.scalar import (
    FALSE,
    TRUE,
    Call,
    Case,
    Column,
    Exists,
    Literal,
    OuterColumn,
    Quantifier,
    Scalar,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)
from planner.ir.visit import operands_of, rewrite_scalar
from planner.rules import unnesting
from planner.rules.correlation import Reference, condition_references, references
from planner.rules.null_safe import same
from planner.rules.semi_join import SemiJoin, as_semi_join, simple_right_side

if TYPE_CHECKING:
    from planner.rules.unnesting import Decorrelation, Domain

_SUBQUERIES = (Exists, SubqueryValue, SubqueryArray, SubqueryCompare)


def contains_subquery(scalar: Scalar) -> bool:
    return isinstance(scalar, _SUBQUERIES) or any(map(contains_subquery, operands_of(scalar)))


def subqueries_in(scalars: Iterable[Scalar]) -> list[Scalar]:
    """The outermost subqueries of some expressions, each once."""
    found: dict[Scalar, None] = {}
    for scalar in scalars:
        if isinstance(scalar, _SUBQUERIES):
            found[scalar] = None
        else:
            found.update(dict.fromkeys(subqueries_in(operands_of(scalar))))
    return list(found)


def replace_subqueries(
    scalar: Scalar, replaced: dict[Scalar, Scalar], place: Callable[[Column], Scalar] | None = None
) -> Scalar:
    """The expression with values for its subqueries; other columns go where `place` says."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        if level == 0 and node in replaced:
            return replaced[node]
        if place is not None and level == 0 and isinstance(node, Column):
            return place(node)
        return None

    return rewrite_scalar(scalar, visit)


def domain_of(rows: Relation, sources: Sequence[int], positions: dict[Reference, int]) -> Domain:
    """The distinct values of some columns of a relation."""
    if not sources:
        return unnesting.CLOSED
    columns = relation_desc_of(rows).columns
    key = tuple(Column(at, columns[at].type) for at in sources)
    return unnesting.Domain(Reduce(rows, key, (), tuple(columns[at].name for at in sources)), positions)


def attach(work: Decorrelation, relation: Relation, scalars: tuple[Scalar, ...]) -> tuple[Relation, tuple[Scalar, ...]]:
    """The relation with a column more for each subquery of the expressions, and these reading them. The subqueries read
    no row but the relation's."""
    replaced: dict[Scalar, Scalar] = {}
    for subquery in subqueries_in(scalars):
        relation, replaced[subquery] = _attach_one(work, relation, subquery)
    if not replaced:
        return relation, scalars
    return relation, tuple(replace_subqueries(scalar, replaced) for scalar in scalars)


def _attach_one(work: Decorrelation, relation: Relation, subquery: Scalar) -> tuple[Relation, Scalar]:
    read = condition_references(subquery) if isinstance(subquery, SubqueryCompare) else references(_relation(subquery))
    width = relation_desc_of(relation).arity
    sources = list(dict.fromkeys(index for _, index in read))
    positions = {(1, index): sources.index(index) for index in sources}
    assert all(depth == 1 for depth, _ in read), "a row further out was moved into this one before"
    local: int | None = None
    rows: Relation = relation
    if sources:
        local, rows = work.shared(relation)
    domain = domain_of(rows, sources, positions)
    right, value = _value(work, subquery, domain, width)
    k = domain.arity
    equal = tuple(
        same(Column(source, c.type), Column(width + at, c.type))
        for at, (source, c) in enumerate(zip(sources, domain.columns, strict=True))
    )
    joined = Join(JoinKind.LEFT, rows, right, equal)
    total = relation_desc_of(joined).arity
    result: Relation = Project(joined, (*range(width), *range(width + k, total))) if k else joined
    return result if local is None else Let(local, relation, result), value


def _relation(subquery: Scalar) -> Relation:
    assert isinstance(subquery, Exists | SubqueryValue | SubqueryArray | SubqueryCompare)
    return subquery.relation


def _value(work: Decorrelation, subquery: Scalar, domain: Domain, width: int) -> tuple[Relation, Scalar]:
    """One row at most for each row of the domain, and the subquery's value in terms of the row that it is joined to:
    `width` columns, then those behind the domain's."""
    n = domain.arity
    names = relation_desc_of(domain.relation).names
    match subquery:
        case Exists():
            lowered = work.lower(subquery.relation, domain)
            found = Map(Reduce(lowered, domain.columns, (), names), (TRUE,), ("exists",))
            if not n:
                # Without a key a Reduce has one row even over none.
                some = TopK(lowered, (), (), Literal(1, INT8), None)
                found = Map(Project(some, ()), (TRUE,), ("exists",))
            return found, Call("is_true_bool", (Column(width, BOOL),), BOOL)
        case SubqueryValue():
            lowered = work.lower(subquery.relation, domain)
            value = Column(width, subquery.type)
            if at_most_one_row(subquery.relation):
                return lowered, value
            counted = (
                Aggregate("count_star", (), INT8),
                Aggregate("any_value_anyelement", (Column(n, subquery.type),), subquery.type),
            )
            reduced = Reduce(lowered, domain.columns, counted, (*names, "rows", "value"))
            checked = Call(
                "single_value_int8_anyelement",
                (Column(width, INT8), Column(width + 1, subquery.type)),
                subquery.type,
            )
            return reduced, checked
        case SubqueryCompare():
            return _compared(work, subquery, domain, width)
        case _:
            raise NotSupported("this kind of subquery in a maintained expression")


def _compared(work: Decorrelation, compare: SubqueryCompare, domain: Domain, width: int) -> tuple[Relation, Scalar]:
    """op ANY is OR over the rows, op ALL is AND: an aggregate tells what decided, another whether anything was NULL."""
    n = domain.arity
    lowered = work.lower(compare.relation, domain)
    condition = unnesting.move(compare.condition, domain)
    extended, (condition,) = attach(work, lowered, (condition,))
    decides = "bool_or_bool" if compare.quantifier is Quantifier.ANY else "bool_and_bool"
    unknown = Call("is_unknown_bool", (condition,), BOOL)
    aggregates = (
        Aggregate(decides, (condition,), BOOL),
        Aggregate("bool_or_bool", (unknown,), BOOL),
    )
    names = (*relation_desc_of(domain.relation).names, "decided", "unknown")
    reduced = Reduce(extended, domain.columns, aggregates, names)
    assert len(names) == n + 2
    decided, null = Column(width, BOOL), Column(width + 1, BOOL)
    if compare.quantifier is Quantifier.ANY:
        value = Case(((decided, TRUE), (null, Literal(None, BOOL))), FALSE, BOOL)
    else:
        refuted = Call("is_false_bool", (decided,), BOOL)
        value = Case(((refuted, FALSE), (null, Literal(None, BOOL))), TRUE, BOOL)
    return reduced, value


def at_most_one_row(relation: Relation) -> bool:
    match relation:
        case Reduce():
            return not relation.key
        case TopK(group=(), limit=Literal(value=int() as limit)):
            return limit <= 1
        case Constant():
            return sum(count for _, count in relation.rows) <= 1
        case Project() | Map() | Filter() | TopK():
            return at_most_one_row(relation.input)
        case Let():
            return at_most_one_row(relation.body)
        case Join(kind=JoinKind.SEMI | JoinKind.ANTI):
            return at_most_one_row(relation.left)
        case _:
            return False


def lower_filter(work: Decorrelation, filter_: Filter, domain: Domain) -> Relation:
    """Conditions that are subqueries become semi and anti joins; the rest stays a filter beneath them."""
    lowered = work.lower(filter_.input, domain)
    width = relation_desc_of(lowered).arity
    plain: list[Scalar] = []
    joins: list[SemiJoin] = []
    for predicate in filter_.predicates:
        semi = as_semi_join(predicate)
        if semi is None:
            plain.append(predicate)
        else:
            joins.append(semi)
    easy = tuple(p for p in plain if not contains_subquery(p))
    hard = tuple(p for p in plain if contains_subquery(p))
    if easy:
        lowered = Filter(lowered, tuple(unnesting.move(p, domain) for p in easy))
    for semi in joins:
        lowered = _semi_join(work, lowered, semi, domain)
    if hard:
        extended, conditions = work.scalars(lowered, hard, domain)
        lowered = Project(Filter(extended, conditions), tuple(range(width)))
    return lowered


def _semi_join(work: Decorrelation, left: Relation, semi: SemiJoin, domain: Domain) -> Relation:
    width = relation_desc_of(left).arity
    simple = simple_right_side(semi)
    if simple is not None and not any(map(contains_subquery, simple.on)):
        right = work.lower(simple.relation, unnesting.CLOSED)
        return Join(semi.kind, left, right, tuple(_beside(p, width, domain) for p in simple.on))
    read = _semi_references(semi)
    sources: list[int] = []
    positions: dict[Reference, int] = {}
    for depth, index in read:
        source = index + domain.arity if depth == 1 else domain.positions[depth - 1, index]
        if source not in sources:
            sources.append(source)
        positions[depth, index] = sources.index(source)
    local, rows = work.shared(left)
    inner = domain_of(rows, sources, positions)
    right = work.lower(semi.relation, inner)
    condition = tuple(unnesting.move(p, inner) for p in semi.on)
    extended, condition = attach(work, right, condition)
    beside = tuple(map_columns(p, lambda c: Column(c.index + width, c.type)) for p in condition)
    equal = tuple(
        same(Column(source, c.type), Column(width + at, c.type))
        for at, (source, c) in enumerate(zip(sources, inner.columns, strict=True))
    )
    return Let(local, left, Join(semi.kind, rows, extended, (*equal, *beside)))


def _semi_references(semi: SemiJoin) -> dict[Reference, OuterColumn]:
    found = references(semi.relation)
    for scalar in semi.on:
        probe = Filter(LocalGet(0, relation_desc_of(semi.relation)), (scalar,))
        found.update(references(probe))
    return found


def _beside(scalar: Scalar, width: int, domain: Domain) -> Scalar:
    """A condition over the right row, in which outer columns are the left row's (depth 1) or the domain's."""

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Column) and level == 0:
            return Column(node.index + width, node.type)
        if isinstance(node, OuterColumn) and node.depth > level:
            depth = node.depth - level
            at = node.index + domain.arity if depth == 1 else domain.positions[depth - 1, node.index]
            return Column(at, node.type)
        return None

    return rewrite_scalar(scalar, visit)
