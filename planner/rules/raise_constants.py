"""Raises the errors that PostgreSQL finds while planning: an expression of constants that fails does so even when no
row needs it.

    SELECT a FROM empty WHERE 1 / 0 = 1                   22012
    SELECT CASE WHEN a = 1 THEN 1 / 0 END FROM empty      22012, since the branch stays
    SELECT CASE WHEN true THEN a ELSE 1 / 0 END FROM t    nothing, since it goes
    SELECT a FROM (SELECT a, 1 / 0 AS x FROM t) q         nothing, since nobody reads x
    SELECT a FROM (SELECT a, 1 / 0 AS x FROM t UNION ALL SELECT a, b FROM t) q      22012, whoever reads x

PostgreSQL examines a query's expressions from left to right, after it has dropped unused columns of subqueries:
operands after a FALSE in AND are not examined. Where it isn't certain to examine an expression, nothing is raised here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES
from model.types.scalar_type import TypeName
from planner.functions.registry import FUNCTIONS
from planner.functions.types import domains
from planner.ir.columns import map_columns, outer_references, own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    Join,
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
from planner.ir.scalar import (
    FALSE,
    TRUE,
    And,
    Call,
    Case,
    Coalesce,
    Exists,
    Literal,
    Or,
    QuantifiedArray,
    Scalar,
    SubqueryArray,
    SubqueryCompare,
    SubqueryValue,
    scalar_type,
)
from planner.ir.visit import inputs_of, rewrite_scalar, scalars_of
from planner.rules.fold_constants import fold, folded_call, folded_case, folded_coalesce

_Needed = frozenset[int]

_TEXTS = frozenset({TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR, TypeName.NAME})
# PostgreSQL asks what a domain demands of a value when rows are there, since it may be altered before.
_OF_DOMAINS = frozenset(function.key for function in domains.FUNCTIONS)
_CONTAINERS = frozenset({TypeName.ARRAY, TypeName.RECORD, TypeName.ENUM, *RANGE_NAMES, *MULTIRANGE_NAMES})


def raise_constants(relation: Relation) -> None:
    """Evaluates the constant expressions that PostgreSQL evaluates when it plans the relation with its views unfolded;
    raises the SqlError of the first that fails."""
    _Looking().into(relation, _all(relation))


def _all(relation: Relation) -> _Needed:
    return frozenset(range(relation_desc_of(relation).arity))


class _Looking:
    """A search through a plan. `read`: for each local id, the columns of its value that any reader reads."""

    def __init__(self) -> None:
        self._read: dict[int, _Needed] = {}

    def into(self, relation: Relation, needed: _Needed) -> None:
        """Looks at what is computed for the columns `needed` of a relation."""
        match relation:
            case Constant() | Get():
                return
            case LocalGet():
                self._read[relation.local_id] = self._read.get(relation.local_id, frozenset()) | needed
            case Let():
                self.into(relation.body, needed)
                if relation.local_id in self._read:
                    self.into(relation.value, self._read[relation.local_id])
            case Project():
                self.into(relation.input, frozenset(relation.columns[at] for at in needed))
            case Map():
                width = relation_desc_of(relation.input).arity
                read = [scalar for at, scalar in enumerate(relation.scalars, width) if at in needed]
                self._look_below(relation.input, needed, read)
            case FlatMap():
                self._look_below(relation.input, needed, relation.arguments)
            case Filter():
                never = self._at(And(relation.predicates), _constants(relation.input)) == FALSE
                # Beneath what is never true PostgreSQL leaves out queries that are planned apart.
                if not never or _is_merged(relation.input):
                    self._look_into_input(relation.input, needed, relation.predicates)
            case Join():
                self._look_into_join(relation, needed)
            case Reduce():
                self._look_below(relation.input, frozenset(), _read_by_groups(relation, needed))
            case TopK():
                self._look_below(relation.input, needed | set(relation.group), tuple(scalars_of(relation)))
            case Window():
                width = relation_desc_of(relation.input).arity
                calls = [call for at, call in enumerate(relation.calls, width) if at in needed]
                read = [key.expression for key in relation.order]
                read += (scalar for call in calls for scalar in call.scalars)
                self._look_below(relation.input, needed | set(relation.group), read)
            case Union():
                for part in relation.inputs:
                    self.into(part, needed | _computed_in_part(part))
            case Negate():
                self.into(relation.input, needed)
            case Threshold() | Recursive() | LetRecursive():
                for part in inputs_of(relation):
                    self.into(part, _all(part))
            case _:
                assert_never(relation)

    def _look_below(self, relation: Relation, needed: _Needed, scalars: Sequence[Scalar]) -> None:
        """Looks at expressions over a relation, then at the relation's own expressions for needed columns."""
        known = _constants(relation)
        for scalar in scalars:
            self._at(scalar, known)
        self._look_into_input(relation, needed, scalars)

    def _look_into_input(self, relation: Relation, needed: _Needed, scalars: Sequence[Scalar]) -> None:
        width = relation_desc_of(relation).arity
        self.into(relation, frozenset(at for at in needed | _columns(scalars) if at < width))

    def _look_into_join(self, join: Join, needed: _Needed) -> None:
        self._at(And(join.on), _constants(join.left))
        width = relation_desc_of(join.left).arity
        read = needed | _columns(join.on)
        outer = outer_references(join.right, 1) if join.lateral else set()
        self.into(join.left, frozenset(at for at in read if at < width) | outer)
        self.into(join.right, frozenset(at - width for at in read if at >= width))

    def _at(self, scalar: Scalar, known: Mapping[int, Literal]) -> Scalar:
        """Returns the expression as it is during planning."""
        if known:
            scalar = map_columns(scalar, lambda column: known.get(column.index, column))
        return self._planned(scalar)

    def _planned(self, scalar: Scalar) -> Scalar:
        return rewrite_scalar(scalar, lambda node, level: self._folded(node))

    def _folded(self, node: Scalar) -> Scalar | None:
        match node:
            case Call():
                call = Call(node.function, tuple(map(self._planned, node.arguments)), node.type)
                return call if _is_left(call) else folded_call(call)
            case And():
                return self._connected(node, TRUE, FALSE)
            case Or():
                return self._connected(node, FALSE, TRUE)
            case Case():
                return self._of_branches(node)
            case Coalesce():
                return self._of_first(node)
            case Exists():
                self.into(node.relation, frozenset())
            case SubqueryValue() | SubqueryArray():
                self.into(node.relation, _all(node.relation))
            case SubqueryCompare():
                self._planned(node.condition)
                self.into(node.relation, _all(node.relation))
            case QuantifiedArray():
                self._planned(node.left)
                self._planned(node.array)
            case _:
                return None
        return node

    def _connected(self, node: And | Or, neutral: Literal, decisive: Literal) -> Scalar:
        """Plans an AND or OR. Operands after the one that decides are not looked at."""
        result: Scalar = neutral
        for operand in node.operands:
            value = self._planned(operand)
            if value == decisive:
                return decisive
            result = result if value == neutral else node
        return result

    def _of_branches(self, case: Case) -> Scalar:
        """Plans CASE without branches that are never taken, which PostgreSQL does not examine."""
        branches: list[tuple[Scalar, Scalar]] = []
        for condition, value in case.branches:
            when = self._planned(condition)
            if isinstance(when, Literal) and when.value is not True:
                continue
            branches.append((when, self._planned(value)))
            if when == TRUE:
                return folded_case(Case(tuple(branches), case.otherwise, case.type))
        return folded_case(Case(tuple(branches), self._planned(case.otherwise), case.type))

    def _of_first(self, coalesce: Coalesce) -> Scalar:
        operands: list[Scalar] = []
        for operand in coalesce.operands:
            operands.append(self._planned(operand))
            if isinstance(operands[-1], Literal) and operands[-1].value is not None:
                break
        return folded_coalesce(Coalesce(tuple(operands), coalesce.type))


