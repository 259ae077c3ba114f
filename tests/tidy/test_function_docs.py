"""docs/functions.md says what the function table says."""

from tests.tidy.sources import ROOT
from tools.generate_function_docs import TARGET, document


def test_the_document_of_functions_is_up_to_date() -> None:
    assert (ROOT / TARGET).read_text() == document(), "run python -m tools.generate_function_docs"
