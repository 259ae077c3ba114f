"""Reading files of the configuration again while the server runs: at SIGHUP, and when SQL asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

import structlog

_KEPT = "files can't be used, what was read before stays in force"
_log = structlog.get_logger()


class Unusable(Exception):
    """The file can't be used; the message is for the user."""


class Reloadable(Protocol):
    """Data that was read from files."""

    def reload(self) -> None:
        """Reads the files again; raises Unusable for files that can't be used, and keeps the previous data. Called
        in a thread."""
        ...


class Reloading:
    """Reads files again on request: `ask` starts it; an `ask` during a run starts another run afterwards."""

    def __init__(self, parts: Mapping[str, Reloadable]) -> None:
        """`parts` are named as in logs."""
        self._parts = parts
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def ask(self) -> None:
        """Asks for a reload; called on the event loop, returns at once."""
        if self._task is not None and not self._task.done():
            self._again = True
            return
        self._task = asyncio.create_task(self._reload(), name="reload configuration")

    async def done(self) -> None:
        """Waits until everything asked for has been read."""
        if self._task is not None:
            await self._task

    async def _reload(self) -> None:
        # Thousands of calls while files are read are one.
        self._again = True
        while self._again:
            self._again = False
            for name, part in self._parts.items():
                try:
                    await asyncio.to_thread(part.reload)
                except Unusable as error:
                    _log.error(_KEPT, part=name, error=str(error))
                except Exception:  # noqa: BLE001 - a defect in one part must not keep the others from being read
                    _log.exception(_KEPT, part=name)
                else:
                    _log.info("files were read again", part=name)
