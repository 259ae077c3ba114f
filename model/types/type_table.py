"""The facts of each type, by its name, a row per type: the one place to add a scalar type.

    "macaddr"   number 829 (its arrays 1040), 6 bytes, held as bytes that sort as the values do

Everything that depends on the type's name alone follows from its row: its description for clients, its form in Arrow
and Spark, its casts from and to text, its comparisons and operator classes, whether it can be a key. The rest is code:
the type's text (model.text.dispatch), its bytes on the wire (server.pgwire.encoding.dispatch) and its own functions.
"""

from __future__ import annotations

import datetime
import decimal
import uuid
from dataclasses import dataclass
from enum import Enum

import pyarrow as pa

from model.search.queries import encode_query
from model.search.vectors import encode_vector
from model.types.datum import Datum, Interval, TimeTz, network_of
from model.types.embedding import held_embedding
from model.types.geometry import held_shape


class TypeOrder(Enum):
    """The order of a type's values: that of their stored form, in Arrow and in Spark, or that of a key."""

    AS_HELD = "as held"
    BY_KEY = "by key"


@dataclass(frozen=True, slots=True)
class TypeRow:
    """Facts of one type.

    oid, array_oid   pg_type.oid, and that of its arrays; 0 where it has none that is always the same
    size             pg_type.typlen
    title            what format_type prints, where that is not the name
    category         pg_type.typcategory; U for types of no category
    preferred        pg_type.typispreferred
    held             the Arrow type that holds it, where no modifier and no other type has a say in that
    neutral          some value, where values have no parts
    order            None where no operator compares two of its values, or that of another type does
    one_form         equal values are written alike
    plain_text       its text needs neither the catalog nor a string's type
    classes          names of PostgreSQL's operator classes of B-trees over it
    """

    oid: int = 0
    array_oid: int = 0
    size: int = -1
    title: str | None = None
    category: str = "U"
    preferred: bool = False
    held: pa.DataType | None = None
    neutral: Datum = None
    order: TypeOrder | None = None
    one_form: bool = False
    plain_text: bool = False
    classes: str = ""


_AS_HELD, _BY_KEY = TypeOrder.AS_HELD, TypeOrder.BY_KEY
_TEXT, _BYTES, _WHOLE = pa.string(), pa.binary(), pa.int64()
_INTERVAL = pa.struct([("months", pa.int32()), ("days", pa.int32()), ("microseconds", pa.int64())])
_DAY = datetime.datetime(2000, 1, 1)

