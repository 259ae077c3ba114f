"""The Python value of each SQL type. SQL's NULL is None, for every type.

bool               bool
int2/4/8, oid, reg*, xid, mz_timestamp    int
float4, float8     float (float4 holds a value that single precision can hold)
numeric            decimal.Decimal (NaN allowed), at most 38 digits
text, varchar, name, "char", json         str
char(n)            str without its padding; the padding is added on output
bytea              bytes
date               datetime.date
time               datetime.time
timestamp          datetime.datetime without zone
timestamptz        datetime.datetime in UTC
interval           Interval
uuid               uuid.UUID
jsonb              str: PostgreSQL's canonical text (keys by length then bytes, no duplicates)
array              tuple of element datums, one-dimensional, lower bound 1
enum               float: the label's position in its type
record             tuple of field datums
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from dataclasses import dataclass
from functools import total_ordering

_DAYS_PER_MONTH = 30
_MICROSECONDS_PER_DAY = 86_400_000_000


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Months, days and microseconds apart; compares as months of 30 days of 24 hours, as PostgreSQL does."""

    months: int
    days: int
    microseconds: int

    def span(self) -> int:
        """The comparison value, in microseconds."""
        return (self.months * _DAYS_PER_MONTH + self.days) * _MICROSECONDS_PER_DAY + self.microseconds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interval) and self.span() == other.span()

    def __lt__(self, other: Interval) -> bool:
        return self.span() < other.span()

    def __hash__(self) -> int:
        return hash(self.span())


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
    | Interval
    | uuid.UUID
    | tuple["Datum", ...]
    | None
)

Row = tuple[Datum, ...]
