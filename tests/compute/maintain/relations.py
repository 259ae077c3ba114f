"""Relations of every kind, over two tables of all sorts of values: what the law of maintenance is tried on."""

from __future__ import annotations

from planner.ir.relation import (
    Relation,
)
from tests.compute.test_render_agrees import (
    DESC,
    LEFT,
    PLANS,
    POOLS,
    RIGHT,
)

TABLES = {LEFT: (DESC, POOLS), RIGHT: (DESC, POOLS)}
RELATIONS: dict[str, Relation] = {name: plan for name, plan in PLANS.items() if name != "minus"}
