"""What a transaction has changed in the catalog: changes of its own DDL, over the newest committed catalog.

The changes are buffered until COMMIT applies them to the catalog of that moment. Until then a transaction sees two
catalogs: `seen_over` the one that its statements read in, and `over` the newest, each with the changes applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from catalog.changes.apply import apply
from catalog.changes.change import Change
from catalog.lookup.reliance import Reliance
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId


@dataclass(slots=True)
class CatalogChanges:
    """The catalog changes of one transaction.

    `buffered`: the changes, in order
    `authors`: the user who asked for each of `buffered`
    `base`: the newest committed catalog at the first change
    `catalog`: `base` with the changes, once there are some
    `reliance`: items of the catalog that must be unchanged at COMMIT
    `created`: the collections that the transaction has made
    """

    buffered: list[Change] = field(default_factory=list)
    authors: list[str | None] = field(default_factory=list)
    base: CatalogState | None = None
    catalog: CatalogState | None = None
    reliance: Reliance = field(default_factory=Reliance)
    created: set[GlobalId] = field(default_factory=set)
    _own_view: tuple[CatalogState, CatalogState, CatalogState] | None = None
    _own_newest: tuple[CatalogState, CatalogState, CatalogState] | None = None

    def add(self, base: CatalogState, after: CatalogState, changes: Sequence[Change], author: str | None) -> None:
        """Buffers catalog changes that lead to `after`; `base` is the newest committed catalog, `author` the user who
        asked for them."""
        if self.catalog is None:
            self.base = base
        self.catalog = after
        self.buffered.extend(changes)
        self.authors.extend(author for _ in changes)

    def seen_over(self, seen: CatalogState) -> CatalogState:
        """Returns the catalog that statements read in with the changes; raises SqlError 40001 if these don't fit."""
        if self.catalog is None:
            return seen
        self._own_view = self._applied(self.catalog, seen, self._own_view)
        return self._own_view[2]

    def over(self, committed: CatalogState) -> CatalogState:
        """Returns the newest committed catalog with the changes; raises SqlError 40001 when these don't fit."""
        if self.catalog is None:
            return committed
        if committed is self.base:
            return self.catalog
        self._own_newest = self._applied(self.catalog, committed, self._own_newest)
        return self._own_newest[2]

    def _applied(
        self, own: CatalogState, under: CatalogState, known: tuple[CatalogState, CatalogState, CatalogState] | None
    ) -> tuple[CatalogState, CatalogState, CatalogState]:
        """Returns the changes that lead to `own` applied to `under`: what is `known`, where it is of the same two."""
        if known is not None and known[0] is own and known[1] is under:
            return known
        try:
            return own, under, apply(under, self.buffered)
        except SqlError as error:
            raise conflicting() from error

    def cut(self, count: int, catalog: CatalogState | None) -> None:
        """Drops all but the first `count` changes, which lead to `catalog`."""
        del self.buffered[count:], self.authors[count:]
        self.catalog = catalog


def conflicting() -> SqlError:
    """Returns the error for a transaction whose reads were changed by another."""
    return SqlError(
        Sqlstate.SERIALIZATION_FAILURE,
        "could not serialize access due to concurrent update",
        hint="The transaction might succeed if retried.",
    )
