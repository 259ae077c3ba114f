"""Reads the flags, and the options at the beginning of a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from model.patterns.failures import OPERAND, OPTION, VERSION, invalid, unknown_flag


class Syntax(Enum):
    """In which language the pattern is written: ADVANCED unless something else is said."""

    BASIC = "basic"
    EXTENDED = "extended"
    ADVANCED = "advanced"
    LITERAL = "literal"


@dataclass(slots=True)
class PatternOptions:
    """Case, how newlines count, blanks and comments."""

    syntax: Syntax = Syntax.ADVANCED
    ignore_case: bool = False
    expanded: bool = False
    dot_stops: bool = False
    anchors_at_lines: bool = False

    def apply(self, flag: str) -> bool:
        """Applies a flag; tells whether there is such a flag."""
        match flag:
            case "i" | "c":
                self.ignore_case = flag == "i"
            case "x" | "t":
                self.expanded = flag == "x"
            case "n" | "m" | "s":
                self.dot_stops = self.anchors_at_lines = flag != "s"
            case "p" | "w":
                self.dot_stops, self.anchors_at_lines = flag == "p", flag == "w"
            case "q":
                self.syntax = Syntax.LITERAL
            case "b":
                self.syntax = Syntax.BASIC
            case "e":
                self.syntax = Syntax.EXTENDED
            case _:
                return False
        return True


def read_options(pattern: str, flags: str) -> tuple[PatternOptions, int]:
    """Returns the options, and where the pattern begins behind its own; raises 22023 for unknown flags, 2201B for
    unknown options."""
    options = PatternOptions()
    for flag in flags:
        # As a flag of a function, `e` makes basic expressions too; inside of a pattern it makes extended ones.
        if not options.apply("b" if flag == "e" else flag):
            raise unknown_flag(flag)
    if options.syntax is Syntax.LITERAL:
        return options, 0
    position = _director(pattern, options)
    if options.syntax is Syntax.ADVANCED and pattern.startswith("(?", position):
        position = _embedded(pattern, position, options)
    return options, position


def _director(pattern: str, options: PatternOptions) -> int:
    if not pattern.startswith("***") or len(pattern) == 3:
        return 0
    match pattern[3]:
        case "=":
            options.syntax = Syntax.LITERAL
            options.expanded = options.dot_stops = options.anchors_at_lines = False
        case ":":
            options.syntax = Syntax.ADVANCED
        case "?":
            raise invalid(VERSION)
        case _:
            raise invalid(OPERAND)
    return 4


def _embedded(pattern: str, position: int, options: PatternOptions) -> int:
    letters = position + 2
    end = letters
    while end < len(pattern) and pattern[end].isascii() and pattern[end].isalpha():
        end += 1
    if end == letters:
        return position
    for flag in pattern[letters:end]:
        if not options.apply(flag):
            raise invalid(OPTION)
    if not pattern.startswith(")", end):
        raise invalid(OPTION)
    return end + 1
