"""A reduced history has the effect of the whole one, and is no longer than what is installed."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from compute.protocol.command import (
    AcknowledgeBatches,
    AdvanceTimeline,
    AllowCompaction,
    AllowWrites,
    Await,
    CancelPeek,
    Command,
    CreateDataflow,
    CreateInstance,
    CreateSources,
    InitializationComplete,
    Peek,
    PeekIndex,
    Rebuild,
    RenderSources,
    Schedule,
    TellSecrets,
    UpdateConfiguration,
)
from compute.protocol.dataflow import DataflowDescription, IndexExport
from compute.protocol.history import CommandHistory, reduce_commands
from connectors.kafka.topic import KafkaTopic
from connectors.sources.description import (
    BindingPolicy,
    CollectionType,
    IngestionDescription,
    ReclockedCollection,
    StorageCollectionId,
)
from model.external.records import RecordEncoding, RecordFormat, encoded_columns
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, MINIMUM, Antichain
from model.time.timestamp import Timestamp
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from planner.ir.relation import Constant, Finishing

INSTANCE = CreateInstance("sqlite:a", "file:b", "timeline/t", (("fence", 1),))
_NOTHING = Constant((), RelationDesc(()))
_FINISHING = Finishing((), None, None, ())


def _peek(uuid: str) -> Peek:
    return Peek(uuid, _NOTHING, (), Timestamp(5), _FINISHING)


@st.composite
def histories(draw: Any) -> list[Command]:
    """Well-formed logs: exports are created once, before anything else names them; nothing names dropped ones."""
    commands: list[Command] = [INSTANCE]
    exports: list[GlobalId] = []
    created = 0
    peeks: list[str] = []
    for _ in range(draw(st.integers(0, 30))):
        kind = draw(st.integers(0, 7))
        if kind == 0:
            ids = tuple(GlobalId.user(created + i) for i in range(draw(st.integers(1, 3))))
            exports += ids
            created += len(ids)
            as_of = Antichain.at(draw(st.integers(0, 9)))
            indexes = tuple(IndexExport(id_, ids[0], ()) for id_ in ids)
            commands.append(CreateDataflow(DataflowDescription((), ((ids[0], _NOTHING),), indexes, as_of, EMPTY)))
        elif kind == 1:
            peeks.append(f"p{len(peeks)}")
            commands.append(_peek(peeks[-1]))
        elif kind == 2 and peeks:
            commands.append(CancelPeek(draw(st.sampled_from(peeks))))
        elif kind == 7:
            id_ = GlobalId.user(draw(st.integers(0, 9)))
            hints: list[Command] = [AdvanceTimeline(EMPTY), Await(id_, Timestamp(1)), AcknowledgeBatches(id_, 1)]
            hints.append(Rebuild(id_))
            commands.append(draw(st.sampled_from(hints)))
            if exports:
                peeks.append(f"p{len(peeks)}")
                commands.append(PeekIndex(peeks[-1], draw(st.sampled_from(exports)), None, Timestamp(5), _FINISHING))
        elif kind == 3:
            commands.append(UpdateConfiguration(((draw(st.sampled_from("ab")), draw(st.sampled_from("xy"))),)))
        elif exports:
            id_ = draw(st.sampled_from(exports))
            frontier = draw(st.sampled_from([EMPTY, *map(Antichain.at, range(0, 12, 3))]))
            if kind == 4 and frontier.empty:
                exports.remove(id_)
            commands.append([AllowCompaction(id_, frontier), Schedule(id_), AllowWrites(id_)][kind - 4])
    if draw(st.booleans()):
        commands.append(InitializationComplete())
    return commands


def effect(commands: list[Command]) -> dict[str, Any]:
    """What the commands bring about, in the most obvious way."""
    since: dict[GlobalId, Antichain] = {}
    plans: dict[GlobalId, object] = {}
    marks: set[tuple[str, GlobalId]] = set()
    peeks: dict[str, Peek | PeekIndex] = {}
    parameters: dict[str, str] = {}
    rest: list[Command] = []
    for command in commands:
        match command:
            case CreateDataflow(d):
                for id_ in d.export_ids:
                    since[id_] = d.as_of
                    plans[id_] = (d.imports, d.objects, d.exports, d.until)
            case AllowCompaction(id_, frontier):
                since[id_] = since[id_].join(frontier)
            case Schedule(id_) | AllowWrites(id_):
                marks.add((type(command).__name__, id_))
            case Peek(uuid) | PeekIndex(uuid):
                peeks[uuid] = command
            case AdvanceTimeline() | Await() | AcknowledgeBatches() | Rebuild():
                pass  # hints leave nothing behind
            case CancelPeek(uuid):
                peeks.pop(uuid, None)
            case UpdateConfiguration(items):
                parameters |= dict(items)
            case _:
                rest.append(command)
    live = {id_ for id_ in since if any(not since[e.id].empty for e in plans[id_][2])}  # type: ignore[index]
    return {
        "since": {id_: since[id_] for id_ in live},
        "plans": {id_: plans[id_] for id_ in live},
        "marks": {(kind, id_) for kind, id_ in marks if id_ in live},
        "peeks": peeks,
        "parameters": parameters,
        "rest": rest,
    }


@given(histories())
def test_the_reduced_history_has_the_same_effect(commands: list[Command]) -> None:
    assert effect(reduce_commands(commands)) == effect(commands)


@given(histories())
def test_reduction_is_idempotent(commands: list[Command]) -> None:
    once = reduce_commands(commands)
    assert reduce_commands(once) == once


@given(histories(), st.integers(0, 30))
def test_reduction_may_happen_at_any_moment(commands: list[Command], at: int) -> None:
    assert effect(reduce_commands([*reduce_commands(commands[:at]), *commands[at:]])) == effect(commands)


@given(histories())
def test_peeks_come_before_the_compaction_that_would_make_them_unanswerable(commands: list[Command]) -> None:
    kinds = [type(command) for command in reduce_commands(commands)]
    peeks = [place for place, kind in enumerate(kinds) if kind in (Peek, PeekIndex)]
    if peeks and AllowCompaction in kinds:
        assert max(peeks) < kinds.index(AllowCompaction)


def test_a_dataflow_without_readable_exports_is_gone() -> None:
    id_ = GlobalId.user(1)
    index = IndexExport(id_, id_, ())
    dataflow = CreateDataflow(DataflowDescription((), ((id_, _NOTHING),), (index,), Antichain.at(3), EMPTY))
    assert reduce_commands([dataflow, Schedule(id_), AllowWrites(id_), AllowCompaction(id_, EMPTY)]) == []


def test_a_history_stays_as_short_as_what_is_live() -> None:
    history = CommandHistory()
    history.push(INSTANCE)
    for number in range(10_000):
        history.push(_peek(str(number)))
        history.push(CancelPeek(str(number)))
    assert len(history) <= 2 * 64 + 1
    history.reduce()
    assert list(history) == [INSTANCE]


def _source(number: int, topic: str) -> IngestionDescription:
    encoding = RecordEncoding(None, RecordFormat.TEXT, ())
    id_ = GlobalId.user(number)
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    place = KafkaTopic((), topic, secrets=(("sasl.password", GlobalId.user(9)),))
    return IngestionDescription(id_, place, (ReclockedCollection(id_, desc, encoding),), BindingPolicy(), MINIMUM)


def _rendered(number: int) -> RenderSources:
    return RenderSources(tuple(StorageCollectionId(GlobalId.user(number), each) for each in CollectionType))


def test_sources_stay_until_they_are_dropped_and_may_come_again() -> None:
    first, other, again = _source(1, "a"), _source(2, "b"), _source(1, "c")
    commands: list[Command] = [CreateSources((first, other)), _rendered(1), _rendered(2)]
    assert reduce_commands(commands) == [
        CreateSources((first, other)),
        RenderSources((*_rendered(1).collections, *_rendered(2).collections)),
    ]
    commands += [AllowCompaction(id_, EMPTY) for id_ in first.export_ids]
    assert reduce_commands(commands) == [CreateSources((other,)), _rendered(2)]
    commands += [CreateSources((again,)), _rendered(1)]
    reduced = reduce_commands(commands)
    assert reduced[0] == CreateSources((other, again))
    assert reduce_commands(reduced) == reduced


def test_secrets_are_in_no_history() -> None:
    told = TellSecrets(((GlobalId.user(9), "hush"),))
    assert reduce_commands([CreateSources((_source(1, "a"),)), told]) == [CreateSources((_source(1, "a"),))]
    assert "hush" not in repr(told)


def test_what_comes_again_after_a_drop_is_installed_once() -> None:
    id_ = GlobalId.user(1)
    index = IndexExport(id_, id_, ())
    first, again = (DataflowDescription((), ((id_, _NOTHING),), (index,), Antichain.at(at), EMPTY) for at in (5, 9))
    begun: list[Command] = [CreateDataflow(first), Schedule(id_), AllowWrites(id_)]
    history: list[Command] = [*begun, AllowCompaction(id_, EMPTY), CreateDataflow(again), Schedule(id_)]
    for reduced in (reduce_commands(history), reduce_commands([*reduce_commands(history[:4]), *history[4:]])):
        assert reduced == [CreateDataflow(again), Schedule(id_)]
