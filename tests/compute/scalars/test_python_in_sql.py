"""Whether an expression runs in Python is told by its functions, never by a user's text."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from compute.scalars.spark_sql import Sql, calls_python, string_literal


@given(st.text())
@example("python_1(")
@example("it's python_2('x')")
@example("\\' python_3(")
def test_a_literal_calls_no_python_whatever_it_says(text: str) -> None:
    literal = string_literal(text)
    assert not calls_python(Sql(f"c0 = {literal} AND {literal} <> c1"))
    assert calls_python(Sql(f"python_7(c0, {literal}) = {literal}"))
