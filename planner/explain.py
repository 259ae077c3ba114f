"""Plans as text: one line a node, inputs indented below it, columns as #0, #1 …, outer rows' columns as ^1#0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from model.ids.global_id import GlobalId
from model.text.dispatch import format_datum
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.placeholder import Placeholder
from planner.ir.properties import relation_desc_of
from planner.ir.query import Query
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
    RecursionLimit,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.scalar import (
    And,
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Exists,
    Literal,
    Or,
    OuterColumn,
    Parameter,
    QuantifiedArray,
    RowOf,
    Scalar,
    SessionValue,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
)
from planner.ir.visit import inputs_of, subqueries_of
from planner.ir.window import Exclusion, FrameBound, WindowCall, WindowFrame

Names = Callable[[GlobalId], str]
_ROWS_MAX = 5


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A node of a plan: `depth` levels below the first, of a `kind` and with its `detail`."""

    depth: int
    kind: str
    detail: str = ""

    def beneath(self, levels: int) -> PlanLine:
        """Returns the line so many levels further down."""
        return PlanLine(self.depth + levels, self.kind, self.detail)

    def __str__(self) -> str:
        return "  " * self.depth + " ".join(filter(None, (self.kind, self.detail)))


def explain(plan: Relation | Query, names: Names) -> str:
    """Returns a tree in lines without a newline at the end; `names` says what a collection is called."""
    return "\n".join(map(str, plan_lines(plan, names)))


def plan_lines(plan: Relation | Query, names: Names) -> Iterator[PlanLine]:
    """Yields a plan's nodes, each before those below it."""
    return _query_lines(plan, names) if isinstance(plan, Query) else _lines(plan, names, 0)


def _query_lines(query: Query, names: Names) -> Iterator[PlanLine]:
    finishing = query.finishing
    parts: list[str] = []
    if finishing.order:
        parts.append(f"order by {_order(finishing.order)}")
    if finishing.offset is not None:
        parts.append(f"offset {explain_scalar(finishing.offset)}")
    if finishing.limit is not None:
        parts.append(f"limit {explain_scalar(finishing.limit)}")
    if finishing.project != tuple(range(relation_desc_of(query.relation).arity)):
        parts.append(f"output {_columns(finishing.project)}")
    if not parts:
        yield from _lines(query.relation, names, 0)
        return
    yield PlanLine(0, "Finish", ", ".join(parts))
    yield from _lines(query.relation, names, 1)


def _lines(relation: Relation, names: Names, depth: int) -> Iterator[PlanLine]:
    if isinstance(relation, Let):
        yield PlanLine(depth, "With", f"l{relation.local_id} =")
        yield from _lines(relation.value, names, depth + 2)
        yield PlanLine(depth, "Return")
        yield from _lines(relation.body, names, depth + 1)
        return
    if isinstance(relation, LetRecursive):
        yield PlanLine(depth, *_title(relation, names))
        for binding in relation.bindings:
            yield PlanLine(depth + 1, f"l{binding.local_id} =")
            yield from _lines(binding.value, names, depth + 2)
        yield PlanLine(depth, "Return")
        yield from _lines(relation.body, names, depth + 1)
        return
    yield PlanLine(depth, *_title(relation, names))
    for number, subquery in enumerate(subqueries_of(relation), start=1):
        yield PlanLine(depth + 1, "Subquery", str(number))
        yield from _lines(subquery, names, depth + 2)
    for child in inputs_of(relation):
        yield from _lines(child, names, depth + 1)


def _title(relation: Relation, names: Names) -> tuple[str, str]:
    """Returns a node's kind and detail."""
    match relation:
        case Constant():
            return "Constant", _constant(relation)
        case Get():
            return "Read", names(relation.id)
        case LocalGet():
            return "Get", f"l{relation.local_id}"
        case Let():
            return "With", f"l{relation.local_id}"
        case Recursive():
            kind = "distinct" if relation.distinct else "all"
            return "Recursive", f"l{relation.local_id} ({kind})"
        case LetRecursive():
            return "With mutually recursive", _recursion_limit(relation.limit)
        case Project():
            return "Project", _columns(relation.columns)
        case Map():
            return "Map", _scalars(relation.scalars)
        case FlatMap():
            ordinality = " with ordinality" if relation.ordinality else ""
            return "FlatMap", f"{relation.function}({_scalars(relation.arguments)}){ordinality}"
        case Filter():
            return "Filter", " AND ".join(map(explain_scalar, relation.predicates))
        case Join():
            return _join(relation)
        case Reduce():
            return _reduce(relation)
        case TopK():
            return "TopK", _top_k(relation)
        case Window():
            return "Window", _window(relation)
        case Negate():
            return "Negate", ""
        case Threshold():
            return "Threshold", ""
        case Union():
            return "Union", ""
        case _:
            assert_never(relation)


def _recursion_limit(limit: RecursionLimit | None) -> str:
    return "" if limit is None else f"({'error' if limit.fails else 'return'} at recursion limit {limit.rounds})"


def _constant(relation: Constant) -> str:
    rows = [
        "("
        + ", ".join(_datum(Literal(value, type_)) for value, type_ in zip(row, relation.desc.types, strict=True))
        + ")"
        + (f" x{count}" if count != 1 else "")
        for row, count in relation.rows[:_ROWS_MAX]
    ]
    more = f" and {len(relation.rows) - _ROWS_MAX} more" if len(relation.rows) > _ROWS_MAX else ""
    return f"{', '.join(rows) or 'nothing'}{more}"


