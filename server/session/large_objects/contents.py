"""The bytes of large objects: read in pages, changed in memory, written into the tables when much has changed.

A page holds up to 2,048 bytes from pageno * 2,048 on. Bytes before the object's size that no page has are zeros.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import cast

from catalog.lookup.large_objects import OBJECTS, PAGES
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT4, OID, array_of
from server.pgwire.large_values import LARGE_BYTES, done
from server.session.large_objects.large_object_rows import ObjectTables
from server.transactions.open_objects import ChangedObject, ChangedPage, OpenLargeObjects, StoredObject

PAGE_BYTES = 2048
SIZE_MAX = PAGE_BYTES * ((1 << 31) - 1)
"""As large as an object may get: 4 TB, as in PostgreSQL."""
READ_BYTES_MAX = 256 << 20
"""Of one answer."""
_PAGES_AT_ONCE = 512
_PageRow = tuple[int, int, bytes]
_CHANGED_MAX = 4096
"""As many pages (8 MB) and rows are kept in memory before they are written into the tables."""
_OIDS = "pg_largeobject_metadata_oid_index"
_ONE = "SELECT oid, owner, acl, size, comment FROM pg_large_objects.stored_large_objects WHERE oid = $1"
_ALL = "SELECT oid, owner, acl, size, comment FROM pg_large_objects.stored_large_objects"
_SOME = "SELECT loid, pageno, data FROM pg_large_objects.pg_largeobject WHERE loid = $1 AND pageno = ANY($2)"
_FROM = "SELECT loid, pageno, data FROM pg_large_objects.pg_largeobject WHERE loid = $1 AND pageno >= $2"


class LargeObjects:
    """The large objects of a database, as a transaction sees them."""

    def __init__(self, tables: ObjectTables, kept: OpenLargeObjects) -> None:
        self._tables = tables
        self._kept = kept

    async def row(self, oid: int) -> StoredObject | None:
        """Returns an object's row (oid, owner, list of rights, size), or None."""
        if self._tables.found(OBJECTS) is None:
            return None
        known = self._kept.objects.get(oid)
        if known is None:
            found = [row async for batch in self._tables.rows(_ONE, (OID,), oid) for row in batch]
            stored = StoredObject._make(cast(StoredObject, found[0])) if found else None
            known = self._kept.objects[oid] = ChangedObject(stored, stored)
        return known.now

    async def size(self, oid: int) -> int:
        """Returns an object's size; raises SqlError 42704 without the object."""
        return (await self.present(oid)).size

    async def present(self, oid: int) -> StoredObject:
        """Returns an object's row; raises SqlError 42704 without the object."""
        row = await self.row(oid)
        if row is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"large object {oid} does not exist")
        return row

    async def create(self, oid: int, owner: int) -> None:
        """Makes an empty object. Raises SqlError 23505 for an oid in use."""
        self._tables.ensure()
        if await self.row(oid) is not None:
            raise SqlError(
                Sqlstate.UNIQUE_VIOLATION,
                f'duplicate key value violates unique constraint "{_OIDS}"',
                detail=f"Key (oid)=({oid}) already exists.",
            )
        self._kept.objects[oid].now = StoredObject(oid, owner, None, 0, None)

    async def change(self, row: StoredObject) -> None:
        """Gives an object another owner, list of rights, or comment."""
        await self.present(row.oid)
        self._kept.objects[row.oid].now = row

    async def all(self) -> tuple[StoredObject, ...]:
        """Returns the rows of all objects, in the order of their oids."""
        if self._tables.found(OBJECTS) is None:
            return ()
        await self.settle()
        found = [row async for batch in self._tables.rows(_ALL, ()) for row in batch]
        return tuple(sorted(map(StoredObject._make, cast(list[StoredObject], found))))

    async def remove(self, oid: int) -> None:
        """Removes an object with all its bytes."""
        await self.present(oid)
        await self._drop_pages(oid, 0)
        await self.present(oid)
        self._kept.objects[oid].now = None

    async def read(self, oid: int, start: int, length: int) -> bytes:
        """Returns up to `length` bytes from `start` on; raises SqlError 54000 for more than an answer may have."""
        length = max(min(length, await self.size(oid) - start), 0)
        if length > READ_BYTES_MAX:
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, "large object read request is too large")
        if not length:
            return b""
        pieces = []
        for numbers in _ranges(start // PAGE_BYTES, (start + length - 1) // PAGE_BYTES):
            found = await self._pages(oid, numbers)
            pieces += [found.get(number, b"").ljust(PAGE_BYTES, b"\0") for number in numbers]
        pieces[-1] = pieces[-1][: (start + length - 1) % PAGE_BYTES + 1]
        pieces[0] = pieces[0][start % PAGE_BYTES :]
        return await done(partial(b"".join, pieces), large=length >= LARGE_BYTES)

    async def stored_pages(self, oid: int) -> AsyncIterator[Sequence[tuple[int, bytes]]]:
        """Yields the bytes of an object's pages with their places, in any order, once changes are settled."""
        async for batch in self._tables.rows(_FROM, (OID, INT4), oid, 0):
            yield [(number * PAGE_BYTES, data) for _, number, data in cast(Sequence[_PageRow], batch)]

    async def write(self, oid: int, start: int, data: bytes) -> None:
        """Overwrites an object's bytes from `start` on, and beyond the end."""
        if start + len(data) > SIZE_MAX:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"invalid large object write request size: {len(data)}")
        if not data:
            return
        for numbers in _ranges(start // PAGE_BYTES, (start + len(data) - 1) // PAGE_BYTES):
            await self._load(oid, numbers)
            for number in numbers:
                at = number * PAGE_BYTES
                first, last = max(start, at), min(start + len(data), at + PAGE_BYTES)
                page = self._kept.pages[oid, number]
                before = page.now or b""
                after = before[: first - at].ljust(first - at, b"\0") + data[first - start : last - start]
                page.now = after + before[last - at :]
            await self._grow(oid, min(start + len(data), (numbers[-1] + 1) * PAGE_BYTES))
            await self.settle_many()

    async def truncate(self, oid: int, length: int) -> None:
        """Cuts an object, or adds zeros, to a length."""
        size = await self.size(oid)
        if length < size:
            number, rest = divmod(length, PAGE_BYTES)
            await self._drop_pages(oid, number + bool(rest))
            if rest:
                await self._load(oid, range(number, number + 1))
                page = self._kept.pages[oid, number]
                page.now = None if page.now is None else page.now[:rest]
        await self._resize(oid, length)

    async def settle(self) -> None:
        """Writes all changes into the tables, and forgets the pages read."""
        pages, objects = [*self._kept.pages.items()], [*self._kept.objects.values()]
        self._kept.forget()
        await self._tables.write(PAGES, [(_row(*at, page.stored), _row(*at, page.now)) for at, page in pages])
        await self._tables.write(OBJECTS, [(each.stored, each.now) for each in objects])

    async def settle_many(self) -> None:
        """Settles what has become many."""
        if max(len(self._kept.pages), len(self._kept.objects)) > _CHANGED_MAX:
            await self.settle()

    async def _grow(self, oid: int, size: int) -> None:
        if await self.size(oid) < size:
            await self._resize(oid, size)

    async def _resize(self, oid: int, size: int) -> None:
        row = await self.present(oid)
        self._kept.objects[oid].now = row._replace(size=size)

    async def _drop_pages(self, oid: int, first: int) -> None:
        """Removes the pages from a number on: few in memory, many straight from the table."""
        await self.present(oid)
        stored = self._kept.objects[oid].stored
        end = 0 if stored is None else -(-stored.size // PAGE_BYTES)
        if end - first <= _PAGES_AT_ONCE:
            await self._load(oid, range(first, end))
            for at, page in self._kept.pages.items():
                if at[0] == oid and at[1] >= first:
                    page.now = None
            await self.settle_many()
            return
        await self.settle()
        await self._tables.remove(PAGES, self._tables.rows(_FROM, (OID, INT4), oid, first))

    async def _load(self, oid: int, numbers: range) -> None:
        """Keeps pages to be changed in memory."""
        missing = [number for number in numbers if (oid, number) not in self._kept.pages]
        stored = await self._stored(oid, missing)
        for number in missing:
            self._kept.pages[oid, number] = ChangedPage(stored.get(number), stored.get(number))

    async def _pages(self, oid: int, numbers: range) -> dict[int, bytes]:
        """Returns pages as the transaction has them."""
        kept = {number: self._kept.pages[oid, number].now for number in numbers if (oid, number) in self._kept.pages}
        found = await self._stored(oid, [number for number in numbers if number not in kept]) | kept
        return {number: data for number, data in found.items() if data is not None}

    async def _stored(self, oid: int, numbers: list[int]) -> dict[int, bytes | None]:
        """Returns pages, but for those behind the object's end in its table, which has none."""
        await self.present(oid)
        known = self._kept.objects[oid].stored
        numbers = [] if known is None else [each for each in numbers if each * PAGE_BYTES < known.size]
        if not numbers:
            return {}
        rows = self._tables.rows(_SOME, (OID, array_of(INT4)), oid, tuple(numbers))
        return {number: data async for batch in rows for _, number, data in cast(Sequence[_PageRow], batch)}


def _row(oid: int, number: int, data: bytes | None) -> _PageRow | None:
    return None if data is None else (oid, number, data)


def _ranges(first: int, last: int) -> Iterator[range]:
    """Yields the numbers from `first` to `last`, so many at once."""
    for at in range(first, last + 1, _PAGES_AT_ONCE):
        yield range(at, min(at + _PAGES_AT_ONCE, last + 1))
