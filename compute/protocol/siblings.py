"""Where the replicas of a cluster keep states, so that a replica that begins can copy another one's.

The text is the value of the parameter SIBLINGS (see UpdateConfiguration), and names all replicas with known places, the
reader too.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

ARRANGEMENTS = "arrangements"
"""The folder of a replica's states in its data directory."""


class StatesPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """The place of a replica's states: a `directory` of the host, or a name in blob."""

    directory: str = ""
    in_blob: str = ""


_decoder = msgspec.json.Decoder(dict[str, StatesPlace])


def encode_siblings(places: Mapping[str, StatesPlace]) -> str:
    """Returns the parameter's value for places by the names of replicas."""
    return msgspec.json.encode(dict(sorted(places.items()))).decode()


def decode_siblings(value: str) -> dict[str, StatesPlace]:
    """Returns the places by the names of replicas. Raises msgspec.DecodeError for any other text."""
    return _decoder.decode(value)
