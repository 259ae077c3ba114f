"""tsquery in text: `fat:AB & (rat:* | !cat) <2> dog` in; lexemes quoted and as few parentheses as it takes, out.

| binds loosest, then &, then <n>, then !. The parser of operators takes what a word becomes from its caller: tsquery's
own input keeps words as they are, where to_tsquery makes lexemes of them, and of a stop word nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.search.queries import (
    DISTANCE_MAX,
    Lexeme,
    Negation,
    QueryNode,
    QueryOperator,
    QueryPair,
    decode_query,
    encode_query,
)
from model.search.vectors import BYTES_MAX, LEXEME_BYTES_END
from model.search.words import OPERATORS, SPACES, quoted, read_word, syntax_error

_TYPE = "tsquery"
_PRIORITY = {QueryOperator.OR: 1, QueryOperator.AND: 2, QueryOperator.PHRASE: 3, QueryOperator.NOT: 4}
_SIGNS = {"&": QueryOperator.AND, "|": QueryOperator.OR}
_PHRASE = re.compile(r"<(-|[0-9]+)>(?=.)", re.DOTALL)
_PENDING_MAX = 32
_WEIGHTS = {"a": 8, "b": 4, "c": 2, "d": 1}


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of a query's text, with the weights and the star behind its colon."""

    text: str
    weights: int = 0
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class QueryPart:
    """A part of a query of which stop words are left out: `node` is None where nothing is left.

    Words left out at the part's beginning and end count in the distances of the phrases around: `before`, `after`."""

    node: QueryNode | None
    before: int = 0
    after: int = 0


STOP = QueryPart(None)


class QueryOperands:
    """The parts of a query that wait for their operators. Lexemes longer or larger in sum than a tsquery holds raise
    54000 with the query's text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._size = 0
        self._parts: list[QueryPart] = []

    def lexeme(self, word: str, weights: int, prefix: bool) -> None:
        """Adds a lexeme."""
        length = len(word.encode())
        if length >= LEXEME_BYTES_END:
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f'word is too long in tsquery: "{self._text}"')
        if self._size >= BYTES_MAX:
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f'value is too big in tsquery: "{self._text}"')
        self._size += length + 1
        self._parts.append(QueryPart(Lexeme(word, weights, prefix)))

    def stop(self) -> None:
        """Adds an operand of which nothing is left."""
        self._parts.append(STOP)

    def apply(self, operator: QueryOperator, distance: int = 0) -> None:
        """Puts the last operand, or the last two, under an operator."""
        right = self._parts.pop()
        if operator is not QueryOperator.NOT:
            self._parts.append(_joined(operator, self._parts.pop(), right, distance))
        elif right.node is None:
            self._parts.append(right)
        else:
            self._parts.append(QueryPart(Negation(right.node), right.before, right.after))

    def query(self) -> bytes:
        """Returns the datum of the whole query."""
        return encode_query(self._parts[-1].node if self._parts else None)


def _joined(operator: QueryOperator, left: QueryPart, right: QueryPart, distance: int) -> QueryPart:
    """Returns two parts under an operator; where one is left of them, the other's width counts in its own distances."""
    phrase = operator is QueryOperator.PHRASE
    if left.node is not None and right.node is not None:
        if not phrase:
            return QueryPart(QueryPair(operator, left.node, right.node))
        whole = _in_16_bits(distance + left.after + right.before)
        return QueryPart(QueryPair(operator, left.node, right.node, whole), left.before, right.after)
    between = distance if phrase else 0
    if left.node is None and right.node is None:
        width = left.before + between + right.before if phrase else max(left.before, right.before)
        return QueryPart(None, width, width)
    if left.node is None:
        return QueryPart(right.node, left.before + between + right.before if phrase else right.before, right.after)
    return QueryPart(left.node, left.before, left.after + between + right.after if phrase else left.after)


def _in_16_bits(number: int) -> int:
    return ((number + (1 << 15)) & 0xFFFF) - (1 << 15)


Add = Callable[[QueryOperands, QueryWord], None]


def keep_word(operands: QueryOperands, word: QueryWord) -> None:
    """Adds a word as a lexeme."""
    operands.lexeme(word.text, word.weights, word.prefix)


def parse_query(text: str) -> bytes:
    """Parses a tsquery. Raises 42601 for a wrong text, 54000 for long lexemes, 22023 for a distance out of bounds."""
    return parse_operators(text, keep_word)


def parse_operators(text: str, add: Add) -> bytes:
    """Parses words under operators; `add` says what a word is in the query. Raises SqlError as parse_query does."""
    operands = QueryOperands(text)
    _Reader(text, operands, add).group()
    return operands.query()