# fmt: off
TYPES = {
    # Truth and numbers
"bool": TypeRow(16, 1000, size=1, title="boolean", category="B", preferred=True, held=pa.bool_(), neutral=False,
        order=_AS_HELD, one_form=True, plain_text=True, classes="bool_ops"),
    "int2": TypeRow(21, 1005, size=2, title="smallint", category="N", held=pa.int16(), neutral=0, order=_AS_HELD,
        one_form=True, plain_text=True, classes="int2_ops"),
    "int4": TypeRow(23, 1007, size=4, title="integer", category="N", held=pa.int32(), neutral=0, order=_AS_HELD,
        one_form=True, plain_text=True, classes="int4_ops"),
    "int8": TypeRow(20, 1016, size=8, title="bigint", category="N", held=_WHOLE, neutral=0, order=_AS_HELD,
        one_form=True, plain_text=True, classes="int8_ops"),
    "uint2": TypeRow(16460, 16461, size=2, category="N", held=pa.int32(), neutral=0, order=_AS_HELD, one_form=True,
        plain_text=True),
    "uint4": TypeRow(16462, 16463, size=4, category="N", held=_WHOLE, neutral=0, order=_AS_HELD, one_form=True,
        plain_text=True),
    "uint8": TypeRow(16464, 16465, size=8, category="N", held=pa.decimal128(20, 0), neutral=0, order=_AS_HELD,
        one_form=True, plain_text=True),
    "float4": TypeRow(700, 1021, size=4, title="real", category="N", held=pa.float32(), neutral=0.0, order=_AS_HELD,
        plain_text=True, classes="float4_ops"),
    "float8": TypeRow(701, 1022, size=8, title="double precision", category="N", preferred=True, held=pa.float64(),
        neutral=0.0, order=_AS_HELD, plain_text=True, classes="float8_ops"),
    "numeric": TypeRow(1700, 1231, category="N", neutral=decimal.Decimal(0), order=_BY_KEY, one_form=True,
        plain_text=True, classes="numeric_ops"),
    "money": TypeRow(790, 791, size=8, category="N", held=_WHOLE, neutral=0, order=_AS_HELD, one_form=True,
        plain_text=True, classes="money_ops"),
    "wide": TypeRow(title="numeric", category="N", held=_BYTES, neutral=decimal.Decimal(0), order=_BY_KEY,
        plain_text=True, classes="numeric_ops"),
    # Strings
    "text": TypeRow(25, 1009, category="S", preferred=True, held=_TEXT, neutral="", order=_AS_HELD, one_form=True,
        classes="text_ops text_pattern_ops varchar_ops varchar_pattern_ops"),
    "varchar": TypeRow(1043, 1015, title="character varying", category="S", held=_TEXT, neutral="", one_form=True,
        classes="text_ops text_pattern_ops varchar_ops varchar_pattern_ops"),
    "bpchar": TypeRow(1042, 1014, title="character", category="S", held=_TEXT, neutral="", order=_BY_KEY,
        one_form=True, classes="bpchar_ops bpchar_pattern_ops"),
    "name": TypeRow(19, 1003, size=64, category="S", held=_TEXT, neutral="", order=_AS_HELD, one_form=True,
        classes="name_ops"),
    "char": TypeRow(18, 1002, size=1, title='"char"', category="Z", held=_TEXT, neutral="", order=_BY_KEY,
        one_form=True, classes="char_ops"),
    # Bytes and bits
    "bytea": TypeRow(17, 1001, held=_BYTES, neutral=b"", order=_AS_HELD, one_form=True, plain_text=True,
        classes="bytea_ops"),
    "bit": TypeRow(1560, 1561, category="V", held=_TEXT, neutral="", order=_AS_HELD, plain_text=True,
        classes="bit_ops"),
    "varbit": TypeRow(1562, 1563, title="bit varying", category="V", preferred=True, held=_TEXT, neutral="",
        order=_AS_HELD, plain_text=True, classes="varbit_ops"),
    # Times
    "date": TypeRow(1082, 1182, size=4, category="D", held=pa.date32(), neutral=_DAY.date(), order=_AS_HELD,
        one_form=True, plain_text=True, classes="date_ops"),
    "time": TypeRow(1083, 1183, size=8, title="time without time zone", category="D", held=_WHOLE,
        neutral=_DAY.time(), order=_AS_HELD, one_form=True, plain_text=True, classes="time_ops"),
    "timetz": TypeRow(1266, 1270, size=12, title="time with time zone", category="D", held=_WHOLE, neutral=TimeTz(0,
        0), order=_AS_HELD, plain_text=True, classes="timetz_ops"),
    "timestamp": TypeRow(1114, 1115, size=8, title="timestamp without time zone", category="D",
        held=pa.timestamp("us"), neutral=_DAY, order=_AS_HELD, one_form=True, plain_text=True, classes="timestamp_ops"),
    "timestamptz": TypeRow(1184, 1185, size=8, title="timestamp with time zone", category="D", preferred=True,
        held=pa.timestamp("us", tz="UTC"), neutral=_DAY.replace(tzinfo=datetime.UTC), order=_AS_HELD,
        one_form=True, plain_text=True, classes="timestamptz_ops"),
    "interval": TypeRow(1186, 1187, size=16, category="T", preferred=True, held=_INTERVAL, neutral=Interval(0, 0, 0),
        order=_BY_KEY, plain_text=True, classes="interval_ops"),
    # What has a form of its own
    "uuid": TypeRow(2950, 2951, size=16, held=_TEXT, neutral=uuid.UUID(int=0), order=_AS_HELD, one_form=True,
        plain_text=True, classes="uuid_ops"),
    "inet": TypeRow(869, 1041, category="I", preferred=True, held=_BYTES, neutral=network_of(4, 0, 0),
        order=_AS_HELD, one_form=True, plain_text=True, classes="cidr_ops inet_ops"),
    "cidr": TypeRow(650, 651, category="I", held=_BYTES, neutral=network_of(4, 0, 0), one_form=True, plain_text=True,
        classes="cidr_ops inet_ops"),
    "macaddr": TypeRow(829, 1040, size=6, held=_BYTES, neutral=bytes(6), order=_AS_HELD, one_form=True,
        plain_text=True, classes="macaddr_ops"),
    "macaddr8": TypeRow(774, 775, size=8, held=_BYTES, neutral=bytes(8), order=_AS_HELD, one_form=True,
        plain_text=True, classes="macaddr8_ops"),
    "json": TypeRow(114, 199, held=_TEXT, neutral="null", plain_text=True),
    "jsonb": TypeRow(3802, 3807, held=_TEXT, neutral="null", order=_BY_KEY, plain_text=True, classes="jsonb_ops"),
    "jsonpath": TypeRow(4072, 4073, held=_TEXT, plain_text=True),
    # Text search
    "tsvector": TypeRow(3614, 3643, held=_BYTES, neutral=encode_vector(()), order=_AS_HELD, one_form=True,
        plain_text=True, classes="tsvector_ops"),
    "tsquery": TypeRow(3615, 3645, held=_BYTES, neutral=encode_query(None), order=_BY_KEY, plain_text=True,
        classes="tsquery_ops"),
    "regconfig": TypeRow(3734, 3735, size=4, category="N", held=_WHOLE, neutral=0, plain_text=True, classes="oid_ops"),
    "vector": TypeRow(16470, 16471, held=_BYTES, neutral=held_embedding([0.0]), order=_AS_HELD, one_form=True,
        plain_text=True, classes="vector_ops"),
    # Geometry
    "point": TypeRow(600, 1017, size=16, category="G", held=_BYTES, neutral=held_shape(0.0, 0.0), plain_text=True),
    "box": TypeRow(603, 1020, size=32, category="G", held=_BYTES, neutral=held_shape(0.0, 0.0, 0.0, 0.0),
        plain_text=True),
    "lseg": TypeRow(601, 1018, size=32, category="G", held=_BYTES, neutral=held_shape(0.0, 0.0, 0.0, 0.0),
        plain_text=True),
    "circle": TypeRow(718, 719, size=24, category="G", held=_BYTES, neutral=held_shape(0.0, 0.0, 0.0),
        plain_text=True),
    # Numbers of the catalog's objects
    "oid": TypeRow(26, 1028, size=4, category="N", preferred=True, held=_WHOLE, neutral=0, order=_AS_HELD,
        one_form=True, plain_text=True, classes="oid_ops"),
    "regclass": TypeRow(2205, 2210, size=4, category="N", held=_WHOLE, neutral=0, classes="oid_ops"),
    "regtype": TypeRow(2206, 2211, size=4, category="N", held=_WHOLE, neutral=0, classes="oid_ops"),
    "regproc": TypeRow(24, 1008, size=4, category="N", held=_WHOLE, neutral=0, classes="oid_ops"),
    "regprocedure": TypeRow(2202, 2207, size=4, category="N", held=_WHOLE, neutral=0),
    "regoper": TypeRow(2203, 2208, size=4, category="N", held=_WHOLE, neutral=0),
    "regoperator": TypeRow(2204, 2209, size=4, category="N", held=_WHOLE, neutral=0),
    "regnamespace": TypeRow(4089, 4090, size=4, category="N", held=_WHOLE, neutral=0),
    "regrole": TypeRow(4096, 4097, size=4, category="N", held=_WHOLE, neutral=0, classes="oid_ops"),
    "xid": TypeRow(28, 1011, size=4, held=_WHOLE, neutral=0, plain_text=True),
    "tid": TypeRow(27, 1010, size=6, held=_WHOLE, neutral=0, order=_AS_HELD, one_form=True, plain_text=True,
        classes="tid_ops"),
    "pg_node_tree": TypeRow(194, 0, category="Z", held=_TEXT),
    "aclitem": TypeRow(1033, 1034, size=16, held=_TEXT),
    "int2vector": TypeRow(22, 1006, category="A", held=pa.list_(pa.int16()), plain_text=True),
    "oidvector": TypeRow(30, 1013, category="A", held=pa.list_(pa.int64()), order=_BY_KEY, plain_text=True,
        classes="oidvector_ops"),
    "mz_timestamp": TypeRow(16552, 16553, size=8, held=_WHOLE, neutral=0, order=_AS_HELD, one_form=True,
        plain_text=True),
    # Ranges
    "int4range": TypeRow(3904, 3905, category="R", classes="range_ops"),
    "int8range": TypeRow(3926, 3927, category="R", classes="range_ops"),
    "numrange": TypeRow(3906, 3907, category="R", classes="range_ops"),
    "daterange": TypeRow(3912, 3913, category="R", classes="range_ops"),
    "tsrange": TypeRow(3908, 3909, category="R", classes="range_ops"),
    "tstzrange": TypeRow(3910, 3911, category="R", classes="range_ops"),
    "int4multirange": TypeRow(4451, 6150, category="R", classes="multirange_ops"),
    "int8multirange": TypeRow(4536, 6157, category="R", classes="multirange_ops"),
    "nummultirange": TypeRow(4532, 6151, category="R", classes="multirange_ops"),
    "datemultirange": TypeRow(4535, 6155, category="R", classes="multirange_ops"),
    "tsmultirange": TypeRow(4533, 6152, category="R", classes="multirange_ops"),
    "tstzmultirange": TypeRow(4534, 6153, category="R", classes="multirange_ops"),
    # What is made of others, or by users
    "range": TypeRow(category="R", classes="range_ops"),
    "multirange": TypeRow(category="R", classes="multirange_ops"),
    "enum": TypeRow(size=4, category="E", held=pa.float64(), neutral=0.0, one_form=True, classes="enum_ops"),
    "array": TypeRow(category="A", classes="array_ops"),
    "list": TypeRow(16384, 0, category="L"),
    "map": TypeRow(16385, 0, category="M"),
    "record": TypeRow(2249, 2287, category="P", classes="record_ops"),
    # Pseudo-types
    "void": TypeRow(2278, 0, size=4, category="P", held=_TEXT),
    "unknown": TypeRow(705, 0, size=-2, category="X", held=_TEXT),
    "any": TypeRow(2276, 0, size=4, title='"any"', category="P"),
    "anyelement": TypeRow(2283, 0, size=4, category="P"),
    "anyarray": TypeRow(2277, 0, category="P"),
    "anynonarray": TypeRow(2776, 0, size=4, category="P"),
    "anyenum": TypeRow(3500, 0, size=4, category="P"),
    "anyrange": TypeRow(3831, 0, category="P"),
    "anymultirange": TypeRow(4537, 0, category="P"),
    "anycompatible": TypeRow(5077, 0, size=4, category="P"),
    "anycompatiblearray": TypeRow(5078, 0, category="P"),
    "anycompatiblelist": TypeRow(16454, 0, category="P"),
    "anycompatiblemap": TypeRow(16455, 0, category="P"),
}
# fmt: on
"""By pg_type.typname. Oids from 16384 on are those of Materialize's own types, outside PostgreSQL's range."""
