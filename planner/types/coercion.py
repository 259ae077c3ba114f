"""Casts that PostgreSQL applies by itself, or on request: whether a type may become another, and how (manual, 10.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES
from model.types.scalar_type import (
    INT4,
    NUMERIC,
    RECORD,
    TEXT,
    UNKNOWN,
    WIDE,
    NamedType,
    ScalarType,
    TypeName,
    array_of,
    bare_text,
    declared_type,
    holds_domain,
    same_when_declared,
    shown_numeric,
    shown_scale,
    type_text,
    type_within,
    users_type,
    without_domains,
    without_modifiers,
)
from planner.functions.casts.members import MEMBERS_AS, by_members, castable, member_of
from planner.functions.numbers.shown_scales import common_shown_scale, with_shown_scale
from planner.functions.numbers.wide import narrowed
from planner.functions.rows import key_of
from planner.functions.signature import Cast, CastContext
from planner.functions.system.names_written import NAMES_WRITTEN, numbers_within, with_names
from planner.functions.types.enums import LABELS_TEXT, READ_LABELS
from planner.ir.scalar import Call, Literal, Parameter, RowOf, Scalar, scalar_type
from planner.scope.analysis import Analysis
from planner.types.categories import STRING, category, holding_both, polymorphic, preferred
from planner.types.domains import checked, checked_inside, rules_of, without_domain
from planner.types.function_table import cast_between, modifier_function
from planner.types.literals import literal_from_text, reads_times
from planner.types.session_arguments import call_of

_USERS_RANGES = (TypeName.RANGE, TypeName.MULTIRANGE)
_RANK = {CastContext.IMPLICIT: 0, CastContext.ASSIGNMENT: 1, CastContext.EXPLICIT: 2}


def cast_found(source: ScalarType, target: ScalarType, context: CastContext) -> Cast | None:
    """Returns the cast between two different types, if it applies in `context`, else None."""
    if source.range is not None and target.range is not None and source.range != target.range:
        return None
    cast = cast_between(source.plain(), target.plain())
    if cast is None or _RANK[cast.context] > _RANK[context]:
        return None
    return cast


def can_coerce(source: ScalarType, target: ScalarType, context: CastContext = CastContext.IMPLICIT) -> bool:
    """Tells whether a value of one type may be converted to the other in `context`."""
    if _same_but_modifiers(source, target):
        return True
    if source.member is not None and target.member is not None and source.name is target.name:
        return can_coerce(source.member, target.member, context)
    if source.name is target.name and source.element == target.element and _same_users_type(source, target):
        return None in (source.composite, target.composite) or source.composite == target.composite
    if source == UNKNOWN or target.name is TypeName.ANY:
        return True
    if polymorphic(target):
        return _fits(source, target)
    if source.name is TypeName.RECORD or target.name is TypeName.RECORD:
        if source.composite is not None and target.composite is not None:
            return source.composite == target.composite
        return source.name is target.name or (target == TEXT and context is CastContext.EXPLICIT)
    if _names_parts(source, target):
        return context is not CastContext.IMPLICIT
    if by_members(source, target):
        return context is CastContext.EXPLICIT and can_coerce(member_of(source), member_of(target), context)
    return cast_found(source, target, context) is not None


def _same_users_type(source: ScalarType, target: ScalarType) -> bool:
    """Tells whether two types are of the same enum, or the same ranges, if they are of any."""
    return source.enum == target.enum and source.range == target.range


def _same_but_modifiers(source: ScalarType, target: ScalarType) -> bool:
    """Tells whether both are arrays, of elements that differ only in their modifiers."""
    return (
        source.element is not None and target.element is not None and source.element.plain() == target.element.plain()
    )


def _names_parts(source: ScalarType, target: ScalarType) -> bool:
    """Tells whether a value becomes a string, or an array of strings, with names for parts of it that are numbers of
    objects."""
    return numbers_within(source) and category((target.element or target).plain()) == STRING


def _fits(source: ScalarType, target: ScalarType) -> bool:
    match target.name:
        case TypeName.ANYARRAY | TypeName.ANYCOMPATIBLEARRAY:
            return source.name in (TypeName.ARRAY, TypeName.INT2VECTOR, TypeName.OIDVECTOR)
        case TypeName.ANYNONARRAY:
            return source.name not in (TypeName.ARRAY, TypeName.LIST, TypeName.MAP)
        case TypeName.ANYCOMPATIBLELIST:
            return source.name is TypeName.LIST
        case TypeName.ANYCOMPATIBLEMAP:
            return source.name is TypeName.MAP
        case TypeName.ANYENUM:
            return source.name is TypeName.ENUM
        case TypeName.ANYRANGE:
            return source.name in RANGE_NAMES
        case TypeName.ANYMULTIRANGE:
            return source.name in MULTIRANGE_NAMES
        case _:
            return True


def coerce(
    analysis: Analysis,
    scalar: Scalar,
    target: ScalarType,
    context: CastContext = CastContext.IMPLICIT,
    location: int = -1,
) -> Scalar | None:
    """Returns the expression as a value of `target`, modifier included; None when no cast applies in `context`.

    22-class errors with their place when a literal isn't valid text of the type."""
    if isinstance(scalar, RowOf) and not target.fields:
        scalar = known(analysis, scalar)
    source = scalar_type(scalar)
    if target == RECORD and source.name is TypeName.RECORD:
        return scalar
    if source == target or target.name is TypeName.ANY:
        return scalar
    if source == RECORD and target.name is TypeName.RECORD:
        # A record of which no field is known is NULL.
        return Literal(None, target)
    if target.domain is not None and isinstance(scalar, Parameter) and source == UNKNOWN:
        # Whoever binds a parameter of a domain checks it.
        return analysis.decide_parameter(scalar, target)
    if target.domain is not None:
        return _as_domain(analysis, scalar, target, context, location)
    if source.domain is not None or (source.element is not None and source.element.domain is not None):
        scalar, source = without_domain(scalar, source), without_domains(source)
        if source == target:
            return scalar
    value = _converted(analysis, scalar, source, target, context, location)
    if value is None or isinstance(value, RowOf) or not holds_domain(target):
        return value
    return checked_inside(analysis, value, target)


