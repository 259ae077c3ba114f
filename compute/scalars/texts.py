"""Text functions of Spark with PostgreSQL's edge cases. Characters are code points; cases are those of
`model/patterns/cases`: Spark's own turn ß into SS."""

from __future__ import annotations

from collections.abc import Mapping

from compute.scalars.failure import Failure, failing_when
from compute.scalars.family import Lower, Lowerings, shared, template
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import call, when
from compute.scalars.value import Value, derived
from model.patterns.cases import TO_LOWER, TO_UPPER
from model.types.scalar_type import ScalarType


def _substring(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value:
    """Returns the part of `start … start + length` that lies in the text; the sum needs 64 bits."""
    text, start, length = layers.once_all(*arguments)
    end = f"greatest(CAST({start.sql} AS BIGINT) + {length.sql}, 1L)"
    count = f"CAST(least(greatest({end} - greatest({start.sql}, 1), 0L), 2147483647L) AS INT)"
    cut = call("substring", text.sql, f"greatest({start.sql}, 1)", count)
    arguments = (text, start, length)
    present = " AND ".join(f"{argument.sql} IS NOT NULL" for argument in arguments if argument.constant is None)
    if isinstance(length.constant, int) and length.constant >= 0:
        return derived(when((present, cut)) if present else cut, type_, *arguments)
    negative = " AND ".join(filter(None, [f"{length.sql} < 0", present]))
    guarded = when((" AND ".join(filter(None, [f"{length.sql} >= 0", present])), cut))
    return derived(guarded, type_, *arguments, error=failing_when(negative, Failure.SUBSTRING_LENGTH))


def _split_part(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
    text, delimiter, field = arguments
    if not delimiter.constant or not isinstance(field.constant, int) or field.constant == 0:
        return None
    return derived(call("split_part", text.sql, delimiter.sql, field.sql), type_, *arguments)


def _trim(side: str) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        text, characters = arguments
        if not isinstance(characters.constant, str) or not characters.constant:
            return None
        return derived(f"trim({side} {characters.sql} FROM {text.sql})", type_, *arguments)

    return lower


def _like(negated: bool) -> Lower:
    """Lowers LIKE for literal patterns without an escape, which Spark matches like PostgreSQL."""

    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        text, pattern = arguments
        if not isinstance(pattern.constant, str) or "\\" in pattern.constant:
            return None
        return derived(f"({text.sql} {'NOT ' if negated else ''}LIKE {pattern.sql})", type_, text)

    return lower


def _changed_case(cases: Mapping[int, int]) -> Lower:
    """Changes the case letter by letter; Spark keeps the letters of the two literals in a table."""
    before, after = ("".join(map(chr, letters)) for letters in (cases.keys(), cases.values()))
    return template(f"translate({{0}}, '{before}', '{after}')")


_LEFT = (
    "CASE WHEN {1} >= 0 THEN substring({0}, 1, {1}) "
    "WHEN {1} < 0 THEN substring({0}, 1, greatest(length({0}) + {1}, 0)) END"
)
_RIGHT = (
    "CASE WHEN {1} > 0 THEN substring({0}, greatest(length({0}) - {1} + 1, 1)) "
    "WHEN {1} = 0 AND {0} IS NOT NULL THEN '' "
    "WHEN {1} = -2147483648 THEN {0} "
    "WHEN {1} < 0 THEN substring({0}, CAST(least(1L - {1}, 2147483647L) AS INT)) END"
)
_FROM = "CASE WHEN {1} IS NOT NULL THEN substring({0}, greatest({1}, 1)) END"
_LENGTHS = ("length", "char_length", "character_length")

LOWERINGS: Lowerings = {
    "concat_text_text": template("concat({0}, {1})"),
    **{f"{name}_text": template("length({0})") for name in _LENGTHS},
    **{f"{name}_bpchar": template("length(rtrim({0}))") for name in _LENGTHS},
    "octet_length_text": template("octet_length({0})"),
    "bit_length_text": template("bit_length({0})"),
    "lower_text": _changed_case(TO_LOWER),
    "upper_text": _changed_case(TO_UPPER),
    "reverse_text": template("reverse({0})"),
    "substr_text_int4": shared(_FROM),
    "substring_text_int4": shared(_FROM),
    "substr_text_int4_int4": _substring,
    "substring_text_int4_int4": _substring,
    "left_text_int4": shared(_LEFT),
    "right_text_int4": shared(_RIGHT),
    "btrim_text": template("trim({0})"),
    "ltrim_text": template("ltrim({0})"),
    "rtrim_text": template("rtrim({0})"),
    "btrim_text_text": _trim("BOTH"),
    "ltrim_text_text": _trim("LEADING"),
    "rtrim_text_text": _trim("TRAILING"),
    "replace_text_text_text": template("replace({0}, {1}, {2})"),
    "split_part_text_text_int4": _split_part,
    "strpos_text_text": template("instr({0}, {1})"),
    "position_text_text": template("instr({0}, {1})"),
    "starts_with_text_text": template("startswith({0}, {1})"),
    "like_text_text": _like(False),
    "not_like_text_text": _like(True),
}
