"""[KEY | VALUE] DECODING ERRORS = FAIL | SKIP | INLINE: what becomes of records that can't be decoded.

WITH (DECODING ERRORS = SKIP)                   of keys and of values
WITH (VALUE DECODING ERRORS = (INLINE AS e))    the column of what could not be decoded is called e, else `error`
ENVELOPE UPSERT (VALUE DECODING ERRORS = INLINE)
"""

from __future__ import annotations

from dataclasses import dataclass

from model.errors.sqlstate import Sqlstate
from model.external.records import ERROR_NAME, DecodingErrors
from planner.scope.analysis import Analysis
from planner.statements.sources.source_options import ClauseOptions

_BOTH, _KEY, _VALUE = "DECODING ERRORS", "KEY DECODING ERRORS", "VALUE DECODING ERRORS"


@dataclass(frozen=True, slots=True)
class ErrorPolicies:
    """The policies for records that can't be decoded: one for keys, one for values. `column` is the name of the column
    into which INLINE puts errors, if there is one."""

    key: DecodingErrors
    value: DecodingErrors
    column: str


def plan_errors(
    analysis: Analysis, options: ClauseOptions, of_envelope: ClauseOptions, *, keyed: bool, with_key: bool
) -> ErrorPolicies:
    """Plans DECODING ERRORS. `options`: of WITH; `of_envelope`: of ENVELOPE; `with_key`: rows include the key; `keyed`:
    there is one row for each key.
    """
    if _VALUE in options and _VALUE in of_envelope:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, f"{_VALUE} is there twice")
    if _KEY in options and not with_key:
        hint = "Say KEY FORMAT … VALUE FORMAT … INCLUDE KEY."
        raise analysis.error(Sqlstate.SYNTAX_ERROR, f"{_KEY}: the key is not decoded", hint=hint)
    both, key = _policy(options, _BOTH), _policy(options, _KEY)
    value = _policy(of_envelope if _VALUE in of_envelope else options, _VALUE)
    if keyed and key is not None and key[0] is DecodingErrors.INLINE:
        message = f"an ENVELOPE of keys with {_KEY} = INLINE"
        raise analysis.unsupported(
            message, hint="Rows are known by their keys. Skip records without one, or let them fail."
        )
    plain = both or (DecodingErrors.FAIL, None)
    of_key = key or plain
    if keyed and of_key[0] is DecodingErrors.INLINE:
        of_key = (DecodingErrors.FAIL, None)
    of_value = value or plain
    names = {name for policy in (of_key, of_value) if (name := policy[1]) is not None}
    if len(names) > 1:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "errors of keys and of values are told in one column")
    return ErrorPolicies(of_key[0] if with_key else DecodingErrors.FAIL, of_value[0], next(iter(names), ERROR_NAME))


def _policy(options: ClauseOptions, name: str) -> tuple[DecodingErrors, str | None] | None:
    found = options.word_as(name)
    if found is None:
        return None
    word, column = found
    if word.lower() not in set(DecodingErrors) or (column is not None and word.lower() != DecodingErrors.INLINE):
        raise options.invalid(name)
    return DecodingErrors(word.lower()), column
