"""A tsquery: lexemes under & | ! and <n>, as a tree; None is the query without lexemes.

A tsquery's datum, and its physical form everywhere, is bytes:

    length    4 bytes: that of the key
    key       bytes that sort as PostgreSQL's operators compare tsqueries: the number of nodes, the bytes that
              PostgreSQL holds the value in, then the nodes, each before its operands, the right one first
    details   a byte for each lexeme, in the key's order: weights in 4 bits, and 16 for a prefix

PostgreSQL calls queries equal that differ in weights and prefixes alone. So the key is what compares, and stands apart.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from model.search.checksums import old_checksum

DISTANCE_MAX = 1 << 14
_DISTANCE_TOP = 0x7FFF
_DISTANCE = struct.Struct(">H")
_LENGTH = struct.Struct(">I")
_HEAD = struct.Struct(">II")
_OPERATOR, _OPERAND = 255 - 2, 255 - 1
_PREFIX = 16
_HEADER_BYTES, _NODE_BYTES = 8, 12


class QueryOperator(IntEnum):
    """The operators, by PostgreSQL's numbers, which the order of queries knows."""

    NOT = 1
    AND = 2
    OR = 3
    PHRASE = 4


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A lexeme; `weights` is a set of bits, D as 1 to A as 8, and 0 for any; a `prefix` asks for all that begin so."""

    word: str
    weights: int = 0
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Negation:
    operand: QueryNode


@dataclass(frozen=True, slots=True)
class QueryPair:
    """Two operands under an operator other than NOT; `distance` is that of a PHRASE."""

    operator: QueryOperator
    left: QueryNode
    right: QueryNode
    distance: int = 0


QueryNode = Lexeme | Negation | QueryPair


def lexemes_of(node: QueryNode | None) -> Iterator[Lexeme]:
    """Yields the lexemes of a query, in the order of its key."""
    match node:
        case None:
            return
        case Lexeme():
            yield node
        case Negation(operand=operand):
            yield from lexemes_of(operand)
        case QueryPair(left=left, right=right):
            yield from lexemes_of(right)
            yield from lexemes_of(left)


def node_count(node: QueryNode | None) -> int:
    """Returns the number of lexemes and operators."""
    match node:
        case None:
            return 0
        case Lexeme():
            return 1
        case Negation(operand=operand):
            return 1 + node_count(operand)
        case QueryPair(left=left, right=right):
            return 1 + node_count(left) + node_count(right)


def encode_query(node: QueryNode | None) -> bytes:
    """Returns the datum of a query."""
    nodes: list[bytes] = []
    if node is not None:
        _encode(node, nodes)
    lexemes = list(lexemes_of(node))
    count = node_count(node)
    size = _HEADER_BYTES + _NODE_BYTES * count + sum(len(lexeme.word.encode()) + 1 for lexeme in lexemes)
    key = _HEAD.pack(count, size) + b"".join(nodes)
    details = bytes(lexeme.weights | (_PREFIX if lexeme.prefix else 0) for lexeme in lexemes)
    return _LENGTH.pack(len(key)) + key + details


def _encode(node: QueryNode, parts: list[bytes]) -> None:
    match node:
        case Lexeme(word=word):
            data = word.encode()
            parts.append(bytes((_OPERAND,)) + _LENGTH.pack(_checksum_order(data)) + data + b"\0")
        case Negation(operand=operand):
            parts.append(bytes((_OPERATOR, 255 - QueryOperator.NOT)))
            _encode(operand, parts)
        case QueryPair(operator=operator, left=left, right=right, distance=distance):
            parts.append(bytes((_OPERATOR, 255 - operator)))
            _encode(right, parts)
            _encode(left, parts)
            if operator is QueryOperator.PHRASE:
                parts.append(_DISTANCE.pack(_DISTANCE_TOP - distance))


def key_of_query(datum: bytes) -> bytes:
    """Returns the key of a tsquery: bytes that compare as tsqueries do."""
    return datum[4 : 4 + _LENGTH.unpack_from(datum)[0]]


def stored_query_bytes(datum: bytes) -> int:
    """Returns the bytes that PostgreSQL holds a tsquery in."""
    return int(_HEAD.unpack_from(datum, 4)[1])


@lru_cache(maxsize=256)
def decode_query(datum: bytes) -> QueryNode | None:
    """Returns the tree of a datum."""
    key = key_of_query(datum)
    if not _HEAD.unpack_from(key)[0]:
        return None
    return _Decoder(key, iter(datum[4 + len(key) :])).node()


class _Decoder:
    """Reads nodes from a key, and the lexemes' details beside."""

    def __init__(self, key: bytes, details: Iterator[int]) -> None:
        self._key = key
        self._details = details
        self._at = _HEAD.size

    def node(self) -> QueryNode:
        kind = self._key[self._at]
        if kind == _OPERAND:
            start = self._at + 5
            end = self._key.index(0, start)
            self._at = end + 1
            detail = next(self._details)
            return Lexeme(self._key[start:end].decode(), detail % _PREFIX, detail >= _PREFIX)
        operator = QueryOperator(255 - self._key[self._at + 1])
        self._at += 2
        if operator is QueryOperator.NOT:
            return Negation(self.node())
        right = self.node()
        left = self.node()
        distance = 0
        if operator is QueryOperator.PHRASE:
            distance = _DISTANCE_TOP - _DISTANCE.unpack_from(self._key, self._at)[0]
            self._at += 2
        return QueryPair(operator, left, right, distance)


def _checksum_order(data: bytes) -> int:
    """Returns a number that is less where PostgreSQL orders a lexeme first: by its checksum, as a signed number and the
    greatest first."""
    return 0xFFFFFFFF - (old_checksum(data) ^ 0x80000000)
