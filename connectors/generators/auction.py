"""AUCTION: an auction house, with ten bids per auction; organizations, users and accounts are fixed.

The first step creates the fixed rows; each further step begins an auction, or bids on the newest auction.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from connectors.generators.moments import moments
from connectors.generators.randomness import Draws, Integers
from connectors.generators.steps import as_updates

_ORGANIZATIONS, _USERS_EACH = 20, 10
_USERS = _ORGANIZATIONS * _USERS_EACH
_STEPS_EACH = 11
"""An auction, then ten bids on it."""
_LASTS_MS, _BETWEEN_MS = 10_000, 1_000
_TRADES = ("Gutters", "Moving", "Garden", "Bakery", "Freight", "Optics", "Books", "Bicycles")
_TOWNS = ("Harbour", "Mill", "North", "Quarry", "River", "Station", "Summit", "Valley")
_GIVEN = ("Ada", "Ben", "Clara", "Dan", "Eva", "Finn", "Greta", "Hugo", "Ines", "Jon")
_FAMILY = ("Abel", "Brand", "Cole", "Dahl", "Engel", "Frost", "Grau", "Holm")
_ITEMS = ("Signed Memorabilia", "City Bar Crawl", "Best Pizza in Town", "Gift Basket", "Custom Art")


class Auction:
    """The generator for one seed."""

    ready = 1
    updates_per_step = _USERS
    bytes_per_update = 128

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def updates(self, lower: int, upper: int) -> Mapping[str, pa.Table]:
        tables = {} if lower > 0 or upper < 1 else self._lasting()
        steps = np.arange(max(lower, 1), max(upper, 1), dtype=np.int64) - 1
        begun = steps[steps % _STEPS_EACH == 0]
        bidding = steps[steps % _STEPS_EACH != 0]
        return {**tables, "auctions": self._auctions(begun), "bids": self._bids(bidding)}

    def _draws(self, purpose: str) -> Draws:
        return Draws(self._seed, f"auction {purpose}")

    def _lasting(self) -> dict[str, pa.Table]:
        organizations = np.arange(_ORGANIZATIONS, dtype=np.int64)
        users = np.arange(_USERS, dtype=np.int64)
        trades = self._draws("trade").among(organizations, _TRADES)
        names = pc.binary_join_element_wise(self._draws("town").among(organizations, _TOWNS), trades, " ")
        given, family = self._draws("given").among(users, _GIVEN), self._draws("family").among(users, _FAMILY)
        people = pc.binary_join_element_wise(given, family, " ")
        balances = self._draws("balance").below(organizations, 9_000) + 1_000
        ids, owners = pa.array(organizations), pa.array(users // _USERS_EACH)
        return {
            "organizations": as_updates([ids, names], 1),
            "users": as_updates([pa.array(users), owners, people], 1),
            "accounts": as_updates([ids, ids, pa.array(balances)], 1),
        }

    def _auctions(self, steps: Integers) -> pa.Table:
        ids = steps // _STEPS_EACH
        seller = self._draws("seller").below(ids, _USERS)
        item = self._draws("item").among(ids, _ITEMS)
        ends = moments(steps * _BETWEEN_MS + _LASTS_MS)
        return as_updates([pa.array(ids), pa.array(seller), item, ends], 1)

    def _bids(self, steps: Integers) -> pa.Table:
        auctions = steps // _STEPS_EACH
        buyer = self._draws("buyer").below(steps, _USERS)
        amount = (self._draws("amount").below(steps, 99) + 1).astype(np.int32)
        columns = [pa.array(steps - auctions - 1), pa.array(buyer), pa.array(auctions), pa.array(amount)]
        return as_updates([*columns, moments(steps * _BETWEEN_MS)], 1)
