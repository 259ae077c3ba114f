"""The only list of kinds of load generators."""

from __future__ import annotations

from typing import assert_never

from connectors.generators.auction import Auction
from connectors.generators.counter import CounterGenerator
from connectors.generators.key_value import KeyValue
from connectors.generators.marketing import Marketing
from connectors.generators.nexmark import Nexmark
from connectors.generators.steps import GeneratorSteps
from connectors.generators.tpch import Tpch
from model.external.generators import GeneratorKind, LoadGenerator


def steps_of(generator: LoadGenerator) -> GeneratorSteps:
    """Returns the generator of a kind, with its options."""
    seed, options = generator.seed, dict(generator.options)
    match generator.kind:
        case GeneratorKind.COUNTER:
            return CounterGenerator(options.get("max cardinality"))
        case GeneratorKind.AUCTION:
            return Auction(seed)
        case GeneratorKind.KEY_VALUE:
            return KeyValue(
                seed,
                options.get("keys", 1_000),
                options.get("snapshot rounds", 1),
                options.get("value size", 64),
                options.get("partitions", 1),
                options.get("batch size", 100),
            )
        case GeneratorKind.MARKETING:
            return Marketing(seed)
        case GeneratorKind.NEXMARK:
            return Nexmark(seed, options.get("batch size", 1))
        case GeneratorKind.TPCH:
            return Tpch(seed, options.get("scale factor", 10_000) / 1_000_000)
        case _:
            assert_never(generator.kind)
