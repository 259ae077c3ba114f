"""The law of transactions: at every time, sources that are bound together hold the changes of the same transactions.

Money goes from account to account, in two topics of two partitions; a third one says when transactions end. All of them
arrive as chance has it, some changes long after the END that counts them. Collections that are added to these sources
join at whole transactions.
"""

from __future__ import annotations

import io
import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import fastavro
import pytest

from compute.replica.ingestions.joining import JoiningCollections
from compute.replica.ingestions.reclocked_shards import Rows
from connectors.gauge import Partition, joined_note, without_joined
from connectors.kafka.topic import KafkaTopic
from connectors.sources import transactional_reader
from connectors.sources.description import (
    BindingPolicy,
    Follower,
    IngestionDescription,
    ReclockedCollection,
)
from connectors.sources.remap import bound_frontier
from connectors.sources.transactions import TransactionOrder
from connectors.systems import SOURCES
from connectors.upstream import Arrived, UpstreamPlace
from model.external.record_schemas import described_fields
from model.external.records import Envelope, RecordEncoding, RecordFormat, SchemaFields, SchemaLanguage, encoded_columns
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow
from model.time.antichain import Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import read_snapshot, snapshot
from tests.compute.dataflows.world import Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.log import Log, LogReader
from tests.compute.ingestions.test_joining import written_while_it_is_waiting
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import SeededRandomness

_SEEDS_MAX = 40
_FAULTS = Faults(done=60, not_done=60, read_failure=40, latency_ms_max=20)
_TX, _A, _B = (GlobalId.user(number) for number in (1, 2, 3))
_TOLD, _MORE_A, _MORE_B = (GlobalId.user(number) for number in (4, 5, 6))
_ADDED = {_TOLD: _TX, _MORE_A: _A, _MORE_B: _B}
"""Collections that may be added, by the source of each."""
_TOPICS = {_TX: "tx", _A: "a", _B: "b"}
_ACCOUNTS, _MONEY = 4, 100


def _of_record(name: str, **fields: object) -> dict[str, object]:
    return {"type": "record", "name": name, "fields": [{"name": each, "type": of} for each, of in fields.items()]}


_KEY = _of_record("Key", id="int")
_ACCOUNT = _of_record("Value", id="int", n="int")
_CHANGE = _of_record("Envelope", after=["null", _ACCOUNT], transaction=["null", _of_record("block", id="string")])
_COUNTED = _of_record("event", data_collection="string", event_count="long")
_BOUNDARY = _of_record(
    "TransactionMetadataValue",
    status="string",
    id="string",
    data_collections=["null", {"type": "array", "items": _COUNTED}],
)


def _in_json(part: Any) -> bytes:
    return json.dumps(part).encode()


def _in_avro(part: Any) -> bytes:
    datum = part.get("payload", part)
    schema = _CHANGE if "after" in datum else _BOUNDARY if "status" in datum else _KEY
    out = io.BytesIO()
    optional = dict.fromkeys(("transaction", "data_collections")) | datum
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), optional)
    return out.getvalue()


@dataclass(frozen=True)
class Form:
    """How records are written, and read. `held` gives a row's key and what it has, as JSON has them."""

    written: Callable[[Any], bytes]
    told: RecordEncoding
    changes: RecordEncoding
    held: Callable[[Row], tuple[str, str]]

    def record(self, text: str) -> tuple[bytes | None, bytes | None]:
        key, value = json.loads(text)
        return None if key is None else self.written(key), None if value is None else self.written(value)


def _fields(schema: object, name: str, **more: Any) -> SchemaFields:
    return described_fields(SchemaLanguage.AVRO, json.dumps(schema), name, **more)


