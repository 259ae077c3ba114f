"""Casts among numbers, booleans and oids, casts to text that Spark writes alike, and type modifiers.

Casts of text to other types run in Python, which reads like PostgreSQL; so do casts of floats to text.
"""

from __future__ import annotations

from compute.scalars.dates import finite
from compute.scalars.failure import Failure, failing_when
from compute.scalars.family import Lower, Lowerings, checked, shared, template
from compute.scalars.integers import range_failure
from compute.scalars.layers import Layers
from compute.scalars.numerics import decimals_of, form_of, rounded_to_scale, to_form, written
from compute.scalars.spark_sql import call, when
from compute.scalars.value import Value, derived, retyped
from model.text.context import DEFAULT_CONTEXT, styled_context
from model.types.scalar_type import (
    FLOAT4,
    NUMERIC,
    TEXT,
    ScalarType,
    TypeName,
    length_limit,
    precision_and_scale,
    shown_scale,
)

_INTEGER_FORMS = {"int2": (5, 0), "int4": (10, 0), "int8": (19, 0)}
_SPARK = {"int2": "SMALLINT", "int4": "INT", "int8": "BIGINT"}
_BOUNDS = {
    "int2": ("-32768D", "<= 32767D"),
    "int4": ("-2147483648D", "<= 2147483647D"),
    "int8": ("-9223372036854775808D", "< 9223372036854775808D"),
}
_OID_END = "4294967296L"
_REGISTERED = ("regclass", "regtype", "regproc", "regprocedure", "regoper", "regoperator", "regnamespace", "regrole")


