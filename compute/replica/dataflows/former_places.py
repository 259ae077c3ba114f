"""Where members were kept before they had a part in a dataflow with others: a place goes when it is of no more use."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


class FormerPlaces:
    """Of the members of one dataflow, by number: those that are kept there still."""

    def __init__(self) -> None:
        self._places: dict[int, asyncio.Future[bool]] = {}

    def add(self, number: int) -> asyncio.Future[bool]:
        """Tells once it is known whether the member's place is to be deleted."""
        future = self._places[number] = asyncio.get_running_loop().create_future()
        return future

    def delete(self, numbers: Iterable[int] | None = None) -> None:
        """These members, or all, are kept elsewhere, or wanted no more."""
        self._settle(self._places if numbers is None else numbers, delete=True)

    def leave(self, numbers: Iterable[int]) -> None:
        """These members go on from what is there."""
        self._settle(numbers, delete=False)

    def _settle(self, numbers: Iterable[int], *, delete: bool) -> None:
        for number in list(numbers):
            future = self._places.pop(number, None)
            if future is not None and not future.done():
                future.set_result(delete)
