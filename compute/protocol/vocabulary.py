"""The classes that may go over the wire, and the version computed from them."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from collections.abc import Iterator
from types import ModuleType
from typing import Final

from compute.maintain.step_numbers import CONTENTS
from compute.maintain.step_numbers import RAISED as STEPS
from compute.protocol import command, dataflow, measures, response
from compute.protocol.codec import Codec
from compute.protocol.framing import MESSAGE_BYTES_MAX
from connectors.registry import place as registry_place
from connectors.sinks import description as sink_description
from connectors.sources import description
from connectors.system import SystemDestination, SystemSource
from connectors.systems import DESTINATIONS, SOURCES
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external import files, generators, publications, records, sinks
from model.ids import global_id
from model.text import copy_options
from model.time import antichain
from model.types import datum, relation_desc, scalar_type
from model.types.scalar_type import ScalarType
from planner.functions.answer_numbers import RAISED as FUNCTIONS
from planner.ir import aggregate, relation, scalar, window

_MODULES: tuple[ModuleType, ...] = (
    antichain,
    copy_options,
    datum,
    files,
    generators,
    global_id,
    publications,
    records,
    relation_desc,
    scalar_type,
    scalar,
    aggregate,
    window,
    relation,
    description,
    registry_place,
    sinks,
    sink_description,
    dataflow,
    command,
    measures,
    response,
)


def _classes(module: ModuleType) -> Iterator[type]:
    """Returns the dataclasses and enums defined in `module`."""
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            if dataclasses.is_dataclass(value) or issubclass(value, enum.Enum):
                yield value


def _shape(class_: type) -> str:
    if dataclasses.is_dataclass(class_):
        return f"{class_.__name__}({', '.join(f'{f.name}: {f.type}' for f in dataclasses.fields(class_))})"
    assert issubclass(class_, enum.Enum)
    return f"{class_.__name__}={sorted(str(member.value) for member in class_)}"


_KINDS: tuple[SystemDestination | SystemSource, ...] = (*DESTINATIONS.values(), *SOURCES.values())
_PLACES = tuple(place for kind in _KINDS for place in kind.places)
CLASSES: Final = tuple(dict.fromkeys((*(class_ for module in _MODULES for class_ in _classes(module)), *_PLACES)))
_FORM = "types once"
_NUMBERS = (str(CONTENTS), *(f"{name} {number}" for name, number in sorted({**STEPS, **FUNCTIONS}.items())))
"""A replica that runs a function as it was before its mending must not go on with it under an environment that knows it
mended."""
VERSION: Final = hashlib.sha256("\n".join((_FORM, *map(_shape, CLASSES), *_NUMBERS)).encode()).hexdigest()[:16]
CODEC: Final = Codec(CLASSES, shared=ScalarType)


def require_sendable(message: object) -> None:
    """Raises SqlError for a plan nested too deeply or too long to be sent, before the history has the plan and sends
    it to each new replica."""
    sendable(message)


def sendable(message: object) -> bytes:
    """Returns a message's bytes; raises SqlError for a plan nested too deeply or too long to be sent."""
    try:
        encoded = CODEC.encode(message)
    except RecursionError:
        raise SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, "stack depth limit exceeded") from None
    if len(encoded) > MESSAGE_BYTES_MAX:
        raise SqlError(
            Sqlstate.PROGRAM_LIMIT_EXCEEDED,
            f"the statement's plan takes {len(encoded)} bytes, of {MESSAGE_BYTES_MAX} that it may take",
            detail="The values in it count, and what its transaction has written to the tables that it reads.",
        )
    return encoded
