"""Lexemes of tokens by a configuration of text search; stop words have none.

QueryPair configurations keep the lower case of numbers, addresses and paths, and have no dictionary for blanks, tags,
protocols and entities. `simple` keeps words, too; `english` leaves out PostgreSQL's stop words, and stems all else by
Snowball's algorithm for English, in the version of PostgreSQL 16 (Snowball 2.2).
"""

from __future__ import annotations

import threading
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.patterns.cases import lower
from model.search.configurations import ENGLISH, NAMES
from planner.functions.search.token_rules import TokenType

_WITHOUT_DICTIONARY = frozenset((TokenType.BLANK, TokenType.TAG, TokenType.PROTOCOL, TokenType.ENTITY))
_STEMMED = frozenset(
    (
        TokenType.ASCIIWORD,
        TokenType.WORD,
        TokenType.ASCIIHWORD,
        TokenType.HWORD,
        TokenType.HWORD_ASCIIPART,
        TokenType.HWORD_PART,
    )
)
_STOP_WORDS = """
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
has had having do does did doing a an the and but if or because as until while of at by for with about against between
into through during before after above below to from up down in out on off over under again further then once here there
when where why how all any both each few more most other some such no nor not only own same so than too very s t can
will just don should now
"""
_STOPPED = frozenset(_STOP_WORDS.split())
_BYTES_MAX = 1000
"""Longer words belong to no language, and are not stemmed."""
_stemmer = EnglishStemmer()
_stemming = threading.Lock()


def check_configuration(configuration: int) -> None:
    """Raises XX000 for an oid without a configuration."""
    if configuration not in NAMES:
        message = f"cache lookup failed for text search configuration {configuration}"
        raise SqlError(Sqlstate.INTERNAL_ERROR, message)


def lexeme_of(configuration: int, token: TokenType, text: str) -> str | None:
    """Returns the lexeme of a token with a dictionary; None for a stop word."""
    word = lower(text)
    if configuration != ENGLISH or token not in _STEMMED:
        return word
    return None if word in _STOPPED else _stemmed(word)


def has_dictionary(token: TokenType) -> bool:
    """Tells whether the configurations have a dictionary for a type of tokens."""
    return token not in _WITHOUT_DICTIONARY


@lru_cache(maxsize=1 << 15)
def _stemmed(word: str) -> str:
    if len(word.encode()) > _BYTES_MAX:
        return word
    # The stemmer keeps the word that it works on.
    with _stemming:
        stem: str = _stemmer.stemWord(word)
    return stem
