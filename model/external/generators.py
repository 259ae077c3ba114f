"""Load generators: sources whose records are computed. Their kinds and their tables, as plain data.

A generator makes steps, from a seed; an offset is a number of steps. The changes of a step depend only on the seed and
the step's number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import BYTEA, DATE, FLOAT8, INT4, INT8, TEXT, TIMESTAMP, TIMESTAMPTZ, ScalarType, numeric


class GeneratorKind(StrEnum):
    """The kinds, by their names in statements, with _ between words."""

    COUNTER = "counter"
    AUCTION = "auction"
    KEY_VALUE = "key_value"
    MARKETING = "marketing"
    NEXMARK = "nexmark"
    TPCH = "tpch"


@dataclass(frozen=True, slots=True)
class LoadGenerator:
    """A step each `tick_ms`. `options` are the kind's own, by name in lower case; `scale factor`
    is in millionths."""

    kind: GeneratorKind
    tick_ms: int
    seed: int
    options: tuple[tuple[str, int], ...] = ()

    @property
    def connection(self) -> GlobalId | None:
        """Returns None: it needs no connection."""
        return None

    def option(self, name: str) -> int | None:
        """Returns an option; None where it was not given."""
        return dict(self.options).get(name)


@dataclass(frozen=True, slots=True)
class UpstreamTable:
    """The rows of a table of upstream's, which arrive as changes. `name` None: no table, for a source that exists
    for its tables alone."""

    name: str | None


def _table(*columns: tuple[str, ScalarType]) -> RelationDesc:
    return RelationDesc(tuple(ColumnDesc(name, type_) for name, type_ in columns))


_AUCTION = {
    "organizations": _table(("id", INT8), ("name", TEXT)),
    "users": _table(("id", INT8), ("org_id", INT8), ("name", TEXT)),
    "accounts": _table(("id", INT8), ("org_id", INT8), ("balance", INT8)),
    "auctions": _table(("id", INT8), ("seller", INT8), ("item", TEXT), ("end_time", TIMESTAMPTZ)),
    "bids": _table(("id", INT8), ("buyer", INT8), ("auction_id", INT8), ("amount", INT4), ("bid_time", TIMESTAMPTZ)),
}
_MARKETING = {
    "customers": _table(("id", INT8), ("email", TEXT), ("income", INT8)),
    "impressions": _table(("id", INT8), ("customer_id", INT8), ("campaign_id", INT8), ("impression_time", TIMESTAMPTZ)),
    "clicks": _table(("impression_id", INT8), ("click_time", TIMESTAMPTZ)),
    "leads": _table(
        ("id", INT8),
        ("customer_id", INT8),
        ("created_at", TIMESTAMPTZ),
        ("converted_at", TIMESTAMPTZ),
        ("conversion_amount", INT8),
    ),
    "coupons": _table(("id", INT8), ("lead_id", INT8), ("created_at", TIMESTAMPTZ), ("amount", INT8)),
    "conversion_predictions": _table(
        ("lead_id", INT8), ("experiment_bucket", TEXT), ("predicted_at", TIMESTAMPTZ), ("score", FLOAT8)
    ),
}
_NEXMARK = {
    "person": _table(
        ("id", INT8),
        ("name", TEXT),
        ("email_address", TEXT),
        ("credit_card", TEXT),
        ("city", TEXT),
        ("state", TEXT),
        ("date_time", TIMESTAMP),
        ("extra", TEXT),
    ),
    "auction": _table(
        ("id", INT8),
        ("item_name", TEXT),
        ("description", TEXT),
        ("initial_bid", INT8),
        ("reserve", INT8),
        ("date_time", TIMESTAMP),
        ("expires", TIMESTAMP),
        ("seller", INT8),
        ("category", INT8),
        ("extra", TEXT),
    ),
    "bid": _table(
        ("auction", INT8),
        ("bidder", INT8),
        ("price", INT8),
        ("channel", TEXT),
        ("url", TEXT),
        ("date_time", TIMESTAMP),
        ("extra", TEXT),
    ),
}
_MONEY = numeric(15, 2)
_TPCH = {
    "supplier": _table(
        ("s_suppkey", INT8),
        ("s_name", TEXT),
        ("s_address", TEXT),
        ("s_nationkey", INT8),
        ("s_phone", TEXT),
        ("s_acctbal", _MONEY),
        ("s_comment", TEXT),
    ),
    "part": _table(
        ("p_partkey", INT8),
        ("p_name", TEXT),
        ("p_mfgr", TEXT),
        ("p_brand", TEXT),
        ("p_type", TEXT),
        ("p_size", INT4),
        ("p_container", TEXT),
        ("p_retailprice", _MONEY),
        ("p_comment", TEXT),
    ),
    "partsupp": _table(
        ("ps_partkey", INT8),
        ("ps_suppkey", INT8),
        ("ps_availqty", INT4),
        ("ps_supplycost", _MONEY),
        ("ps_comment", TEXT),
    ),
    "customer": _table(
        ("c_custkey", INT8),
        ("c_name", TEXT),
        ("c_address", TEXT),
        ("c_nationkey", INT8),
        ("c_phone", TEXT),
        ("c_acctbal", _MONEY),
        ("c_mktsegment", TEXT),
        ("c_comment", TEXT),
    ),
    "orders": _table(
        ("o_orderkey", INT8),
        ("o_custkey", INT8),
        ("o_orderstatus", TEXT),
        ("o_totalprice", _MONEY),
        ("o_orderdate", DATE),
        ("o_orderpriority", TEXT),
        ("o_clerk", TEXT),
        ("o_shippriority", INT4),
        ("o_comment", TEXT),
    ),
    "lineitem": _table(
        ("l_orderkey", INT8),
        ("l_partkey", INT8),
        ("l_suppkey", INT8),
        ("l_linenumber", INT4),
        ("l_quantity", _MONEY),
        ("l_extendedprice", _MONEY),
        ("l_discount", _MONEY),
        ("l_tax", _MONEY),
        ("l_returnflag", TEXT),
        ("l_linestatus", TEXT),
        ("l_shipdate", DATE),
        ("l_commitdate", DATE),
        ("l_receiptdate", DATE),
        ("l_shipinstruct", TEXT),
        ("l_shipmode", TEXT),
        ("l_comment", TEXT),
    ),
    "nation": _table(("n_nationkey", INT8), ("n_name", TEXT), ("n_regionkey", INT8), ("n_comment", TEXT)),
    "region": _table(("r_regionkey", INT8), ("r_name", TEXT), ("r_comment", TEXT)),
}


_TABLES: dict[GeneratorKind, dict[str, RelationDesc]] = {
    GeneratorKind.COUNTER: {"counter": _table(("counter", INT8))},
    GeneratorKind.AUCTION: _AUCTION,
    GeneratorKind.KEY_VALUE: {
        "key_value": _table(("key", INT8), ("partition", INT8), ("value", BYTEA), ("offset", INT8))
    },
    GeneratorKind.MARKETING: _MARKETING,
    GeneratorKind.NEXMARK: _NEXMARK,
    GeneratorKind.TPCH: _TPCH,
}


def generated_tables(kind: GeneratorKind) -> dict[str, RelationDesc]:
    """Returns the tables of a generator, by name."""
    return _TABLES[kind]
