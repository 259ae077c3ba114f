"""MARKETING: customers see advertisements, some click, some become leads, get coupons, and some leads buy.

The first step creates the customers. In each further step a customer sees an advertisement; every second one is clicked
a moment later, every fifth creates a lead, with a prediction whether it will convert. A lead converts CONVERTED_AFTER
steps later, or never; its row is replaced then.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from connectors.generators.moments import moments
from connectors.generators.randomness import Draws, Integers, among, texts
from connectors.generators.steps import as_updates
from model.physical.columns import arrow_type
from model.types.scalar_type import INT8, TIMESTAMPTZ

CONVERTED_AFTER = 30
_CUSTOMERS, _CAMPAIGNS = 1_000, 10
_BETWEEN_MS, _CLICKED_AFTER_MS = 1_000, 400
_PER_CLICK, _PER_LEAD, _PER_COUPON = 2, 5, 2
_BUCKETS = ("baseline", "experiment")


class Marketing:
    """The generator for one seed."""

    ready = 1
    updates_per_step = _CUSTOMERS
    bytes_per_update = 128

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def updates(self, lower: int, upper: int) -> Mapping[str, pa.Table]:
        tables = {} if lower > 0 or upper < 1 else {"customers": self._customers()}
        seen = np.arange(max(lower, 1), max(upper, 1), dtype=np.int64) - 1
        leads = seen[self._draws("lead").below(seen, _PER_LEAD) == 0]
        before = seen[seen >= CONVERTED_AFTER] - CONVERTED_AFTER
        earlier = before[self._draws("lead").below(before, _PER_LEAD) == 0]
        return {
            **tables,
            "impressions": self._impressions(seen),
            "clicks": self._clicks(seen[self._draws("click").below(seen, _PER_CLICK) == 0]),
            "leads": self._leads(leads, earlier[self._converts(earlier)]),
            "coupons": self._coupons(leads[self._draws("coupon").below(leads, _PER_COUPON) == 0]),
            "conversion_predictions": self._predictions(leads),
        }

    def _draws(self, purpose: str) -> Draws:
        return Draws(self._seed, f"marketing {purpose}")

    def _customers(self) -> pa.Table:
        ids = np.arange(_CUSTOMERS, dtype=np.int64)
        income = self._draws("income").below(ids, 180_000) + 20_000
        return as_updates([pa.array(ids), texts("customer{}@example.com", ids), pa.array(income)], 1)

    def _impressions(self, seen: Integers) -> pa.Table:
        campaign = self._draws("campaign").below(seen, _CAMPAIGNS)
        columns = [pa.array(seen), pa.array(self._customer(seen)), pa.array(campaign), moments(seen * _BETWEEN_MS)]
        return as_updates(columns, 1)

    def _customer(self, seen: Integers) -> Integers:
        return self._draws("customer").below(seen, _CUSTOMERS)

    def _clicks(self, seen: Integers) -> pa.Table:
        return as_updates([pa.array(seen), moments(seen * _BETWEEN_MS + _CLICKED_AFTER_MS)], 1)

    def _converts(self, leads: Integers) -> npt.NDArray[np.bool_]:
        """Tells which leads convert; those with a coupon are twice as likely to."""
        with_coupon = self._draws("coupon").below(leads, _PER_COUPON) == 0
        chance: npt.NDArray[np.bool_] = self._draws("converts").below(leads, 100) < np.where(with_coupon, 50, 25)
        return chance

    def _leads(self, new: Integers, converted: Integers) -> pa.Table:
        """Returns the changes of leads; a lead has the number of the impression that created it."""
        return pa.concat_tables(
            [
                as_updates(self._lead(new, bought=False), 1),
                as_updates(self._lead(converted, bought=False), -1),
                as_updates(self._lead(converted, bought=True), 1),
            ]
        )

    def _lead(self, leads: Integers, *, bought: bool) -> list[pa.Array]:
        columns = [pa.array(leads), pa.array(self._customer(leads)), moments(leads * _BETWEEN_MS)]
        if bought:
            amount = self._draws("amount").below(leads, 990) + 10
            return [*columns, moments((leads + CONVERTED_AFTER) * _BETWEEN_MS), pa.array(amount)]
        return [*columns, *(pa.nulls(len(leads), arrow_type(type_)) for type_ in (TIMESTAMPTZ, INT8))]

    def _coupons(self, leads: Integers) -> pa.Table:
        amount = self._draws("discount").below(leads, 95) + 5
        columns = [pa.array(leads), pa.array(leads), moments(leads * _BETWEEN_MS), pa.array(amount)]
        return as_updates(columns, 1)

    def _predictions(self, leads: Integers) -> pa.Table:
        bucket = among(_BUCKETS, self._draws("bucket").below(leads, len(_BUCKETS)))
        score = pa.array(self._draws("score").fractions(leads))
        return as_updates([pa.array(leads), bucket, moments(leads * _BETWEEN_MS), score], 1)
