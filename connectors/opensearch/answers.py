"""Answers of OpenSearch, as far as they are read: msgspec refuses an answer of another form."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field


class Checkpoint(Struct, frozen=True):
    """A document of the index of checkpoints.

    `sink`: the sink that writes the index
    `session`: the session that opened the sink last
    `uuid`: the index's, which another index of the same name does not have
    `frontier`: all updates before this time are in the index
    `applying`: a transaction is being written, or has ended halfway
    """

    sink: str
    session: str
    uuid: str
    frontier: int
    applying: bool


class CheckpointTold(Struct):
    """The answer about a checkpoint. `number` and `term` identify its state; None where there is none."""

    source: Checkpoint | None = field(name="_source", default=None)
    number: int | None = field(name="_seq_no", default=None)
    term: int | None = field(name="_primary_term", default=None)


class IndexIdentity(Struct):
    """The settings of an index, below `index`."""

    uuid: str


class IndexSettings(Struct):
    """The settings of an index."""

    index: IndexIdentity


class IndexTold(Struct):
    """The answer about an index."""

    settings: IndexSettings


class Counted(Struct):
    """The count of an index's documents."""

    count: int


class Document(Struct):
    """A document that was asked for by its _id."""

    id: str = field(name="_id")
    found: bool = False


class Documents(Struct):
    """Documents that were asked for."""

    docs: list[Document]


class Hit(Struct):
    """A document that a search has found."""

    id: str = field(name="_id")
    version: int = field(name="_version")


class Hits(Struct):
    """Documents of a page of a search."""

    hits: list[Hit]


class Page(Struct):
    """A page of a search, and the name under which the next is asked for."""

    hits: Hits
    scroll: str = field(name="_scroll_id")


class Outcome(Struct):
    """The outcome of an item of a bulk request, with its error, if any."""

    status: int
    error: Any = None


class BulkTold(Struct):
    """The outcomes of a bulk request, each below the name of its action."""

    items: list[dict[str, Outcome]]
