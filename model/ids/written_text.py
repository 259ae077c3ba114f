"""A part of a statement as written, with the names of other objects marked.

    FROM KAFKA CONNECTION ⟨c⟩ (TOPIC 't')

A name between ⟨ and ⟩ is stored with its object's id, so that the text can be written with the object's present name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class WrittenName:
    """A marked name in a statement.

    text: the name as the user wrote it
    schema, name: the object's schema and name when the statement was written
    id: the object's id; None for the progress relation of the source that the statement creates, because the relation
        had no id yet
    """

    text: str
    schema: str
    name: str
    id: GlobalId | None


WrittenText = tuple[str | WrittenName, ...]


def text_with_names(written: WrittenText, name_now: Callable[[WrittenName], str]) -> str:
    """Returns the text with each name replaced by the result of `name_now`."""
    return "".join(part if isinstance(part, str) else name_now(part) for part in written)
