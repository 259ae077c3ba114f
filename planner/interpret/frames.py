"""Finds each row's frame in a sorted group, by the definition of frames.

A frame is a stretch of the group without the rows that EXCLUDE takes out. In RANGE with an offset a row whose key is
NULL is near other NULLs only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, assert_never

from planner.functions.signature import Span
from planner.ir.window import BoundKind, Exclusion, FrameMode, WindowFrame


@dataclass(frozen=True, slots=True)
class Reach:
    """The reach of frames of RANGE with offsets: each row's key, and the values at which its frame begins and ends, as
    sort keys in ascending order (None: NULL, or what could not be computed, which is an error of its own)."""

    keys: Sequence[Any]
    starts: Sequence[Any]
    ends: Sequence[Any]
    descending: bool
    nulls_first: bool


def peers_of(keys: Sequence[Any]) -> list[Span]:
    """Returns for each row the stretch of those with equal keys; `keys` are in order."""
    spans: list[Span] = []
    for _, rows in groupby(keys):
        count = sum(1 for _ in rows)
        spans += [(len(spans), len(spans) + count)] * count
    return spans


def frames_of(
    frame: WindowFrame, start: int, end: int, peers: Sequence[Span], reach: Reach | None
) -> list[tuple[Span, ...]]:
    """Returns each row's frame; `start` and `end` are the offsets that are counted, 0 where there are none."""
    begins = _edges(frame, frame.start.kind, start, peers, reach, at_start=True)
    stops = _edges(frame, frame.end.kind, end, peers, reach, at_start=False)
    return [
        _without(frame.exclusion, begin, max(begin, stop), at, peers[at])
        for at, (begin, stop) in enumerate(zip(begins, stops, strict=True))
    ]


def _edges(
    frame: WindowFrame, kind: BoundKind, offset: int, peers: Sequence[Span], reach: Reach | None, *, at_start: bool
) -> list[int]:
    """Returns for each row where its frame begins, or ends."""
    count = len(peers)
    match kind:
        case BoundKind.UNBOUNDED_PRECEDING:
            return [0] * count
        case BoundKind.UNBOUNDED_FOLLOWING:
            return [count] * count
        case BoundKind.CURRENT_ROW if frame.mode is FrameMode.RANGE:
            return [span[0] if at_start else span[1] for span in peers]
        case BoundKind.CURRENT_ROW:
            distance = 0
        case BoundKind.PRECEDING:
            distance = -offset
        case BoundKind.FOLLOWING:
            distance = offset
        case _:
            assert_never(kind)
    match frame.mode:
        case FrameMode.ROWS:
            places = range(count) if at_start else range(1, count + 1)
            return [min(max(at + distance, 0), count) for at in places]
        case FrameMode.GROUPS:
            return _edges_of_groups(distance, peers, at_start)
        case FrameMode.RANGE:
            assert reach is not None, "a frame with a distance compares keys"
            return _edges_by_value(reach, at_start)
        case _:
            assert_never(frame.mode)


def _edges_of_groups(distance: int, peers: Sequence[Span], at_start: bool) -> list[int]:
    groups = list(dict.fromkeys(peers))
    number = {span: at for at, span in enumerate(groups)}
    edges = []
    for span in peers:
        wanted = number[span] + distance
        if wanted < 0:
            edges.append(0)
        elif wanted >= len(groups):
            edges.append(len(peers))
        else:
            edges.append(groups[wanted][0 if at_start else 1])
    return edges


def _edges_by_value(reach: Reach, at_start: bool) -> list[int]:
    """Returns the first row that is not before the frame, or that is behind it. Bounds move in the order of the
    rows."""
    bounds = reach.starts if at_start else reach.ends
    passes = _before(reach) if at_start else _not_behind(reach)
    edges: list[int] = []
    edge = 0
    for key, bound in zip(reach.keys, bounds, strict=True):
        while edge < len(reach.keys) and passes(reach.keys[edge], key, bound):
            edge += 1
        edges.append(edge)
    return edges


def _before(reach: Reach) -> Callable[[Any, Any, Any], bool]:
    """Returns the test whether a row lies before the frame of the row with `key`."""

    def before(other: Any, key: Any, bound: Any) -> bool:
        if other is None or key is None:
            return (other is None) > (key is None) if reach.nulls_first else (other is None) < (key is None)
        return bound is not None and bool(other > bound if reach.descending else other < bound)

    return before


def _not_behind(reach: Reach) -> Callable[[Any, Any, Any], bool]:
    """Returns the test whether a row lies before or within the frame of the row with `key`."""

    def not_behind(other: Any, key: Any, bound: Any) -> bool:
        if other is None or key is None:
            return (other is None) >= (key is None) if reach.nulls_first else (other is None) <= (key is None)
        return bound is not None and bool(other >= bound if reach.descending else other <= bound)

    return not_behind


def _without(exclusion: Exclusion, start: int, end: int, at: int, peers: Span) -> tuple[Span, ...]:
    match exclusion:
        case Exclusion.NO_OTHERS:
            parts = [(start, end)]
        case Exclusion.CURRENT_ROW:
            parts = [(start, min(end, at)), (max(start, at + 1), end)]
        case Exclusion.GROUP:
            parts = [(start, min(end, peers[0])), (max(start, peers[1]), end)]
        case Exclusion.TIES:
            parts = [
                (start, min(end, peers[0])),
                (max(start, at), min(end, at + 1)),
                (max(start, peers[1]), end),
            ]
        case _:
            assert_never(exclusion)
    return tuple(_joined([part for part in parts if part[0] < part[1]]))


def _joined(parts: list[Span]) -> list[Span]:
    """Joins spans that touch."""
    joined: list[Span] = []
    for start, end in parts:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
