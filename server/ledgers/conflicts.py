"""Compatibility of lock modes, as in PostgreSQL's manual."""

from __future__ import annotations

from planner.plans.locks import RowMode, TableMode

Mode = RowMode | TableMode

_ROWS = {
    RowMode.KEY_SHARE: {RowMode.UPDATE},
    RowMode.SHARE: {RowMode.NO_KEY_UPDATE, RowMode.UPDATE},
    RowMode.NO_KEY_UPDATE: {RowMode.SHARE, RowMode.NO_KEY_UPDATE, RowMode.UPDATE},
    RowMode.UPDATE: set(RowMode),
}

_T = TableMode
_TABLES = {
    _T.ACCESS_SHARE: {_T.ACCESS_EXCLUSIVE},
    _T.ROW_SHARE: {_T.EXCLUSIVE, _T.ACCESS_EXCLUSIVE, _T.ALL_ROWS},
    _T.ROW_EXCLUSIVE: {_T.SHARE, _T.SHARE_ROW_EXCLUSIVE, _T.EXCLUSIVE, _T.ACCESS_EXCLUSIVE},
    _T.SHARE_UPDATE_EXCLUSIVE: {mode for mode in _T if _T.SHARE_UPDATE_EXCLUSIVE <= mode <= _T.ACCESS_EXCLUSIVE},
    _T.SHARE: {_T.ROW_EXCLUSIVE, _T.SHARE_UPDATE_EXCLUSIVE} | {mode for mode in _T if mode >= _T.SHARE_ROW_EXCLUSIVE},
    _T.SHARE_ROW_EXCLUSIVE: {mode for mode in _T if mode >= _T.ROW_EXCLUSIVE},
    _T.EXCLUSIVE: {mode for mode in _T if mode >= _T.ROW_SHARE},
    _T.ACCESS_EXCLUSIVE: set(_T),
    _T.ALL_ROWS: {_T.ROW_SHARE} | {mode for mode in _T if _T.SHARE <= mode <= _T.ACCESS_EXCLUSIVE},
}


def conflict(one: Mode, other: Mode) -> bool:
    """Returns whether two owners can't hold the modes on one row, or one table, at once."""
    if isinstance(one, RowMode):
        return other in _ROWS[one]
    return other in _TABLES[one]


def conflicting_bits(mode: Mode) -> int:
    """Returns all modes that conflict with `mode`, as bits at the places of their numbers."""
    return _BITS_OF_ROWS[mode] if isinstance(mode, RowMode) else _BITS_OF_TABLES[mode]


_BITS_OF_ROWS = {int(mode): sum(1 << other for other in others) for mode, others in _ROWS.items()}
_BITS_OF_TABLES = {int(mode): sum(1 << other for other in others) for mode, others in _TABLES.items()}