def _converted(
    analysis: Analysis, scalar: Scalar, source: ScalarType, target: ScalarType, context: CastContext, location: int
) -> Scalar | None:
    """Returns the expression as a value of `target`, which is no domain; domains in it are not looked at, but for those
    of a ROW's fields."""
    if isinstance(scalar, Parameter) and source == UNKNOWN:
        decided = analysis.decide_parameter(scalar, target)
        return with_modifier(decided, target, context)
    if isinstance(scalar, Literal) and source == UNKNOWN:
        return literal_from_text(analysis, scalar, target, context, location)
    if source.name is TypeName.WIDE and target.name is TypeName.NUMERIC and context is not CastContext.IMPLICIT:
        if target.modifier == -1 and context is CastContext.EXPLICIT:
            return scalar
        if target.modifier >= 0:
            # It is rounded while it has all its digits.
            scalar = with_modifier(scalar, ScalarType(TypeName.WIDE, target.modifier), context)
            return Call(key_of("cast", (WIDE, NUMERIC)), (scalar,), target)
    if isinstance(scalar, Literal) and scalar.value is None and can_coerce(source, target, context):
        return Literal(None, target)
    if same_when_declared(source, target) or _same_but_modifiers(source, target):
        return with_modifier(scalar, target, context)
    if target.name is TypeName.RECORD and source.name is TypeName.RECORD:
        return _coerce_row(analysis, scalar, target, context, location)
    if _names_parts(source, target):
        named = Call(NAMES_WRITTEN.key, (scalar,), with_names(source))
        return coerce(analysis, named, target, context, location) if context is not CastContext.IMPLICIT else None
    if by_members(source, target):
        return _coerce_members(analysis, scalar, source, target, context)
    if _labels_and_strings(source, target):
        return _coerce_labels(analysis, scalar, target, context, location)
    if _read_by_name(target) and source.range is None:
        return _as_users_type(analysis, scalar, source, target, context)
    if _integer_to_bits(source, target, context):
        length = max(target.modifier, 1)
        bits = replace(target, modifier=length)
        return Call(f"bits_of_{source.name}_int4", (scalar, Literal(length, INT4)), bits)
    cast = cast_found(source, target, context)
    if cast is None:
        return None
    plain = target.plain()
    if plain.element is not None:
        plain = replace(plain, element=replace(plain.element, modifier=-1))
    plain = with_shown_scale(cast.function.key, (scalar,), plain)
    return with_modifier(call_of(cast.function, (scalar,), plain), target, context)


