"""All built-in lowerings by function key. A key without one is evaluated in Python."""

from __future__ import annotations

from compute.scalars import casts, comparisons, dates, floats, integers, numerics, texts
from compute.scalars.family import Lowerings

LOWERINGS: Lowerings = {
    **integers.LOWERINGS,
    **numerics.LOWERINGS,
    **floats.LOWERINGS,
    **comparisons.LOWERINGS,
    **casts.LOWERINGS,
    **texts.LOWERINGS,
    **dates.LOWERINGS,
}
