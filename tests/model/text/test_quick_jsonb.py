"""The quick way to jsonb's text gives what the other gives, or does not know."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from model.json.json_text import checked_json, write_jsonb
from model.json.quick_jsonb import quick_jsonb

_NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,10})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)
_STRINGS = st.text(st.characters(codec="utf-8"), max_size=6).map(lambda text: json.dumps(text, ensure_ascii=False))
_KEYS = st.text(st.sampled_from("abBé€𝄞"), max_size=3).map(lambda text: json.dumps(text, ensure_ascii=False))
_SPACE = st.sampled_from(["", " ", "\n\t"])


def _array(items: list[str], space: str) -> str:
    return f"[{space}" + f"{space},{space}".join(items) + f"{space}]"


def _object(pairs: list[tuple[str, str]], space: str) -> str:
    return "{" + f",{space}".join(f"{key}{space}:{space}{value}" for key, value in pairs) + f"{space}}}"


_TEXTS = st.recursive(
    _NUMBERS | _STRINGS | st.sampled_from(["true", "false", "null", "NaN", "Infinity", "-", '"\\u00e9"', "01"]),
    lambda inner: (
        st.builds(_array, st.lists(inner, max_size=3), _SPACE)
        | st.builds(_object, st.lists(st.tuples(_KEYS, inner), max_size=4), _SPACE)
    ),
    max_leaves=12,
)


@given(_TEXTS)
@example("1e+16")
@example("-0")
@example("-0.0")
@example("1.50")
@example('{"b":1,"a":2,"b":3,"":4,"é":5,"zz":6}')
@example("9" * 5_000)
@example("[" * 100_000)
def test_the_quick_way_agrees_with_the_other(text: str) -> None:
    quick = quick_jsonb(text)
    if quick is not None:
        assert quick == write_jsonb(checked_json(text))


def test_usual_records_are_quick() -> None:
    assert quick_jsonb('{"id": 17, "price": 12.34, "tags": ["a", null], "on": true}') is not None