def _as_domain(
    analysis: Analysis,
    scalar: Scalar,
    target: ScalarType,
    context: CastContext,
    location: int,
    named: NamedType | None = None,
) -> Scalar | None:
    """Converts a value to a domain. `named` is the outermost domain, which errors name, if there is one."""
    assert target.domain is not None
    rules, named = rules_of(analysis.context, target), named or target.domain
    if rules.base.domain is not None and scalar_type(scalar) != rules.base:
        value = _as_domain(analysis, scalar, rules.base, context, location, named)
    else:
        value = coerce(analysis, scalar, rules.base, context, location)
    return None if value is None else checked(analysis, value, target, rules, named)


def _integer_to_bits(source: ScalarType, target: ScalarType, context: CastContext) -> bool:
    """Returns whether an explicit cast from an integer to BIT is asked for: the type's modifier is the number of bits,
    and without a modifier it is a single bit."""
    asked = context is CastContext.EXPLICIT and target.name is TypeName.BIT
    return asked and source.name in (TypeName.INT4, TypeName.INT8)


def _read_by_name(type_: ScalarType) -> bool:
    """Tells whether a text of the type can only be read with the type's own definition."""
    name = (type_.element or type_).name
    return name in (TypeName.ENUM, TypeName.RECORD, TypeName.LIST, TypeName.MAP, *_USERS_RANGES)


def _as_users_type(
    analysis: Analysis, scalar: Scalar, source: ScalarType, target: ScalarType, context: CastContext
) -> Scalar | None:
    """Casts a string to a user's type (an enum, a composite, an array of them) or to a list or map, if an explicit cast
    asks for it; else returns None."""
    named = users_type(target) is not None or target.member is not None
    if category(source) != STRING or context is not CastContext.EXPLICIT or not named:
        return None
    if reads_times(target):
        raise analysis.unsupported(f"a cast from a text that is no constant to {target}, which has times in it")
    cast = cast_between(source.plain(), TEXT)
    text = scalar if cast is None else call_of(cast.function, (scalar,), TEXT)
    return Call("read_as_text_any", (text, Literal(None, target)), target)


def _labels_and_strings(source: ScalarType, target: ScalarType) -> bool:
    """Tells whether one is an array of an enum's labels, and the other one of strings."""
    if source.element is None or target.element is None:
        return False
    pairs = ((source.element, target.element), (target.element, source.element))
    return any(labels.enum is not None and category(strings) == STRING for labels, strings in pairs)


def _coerce_labels(
    analysis: Analysis, scalar: Scalar, target: ScalarType, context: CastContext, location: int
) -> Scalar | None:
    """Coerces labels. Labels become strings where they are assigned; strings become labels where that is asked for."""
    texts = array_of(TEXT)
    assert target.element is not None, "the target is an array"
    if target.element.enum is None:
        if context is CastContext.IMPLICIT:
            return None
        return coerce(analysis, Call(LABELS_TEXT.key, (scalar,), texts), target, context, location)
    text = coerce(analysis, scalar, texts, context, location) if context is CastContext.EXPLICIT else None
    return None if text is None else Call(READ_LABELS.key, (text, Literal(None, target)), target)


def _coerce_members(
    analysis: Analysis, scalar: Scalar, source: ScalarType, target: ScalarType, context: CastContext
) -> Scalar | None:
    """Casts each member of a list or a map, or of an array to a list and back; returns None where the members can't be
    cast."""
    if not can_coerce(source, target, context):
        return None
    if not castable(source, target):
        hint = "Cast the members one by one, by unnest and list_agg."
        raise analysis.unsupported(f"a cast from {source} to {target}, which the session decides", hint=hint)
    return Call(MEMBERS_AS.key, (scalar, Literal(None, target)), target)