JSON = Form(
    _in_json,
    RecordEncoding(None, RecordFormat.JSON, ()),
    RecordEncoding(RecordFormat.JSON, RecordFormat.JSON, (), envelope=Envelope.DEBEZIUM),
    lambda row: (str(row[0]), str(row[1])),
)
AVRO = Form(
    _in_avro,
    RecordEncoding(None, _fields(_BOUNDARY, "data"), ()),
    RecordEncoding(
        _fields(_KEY, "key", together=True), _fields(_CHANGE, "data", within="after"), (), envelope=Envelope.DEBEZIUM
    ),
    lambda row: (json.dumps({"id": row[1]}), json.dumps({"n": row[2], "id": row[1]})),
)


@dataclass
class Bank:
    """Two tables of accounts, as Debezium tells of them. What was told and has not arrived waits in `underway`."""

    chance: random.Random
    form: Form = JSON
    logs: dict[GlobalId, Log] = field(init=False)
    underway: dict[tuple[GlobalId, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    balances: dict[tuple[GlobalId, int], int] = field(default_factory=dict)
    events: dict[str, list[tuple[GlobalId, int, int]]] = field(default_factory=lambda: defaultdict(list))
    """Of each transaction: in which partition of which topic, and at which offset."""
    told: dict[tuple[GlobalId, int], int] = field(default_factory=lambda: defaultdict(int))

    def __post_init__(self) -> None:
        self.logs = {id_: Log(record=self.form.record) for id_ in _TOPICS}

    def encoding(self, id_: GlobalId) -> RecordEncoding:
        return self.form.told if _ADDED.get(id_, id_) == _TX else self.form.changes

    def open(self) -> None:
        """The first snapshot: rows that are of no transaction."""
        for id_ in (_A, _B):
            for account in range(_ACCOUNTS):
                self._change(id_, account, _MONEY, None)

    def transfer(self, number: int) -> None:
        """A transaction of some changes, perhaps within one table."""
        transaction = f"t{number}"
        self._tell(_TX, 0, None, {"status": "BEGIN", "id": transaction})
        events: dict[str, int] = defaultdict(int)
        for _ in range(self.chance.randint(1, 2)):
            amount = self.chance.randint(1, 9)
            for sign in (-1, 1):
                id_, account = self.chance.choice((_A, _B)), self.chance.randrange(_ACCOUNTS)
                self._change(id_, account, self.balances[id_, account] + sign * amount, transaction)
                events[f"db.{_TOPICS[id_]}"] += 1
        counted = [{"data_collection": name, "event_count": count} for name, count in events.items()]
        told = {"status": "END", "id": transaction, "data_collections": counted}
        self.events[transaction].append((_TX, 0, self._tell(_TX, 0, None, {"schema": {}, "payload": told})))

    def _change(self, id_: GlobalId, account: int, balance: int, transaction: str | None) -> None:
        self.balances[id_, account] = balance
        change: dict[str, Any] = {"after": {"id": account, "n": balance}}
        if transaction is not None:
            change["transaction"] = {"id": transaction}
        place = id_, account % 2
        offset = self._tell(*place, {"id": account}, change)
        if transaction is not None:
            self.events[transaction].append((*place, offset))
        if self.chance.random() < 0.2:
            self._tell(*place, {"id": -1}, None)

    def _tell(self, id_: GlobalId, partition: int, key: object, value: object) -> int:
        self.underway[id_, partition].append(json.dumps([key, value]))
        self.told[id_, partition] += 1
        return self.told[id_, partition] - 1

    def deliver(self, *, all_: bool = False) -> None:
        places = list(self.underway)
        for id_, partition in places if all_ else self.chance.sample(places, min(2, len(places))):
            waiting = self.underway[id_, partition]
            count = len(waiting) if all_ else self.chance.randint(0, len(waiting))
            for text in waiting[:count]:
                self.logs[id_].append(partition, text)
            del waiting[:count]

    def rows_below(self, id_: GlobalId, frontier: Mapping[Partition, int]) -> dict[str, str]:
        """The balances of a table by account, as its changes below the frontier tell."""
        rows: dict[str, str] = {}
        for partition, texts in self.logs[id_].partitions.items():
            for text in texts[: frontier.get(partition, 0)]:
                key, value = json.loads(str(text))
                if value is not None:
                    rows[json.dumps(key)] = json.dumps({"n": value["after"]["n"], "id": value["after"]["id"]})
        return rows


def _desc(encoding: RecordEncoding) -> RelationDesc:
    return RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))


