"""Allocates GlobalIds and oids. Numbers of a transaction that fails are skipped, and never given again by this
process; a later process may give them, since no durable state names them."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.state.catalog_state import CatalogState
from model.ids.global_id import GlobalId, Namespace


class IdAllocator:
    """Allocates ahead of the numbers in the durable state, which follow at commit."""

    def __init__(self, state: CatalogState) -> None:
        self._next_user_id = state.next_user_id
        self._next_oid = state.next_oid

    def observe(self, state: CatalogState) -> None:
        """Continues behind the numbers that another environment has allocated."""
        self._next_user_id = max(self._next_user_id, state.next_user_id)
        self._next_oid = max(self._next_oid, state.next_oid)

    def skip(self, ids: Iterable[GlobalId]) -> None:
        """Skips these ids: a durable shard has them, though no catalog names them."""
        numbers = [id.number for id in ids if id.namespace is Namespace.USER]
        self._next_user_id = max([self._next_user_id, *(number + 1 for number in numbers)])

    def user_id(self) -> GlobalId:
        number = self._next_user_id
        self._next_user_id += 1
        return GlobalId.user(number)

    def oid(self) -> int:
        oid = self._next_oid
        self._next_oid += 1
        return oid
