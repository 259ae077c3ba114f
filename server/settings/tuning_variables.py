"""PostgreSQL's variables that tune its own planner, memory and workers: accepted and shown as PostgreSQL does, without
effect.

Scripts, tools and test suites set them; no answer depends on them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from server.settings.value_rules import ValueRule, real, size, size_text, whole

_INTEGER_MAX = 2**31 - 1
_REAL_MAX = sys.float_info.max

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


def numbers() -> dict[str, tuple[str, ValueRule]]:
    """Returns the variables whose value is a number or a size: the default as SHOW prints it, and the rule for
    values."""
    found: dict[str, tuple[str, ValueRule]] = {}
    for name, (value, least, most) in _INTEGERS.items():
        found[name] = (str(value), whole(name, least, most))
    for page, sizes in ((8, _PAGES), (1, _KILOBYTES)):
        for name, (value, least, most) in sizes.items():
            found[name] = (size_text(value * page if value > 0 else value), size(name, page, least, most))
    for name, (number, low, high) in _REALS.items():
        found[name] = (f"{number:g}", real(name, low, high))
    return found


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
