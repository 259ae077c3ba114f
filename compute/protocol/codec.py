"""Values of a closed vocabulary as bytes, and back.

Plans are trees of frozen dataclasses, enums and datums. Bytes from a socket must never be able to do more than build
such trees: so no pickle, but MessagePack arrays whose first element is a tag, and a table of the classes that a tag may
name.

    tuple              ["", item, …]
    dataclass          [class name, field, …]      fields in the order of the class
    enum               [class name, value]
    datum              [kind, text]                datums that MessagePack does not have
    repeated value     ["@", number]               of a class of `shared`, numbered in the order of their ends

Every node of a plan has types, and a type may be as large as a row of many columns: types written out in every place
have made a plan of thousands of nodes take minutes. Equal values have equal bytes, whatever they share in memory.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from model.types.time_of_day import END_OF_DAY, time_from_iso
from model.types.wide_time import WideDate, WideMoment

_PLAIN = frozenset((type(None), bool, float, str, bytes))
_INT64 = 2**63
_TUPLE = ""
_AGAIN = "@"
_DATUMS: dict[type, tuple[str, Callable[[Any], str], Callable[[str], object]]] = {
    decimal.Decimal: ("decimal", str, decimal.Decimal),
    datetime.datetime: ("datetime", datetime.datetime.isoformat, datetime.datetime.fromisoformat),
    datetime.date: ("date", datetime.date.isoformat, datetime.date.fromisoformat),
    datetime.time: ("time", datetime.time.isoformat, time_from_iso),
    type(END_OF_DAY): ("time", str, time_from_iso),
    WideDate: ("wide_date", lambda value: str(value.count), lambda text: WideDate(int(text))),
    WideMoment: ("wide_moment", lambda value: str(value.count), lambda text: WideMoment(int(text))),
    uuid.UUID: ("uuid", str, uuid.UUID),
}
_COLLECTIONS: dict[type, tuple[str, Callable[[Iterable[Any]], object]]] = {
    list: ("list", list),
    frozenset: ("set", frozenset),
}


def datum_tree(value: object) -> list[str]:
    """Returns a datum that MessagePack does not have as its kind and text. AssertionError for anything else."""
    assert type(value) in _DATUMS, f"{type(value).__qualname__} is no datum"
    kind, write, _ = _DATUMS[type(value)]
    return [kind, write(value)]


class MalformedMessage(Exception):
    """The bytes are no message of this protocol."""


class Codec:
    """Encodes and decodes values whose classes are all in `classes` (dataclasses and enums, by unique name).
    Repeated values of `shared`, compared by all their fields, are written once."""

    def __init__(self, classes: Iterable[type], shared: type | None = None) -> None:
        self._shared = shared
        self._classes: dict[str, type] = {}
        self._fields: dict[type, tuple[str, ...]] = {}
        for class_ in classes:
            assert class_.__name__ not in self._classes, f"two classes are named {class_.__name__}"
            assert dataclasses.is_dataclass(class_) or issubclass(class_, enum.Enum), f"{class_} has no form here"
            self._classes[class_.__name__] = class_
            if dataclasses.is_dataclass(class_):
                self._fields[class_] = tuple(f.name for f in dataclasses.fields(class_) if f.init)
        self._builders = self._make_builders()

    def encode(self, value: object) -> bytes:
        """Encodes a value; AssertionError for a class outside the vocabulary."""
        return msgspec.msgpack.encode(self._to_tree(value, {}, {}))

    def decode(self, data: bytes | memoryview) -> object:
        """Decodes a value; raises MalformedMessage for other bytes."""
        try:
            return self._from_tree(msgspec.msgpack.decode(data), [])
        except (
            msgspec.DecodeError,
            TypeError,
            ValueError,
            AssertionError,
            ArithmeticError,
            RecursionError,
        ) as error:
            raise MalformedMessage(f"not a message of this protocol: {error}") from error

    def _to_tree(self, value: Any, numbers: dict[object, int], known: dict[int, int]) -> Any:
        """Returns the tree of a value. `numbers` has the numbers of shared values so far, `known` the same by place
        in memory."""
        class_ = type(value)
        if class_ in _PLAIN:
            return value
        if class_ is int:
            return value if -_INT64 <= value < _INT64 else ["int", str(value)]
        if class_ is tuple:
            # Rows are most of a large message, and a call for each of their values would take most of the time.
            return [
                _TUPLE,
                *[
                    part
                    if (its := type(part)) in _PLAIN or (its is int and -_INT64 <= part < _INT64)
                    else self._to_tree(part, numbers, known)
                    for part in value
                ],
            ]
        if class_ is self._shared:
            return self._shared_tree(value, numbers, known)
        fields = self._fields.get(class_)
        if fields is not None:
            return [class_.__name__, *[self._to_tree(getattr(value, name), numbers, known) for name in fields]]
        if class_ in _DATUMS:
            return datum_tree(value)
        if class_ in _COLLECTIONS:
            return [_COLLECTIONS[class_][0], *[self._to_tree(part, numbers, known) for part in value]]
        if isinstance(value, Mapping):
            return ["map", *[self._to_tree(part, numbers, known) for item in value.items() for part in item]]
        assert self._classes.get(class_.__name__) is class_, f"{class_.__qualname__} is not of the vocabulary"
        return [class_.__name__, value.value]

    def _shared_tree(self, value: Any, numbers: dict[object, int], known: dict[int, int]) -> Any:
        number = known.get(id(value))
        if number is None:
            number = numbers.get(value)
        if number is not None:
            known[id(value)] = number
            return [_AGAIN, number]
        class_ = type(value)
        parts = [self._to_tree(getattr(value, name), numbers, known) for name in self._fields[class_]]
        known[id(value)] = numbers[value] = len(numbers)
        return [class_.__name__, *parts]

    def _from_tree(self, tree: Any, shared: list[object]) -> Any:
        if type(tree) is not list:
            if type(tree) is dict:
                raise MalformedMessage("a MessagePack map")
            return tree
        if not tree or type(tree[0]) is not str:
            raise MalformedMessage("an array without a tag")
        tag, *parts = tree
        if tag == _TUPLE:
            return tuple([self._from_tree(part, shared) for part in parts])
        if tag == _AGAIN:
            (number,) = parts
            if type(number) is not int or not 0 <= number < len(shared):
                raise MalformedMessage(f"nothing has the number {number!r}")
            return shared[number]
        class_ = self._classes.get(tag)
        if class_ is None:
            builder = self._builders.get(tag)
            if builder is None:
                raise MalformedMessage(f"unknown tag {tag!r}")
            return builder(parts, shared)
        fields = self._fields.get(class_)
        if fields is None:
            return class_(*parts)
        if len(fields) != len(parts):
            raise MalformedMessage(f"{tag} has {len(fields)} fields, not {len(parts)}")
        value = class_(**{name: self._from_tree(part, shared) for name, part in zip(fields, parts)})
        if class_ is self._shared:
            shared.append(value)
        return value

    def _make_builders(self) -> dict[str, Callable[[list[Any], list[object]], object]]:
        def datum(read: Callable[[str], object]) -> Callable[[list[Any], list[object]], object]:
            return lambda parts, shared: read(*parts)

        def collection(make: Callable[[Iterable[Any]], object]) -> Callable[[list[Any], list[object]], object]:
            return lambda parts, shared: make([self._from_tree(part, shared) for part in parts])

        def mapping(parts: list[Any], shared: list[object]) -> object:
            items = [self._from_tree(part, shared) for part in parts]
            return dict(zip(items[::2], items[1::2], strict=True))

        return {
            "int": datum(int),
            "map": mapping,
            **{kind: datum(read) for kind, _, read in _DATUMS.values()},
            **{kind: collection(make) for kind, make in _COLLECTIONS.values()},
        }
