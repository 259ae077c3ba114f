"""The interface of a generator: it computes the changes that a range of its steps makes to its tables. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from model.physical.columns import DIFF_COLUMN, column_name


class GeneratorSteps(Protocol):
    """The steps of a generator, each of which makes some updates. `ready`: so many steps need not wait for a tick. A
    step makes `updates_per_step` updates at most, of `bytes_per_update` at most."""

    @property
    def ready(self) -> int: ...

    @property
    def updates_per_step(self) -> int: ...

    @property
    def bytes_per_update(self) -> int: ...

    def updates(self, lower: int, upper: int) -> Mapping[str, pa.Table]:
        """Returns the changes of the steps from `lower` until before `upper`, by table: its columns (c0, …), then
        `diff`."""
        ...


def as_updates(columns: list[pa.Array], diffs: npt.NDArray[np.int64] | int) -> pa.Table:
    """Returns updates of a table, with one diff for all rows or one for each."""
    if isinstance(diffs, int):
        diffs = np.full(len(columns[0]), diffs, np.int64)
    names = [column_name(at) for at in range(len(columns))]
    return pa.table([*columns, pa.array(diffs, pa.int64())], [*names, DIFF_COLUMN])
