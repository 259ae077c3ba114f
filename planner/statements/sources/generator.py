"""FROM LOAD GENERATOR: the generator, and its tables."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from model.errors.sqlstate import Sqlstate
from model.external.generators import GeneratorKind, LoadGenerator, UpstreamTable, generated_tables
from model.types.relation_desc import RelationDesc
from planner.scope.analysis import Analysis
from planner.statements.sources.source_columns import named_columns
from planner.statements.sources.source_options import ClauseOptions
from planner.syntax.source_statements import CreateSource, Decoding, FromGenerator

TICK_MS = 1_000
"""How long a step of a generator takes, by default."""
_SEED_MAX = 2**63 - 1
_NUMBERS: dict[str, tuple[int, int]] = {
    "MAX CARDINALITY": (1, 2**31),
    "KEYS": (1, 2**31),
    "SNAPSHOT ROUNDS": (0, 1_000),
    "VALUE SIZE": (1, 10_000),
    "PARTITIONS": (1, 10_000),
    "BATCH SIZE": (1, 10_000),
}
"""The options that are whole numbers, and their bounds; which kind has which of them is the syntax's to say."""
_STEP_BYTES_MAX = 16 << 20
"""Of the values that a step of KEY VALUE replaces: a step is made in memory, and bound whole."""
_SCALE = "SCALE FACTOR"
_MILLION = 1_000_000
_SCALE_MAX = 100
_RECORDS_ONLY = ("DECODING ERRORS", "KEY DECODING ERRORS", "VALUE DECODING ERRORS")


def plan_generator(
    analysis: Analysis, node: CreateSource, upstream: FromGenerator, options: ClauseOptions
) -> tuple[LoadGenerator, UpstreamTable, RelationDesc]:
    """Returns the generator, the generator's table held by the source itself, and the source's columns."""
    kind = _kind(analysis, node, upstream)
    if node.decoding != Decoding():
        message = "FORMAT, INCLUDE and ENVELOPE of a load generator"
        raise analysis.unsupported(message, node.name.location, hint="Its rows have columns of their own.")
    options.refuse(*_RECORDS_ONLY)
    said = ClauseOptions(analysis, upstream.options)
    said.refuse("AS OF", "UP TO")
    seed = said.number("SEED") or 0
    if seed > _SEED_MAX:
        raise said.invalid("SEED")
    own = tuple(_own(said))
    if (said.number("VALUE SIZE") or 1) * (said.number("BATCH SIZE") or 1) > _STEP_BYTES_MAX:
        message = "VALUE SIZE and BATCH SIZE are too large together"
        detail = f"A step replaces at most {_STEP_BYTES_MAX} bytes of values."
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, node.name.location, detail=detail)
    tick_ms = said.interval_ms("TICK INTERVAL")
    if tick_ms == 0:
        raise said.invalid("TICK INTERVAL")
    generator = LoadGenerator(kind, tick_ms or TICK_MS, seed, own)
    tables = generated_tables(kind)
    if len(tables) > 1:
        # The source itself is there for its tables.
        return generator, UpstreamTable(None), named_columns(analysis, RelationDesc(()), node.columns)
    ((name, desc),) = tables.items()
    return generator, UpstreamTable(name), named_columns(analysis, desc, node.columns)


def _own(said: ClauseOptions) -> Iterator[tuple[str, int]]:
    for name, (least, most) in _NUMBERS.items():
        number = said.number(name, least)
        if number is not None:
            if number > most:
                raise said.invalid(name)
            yield name.lower(), number
    scale = said.text(_SCALE)
    if scale is not None:
        yield _SCALE.lower(), _millionths(said, scale)


def _millionths(said: ClauseOptions, scale: str) -> int:
    try:
        factor = Decimal(scale)
    except InvalidOperation:
        raise said.invalid(_SCALE) from None
    if not factor.is_finite() or not 0 < factor <= _SCALE_MAX:
        raise said.invalid(_SCALE)
    return max(int(factor * _MILLION), 1)


def _kind(analysis: Analysis, node: CreateSource, upstream: FromGenerator) -> GeneratorKind:
    try:
        return GeneratorKind(upstream.kind.lower().replace(" ", "_"))
    except ValueError:
        kinds = ", ".join(each.value.upper().replace("_", " ") for each in GeneratorKind)
        message = f'load generator "{upstream.kind}" does not exist'
        raise analysis.error(
            Sqlstate.UNDEFINED_OBJECT, message, node.name.location, hint=f"There are {kinds}."
        ) from None
