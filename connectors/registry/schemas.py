"""Schemas of a Confluent schema registry: asked for by number, or by subject."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from connectors.registry.answers import AnsweredAbsent, ask_registry
from connectors.unreachable import Unreachable
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.avro_schema import SCHEMA_LENGTH_MAX
from model.external.records import SchemaLanguage


@dataclass(frozen=True, slots=True)
class RegistryAccess:
    """The URL of a registry, and the credentials for it."""

    url: str
    login: tuple[str, str] | None = field(repr=False)
    authority: str | None


def registry_access(texts: Mapping[str, str]) -> RegistryAccess:
    """Builds the access from a connection's options."""
    login = (texts["USERNAME"], texts.get("PASSWORD", "")) if "USERNAME" in texts else None
    return RegistryAccess(texts["URL"], login, texts.get("SSL CERTIFICATE AUTHORITY"))


def schema_by_number(access: RegistryAccess, number: int, language: SchemaLanguage, timeout_s: float) -> str:
    """Fetches the schema with a number. Raises SqlError when no schema has the number, or the schema is in another
    language; raises Unreachable when the registry does not answer.

    Blocks, as `latest_schema` does.
    """
    return _schema(access, f"schemas/ids/{number}", f"schema {number}", language, timeout_s)


def latest_schema(access: RegistryAccess, subject: str, language: SchemaLanguage, timeout_s: float) -> str:
    """Fetches the newest schema of a subject; raises the errors that `schema_by_number` raises."""
    path = f"subjects/{urllib.parse.quote(subject, safe='')}/versions/latest"
    return _schema(access, path, f'schema of the subject "{subject}"', language, timeout_s)


def _schema(access: RegistryAccess, path: str, called: str, language: SchemaLanguage, timeout_s: float) -> str:
    if language is SchemaLanguage.PROTOBUF:
        path += "?format=serialized"
    try:
        body = ask_registry(access.url, access.login, access.authority, path, timeout_s)
    except AnsweredAbsent:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"the schema registry has no {called}") from None
    answer = _object(body)
    schema, kind, references = answer.get("schema"), answer.get("schemaType", "AVRO"), answer.get("references")
    if not isinstance(schema, str) or not isinstance(kind, str):
        raise Unreachable("the answer is none of a schema registry")
    if kind.lower() != language.value:
        raise SqlError(Sqlstate.WRONG_OBJECT_TYPE, f"the {called} is {kind[:20]}, not {language.value.upper()}")
    if references:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"the {called} refers to other schemas, which is not supported")
    if len(schema) > SCHEMA_LENGTH_MAX:
        message = f"the {called} has more than {SCHEMA_LENGTH_MAX} characters"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
    return schema


def _object(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise Unreachable("the answer is none of a schema registry")
    return answer
