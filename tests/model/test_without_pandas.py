"""Processes of ours are spared what pyarrow would import at its first array."""

import importlib.metadata
import subprocess
import sys

import pytest

_FIRST_ARRAY = "import pyarrow, sys; pyarrow.array([1]); print('pandas' in sys.modules)"


@pytest.mark.parametrize(("before", "imported"), [("", "True"), ("import model.physical.columns; ", "False")])
def test_pandas_is_imported_by_others_alone(before: str, imported: str) -> None:
    assert importlib.metadata.version("pandas"), "what tests need brings it along"
    found = subprocess.run([sys.executable, "-c", before + _FIRST_ARRAY], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == imported
