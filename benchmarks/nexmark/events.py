"""Nexmark's events from a seed, vectorised: 1 person, 3 auctions and 46 bids in every 50 events, in order of time.

The distributions are those of the suite's generator: hot auctions, bidders and sellers, references a little ahead of
what exists, log-uniform prices. Times are `rate` events a second; which rate it is changes what windows hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

Ints = np.ndarray[tuple[int], np.dtype[np.int64]]

_EPOCH = 50
_AUCTIONS = 3
_FIRST_PERSON, _FIRST_AUCTION, _FIRST_CATEGORY, _CATEGORIES = 1000, 1000, 10, 5
_ACTIVE_PERSONS, _LEAD, _ACTIVE_AUCTIONS, _HOT = 1000, 10, 100, 100
_BASE_US = 1_700_000_000_000_000
_LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz ", np.uint8)
_FIRST_NAMES = ("Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter")
_LAST_NAMES = ("Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris")
_CITIES = (
    "Phoenix", "Los Angeles", "San Francisco", "Boise", "Portland", "Bend", "Redmond", "Seattle", "Kent", "Cheyenne",
)  # fmt: skip
_STATES = ("AZ", "CA", "ID", "OR", "WA", "WY")
_CHANNELS = ("Google", "Facebook", "Baidu", "Apple")
_OTHER_CHANNELS = 10_000


@dataclass(frozen=True, slots=True)
class Events:
    """Tables of the suite's columns, `date_time` in microseconds without a zone, each in order of time."""

    person: pa.Table
    auction: pa.Table
    bid: pa.Table


def generate(count: int, rate: int = 10_000, seed: int = 1) -> Events:
    """The first `count` events."""
    source = np.random.default_rng(seed)
    number = np.arange(count, dtype=np.int64)
    offset = number % _EPOCH
    persons = number[offset == 0]
    auctions = number[(offset >= 1) & (offset <= _AUCTIONS)]
    bids = number[offset > _AUCTIONS]
    return Events(_persons(source, persons, rate), _auctions(source, auctions, rate), _bids(source, bids, rate))


def _last_person(number: Ints) -> Ints:
    return number // _EPOCH


def _last_auction(number: Ints) -> Ints:
    epoch, offset = number // _EPOCH, number % _EPOCH
    return np.where(offset == 0, epoch * _AUCTIONS - 1, epoch * _AUCTIONS + np.clip(offset - 1, 0, _AUCTIONS - 1))


def _some_person(source: np.random.Generator, number: Ints, hot_offset: int) -> Ints:
    last = _last_person(number)
    hot = last // _HOT * _HOT + hot_offset
    active = np.minimum(last + 1, _ACTIVE_PERSONS)
    any_ = last - active + 1 + (source.random(len(number)) * (active + _LEAD)).astype(np.int64)
    return np.where(source.random(len(number)) < 0.75, hot, any_) + _FIRST_PERSON


def _some_auction(source: np.random.Generator, number: Ints) -> Ints:
    last = np.maximum(_last_auction(number), 0)
    hot = last // _HOT * _HOT
    least = np.maximum(last - _ACTIVE_AUCTIONS, 0)
    any_ = least + (source.random(len(number)) * (last - least + 1 + _LEAD)).astype(np.int64)
    return np.where(source.random(len(number)) < 0.5, hot, any_) + _FIRST_AUCTION


def _price(source: np.random.Generator, count: int) -> Ints:
    return np.rint(10.0 ** (source.random(count) * 6.0) * 100.0).astype(np.int64)


def _time(number: Ints, rate: int) -> Ints:
    return _BASE_US + number * 1_000_000 // rate


def _timestamps(micros: Ints) -> pa.Array:
    return pa.array(micros, pa.timestamp("us"))


def _words(source: np.random.Generator, count: int, longest: int) -> pa.Array:
    """Texts of 3 to `longest` letters."""
    lengths = 3 + (source.random(count) * (longest - 3)).astype(np.int64)
    return _letters(source, lengths)


def _letters(source: np.random.Generator, lengths: Ints) -> pa.Array:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    letters = _LETTERS[(source.random(int(offsets[-1])) * len(_LETTERS)).astype(np.int64)]
    return pa.StringArray.from_buffers(len(lengths), pa.py_buffer(offsets), pa.py_buffer(letters.tobytes()))


