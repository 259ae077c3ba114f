"""What a plan shows Spark: operators and what feeds them, functions with the types of their arguments, frames.

Two plans that differ in their tables, columns and literals alone show the same. `SELECT count(*) FROM t WHERE a > 2`
shows that a Filter feeds a Reduce, the aggregate `count_star`, `gt_int4_int4` of a value and a literal, and so on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Set
from enum import Enum
from typing import get_args

from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType
from planner.ir.relation import Constant, Finishing, Let, RecursiveBinding, Relation
from planner.ir.scalar import Call, Literal, Scalar

_UNTOLD = ("names", "rows", "desc", "type", "value")
"""Fields whose contents are no part of what is shown."""
_OF_ROWS = get_args(Relation)
_OF_SCALARS = frozenset(each.__name__ for each in get_args(Scalar))


def shown_by(*nodes: Relation | Finishing) -> frozenset[str]:
    """Returns what relations, and finishings, show."""
    return frozenset(word for node in nodes for word in _shown("", node))


def showing(relations: Mapping[str, Relation]) -> list[str]:
    """Returns the names of few relations that show together all that any of them shows."""
    return covering({name: shown_by(relation) for name, relation in relations.items()})


def covering(shown: Mapping[str, Set[str]]) -> list[str]:
    """Returns few names that have together all that any has: again and again the one that has most of what is left."""
    left = frozenset(word for words in shown.values() for word in words)
    chosen = set()
    while left:
        name = max(shown, key=lambda each: len(shown[each] & left))
        chosen.add(name)
        left -= shown[name]
    return [name for name in shown if name in chosen]


def operators_shown_by(relation: Relation) -> frozenset[str]:
    """Returns what a relation shows, but for its scalars."""
    return frozenset(word for word in shown_by(relation) if word.partition(" ")[0] not in _OF_SCALARS)


def _shown(above: str, node: object) -> Iterator[str]:
    """Yields what a node of a plan, and all beneath it, show; `above` says where it stands."""
    if isinstance(node, tuple):
        for each in node:
            yield from _shown(above, each)
        return
    if not dataclasses.is_dataclass(node) or isinstance(node, ScalarType | RelationDesc):
        return
    # Where a function stands matters little: it becomes the same expression. What feeds an operator does matter.
    yield f"{above} {_word(node)}".lstrip() if isinstance(node, _OF_ROWS) else _word(node)
    for field in dataclasses.fields(node):
        if field.name not in _UNTOLD or isinstance(node, Let | RecursiveBinding):
            yield from _shown(f"{type(node).__name__}.{field.name}", getattr(node, field.name))


def _word(node: object) -> str:
    """Names a node by its kind, and by all of it that tells Spark to do something else."""
    assert dataclasses.is_dataclass(node)
    words = [type(node).__name__]
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        match value:
            case bool() | Enum():
                words.append(f"{field.name}={value}")
            case str() if field.name not in _UNTOLD:
                words.append(value)
            case ScalarType():
                words.append(value.name)
            case None if field.name not in _UNTOLD:
                words.append(f"no {field.name}")
            case () if field.name not in _UNTOLD:
                words.append(f"no {field.name}")
    if isinstance(node, Constant):
        words.append(str(min(len(node.rows), 2)))
    if isinstance(node, Literal) and node.value is None:
        words.append("NULL")
    if isinstance(node, Call):
        words += ["literal" if isinstance(each, Literal) else "value" for each in node.arguments]
    return " ".join(words)
