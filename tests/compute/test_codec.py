"""The codec and the framing carry every message of the vocabulary, and nothing else."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import decimal
import enum
import math
import sys
import types
import typing
import uuid
from collections.abc import Callable
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.protocol.codec import Codec, MalformedMessage
from compute.protocol.command import CancelPeek, Command
from compute.protocol.framing import Frame, FrameReader, batches_from_payload, batches_to_payload, encode_frame
from compute.protocol.response import PeekRows, Response
from compute.protocol.vocabulary import CODEC, VERSION
from connectors.sinks.description import SinkPlace
from connectors.systems import DESTINATIONS, SOURCES
from connectors.upstream import UpstreamPlace
from model.time.antichain import Antichain
from model.types.datum import Datum, Interval
from model.types.scalar_type import TEXT, ScalarType, TypeName
from model.types.time_of_day import END_OF_DAY
from planner.ir.placeholder import Placeholder
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar
from tests.draws import draws

_FLAT_DATUMS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.decimals(allow_infinity=False, allow_nan=False)
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | st.dates()
    | st.times()
    | st.just(END_OF_DAY)
    | st.datetimes()
    | st.datetimes(timezones=st.just(datetime.UTC))
    | st.builds(Interval, st.integers(-9, 9), st.integers(-9, 9), st.integers(-(2**60), 2**60))
    | st.uuids()
)
_DATUMS = _FLAT_DATUMS | st.lists(_FLAT_DATUMS, max_size=3).map(tuple)


def _options(annotation: Any) -> tuple[Any, ...]:
    """The types of a union, without Placeholder: it is in no plan that is sent."""
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return tuple(option for option in typing.get_args(annotation) if option is not Placeholder)
    return (annotation,)


class Plans:
    """Values of any annotated type, grown from an integer stream; leaves only, once the budget is spent."""

    def __init__(self, draw: Callable[[Any], Any], budget: int) -> None:
        self._draw = draw
        self._budget = budget

    def make(self, annotation: Any) -> Any:
        if isinstance(annotation, typing.NewType):
            return self.make(annotation.__supertype__)
        if annotation == Datum:
            return self._draw(_DATUMS)
        if annotation is SinkPlace:
            return self.make(self._pick(tuple(kind.places[0] for kind in DESTINATIONS.values())))
        if annotation is UpstreamPlace:
            return self.make(self._pick(tuple(kind.places[-1] for kind in SOURCES.values())))
        if typing.get_origin(annotation) is tuple:
            item, *rest = typing.get_args(annotation)
            if rest and rest[0] is not Ellipsis:
                return tuple(self.make(part) for part in (item, *rest))
            count = self._draw(st.integers(0, 2)) if self._budget > 0 else 0
            return tuple(self.make(item) for _ in range(count))
        if typing.get_origin(annotation) is frozenset:
            (item,) = typing.get_args(annotation)
            return frozenset(self.make(item) for _ in range(self._draw(st.integers(0, 2))))
        options = _options(annotation)
        if len(options) > 1:
            return self.make(self._pick(options))
        if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
            return self._draw(st.sampled_from(list(annotation)))
        if dataclasses.is_dataclass(annotation):
            return self._build(annotation)
        primitives: dict[Any, Any] = {
            int: st.integers(-(2**63), 2**63 - 1),
            str: st.text(max_size=6),
            bool: st.booleans(),
            bytes: st.binary(max_size=6),
            float: st.floats(allow_nan=False),
            type(None): st.none(),
        }
        return self._draw(primitives[annotation])

    def _pick(self, options: tuple[Any, ...]) -> Any:
        self._budget -= 1
        if self._budget <= 0:
            leaves = [o for o in options if not dataclasses.is_dataclass(o) or not self._recursive(o)]
            options = tuple(leaves) or options
        return self._draw(st.sampled_from(options))

    @staticmethod
    def _recursive(class_: Any) -> bool:
        names = " ".join(str(f.type) for f in dataclasses.fields(class_))
        if class_ is ScalarType:
            return True
        return "Relation" in names.replace("RelationDesc", "") or "Scalar" in names.replace("ScalarType", "")

    def _build(self, class_: Any) -> Any:
        names = {**vars(sys.modules[class_.__module__]), "Relation": Relation, "Scalar": Scalar}
        kinds = {f.name: eval(f.type, names) if isinstance(f.type, str) else f.type for f in dataclasses.fields(class_)}
        return class_(**{name: self.make(kind) for name, kind in kinds.items()})


@st.composite
def _messages(draw: Any, union: Any) -> Any:
    return Plans(draw, draw(st.integers(0, 25))).make(union)


@given(_messages(Command))
@draws(200)
def test_every_command_comes_back_as_it_went(command: Command) -> None:
    assert CODEC.decode(CODEC.encode(command)) == command


@given(_messages(Response))
@draws(60)
def test_every_response_comes_back_as_it_went(response: Response) -> None:
    assert CODEC.decode(CODEC.encode(response)) == response


@given(_DATUMS)
def test_every_datum_comes_back_with_its_type(datum: Datum) -> None:
    back = CODEC.decode(CODEC.encode(datum))
    assert back == datum and type(back) is type(datum)
    if isinstance(datum, Interval):
        assert isinstance(back, Interval) and (back.months, back.days) == (datum.months, datum.days)


def test_the_odd_numbers_come_back() -> None:
    for value in (-0.0, math.inf, 2**63, -(2**63) - 1):
        back: Any = CODEC.decode(CODEC.encode(value))
        assert back == value and math.copysign(1, back) == math.copysign(1, value)
    assert str(CODEC.decode(CODEC.encode(decimal.Decimal("1.500")))) == "1.500"
    assert decimal.Decimal("NaN").is_nan() and str(CODEC.decode(CODEC.encode(decimal.Decimal("NaN")))) == "NaN"
    nan: Any = CODEC.decode(CODEC.encode(math.nan))
    assert math.isnan(nan)
    assert CODEC.decode(CODEC.encode(uuid.UUID(int=5))) == uuid.UUID(int=5)


def test_types_are_written_once_and_equal_values_have_equal_bytes() -> None:
    def record() -> ScalarType:
        inner = ScalarType(TypeName.RECORD, fields=tuple((f"b{at}", TEXT) for at in range(50)))
        return ScalarType(TypeName.RECORD, fields=tuple((f"a{at}", inner) for at in range(50)))

    one, other = record(), record()
    shared, apart = tuple([one] * 1000), tuple(ScalarType(one.name, fields=one.fields) for _ in range(999))
    data = CODEC.encode(shared)
    assert len(data) < 20_000
    assert CODEC.encode((*apart, other)) == data
    assert CODEC.decode(data) == shared


@pytest.mark.parametrize(
    "tree",
    [
        ["Popen", "rm"],
        ["CancelPeek"],
        ["CancelPeek", "a", "b"],
        ["TypeName", "no such type"],
        [1, 2],
        [],
        {"a": 1},
        ["decimal", "x"],
        ["date", 7],
        ["map", 1],
        ["@", 0],
        ["@", "x"],
        ["@"],
        ["", ["@", -1]],
    ],
)
def test_what_the_vocabulary_lacks_is_malformed(tree: Any) -> None:
    with pytest.raises(MalformedMessage):
        CODEC.decode(msgspec.msgpack.encode(tree))


@given(st.binary(max_size=40))
def test_noise_is_malformed_or_a_value_but_nothing_else(data: bytes) -> None:
    with contextlib.suppress(MalformedMessage):
        CODEC.decode(data)


def test_a_class_outside_of_the_vocabulary_is_not_sent() -> None:
    with pytest.raises(AssertionError):
        Codec([Antichain]).encode(CancelPeek("x"))


def test_the_version_names_the_vocabulary() -> None:
    assert len(VERSION) == 16


@given(st.lists(st.tuples(st.text(max_size=4), st.binary(max_size=30)), max_size=6), st.integers(1, 17))
def test_frames_survive_any_cut_of_the_stream(parts: list[tuple[str, bytes]], step: int) -> None:
    frames = [Frame(CancelPeek(uuid), payload) for uuid, payload in parts]
    stream = b"".join(encode_frame(CODEC, frame) for frame in frames)
    reader = FrameReader(CODEC)
    read = [frame for at in range(0, len(stream), step) for frame in reader.feed(stream[at : at + step])]
    assert read == frames


def test_a_frame_that_is_too_long_is_malformed() -> None:
    with pytest.raises(MalformedMessage):
        list(FrameReader(CODEC).feed(b"\xff" * 8))


def test_batches_come_back_from_a_payload() -> None:
    batch = pa.record_batch({"c0": pa.array([1, None]), "c1": pa.array(["a", "b"])})
    payload = batches_to_payload(batch.schema, [batch, batch])
    [frame] = FrameReader(CODEC).feed(encode_frame(CODEC, Frame(PeekRows("p", 4), payload)))
    assert batches_from_payload(frame.payload) == [batch, batch]
    with pytest.raises(MalformedMessage):
        batches_from_payload(b"nonsense")
