"""From a seed: sessions of mutated, truncated, reordered and oversized messages, each judged by what comes back.

A case is a handful of messages, some damaged, fed in pieces of any size, then a probe. It holds when the output is
whole messages, no defect was answered with XX000, what is buffered stays bounded, and either the connection ended
with a FATAL error or the client's own Terminate, or the probe was answered right, or the damage made an endless
CopyData, whose rest the server awaits.
"""

from __future__ import annotations

import random
import struct
from dataclasses import dataclass, field

from server.pgwire.connection import ConnectionOptions
from tests.server.pgwire import frames
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO, TRUSTING, Wire

MESSAGE_BYTES_MAX = 1 << 16
_BUFFERED_MAX = (1 << 18) + 2 * MESSAGE_BYTES_MAX
_PIECE_MAX = 4096
_PROBES_MAX = 2 * MESSAGE_BYTES_MAX // 60
_PROBE = frames.frame("f", b"stop\0") + frames.SYNC + frames.query("ROLLBACK; SELECT 42")

_PROBE_ANSWER = (
    frames.frame("D", struct.pack(">hi", 1, 2) + b"42")
    + frames.frame("C", frames.text("SELECT 1"))
    + frames.frame("Z", b"I")
)

_TEMPLATES = [
    frames.query("SELECT 1, 'a', NULL"),
    frames.query("SELECT 1; SELECT 2; RAISE 22012 zero; SELECT 3"),
    frames.query("NUMBERS 30"),
    frames.query(""),
    frames.query("BEGIN"),
    frames.query("ROLLBACK"),
    frames.query("RAISE 42601 no"),
    frames.query("NOTICE look"),
    frames.query("SET TimeZone = UTC"),
    frames.query("CREATE t (a int4, b text)"),
    frames.query("COPY t FROM STDIN"),
    frames.query("COPY t FROM STDIN (FORMAT csv)"),
    frames.query("COPY t FROM STDIN (FORMAT binary)"),
    frames.query("COPY t TO STDOUT"),
    frames.frame("d", b"1\tone\n2\t\\N\n"),
    frames.frame("d", b'3,"thr""ee\n"\n'),
    frames.frame("d", b"PGCOPY\n\xff\r\n\0" + bytes(8) + struct.pack(">hii", 2, 4, 7) + struct.pack(">i", 1) + b"x"),
    frames.COPY_DONE,
    frames.frame("f", b"enough\0"),
    frames.parse("", "SELECT $1::int4, $2::text", (23, 25)),
    frames.parse("s", "SELECT $1::numeric, $2::timestamptz"),
    frames.parse("", "NUMBERS 10"),
    frames.parse("j", "SELECT $1::jsonb, $2::int4[]"),
    frames.bind("", "", (b"5", b"x")),
    frames.bind("", "", (struct.pack(">i", 5), b"x"), (1, 0), (1, 1)),
    frames.bind("p", "s", (b"1.5", None), (), (1,)),
    frames.bind("", "j", (b'{"a":[1,2]}', b"{1,NULL}"), (), (0, 1)),
    frames.bind("", ""),
    frames.describe("S", ""),
    frames.describe("P", ""),
    frames.describe("S", "s"),
    frames.execute("", 3),
    frames.execute("", 0),
    frames.execute("p", 1),
    frames.close("S", "s"),
    frames.close("P", ""),
    frames.FLUSH,
    frames.SYNC,
    frames.frame("F", bytes(10)),
    frames.frame("p", b"password\0"),
    frames.TERMINATE,
]
_TERMINATE_ODDS = 0.1
_DAMAGE_ODDS = 0.12


@dataclass
class Report:
    """How cases ended."""

    cases: int = 0
    messages: int = 0
    answered: int = 0
    refused: int = 0
    waiting: int = 0
    left: int = 0
    buffered_max: int = 0
    failures: list[str] = field(default_factory=list)


