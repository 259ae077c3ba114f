"""The order in which a subquery hands its rows on to a SELECT that has nothing else in FROM: users rely on it, with
LIMIT and row_number() above all."""

from __future__ import annotations

from dataclasses import replace

from planner.functions.registry import WINDOW_FUNCTIONS
from planner.ir.aggregate import SortKey
from planner.ir.window import BoundKind, Exclusion, FrameBound, FrameMode, WindowFrame
from planner.scope.scope import Scope, SelectState
from planner.scope.window_use import WindowUse

_OF_PEERS = frozenset(("rank", "dense_rank", "percent_rank", "cume_dist"))
"""Without ORDER BY all rows are each other's peers: an order would make others of them."""


def source_order(scope: Scope) -> tuple[SortKey, ...]:
    """Returns the order of the single item in FROM; empty where there are more."""
    return scope.items[0].order if len(scope.items) == 1 else ()


def keeps_order(state: SelectState) -> bool:
    """Tells whether windows keep the order of rows: a window with keys sorts them."""
    return not any(use.partition or use.order for use in state.windows)


def in_source_order(use: WindowUse, order: tuple[SortKey, ...]) -> WindowUse:
    """Lets a window that says no order see rows as they come."""
    call, frame = use.call, use.call.frame
    by_rows = frame.mode is FrameMode.ROWS
    of_peers = call.function in _OF_PEERS or frame.exclusion in (Exclusion.GROUP, Exclusion.TIES)
    if use.order or of_peers or not (by_rows or call.function in WINDOW_FUNCTIONS):
        return use
    if not by_rows:
        frame = WindowFrame(FrameMode.ROWS, end=FrameBound(BoundKind.UNBOUNDED_FOLLOWING), exclusion=frame.exclusion)
    return WindowUse(use.partition, order, replace(call, frame=frame))
