"""Splits a pattern into tokens, one at a time: whether a number is a back reference depends on the groups opened so
far."""

from __future__ import annotations

from dataclasses import dataclass

from model.patterns.brackets import BracketReader, one
from model.patterns.characters import ESCAPED_CLASSES, EVERY, NEWLINE, Characters
from model.patterns.escapes import digits, escaped_character, octal
from model.patterns.failures import BRACES, COUNT, ESCAPE, OPERAND, invalid
from model.patterns.pattern_options import PatternOptions, Syntax
from model.patterns.syntax import PlaceCondition, Preference

_SPACES = " \t\n\r\f\v"
_TIMES_MAX = 255
_QUANTIFIERS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_PLACES = {
    "A": PlaceCondition.TEXT_START,
    "Z": PlaceCondition.TEXT_END,
    "m": PlaceCondition.WORD_START,
    "M": PlaceCondition.WORD_END,
    "y": PlaceCondition.WORD_EDGE,
    "Y": PlaceCondition.WORD_INSIDE,
}
_WORD_BRACKETS = {"[[:<:]]": PlaceCondition.WORD_START, "[[:>:]]": PlaceCondition.WORD_END}


@dataclass(frozen=True, slots=True)
class End:
    """The pattern is over."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Between two branches."""


@dataclass(frozen=True, slots=True)
class OpenGroup:
    captures: bool


@dataclass(frozen=True, slots=True)
class OpenLook:
    ahead: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class CloseToken:
    """A closing parenthesis."""


@dataclass(frozen=True, slots=True)
class QuantifierToken:
    least: int
    most: int | None
    preference: Preference


@dataclass(frozen=True, slots=True)
class OpenBound:
    """A brace whose numbers have not been read."""


@dataclass(frozen=True, slots=True)
class Spot:
    place: PlaceCondition


@dataclass(frozen=True, slots=True)
class MemberToken:
    characters: Characters


@dataclass(frozen=True, slots=True)
class ReferenceToken:
    number: int


Token = (
    End | Bar | OpenGroup | OpenLook | CloseToken | QuantifierToken | OpenBound | Spot | MemberToken | ReferenceToken
)


