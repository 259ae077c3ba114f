"""Relations of every kind, over two tables of all sorts of values: what the law of maintenance is tried on."""

from __future__ import annotations

from model.scalar_type import BOOL, FLOAT8, INT4, INT8, INTERVAL, NUMERIC, TEXT, numeric
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Constant, Filter, FlatMap, Get, Join, JoinKind, Let, LocalGet, Map, Negate, Project
from planner.ir.relation import Reduce, Relation, Threshold, TopK, Union
from planner.ir.scalar import Column
from tests.compute.test_render_agrees import (
    DESC,
    FAILING,
    GET,
    LEFT,
    OTHER,
    PLANS,
    POOLS,
    RIGHT,
    WIDTH,
)

TABLES = {LEFT: (DESC, POOLS), RIGHT: (DESC, POOLS)}
RELATIONS: dict[str, Relation] = {name: plan for name, plan in PLANS.items() if name != "minus"}
