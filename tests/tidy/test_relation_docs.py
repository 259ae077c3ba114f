"""docs/system_relations.md tells of every system relation, in a sentence of its declaration."""

from __future__ import annotations

from catalog.declared.mz_catalog import MZ_CATALOG
from catalog.declared.mz_internal import MZ_INTERNAL
from tests.tidy.sources import ROOT
from tools.generate_relation_docs import TARGET, relation_page


def test_the_page_is_what_the_catalog_declares() -> None:
    assert (ROOT / TARGET).read_text() == relation_page(), "run python -m tools.generate_relation_docs"


def test_each_relation_of_ours_is_described_in_a_sentence() -> None:
    mute = [each.name for each in (*MZ_CATALOG, *MZ_INTERNAL) if not each.description.endswith(".")]
    assert mute == []
