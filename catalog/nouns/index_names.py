"""Makes up names as PostgreSQL does, for indexes, their columns, and constraints: `t_a_idx`, `t_lower_b_idx1`,
`v_primary_idx`, `t_pkey`, `t_a_b_key`, `t_a_check`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from catalog.nouns.names import IDENTIFIER_BYTES_MAX, cut

_LABEL = "idx"
_DEFAULT = "primary"


def index_name(relation: str, keys: Iterable[str], default: bool, taken: Callable[[str], bool]) -> str:
    """Returns the first name that isn't `taken`; the name of a default index leaves out its keys."""
    return made_up(relation, _DEFAULT if default else "_".join(keys), _LABEL, taken)


def made_up(relation: str, middle: str | None, label: str, taken: Callable[[str], bool]) -> str:
    """Returns the first of `t_a_label`, `t_a_label1`, … that isn't `taken` (`t_label` without a middle part)."""
    number = 0
    while taken(name := _joined(relation, middle, f"{label}{number or ''}")):
        number += 1
    return name


def column_names(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the names of an index's columns, each once: a, a1, a2."""
    chosen: list[str] = []
    for name in names:
        own, number = name, 0
        while own in chosen:
            number += 1
            own = _cut_to(name, IDENTIFIER_BYTES_MAX - len(str(number))) + str(number)
        chosen.append(own)
    return tuple(chosen)


def _joined(relation: str, middle: str | None, label: str) -> str:
    """Returns the parts with underscores between them, the longer of the first two cut until all fit."""
    if middle is None:
        return f"{_cut_to(relation, IDENTIFIER_BYTES_MAX - len(label) - 1)}_{label}"
    room = IDENTIFIER_BYTES_MAX - len(label) - 2
    first, second = len(relation.encode()), len(cut(middle).encode())
    while first + second > room:
        if first > second:
            first -= 1
        else:
            second -= 1
    return f"{_cut_to(relation, first)}_{_cut_to(middle, second)}_{label}"


def _cut_to(name: str, length: int) -> str:
    return name.encode()[:length].decode(errors="ignore")
