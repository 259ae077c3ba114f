"""PostgreSQL's variables that tune its own planner, memory and workers: taken and shown as it does, and without effect.

Scripts, tools and test suites set them; an answer never depends on them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

Check = Callable[[str], str]

_INTEGER_MAX = 2**31 - 1
_REAL_MAX = sys.float_info.max
_SIZES_KB = {"B": 1 / 1024, "kB": 1, "MB": 1024, "GB": 1024**2, "TB": 1024**3}
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_REAL = re.compile(rf"\s*{_NUMBER}\s*", re.ASCII)
_SIZE = re.compile(rf"\s*({_NUMBER}|0[xX][0-9a-fA-F]+)\s*([A-Za-z]*)\s*", re.ASCII)

ON = [
    "enable_async_append",
    "enable_bitmapscan",
    "enable_gathermerge",
    "enable_hashagg",
    "enable_hashjoin",
    "enable_incremental_sort",
    "enable_indexonlyscan",
    "enable_indexscan",
    "enable_material",
    "enable_memoize",
    "enable_mergejoin",
    "enable_nestloop",
    "enable_parallel_append",
    "enable_parallel_hash",
    "enable_partition_pruning",
    "enable_presorted_aggregate",
    "enable_seqscan",
    "enable_sort",
    "enable_tidscan",
    "escape_string_warning",
    "geqo",
    "jit_expressions",
    "jit_tuple_deforming",
    "parallel_leader_participation",
    "synchronize_seqscans",
]
"""Switches that are on from the start."""
OFF = ["enable_partitionwise_aggregate", "enable_partitionwise_join", "trace_notify", "trace_sort"]
"""And off."""
CHOICES: Mapping[str, tuple[str, ...]] = {
    "constraint_exclusion": ("partition", "on", "off"),
    "debug_parallel_query": ("off", "on", "regress"),
    "plan_cache_mode": ("auto", "force_generic_plan", "force_custom_plan"),
}
"""The first is the value at the start."""
BOOLEAN_SPELLINGS = {"true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"}
"""What a choice that has `on` and `off` takes besides, which its list of values keeps quiet about."""
_INTEGERS = {
    "default_statistics_target": (100, 1, 10_000),
    "effective_io_concurrency": (1, 0, 1_000),
    "from_collapse_limit": (8, 1, _INTEGER_MAX),
    "geqo_effort": (5, 1, 10),
    "geqo_generations": (0, 0, _INTEGER_MAX),
    "geqo_pool_size": (0, 0, _INTEGER_MAX),
    "geqo_threshold": (12, 2, _INTEGER_MAX),
    "join_collapse_limit": (8, 1, _INTEGER_MAX),
    "maintenance_io_concurrency": (10, 0, 1_000),
    "max_parallel_maintenance_workers": (2, 0, 1_024),
    "max_parallel_workers": (8, 0, 1_024),
    "max_parallel_workers_per_gather": (2, 0, 1_024),
    "vacuum_cost_limit": (200, 1, 10_000),
    "vacuum_cost_page_dirty": (20, 0, 10_000),
    "vacuum_cost_page_hit": (1, 0, 10_000),
    "vacuum_cost_page_miss": (2, 0, 10_000),
}
_PAGES = {
    "effective_cache_size": (524_288, 1, _INTEGER_MAX),
    "min_parallel_index_scan_size": (64, 0, 715_827_882),
    "min_parallel_table_scan_size": (1_024, 0, 715_827_882),
    "temp_buffers": (1_024, 100, 1_073_741_823),
}
_KILOBYTES = {
    "gin_pending_list_limit": (4_096, 64, _INTEGER_MAX),
    "maintenance_work_mem": (65_536, 1_024, _INTEGER_MAX),
    "max_stack_depth": (2_048, 100, _INTEGER_MAX),
    "temp_file_limit": (-1, -1, _INTEGER_MAX),
    "work_mem": (4_096, 64, _INTEGER_MAX),
}
_REALS = {
    "cpu_index_tuple_cost": (0.005, 0.0, _REAL_MAX),
    "cpu_operator_cost": (0.0025, 0.0, _REAL_MAX),
    "cpu_tuple_cost": (0.01, 0.0, _REAL_MAX),
    "cursor_tuple_fraction": (0.1, 0.0, 1.0),
    "geqo_seed": (0.0, 0.0, 1.0),
    "geqo_selection_bias": (2.0, 1.5, 2.0),
    "hash_mem_multiplier": (2.0, 1.0, 1_000.0),
    "jit_above_cost": (100_000.0, -1.0, _REAL_MAX),
    "jit_inline_above_cost": (500_000.0, -1.0, _REAL_MAX),
    "jit_optimize_above_cost": (500_000.0, -1.0, _REAL_MAX),
    "parallel_setup_cost": (1_000.0, 0.0, _REAL_MAX),
    "parallel_tuple_cost": (0.1, 0.0, _REAL_MAX),
    "random_page_cost": (4.0, 0.0, _REAL_MAX),
    "recursive_worktable_factor": (10.0, 0.001, 1_000_000.0),
    "seq_page_cost": (1.0, 0.0, _REAL_MAX),
}


def numbers() -> dict[str, tuple[str, Check]]:
    """Variables whose value is a number or a size: what SHOW says at the start, and what checks and spells a value."""
    found: dict[str, tuple[str, Check]] = {}
    for name, (value, least, most) in _INTEGERS.items():
        found[name] = (str(value), _integer(name, least, most))
    for page, sizes in ((8, _PAGES), (1, _KILOBYTES)):
        for name, (value, least, most) in sizes.items():
            found[name] = (_size_text(value * page if value > 0 else value), _size(name, page, least, most))
    for name, (number, low, high) in _REALS.items():
        found[name] = (f"{number:g}", _real(name, low, high))
    return found


def _refused(name: str, value: str, hint: str | None = None) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f'invalid value for parameter "{name}": "{value}"', hint=hint)


def _outside(name: str, value: str, least: str, most: str) -> SqlError:
    message = f'{value} is outside the valid range for parameter "{name}" ({least} .. {most})'
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)


def _number(text: str) -> float:
    """A decimal, or an integer with 0x before it; past what fits it is infinite."""
    return float(int(text, 16)) if text[:2].lower() == "0x" else float(text)


def _integer(name: str, least: int, most: int) -> Check:
    def check(value: str) -> str:
        match = _SIZE.fullmatch(value)
        if match is None or match[2]:
            raise _refused(name, value)
        number = _number(match[1])
        if not least <= number <= most:
            raise _outside(name, f"{number:.0f}", str(least), str(most))
        return f"{number:.0f}"

    return check


def _real(name: str, least: float, most: float) -> Check:
    def check(value: str) -> str:
        if _REAL.fullmatch(value) is None:
            raise _refused(name, value)
        number = float(value)
        if not least <= number <= most:
            raise _outside(name, f"{number:g}", f"{least:g}", f"{most:g}")
        return f"{number:g}"

    return check


def _size(name: str, page: int, least: int, most: int) -> Check:
    """A size in units of so many kB when none is written."""

    def check(value: str) -> str:
        match = _SIZE.fullmatch(value)
        if match is None or (match[2] and match[2] not in _SIZES_KB):
            raise _refused(name, value, 'Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".')
        units = _number(match[1]) * (_SIZES_KB[match[2]] / page if match[2] else 1)
        if not least <= units <= most:
            unit = "kB" if page == 1 else f"{page}kB"
            raise _outside(name, f"{units:.0f} {unit}", str(least), str(most))
        number = round(units)
        return _size_text(number * page if number > 0 else number)

    return check


def _size_text(kilobytes: int) -> str:
    if kilobytes <= 0:
        return str(kilobytes)
    for unit in ("TB", "GB", "MB"):
        size = int(_SIZES_KB[unit])
        if kilobytes % size == 0:
            return f"{kilobytes // size}{unit}"
    return f"{kilobytes}kB"


_WINDOWS_PAGES = (866, 874, 932, 936, 949, 950, *range(1250, 1259))
_ENCODING_WORDS = """\
abc alt big5 euccn eucjis2004 eucjp euckr euctw gb18030 gbk johab koi8 koi8r koi8u mskanji muleinternal
shiftjis shiftjis2004 sjis sqlascii tcvn tcvn5712 uhc unicode utf8 vscii win"""
ENCODINGS = frozenset(
    (
        *_ENCODING_WORDS.split(),
        *(f"iso8859{part}" for part in (*range(1, 11), *range(13, 17))),
        *(f"latin{number}" for number in range(1, 11)),
        *(f"{word}{page}" for word in ("win", "windows") for page in _WINDOWS_PAGES),
    )
)
"""PostgreSQL's names of encodings, in small letters and without signs between them."""
