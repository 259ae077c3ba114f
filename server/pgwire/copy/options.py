"""The options of COPY, checked and defaulted as PostgreSQL does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.copy_options import CheckedCopyOptions, CopyFormat, CopyHeader
from model.text.encodings import bare_name, known_encoding


@dataclass(frozen=True, slots=True)
class CopyClause:
    """WITH (…) as written: None for what isn't said; FORCE options are names of columns, or ("*",) for all."""

    format: str | None = None
    delimiter: str | None = None
    null: str | None = None
    header: str | None = None
    quote: str | None = None
    escape: str | None = None
    force_quote: Sequence[str] | None = None
    force_not_null: Sequence[str] | None = None
    force_null: Sequence[str] | None = None
    encoding: str | None = None


_HEADER_WORDS = {
    **dict.fromkeys(("true", "on", "1", ""), CopyHeader.PRESENT),
    **dict.fromkeys(("false", "off", "0"), CopyHeader.ABSENT),
    "match": CopyHeader.MATCH,
}
_UTF8 = ("utf8", "unicode", "sqlascii")
_WITHOUT_CODEC = ("euctw", "eucjis2004", "shiftjis2004", "johab", "muleinternal")
_BAD_DELIMITERS = "\\.abcdefghijklmnopqrstuvwxyz0123456789"


def _syntax(message: str) -> SqlError:
    return SqlError(Sqlstate.SYNTAX_ERROR, message)


def _invalid(message: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PARAMETER_VALUE, message)


def resolve_options(clause: CopyClause, columns: Sequence[str], *, reading: bool) -> CheckedCopyOptions:
    """Returns the options of a COPY of `columns`; raises SqlError 22023, 42601, 0A000, 42703 as PostgreSQL."""
    format_ = _format(clause)
    csv = format_ is CopyFormat.CSV
    encoding = None if clause.encoding is None else encoding_named(clause.encoding)
    if format_ is CopyFormat.BINARY:
        _refuse_for_binary(clause)
    header = _header(clause, reading)
    if header is not CopyHeader.ABSENT and format_ is CopyFormat.BINARY:
        raise NotSupported("HEADER in BINARY mode")
    options = CheckedCopyOptions(
        format=format_,
        delimiter=clause.delimiter if clause.delimiter is not None else ("," if csv else "\t"),
        null=clause.null if clause.null is not None else ("" if csv else "\\N"),
        header=header,
        quote=clause.quote if clause.quote is not None else '"',
        escape=clause.escape if clause.escape is not None else (clause.quote or '"'),
        force_quote=_positions(clause.force_quote, columns, "FORCE_QUOTE"),
        force_not_null=_positions(clause.force_not_null, columns, "FORCE_NOT_NULL"),
        force_null=_positions(clause.force_null, columns, "FORCE_NULL"),
        encoding=encoding,
    )
    _check_characters(options, csv)
    _check_csv_only(clause, csv, reading)
    return options


def encoding_named(name: str) -> str:
    """Returns PostgreSQL's name of an encoding; raises SqlError 0A000, 22023. What SQL_ASCII leaves as it is, is
    UTF8."""
    if bare_name(name) in _UTF8:
        return "UTF8"
    known = known_encoding(name)
    if known is not None:
        return known.name
    if bare_name(name) in _WITHOUT_CODEC:
        raise NotSupported(f'COPY in the encoding "{name}"')
    raise _invalid('argument to option "encoding" must be a valid encoding name')


def _format(clause: CopyClause) -> CopyFormat:
    if clause.format is None:
        return CopyFormat.TEXT
    try:
        return CopyFormat(clause.format)
    except ValueError:
        raise _invalid(f'COPY format "{clause.format}" not recognized') from None


def _refuse_for_binary(clause: CopyClause) -> None:
    for name, value in (("DELIMITER", clause.delimiter), ("NULL", clause.null)):
        if value is not None:
            raise _syntax(f"cannot specify {name} in BINARY mode")


def _header(clause: CopyClause, reading: bool) -> CopyHeader:
    if clause.header is None:
        return CopyHeader.ABSENT
    header = _HEADER_WORDS.get(clause.header.lower())
    if header is None:
        raise _syntax('header requires a Boolean value or "match"')
    if header is CopyHeader.MATCH and not reading:
        raise NotSupported('HEADER "match" with COPY TO')
    return header


def _check_characters(options: CheckedCopyOptions, csv: bool) -> None:
    if len(options.delimiter.encode()) != 1:
        raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "COPY delimiter must be a single one-byte character")
    if options.delimiter in "\r\n":
        raise _invalid("COPY delimiter cannot be newline or carriage return")
    if "\r" in options.null or "\n" in options.null:
        raise _invalid("COPY null representation cannot use newline or carriage return")
    if not csv and options.delimiter in _BAD_DELIMITERS:
        raise _invalid(f'COPY delimiter cannot be "{options.delimiter}"')
    if csv:
        for name, character in (("quote", options.quote), ("escape", options.escape)):
            if len(character.encode()) != 1:
                message = f"COPY {name} must be a single one-byte character"
                raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, message)
        if options.delimiter == options.quote:
            raise _invalid("COPY delimiter and quote must be different")
    if options.delimiter in options.null:
        raise _invalid("COPY delimiter character must not appear in the NULL specification")
    if csv and options.quote in options.null:
        raise _invalid("CSV quote character must not appear in the NULL specification")


def _check_csv_only(clause: CopyClause, csv: bool, reading: bool) -> None:
    given = {
        "quote": (clause.quote, None),
        "escape": (clause.escape, None),
        "force quote": (clause.force_quote, False),
        "force not null": (clause.force_not_null, True),
        "force null": (clause.force_null, True),
    }
    for name, (value, for_reading) in given.items():
        if value is None:
            continue
        if not csv:
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"COPY {name} available only in CSV mode")
        if for_reading is not None and for_reading != reading:
            direction = "using COPY FROM" if for_reading else "using COPY TO"
            raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, f"COPY {name} only available {direction}")


def _positions(names: Sequence[str] | None, columns: Sequence[str], option: str) -> frozenset[int]:
    if names is None:
        return frozenset()
    if tuple(names) == ("*",):
        return frozenset(range(len(columns)))
    for name in names:
        if name not in columns:
            raise SqlError(Sqlstate.INVALID_COLUMN_REFERENCE, f'{option} column "{name}" not referenced by COPY')
    return frozenset(columns.index(name) for name in names)
