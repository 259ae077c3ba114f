"""The functions and operators of tsquery: queries made of queries, and their parts."""

from __future__ import annotations

from model.search.queries import (
    Negation,
    QueryNode,
    QueryOperator,
    QueryPair,
    decode_query,
    encode_query,
    key_of_query,
    left_spine,
    lexemes_of,
    node_count,
)
from model.search.query_text import checked_distance, format_node
from model.types.scalar_type import BOOL, INT4, TEXT, TSQUERY
from planner.functions.rows import function, operator
from planner.functions.search.vector_rows import compared
from planner.functions.signature import Function


def _joined(operator_: QueryOperator, left: bytes, right: bytes, distance: int = 0) -> bytes:
    """Returns two queries under an operator; an empty query leaves its neighbour."""
    first, second = decode_query(left), decode_query(right)
    if first is None:
        return right
    return left if second is None else encode_query(QueryPair(operator_, first, second, distance))


def _negated(query: bytes) -> bytes:
    node = decode_query(query)
    return query if node is None else encode_query(Negation(node))


def _phrase(left: bytes, right: bytes, distance: int = 1) -> bytes:
    return _joined(QueryOperator.PHRASE, left, right, checked_distance(distance))


def _contains(left: bytes, right: bytes) -> bool:
    """Tells whether the left query has all lexemes of the right query."""
    own, others = ({lexeme.word for lexeme in lexemes_of(decode_query(query))} for query in (left, right))
    return others <= own


def _tree(query: bytes) -> str:
    """Returns the part of a query for an index to look up: without negations, `T` where nothing is left."""
    node = decode_query(query)
    if node is None:
        return ""
    left = _without_negations(node)
    return "T" if left is None else format_node(left)


def _without_negations(node: QueryNode) -> QueryNode | None:
    leftmost, pairs = left_spine(node)
    left: QueryNode | None = None if isinstance(leftmost, Negation) else leftmost
    for pair in pairs:
        right = _without_negations(pair.right)
        if left is not None and right is not None:
            left = QueryPair(pair.operator, left, right, pair.distance)
        else:
            left = None if pair.operator is QueryOperator.OR else left or right
    return left


_ONE, _TWO = (TSQUERY,), (TSQUERY, TSQUERY)

FUNCTIONS: tuple[Function, ...] = (
    function("numnode", _ONE, INT4, lambda query: node_count(decode_query(query))),
    function("querytree", _ONE, TEXT, _tree),
    function("tsquery_phrase", _TWO, TSQUERY, _phrase),
    function("tsquery_phrase", (*_TWO, INT4), TSQUERY, _phrase, fallible=True),
    function("tsquery_cmp", _TWO, INT4, lambda left, right: compared(key_of_query(left), key_of_query(right))),
    operator("&&", "both", _TWO, TSQUERY, lambda left, right: _joined(QueryOperator.AND, left, right)),
    operator("||", "concat", _TWO, TSQUERY, lambda left, right: _joined(QueryOperator.OR, left, right)),
    operator("!!", "negate_query", _ONE, TSQUERY, _negated),
    operator("<->", "phrase", _TWO, TSQUERY, _phrase),
    operator("@>", "contains", _TWO, BOOL, _contains),
    operator("<@", "contained", _TWO, BOOL, lambda left, right: _contains(right, left)),
)
