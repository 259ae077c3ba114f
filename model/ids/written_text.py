"""A part of a statement as it was written, in which the names of others can be told apart from the rest.

    FROM KAFKA CONNECTION ⟨c⟩ (TOPIC 't')

Whatever is between ⟨ and ⟩ is known by its id, so that the text can be written again after it was renamed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.ids.global_id import GlobalId


@dataclass(frozen=True, slots=True)
class WrittenName:
    """`text` names what was called `name` in `schema` then. `id` None: the source progress relation of the source of
    which the text is, since that one had no id yet."""

    text: str
    schema: str
    name: str
    id: GlobalId | None


WrittenText = tuple[str | WrittenName, ...]


def text_with_names(written: WrittenText, name_now: Callable[[WrittenName], str]) -> str:
    """The text with what `name_now` says for the names."""
    return "".join(part if isinstance(part, str) else name_now(part) for part in written)