def same(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Casts between types whose datum is the same."""
    return retyped(arguments[0], type_)


def _narrower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    (value,) = layers.once_all(*arguments)
    target = _SPARK[type_.name.value]
    return checked(layers, f"try_cast({value.sql} AS {target})", type_, range_failure(type_), value)


def _integer_to_numeric(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    (value,) = arguments
    form = _INTEGER_FORMS[value.type.name.value]
    return derived(f"CAST({value.sql} AS DECIMAL({form[0]},0))", NUMERIC, value, decimal=form)


def _float_to_integer(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Casts by rounding half to even, with `rint`."""
    (value,) = layers.once_all(*arguments)
    name = type_.name.value
    whole = f"rint({value.sql})"
    low, high = _BOUNDS[name]
    text = when((f"{whole} >= {low} AND {whole} {high}", f"CAST({whole} AS {_SPARK[name]})"))
    return checked(layers, text, type_, range_failure(type_), value)


def _numeric_to_integer(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Casts a numeric to an integer: a decimal's cast to scale 0 rounds half away from zero."""
    whole = rounded_to_scale(layers, arguments[0], 0)
    if form_of(whole)[0] < _INTEGER_FORMS[type_.name.value][0]:
        return derived(f"CAST({whole.sql} AS {_SPARK[type_.name.value]})", type_, whole)
    whole = layers.once(whole)
    return checked(layers, f"try_cast({whole.sql} AS {_SPARK[type_.name.value]})", type_, range_failure(type_), whole)


def float8_to_float4(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    (value,) = layers.once_all(*arguments)
    result = layers.once(derived(f"CAST({value.sql} AS FLOAT)", FLOAT4, value))
    over = f"abs({result.sql}) = float('Infinity') AND abs({value.sql}) <> double('Infinity')"
    under = f"{result.sql} = 0 AND {value.sql} <> 0"
    wrong = derived(result.sql, type_, result, error=failing_when(over, Failure.FLOAT_OVERFLOW))
    wrong = derived(result.sql, type_, wrong, error=failing_when(under, Failure.FLOAT_UNDERFLOW))
    assert wrong.error is not None
    named = layers.once(wrong)
    assert named.error is not None
    return derived(when((f"{named.error.sql} IS NULL", result.sql)), type_, named)


def _unsigned(failure: Failure) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
        (value,) = layers.once_all(*arguments)
        text = when((f"{value.sql} >= 0 AND {value.sql} < {_OID_END}", f"CAST({value.sql} AS BIGINT)"))
        return checked(layers, text, type_, failure, value)

    return lower


_WRAPPED = template(f"pmod(CAST({{0}} AS BIGINT), {_OID_END})")
_OID_TO_INT4 = shared("CAST(CASE WHEN {0} >= 2147483648L THEN {0} - 4294967296L ELSE {0} END AS INT)")


def _numeric_to_text(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Writes a numeric with its type's decimals, or with as few as needed."""
    (value,) = arguments
    shown = shown_scale(value.type)
    decimals = decimals_of(value)
    if shown is None and decimals is not None:
        return retyped(written(layers, value, decimals), type_)
    if shown is not None:
        precision, scale = form_of(value)
        if shown == scale:
            return derived(f"CAST({value.sql} AS STRING)", TEXT, value)
        if shown < scale:
            value = layers.once(value)
            cut = to_form(layers, value, (precision - scale + 1 + shown, shown), value.type)
            every = f"trim(TRAILING '.' FROM trim(TRAILING '0' FROM CAST({value.sql} AS STRING)))"
            text = f"CASE WHEN {cut.sql} = {value.sql} THEN CAST({cut.sql} AS STRING) ELSE {every} END"
            return derived(text, TEXT, value)
        point = "" if scale else "."
        zeros = f"'{point}{'0' * (shown - scale)}'"
        return derived(f"concat(CAST({value.sql} AS STRING), {zeros})", TEXT, value)
    text = f"CAST({value.sql} AS STRING)"
    if form_of(value)[1] > 0:
        text = f"trim(TRAILING '.' FROM trim(TRAILING '0' FROM {text}))"
    return retyped(derived(text, TEXT, value), type_)


def modify_numeric(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    value, modifier, _ = arguments
    if not isinstance(modifier.constant, int):
        return None
    target = ScalarType(TypeName.NUMERIC, modifier.constant)
    bounds = precision_and_scale(target)
    if bounds is None or not 0 <= bounds[1] <= bounds[0] <= 38:
        return None
    precision, scale = form_of(value)
    carry = 1 if scale > bounds[1] else 0
    text = f"AS DECIMAL({bounds[0]},{bounds[1]}))"
    if precision - scale + carry <= bounds[0] - bounds[1]:
        return derived(f"CAST({value.sql} {text}", target, value, decimal=bounds)
    value = layers.once(value)
    return checked(layers, f"try_cast({value.sql} {text}", target, Failure.NUMERIC_FIELD, value, decimal=bounds)


def _modify_string(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    """Applies a string modifier. Explicit casts cut the string; assignments, which may fail, run in Python."""
    value, modifier, explicit = arguments
    if explicit.constant is not True or not isinstance(modifier.constant, int):
        return None
    limit = length_limit(ScalarType(TypeName.VARCHAR, modifier.constant))
    if limit is None:
        return retyped(value, type_)
    fit = "rpad" if value.type.name is TypeName.BPCHAR else "left"
    return derived(call(fit, value.sql, str(limit)), type_, value)


def _among_integers() -> dict[str, Lower]:
    rows: dict[str, Lower] = {}
    names = list(_SPARK)
    for rank, source in enumerate(names):
        for target_rank, target in enumerate(names):
            if target_rank > rank:
                rows[f"cast_{source}_{target}"] = template(f"CAST({{0}} AS {_SPARK[target]})")
            elif target_rank < rank:
                rows[f"cast_{source}_{target}"] = _narrower
        rows[f"cast_{source}_float8"] = template("CAST({0} AS DOUBLE)")
        rows[f"cast_{source}_float4"] = template("CAST(CAST({0} AS DOUBLE) AS FLOAT)")
        rows[f"cast_{source}_numeric"] = _integer_to_numeric
        rows[f"cast_float4_{source}"] = _float_to_integer
        rows[f"cast_float8_{source}"] = _float_to_integer
        rows[f"cast_numeric_{source}"] = _numeric_to_integer
    return rows


def _oids() -> dict[str, Lower]:
    rows: dict[str, Lower] = {}
    for name in ("oid", *_REGISTERED):
        rows[f"cast_int2_{name}"] = rows[f"cast_int4_{name}"] = _WRAPPED
        rows[f"cast_int8_{name}"] = _unsigned(Failure.OID_RANGE)
        rows[f"cast_{name}_int8"] = same
        rows[f"cast_{name}_int4"] = _OID_TO_INT4
    for name in _REGISTERED:
        rows[f"cast_{name}_oid"] = rows[f"cast_oid_{name}"] = same
    return rows


def _moment_to_text(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    """Writes ISO text, for contexts with the ISO style. Spark writes years beyond 9999 with a sign, and those before 1
    as astronomers count them."""
    moment, style = arguments
    if not isinstance(style.constant, str) or styled_context(style.constant).date_style != DEFAULT_CONTEXT.date_style:
        return None
    moment = layers.once(moment)
    text = f"CAST({moment.sql} AS STRING)"
    first, last = _USUAL[moment.type.name]
    year = f"year({moment.sql})"
    shown = when((f"{year} > 0", year), otherwise=f"(1 - {year})")
    padded = f"lpad(CAST({shown} AS STRING), greatest(4, length(CAST({shown} AS STRING))), '0')"
    behind = f"regexp_replace({text}, '^[+-]?[0-9]+', '')"
    era = when((f"{year} > 0", "''"), otherwise="' BC'")
    beyond = when((f"{moment.sql} > {last}", "'infinity'"), otherwise="'-infinity'")
    written = when(
        (f"{moment.sql} BETWEEN {first} AND {last}", text),
        (finite(moment), call("concat", padded, behind, era)),
        (f"{moment.sql} IS NOT NULL", beyond),
    )
    return derived(written, type_, moment)


_USUAL = {
    TypeName.DATE: ("DATE'0001-01-01'", "DATE'9999-12-31'"),
    TypeName.TIMESTAMP: ("TIMESTAMP_NTZ'0001-01-01 00:00:00'", "TIMESTAMP_NTZ'9999-12-31 23:59:59.999999'"),
}


def _texts() -> dict[str, Lower]:
    rows: dict[str, Lower] = {}
    for target in ("text", "varchar"):
        for source in ("bool", "int2", "int4", "int8", "oid"):
            rows[f"cast_{source}_{target}"] = template("CAST({0} AS STRING)")
        for source in ("date", "timestamp"):
            rows[f"cast_{source}_{target}"] = _moment_to_text
        for source in ("uuid", "bit", "varbit", "text", "varchar", "name", "json"):
            rows[f"cast_{source}_{target}"] = same
        rows[f"cast_numeric_{target}"] = _numeric_to_text
        rows[f"cast_bpchar_{target}"] = template("rtrim({0})")
    del rows["cast_text_text"], rows["cast_varchar_varchar"]
    rows["cast_text_bpchar"] = rows["cast_varchar_bpchar"] = same
    return rows


LOWERINGS: Lowerings = {
    **_among_integers(),
    **_oids(),
    **_texts(),
    "cast_cidr_inet": same,
    "cast_bit_varbit": same,
    "cast_varbit_bit": same,
    "cast_float4_float8": template("CAST({0} AS DOUBLE)"),
    "cast_float8_float4": float8_to_float4,
    "cast_numeric_float8": template("CAST({0} AS DOUBLE)"),
    "cast_numeric_float4": template("CAST(CAST({0} AS DOUBLE) AS FLOAT)"),
    "cast_bool_int4": template("CAST({0} AS INT)"),
    "cast_int4_bool": template("({0} <> 0)"),
    "modify_numeric": modify_numeric,
    "modify_varchar": _modify_string,
    "modify_bpchar": _modify_string,
}
