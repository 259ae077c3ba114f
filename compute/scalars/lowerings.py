"""All built-in lowerings by function key. A key without one is evaluated in Python."""

from __future__ import annotations

from compute.scalars import comparisons, integers, numerics
from compute.scalars.family import Lowerings

LOWERINGS: Lowerings = {
    **integers.LOWERINGS,
    **numerics.LOWERINGS,
    **comparisons.LOWERINGS,
}
