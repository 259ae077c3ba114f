"""The Python value of each SQL type. SQL's NULL is None, for every type.

bool               bool
int2/4/8, uint2/4/8, oid, reg*, xid, tid, mz_timestamp   int
float4, float8     float (float4 holds a value that single precision can hold)
numeric            decimal.Decimal (NaN allowed), at most 38 digits
text, varchar, name, "char", json         str
char(n)            str without its padding; the padding is added on output
bytea              bytes
bit, varbit        str of 0 and 1
date               datetime.date; a WideDate beyond the years 1 to 9999 and for the infinities (wide_time.py)
time               datetime.time; 24:00:00 is END_OF_DAY (time_of_day.py)
timetz             TimeTz
timestamp          datetime.datetime without zone; a WideMoment beyond the years 1 to 9999 and for the infinities
timestamptz        datetime.datetime in UTC; a WideMoment likewise
interval           Interval
uuid               uuid.UUID
inet, cidr         Inet
macaddr, macaddr8  bytes: 6, 8
tsvector, tsquery  bytes, as model/search has them; regconfig int
jsonb              str: PostgreSQL's canonical text (keys by length then bytes, no duplicates)
array              tuple of element datums; a ShapedArray unless it has one dimension that begins at 1 (arrays.py)
enum               float: the label's position in its type
range              Range, in its canonical form
multirange         tuple of Range: in order, none empty, none touching the next
record             tuple of field datums
list               tuple of item datums
map                tuple of pairs of a key (str) and a value, in the order of the keys, each of which is there once
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import total_ordering

from model.types.wide_time import WideDate, WideMoment

_DAYS_PER_MONTH = 30
MICROSECONDS_PER_DAY = 86_400_000_000


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Months, days and microseconds apart; compares as months of 30 days of 24 hours, as PostgreSQL does."""

    months: int
    days: int
    microseconds: int

    def span(self) -> int:
        """Returns the comparison value, in microseconds."""
        return (self.months * _DAYS_PER_MONTH + self.days) * MICROSECONDS_PER_DAY + self.microseconds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interval) and self.span() == other.span()

    def __lt__(self, other: Interval) -> bool:
        return self.span() < other.span()

    def __hash__(self) -> int:
        return hash(self.span())


@dataclass(frozen=True, slots=True)
class Range:
    """A range between two bounds. None is a missing bound, which counts as exclusive; an empty range has no bounds.

    Ranges of int4, int8 and date are stored as [lower, upper).
    """

    lower: Datum = None
    upper: Datum = None
    lower_included: bool = False
    upper_included: bool = False
    empty: bool = False


EMPTY_RANGE = Range(empty=True)


@dataclass(frozen=True, slots=True, order=True)
class TimeTz:
    """A time of day with an offset: `utc`, in microseconds since midnight in UTC (possibly outside the day), and
    `west`, the offset in seconds west. Compares by these two, as in PostgreSQL."""

    utc: int
    west: int

    @property
    def local(self) -> int:
        """The local time of day: microseconds since midnight, up to a whole day."""
        return self.utc - self.west * 1_000_000


ADDRESS_BITS = {4: 32, 6: 128}
"""The length of an address by its version of IP."""


@dataclass(frozen=True, slots=True, order=True)
class Inet:
    """An IP address of `version` 4 or 6 as a number, in the network of its first `prefix` bits. Compares as inet and
    cidr do: by network, then by length of the prefix, then by address."""

    version: int
    network: int
    prefix: int
    address: int


def network_of(version: int, address: int, prefix: int) -> Inet:
    """Returns the address with its network, whose other bits are 0."""
    host_bits = ADDRESS_BITS[version] - prefix
    return Inet(version, address >> host_bits << host_bits, prefix, address)


Dimension = tuple[int, int]
"""The least subscript, and the length."""


@dataclass(frozen=True, slots=True)
class ShapedArray:
    """An array of several dimensions, or of one that doesn't begin at 1: at least one element, with the last
    dimension's side by side. Iterates over its elements."""

    items: tuple[Datum, ...]
    dimensions: tuple[Dimension, ...]

    def __iter__(self) -> Iterator[Datum]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


Datum = (
    bool
    | int
    | float
    | decimal.Decimal
    | str
    | bytes
    | datetime.date
    | datetime.time
    | datetime.datetime
    | WideDate
    | WideMoment
    | TimeTz
    | Interval
    | uuid.UUID
    | Range
    | Inet
    | tuple["Datum", ...]
    | ShapedArray
    | None
)

Row = tuple[Datum, ...]
