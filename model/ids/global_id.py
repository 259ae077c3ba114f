"""The name of a collection, for ever: never reused, not after DROP, nor a restart (source: seed 2, "Evolution")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_FORM = re.compile(r"([sutr])(\d+)")


class Namespace(StrEnum):
    SYSTEM = "s"
    USER = "u"
    TRANSIENT = "t"
    REMAPPING = "r"


@dataclass(frozen=True, slots=True, order=True)
class GlobalId:
    """The id of a collection. Prints as `s1`, `u1`, `t1`, or `r1`, which is storage's id for the remap collection of
    source `u1`."""

    namespace: Namespace
    number: int

    def __hash__(self) -> int:
        # It is the key of most that is looked up, and few differ in the namespace alone.
        return self.number

    @staticmethod
    def parse(text: str) -> GlobalId:
        """Parses the printed form; raises ValueError for any other text."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise ValueError(f"not a global id: {text!r}")
        return GlobalId(Namespace(match[1]), int(match[2]))

    @staticmethod
    def system(number: int) -> GlobalId:
        return GlobalId(Namespace.SYSTEM, number)

    @staticmethod
    def user(number: int) -> GlobalId:
        return GlobalId(Namespace.USER, number)

    @staticmethod
    def transient(number: int) -> GlobalId:
        return GlobalId(Namespace.TRANSIENT, number)

    @staticmethod
    def remapping(source: GlobalId) -> GlobalId:
        """Returns the id of a source's remap collection, which no item of the catalog has."""
        assert source.namespace is Namespace.USER
        return GlobalId(Namespace.REMAPPING, source.number)

    def __str__(self) -> str:
        return f"{self.namespace}{self.number}"