def _columns(scalars: Iterable[Scalar]) -> _Needed:
    found: set[int] = set()
    for scalar in scalars:
        found |= own_columns(scalar)
    return frozenset(found)


def _computed_in_part(part: Relation) -> _Needed:
    """Returns the columns of a part of a union that expressions of its SELECT compute: PostgreSQL examines them
    whoever reads them, because it merges the part with the query above; but not a part with a limit."""
    match part:
        case Project():
            inner = _computed_in_part(part.input)
            return frozenset(at for at, column in enumerate(part.columns) if column in inner)
        case Map():
            width = relation_desc_of(part.input).arity
            return frozenset(range(width, width + len(part.scalars)))
        case _:
            return frozenset()


def _read_by_groups(reduce: Reduce, needed: _Needed) -> list[Scalar]:
    """Returns what a reduce reads: keys make groups whoever reads them; an aggregate that nobody reads is left out."""
    read = list(reduce.key)
    for at, aggregate in enumerate(reduce.aggregates, len(reduce.key)):
        if at in needed:
            read += aggregate.arguments
            read += (key.expression for key in aggregate.order)
            read += () if aggregate.condition is None else (aggregate.condition,)
    return read


def _is_merged(relation: Relation) -> bool:
    """Tells whether PostgreSQL merges the relation with the query above it."""
    while isinstance(relation, Project | Map | Filter):
        relation = relation.input
    return isinstance(relation, Constant | Get)


def _constants(relation: Relation) -> dict[int, Literal]:
    """Returns the columns that are constants, within one merged query."""
    match relation:
        case Project():
            below = _constants(relation.input)
            return {new: below[at] for new, at in enumerate(relation.columns) if at in below}
        case Map():
            width = relation_desc_of(relation.input).arity
            folded = enumerate(map(fold, relation.scalars), width)
            return {at: value for at, value in folded if isinstance(value, Literal)} | _constants(relation.input)
        case Filter():
            return _constants(relation.input)
        case _:
            return {}


def _is_left(call: Call) -> bool:
    """Tells whether PostgreSQL leaves a call of constants to execution: the checks of domains, and casts that depend
    on settings (all those between texts and other types)."""
    if call.function in _OF_DOMAINS:
        return True
    if FUNCTIONS[call.function].form != "cast":
        return False
    names = {scalar_type(call.arguments[0]).name, call.type.name}
    return bool(names & _TEXTS) and bool(names & _CONTAINERS)
