"""The functions of large objects, each by its name: lo_open, loread, lo_put and their kin.

calls = LargeObjectCalls(execution, asker)
oid = await calls.run("lo_create", (0,))
descriptor = await calls.run("lo_open", (oid, WRITE))
await calls.run("lowrite", (descriptor, b"abc"))
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.session.large_objects.contents import SIZE_MAX, LargeObjects
from server.session.large_objects.files import exported, imported, require_files
from server.session.large_objects.large_object_rows import ObjectTables
from server.transactions.execution import Execution
from server.transactions.large_object_rights import require_ownership, require_right
from server.transactions.open_objects import OpenLargeObject, StoredObject

if TYPE_CHECKING:
    from server.session.asking import SessionAsker

WRITE, READ = 0x20000, 0x40000
"""Modes of lo_open: INV_WRITE, which lets read as well, and INV_READ."""
_INT4_MAX = (1 << 31) - 1
_FIRST_OID = 16384
_DESCRIPTORS_MAX = 10_000
_WRITING = frozenset(
    ("lo_creat", "lo_create", "lo_unlink", "lowrite", "lo_truncate", "lo_truncate64", "lo_from_bytea", "lo_put")
    + ("lo_import",)
)


class LargeObjectCalls:
    """The functions, for one execution."""

    def __init__(self, execution: Execution, asker: SessionAsker) -> None:
        self._execution = execution
        self._open = execution.transaction.writes.objects
        self._objects = LargeObjects(ObjectTables(execution, asker), self._open)
        self._functions: dict[str, Callable[..., Awaitable[Any]]] = {
            "lo_creat": self._creat,
            "lo_create": self._create,
            "lo_open": self._opened,
            "lo_close": self._close,
            "loread": self._read,
            "lowrite": self._write,
            "lo_lseek": self._seek,
            "lo_lseek64": self._seek64,
            "lo_tell": self._tell,
            "lo_tell64": self._tell64,
            "lo_truncate": self._truncate,
            "lo_truncate64": self._truncate,
            "lo_unlink": self._unlink,
            "lo_from_bytea": self._from_bytea,
            "lo_get": self._get,
            "lo_put": self._put,
            "lo_import": self._import,
            "lo_export": self._export,
            "obj_description": self._description,
        }

    async def run(self, function: str, arguments: tuple[Any, ...]) -> Any:
        """Returns a function's result. Raises SqlError as the function's in PostgreSQL."""
        if function in _WRITING:
            self._execution.transaction.require_writable(f"{function}()")
        await self._objects.settle_many()
        return await self._functions[function](*arguments)

    async def settle(self) -> None:
        """Writes changes still in memory into the tables."""
        await self._objects.settle()

    async def all(self) -> tuple[StoredObject, ...]:
        """Returns the rows of all objects."""
        return await self._objects.all()

    # By oid

    async def _description(self, oid: int) -> str | None:
        row = await self._objects.row(oid)
        return None if row is None else row.comment

    async def _creat(self, _mode: int) -> int:
        return await self._create(0)

    async def _create(self, oid: int) -> int:
        while oid == 0:
            drawn = _FIRST_OID + self._execution.environment.randomness.below((1 << 32) - _FIRST_OID)
            oid = 0 if await self._objects.row(drawn) is not None else drawn
        await self._objects.create(oid, self._execution.role)
        return oid

    async def _unlink(self, oid: int) -> int:
        state, row = self._execution.newest_catalog, await self._objects.present(oid)
        require_ownership(state, self._execution.role, row)
        await self._objects.remove(oid)
        self._open.descriptors = {at: each for at, each in self._open.descriptors.items() if each.oid != oid}
        return 1

    async def _from_bytea(self, oid: int, data: bytes) -> int:
        oid = await self._create(oid)
        await self._objects.write(oid, 0, data)
        return oid

    async def _get(self, oid: int, start: int = 0, length: int | None = None) -> bytes:
        await self._require(oid, "r")
        if length is not None and length < 0:
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, "requested length cannot be negative")
        _require_target(start)
        return await self._objects.read(oid, start, SIZE_MAX if length is None else length)

    async def _put(self, oid: int, start: int, data: bytes) -> str:
        await self._require(oid, "rw")
        _require_target(start)
        await self._objects.write(oid, start, data)
        return ""

    async def _import(self, path: str, oid: int = 0) -> int:
        require_files("lo_import", self._execution)
        oid = await self._create(oid)
        await imported(path, oid, self._objects)
        return oid

    async def _export(self, oid: int, path: str) -> int:
        require_files("lo_export", self._execution)
        await exported(oid, path, self._objects, self._execution)
        return 1

    # By descriptor

    async def _opened(self, oid: int, mode: int) -> int:
        if not mode & (READ | WRITE):
            message = f"invalid flags for opening a large object: {mode}"
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
        if mode & WRITE:
            self._execution.transaction.require_writable("lo_open(INV_WRITE)")
        await self._require(oid, "rw" if mode & WRITE else "r")
        if len(self._open.descriptors) >= _DESCRIPTORS_MAX:
            message = f"a transaction can't have more than {_DESCRIPTORS_MAX} large objects open"
            raise SqlError(Sqlstate.CONFIGURATION_LIMIT_EXCEEDED, message)
        return self._open.open(oid, writable=bool(mode & WRITE))

    async def _close(self, number: int) -> int:
        self._descriptor(number)
        del self._open.descriptors[number]
        return 0

    async def _read(self, number: int, length: int) -> bytes:
        descriptor = self._descriptor(number)
        data = await self._objects.read(descriptor.oid, descriptor.position, max(length, 0))
        descriptor.position += len(data)
        return data

    async def _write(self, number: int, data: bytes) -> int:
        descriptor = self._writable(number)
        await self._objects.write(descriptor.oid, descriptor.position, data)
        descriptor.position += len(data)
        return len(data)

    async def _seek(self, number: int, offset: int, whence: int) -> int:
        return _small(await self._seek64(number, offset, whence), "lo_lseek", number)

    async def _seek64(self, number: int, offset: int, whence: int) -> int:
        descriptor = self._descriptor(number)
        match whence:
            case 0:
                place = offset
            case 1:
                place = descriptor.position + offset
            case 2:
                place = await self._objects.size(descriptor.oid) + offset
            case _:
                raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"invalid whence setting: {whence}")
        _require_target(place)
        descriptor.position = place
        return place

    async def _tell(self, number: int) -> int:
        return _small(await self._tell64(number), "lo_tell", number)

    async def _tell64(self, number: int) -> int:
        return self._descriptor(number).position

    async def _truncate(self, number: int, length: int) -> int:
        descriptor = self._writable(number)
        if not 0 <= length <= SIZE_MAX:
            message = f"invalid large object truncation target: {length}"
            raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
        await self._objects.truncate(descriptor.oid, length)
        return 0

    def _descriptor(self, number: int) -> OpenLargeObject:
        found = self._open.descriptors.get(number)
        if found is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"invalid large-object descriptor: {number}")
        return found

    def _writable(self, number: int) -> OpenLargeObject:
        found = self._descriptor(number)
        if not found.writable:
            message = f"large object descriptor {number} was not opened for writing"
            raise SqlError(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
        return found

    async def _require(self, oid: int, rights: str) -> None:
        row = await self._objects.present(oid)
        for right in rights:
            require_right(self._execution.newest_catalog, self._execution.role, row, right)


def _require_target(place: int) -> None:
    if not 0 <= place <= SIZE_MAX:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"invalid large object seek target: {place}")


def _small(place: int, function: str, number: int) -> int:
    """Returns a place that an integer can tell; raises SqlError 22003 for one beyond."""
    if place > _INT4_MAX:
        message = f"{function} result out of range for large-object descriptor {number}"
        raise SqlError(Sqlstate.NUMERIC_VALUE_OUT_OF_RANGE, message)
    return place
