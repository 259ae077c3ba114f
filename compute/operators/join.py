"""Join: pairs for which every predicate is true, and the rows without a partner, by the kind of join.

    d(A ⋈ B) = dA ⋈ B + A' ⋈ dB

Error rows match nothing and are kept. Fallible predicates judge the pairs that pass the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from compute.operators.context import Context
from compute.operators.join_pairs import by_pairs
from compute.operators.linear import kept, settled
from compute.operators.rendered import Form, Rendered, decimals_name, error_column, select, select_list
from compute.operators.union import multiset, unite
from compute.scalars.failure import Error, first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql, calls_python, conjunction
from compute.scalars.value import Value
from model.physical.columns import column_name
from planner.ir.relation import Join, JoinKind
from planner.ir.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Sides:
    """Both inputs of a join; their columns are named side by side, `l_err` and `r_err` hold their errors."""

    left: Rendered
    right: Rendered
    context: Context

    @property
    def forms(self) -> tuple[Form, ...]:
        return self.left.forms + self.right.forms

    @property
    def shown(self) -> frozenset[int]:
        """Returns the columns beside which a column tells decimals."""
        return self.left.shown | {self.left.arity + at for at in self.right.shown}

    @property
    def values(self) -> tuple[Value, ...]:
        return self.left.values() + self.right.values(first=self.left.arity)

    def source(self, kind: str, condition: str) -> Sql:
        """Returns the FROM item of the join, with `l_here` and `r_here` true for the sides that a row has."""
        left = _side(self.left, 0, "l")
        right = _side(self.right, self.left.arity, "r")
        on = f" ON {condition}" if kind != "CROSS" else ""
        return Sql(f"(SELECT * FROM ({left}) {kind} JOIN ({right}){on})")

    def paired(self, kind: str, condition: str) -> Sql:
        """Returns the source with each side's rows numbered: `l_id` and `r_id`."""
        left = _side(self.left, 0, "l", numbered=True)
        right = _side(self.right, self.left.arity, "r", numbered=True)
        return Sql(f"(SELECT * FROM ({left}) {kind} JOIN ({right}) ON {condition})")


def _side(input_: Rendered, first: int, mark: str, numbered: bool = False) -> str:
    parts = [
        column_name(i) if not first else f"{column_name(i)} AS {column_name(first + i)}" for i in range(input_.arity)
    ]
    parts += [f"{decimals_name(i)} AS {decimals_name(first + i)}" for i in sorted(input_.shown)]
    if input_.error is not None:
        parts.append(f"err AS {mark}_err")
    parts.append(f"true AS {mark}_here")
    if numbered:
        parts.append(f"monotonically_increasing_id() AS {mark}_id")
    return f"SELECT {', '.join(parts)} FROM {input_.source}"


def render_join(node: Join, context: Context) -> Rendered:
    assert not node.lateral, "a lateral join in a plan for Spark: decorrelation removes it"
    sides = Sides(multiset(context.rendered(node.left)), multiset(context.rendered(node.right)), context)
    match node.kind:
        case JoinKind.INNER:
            return _inner(sides, node.on)
        case JoinKind.LEFT | JoinKind.FULL:
            return _outer(sides, node)
        case JoinKind.SEMI | JoinKind.ANTI:
            return _semi(sides, node)


def _inlined(sides: Sides, on: tuple[Scalar, ...]) -> tuple[list[Value], list[Scalar]]:
    """Separates predicates that Spark can judge inside a join from fallible predicates and calls of Python."""
    plain: list[Value] = []
    others: list[Scalar] = []
    for predicate in on:
        layers = Layers()
        value = sides.context.lowering(sides.values, layers).lower(predicate)
        if value.error is None and value.level == 0 and not calls_python(value.sql):
            plain.append(value)
            continue
        if value.error is None:
            # Without layers text doubles with each thing that is used twice: not for what can't be inside a join.
            value = sides.context.lowering(sides.values, Layers(inline=True)).lower(predicate)
        if value.error is None and not calls_python(value.sql):
            plain.append(value)
        else:
            others.append(predicate)
    return plain, others


