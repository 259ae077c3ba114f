"""The form of a plan: a digest that is equal in every process and version for which the plan means the same.

Unlike the codec's bytes, which the other end must understand, the form leaves out fields that have their defaults: a
new field of a node changes the forms of those plans alone that use it. Transient ids, which each environment gives
anew, count by the order in which they appear.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from compute.protocol.codec import datum_tree
from model.ids.global_id import GlobalId, Namespace

_LEAVES = (type(None), bool, float, str, bytes)
_INT64 = 2**63


def form_of(value: object) -> str:
    """Returns the form of dataclasses, enums, datums and collections of them: 32 hexadecimal digits. Raises
    AssertionError for other values."""
    return _Forms().of(value).hex()


def nodes_of(value: object) -> Iterator[object]:
    """Yields every dataclass in the value, the value itself included; one that stands in several places may come
    once."""
    seen: set[int] = set()
    waiting: list[Any] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple | list | frozenset):
            waiting.extend(each)
        elif isinstance(each, Mapping):
            waiting.extend((*each.keys(), *each.values()))
        elif dataclasses.is_dataclass(each) and id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting.extend(getattr(each, field.name) for field in dataclasses.fields(each))


class _Forms:
    """Makes the forms of one value's parts, each of a dataclass that stands in several places once."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}
        self._transient: dict[GlobalId, int] = {}

    def of(self, value: object) -> bytes:
        return hashlib.sha256(msgspec.msgpack.encode(self._tree(value))).digest()[:16]

    def _tree(self, value: Any) -> Any:
        class_ = type(value)
        if class_ in _LEAVES:
            return value
        if class_ is int:
            return value if -_INT64 <= value < _INT64 else ["int", str(value)]
        if class_ is tuple or class_ is list:
            return [class_.__name__, *map(self._tree, value)]
        if isinstance(value, frozenset):
            return ["set", *sorted(map(self.of, value))]
        if isinstance(value, Mapping):
            return ["map", *[self._tree(part) for item in value.items() for part in item]]
        if class_ is GlobalId and value.namespace is Namespace.TRANSIENT:
            return ["transient", self._transient.setdefault(value, len(self._transient))]
        if isinstance(value, enum.Enum):
            return [class_.__name__, value.value]
        if dataclasses.is_dataclass(value):
            # The value holds its parts, so no other one has the same place meanwhile.
            if id(value) not in self._known:
                self._known[id(value)] = self.of([class_.__name__, *self._fields(value)])
            return self._known[id(value)]
        return datum_tree(value)

    def _fields(self, value: Any) -> Iterator[object]:
        for field in dataclasses.fields(value):
            part = getattr(value, field.name)
            if type(part) is not type(field.default) or part != field.default:
                yield (field.name, part)