class _Reader:
    def __init__(self, text: str, operands: QueryOperands, add: Add) -> None:
        self._text = text
        self._operands = operands
        self._add = add
        self._at = 0
        self._open = 0
        self._first = True

    def group(self) -> None:
        """Reads up to the parenthesis that closes the group, or to the end."""
        pending = PendingOperators(self._operands)
        while self._operand(pending):
            while True:
                self._skip_spaces()
                sign = self._text[self._at : self._at + 1]
                if sign == ")" and self._open:
                    self._at += 1
                    self._open -= 1
                    pending.finish()
                    return
                if sign == "" and not self._open:
                    pending.finish()
                    return
                operator, distance = self._operator(sign)
                pending.push(operator, distance)
                break

    def _skip_spaces(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in SPACES:
            self._at += 1

    def _operator(self, sign: str) -> tuple[QueryOperator, int]:
        if sign in _SIGNS:
            self._at += 1
            return _SIGNS[sign], 0
        phrase = _PHRASE.match(self._text, self._at)
        if phrase is None:
            overlong = re.compile(r"<([0-9]+)").match(self._text, self._at)
            if overlong is not None:
                checked_distance(int(overlong[1][:20]))
            raise syntax_error(_TYPE, self._text)
        self._at = phrase.end()
        return QueryOperator.PHRASE, 1 if phrase[1] == "-" else checked_distance(int(phrase[1][:20]))

    def _operand(self, pending: PendingOperators) -> bool:
        """Reads an operand with the ! before it; returns False at the end of a text that has none."""
        while True:
            self._skip_spaces()
            sign = self._text[self._at : self._at + 1]
            first, self._first = self._first, False
            if sign == "!":
                self._at += 1
                pending.push(QueryOperator.NOT, 0)
            elif sign == "(":
                self._at += 1
                self._open += 1
                self.group()
                return True
            elif sign == "" and first:
                return False
            elif sign == "":
                raise SqlError(Sqlstate.SYNTAX_ERROR, f'no operand in tsquery: "{self._text}"')
            elif sign == ":":
                raise syntax_error(_TYPE, self._text)
            else:
                word, self._at = read_word(self._text, self._at, _TYPE, OPERATORS)
                assert word is not None
                self._add(self._operands, self._with_modifiers(word))
                return True

    def _with_modifiers(self, word: str) -> QueryWord:
        weights, prefix = 0, False
        if self._text[self._at : self._at + 1] == ":":
            self._at += 1
            while (sign := self._text[self._at : self._at + 1]) and (sign == "*" or sign.lower() in _WEIGHTS):
                prefix = prefix or sign == "*"
                weights |= _WEIGHTS.get(sign.lower(), 0)
                self._at += 1
        return QueryWord(word, weights, prefix)


class PendingOperators:
    """The operators of one group that wait for their right operands, 32 at most: XX000 for more."""

    def __init__(self, operands: QueryOperands) -> None:
        self._operands = operands
        self._waiting: list[tuple[QueryOperator, int]] = []

    def push(self, operator: QueryOperator, distance: int) -> None:
        """Adds an operator; those before that bind as tightly are applied, but a ! waits for the next one."""
        priority = _PRIORITY[operator]
        while self._waiting:
            before = _PRIORITY[self._waiting[-1][0]]
            if priority > before or (priority == before and operator is QueryOperator.NOT):
                break
            self._operands.apply(*self._waiting.pop())
        if len(self._waiting) == _PENDING_MAX:
            raise SqlError(Sqlstate.INTERNAL_ERROR, "tsquery stack too small")
        self._waiting.append((operator, distance))

    def finish(self) -> None:
        """Applies all operators."""
        while self._waiting:
            self._operands.apply(*self._waiting.pop())


def checked_distance(distance: int) -> int:
    """Returns the distance of a phrase; raises 22023 for one out of bounds."""
    if not 0 <= distance <= DISTANCE_MAX:
        message = f"distance in phrase operator must be an integer value between zero and {DISTANCE_MAX} inclusive"
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)
    return distance


def format_query(datum: bytes) -> str:
    """Returns a tsquery as PostgreSQL writes it."""
    return format_node(decode_query(datum))


def format_node(node: QueryNode | None) -> str:
    """Returns a query's tree as PostgreSQL writes it."""
    parts: list[str] = []
    waiting: list[str | _Written] = [] if node is None else [_Written(node)]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            parts.append(each)
        else:
            waiting += reversed(_parts_of(each))
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class _Written:
    """A node that is to be written: how tightly the operator around it binds, and whether it stands to the right in a
    phrase."""

    node: QueryNode
    around: int = 0
    right_of_phrase: bool = False


def _parts_of(written: _Written) -> list[str | _Written]:
    """Returns what a node is written as, in order."""
    match written.node:
        case Lexeme(word=word, weights=weights, prefix=prefix):
            marks = "*" * prefix + "".join(letter.upper() for letter, bit in _WEIGHTS.items() if weights & bit)
            return [quoted(word) + (f":{marks}" if marks else "")]
        case Negation(operand=operand):
            own = _PRIORITY[QueryOperator.NOT]
            return _in_parentheses(["!", _Written(operand, own)], own < written.around)
        case QueryPair(operator=operator, left=left, right=right, distance=distance):
            own, phrase = _PRIORITY[operator], operator is QueryOperator.PHRASE
            sign = {QueryOperator.OR: "|", QueryOperator.AND: "&"}.get(
                operator, "<->" if distance == 1 else f"<{distance}>"
            )
            needed = own < written.around or (phrase and written.right_of_phrase)
            return _in_parentheses([_Written(left, own), f" {sign} ", _Written(right, own, phrase)], needed)


def _in_parentheses(parts: list[str | _Written], needed: bool) -> list[str | _Written]:
    return ["( ", *parts, " )"] if needed else parts
