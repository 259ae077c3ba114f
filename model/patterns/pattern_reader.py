"""A pattern's tokens become a tree."""

from __future__ import annotations

from model.patterns.brackets import one
from model.patterns.failures import OPERAND, PARENTHESES, REFERENCE, invalid
from model.patterns.lexer import (
    Bar,
    CloseToken,
    End,
    Lexer,
    MemberToken,
    OpenBound,
    OpenGroup,
    OpenLook,
    QuantifierToken,
    ReferenceToken,
    Spot,
    Token,
)
from model.patterns.pattern_options import PatternOptions, Syntax
from model.patterns.syntax import (
    Again,
    At,
    Choice,
    Condition,
    Group,
    InOrder,
    Look,
    Node,
    OneOf,
    Preference,
    Times,
    Tree,
)


def read_pattern(pattern: str, position: int, options: PatternOptions) -> Tree:
    """Parses the pattern that begins at `position`; raises 2201B when it isn't valid."""
    reader = _Reader(Lexer(pattern, position, options), options)
    body = reader.choice(nested=False, looking=False)
    groups = tuple(group for group in reader.groups if group is not None)
    return Tree(body, groups, tuple(reader.conditions), options.ignore_case, reader.refers_back)


class _Reader:
    def __init__(self, lexer: Lexer, options: PatternOptions) -> None:
        self._lexer = lexer
        self._options = options
        self.groups: list[Group | None] = []
        self.conditions: list[Condition] = []
        self.refers_back = False

    def choice(self, nested: bool, looking: bool) -> Choice:
        """Parses branches up to the closing parenthesis, or the end."""
        branches = [self._branch(nested, looking)]
        while isinstance(self._lexer.token, Bar):
            self._lexer.advance()
            branches.append(self._branch(nested, looking))
        if nested:
            if not isinstance(self._lexer.token, CloseToken):
                raise invalid(PARENTHESES)
            self._lexer.advance()
        return Choice(tuple(branches))

    def _branch(self, nested: bool, looking: bool) -> InOrder:
        parts: list[Node] = []
        while not isinstance(self._lexer.token, Bar | End):
            if nested and isinstance(self._lexer.token, CloseToken):
                break
            parts.append(self._part(looking))
        return InOrder(tuple(parts))

    def _part(self, looking: bool) -> Node:
        token = self._lexer.token
        match token:
            case Spot():
                self._lexer.advance()
                return self._condition(At(token.place))
            case OpenLook():
                self._lexer.advance()
                return self._condition(Look(self.choice(True, True), token.ahead, token.negated))
            case _:
                assert token is not None
                return self._quantified(self._atom(token, looking))

    def _condition(self, condition: Condition) -> Condition:
        self.conditions.append(condition)
        return condition

    def _atom(self, token: Token, looking: bool) -> Node:
        match token:
            case MemberToken():
                self._lexer.advance()
                return OneOf(token.characters)
            case OpenGroup():
                return self._group(token.captures and not looking, looking)
            case ReferenceToken():
                group = self.groups[token.number - 1] if token.number <= len(self.groups) else None
                if group is None or looking:
                    raise invalid(REFERENCE)
                self._lexer.advance()
                self.refers_back = True
                return Again(group)
            case CloseToken() if self._options.syntax is Syntax.EXTENDED:
                self._lexer.advance()
                return OneOf(one(ord(")"), self._options))
            case CloseToken():
                raise invalid(PARENTHESES)
            case _:
                raise invalid(OPERAND)

    def _group(self, captures: bool, looking: bool) -> Group:
        number = None
        if captures:
            self.groups.append(None)
            self._lexer.opened = number = len(self.groups)
        self._lexer.advance()
        group = Group(number, self.choice(True, looking))
        if number is not None:
            self.groups[number - 1] = group
        return group

    def _quantified(self, atom: Node) -> Times:
        match self._lexer.token:
            case QuantifierToken(least, most, preference):
                self._lexer.advance()
            case OpenBound():
                bound = self._lexer.bound()
                least, most, preference = bound.least, bound.most, bound.preference
            case _:
                least, most, preference = 1, 1, Preference.NONE
        return Times(atom, least, most, preference)
