"""The answers of attempts at tasks: names and counts."""

from __future__ import annotations

import msgspec

from compute.arrangement.batch import BatchFile
from storage.persist.state import Part


class ExportDone(msgspec.Struct, frozen=True):
    """The result of one attempt for one export: `rows` updates, in a file of an arrangement or in parts of a shard."""

    rows: int
    file: BatchFile | None = None
    parts: tuple[Part, ...] = ()


class StepDone(msgspec.Struct, frozen=True):
    """The result of one attempt. All of it is small but `errors`: a stream of Arrow's with err, time, diff.

    `files`: by name the file of each arrangement that has got rows.
    `seconds`: its processor time. `in_task`: a task has made the attempt, and not the process that wants it made.
    `rows_in`, `rows_read`, `rows_out`: rows sorted, read by the kernel, and put out, to the file `output`.
    `exports`: the result for each export, by name.
    """

    partition: int
    files: dict[str, BatchFile]
    rows_in: int
    rows_read: int
    rows_out: int
    output: str | None
    errors: bytes | None
    seconds: float
    in_task: bool = True
    exports: dict[str, ExportDone] = {}


def encode_done(done: StepDone) -> bytes:
    return msgspec.msgpack.encode(done)


def decode_done(data: bytes) -> StepDone:
    return msgspec.msgpack.decode(data, type=StepDone)
