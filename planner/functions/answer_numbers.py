"""The numbers of functions: a mended function, with other answers to equal arguments, gets a greater number.

Arrangements of views hold answers of functions. The numbers of a view's functions are part of the name of the view's
state (`compute/maintain/plan_names.py`), so a raised number makes exactly the views with a call of the function anew.
`tests/planner/functions/test_answer_numbers.py` compares each function's answers, and the SQL that Spark is given,
with the answers recorded under the number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RAISED: Final[Mapping[str, int]] = {
    "by_cosine_distance_vector_vector": 2,
    "by_l1_distance_vector_vector": 2,
    "by_l2_distance_vector_vector": 2,
    "by_vector_negative_inner_product_vector_vector": 2,
    "cast_float8_numeric": 2,
    "cosine_distance_vector_vector": 2,
    "exp_numeric": 2,
    "inner_product_vector_vector": 2,
    "l1_distance_vector_vector": 2,
    "l2_distance_vector_vector": 2,
    "lcm_numeric_numeric": 2,
    "modify_numeric": 2,
    "pg_tablespace_location_oid": 2,
    "pow_numeric_numeric": 2,
    "power_numeric_numeric": 2,
    "round_numeric_int4": 2,
    "trunc_numeric_int4": 2,
    "vector_negative_inner_product_vector_vector": 2,
}
"""The numbers above 1, by the keys of functions, aggregates, table functions and window functions. No two have equal
keys."""


def answer_number(key: str) -> int:
    """Returns the number of the function's present answers."""
    return RAISED.get(key, 1)
