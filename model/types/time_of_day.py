"""Times of day as microseconds since midnight and back, `24:00:00` included, which Python's times lack.

A datum of type time is a datetime.time. `24:00:00` is END_OF_DAY, a datetime.time that lies behind all others: what
counts hours, minutes and seconds finds 24:00:00, and what compares two times asks it first, since its class is derived
from theirs. Only what the standard library computes from a time by itself takes it for midnight: datetime.combine.
"""

from __future__ import annotations

import datetime
from typing import Final

from model.types.datum import MICROSECONDS_PER_DAY

_SECOND = 1_000_000
_WRITTEN = "24:00:00"


class _EndOfDay(datetime.time):
    """The class of END_OF_DAY alone."""

    @property
    def hour(self) -> int:
        return 24

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return hash(MICROSECONDS_PER_DAY)

    def __lt__(self, other: datetime.time) -> bool:
        return False

    def __le__(self, other: datetime.time) -> bool:
        return self is other

    def __gt__(self, other: datetime.time) -> bool:
        return self is not other

    def __ge__(self, other: datetime.time) -> bool:
        return True

    def __str__(self) -> str:
        return self.isoformat()

    def __repr__(self) -> str:
        return "END_OF_DAY"

    def isoformat(self, timespec: str = "auto") -> str:
        return super().isoformat(timespec).replace("00", "24", 1)

    def __reduce_ex__(self, protocol: object) -> str:
        """Names the one value, so that copies and what another process reads are the same object."""
        return "END_OF_DAY"


END_OF_DAY: Final = _EndOfDay()


def time_to_micros(time: datetime.time) -> int:
    """Returns the microseconds since midnight, up to a whole day."""
    return ((time.hour * 60 + time.minute) * 60 + time.second) * _SECOND + time.microsecond


def time_from_micros(micros: int) -> datetime.time:
    """Returns the time of day, of 0 microseconds up to a whole day."""
    if micros == MICROSECONDS_PER_DAY:
        return END_OF_DAY
    seconds, micros = divmod(micros, _SECOND)
    return datetime.time(seconds // 3600, seconds // 60 % 60, seconds % 60, micros)


def time_from_iso(text: str) -> datetime.time:
    """Returns the time of day that `isoformat` has written."""
    return END_OF_DAY if text == _WRITTEN else datetime.time.fromisoformat(text)
