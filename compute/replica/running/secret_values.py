"""Secrets that ingestions need, by id: told by the environment, held in memory alone, and never logged."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from model.ids.global_id import GlobalId
from model.process.redaction import remember


class SecretValues:
    """The secrets told by the newest environment."""

    def __init__(self) -> None:
        self._values: dict[GlobalId, str] = {}
        self._told = asyncio.Event()

    def tell(self, values: Mapping[GlobalId, str]) -> None:
        """Sets the values of secrets."""
        remember(values.values())
        self._values.update(values)
        self._told.set()
        self._told = asyncio.Event()

    async def of(self, ids: Iterable[GlobalId]) -> Mapping[GlobalId, str]:
        """Returns the values, once all are known."""
        wanted = frozenset(ids)
        while not wanted <= self._values.keys():
            await self._told.wait()
        return {id_: self._values[id_] for id_ in wanted}