def _place(id_: GlobalId) -> KafkaTopic:
    return KafkaTopic((), _TOPICS[id_])


def _collections(bank: Bank, id_: GlobalId, added: Sequence[GlobalId]) -> tuple[ReclockedCollection, ...]:
    encoding = bank.encoding(id_)
    more = (ReclockedCollection(each, _desc(encoding), encoding, joins=1) for each in added if _ADDED[each] == id_)
    return (ReclockedCollection(id_, _desc(encoding), encoding), *more)


async def _create(world: World, bank: Bank, *ids: GlobalId) -> None:
    at = Antichain(world.now)
    for id_ in ids:
        await world.seed.create(id_, _desc(bank.encoding(id_)), at, at)
        if id_ not in _ADDED:
            await world.seed.create(GlobalId.remapping(id_), SOURCES["KAFKA"].gauge.remap_desc, at, at)


def _described(world: World, bank: Bank, *followers: GlobalId, added: Sequence[GlobalId] = ()) -> IngestionDescription:
    as_of, policy = Antichain(world.now), BindingPolicy(interval_ms=50, records_max=5)
    each = tuple(Follower(id_, _place(id_), _collections(bank, id_, added), f"db.{_TOPICS[id_]}") for id_ in followers)
    return IngestionDescription(_TX, _place(_TX), _collections(bank, _TX, added), policy, as_of, each)


def _ingesting(world: World, bank: Bank, consensus: UnreliableConsensus | None = None) -> Replica:
    logs = {topic: bank.logs[id_] for id_, topic in _TOPICS.items()}

    def open_upstream(
        place: UpstreamPlace, _secrets: Mapping[GlobalId, str], _clock: Clock, arrived: Arrived
    ) -> LogReader:
        assert isinstance(place, KafkaTopic)
        return LogReader(logs[place.topic], arrived, bank.chance)

    return Replica(world, consensus=consensus, open_upstream=open_upstream)


async def _frontier(world: World, id_: GlobalId, time: int) -> dict[Partition, int]:
    state = world.storage.machine(str(GlobalId.remapping(id_))).state
    return bound_frontier(await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner()))


async def _times(world: World, *ids: GlobalId) -> list[int]:
    """At which anything has moved, and all of them can be read."""
    await world.storage.load([each for id_ in ids for each in (id_, GlobalId.remapping(id_))])
    states = [world.storage.machine(str(GlobalId.remapping(id_))).state for id_ in ids]
    moved = {piece.time_max for state in states for batch in state.batches for piece in batch.pieces}
    first = max(state.since.time or 0 for state in states)
    last = min(state.write_frontier.time or 0 for state in states)
    return sorted({time for time in (*moved, first, last - 1) if time is not None and first <= time < last})


async def _caught_up(world: World, bank: Bank, *ids: GlobalId, added: Sequence[GlobalId] = ()) -> int:
    waited = 0.0
    while True:
        times = await _times(world, *ids)
        bound = {id_: await _frontier(world, id_, times[-1]) for id_ in ids} if times else {}
        frontiers = {id_: without_joined(frontier) for id_, frontier in bound.items()}
        want = {id_: {at: len(texts) for at, texts in bank.logs[id_].partitions.items()} for id_ in ids}
        if frontiers == want and all(joined_note(each) in bound[_ADDED[each]] for each in added):
            return times[-1]
        assert waited < 20, f"bound up to {bound} of {want}"
        await world.clock.sleep(0.2)
        waited += 0.2


