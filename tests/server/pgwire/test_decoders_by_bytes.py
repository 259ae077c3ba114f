"""Whatever bytes come, COPY's decoders and that of start-up packets read them or refuse them by an SQLSTATE; and
however the bytes are cut, what is read is the same.

Of several faults in COPY's data another may be told first where it is cut elsewhere, and bytes behind the mark of the
end are looked at only where they come with it.
"""

from __future__ import annotations

import struct
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import rows_from_arrow
from model.text.context import DEFAULT_CONTEXT
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from model.types.scalar_type import (
    BOOL,
    BYTEA,
    DATE,
    FLOAT8,
    INT4,
    INT8,
    INTERVAL,
    JSONB,
    NUMERIC,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    array_of,
)
from server.pgwire.codec import Decoder
from server.pgwire.copy.binary_in import BINARY_TRAILER, binary_header, binary_row
from server.pgwire.copy.options import CopyClause, resolve_options
from server.pgwire.copy.rows_in import copy_decoder
from tests.draws import draws
from tests.server.pgwire.frames import startup

_EXAMPLES = 60
_DESC = relation_desc(
    ("i", INT4),
    ("t", TEXT),
    ("n", NUMERIC),
    ("f", FLOAT8),
    ("b", BYTEA),
    ("d", DATE),
    ("z", TIMESTAMPTZ),
    ("v", INTERVAL),
    ("j", JSONB),
    ("u", UUID),
    ("a", array_of(INT8)),
    ("o", BOOL),
)
_VALUES = (
    "1",
    "a b",
    "-1.50",
    "1e3",
    "\\\\x00ff",
    "2020-02-29",
    "2020-01-01 10:11:12+02",
    "1 day 02:00",
    '{"k": [1, null]}',
    "00000000-0000-0000-0000-00000000000a",
    "{1,NULL,3}",
    "t",
)

_QUOTED = ",".join('"' + value.replace("\\\\", "\\").replace('"', '""') + '"' for value in _VALUES)
_NULLS = ["\\N"] * len(_VALUES)
_BINARY = (
    struct.pack(">i", 7),
    b"text",
    struct.pack(">hhhhhh", 2, 0, 0x4000, 2, 1, 5000),
    struct.pack(">d", 1.5),
    b"\0\xff",
    struct.pack(">i", 1),
    struct.pack(">q", 1),
    struct.pack(">qii", 1, 2, 3),
    b'\1{"k": 1}',
    bytes(16),
    struct.pack(">iiIiiiq", 1, 0, 20, 1, 1, 8, 5),
    b"\1",
)
_BINARY_ROW = binary_row([struct.pack(">i", len(field)) + field for field in _BINARY])
_BINARY_DATA = binary_header() + _BINARY_ROW * 2 + BINARY_TRAILER
_CLAUSES = {
    "text": (CopyClause(format="text"), ("\t".join(_VALUES) + "\n" + "\t".join(_NULLS) + "\n\\.\n").encode()),
    "text with a header": (
        CopyClause(format="text", header="match", delimiter="|"),
        ("|".join(_DESC.names) + "\r\n" + "|".join(_VALUES) + "\r\n").encode(),
    ),
    "csv": (CopyClause(format="csv"), (_QUOTED + "\n" + "," * (len(_VALUES) - 1) + "\n").encode()),
    "csv with other signs": (
        CopyClause(format="csv", quote="'", escape="\\", null="a", header="true"),
        (
            ",".join(_DESC.names)
            + "\n"
            + _QUOTED.replace("\\", "\\\\").replace('""', "\x01").replace('"', "'").replace("\x01", '"')
            + "\n"
        ).encode(),
    ),
    "binary": (CopyClause(format="binary"), _BINARY_DATA),
}
_SIGNS = st.sampled_from(
    [b"\0", b"\xff", b"\\", b"\\.", b"\\.\n", b'"', b"'", b"\n", b"\r", b"\r\n", b"\t", b",", b"|", b"\\x", b"\\777"]
    + [
        b"\xed\xa0\x80",
        b"{",
        b"}",
        b"[" * 200,
        b"\\u0000",
        b"\xff\xff\xff\xff",
        b"\x7f\xff\xff\xff",
        b"9" * 400,
        b"NaN",
    ]
)
_PIECES = _SIGNS | st.binary(max_size=8)
_EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), _PIECES), max_size=4)
"""Where in the bytes, how many are taken away there, and what comes in their place."""
_CUTS = st.lists(st.floats(0, 1), max_size=4)


