"""Finishes work even when its caller is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


async def finish_uninterrupted(work: Coroutine[Any, Any, None]) -> None:
    """Runs the work to its end, even when the caller is cancelled meanwhile; the cancellation follows afterwards.

    `asyncio.shield` alone would leave the work running, and what the caller does after it would be skipped. A second
    cancellation still does that: the work must hold all that has to happen.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
