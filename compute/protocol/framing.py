"""Frames: a message and its Arrow payload, on a byte stream. No I/O here: bytes in, frames out.

frame    u32 length of the message, u32 length of the payload (big-endian), message, payload
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from compute.protocol.codec import Codec, MalformedMessage

_LENGTHS = struct.Struct(">II")
MESSAGE_BYTES_MAX = 64 << 20
PAYLOAD_BYTES_MAX = 1 << 30


@dataclass(frozen=True, slots=True)
class Frame:
    """A message and its payload, perhaps empty."""

    message: object
    payload: bytes = b""


def encode_frame(codec: Codec, frame: Frame) -> bytes:
    """Returns the bytes of one frame; AssertionError for a frame too long for the receiver."""
    return framed(codec.encode(frame.message), frame.payload)


def framed(message: bytes, payload: bytes = b"") -> bytes:
    """Returns the bytes of the frame of an encoded message; AssertionError for a frame too long for the receiver."""
    assert len(message) <= MESSAGE_BYTES_MAX and len(payload) <= PAYLOAD_BYTES_MAX, "the frame is too long"
    return b"".join((_LENGTHS.pack(len(message), len(payload)), message, payload))


class FrameReader:
    """Cuts a stream into frames; keeps what is incomplete for the next bytes."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yields the frames that `data` completes. After MalformedMessage the stream is useless."""
        self._buffer += data
        while len(self._buffer) >= _LENGTHS.size:
            message_bytes, payload_bytes = _LENGTHS.unpack_from(self._buffer)
            if message_bytes > MESSAGE_BYTES_MAX or payload_bytes > PAYLOAD_BYTES_MAX:
                raise MalformedMessage("a frame is longer than any may be")
            payload_at = _LENGTHS.size + message_bytes
            end = payload_at + payload_bytes
            if len(self._buffer) < end:
                return
            message = bytes(self._buffer[_LENGTHS.size : payload_at])
            payload = bytes(self._buffer[payload_at:end])
            del self._buffer[:end]
            yield Frame(self._codec.decode(message), payload)


def batches_to_payload(schema: pa.Schema, batches: list[pa.RecordBatch]) -> bytes:
    """Returns record batches as one Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return bytes(sink.getvalue())


def batches_from_payload(payload: bytes) -> list[pa.RecordBatch]:
    """Returns the record batches of an Arrow IPC stream; raises MalformedMessage when it is none."""
    try:
        with pa.ipc.open_stream(payload) as reader:
            return list(reader)
    except pa.ArrowInvalid as error:
        raise MalformedMessage(f"not an Arrow stream: {error}") from error
