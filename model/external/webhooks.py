"""How requests to a webhook source become rows: the body's format, the headers that are kept, the check to pass."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc
from model.types.scalar_type import BYTEA, JSONB, TEXT, ScalarType, map_of


class BodyFormat(StrEnum):
    """The format of a body. JSON makes a row of each value in the body, JSON ARRAY one of each element of an array;
    the others make one row of the whole body."""

    BYTES = "bytes"
    TEXT = "text"
    JSON = "json"
    JSON_ARRAY = "json array"


BODY_TYPES = {
    BodyFormat.BYTES: BYTEA,
    BodyFormat.TEXT: TEXT,
    BodyFormat.JSON: JSONB,
    BodyFormat.JSON_ARRAY: JSONB,
}


@dataclass(frozen=True, slots=True)
class HeaderColumn:
    """A header with a column of its own, NULL in requests without it. Its name is in lower case."""

    header: str
    column: str
    as_bytes: bool


@dataclass(frozen=True, slots=True)
class ChosenHeaders:
    """The headers that go into the column `headers`: the named ones, or, when none is named, all but those left out.
    Names are in lower case."""

    named: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def __contains__(self, header: str) -> bool:
        return (not self.named or header in self.named) and header not in self.left_out


class RequestPart(StrEnum):
    """The parts of a request that CHECK can use."""

    HEADERS = "headers"
    BODY = "body"
    SECRET = "secret"


@dataclass(frozen=True, slots=True)
class CheckedInput:
    """An input of a request's check, called `name` in its condition, as text or as bytes; `secret` is the id of a
    SECRET that is the input's value."""

    part: RequestPart
    secret: GlobalId | None
    name: str
    as_bytes: bool

    @property
    def type(self) -> ScalarType:
        """Returns the type that the input has in the check: a map for headers, else text or bytes."""
        value = BYTEA if self.as_bytes else TEXT
        return map_of(value) if self.part is RequestPart.HEADERS else value


@dataclass(frozen=True, slots=True)
class RequestCheck:
    """The check of a request: a request counts if the condition, in SQL over the inputs, is true."""

    inputs: tuple[CheckedInput, ...]
    sql: str

    @property
    def secrets(self) -> frozenset[GlobalId]:
        """The secrets among its inputs."""
        return frozenset(each.secret for each in self.inputs if each.secret is not None)


@dataclass(frozen=True, slots=True)
class RequestFormat:
    """The way in which requests become rows: the body's format, the headers to keep, and the check. Without `headers`
    the rows have no column of all headers."""

    body: BodyFormat
    headers: ChosenHeaders | None = None
    header_columns: tuple[HeaderColumn, ...] = ()
    check: RequestCheck | None = None

    @property
    def columns(self) -> tuple[ColumnDesc, ...]:
        """Returns the columns of a webhook source: the body, then all headers as one map (if wanted), then the headers
        that have a column of their own."""
        body = ColumnDesc("body", BODY_TYPES[self.body], nullable=False)
        headers = () if self.headers is None else (ColumnDesc("headers", map_of(TEXT), nullable=False),)
        single = (ColumnDesc(each.column, BYTEA if each.as_bytes else TEXT) for each in self.header_columns)
        return (body, *headers, *single)
