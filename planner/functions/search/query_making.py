"""Questions as tsqueries: to_tsquery takes tsquery's operators, plainto_ and phraseto_tsquery plain text, and
websearch_to_tsquery the language of search engines: words, "phrases", or, and - for not.

Each word of a question is a document, whose lexemes stand under an operator: a phrase, or & in plain text.
"""

from __future__ import annotations

from model.patterns.characters import CLASSES
from model.search.queries import QueryOperator
from model.search.query_text import Add, PendingOperators, QueryOperands, QueryWord, parse_operators
from model.search.words import OPERATORS, SPACES, read_word
from planner.functions.search.dictionaries import check_configuration
from planner.functions.search.documents import words_of

_ENDS = OPERATORS | {'"'}
_PASSED_OVER = OPERATORS | SPACES
"""Between an operand and the operator behind it."""


def _adding(configuration: int, operator: QueryOperator) -> Add:
    """Returns the function to add the lexemes of a word under `operator`, with stops in the places of stop words."""

    def add(operands: QueryOperands, word: QueryWord) -> None:
        words, _ = words_of(configuration, word.text)
        last = 0
        for lexeme, place in words:
            for _ in range(last + 1, place if last else 0):
                operands.stop()
                operands.apply(operator, 1)
            operands.lexeme(lexeme, word.weights, word.prefix)
            if last:
                operands.apply(operator, 1)
            last = place
        if not words:
            operands.stop()

    return add


def to_query(configuration: int, text: str) -> bytes:
    """Returns the tsquery of words under operators; raises SqlError as tsquery's input does."""
    check_configuration(configuration)
    return parse_operators(text, _adding(configuration, QueryOperator.PHRASE))


def plain_to_query(configuration: int, text: str) -> bytes:
    """Returns the tsquery of all words of a text."""
    return _of_plain(configuration, text, QueryOperator.AND)


def phrase_to_query(configuration: int, text: str) -> bytes:
    """Returns the tsquery of the words of a text in their order."""
    return _of_plain(configuration, text, QueryOperator.PHRASE)


def _of_plain(configuration: int, text: str, operator: QueryOperator) -> bytes:
    check_configuration(configuration)
    operands = QueryOperands(text)
    if text:
        _adding(configuration, operator)(operands, QueryWord(text))
    return operands.query()


def web_to_query(configuration: int, text: str) -> bytes:
    """Returns the tsquery of a question as to a search engine; every text is right."""
    check_configuration(configuration)
    operands = QueryOperands(text)
    _WebReader(text, operands, _adding(configuration, QueryOperator.PHRASE)).read()
    return operands.query()


class _WebReader:
    def __init__(self, text: str, operands: QueryOperands, add: Add) -> None:
        self._text = text
        self._operands = operands
        self._add = add
        self._at = 0

    def read(self) -> None:
        """Reads operands, with & between neighbours without an operator."""
        pending = PendingOperators(self._operands)
        first = True
        while True:
            if not self._operand(pending, first):
                break
            first = False
            self._skip(_PASSED_OVER)
            if self._at == len(self._text):
                break
            is_or = self._is_or()
            self._at += 2 * is_or
            pending.push(QueryOperator.OR if is_or else QueryOperator.AND, 0)
        pending.finish()

    def _skip(self, letters: frozenset[str]) -> None:
        while self._text[self._at : self._at + 1] in letters:
            self._at += 1

    def _operand(self, pending: PendingOperators, first: bool) -> bool:
        """Reads an operand with the - before; returns False at the end of the text, where a waiting operator gets
        nothing."""
        while True:
            self._skip(SPACES)
            sign = self._text[self._at : self._at + 1]
            if sign == "":
                if not first:
                    self._operands.stop()
                return False
            if sign == "-":
                self._at += 1
                pending.push(QueryOperator.NOT, 0)
                first = False
            elif sign == '"':
                end = self._text.find('"', self._at + 1)
                end = len(self._text) if end < 0 else end
                self._add(self._operands, QueryWord(self._text[self._at + 1 : end]))
                self._at = end + 1
                return True
            elif sign in OPERATORS:
                self._at += 1
                first = False
            else:
                word, self._at = read_word(self._text, self._at, "tsquery", _ENDS, plain=True)
                assert word is not None
                self._add(self._operands, QueryWord(word))
                return True

    def _is_or(self) -> bool:
        """Tells whether the word "or" is next, and something behind."""
        behind = self._at + 2
        if self._text[self._at : behind].lower() != "or" or behind >= len(self._text):
            return False
        letter = self._text[behind]
        if letter in "-_" or letter in CLASSES["alnum"]:
            return False
        return bool(self._text[behind + 1 :].strip("".join(SPACES)))
