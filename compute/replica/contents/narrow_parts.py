"""Parts written before a column of numerics became wide, as Spark reads the parts: the rule of
`model/physical/conforming.py` as expressions, with the bytes of `model/physical/wide_numerics.py`.

Spark evaluates the expressions only for rows with a value in the narrow column; compaction leaves no such rows.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from model.physical.columns import column_name
from model.types.narrow_columns import NarrowColumn, narrow_columns
from model.types.relation_desc import RelationDesc

_DECIMALS, _BIAS = 18, 1 << 20


def conformed_frame(frame: DataFrame, desc: RelationDesc) -> DataFrame:
    """Returns the rows of a frame of columns `desc`, with the values of narrow columns in the wide columns."""
    changed: dict[str, Column] = {}
    for narrow in narrow_columns(desc.columns):
        number, wide = column_name(narrow.at), column_name(narrow.by)
        changed[wide] = F.when(F.col(number).isNotNull(), _wide_bytes(narrow)).otherwise(F.col(wide))
        for at in (narrow.at, narrow.decimals):
            if at is not None:
                changed[column_name(at)] = F.lit(None).cast(frame.schema[column_name(at)].dataType)
    return frame.withColumns(changed) if changed else frame


def _wide_bytes(narrow: NarrowColumn) -> Column:
    number = column_name(narrow.at)
    told = "0" if narrow.decimals is None else f"coalesce({column_name(narrow.decimals)}, 0)"
    text = f"CAST(abs({number}) AS STRING)"
    digits = f"trim(LEADING '0' FROM replace({text}, '.', ''))"
    needed = f"length(trim(TRAILING '0' FROM substring_index({text}, '.', -1)))"
    shown = f"lpad(hex(CAST(greatest({told}, {needed}) AS BIGINT)), 4, '0')"
    kept = f"trim(TRAILING '0' FROM {digits})"
    even = f"rpad({kept}, CAST(ceil(length({kept}) / 2.0D) AS INT) * 2, '0')"
    # A byte holds two decimal digits, and one more.
    later = "translate(substr(digits, at + 1, 1), '0123456789', '123456789A')"
    pairs = f"transform(sequence(1, length(digits), 2), at -> concat(substr(digits, at, 1), {later}))"
    packed = f"element_at(transform(array({even}), digits -> array_join({pairs}, '')), 1)"
    size = f"concat(lpad(hex(length({digits}) - {_DECIMALS + 1} + {_BIAS}), 6, '0'), {packed})"
    below = f"concat('01', translate({size}, '0123456789ABCDEF', 'FEDCBA9876543210'), 'FF')"
    whole = f"CASE WHEN {number} = 0 THEN '02' WHEN {number} > 0 THEN concat('03', {size}) ELSE {below} END"
    return F.expr(f"unhex(concat({whole}, {shown}))")
