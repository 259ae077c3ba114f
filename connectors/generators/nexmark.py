"""NEXMARK: persons, auctions and bids of an auction site, 1 to 3 to 46.

Event number e is of epoch e div 50: the first of an epoch is a person, three are auctions, the others bids. Ids count
from 1000; half the bids are on a hot auction, three quarters by a hot bidder. 10,000 events make a second.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from connectors.generators.moments import local_moments
from connectors.generators.randomness import Draws, Integers, among, texts
from connectors.generators.steps import as_updates

_EPOCH, _AUCTIONS = 50, 3
_FIRST_ID, _FIRST_CATEGORY, _CATEGORIES = 1_000, 10, 5
_PER_MS = 10
_HOT, _ACTIVE_PERSONS, _RECENT_AUCTIONS, _LEAD = 100, 1_000, 100, 10
_LIFE_MS = 166
"""Until 100 more auctions have begun."""
_CHANNELS = 10_000
_HOT_CHANNELS = ("Google", "Facebook", "Baidu", "Apple")
_GIVEN = ("Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter")
_FAMILY = ("Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris")
_CITIES = (
    *("Phoenix", "Los Angeles", "San Francisco", "Boise", "Portland"),
    *("Bend", "Redmond", "Seattle", "Kent", "Cheyenne"),
)
_STATES = ("AZ", "CA", "ID", "OR", "WA", "WY")
_PERSON_PADDING, _AUCTION_PADDING, _BID_PADDING = 100, 380, 60


class Nexmark:
    """The generator for one seed, with `batch` events per step."""

    ready = 0
    bytes_per_update = 1_024

    def __init__(self, seed: int, batch: int) -> None:
        self._seed = seed
        self._batch = batch

    @property
    def updates_per_step(self) -> int:
        return self._batch

    def updates(self, lower: int, upper: int) -> Mapping[str, pa.Table]:
        events = np.arange(lower * self._batch, upper * self._batch, dtype=np.int64)
        place = events % _EPOCH
        return {
            "person": self._persons(events[place == 0]),
            "auction": self._auctions(events[(place > 0) & (place <= _AUCTIONS)]),
            "bid": self._bids(events[place > _AUCTIONS]),
        }

    def _draws(self, purpose: str) -> Draws:
        return Draws(self._seed, f"nexmark {purpose}")

    def _persons(self, events: Integers) -> pa.Table:
        name = _joined(self._draws("given").among(events, _GIVEN), self._draws("family").among(events, _FAMILY), " ")
        user, host = (self._words(purpose, events, 3, most) for purpose, most in (("user", 7), ("host", 5)))
        address = pc.binary_join_element_wise(user, "@", host, ".com", "")
        return as_updates(
            [
                pa.array(_last_person(events) + _FIRST_ID),
                name,
                address,
                self._card(events),
                self._draws("city").among(events, _CITIES),
                self._draws("state").among(events, _STATES),
                _time(events),
                self._padding("person", events, _PERSON_PADDING),
            ],
            1,
        )

    def _card(self, events: Integers) -> pa.Array:
        groups = []
        for group in range(4):
            digits = pa.array(self._draws(f"card {group}").below(events, 10_000)).cast(pa.string())
            groups.append(pc.utf8_lpad(digits, 4, "0"))
        return pc.binary_join_element_wise(*groups, " ")

    def _auctions(self, events: Integers) -> pa.Table:
        first = self._price("initial", events)
        lasts = self._draws("life").below(events, 2 * _LIFE_MS)
        hot = self._draws("hot seller").below(events, 4) > 0
        category = self._draws("category").below(events, _CATEGORIES) + _FIRST_CATEGORY
        return as_updates(
            [
                pa.array(_last_auction(events) + _FIRST_ID),
                self._words("item", events, 3, 20),
                self._words("description", events, 3, 100),
                pa.array(first),
                pa.array(first + self._price("reserve", events)),
                _time(events),
                local_moments(events // _PER_MS + 1 + lasts),
                pa.array(self._person("seller", events, hot, 0) + _FIRST_ID),
                pa.array(category),
                self._padding("auction", events, _AUCTION_PADDING),
            ],
            1,
        )

    def _bids(self, events: Integers) -> pa.Table:
        newest = _last_auction(events)
        oldest = np.maximum(newest - _RECENT_AUCTIONS, 0)
        some = oldest + self._draws("auction").below(events, newest - oldest + 1 + _LEAD)
        hot = self._draws("hot auction").below(events, 2) > 0
        auction = np.where(hot, newest // _HOT * _HOT, some)
        hot_bidder = self._draws("hot bidder").below(events, 4) > 0
        channel, url = self._channel(events)
        return as_updates(
            [
                pa.array(auction + _FIRST_ID),
                pa.array(self._person("bidder", events, hot_bidder, 1) + _FIRST_ID),
                pa.array(self._price("bid", events)),
                channel,
                url,
                _time(events),
                self._padding("bid", events, _BID_PADDING),
            ],
            1,
        )

    def _person(self, purpose: str, events: Integers, hot: npt.NDArray[np.bool_], behind: int) -> Integers:
        """Chooses a person for each event: a hot one (`behind` places after a multiple of 100), or one of the
        newest, or of the next ones."""
        newest = _last_person(events)
        active = np.minimum(newest, _ACTIVE_PERSONS)
        some = newest - active + self._draws(purpose).below(events, active + 1 + _LEAD)
        chosen: Integers = np.where(hot, newest // _HOT * _HOT + behind, some)
        return chosen

    def _price(self, purpose: str, events: Integers) -> Integers:
        """Returns prices in cents, from one unit to a million, evenly spread over the magnitudes."""
        price: Integers = np.round(10 ** (6 * self._draws(f"{purpose} price").fractions(events)) * 100).astype(np.int64)
        return price

    def _channel(self, events: Integers) -> tuple[pa.Array, pa.Array]:
        hot = pa.array(self._draws("hot channel").below(events, 2) > 0)
        number = self._draws("channel").below(events, _CHANNELS)
        known = self._draws("known channel").below(events, len(_HOT_CHANNELS))
        plain = texts("https://www.nexmark.com/item/{}/item.htm?query=1", number)
        told = _joined(plain, texts("channel_id={}", Draws(self._seed, "channel id").below(number, 1 << 31)), "&")
        url = pc.if_else(pa.array(Draws(self._seed, "channel url").below(number, 10) > 0), told, plain)
        hot_url = texts("https://www.nexmark.com/hot/{}/item.htm?query=1", known)
        name = pc.if_else(hot, among(_HOT_CHANNELS, known), texts("channel-{}", number))
        return name, pc.if_else(hot, hot_url, url)

    def _words(self, purpose: str, events: Integers, least: int, most: int) -> pa.Array:
        lengths = least + self._draws(f"{purpose} length").below(events, most - least + 1)
        return self._draws(purpose).letters(events, lengths)

    def _padding(self, purpose: str, events: Integers, size: int) -> pa.Array:
        """Pads rows to their average size, a fifth more or less."""
        lengths = size * 4 // 5 + self._draws(f"{purpose} padding").below(events, size * 2 // 5)
        return self._draws(f"{purpose} extra").letters(events, lengths)


def _last_person(events: Integers) -> Integers:
    return events // _EPOCH


def _last_auction(events: Integers) -> Integers:
    """Returns the newest auction at each event; a person's event counts as one before it."""
    place = events % _EPOCH
    newest: Integers = events // _EPOCH * _AUCTIONS + np.clip(place - 1, 0, _AUCTIONS - 1) - (place == 0)
    return np.maximum(newest, 0)


def _time(events: Integers) -> pa.Array:
    return local_moments(events // _PER_MS)


def _joined(left: pa.Array, right: pa.Array, between: str) -> pa.Array:
    return pc.binary_join_element_wise(left, right, between)
