"""All built-in lowerings by function key. A key without one is evaluated in Python."""

from __future__ import annotations

from compute.scalars import (
    casts,
    comparisons,
    containers,
    date_parts,
    dates,
    floats,
    integers,
    numerics,
    quotients,
    ranges,
    texts,
)
from compute.scalars.family import Lowerings

LOWERINGS: Lowerings = {
    **integers.LOWERINGS,
    **numerics.LOWERINGS,
    **quotients.LOWERINGS,
    **floats.LOWERINGS,
    **comparisons.LOWERINGS,
    **casts.LOWERINGS,
    **texts.LOWERINGS,
    **dates.LOWERINGS,
    **date_parts.LOWERINGS,
    **containers.LOWERINGS,
    **ranges.LOWERINGS,
}
