"""A type that has its row in the table has its text and its bytes, too: whoever enters one is told what is missing."""

from __future__ import annotations

import pytest

from model.errors.sql_error import NotSupported
from model.text.context import DEFAULT_CONTEXT
from model.text.dispatch import formatter, parser
from model.types.scalar_type import ScalarType, TypeName
from model.types.type_table import TYPES
from server.pgwire.encoding.dispatch import receiver, sender
from server.pgwire.messages import BINARY_FORMAT

_OF_OTHERS = (TypeName.ENUM, TypeName.RANGE, TypeName.MULTIRANGE, TypeName.ARRAY, TypeName.LIST, TypeName.MAP)
"""Their text and bytes are those of labels or of other types."""
_NEVER_READ = (TypeName.PG_NODE_TREE, TypeName.ACLITEM)
_NEVER_IN_BINARY = (TypeName.ACLITEM,)
_ENTERED = [name for name in TypeName if name not in _OF_OTHERS and not name.startswith("any")]


@pytest.mark.parametrize("name", _ENTERED, ids=str)
def test_every_type_has_text_and_bytes(name: TypeName) -> None:
    type_ = ScalarType(name)
    formatter(type_)
    if name not in _NEVER_IN_BINARY:
        sender(type_, BINARY_FORMAT, DEFAULT_CONTEXT)
    if name not in _NEVER_READ:
        parser(type_)
        receiver(type_, BINARY_FORMAT, DEFAULT_CONTEXT)


@pytest.mark.parametrize("name", _NEVER_READ, ids=str)
def test_what_is_never_read_is_refused(name: TypeName) -> None:
    with pytest.raises(NotSupported):
        parser(ScalarType(name))("x")
    with pytest.raises(NotSupported):
        receiver(ScalarType(name), BINARY_FORMAT, DEFAULT_CONTEXT)


@pytest.mark.parametrize("name", [name for name in _ENTERED if TYPES[name].neutral is not None], ids=str)
def test_the_neutral_value_comes_back_from_its_bytes(name: TypeName) -> None:
    type_ = ScalarType(name)
    data = sender(type_, BINARY_FORMAT, DEFAULT_CONTEXT)(TYPES[name].neutral)
    assert receiver(type_, BINARY_FORMAT, DEFAULT_CONTEXT)(data) == TYPES[name].neutral
