"""Reads the characters that a backslash and the letters behind it stand for."""

from __future__ import annotations

from model.patterns.characters import CODE_MAX
from model.patterns.failures import ESCAPE, invalid

_CHARACTERS = {"a": 7, "b": 8, "B": 0x5C, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_HEXADECIMAL_WIDTHS = {"u": (4, 4), "U": (8, 8), "x": (1, 255)}
_CODE_BITS = 32


def digits(pattern: str, position: int, base: int, least: int, most: int) -> tuple[int, int]:
    """Reads a number with so many digits; returns it with its end. It overflows as one of 32 bits."""
    end = position
    value = 0
    while end < len(pattern) and end - position < most:
        character = pattern[end]
        if not character.isascii() or not character.isalnum() or (digit := int(character, 36)) >= base:
            break
        value = (value * base + digit) % (1 << _CODE_BITS)
        end += 1
    if end - position < least:
        raise invalid(ESCAPE)
    return value, end


def escaped_character(pattern: str, position: int) -> tuple[int | None, int]:
    """Returns the code of the escaped character whose letters begin at `position`, and their end; None as the code
    when they stand for no character."""
    if position >= len(pattern):
        raise invalid(ESCAPE)
    letter = pattern[position]
    if not (letter.isascii() and letter.isalnum()):
        return ord(letter), position + 1
    if letter in _CHARACTERS:
        return _CHARACTERS[letter], position + 1
    if letter in _HEXADECIMAL_WIDTHS:
        code, end = digits(pattern, position + 1, 16, *_HEXADECIMAL_WIDTHS[letter])
        if code > CODE_MAX:
            raise invalid(ESCAPE)
        return code, end
    if letter == "c":
        if position + 1 >= len(pattern):
            raise invalid(ESCAPE)
        return ord(pattern[position + 1]) & 0x1F, position + 2
    if letter.isdigit():
        return (None, position) if letter != "0" else octal(pattern, position)
    return None, position


def octal(pattern: str, position: int) -> tuple[int, int]:
    """Returns a code of at most three octal digits that fits a byte."""
    code, end = digits(pattern, position, 8, 1, 3)
    return (code >> 3, end - 1) if code > 0xFF else (code, end)