def _condition(parts: list[Value], *extra: str) -> str:
    texts = [part.sql for part in parts] + [Sql(text) for text in extra]
    return conjunction(texts) if texts else "true"


def _errors(sides: Sides) -> tuple[Error | None, Error | None]:
    left, right = sides.left.error, sides.right.error
    return (
        None if left is None else replace(left, sql=Sql("l_err")),
        None if right is None else replace(right, sql=Sql("r_err")),
    )


def _inner(sides: Sides, on: tuple[Scalar, ...]) -> Rendered:
    """Renders an inner join. A side with errors is the outer side of an outer join, whose partnerless error rows are
    kept."""
    plain, others = _inlined(sides, on)
    left, right = _errors(sides)
    kind = {(False, False): "INNER", (True, False): "LEFT", (False, True): "RIGHT", (True, True): "FULL"}[
        left is not None, right is not None
    ]
    guards = [f"{error.sql} IS NULL" for error in (left, right) if error is not None]
    if not plain and kind == "INNER":
        kind = "CROSS"
    joined = sides.source(kind, _condition(plain, *guards))
    error = first_error(left, right)
    layers = Layers()
    lowering = sides.context.lowering(sides.values, layers)
    predicates = settled(layers, [lowering.lower(predicate) for predicate in others])
    where: list[Sql] = [kept(predicates, None)] if predicates else []
    if error is not None:
        where = [Sql(f"({error.sql} IS NOT NULL OR {conjunction([Sql('l_here'), Sql('r_here'), *where])})")]
    total = first_error(error, *(predicate.error for predicate in predicates))
    carrier = Rendered(joined, sides.forms)
    return select(carrier, layers, list(sides.values), total, where, joined, sides.context.shown)


def _outer(sides: Sides, node: Join) -> Rendered:
    plain, others = _inlined(sides, node.on)
    left, right = _errors(sides)
    guards = [f"{error.sql} IS NULL" for error in (left, right) if error is not None]
    kind = "FULL" if node.kind is JoinKind.FULL or right is not None else "LEFT"
    if others:
        return by_pairs(sides.paired(kind, _condition(plain, *guards)), sides, node.kind, others, left, right)
    joined = sides.source(kind, _condition(plain, *guards))
    where = [Sql("(l_here OR r_err IS NOT NULL)")] if node.kind is JoinKind.LEFT and right is not None else None
    carrier = Rendered(joined, sides.forms)
    error = first_error(left, right)
    return select(carrier, Layers(), list(sides.values), error, where, joined, sides.context.shown)


def _semi(sides: Sides, node: Join) -> Rendered:
    plain, others = _inlined(sides, node.on)
    left, right = _errors(sides)
    guards = [f"{error.sql} IS NULL" for error in (left, right) if error is not None]
    if others:
        kind = "FULL" if right is not None else "LEFT"
        return by_pairs(sides.paired(kind, _condition(plain, *guards)), sides, node.kind, others, left, right)
    kind = "LEFT SEMI" if node.kind is JoinKind.SEMI else "LEFT ANTI"
    joined = sides.source(kind, _condition(plain, *guards))
    columns = list(sides.left.values())
    carrier = Rendered(joined, sides.left.forms)
    found = select(carrier, Layers(), columns, left, None, joined, sides.context.shown)
    parts = [found]
    if left is not None and node.kind is JoinKind.SEMI:
        parts.append(_only_errors(sides.left, sides.left))
    if right is not None:
        parts.append(_only_errors(sides.right, sides.left))
    return unite(parts)


def _only_errors(input_: Rendered, shape: Rendered) -> Rendered:
    """Returns the errors of an input as rows of NULLs in the shape of another."""
    assert input_.error is not None
    nulls = [f"CAST(NULL AS {form.spark_type})" for form in shape.forms]
    text = f"SELECT {select_list(nulls, input_.error)} FROM {input_.source} WHERE err IS NOT NULL"
    return replace(shape, sql=Sql(text), error=error_column(input_.error), shown=frozenset())
