"""The syntax tree of a jsonpath: expressions that yield sequences of JSON items, and predicates over them.

A Chain is a head with accessors, each applied to every item before it. Predicates stand in filters; where one stands in
place of an expression, it yields true, false or null.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from model.patterns.pattern import Pattern, compile_pattern

DEPTH_MAX = 0xFFFFFFFF
"""`last` in `**{…}`."""


@dataclass(frozen=True, slots=True)
class Root:
    """$"""


@dataclass(frozen=True, slots=True)
class Current:
    """@, the item that a filter tests."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last subscript of the array being subscripted."""


@dataclass(frozen=True, slots=True)
class PathVariable:
    name: str


@dataclass(frozen=True, slots=True)
class PathConstant:
    """A scalar: null, true, false, a number, a string."""

    value: bool | Decimal | str | None


@dataclass(frozen=True, slots=True)
class Key:
    name: str


@dataclass(frozen=True, slots=True)
class AnyKey:
    """.*"""


@dataclass(frozen=True, slots=True)
class AnyElement:
    """[*]"""


@dataclass(frozen=True, slots=True)
class Subscripts:
    """[from to to, …]; `to` is None for a single subscript."""

    ranges: tuple[tuple[Expression, Expression | None], ...]


@dataclass(frozen=True, slots=True)
class AnyDepth:
    """.**{first to last}; with both DEPTH_MAX the leaves."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class PathFilter:
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Method:
    """.name(), or .datetime(argument)"""

    name: str
    argument: str | None = None


Accessor = Key | AnyKey | AnyElement | Subscripts | AnyDepth | PathFilter | Method


@dataclass(frozen=True, slots=True)
class Chain:
    head: Expression
    accessors: tuple[Accessor, ...]


@dataclass(frozen=True, slots=True)
class Sign:
    """+ or - before an operand."""

    symbol: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """+ - * / %"""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """== != < <= > >="""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Both:
    left: Predicate
    right: Predicate


@dataclass(frozen=True, slots=True)
class Either:
    left: Predicate
    right: Predicate


@dataclass(frozen=True, slots=True)
class Not:
    operand: Predicate


@dataclass(frozen=True, slots=True)
class IsUnknown:
    operand: Predicate


@dataclass(frozen=True, slots=True)
class PathExists:
    operand: Expression


@dataclass(frozen=True, slots=True)
class StartsWith:
    operand: Expression
    initial: PathConstant | PathVariable


@dataclass(frozen=True, slots=True)
class LikeRegex:
    """like_regex; `flags` are among i, s, m, q, in that order."""

    operand: Expression
    pattern: str
    flags: str

    def compiled(self) -> Pattern:
        """Returns the pattern, with the flags of PostgreSQL's regular expressions for XQuery's; raises 2201B where it
        isn't valid."""
        flags = "i" if "i" in self.flags else ""
        if "q" in self.flags:
            return compile_pattern(self.pattern, flags + "q")
        ways = {(False, False): "p", (False, True): "n", (True, True): "w", (True, False): "s"}
        return compile_pattern(self.pattern, flags + ways["s" in self.flags, "m" in self.flags])


Predicate = Comparison | Both | Either | Not | IsUnknown | PathExists | StartsWith | LikeRegex
Expression = Root | Current | Last | PathVariable | PathConstant | Chain | Sign | Arithmetic | Predicate
PREDICATES = (Comparison, Both, Either, Not, IsUnknown, PathExists, StartsWith, LikeRegex)


@dataclass(frozen=True, slots=True)
class JsonPath:
    """A path into JSON. In strict mode a value that doesn't fit the path is an error; in lax mode arrays are wrapped
    and unwrapped as needed."""

    strict: bool
    expression: Expression
