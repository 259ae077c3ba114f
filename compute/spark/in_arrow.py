"""A DataFrame whose tasks are Python's, over Arrow's batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.classic.dataframe import DataFrame as FrameOfJava
from pyspark.sql.types import StructType
from pyspark.sql.udf import UserDefinedFunction
from pyspark.util import PythonEvalType


def map_in_arrow(
    frame: DataFrame, work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]], answer: StructType
) -> DataFrame:
    """Returns a frame of what `work` yields of each partition's batches."""
    # DataFrame.mapInArrow does this and no more, but asks for pandas first, of which it has no need.
    make, inner = cast(Any, UserDefinedFunction), cast(Any, frame)
    mapped = make(work, answer, evalType=PythonEvalType.SQL_MAP_ARROW_ITER_UDF)(
        *(frame[name] for name in frame.columns)
    )
    return FrameOfJava(inner._jdf.mapInArrow(mapped._jc, False, None), frame.sparkSession)