def _coerce_row(
    analysis: Analysis, scalar: Scalar, target: ScalarType, context: CastContext, location: int
) -> Scalar | None:
    if not target.fields:
        return scalar
    if scalar_type(scalar).composite is not None:
        return None
    if not isinstance(scalar, RowOf) or len(scalar.fields) != len(target.fields):
        if target.composite is not None:
            raise cast_error(analysis, scalar_type(scalar), target, location)
        return None
    fields = [
        coerce(analysis, field, type_, _without_wide(field, type_, context), location)
        for field, (_, type_) in zip(scalar.fields, target.fields, strict=True)
    ]
    if any(field is None for field in fields):
        if target.composite is not None:
            raise cast_error(analysis, scalar_type(scalar), target, location)
        return None
    return RowOf(tuple(field for field in fields if field is not None), target)


def held_within(scalar: Scalar) -> Scalar:
    """Returns a value as records hold it: a numeric without a modifier is wide there."""
    return scalar if scalar_type(scalar).modifier >= 0 else as_wide(scalar)


def as_wide(scalar: Scalar) -> Scalar:
    """Returns a numeric, or an array of numerics, as a wide one, and any other value itself."""
    type_ = scalar_type(scalar)
    if type_.domain is not None:
        return scalar
    held = type_within(type_.plain())
    if type_.element is not None:
        held = array_of(type_within(type_.element.plain() if type_.element.domain is None else type_.element))
    if held == without_modifiers(type_) or TypeName.WIDE not in (
        held.name,
        held.element.name if held.element is not None else None,
    ):
        return scalar
    if isinstance(scalar, Literal):
        return Literal(scalar.value, held)
    cast = cast_between(type_.plain(), held)
    assert cast is not None, "each numeric is a wide one"
    return call_of(cast.function, (scalar,), held)


def _without_wide(field: Scalar, target: ScalarType, context: CastContext) -> CastContext:
    """Returns the context in which a field of a row becomes one of the type `target`: a wide numeric becomes a decimal
    where the target's field holds decimals, which a cast that is written leaves undone."""
    narrows = scalar_type(field).name is TypeName.WIDE and target == NUMERIC and context is CastContext.EXPLICIT
    return CastContext.ASSIGNMENT if narrows else context


def with_modifier(scalar: Scalar, target: ScalarType, context: CastContext) -> Scalar:
    """Returns the value cut, rounded or checked as the modifier of `target` says; its plain type is the target's
    already."""
    source = scalar_type(scalar)
    if source == target:
        return scalar
    if not _modifies(target):
        return scalar
    function, arguments = modifier_function(target, explicit=context is CastContext.EXPLICIT)
    return call_of(function, (scalar, *arguments), target)


def _modifies(type_: ScalarType) -> bool:
    if type_.name is TypeName.ARRAY and type_.element is not None:
        return type_.element.modifier >= 0
    return type_.modifier >= 0


def cast_error(analysis: Analysis, source: ScalarType, target: ScalarType, location: int) -> SqlError:
    """Returns SqlError 42846 for a cast between types that have none."""
    message = f"cannot cast type {bare_text(source)} to {bare_text(target)}"
    return analysis.error(Sqlstate.CANNOT_COERCE, message, location)


def known(analysis: Analysis, scalar: Scalar) -> Scalar:
    """Makes an expression of unknown type text, also inside rows."""
    type_ = scalar_type(scalar)
    if isinstance(scalar, RowOf) and any(field == UNKNOWN for _, field in type_.fields):
        fields = tuple(known(analysis, field) for field in scalar.fields)
        named = zip(type_.fields, fields, strict=True)
        return RowOf(fields, replace(type_, fields=tuple((name, scalar_type(field)) for (name, _), field in named)))
    if type_ == UNKNOWN:
        value = coerce(analysis, scalar, TEXT)
        assert value is not None, "anything unknown can be text"
        return value
    return scalar


