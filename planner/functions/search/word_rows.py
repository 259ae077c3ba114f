"""Functions that take words by a configuration: documents to tsvectors, questions to tsqueries, texts held against
questions. Without a configuration they take that of default_text_search_config, and so are STABLE."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.types.scalar_type import BOOL, JSON, JSONB, REGCONFIG, TEXT, TSQUERY, TSVECTOR, ScalarType
from planner.functions.rows import Options, function, operator
from planner.functions.search.documents import (
    filtered_json_to_vector,
    in_configuration,
    json_to_vector,
    to_vector,
)
from planner.functions.search.matching import matches
from planner.functions.search.query_making import phrase_to_query, plain_to_query, to_query, web_to_query
from planner.functions.signature import Function, Volatility
from planner.ir.scalar import SessionName

_OF_SESSION: Options = {"session": (SessionName.TEXT_SEARCH,), "volatility": Volatility.STABLE, "fallible": True}


def both_ways(
    name: str, arguments: tuple[ScalarType, ...], result: ScalarType, evaluate: Callable[..., Any]
) -> list[Function]:
    """Returns the rows of a function with a configuration before its arguments, and with the session's."""
    return [
        function(name, (REGCONFIG, *arguments), result, evaluate, fallible=True),
        function(name, arguments, result, in_configuration(evaluate), **_OF_SESSION),
    ]


def _text_matches(text: str, query: bytes, configuration: int) -> bool:
    return matches(to_vector(configuration, text), query)


def _texts_match(text: str, question: str, configuration: int) -> bool:
    return matches(to_vector(configuration, text), plain_to_query(configuration, question))


FUNCTIONS: tuple[Function, ...] = (
    function(
        "get_current_ts_config",
        (),
        REGCONFIG,
        lambda configuration: configuration,
        session=(SessionName.TEXT_SEARCH,),
        volatility=Volatility.STABLE,
    ),
    *both_ways("to_tsvector", (TEXT,), TSVECTOR, to_vector),
    *both_ways("to_tsvector", (JSONB,), TSVECTOR, json_to_vector),
    *both_ways("to_tsvector", (JSON,), TSVECTOR, json_to_vector),
    *both_ways("jsonb_to_tsvector", (JSONB, JSONB), TSVECTOR, filtered_json_to_vector),
    *both_ways("json_to_tsvector", (JSON, JSONB), TSVECTOR, filtered_json_to_vector),
    *both_ways("to_tsquery", (TEXT,), TSQUERY, to_query),
    *both_ways("plainto_tsquery", (TEXT,), TSQUERY, plain_to_query),
    *both_ways("phraseto_tsquery", (TEXT,), TSQUERY, phrase_to_query),
    *both_ways("websearch_to_tsquery", (TEXT,), TSQUERY, web_to_query),
    operator("@@", "match", (TEXT, TSQUERY), BOOL, _text_matches, **_OF_SESSION),
    operator("@@", "match", (TEXT, TEXT), BOOL, _texts_match, **_OF_SESSION),
)
