"""Lists and maps of a message, written with other words in its syntax tree: types and constructors by their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["list", "map"]
Subscript = Literal["item", "slice", "from", "to"]
"""[place], [first:last], [first:] and [:last]."""
Nesting = tuple["Nesting | None", ...]
"""For each item of a LIST, or value of a MAP, whether it is one of those itself, in brackets alone."""


@dataclass(frozen=True, slots=True)
class Constructor:
    """LIST[…] or MAP[…], which the tree has as a call. The subscripts behind a LIST are its last arguments."""

    kind: Kind
    nesting: Nesting
    subscripts: tuple[Subscript, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeShape:
    """The suffixes of a type's name: `list` and `[]`, in order, as "list" and "array". `value` is the TypeName of a
    map's values, for the name `map`."""

    value: Any
    suffixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemberSyntax:
    """The types and constructors of lists and maps, by the byte at which each begins."""

    types: Mapping[int, TypeShape] = field(default_factory=dict)
    constructors: Mapping[int, Constructor] = field(default_factory=dict)

    def place_within(self, node: Any) -> int | None:
        """Returns the place of a type or constructor of these in a syntax tree; None when it has none."""
        if self.types or self.constructors:
            known = {"TypeName": self.types, "FuncCall": self.constructors}.get(node.DESCRIPTOR.name, {})
            if known and node.location in known:
                return int(node.location)
            for descriptor, value in node.ListFields():
                parts = value if descriptor.is_repeated else (value,)
                for part in parts if descriptor.message_type is not None else ():
                    place = self.place_within(part)
                    if place is not None:
                        return place
        return None


NO_MEMBERS = MemberSyntax()