class Lexer:
    """The tokens of a pattern. `token` is the next one; `opened` counts the groups, which the reader numbers."""

    def __init__(self, pattern: str, position: int, options: PatternOptions) -> None:
        self._pattern = pattern
        self._position = position
        self._options = options
        self.opened = 0
        self.token: Token | None = None
        self.advance()

    def advance(self) -> None:
        """Goes on to the next token."""
        if self._options.expanded:
            self._skip()
        if self._position >= len(self._pattern):
            self.token = End()
            return
        character = self._pattern[self._position]
        match self._options.syntax:
            case Syntax.LITERAL:
                self.token = self._plain(character)
            case Syntax.BASIC:
                self.token = self._basic(character)
            case _:
                self.token = self._extended(character)

    def bound(self) -> QuantifierToken:
        """Returns the quantifier in the braces opened by the current token, and moves behind it."""
        least = self._number()
        most: int | None = least
        exact = True
        if self._next_of_bound() == ",":
            self._position += 1
            exact = False
            most = self._number() if self._next_of_bound().isdigit() else None
            if most is not None and least > most:
                raise invalid(COUNT)
        closing = "\\}" if self._options.syntax is Syntax.BASIC else "}"
        self._next_of_bound()
        if not self._pattern.startswith(closing, self._position):
            raise invalid(COUNT)
        self._position += len(closing)
        preference = self._preference()
        self.advance()
        return QuantifierToken(least, most, Preference.NONE if exact else preference)

    def _skip(self) -> None:
        """Skips blanks and comments."""
        pattern = self._pattern
        while self._position < len(pattern):
            if pattern[self._position] == "#":
                end = pattern.find("\n", self._position)
                self._position = len(pattern) if end < 0 else end
            elif pattern[self._position] in _SPACES:
                self._position += 1
            else:
                return

    def _next_of_bound(self) -> str:
        if self._options.expanded:
            self._skip()
        if self._position >= len(self._pattern):
            raise invalid(BRACES)
        character = self._pattern[self._position]
        if character not in "0123456789,}\\":
            raise invalid(COUNT)
        return character

    def _number(self) -> int:
        value = 0
        while self._next_of_bound().isdigit():
            value = value * 10 + int(self._pattern[self._position])
            self._position += 1
            if value > _TIMES_MAX:
                raise invalid(COUNT)
        return value

    def _preference(self) -> Preference:
        """Reads which match is preferred: a question mark behind a quantifier of an advanced expression asks for the
        shortest match."""
        if self._options.syntax is Syntax.ADVANCED and self._pattern.startswith("?", self._position):
            self._position += 1
            return Preference.SHORTER
        return Preference.LONGER

    def _taken(self, width: int, token: Token) -> Token:
        self._position += width
        return token

    def _plain(self, character: str) -> Token:
        return self._taken(1, MemberToken(one(ord(character), self._options)))

    def _bracket(self) -> Token:
        for opening, place in _WORD_BRACKETS.items():
            if self._pattern.startswith(opening, self._position):
                return self._taken(len(opening), Spot(place))
        reader = BracketReader(self._pattern, self._position + 1, self._options)
        characters = reader.read()
        self._position = reader.position
        return MemberToken(characters)

    def _dot(self) -> Token:
        return self._taken(1, MemberToken(~NEWLINE if self._options.dot_stops else EVERY))

    def _start(self) -> Token:
        return self._taken(
            1, Spot(PlaceCondition.LINE_START if self._options.anchors_at_lines else PlaceCondition.TEXT_START)
        )

    def _end(self) -> Token:
        return self._taken(
            1, Spot(PlaceCondition.LINE_END if self._options.anchors_at_lines else PlaceCondition.TEXT_END)
        )

    def _extended(self, character: str) -> Token:
        match character:
            case "|":
                return self._taken(1, Bar())
            case "*" | "+" | "?":
                self._position += 1
                return QuantifierToken(*_QUANTIFIERS[character], self._preference())
            case "{":
                return self._brace()
            case "(":
                return self._open()
            case ")":
                return self._taken(1, CloseToken())
            case "[":
                return self._bracket()
            case ".":
                return self._dot()
            case "^":
                return self._start()
            case "$":
                return self._end()
            case "\\":
                self._position += 1
                return self._escape()
            case _:
                return self._plain(character)

    def _brace(self) -> Token:
        self._position += 1
        if self._options.expanded:
            self._skip()
        following = self._pattern[self._position : self._position + 1]
        if following and following in "0123456789":
            return OpenBound()
        return MemberToken(one(ord("{"), self._options))

    def _open(self) -> Token:
        if self._options.syntax is not Syntax.ADVANCED or not self._pattern.startswith("(?", self._position):
            return self._taken(1, OpenGroup(captures=True))
        if self._pattern.startswith("(?#", self._position):
            end = self._pattern.find(")", self._position)
            self._position = len(self._pattern) if end < 0 else end + 1
            self.advance()
            assert self.token is not None
            return self.token
        for opening, token in (
            ("(?:", OpenGroup(captures=False)),
            ("(?=", OpenLook(ahead=True, negated=False)),
            ("(?!", OpenLook(ahead=True, negated=True)),
            ("(?<=", OpenLook(ahead=False, negated=False)),
            ("(?<!", OpenLook(ahead=False, negated=True)),
        ):
            if self._pattern.startswith(opening, self._position):
                return self._taken(len(opening), token)
        raise invalid(OPERAND)

    def _escape(self) -> Token:
        """Reads the letters behind a backslash."""
        pattern, position = self._pattern, self._position
        if position >= len(pattern):
            raise invalid(ESCAPE)
        letter = pattern[position]
        if self._options.syntax is Syntax.EXTENDED:
            return self._plain(letter)
        if letter in _PLACES:
            return self._taken(1, Spot(_PLACES[letter]))
        if letter.lower() in ESCAPED_CLASSES:
            characters = ESCAPED_CLASSES[letter.lower()]
            return self._taken(1, MemberToken(characters if letter.islower() else ~characters))
        if letter in "123456789":
            number, end = digits(pattern, position, 10, 1, 255)
            if end == position + 1 or 0 < number <= self.opened:
                self._position = end
                return ReferenceToken(number)
            code, self._position = octal(pattern, position)
            return self._coded(code)
        found, end = escaped_character(pattern, position)
        if found is None:
            raise invalid(ESCAPE)
        self._position = end
        return self._coded(found)

    def _coded(self, code: int) -> Token:
        return MemberToken(one(code, self._options))

    def _basic(self, character: str) -> Token:
        first = self.token is None or isinstance(self.token, OpenGroup)
        following = self._pattern[self._position + 1 : self._position + 3]
        match character:
            case "*" if not first:
                return self._taken(1, QuantifierToken(0, None, Preference.LONGER))
            case "[":
                return self._bracket()
            case ".":
                return self._dot()
            case "^" if first:
                return self._start()
            case "$" if not following or following == "\\)":
                return self._end()
            case "\\":
                return self._basic_escape(following[:1])
            case _:
                return self._plain(character)

    def _basic_escape(self, letter: str) -> Token:
        match letter:
            case "":
                raise invalid(ESCAPE)
            case "{":
                return self._taken(2, OpenBound())
            case "(":
                return self._taken(2, OpenGroup(captures=True))
            case ")":
                return self._taken(2, CloseToken())
            case "<":
                return self._taken(2, Spot(PlaceCondition.WORD_START))
            case ">":
                return self._taken(2, Spot(PlaceCondition.WORD_END))
            case _ if letter in "123456789":
                return self._taken(2, ReferenceToken(int(letter)))
            case _:
                self._position += 1
                return self._plain(letter)
