"""Window calls: a value for each row, from the rows of its frame or from its place in its group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from model.types.scalar_type import ScalarType
from planner.ir.scalar import Scalar


class FrameMode(StrEnum):
    """The unit of a frame's bounds: rows, groups of peers, or distances of the order's single key."""

    ROWS = "rows"
    RANGE = "range"
    GROUPS = "groups"


class BoundKind(StrEnum):
    UNBOUNDED_PRECEDING = "unbounded preceding"
    PRECEDING = "preceding"
    CURRENT_ROW = "current row"
    FOLLOWING = "following"
    UNBOUNDED_FOLLOWING = "unbounded following"


class Exclusion(StrEnum):
    NO_OTHERS = "no others"
    CURRENT_ROW = "current row"
    GROUP = "group"
    TIES = "ties"


@dataclass(frozen=True, slots=True)
class FrameBound:
    """One end of a window frame. `offset` is there for PRECEDING and FOLLOWING alone.

    In ROWS and GROUPS it is how many (int8, sees no columns; 22004 for NULL, 22013 when negative). In RANGE it is the
    value itself at which the frame begins or ends, computed from the row: the key less or plus the distance.
    """

    kind: BoundKind
    offset: Scalar | None = None


@dataclass(frozen=True, slots=True)
class WindowFrame:
    """The frame of a window call. `key`, in RANGE with an offset, is what is compared with the bounds: the order's one
    key, in their type."""

    mode: FrameMode = FrameMode.RANGE
    start: FrameBound = FrameBound(BoundKind.UNBOUNDED_PRECEDING)
    end: FrameBound = FrameBound(BoundKind.CURRENT_ROW)
    exclusion: Exclusion = Exclusion.NO_OTHERS
    key: Scalar | None = None

    @property
    def counted(self) -> tuple[Scalar, ...]:
        """The offsets that see no columns."""
        return () if self.mode is FrameMode.RANGE else self._offsets

    @property
    def compared(self) -> tuple[Scalar, ...]:
        """The expressions computed for each row: the key and the bounds in RANGE."""
        if self.mode is not FrameMode.RANGE or self.key is None:
            return ()
        return (self.key, *self._offsets)

    @property
    def _offsets(self) -> tuple[Scalar, ...]:
        return tuple(bound.offset for bound in (self.start, self.end) if bound.offset is not None)


@dataclass(frozen=True, slots=True)
class WindowCall:
    """A call in a Window node. `function` is a key of WINDOW_FUNCTIONS, or of AGGREGATES: then the aggregate of the
    rows of the frame for which `condition` (FILTER's) is true, in the order of the window."""

    function: str
    arguments: tuple[Scalar, ...]
    type: ScalarType
    condition: Scalar | None = None
    frame: WindowFrame = WindowFrame()

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """All expressions in the call; `with_scalars` changes them in this order."""
        condition = () if self.condition is None else (self.condition,)
        return (*self.arguments, *condition, *self.frame.compared, *self.frame.counted)

    def with_scalars(self, change: Callable[[Scalar], Scalar]) -> WindowCall:
        def optional(scalar: Scalar | None) -> Scalar | None:
            return None if scalar is None else change(scalar)

        arguments, condition = tuple(map(change, self.arguments)), optional(self.condition)
        key = optional(self.frame.key)
        start, end = (replace(b, offset=optional(b.offset)) for b in (self.frame.start, self.frame.end))
        frame = replace(self.frame, start=start, end=end, key=key)
        return replace(self, arguments=arguments, condition=condition, frame=frame)
