"""tsvector and tsquery in binary format.

A tsvector is the number of its lexemes, then each with a zero behind, the number of its places, and these in 16 bits:
two for the weight above 14 for the place. A tsquery is the number of its nodes, then each node before its operands, the
right one first: a lexeme has its weights, whether it is a prefix, and its text with a zero behind.
"""

from __future__ import annotations

import struct
from itertools import pairwise

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.search.queries import (
    Lexeme,
    Negation,
    QueryNode,
    QueryOperator,
    QueryPair,
    decode_query,
    encode_query,
    nodes_of,
)
from model.search.vectors import (
    BYTES_MAX,
    LEXEME_BYTES_END,
    PLACES_MAX,
    Entry,
    decode_vector,
    encode_vector,
    place_of,
    weight_of,
)
from server.pgwire.encoding.failures import bad_binary
from server.pgwire.encoding.strings import receive_text

_OPERAND, _OPERATOR = 1, 2
_WEIGHTS_MAX = 0xF
_NODES_MAX = 1 << 26


def send_vector(datum: bytes) -> bytes:
    """Returns a tsvector as PostgreSQL sends it."""
    vector = decode_vector(datum)
    parts = [struct.pack(">i", len(vector))]
    for lexeme, positions in vector:
        packed = [weight_of(each) << 14 | place_of(each) for each in positions]
        parts.append(lexeme.encode() + b"\0" + struct.pack(f">H{len(packed)}H", len(packed), *packed))
    return b"".join(parts)


def receive_vector(data: bytes) -> bytes:
    """Decodes a tsvector; raises 22P03 for too few or too many bytes, XX000 for others that are wrong."""
    message = _Message(data)
    count = message.number(">i")
    if not 0 <= count <= _NODES_MAX:
        raise _invalid("invalid size of tsvector")
    entries: list[Entry] = []
    size = 0
    for _ in range(count):
        lexeme = message.text()
        if len(lexeme.encode()) > LEXEME_BYTES_END:
            raise _invalid("invalid tsvector: lexeme too long")
        size += len(lexeme.encode())
        if size > BYTES_MAX:
            raise _invalid("invalid tsvector: maximum total lexeme length exceeded")
        places = message.number(">H")
        if places > PLACES_MAX:
            raise _invalid("unexpected number of tsvector positions")
        packed = [message.number(">H") for _ in range(places)]
        positions = tuple([(each & 0x3FFF) << 2 | each >> 14 for each in packed])
        if any(place_of(later) <= place_of(earlier) for earlier, later in pairwise(positions)):
            raise _invalid("position information is misordered")
        entries.append((lexeme, positions))
    message.finish()
    return encode_vector(sorted(entries, key=lambda entry: entry[0]))


def send_query(datum: bytes) -> bytes:
    """Returns a tsquery as PostgreSQL sends it."""
    parts = list(map(_sent_node, nodes_of(decode_query(datum))))
    return struct.pack(">i", len(parts)) + b"".join(parts)


def _sent_node(node: QueryNode) -> bytes:
    match node:
        case Lexeme(word=word, weights=weights, prefix=prefix):
            return bytes((_OPERAND, weights, prefix)) + word.encode() + b"\0"
        case Negation():
            return bytes((_OPERATOR, QueryOperator.NOT))
        case QueryPair(operator=operator, distance=distance):
            phrase = struct.pack(">h", distance) if operator is QueryOperator.PHRASE else b""
            return bytes((_OPERATOR, operator)) + phrase


def receive_query(data: bytes) -> bytes:
    """Decodes a tsquery; raises 22P03 for too few or too many bytes, XX000 for others that are wrong."""
    message = _Message(data)
    count = message.number(">i")
    if not 0 <= count <= _NODES_MAX:
        raise _invalid("invalid size of tsquery")
    reader = _NodeReader(message, count)
    query = reader.node() if count else None
    if reader.left:
        raise _invalid("malformed tsquery: extra nodes")
    message.finish()
    return encode_query(query)


class _NodeReader:
    def __init__(self, message: _Message, count: int) -> None:
        self._message = message
        self._size = 0
        self.left = count

    def node(self) -> QueryNode:
        if not self.left:
            raise _invalid("malformed tsquery: operand not found")
        self.left -= 1
        kind = self._message.number(">b")
        if kind == _OPERAND:
            return self._lexeme()
        if kind != _OPERATOR:
            raise _invalid(f"unrecognized tsquery node type: {kind}")
        number = self._message.number(">b")
        if number not in list(QueryOperator):
            raise _invalid(f"invalid tsquery: unrecognized operator type {number}")
        operator = QueryOperator(number)
        if operator is QueryOperator.NOT:
            return Negation(self.node())
        distance = self._message.number(">h") if operator is QueryOperator.PHRASE else 0
        right = self.node()
        return QueryPair(operator, self.node(), right, distance)

    def _lexeme(self) -> QueryNode:
        weights, prefix = self._message.number(">B"), self._message.number(">B")
        word = self._message.text()
        if weights > _WEIGHTS_MAX:
            raise _invalid("invalid tsquery: invalid weight bitmap")
        length = len(word.encode())
        if length > LEXEME_BYTES_END:
            raise _invalid("invalid tsquery: operand too long")
        if self._size > BYTES_MAX:
            raise _invalid("invalid tsquery: total operand length exceeded")
        self._size += length + 1
        return Lexeme(word, weights, prefix != 0)


def _invalid(message: str) -> SqlError:
    return SqlError(Sqlstate.INTERNAL_ERROR, message)


class _Message:
    """The bytes of a value, read in order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, form: str) -> int:
        end = self._at + struct.calcsize(form)
        if end > len(self._data):
            raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "insufficient data left in message")
        (number,) = struct.unpack_from(form, self._data, self._at)
        self._at = end
        return int(number)

    def text(self) -> str:
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "invalid string in message")
        text = receive_text(self._data[self._at : end])
        self._at = end + 1
        return text

    def finish(self) -> None:
        if self._at != len(self._data):
            raise bad_binary("incorrect binary data format")
