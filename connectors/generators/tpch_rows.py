"""The rows of TPC-H's tables, each a function of the seed and its number; an order's, of its version, too."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from connectors.generators.randomness import Draws, Integers, among, texts

Columns = list[pa.Array]
SUPPLIERS_EACH, LINES_MAX = 4, 7
"""Of a part, and of an order."""
_REGIONS = ("AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST")
_NATIONS = (
    *(("ALGERIA", 0), ("ARGENTINA", 1), ("BRAZIL", 1), ("CANADA", 1), ("EGYPT", 4), ("ETHIOPIA", 0), ("FRANCE", 3)),
    *(("GERMANY", 3), ("INDIA", 2), ("INDONESIA", 2), ("IRAN", 4), ("IRAQ", 4), ("JAPAN", 2), ("JORDAN", 4)),
    *(("KENYA", 0), ("MOROCCO", 0), ("MOZAMBIQUE", 0), ("PERU", 1), ("CHINA", 2), ("ROMANIA", 3)),
    *(("SAUDI ARABIA", 4), ("VIETNAM", 2), ("RUSSIA", 3), ("UNITED KINGDOM", 3), ("UNITED STATES", 1)),
)
_SEGMENTS = ("AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD")
_PRIORITIES = ("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW")
_INSTRUCTIONS = ("DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN")
_MODES = ("REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB")
_SIZES = ("STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO")
_FINISHES = ("ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED")
_METALS = ("TIN", "NICKEL", "BRASS", "STEEL", "COPPER")
_CONTAINERS = tuple(
    f"{size} {kind}"
    for size in ("SM", "LG", "MED", "JUMBO", "WRAP")
    for kind in ("CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM")
)
_COLORS = ("almond", "azure", "blush", "coral", "forest", "green", "ivory", "lemon", "navy", "olive", "plum", "red")
_CENT = Decimal("0.01")
_FIRST_DAY, _DAYS, _TODAY = 8_035, 2_406, 9_298
"""Days since 1970: 1992-01-01, orders until 1998-08-02, and 1995-06-17, until which all has been delivered."""


class TpchRows:
    """Computes rows. `counts` are the numbers of rows of the tables that grow with the scale factor."""

    def __init__(self, seed: int, counts: Mapping[str, int]) -> None:
        self._seed = seed
        self._counts = counts

    def of(self, table: str, numbers: Integers, version: int) -> dict[str, Columns]:
        """Returns rows with these numbers (from 0) of a table, and of the tables that depend on it, by table."""
        match table:
            case "supplier":
                return {table: self._suppliers(numbers)}
            case "customer":
                return {table: self._customers(numbers)}
            case "part":
                return {table: self._parts(numbers), "partsupp": self._supplied(numbers)}
            case _:
                return self._orders(numbers, version)

    def regions(self) -> Columns:
        keys = np.arange(len(_REGIONS), dtype=np.int64)
        return [pa.array(keys), pa.array(_REGIONS), self._comment("region", keys)]

    def nations(self) -> Columns:
        keys = np.arange(len(_NATIONS), dtype=np.int64)
        regions = np.array([region for _, region in _NATIONS], np.int64)
        return [pa.array(keys), pa.array([n for n, _ in _NATIONS]), pa.array(regions), self._comment("nation", keys)]

    def _draws(self, purpose: str) -> Draws:
        return Draws(self._seed, f"tpch {purpose}")

    def _comment(self, purpose: str, numbers: Integers) -> pa.Array:
        draws = self._draws(f"{purpose} comment")
        return draws.letters(numbers, 10 + draws.below(numbers + (1 << 40), 30))

    def _suppliers(self, numbers: Integers) -> Columns:
        keys = numbers + 1
        name = pc.utf8_replace_slice(_padded(keys, 9), 0, 0, "Supplier#")
        return [pa.array(keys), name, *self._business("supplier", numbers), self._comment("supplier", numbers)]

    def _business(self, who: str, numbers: Integers) -> Columns:
        """Returns address, nation, phone and balance."""
        nation = self._draws(f"{who} nation").below(numbers, len(_NATIONS))
        parts = [pa.array(nation + 10).cast(pa.string())]
        for group, (least, bound) in enumerate(((100, 900), (100, 900), (1_000, 9_000))):
            drawn = self._draws(f"{who} phone {group}").below(numbers, bound) + least
            parts.append(pa.array(drawn).cast(pa.string()))
        balance = self._draws(f"{who} balance").below(numbers, 1_099_999) - 99_999
        address = self._draws(f"{who} address")
        street = address.letters(numbers, 10 + address.below(numbers + (1 << 40), 20))
        return [street, pa.array(nation), pc.binary_join_element_wise(*parts, "-"), _money(balance)]

    def _customers(self, numbers: Integers) -> Columns:
        keys = numbers + 1
        name = pc.utf8_replace_slice(_padded(keys, 9), 0, 0, "Customer#")
        segment = self._draws("segment").among(numbers, _SEGMENTS)
        return [
            *(pa.array(keys), name, *self._business("customer", numbers)),
            *(segment, self._comment("customer", numbers)),
        ]

    def _parts(self, numbers: Integers) -> Columns:
        maker = self._draws("maker").below(numbers, 5) + 1
        brand = maker * 10 + self._draws("brand").below(numbers, 5) + 1
        colors = [self._draws(f"color {n}").among(numbers, _COLORS) for n in range(3)]
        kinds = [self._draws(f"type {n}").among(numbers, words) for n, words in enumerate((_SIZES, _FINISHES, _METALS))]
        size = (self._draws("size").below(numbers, 50) + 1).astype(np.int32)
        return [
            pa.array(numbers + 1),
            pc.binary_join_element_wise(*colors, " "),
            texts("Manufacturer#{}", maker),
            texts("Brand#{}", brand),
            pc.binary_join_element_wise(*kinds, " "),
            pa.array(size),
            self._draws("container").among(numbers, _CONTAINERS),
            _money(_retail_cents(numbers + 1)),
            self._comment("part", numbers),
        ]

    def _supplied(self, numbers: Integers) -> Columns:
        """Draws four suppliers of each part, all different."""
        parts = np.repeat(numbers, SUPPLIERS_EACH)
        which = np.tile(np.arange(SUPPLIERS_EACH, dtype=np.int64), len(numbers))
        rows = parts * SUPPLIERS_EACH + which
        available = (self._draws("available").below(rows, 9_999) + 1).astype(np.int32)
        cost = self._draws("cost").below(rows, 99_901) + 100
        suppliers = pa.array(self._supplier(parts, which))
        return [pa.array(parts + 1), suppliers, pa.array(available), _money(cost), self._comment("partsupp", rows)]

    def _supplier(self, parts: Integers, which: Integers) -> Integers:
        count = self._counts["supplier"]
        return (parts + which * (count // SUPPLIERS_EACH)) % count + 1

    def _orders(self, numbers: Integers, version: int) -> dict[str, Columns]:
        draw = numbers + version * self._counts["orders"]
        day = self._draws("order day").below(draw, _DAYS) + _FIRST_DAY
        count = self._draws("lines").below(draw, LINES_MAX) + 1
        lines = np.repeat(draw * LINES_MAX, count) + _counting(count)
        keys = numbers + 1
        numbered = _counting(count) + 1
        columns, cents, shipped = self._lines(np.repeat(keys, count), lines, np.repeat(day, count), numbered)
        begins = np.cumsum(count) - count
        total = np.add.reduceat(cents, begins) if len(begins) else cents
        delivered = np.add.reduceat(shipped.astype(np.int64), begins) if len(begins) else count
        status = np.where(delivered == count, 0, np.where(delivered == 0, 1, 2))
        clerk = pc.utf8_replace_slice(_padded(self._draws("clerk").below(draw, 1_000) + 1, 9), 0, 0, "Clerk#")
        orders = [
            pa.array(keys),
            pa.array(self._draws("customer").below(draw, self._counts["customer"]) + 1),
            among(("F", "O", "P"), status),
            _money(total),
            _dates(day),
            self._draws("priority").among(draw, _PRIORITIES),
            clerk,
            pa.array(np.zeros(len(keys), np.int32)),
            self._comment("order", draw),
        ]
        return {"orders": orders, "lineitem": columns}

    def _lines(
        self, keys: Integers, lines: Integers, ordered: Integers, number: Integers
    ) -> tuple[Columns, Integers, npt.NDArray[np.bool_]]:
        """Returns lines of orders, with the cost of each in cents, and whether it was delivered."""
        part = self._draws("line part").below(lines, self._counts["part"])
        supplier = self._supplier(part, self._draws("line supplier").below(lines, SUPPLIERS_EACH))
        quantity = self._draws("quantity").below(lines, 50) + 1
        price = quantity * _retail_cents(part + 1)
        discount, tax = self._draws("discount").below(lines, 11), self._draws("tax").below(lines, 9)
        ship = ordered + self._draws("ship").below(lines, 121) + 1
        commit = ordered + self._draws("commit").below(lines, 61) + 30
        receipt = ship + self._draws("receipt").below(lines, 30) + 1
        returned = np.where(receipt <= _TODAY, self._draws("returned").below(lines, 2), 2)
        shipped = ship <= _TODAY
        columns = [
            *(pa.array(keys), pa.array(part + 1), pa.array(supplier), pa.array(number.astype(np.int32))),
            *(_money(quantity * 100), _money(price), _money(discount), _money(tax)),
            *(among(("R", "A", "N"), returned), among(("O", "F"), shipped.astype(np.int64))),
            *(_dates(ship), _dates(commit), _dates(receipt)),
            self._draws("instruction").among(lines, _INSTRUCTIONS),
            self._draws("mode").among(lines, _MODES),
            self._comment("line", lines),
        ]
        return columns, price * (100 - discount) * (100 + tax) // 10_000, shipped


def _retail_cents(part: Integers) -> Integers:
    return 90_000 + part // 10 % 20_001 + 100 * (part % 1_000)


def _counting(counts: Integers) -> Integers:
    """Returns 0, 1, … for each count, one sequence after the other."""
    ends = np.cumsum(counts)
    counted: Integers = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64) - np.repeat(ends - counts, counts)
    return counted


def _padded(numbers: Integers, width: int) -> pa.Array:
    return pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width, "0")


def _money(cents: Integers) -> pa.Array:
    """Returns cents as numeric(15, 2)."""
    units = pc.multiply(pa.array(cents).cast(pa.decimal128(19, 0)), pa.scalar(_CENT))
    return units.cast(pa.decimal128(15, 2))


def _dates(days: Integers) -> pa.Array:
    return pa.array(days.astype(np.int32)).cast(pa.date32())
