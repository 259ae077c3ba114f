"""The law of ENVELOPE UPSERT: at every time, each key has the row that the last record bound by then has told.

Within a binding records apply by partition and offset. Keys are in several partitions here, are NULL or can't be
decoded, and so are values.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from compute.replica.ingestions import keyed_state, range_rows
from compute.replica.ingestions.keyed_state import KeyedState
from connectors.gauge import UpstreamFrontier
from connectors.sources.decode import keyed_rows as decoding
from connectors.sources.decode.keyed_rows import NO_KEY, KeyedRows, keyed_rows
from connectors.sources.decode.records import RegistrySchemas
from model.external.records import DecodingErrors, Envelope, RecordEncoding, RecordFormat, RecordMetadata
from model.types.relation_desc import RelationDesc
from storage.persist.state import ShardState
from tests.compute.ingestions.log import Log
from tests.compute.ingestions.test_reclocking import reclocked

_SEEDS_MAX = 60
_PARTS = {"-": None, "!": b"\xff"}
_ENCODINGS = {
    errors: RecordEncoding(
        RecordFormat.TEXT,
        RecordFormat.TEXT,
        (RecordMetadata.PARTITION, RecordMetadata.OFFSET),
        errors,
        DecodingErrors.SKIP if errors is DecodingErrors.SKIP else DecodingErrors.FAIL,
        Envelope.UPSERT,
    )
    for errors in DecodingErrors
}
Row = tuple[object, ...]


def _record(text: str) -> tuple[bytes | None, bytes | None]:
    """`k=v`; `-` is NULL and `!` can't be decoded."""
    key, value = (_PARTS[part[0]] if part[0] in _PARTS else part.encode() for part in text.split("="))
    return key, value


def _draw(chance: random.Random, number: int) -> str:
    key = chance.choice("aaabbcd-!")
    return f"{key}={chance.choice([f'{number}', f'{chance.randrange(2)}', '-', '-', '!'])}"


def _error(part: str, partition: int, offset: int) -> str:
    return (
        f"the {part} of the record at partition {partition}, offset {offset} can't be decoded: "
        'invalid byte sequence for encoding "UTF8": 0xff'
    )


def _records(log: Log, before: UpstreamFrontier, after: UpstreamFrontier) -> Iterator[tuple[int, int, str]]:
    for partition, texts in sorted(log.partitions.items()):
        for offset in range(before.get(partition, 0), after.get(partition, 0)):
            text = texts[offset]
            if text is not None:
                yield partition, offset, text


def meaning_of(errors: DecodingErrors) -> Callable[[Log, Sequence[UpstreamFrontier]], Counter[Row]]:
    """The fold that the law is: binding by binding, record by record."""

    def meaning(log: Log, bound: Sequence[UpstreamFrontier]) -> Counter[Row]:
        keys: dict[str, Row] = {}
        lasting: list[Row] = []
        told = (None,) if errors is DecodingErrors.INLINE else ()
        for before, after in itertools.pairwise(bound):
            for partition, offset, text in _records(log, before, after):
                key, value = text.split("=")
                row: Row = (key, *told, value, partition, offset, None)
                nothing = (*told, None, None, None)
                failed = (
                    f"22021 {_error('key', partition, offset)} (KEY DECODING ERRORS = SKIP leaves such records out)"
                )
                match key, value, errors:
                    case "!", _, DecodingErrors.SKIP:
                        continue
                    case _, "!", DecodingErrors.SKIP:
                        continue
                    case "!", _, _:
                        lasting.append((None, *nothing, failed))
                        continue
                    case _, "-", _:
                        keys.pop(key, None)
                        continue
                    case "-", _, _:
                        row = (None, *nothing, NO_KEY)
                    case _, "!", DecodingErrors.INLINE:
                        row = (key, (_error("value", partition, offset),), None, partition, offset, None)
                    case _, "!", _:
                        failed = _error("value", partition, offset)
                        failed = f"22021 {failed} (VALUE DECODING ERRORS = SKIP leaves such records out)"
                        row = (key, *nothing, failed)
                keys[key] = row
        return Counter([*keys.values(), *lasting])

    return meaning


def _upserted(seed: int, errors: DecodingErrors = DecodingErrors.FAIL) -> None:
    reclocked(seed, Log(record=_record), _draw, _ENCODINGS[errors], meaning_of(errors))


@pytest.mark.in_part(6)
@pytest.mark.parametrize("seed", range(12))
def test_a_key_has_what_its_last_record_has_told(seed: int) -> None:
    _upserted(seed, list(DecodingErrors)[seed % 3])


def state_ahead_of_its_shard(patch: pytest.MonkeyPatch) -> None:
    whole = KeyedState.updates

    async def at_once(state: KeyedState, told: KeyedRows) -> pa.Table:
        updates = await whole(state, told)
        state._add(updates)
        return updates

    async def bound(state: KeyedState, _tables: object, _lower: object, upper: object) -> None:
        state._upper = upper  # type: ignore[assignment]

    patch.setattr(KeyedState, "updates", at_once)
    patch.setattr(KeyedState, "bound", bound)


def state_of_what_it_has_written_itself(patch: pytest.MonkeyPatch) -> None:
    whole = KeyedState.follow

    async def follow_once(state: KeyedState, shard: ShardState) -> None:
        if state._upper is None:
            await whole(state, shard)
        state._upper = shard.write_frontier

    patch.setattr(KeyedState, "follow", follow_once)


def order_of_arrival(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(decoding, "in_order", lambda records: records)


def first_instead_of_last(patch: pytest.MonkeyPatch) -> None:
    last = keyed_state._last_of_each

    def first(keys: pa.Table) -> pa.Array:
        count = keys.num_rows
        backwards = pa.array(range(count - 1, -1, -1))
        return pc.subtract(count - 1, last(keys.take(backwards)))

    patch.setattr(keyed_state, "_last_of_each", first)


def tombstones_that_delete_nothing(patch: pytest.MonkeyPatch) -> None:
    def ignored(records: pa.Table, encoding: RecordEncoding, desc: RelationDesc, schemas: RegistrySchemas) -> KeyedRows:
        told = keyed_rows(records, encoding, desc, schemas)
        return KeyedRows(told.rows.filter(told.present), told.present.filter(told.present), told.lasting)

    patch.setattr(range_rows, "keyed_rows", ignored)


@pytest.mark.parametrize(
    "bug",
    [
        state_ahead_of_its_shard,
        state_of_what_it_has_written_itself,
        order_of_arrival,
        first_instead_of_last,
        tombstones_that_delete_nothing,
    ],
)
def test_bugs_put_in_on_purpose_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            _upserted(seed)
