"""Values as values of a domain: cast to the base type, then checked by each constraint, in the order of names.

A check's expression has the value in the place of VALUE, so the value is computed more than once. A value that differs
each time, like random(), is refused.
"""

from __future__ import annotations

from dataclasses import replace

from model.types.arrays import parts_of
from model.types.datum import ShapedArray
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import BOOL, INT4, RECORD, TEXT, NamedType, ScalarType, holds_domain, without_domains
from planner.catalog_view import DomainRules, ItemView, PlanningContext
from planner.functions.registry import FUNCTIONS
from planner.functions.rows import ANYARRAY, key_of
from planner.functions.signature import Volatility
from planner.functions.types.composites import FIELD
from planner.functions.types.domains import CHECKED, NOT_NULL
from planner.ir.columns import deepen
from planner.ir.placeholder import Placeholder
from planner.ir.relation import Filter, FlatMap
from planner.ir.scalar import (
    ArrayOf,
    Call,
    Case,
    Coalesce,
    Column,
    Exists,
    Literal,
    OuterColumn,
    Parameter,
    RowOf,
    Scalar,
    SubqueryArray,
    SubqueryValue,
)
from planner.ir.unit import UNIT
from planner.ir.visit import operands_of
from planner.scope.analysis import Analysis
from planner.syntax.identifiers import qualified, quoted
from planner.temporary_schema import is_temporary

_UNNEST = key_of("unnest", (ANYARRAY,))
_NEST = key_of("nest", (ANYARRAY,))
_SAME_RECORD = key_of("not_distinct", (RECORD, RECORD))
_TYPED = (
    Column
    | OuterColumn
    | Literal
    | Parameter
    | Placeholder
    | Call
    | Case
    | Coalesce
    | ArrayOf
    | RowOf
    | SubqueryValue
    | SubqueryArray
)


def rules_of(context: PlanningContext, type_: ScalarType) -> DomainRules:
    """Returns the rules of a domain."""
    assert type_.domain is not None
    item = context.catalog.item(type_.domain.id)
    assert item is not None and item.domain is not None, f"{type_} is a domain of this catalog"
    return item.domain


def without_domain(scalar: Scalar, type_: ScalarType) -> Scalar:
    """Returns a value of the domain `type_`, or of arrays of the domain, as a value of the base type, which is stored
    alike.
    """
    return retyped(scalar, without_domains(type_))


def retyped(scalar: Scalar, type_: ScalarType) -> Scalar:
    """Returns the expression under another type that is held alike; conditions are boolean without saying so."""
    return replace(scalar, type=type_) if isinstance(scalar, _TYPED) else scalar


def checked(analysis: Analysis, value: Scalar, target: ScalarType, rules: DomainRules, named: NamedType) -> Scalar:
    """Returns a value of the base type as one of the domain `target`; errors at execution, which call it `named`:
    23502, 23514."""
    item = analysis.context.catalog.item(named.id)
    assert item is not None, f"{target} is a domain of this catalog"
    names = (Literal(_shown_name(analysis.context, item), TEXT), Literal(item.name.schema, TEXT))
    if not rules.nullable:
        value = Call(NOT_NULL.key, (value, *names), target)
    if rules.checks and _varies(value):
        raise analysis.unsupported("a value that is computed anew each time, as a value of a domain with CHECK")
    source = value
    for check in rules.checks:
        condition = analysis.plan_condition(analysis.context, check.sql, source)
        value = Call(CHECKED.key, (value, condition, *names, Literal(check.name, TEXT)), target)
    return retyped(value, target)


def _shown_name(context: PlanningContext, item: ItemView) -> str:
    """Returns the name that errors give a domain: with its schema where the name alone does not find it, but for
    statements of the server's own, which name all in full."""
    name = item.name
    found = context.catalog.resolve_type((name.name,), context.search_path, context.database)
    apart = found is None or found.id != item.id
    told = any(not is_temporary(schema) for schema in context.search_path)
    return qualified(name.schema, name.name) if apart and told else quoted(name.name)


