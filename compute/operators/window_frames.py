"""Frames in Spark's words, where possible: counted rows, or peers, up to an end of the group or the current row."""

from __future__ import annotations

from dataclasses import dataclass

from planner.functions.windows.frames import offset_of
from planner.interpret.context import EvaluationContext
from planner.interpret.flows import interpretation
from planner.interpret.scalars import compile_scalar
from planner.ir.scalar import Scalar
from planner.ir.window import BoundKind, Exclusion, FrameMode, WindowFrame

_INT_MAX = (1 << 31) - 1


@dataclass(slots=True)
class FrameRows:
    """The partition of windows, the items of the order, and the items that make the order total.

    `placed`: whether the calls read `place`, a row's number in the total order.
    """

    partition: list[str]
    order: list[str]
    ties: list[str]
    placed: bool = False

    @property
    def group(self) -> str:
        """Returns the window of whole groups, in no order."""
        return f"PARTITION BY {', '.join(self.partition)}" if self.partition else ""

    @property
    def peers(self) -> str:
        """Returns the order in which peers tie; without keys all rows are peers."""
        return f"{self.group} ORDER BY {', '.join(self.order or ['1'])}"

    @property
    def total(self) -> str:
        """Returns the order in which only identical rows tie."""
        return f"{self.group} ORDER BY {', '.join([*self.order, *self.ties] or ['1'])}"


def frame_bounds(frame: WindowFrame) -> tuple[int, int]:
    """Returns the counted offsets of both bounds, 0 for others; raises 22004 for NULL, 22013 for a negative number."""
    if frame.mode is FrameMode.RANGE:
        return 0, 0
    return _counted(frame.start.offset, "starting"), _counted(frame.end.offset, "ending")


def _counted(scalar: Scalar | None, which: str) -> int:
    if scalar is None:
        return 0
    return offset_of(compile_scalar(scalar, interpretation(EvaluationContext()))((), ()), which)


def spark_frame(frame: WindowFrame, counts: tuple[int, int], rows: FrameRows) -> str | None:
    """Returns the text in OVER's parentheses; None for a frame unknown to Spark."""
    if frame.exclusion is not Exclusion.NO_OTHERS:
        return None
    kinds = frame.start.kind, frame.end.kind
    if kinds == (BoundKind.UNBOUNDED_PRECEDING, BoundKind.UNBOUNDED_FOLLOWING):
        return rows.group
    if frame.mode is not FrameMode.ROWS:
        if frame.start.offset is not None or frame.end.offset is not None:
            return None
        if not rows.order:
            return rows.group
        return f"{rows.peers} RANGE BETWEEN {kinds[0].value} AND {kinds[1].value}"
    first, last = (_distance(kind, count) for kind, count in zip(kinds, counts, strict=True))
    if max(counts) > _INT_MAX or first > last:
        return None
    start, end = (_bound(kind, count) for kind, count in zip(kinds, counts, strict=True))
    return f"{rows.total} ROWS BETWEEN {start} AND {end}"


def _distance(kind: BoundKind, count: int) -> int:
    """Returns how far a bound stands behind the current row."""
    match kind:
        case BoundKind.UNBOUNDED_PRECEDING:
            return -_INT_MAX - 1
        case BoundKind.UNBOUNDED_FOLLOWING:
            return _INT_MAX + 1
        case BoundKind.PRECEDING:
            return -count
        case BoundKind.FOLLOWING | BoundKind.CURRENT_ROW:
            return count


def _bound(kind: BoundKind, count: int) -> str:
    return f"{count} {kind.value}" if kind in (BoundKind.PRECEDING, BoundKind.FOLLOWING) else kind.value