async def _check(world: World, bank: Bank, time: int, *ids: GlobalId) -> None:
    """What the sources hold at the time is what their changes tell, and of whole transactions."""
    frontiers = {id_: await _frontier(world, id_, time) for id_ in ids}
    for transaction, events in bank.events.items():
        bound = {offset < frontiers[id_].get(at, 0) for id_, at, offset in events if id_ in frontiers}
        assert len(bound) == 1, f"transaction {transaction} is bound in part at {time}"
    for id_ in ids[1:]:
        state = world.storage.machine(str(id_)).state
        contents = await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner())
        held = dict(map(bank.form.held, rows_from_arrow(contents, state.desc)))
        assert held == bank.rows_below(id_, frontiers[id_]), f"at {time}"


async def _check_added(world: World, bank: Bank, time: int, added: GlobalId) -> None:
    """It holds nothing until it has joined, and from then on what its source does."""
    await world.storage.load([added])
    state, source = world.storage.machine(str(added)).state, _ADDED[added]
    if not state.since.less_equal(Timestamp(time)):
        return
    frontier = await _frontier(world, source, time)
    known = frontier if joined_note(added) in frontier else {}
    rows = list(
        rows_from_arrow(await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner()), state.desc)
    )
    if source == _TX:
        assert len(rows) == known.get(0, 0), f"{added} at {time}, bound up to {frontier}"
    else:
        held = dict(map(bank.form.held, rows))
        assert held == bank.rows_below(source, known), f"{added} at {time}, bound up to {frontier}"


def whole_transactions(seed: int, form: Form = JSON, added: Sequence[GlobalId] = ()) -> None:
    """Transfers arrive in pieces, consensus fails, replicas die, two of them ingest, environments take over, and
    collections are added."""

    async def work(world: World) -> None:
        chance = random.Random(seed)
        bank = Bank(chance, form)
        bank.open()
        bank.deliver(all_=True)
        await _create(world, bank, _TX, _A, _B)
        unreliable = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), _FAULTS)
        replicas: list[Replica] = []
        coming, here = list(added), list[GlobalId]()

        async def add() -> None:
            """The ingestion is told anew."""
            while replicas:
                await replicas.pop().dataflows.stop()
            here.append(coming.pop(chance.randrange(len(coming))))
            await _create(world, bank, here[-1])

        def begin(consensus: UnreliableConsensus | None) -> None:
            replicas.append(_ingesting(world, bank, consensus))
            replicas[-1].start(_described(world, bank, _A, _B, added=here))

        for number in range(60):
            match chance.randrange(8):
                case 0 if len(replicas) < 2:
                    begin(unreliable)
                case 1 if replicas and chance.random() < 0.4:
                    replicas.pop().dataflows.kill()
                case 2 if replicas and chance.random() < 0.3:
                    preconditions = await world.raise_fence()
                    for replica in replicas:
                        replica.fencing.replace(preconditions)
                case 3 | 4:
                    await world.clock.sleep(chance.random() / 5)
                case 5:
                    bank.transfer(number)
                case 6 if coming and number > 10:
                    await add()
                    begin(unreliable)
                case _:
                    bank.deliver()
        unreliable.faults = Faults()
        while coming:
            await add()
        if not replicas:
            begin(None)
        bank.deliver(all_=True)
        await _caught_up(world, bank, _TX, _A, _B, added=here)
        for time in await _times(world, _TX, _A, _B):
            await _check(world, bank, time, _TX, _A, _B)
            for each in here:
                await _check_added(world, bank, time, each)
        for replica in replicas:
            await replica.dataflows.stop()

    run(work)


@pytest.mark.in_part(8)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("form", [JSON, AVRO], ids=["json", "avro"])
def test_at_every_time_sources_hold_whole_transactions(seed: int, form: Form) -> None:
    whole_transactions(seed, form)


@pytest.mark.in_part(8)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("form", [JSON, AVRO], ids=["json", "avro"])
def test_what_is_added_to_them_joins_at_whole_transactions(seed: int, form: Form) -> None:
    whole_transactions(seed, form, tuple(_ADDED))


