"""Ranges: bounds and simple relations by the fields of the struct that holds one (model.physical.ranges).

Where the values of bounds are compared with other values, numerics go to Python: Spark would compare numbers of
different forms in one that may lose digits.
"""

from __future__ import annotations

from compute.scalars.comparisons import unless_compared_by_keys
from compute.scalars.family import Lower, Lowerings, shared, template
from compute.scalars.layers import Layers
from compute.scalars.value import Value, derived
from model.types.range_types import subtype_of
from model.types.scalar_type import NUMERIC, ScalarType

_HOLDS = (
    "CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN {0}.filled"
    " AND ({0}.lower IS NULL OR {0}.lower < {1} OR ({0}.lower = {1} AND NOT {0}.lower_open))"
    " AND ({0}.unbounded OR {1} < {0}.upper OR ({1} = {0}.upper AND {0}.upper_closed)) END"
)
_MEETS = (
    "({0}.lower IS NULL OR {1}.unbounded OR {0}.lower < {1}.upper"
    " OR ({0}.lower = {1}.upper AND NOT {0}.lower_open AND {1}.upper_closed))"
)
"""{0} begins before {1} ends."""
_OVERLAPS = (
    "CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN {0}.filled AND {1}.filled"
    f" AND {_MEETS} AND {_MEETS.replace('{0}', '{x}').replace('{1}', '{0}').replace('{x}', '{1}')} END"
)


def _with_value(range_at: int, value_at: int) -> Lower:
    def lower(layers: Layers, arguments: tuple[Value, ...], type_: ScalarType) -> Value | None:
        if subtype_of(arguments[range_at].type) == NUMERIC:
            return None
        arguments = layers.once_all(*arguments)
        return derived(_HOLDS.format(arguments[range_at].sql, arguments[value_at].sql), type_, *arguments)

    return lower


LOWERINGS: Lowerings = {
    "lower_anyrange": template("{0}.lower"),
    "upper_anyrange": template("{0}.upper"),
    "isempty_anyrange": template("(NOT {0}.filled)"),
    "lower_inc_anyrange": shared("({0}.filled AND NOT {0}.lower_open)"),
    "upper_inc_anyrange": template("{0}.upper_closed"),
    "lower_inf_anyrange": shared("CASE WHEN {0} IS NOT NULL THEN {0}.filled AND {0}.lower IS NULL END"),
    "upper_inf_anyrange": template("{0}.unbounded"),
    "isempty_anymultirange": template("(size({0}) = 0)"),
    "contains_anyrange_anyelement": unless_compared_by_keys(_with_value(0, 1)),
    "contained_anyelement_anyrange": unless_compared_by_keys(_with_value(1, 0)),
    "overlaps_anyrange_anyrange": unless_compared_by_keys(shared(_OVERLAPS)),
}
