"""A durable form of identities (`identity_key` of a row's values), made of values known to msgpack.

    None, bool, int, float, str, bytes     the same
    (1, Decimal("2.5"))                    ["t", 1, ["n", "2.5"]]
    date, WideDate, uuid, …                by a tag as well

An identity made again of a durable form equals the first identity.
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Callable, Hashable
from typing import Any

from model.types.datum import Inet, TimeTz
from model.types.time_of_day import END_OF_DAY, time_from_iso
from model.types.wide_time import WideDate, WideMoment

_PLAIN = (type(None), bool, int, float, str, bytes)
_TUPLE = "t"
_KEPT: dict[type, tuple[str, Callable[[Any], object]]] = {
    decimal.Decimal: ("n", str),
    uuid.UUID: ("u", lambda value: value.bytes),
    datetime.date: ("d", datetime.date.isoformat),
    datetime.time: ("h", datetime.time.isoformat),
    type(END_OF_DAY): ("h", str),
    datetime.datetime: ("z", datetime.datetime.isoformat),
    WideDate: ("wd", lambda value: str(value.count)),
    WideMoment: ("wz", lambda value: str(value.count)),
    TimeTz: ("o", lambda value: [value.utc, value.west]),
    Inet: ("i", lambda value: [value.version, str(value.network), value.prefix, str(value.address)]),
}
_MADE: dict[str, Callable[[Any], Hashable]] = {
    "n": decimal.Decimal,
    "u": lambda kept: uuid.UUID(bytes=kept),
    "d": datetime.date.fromisoformat,
    "h": time_from_iso,
    "z": datetime.datetime.fromisoformat,
    "wd": lambda kept: WideDate(int(kept)),
    "wz": lambda kept: WideMoment(int(kept)),
    "o": lambda kept: TimeTz(*kept),
    "i": lambda kept: Inet(kept[0], int(kept[1]), kept[2], int(kept[3])),
}


def kept_of(identity: Hashable) -> object:
    """Returns the durable form of an identity; raises ValueError where none exists, such as for a range."""
    if isinstance(identity, tuple):
        return [_TUPLE, *map(kept_of, identity)]
    if type(identity) in _PLAIN:
        return identity
    found = _KEPT.get(type(identity))
    if found is None:
        raise ValueError(f"nothing keeps a {type(identity).__name__}")
    tag, form = found
    return [tag, form(identity)]


def identity_of(kept: Any) -> Hashable:
    """Returns the identity of a durable form.

    >>> identity_of(kept_of((1, None, decimal.Decimal("2.50")))) == (1, None, decimal.Decimal("2.5"))
    True
    """
    if not isinstance(kept, list):
        return kept  # type: ignore[no-any-return]
    tag, *values = kept
    return tuple(map(identity_of, values)) if tag == _TUPLE else _MADE[tag](*values)
