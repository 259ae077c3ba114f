"""Windows of a SELECT as its clauses define them, and calls over windows, not yet placed in the plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from planner.ir.aggregate import SortKey
from planner.ir.scalar import Scalar
from planner.ir.window import WindowCall, WindowFrame


@dataclass(frozen=True, slots=True)
class WindowDefinition:
    """A window of a SELECT. `framed`: the definition has a frame clause, so no other definition can build on it."""

    partition: tuple[Scalar, ...]
    order: tuple[SortKey, ...]
    frame: WindowFrame
    framed: bool


@dataclass(frozen=True, slots=True)
class WindowUse:
    """A call over the rows that `partition` puts together, in the order of `order`."""

    partition: tuple[Scalar, ...]
    order: tuple[SortKey, ...]
    call: WindowCall

    def mapped(self, change: Callable[[Scalar], Scalar]) -> WindowUse:
        """Returns the same use with each expression changed."""
        partition = tuple(map(change, self.partition))
        order = tuple(replace(key, expression=change(key.expression)) for key in self.order)
        return WindowUse(partition, order, self.call.with_scalars(change))