def _edited(data: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    for place, length, piece in edits:
        at = int(place * len(data))
        data = data[:at] + piece + data[at + length :]
    return data


def _pieces(data: bytes, cuts: list[float]) -> list[bytes]:
    places = [0, *sorted(int(cut * len(data)) for cut in cuts), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


def _read(clause: CopyClause, pieces: list[bytes]) -> str | SqlError:
    """Returns the rows as a text, in which NaN is equal to itself; or the error."""
    decoder = copy_decoder("t", _DESC, resolve_options(clause, _DESC.names, reading=True), DEFAULT_CONTEXT)
    rows: list[Row] = []
    try:
        for batch in (*map(decoder.feed, pieces), decoder.finish()):
            rows += rows_from_arrow(batch, _DESC) if isinstance(batch, pa.Table) else batch
    except SqlError as error:
        return error
    return repr(rows)


def _hold_alike(clause: CopyClause, data: bytes, cuts: list[float]) -> None:
    outcomes = [_read(clause, _pieces(data, cuts)), _read(clause, [data])]
    read = [outcome for outcome in outcomes if isinstance(outcome, str)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, SqlError)]
    assert len(set(read)) <= 1
    assert all(error.sqlstate is not Sqlstate.INTERNAL_ERROR for error in refused), refused


@pytest.mark.parametrize("name", _CLAUSES)
def test_what_is_damaged_begins_as_something_that_is_read(name: str) -> None:
    clause, data = _CLAUSES[name]
    found = _read(clause, [data])
    assert isinstance(found, str) and found.startswith("[("), found


@pytest.mark.parametrize("name", _CLAUSES)
@given(edits=_EDITS, cuts=_CUTS)
@draws(_EXAMPLES)
def test_damaged_copy_data_is_read_or_refused(
    name: str, edits: list[tuple[float, int, bytes]], cuts: list[float]
) -> None:
    clause, whole = _CLAUSES[name]
    _hold_alike(clause, _edited(whole, edits), cuts)


@pytest.mark.parametrize("name", _CLAUSES)
@given(data=st.lists(_PIECES, max_size=30).map(b"".join), cuts=_CUTS)
@draws(_EXAMPLES)
def test_any_bytes_are_copied_or_refused(name: str, data: bytes, cuts: list[float]) -> None:
    _hold_alike(_CLAUSES[name][0], data, cuts)


_STARTUP = startup({"user": "ann", "database": "d", "options": "-c x=1", "client_encoding": "UTF8"})
_FIRST_PACKETS = st.sampled_from(
    [
        _STARTUP,
        struct.pack(">ii", 8, 80877103),
        struct.pack(">ii", 8, 80877104),
        struct.pack(">iiII", 16, 80877102, 1, 2),
    ]
)


def _with_length(packet: bytes) -> bytes:
    return struct.pack(">i", len(packet) + 4) + packet


def _started(pieces: list[bytes]) -> list[str]:
    """Returns the start-up packets that are read, then the error by which the rest is refused."""
    decoder, found = Decoder(), []
    try:
        for piece in pieces:
            decoder.feed(piece)
            while (message := decoder.next()) is not None:
                found.append(repr(message))
    except SqlError as error:
        found.append(f"{error.severity} {error.sqlstate} {error.message}")
    return found


def _hold_started_alike(data: bytes, cuts: list[float]) -> None:
    found = _started(_pieces(data, cuts))
    assert found == _started([data])
    assert not any("XX000" in each for each in found)


@given(packets=st.lists(st.tuples(_FIRST_PACKETS, _EDITS), min_size=1, max_size=3), cuts=_CUTS)
@draws(_EXAMPLES)
def test_damaged_start_up_packets_are_read_or_refused_however_they_are_cut(
    packets: list[tuple[bytes, list[tuple[float, int, bytes]]]], cuts: list[float]
) -> None:
    _hold_started_alike(b"".join(_edited(packet, edits) for packet, edits in packets), cuts)


@given(bodies=st.lists(_PIECES, max_size=12).map(b"".join).map(_with_length), cuts=_CUTS)
@draws(_EXAMPLES)
def test_any_start_up_packet_is_read_or_refused_however_it_is_cut(bodies: bytes, cuts: list[float]) -> None:
    version = struct.pack(">i", 196608)
    for packet in (bodies, _with_length(version + bodies[4:])):
        _hold_started_alike(packet, cuts)