def checked_inside(analysis: Analysis, value: Scalar, type_: ScalarType, named: NamedType | None = None) -> Scalar:
    """Checks a value of `type_`, its fields and its elements against the domains of their types, after a read that
    ignored domains. Errors name `named`, the outermost domain. Raises 0A000 for a value that differs each time, like
    random().
    """
    if not holds_domain(type_):
        return value
    if type_.domain is not None:
        rules, named = rules_of(analysis.context, type_), named or type_.domain
        inside = checked_inside(analysis, retyped(value, rules.base), rules.base, named)
        return checked(analysis, inside, type_, rules, named)
    if isinstance(value, Literal) and value.value is None:
        return value
    if type_.element is not None:
        return _checked_elements(analysis, value, type_, type_.element)
    return _checked_fields(analysis, value, type_)


def _checked_fields(analysis: Analysis, value: Scalar, type_: ScalarType) -> Scalar:
    types = [field for _, field in type_.fields]
    if isinstance(value, Literal):
        assert isinstance(value.value, tuple), "a record is the tuple of its fields"
        fields = [checked_inside(analysis, Literal(*each), each[1]) for each in zip(value.value, types, strict=True)]
        return RowOf(tuple(fields), type_)
    if _varies(value):
        raise analysis.unsupported("a value that is computed anew each time, as one with domains in it")
    fields = [
        checked_inside(analysis, Call(FIELD.key, (value, Literal(at, INT4)), field), field)
        for at, field in enumerate(types)
    ]
    # IS NULL would take a record of NULLs for none.
    missing = Call(_SAME_RECORD, (value, Literal(None, type_)), BOOL)
    return Case(((missing, Literal(None, type_)),), RowOf(tuple(fields), type_), type_)


def _checked_elements(analysis: Analysis, value: Scalar, type_: ScalarType, element: ScalarType) -> Scalar:
    if _unruled(analysis, element):
        return retyped(value, type_)
    if isinstance(value, ArrayOf):
        items = (checked_inside(analysis, retyped(item, element), element) for item in value.elements)
        return ArrayOf(tuple(items), type_)
    if isinstance(value, Literal) and isinstance(value.value, tuple):
        items = (checked_inside(analysis, Literal(item, element), element) for item in value.value)
        return ArrayOf(tuple(items), type_)
    if isinstance(value, Literal) and isinstance(value.value, ShapedArray):
        if all(lower == 1 for lower, _ in value.value.dimensions):
            parts = (_checked_elements(analysis, Literal(p, type_), type_, element) for p in parts_of(value.value))
            return Call(_NEST, tuple(parts), type_)
    if _varies(value):
        raise analysis.unsupported(f"a value that is computed anew each time, as {type_}")
    return Case(((_any_violation(analysis, value, element), Literal(None, type_)),), retyped(value, type_), type_)


def _any_violation(analysis: Analysis, array: Scalar, element: ScalarType) -> Scalar:
    """Returns a condition that is never true: an element that is none of the type `element` is an error."""
    base = without_domains(element)
    items = FlatMap(UNIT, _UNNEST, (deepen(array, 1),), RelationDesc((ColumnDesc("item", base),)))
    item = Column(0, base)
    both = tuple(Call("is_null_any", (each,), BOOL) for each in (checked_inside(analysis, item, element), item))
    return Exists(Filter(items, (Call("ne_bool_bool", both, BOOL),)))


def _unruled(analysis: Analysis, type_: ScalarType) -> bool:
    """Tells whether the domains in a type have no rules."""
    if type_.domain is not None:
        rules = rules_of(analysis.context, type_)
        return rules.nullable and not rules.checks and _unruled(analysis, rules.base)
    if type_.element is not None:
        return _unruled(analysis, type_.element)
    return all(_unruled(analysis, field) for _, field in type_.fields)


def _varies(value: Scalar) -> bool:
    """Tells whether computing the value twice may give two values."""
    volatile = isinstance(value, Call) and FUNCTIONS[value.function].volatility is Volatility.VOLATILE
    return volatile or any(map(_varies, operands_of(value)))