def _padding(source: np.random.Generator, count: int, average: int) -> pa.Array:
    return _letters(source, (average * (0.8 + 0.4 * source.random(count))).astype(np.int64))


def _chosen(source: np.random.Generator, values: tuple[str, ...], count: int) -> Any:
    return np.asarray(values, dtype=object)[(source.random(count) * len(values)).astype(np.int64)]


def _persons(source: np.random.Generator, number: Ints, rate: int) -> pa.Table:
    count = len(number)
    cards = (source.random((count, 4)) * 10_000).astype(np.int64)
    return pa.table(
        {
            "id": _last_person(number) + _FIRST_PERSON,
            "name": pa.array(_chosen(source, _FIRST_NAMES, count) + " " + _chosen(source, _LAST_NAMES, count)),
            "email_address": pa.array(
                [
                    f"{a}@{b}.com"
                    for a, b in zip(
                        _words(source, count, 7).to_pylist(), _words(source, count, 5).to_pylist(), strict=True
                    )
                ]
            ),
            "credit_card": pa.array([" ".join(f"{part:04}" for part in card) for card in cards.tolist()]),
            "city": pa.array(_chosen(source, _CITIES, count)),
            "state": pa.array(_chosen(source, _STATES, count)),
            "date_time": _timestamps(_time(number, rate)),
            "extra": _padding(source, count, 100),
        }
    )


def _auctions(source: np.random.Generator, number: Ints, rate: int) -> pa.Table:
    count = len(number)
    first = _price(source, count)
    time = _time(number, rate)
    horizon = _ACTIVE_AUCTIONS * _EPOCH // _AUCTIONS * 1_000_000 // rate
    expires = time + 1_000 + (source.random(count) * 2 * horizon).astype(np.int64)
    return pa.table(
        {
            "id": _last_auction(number) + _FIRST_AUCTION,
            "item_name": _words(source, count, 20),
            "description": _words(source, count, 100),
            "initial_bid": first,
            "reserve": first + _price(source, count),
            "date_time": _timestamps(time),
            "expires": _timestamps(expires),
            "seller": _some_person(source, number, 0),
            "category": _FIRST_CATEGORY + (source.random(count) * _CATEGORIES).astype(np.int64),
            "extra": _padding(source, count, 350),
        }
    )


def _bids(source: np.random.Generator, number: Ints, rate: int) -> pa.Table:
    count = len(number)
    channels, urls = _channels(source)
    hot = (source.random(count) * len(_CHANNELS)).astype(np.int64)
    other = len(_CHANNELS) + (source.random(count) * _OTHER_CHANNELS).astype(np.int64)
    channel = pa.array(np.where(source.random(count) < 0.5, hot, other), pa.int32())
    return pa.table(
        {
            "auction": _some_auction(source, number),
            "bidder": _some_person(source, number, 1),
            "price": _price(source, count),
            "channel": pa.DictionaryArray.from_arrays(channel, pa.array(channels)).dictionary_decode(),
            "url": pa.DictionaryArray.from_arrays(channel, pa.array(urls)).dictionary_decode(),
            "date_time": _timestamps(_time(number, rate)),
            "extra": _padding(source, count, 50),
        }
    )


def _channels(source: np.random.Generator) -> tuple[list[str], list[str]]:
    """Names and urls: four hot ones, then ten thousand, of which nine in ten say their number in the url."""
    total = len(_CHANNELS) + _OTHER_CHANNELS
    parts = [_words(source, total, 5).to_pylist() for _ in range(3)]
    urls = [
        f"https://www.nexmark.com/{a}/{b}/{c}/item.htm?query=1".replace(" ", "_")
        for a, b, c in zip(*parts, strict=True)
    ]
    names = [*_CHANNELS, *(f"channel-{i}" for i in range(_OTHER_CHANNELS))]
    tells = source.random(_OTHER_CHANNELS) < 0.9
    for i in range(_OTHER_CHANNELS):
        if tells[i]:
            urls[len(_CHANNELS) + i] += f"&channel_id={_reversed(i)}"
    return names, urls


def _reversed(value: int) -> int:
    """The distance from zero of a 32-bit integer with its bits in reverse."""
    bits = int(f"{value:032b}"[::-1], 2)
    return abs(bits - (1 << 32) if bits >> 31 else bits)
