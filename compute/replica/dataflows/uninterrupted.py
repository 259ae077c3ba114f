"""Work that is not left half done when who asked for it is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


async def finish_uninterrupted(work: Coroutine[Any, Any, None]) -> None:
    """Runs to its end, also when the caller is cancelled meanwhile; then the caller is."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
