"""The former directories of members that joined another dataflow: each is deleted once useless."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


class FormerPlaces:
    """The members of one dataflow, by number, whose state still lies in a former directory."""

    def __init__(self) -> None:
        self._places: dict[int, asyncio.Future[bool]] = {}

    def add(self, number: int) -> asyncio.Future[bool]:
        """Tells once it is known whether the member's place is to be deleted."""
        future = self._places[number] = asyncio.get_running_loop().create_future()
        return future

    def delete(self, numbers: Iterable[int] | None = None) -> None:
        """Deletes the former directories of these members, or of all."""
        self._settle(self._places if numbers is None else numbers, delete=True)

    def leave(self, numbers: Iterable[int]) -> None:
        """Keeps the former directories of members that go on from them."""
        self._settle(numbers, delete=False)

    def _settle(self, numbers: Iterable[int], *, delete: bool) -> None:
        for number in list(numbers):
            future = self._places.pop(number, None)
            if future is not None and not future.done():
                future.set_result(delete)
