"""Plans the pairs of a join, and the rows of one side with a partner on the other.

    matched(L, R on k = l)          = L ⋈ distinct(l of R)
    matched(L, R on k = l and p)    = L ⋈ distinct(k and p's columns of L, of (L ⋈ R filtered by p))
    matched(L, R on p or q)         = matched(L, R on p) + matched(L - matched(L, R on p), R on q)
    pairs(L, R on p or q)           = pairs(L, R on p) + pairs(L, R on q and not p)

A matched row keeps its multiplicity, because the other side of the join is distinct. Conditions on one side alone are
evaluated first, on the rows that may match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compute.maintain.planning.alternatives import Conjuncts, alternatives, without_earlier
from compute.maintain.planning.conditions import Condition, condition_of
from compute.maintain.planning.constant_sides import beside, constant_rows, matched_by_any
from compute.maintain.planning.determinism import reads_now
from compute.maintain.planning.groups import distinct
from compute.maintain.planning.keys import identity
from compute.maintain.planning.segments import columns_of, negated, projected, united, width_of
from compute.maintain.planning.streams import Streams
from compute.maintain.planning.temporal import filter_rows
from compute.maintain.planning.unique import NO_KEYS, Keys, shifted
from compute.maintain.steps.join import JoinStep
from compute.maintain.steps.parts import Keyed
from planner.ir.columns import own_columns
from planner.ir.properties import relation_desc_of
from planner.ir.relation import LocalGet, Relation
from planner.ir.scalar import TRUE, Column, Scalar

Scalars = Sequence[Scalar]


def pairs(streams: Streams, left: Relation, right: Relation, condition: Condition) -> Relation:
    """Returns left's columns, then right's, of the pairs for which the condition is true."""
    rows = constant_rows(right)
    if rows is not None:
        return filter_rows(streams, beside(rows, right, streams.shared(left), constants_first=False), condition.on)
    rows = constant_rows(left)
    if rows is not None:
        return filter_rows(streams, beside(rows, left, streams.shared(right), constants_first=True), condition.on)
    left, right = _candidates(streams, left, right, condition)
    ways = _ways(left, right, condition, without_earlier)
    if ways:
        return united([pairs(streams, left, right, way) for way in ways])
    keys: Keys = NO_KEYS
    left_keys, right_keys = streams.keys(left), streams.keys(right)
    if condition.at_most_one_right(right_keys):
        keys |= left_keys
    if condition.at_most_one_left(left_keys):
        keys |= shifted(right_keys, width_of(left))
    joined = _joined(streams, Keyed(left, condition.left_key), Keyed(right, condition.right_key), keys)
    return filter_rows(streams, joined, condition.rest)


def matched(
    streams: Streams, left: Relation, right: Relation, condition: Condition, found: Relation | None = None
) -> Relation:
    """Returns the left rows that are in a pair, with their multiplicity. `found` are the pairs, if they are made
    anyway."""
    rows = constant_rows(right)
    if rows is not None and not any(map(reads_now, condition.on)):
        return matched_by_any(left, rows, condition.on)
    left, right = _candidates(streams, left, right, condition)
    own = range(width_of(left))
    if condition.at_most_one_right(streams.keys(right)):
        return projected(found if found is not None else pairs(streams, left, right, condition), own)
    if not condition.rest:
        return projected(_met(streams, left, condition.left_key, right, condition.right_key), own)
    if found is None:
        ways = _ways(left, right, condition, tuple)
        if ways:
            return _matched_somehow(streams, left, right, ways)
        found = pairs(streams, left, right, condition)
    key = (*condition.left_key, *_identities(left, condition))
    return projected(_met(streams, left, key, found, key), own)


def distinguishable(left: Relation, condition: Condition) -> bool:
    """Returns whether each left column that the rest of the condition reads has an identity, a key that differs
    wherever the condition can see a difference. `matched` needs such keys to tell left rows apart."""
    return all(identity(column) is not None for column in _read(left, condition))


def minus(rows: Relation, some: Relation) -> Relation:
    """Returns `rows` without `some`, which must be a part of `rows`."""
    return united((rows, negated(some)))


def _matched_somehow(streams: Streams, left: Relation, right: Relation, ways: Sequence[Condition]) -> Relation:
    found = [matched(streams, left, right, ways[0])]
    for way in ways[1:]:
        left = streams.shared(minus(left, found[-1]))
        found.append(matched(streams, left, right, way))
    return united(found)


def _candidates(streams: Streams, left: Relation, right: Relation, condition: Condition) -> tuple[Relation, Relation]:
    return filter_rows(streams, left, condition.left), filter_rows(streams, right, condition.right)


def _ways(
    left: Relation,
    right: Relation,
    condition: Condition,
    choose: Callable[[tuple[Conjuncts, ...]], tuple[Conjuncts, ...]],
) -> tuple[Condition, ...]:
    """Returns conditions that together replace a condition without keys: each has keys, or concerns one side alone."""
    if condition.pairs:
        return ()
    descs = relation_desc_of(left), relation_desc_of(right)
    for predicate in condition.rest:
        others = [each for each in condition.rest if each != predicate]
        ways = alternatives(predicate, descs[0].columns + descs[1].columns)
        apart = [condition_of((*others, *way), *descs) for way in ways]
        if ways and all(each.pairs or not each.rest for each in apart):
            return tuple(condition_of((*others, *way), *descs) for way in choose(ways))
    return ()


def _met(streams: Streams, left: Relation, key: Scalars, others: Relation, other_key: Scalars) -> Relation:
    """Joins each left row with the one equal key of `others`. Without a key, any row of `others` matches all left
    rows."""
    asked = tuple(other_key) or (TRUE,)
    partners = distinct(streams, others, asked, tuple(f"k{at}" for at in range(len(asked))))
    met = Keyed(partners, columns_of(partners)[: len(key)])
    return _joined(streams, Keyed(left, tuple(key)), met, streams.keys(left))


def _joined(streams: Streams, left: Keyed, right: Keyed, keys: Keys) -> LocalGet:
    columns = relation_desc_of(left.segment).columns + relation_desc_of(right.segment).columns
    return streams.add(JoinStep(left, right), columns, keys)


def _read(left: Relation, condition: Condition) -> list[Column]:
    """Returns the left columns that the rest of the condition reads."""
    read = {at for scalar in condition.rest for at in own_columns(scalar)}
    return [column for column in columns_of(left) if column.index in read]


def _identities(left: Relation, condition: Condition) -> list[Scalar]:
    """Returns keys that tell apart left rows whose columns in the rest of the condition differ."""
    parts: list[Scalar] = []
    for column in _read(left, condition):
        key = identity(column)
        assert key is not None, "asked before: distinguishable"
        parts += key
    return parts
