"""Large objects in a transaction: open descriptors, and changes on their way into the tables that hold the objects.

Changes of pages are kept until they are many, or until somebody else reads or may cut the transaction's writes; so a
client that writes by small pieces changes each page once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(slots=True)
class OpenLargeObject:
    """A descriptor: the object, whether it may be written, and the place of the next read or write."""

    oid: int
    writable: bool
    position: int = 0


class StoredObject(NamedTuple):
    """The row of an object. `acl` is its list of rights (`acl_kept`), None before anybody has granted anything."""

    oid: int
    owner: int
    acl: str | None
    size: int
    comment: str | None


@dataclass(slots=True)
class ChangedObject:
    """An object's row as it is in its table, and as the transaction will have it; None for no row."""

    stored: StoredObject | None
    now: StoredObject | None


@dataclass(slots=True)
class ChangedPage:
    """A page's bytes as they are in their table, and as the transaction will have them; None for no page."""

    stored: bytes | None
    now: bytes | None


@dataclass(slots=True)
class OpenLargeObjects:
    """The large objects of one transaction.

    `descriptors`: by number
    `objects`: the rows of objects that were looked at, by oid
    `listed`: all objects, as the statement's system relations show them
    `pages`: the pages that were changed, by oid and number of the page
    """

    descriptors: dict[int, OpenLargeObject] = field(default_factory=dict)
    objects: dict[int, ChangedObject] = field(default_factory=dict)
    listed: tuple[StoredObject, ...] = ()
    pages: dict[tuple[int, int], ChangedPage] = field(default_factory=dict)

    @property
    def changed(self) -> bool:
        """Tells whether something has changed that is in no table yet."""
        changed = any(each.stored != each.now for each in self.objects.values())
        return changed or any(page.stored != page.now for page in self.pages.values())

    def open(self, oid: int, *, writable: bool) -> int:
        """Opens a descriptor, the lowest that is free, and returns its number."""
        number = next(number for number in range(len(self.descriptors) + 1) if number not in self.descriptors)
        self.descriptors[number] = OpenLargeObject(oid, writable)
        return number

    def go_back(self, descriptors: dict[int, OpenLargeObject]) -> None:
        """Drops all changes that are in no table, and the descriptors that are not among those of a savepoint."""
        self.descriptors = {at: each for at, each in self.descriptors.items() if descriptors.get(at) is each}
        self.forget()

    def forget(self) -> None:
        """Forgets what was read and changed of objects."""
        self.objects.clear()
        self.pages.clear()