def _join(relation: Join) -> tuple[str, str]:
    kind = relation.kind.value.capitalize()
    lateral = "lateral" if relation.lateral else ""
    on = " AND ".join(map(explain_scalar, relation.on))
    if not on and relation.kind is JoinKind.INNER:
        return "Cross join", lateral
    return f"{kind} join", f"{lateral} on {on or 'true'}".lstrip()


def _reduce(relation: Reduce) -> tuple[str, str]:
    key = [f"by {_scalars(relation.key)}"] if relation.key else []
    if not relation.aggregates:
        return "Distinct", " ".join(key)
    return "Reduce", " ".join((*key, f"to {', '.join(map(_aggregate, relation.aggregates))}"))


def _aggregate(aggregate: Aggregate) -> str:
    distinct = "distinct " if aggregate.distinct else ""
    order = f" order by {_order(aggregate.order)}" if aggregate.order else ""
    condition = "" if aggregate.condition is None else f" filter {explain_scalar(aggregate.condition)}"
    return f"{aggregate.function}({distinct}{_scalars(aggregate.arguments)}{order}){condition}"


def _top_k(relation: TopK) -> str:
    parts: list[str] = []
    if relation.group:
        parts.append(f"by {_columns(relation.group)}")
    if relation.order:
        parts.append(f"order by {_order(relation.order)}")
    if relation.offset is not None:
        parts.append(f"offset {explain_scalar(relation.offset)}")
    if relation.limit is not None:
        parts.append(f"limit {explain_scalar(relation.limit)}")
    return " ".join(parts)


def _window(relation: Window) -> str:
    parts: list[str] = []
    if relation.group:
        parts.append(f"by {_columns(relation.group)}")
    if relation.order:
        parts.append(f"order by {_order(relation.order)}")
    parts.append(f"to {', '.join(map(_window_call, relation.calls))}")
    return " ".join(parts)


def _window_call(call: WindowCall) -> str:
    condition = "" if call.condition is None else f" filter {explain_scalar(call.condition)}"
    return f"{call.function}({_scalars(call.arguments)}){condition}{_frame(call.frame)}"


def _frame(frame: WindowFrame) -> str:
    if frame == WindowFrame():
        return ""
    exclusion = "" if frame.exclusion is Exclusion.NO_OTHERS else f" exclude {frame.exclusion.value}"
    return f" {frame.mode.value} between {_bound(frame.start)} and {_bound(frame.end)}{exclusion}"


def _bound(bound: FrameBound) -> str:
    return bound.kind.value if bound.offset is None else f"{explain_scalar(bound.offset)} {bound.kind.value}"


def _columns(columns: Iterable[int]) -> str:
    return "(" + ", ".join(f"#{column}" for column in columns) + ")"


def _scalars(scalars: Iterable[Scalar]) -> str:
    return ", ".join(map(explain_scalar, scalars))


def _order(keys: Iterable[SortKey]) -> str:
    texts: list[str] = []
    for key in keys:
        direction = " desc" if key.descending else ""
        nulls = "" if key.nulls_first == key.descending else f" nulls {'first' if key.nulls_first else 'last'}"
        texts.append(explain_scalar(key.expression) + direction + nulls)
    return ", ".join(texts)


def _datum(literal: Literal) -> str:
    if literal.value is None:
        return "null"
    if isinstance(literal.value, bool):
        return "true" if literal.value else "false"
    if literal.type.enum is not None and literal.value not in {position for _, position in literal.type.enum.labels}:
        # What stands for NULL beside a flag lies before all labels.
        return str(literal.value)
    text = format_datum(literal.value, literal.type)
    return text if isinstance(literal.value, int | float) else "'" + text.replace("'", "''") + "'"


def explain_scalar(scalar: Scalar) -> str:
    """Returns an expression as text."""
    match scalar:
        case Column():
            return f"#{scalar.index}"
        case OuterColumn():
            return f"^{scalar.depth}#{scalar.index}"
        case Literal():
            return _datum(scalar)
        case Parameter():
            return f"${scalar.number}"
        case SessionValue():
            return f"{scalar.name.value}()"
        case Placeholder():
            raise AssertionError(f"{scalar} in a finished plan")
        case Call():
            return f"{scalar.function}({_scalars(scalar.arguments)})"
        case And():
            return "(" + " AND ".join(map(explain_scalar, scalar.operands)) + ")"
        case Or():
            return "(" + " OR ".join(map(explain_scalar, scalar.operands)) + ")"
        case Case():
            whens = "".join(f" when {explain_scalar(c)} then {explain_scalar(v)}" for c, v in scalar.branches)
            return f"case{whens} else {explain_scalar(scalar.otherwise)} end"
        case Coalesce():
            return f"coalesce({_scalars(scalar.operands)})"
        case ArrayOf():
            return f"array[{_scalars(scalar.elements)}]"
        case RowOf():
            return f"row({_scalars(scalar.fields)})"
        case Exists():
            return "exists(subquery)"
        case SubqueryValue():
            return "(subquery)"
        case SubqueryArray():
            return "array(subquery)"
        case SubqueryCompare():
            return f"{scalar.quantifier.value}(subquery: {explain_scalar(scalar.condition)})"
        case QuantifiedArray():
            left, array = explain_scalar(scalar.left), explain_scalar(scalar.array)
            return f"{scalar.comparison}({left}, {scalar.quantifier.value} {array})"
        case _:
            assert_never(scalar)