@pytest.mark.parametrize("form", [JSON, AVRO], ids=["json", "avro"])
def test_a_source_that_is_read_only_now_catches_up_with_what_had_ended_before(form: Form) -> None:
    async def work(world: World) -> None:
        bank = Bank(random.Random(1), form)
        bank.open()
        for number in range(12):
            bank.transfer(number)
        bank.deliver(all_=True)
        await _create(world, bank, _TX, _A)
        replica = _ingesting(world, bank)
        replica.start(_described(world, bank, _A))
        await _caught_up(world, bank, _TX, _A)
        await replica.dataflows.stop()
        world.now = Timestamp(world.now + 60_000)
        await world.commit({})
        await _create(world, bank, _B)
        replica = _ingesting(world, bank)
        replica.start(_described(world, bank, _A, _B))
        await _caught_up(world, bank, _TX, _A, _B)
        for number in range(12, 20):
            bank.transfer(number)
        while any(bank.underway.values()):
            bank.deliver()
            await world.clock.sleep(0.1)
        last = await _caught_up(world, bank, _TX, _A, _B)
        times = [time for time in await _times(world, _TX, _A, _B) if (await _frontier(world, _TX, time))[0] > 24]
        assert len(times) > 3
        for time in (*times, last):
            await _check(world, bank, time, _TX, _A, _B)
        await replica.dataflows.stop()

    run(work)


def test_what_is_incomplete_waits_and_is_told() -> None:
    async def work(world: World) -> None:
        bank = Bank(random.Random(3))
        bank.open()
        bank.transfer(0)
        bank.deliver(all_=True)
        id_, at, offset = next(each for each in bank.events["t0"] if each[0] != _TX)
        texts = bank.logs[id_].partitions[at]
        late = texts[offset:]
        del texts[offset:]
        await _create(world, bank, _TX, _A, _B)
        replica = _ingesting(world, bank)
        replica.start(_described(world, bank, _A, _B))
        await replica.until(lambda: any("transaction t0 has " in each.message for each in replica.statuses()))
        assert (await _frontier(world, _TX, (await _times(world, _TX))[-1])) == {}, "nothing of it is bound"
        for text in late:
            bank.logs[id_].append(at, text)
        last = await _caught_up(world, bank, _TX, _A, _B)
        await _check(world, bank, last, _TX, _A, _B)
        await replica.until(lambda: replica.statuses()[-1].message == "")
        await replica.dataflows.stop()

    run(work)


def transactions_that_end_by_what_has_come(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TransactionOrder, "waits_for", lambda _order: None)


def changes_that_wait_for_nobody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(transactional_reader, "transaction_of", lambda _change: None)


def bindings_one_after_another(patch: pytest.MonkeyPatch) -> None:
    """A transaction split over two bindings: what is bound with the END is that alone."""
    whole = TransactionOrder.cut

    def halved(order: TransactionOrder, records_max: int) -> Any:
        cut, upto = whole(order, records_max)
        place = next(iter(cut), None)
        if place is None or len(cut[place]) < 2:
            return cut, upto
        order._queues[place].steps.appendleft(cut[place].pop())
        return cut, upto

    patch.setattr(TransactionOrder, "cut", halved)


@pytest.mark.parametrize(
    "bug", [transactions_that_end_by_what_has_come, changes_that_wait_for_nobody, bindings_one_after_another]
)
def test_bugs_put_in_on_purpose_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            whole_transactions(seed)


def joined_with_what_has_come(patch: pytest.MonkeyPatch) -> None:
    whole = JoiningCollections._offered

    def hasty(joining: JoiningCollections) -> Rows | None:
        joining._reached = dict(joining._bound())
        return whole(joining)

    patch.setattr(JoiningCollections, "_offered", hasty)


@pytest.mark.parametrize("bug", [joined_with_what_has_come, written_while_it_is_waiting])
def test_bugs_of_what_is_added_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            whole_transactions(seed, added=tuple(_ADDED))
