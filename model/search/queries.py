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


def left_spine(node: QueryNode, *stops: QueryOperator) -> tuple[QueryNode, list[QueryPair]]:
    """Returns what stands leftmost under pairs, and these pairs, the innermost first, down to a pair under one of
    `stops`: `a & b & c` is as deep as it is long, deeper than functions call themselves."""
    pairs: list[QueryPair] = []
    while isinstance(node, QueryPair) and node.operator not in stops:
        pairs.append(node)
        node = node.left
    return node, pairs[::-1]


def nodes_of(node: QueryNode | None) -> Iterator[QueryNode]:
    """Yields lexemes and operators in the order of the key: each operator before its operands, the right one first."""
    waiting = [] if node is None else [node]
    while waiting:
        each = waiting.pop()
        yield each
        match each:
            case Negation(operand=operand):
                waiting.append(operand)
            case QueryPair(left=left, right=right):
                waiting += (left, right)


def lexemes_of(node: QueryNode | None) -> Iterator[Lexeme]:
    """Yields the lexemes of a query, in the order of its key."""
    return (each for each in nodes_of(node) if isinstance(each, Lexeme))


def node_count(node: QueryNode | None) -> int:
    """Returns the number of lexemes and operators."""
    return sum(1 for _ in nodes_of(node))


def encode_query(node: QueryNode | None) -> bytes:
    """Returns the datum of a query."""
    lexemes = list(lexemes_of(node))
    count = node_count(node)
    size = _HEADER_BYTES + _NODE_BYTES * count + sum(len(lexeme.word.encode()) + 1 for lexeme in lexemes)
    key = _HEAD.pack(count, size) + b"".join(_encoded(node))
    details = bytes(lexeme.weights | (_PREFIX if lexeme.prefix else 0) for lexeme in lexemes)
    return _LENGTH.pack(len(key)) + key + details


def _encoded(node: QueryNode | None) -> Iterator[bytes]:
    """Yields the bytes of the key's nodes; the distance of a phrase stands behind its operands."""
    waiting: list[QueryNode | bytes] = [] if node is None else [node]
    while waiting:
        match waiting.pop():
            case bytes() as data:
                yield data
            case Lexeme(word=word):
                data = word.encode()
                yield bytes((_OPERAND,)) + _LENGTH.pack(_checksum_order(data)) + data + b"\0"
            case Negation(operand=operand):
                yield bytes((_OPERATOR, 255 - QueryOperator.NOT))
                waiting.append(operand)
            case QueryPair(operator=operator, left=left, right=right, distance=distance):
                yield bytes((_OPERATOR, 255 - operator))
                if operator is QueryOperator.PHRASE:
                    waiting.append(_DISTANCE.pack(_DISTANCE_TOP - distance))
                waiting += (left, right)


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
        """Returns the next node, with its operands, by a stack of operators and the operands that they have so far."""
        waiting: list[tuple[QueryOperator, list[QueryNode]]] = []
        while True:
            kind = self._key[self._at]
            if kind != _OPERAND:
                waiting.append((QueryOperator(255 - self._key[self._at + 1]), []))
                self._at += 2
                continue
            node: QueryNode = self._lexeme()
            while waiting:
                operator, operands = waiting[-1]
                operands.append(node)
                if operator is not QueryOperator.NOT and len(operands) == 1:
                    break
                waiting.pop()
                node = self._operation(operator, operands)
            else:
                return node

    def _lexeme(self) -> Lexeme:
        start = self._at + 5
        end = self._key.index(0, start)
        self._at = end + 1
        detail = next(self._details)
        return Lexeme(self._key[start:end].decode(), detail % _PREFIX, detail >= _PREFIX)

    def _operation(self, operator: QueryOperator, operands: list[QueryNode]) -> QueryNode:
        """Returns an operator with its operands, of which the right one was read first."""
        if operator is QueryOperator.NOT:
            return Negation(operands[0])
        distance = 0
        if operator is QueryOperator.PHRASE:
            distance = _DISTANCE_TOP - _DISTANCE.unpack_from(self._key, self._at)[0]
            self._at += 2
        return QueryPair(operator, operands[1], operands[0], distance)


def _checksum_order(data: bytes) -> int:
    """Returns a number that is less where PostgreSQL orders a lexeme first: by its checksum, as a signed number and the
    greatest first."""
    return 0xFFFFFFFF - (old_checksum(data) ^ 0x80000000)
