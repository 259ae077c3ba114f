"""Lists and maps in binary format.

A list is sent as an array of one dimension, or of none when empty, so clients that read arrays read flat lists. A
nested list has the oid of lists, which does not name the type of items: a client must know the type from elsewhere. A
map is the count of its entries, and for each entry the key (UTF-8) and the value, both after their lengths.
"""

from __future__ import annotations

import struct

from model.types.datum import Datum, ShapedArray
from model.types.maps import Map, map_from
from model.types.scalar_type import ScalarType
from server.pgwire.encoding.containers import Receiver, Sender, array_receiver, measured, read_elements
from server.pgwire.encoding.failures import bad_binary, short_data
from server.pgwire.encoding.strings import receive_text, send_text

_COUNT = struct.Struct(">i")


def list_receiver(item: ScalarType, receive: Receiver) -> Receiver:
    """Returns the receiver of lists, which raises 22P03 for a second dimension, or a first item not numbered 1."""
    receive_array = array_receiver(item, receive)

    def receive_list(data: bytes) -> Datum:
        items = receive_array(data)
        if isinstance(items, ShapedArray):
            raise bad_binary("a list has one dimension, and its first item is number 1")
        return items

    return receive_list


def map_sender(send: Sender) -> Sender:
    def send_map(value: Map) -> bytes:
        entries = [measured(key, send_text) + measured(held, send) for key, held in value]
        return _COUNT.pack(len(entries)) + b"".join(entries)

    return send_map


def map_receiver(receive: Receiver) -> Receiver:
    """Returns the receiver of maps; of entries with the same key the last counts, as in text. It raises 22P03 for a
    key that is NULL."""

    def receive_map(data: bytes) -> Map:
        if len(data) < _COUNT.size:
            raise short_data()
        (count,) = _COUNT.unpack_from(data)
        if count < 0:
            raise bad_binary(f"invalid number of map entries: {count}")
        pieces = read_elements(data, _COUNT.size, 2 * count, bytes)
        pairs: list[tuple[str, Datum]] = []
        for key, value in zip(pieces[::2], pieces[1::2], strict=True):
            if not isinstance(key, bytes):
                raise bad_binary("a key of a map can't be NULL")
            pairs.append((receive_text(key), receive(value) if isinstance(value, bytes) else None))
        return map_from(pairs)

    return receive_map