def damaged(message: bytes, random_: random.Random) -> bytes:
    """One message, mostly changed in some way."""
    raw = bytearray(message)
    match random_.randrange(9):
        case 0 | 1:
            return message
        case 2:
            for _ in range(random_.randint(1, 3)):
                raw[random_.randrange(len(raw))] = random_.randrange(256)
        case 3:
            return bytes(raw[: random_.randrange(len(raw))])
        case 4:
            body = bytes(raw[5 : random_.randint(5, len(raw))])
            return frames.frame(chr(raw[0]), body) if raw[0] < 128 else bytes(raw)
        case 5:
            length = random_.choice((-1, 0, 3, 5, 10_001, MESSAGE_BYTES_MAX + 1, 2**31 - 1, random_.randrange(2**20)))
            raw[1:5] = struct.pack(">i", length)
        case 6:
            return bytes(raw) + random_.randbytes(random_.randint(1, 40))
        case 7:
            place = random_.randint(5, len(raw))
            body = bytes(raw[5:place]) + random_.randbytes(random_.randint(1, 300)) + bytes(raw[place:])
            return frames.frame(chr(raw[0]), body)
        case _:
            return frames.frame(chr(raw[0]), bytes(raw[5:]) * random_.randint(2, 2000))
    return bytes(raw)


def _startup(random_: random.Random) -> bytes:
    chance = random_.random()
    if chance < 0.9:
        return HELLO
    if chance < 0.95:
        return struct.pack(">ii", 8, 80877103) + HELLO
    raw = bytearray(HELLO)
    raw[random_.randrange(len(raw))] = random_.randrange(256)
    return bytes(raw)


def session_bytes(random_: random.Random, count: int) -> bytes:
    """Start-up and `count` messages, in any order."""
    parts = [_startup(random_)]
    for _ in range(count):
        template = random_.choice(_TEMPLATES)
        if template is frames.TERMINATE and random_.random() > _TERMINATE_ODDS:
            template = frames.SYNC
        parts.append(damaged(template, random_) if random_.random() < _DAMAGE_ODDS else template)
    return b"".join(parts)


def _verdict(output: bytes, wire: Wire, report: Report) -> str | None:
    """None when the case holds; else what is wrong."""
    # An SSLRequest is answered with one byte, before any message.
    asked = output[:1] == b"N" and output[1:2] in (b"R", b"E", b"", b"v")
    try:
        found = frames.messages(output[1:] if asked else output)
    except AssertionError as error:
        return f"not whole messages: {error}"
    errors = [frames.error_fields(body) for kind, body in found if kind == "E"]
    if any(error.get("C") == "XX000" for error in errors):
        return f"a defect: {errors}"
    if wire.transport.closed:
        if errors and errors[-1].get("S") == "FATAL":
            report.refused += 1
        else:
            report.left += 1
        return None
    if _answered(output):
        report.answered += 1
        return None
    if wire.connection.machine.expecting_more:
        report.waiting += 1
        return None
    return f"the probe was answered by {[kind for kind, _ in found[-4:]]}"


def _answered(output: bytes) -> bool:
    """Whether the last thing said is the answer to the probe."""
    return output.endswith(_PROBE_ANSWER)


async def run(seed: int, messages: int) -> Report:
    """Cases from `seed` until `messages` messages were sent."""
    random_ = random.Random(seed)
    report = Report()
    backend = ToyBackend()
    options = ConnectionOptions(gate=TRUSTING, message_bytes_max=MESSAGE_BYTES_MAX)
    while report.messages < messages:
        count = random_.randint(1, 16)
        data = session_bytes(random_, count) + _PROBE
        report.cases += 1
        report.messages += count
        wire = Wire(backend, options)
        output = bytearray()
        position = 0
        while position < len(data) and not wire.transport.closed:
            size = random_.randint(1, _PIECE_MAX)
            output += await wire.exchange(data[position : position + size])
            position += size
            report.buffered_max = max(report.buffered_max, wire.connection.machine.buffered_bytes)
        for _ in range(_PROBES_MAX):
            # Damage may swallow probes, but no more than the longest message holds.
            if wire.transport.closed or _answered(bytes(output)):
                break
            output += await wire.exchange(_PROBE)
        wrong = _verdict(bytes(output), wire, report)
        if wrong is None and report.buffered_max > _BUFFERED_MAX:
            wrong = f"{report.buffered_max} bytes were buffered"
        if wrong is not None:
            report.failures.append(f"case {report.cases} of seed {seed}: {wrong}")
        await wire.leave()
        backend.tables.clear()
    return report