def common_type(analysis: Analysis, types: Sequence[ScalarType], what: str, locations: Sequence[int]) -> ScalarType:
    """Returns the type that UNION, CASE and the like settle on (manual, 10.5); raises 42804 when there is none."""
    if any(type_.name is TypeName.WIDE for type_ in types) and len(set(types)) > 1:
        narrow = common_type(analysis, list(map(narrowed, types)), what, locations)
        return WIDE if narrow.name is TypeName.NUMERIC else narrow
    chosen = UNKNOWN
    held = holding_both([type_.plain() for type_ in types if type_ != UNKNOWN])
    if held is not None:
        return held
    if types and all(type_ == types[0] for type_ in types) and types[0] != UNKNOWN:
        return types[0]
    shapes = [type_ for type_ in types if type_.name is TypeName.RECORD and type_.fields]
    types = [shapes[0] if shapes and type_ == RECORD else type_ for type_ in types]
    for type_, location in zip(types, locations, strict=True):
        plain = declared_type(type_).plain()
        if plain in (UNKNOWN, chosen):
            continue
        if chosen == UNKNOWN:
            chosen = plain
        elif category(plain) != category(chosen):
            message = f"{what} types {type_text(chosen)} and {type_text(plain)} cannot be matched"
            raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)
        elif not preferred(chosen) and can_coerce(chosen, plain) and not can_coerce(plain, chosen):
            chosen = plain
    if chosen == UNKNOWN:
        return TEXT
    scales = {shown_scale(type_) for type_ in types} if chosen == NUMERIC else {None}
    if len(scales) == 1 and (scale := scales.pop()) is not None:
        return shown_numeric(scale)
    return chosen if chosen.member is None else without_modifiers(chosen)


def to_common_type(
    analysis: Analysis, scalars: Sequence[Scalar], what: str, locations: Sequence[int]
) -> tuple[tuple[Scalar, ...], ScalarType]:
    """Converts expressions to one common type."""
    if not any(scalar_type(scalar).composite for scalar in scalars):
        scalars = _with_known_fields(analysis, scalars)
        scalars = [known(analysis, scalar) if isinstance(scalar, RowOf) else scalar for scalar in scalars]
    type_ = common_type(analysis, [scalar_type(scalar) for scalar in scalars], what, locations)
    if type_ == NUMERIC and (scale := common_shown_scale(scalars)) is not None:
        type_ = shown_numeric(scale)
    return tuple(
        _to_common(analysis, scalar, type_, what, location) for scalar, location in zip(scalars, locations, strict=True)
    ), type_


def _with_known_fields(analysis: Analysis, scalars: Sequence[Scalar]) -> Sequence[Scalar]:
    """Gives untyped NULLs in ROWs the type that the same field has in another ROW."""
    rows = [scalar for scalar in scalars if isinstance(scalar, RowOf)]
    if len(rows) < 2 or len({len(row.fields) for row in rows}) > 1:
        return scalars
    wanted: list[ScalarType | None] = []
    for fields in zip(*(row.fields for row in rows), strict=True):
        wanted.append(next((type_ for type_ in map(scalar_type, fields) if type_ != UNKNOWN), None))

    def filled(row: RowOf) -> RowOf:
        fields = tuple(
            Literal(None, type_) if field == Literal(None, UNKNOWN) and type_ is not None else field
            for field, type_ in zip(row.fields, wanted, strict=True)
        )
        named = zip(row.type.fields, fields, strict=True)
        return RowOf(fields, replace(row.type, fields=tuple((name, scalar_type(field)) for (name, _), field in named)))

    return [filled(scalar) if isinstance(scalar, RowOf) else scalar for scalar in scalars]


def _to_common(analysis: Analysis, scalar: Scalar, type_: ScalarType, what: str, location: int) -> Scalar:
    value = coerce(analysis, scalar, type_, CastContext.IMPLICIT, location)
    if value is None:
        source = bare_text(scalar_type(scalar))
        message = f"{what} could not convert type {source} to {type_text(type_)}"
        raise analysis.error(Sqlstate.CANNOT_COERCE, message, location)
    return value


def vector_as_array(type_: ScalarType) -> ScalarType | None:
    """Returns the array type of which int2vector or oidvector is another name, or an array type itself; None for other
    types."""
    match type_.name:
        case TypeName.INT2VECTOR:
            return array_of(ScalarType(TypeName.INT2))
        case TypeName.OIDVECTOR:
            return array_of(ScalarType(TypeName.OID))
        case TypeName.ARRAY:
            return type_
        case _:
            return None
