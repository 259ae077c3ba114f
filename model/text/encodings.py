"""Encodings of clients other than UTF8, by Python's codecs, with PostgreSQL's names and errors.

>>> known_encoding("windows-1252").encode("€")
b'\\x80'
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

_SECOND_BYTE_DIGIT = range(0x30, 0x3A)
_THREE_BYTES = 0x8F
_HALF_WIDTH_KANA = range(0xA1, 0xE0)
_PRIVATE_USE, _UNREAD = range(0xE000, 0xF900), "\x80"
_Structure = Literal["single", "pairs", "euc", "sjis", "gb18030"]


@dataclass(frozen=True, slots=True)
class ClientEncoding:
    """An encoding, with PostgreSQL's name and Python's; `structure` says how long a character is."""

    name: str
    codec: str
    structure: _Structure = "single"

    def decode(self, data: bytes) -> str:
        """Returns a text. Raises SqlError 22021 for bytes that make no character, 22P05 for a character that UTF8
        lacks."""
        if data.isascii() and b"\0" not in data:
            return data.decode("ascii")
        if b"\0" in data:
            raise _invalid(self.name, b"\0")
        try:
            return self.held(data.decode(self.codec))
        except UnicodeDecodeError as error:
            raise self.undecodable(error) from None

    def held(self, text: str) -> str:
        """Returns a text that the codec has decoded. Raises SqlError 22021, 22P05 for what Python's codec alone
        reads."""
        lax = self._first_lax(text)
        if lax is not None:
            data = lax.encode(self.codec)
            raise _invalid(self.name, data) if len(data) == 1 else _without_equivalent(self.name, data, "UTF8")
        return text

    def encode(self, text: str) -> bytes:
        """Returns a text's bytes. Raises SqlError 22P05 for a character that the encoding lacks."""
        try:
            encoded = text.encode(self.codec)
        except UnicodeEncodeError as error:
            raise self._lacks(text[error.start]) from None
        lax = self._first_lax(text)
        if lax is not None:
            raise self._lacks(lax)
        return encoded

    def _first_lax(self, text: str) -> str | None:
        """Returns the first character that Python's codec knows, and PostgreSQL's encoding does not."""
        if self.structure == "single":
            return None
        return next((each for each in text if each > "\x7f" and self._is_lax_about(each)), None)

    def _is_lax_about(self, character: str) -> bool:
        """Tells whether PostgreSQL's encoding lacks a character: Python's codecs write ¥ as a backslash in EUC_JP and
        Hangul as eight bytes in EUC_KR, and have U+0080 and characters of private use in SJIS."""
        if self.structure == "sjis":
            return character == _UNREAD or ord(character) in _PRIVATE_USE
        encoded = character.encode(self.codec)
        return encoded[0] < 0x80 or (self.name == "EUC_KR" and len(encoded) > 2)

    def _lacks(self, character: str) -> SqlError:
        return _without_equivalent("UTF8", character.encode(errors="replace"), self.name)

    def told(self, text: str) -> bytes:
        """Returns a text's bytes for a message that has to arrive, with question marks for unknown characters."""
        return text.encode(self.codec, errors="replace")

    def from_utf8(self, data: bytes) -> bytes:
        """Returns a text in UTF8 in the encoding."""
        return data if data.isascii() else self.encode(data.decode())

    def _length(self, data: bytes, start: int) -> int:
        first = data[start]
        if first < 0x80 or self.structure == "single":
            return 1
        if self.structure == "sjis":
            return 1 if first in _HALF_WIDTH_KANA else 2
        if self.structure == "euc":
            return 3 if first == _THREE_BYTES else 2
        if self.structure == "gb18030":
            return 4 if data[start + 1 : start + 2] and data[start + 1] in _SECOND_BYTE_DIGIT else 2
        return 2

    def undecodable(self, error: UnicodeDecodeError) -> SqlError:
        """Returns the error for the first bytes that mean nothing to the codec."""
        found = error.object[error.start : error.start + self._length(error.object, error.start)]
        if self.structure != "single":
            whole = self._length(found, 0) == len(found) > 1
            trailing = found[1:] if whole else b""
            least = 0xA1 if self.structure == "euc" else 0x30 if self.structure == "gb18030" else 0x40
            if not whole or any(byte < least for byte in trailing):
                return _invalid(self.name, found)
        return _without_equivalent(self.name, found, "UTF8")


class ArrivingText:
    """A text that arrives in pieces, whose ends may be anywhere, in a client's encoding."""

    def __init__(self, encoding: ClientEncoding) -> None:
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding.codec)()

    def utf8(self, data: bytes, *, final: bool = False) -> bytes:
        """Returns the next characters in UTF8; the last one may still lack bytes, but for the `final` piece. Raises
        SqlError 22021, 22P05."""
        if b"\0" in data:
            raise _invalid(self._encoding.name, b"\0")
        try:
            return self._encoding.held(self._decoder.decode(data, final)).encode()
        except UnicodeDecodeError as error:
            raise self._encoding.undecodable(error) from None


def _hexadecimal(data: bytes) -> str:
    return " ".join(f"0x{byte:02x}" for byte in data)


def _invalid(name: str, data: bytes) -> SqlError:
    message = f'invalid byte sequence for encoding "{name}": {_hexadecimal(data)}'
    return SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, message)


def _without_equivalent(name: str, data: bytes, other: str) -> SqlError:
    found = f'character with byte sequence {_hexadecimal(data)} in encoding "{name}"'
    message = f'{found} has no equivalent in encoding "{other}"'
    return SqlError(Sqlstate.UNTRANSLATABLE_CHARACTER, message)


_LATIN = {1: 1, 2: 2, 3: 3, 4: 4, 5: 9, 6: 10, 7: 13, 8: 14, 9: 15, 10: 16}
"""The parts of ISO 8859 by the numbers of LATIN."""
ENCODINGS = (
    *(ClientEncoding(f"LATIN{number}", f"iso8859-{part}") for number, part in _LATIN.items()),
    *(ClientEncoding(f"ISO_8859_{part}", f"iso8859-{part}") for part in range(5, 9)),
    *(ClientEncoding(f"WIN{page}", f"cp{page}") for page in (866, 874, *range(1250, 1259))),
    ClientEncoding("KOI8R", "koi8-r"),
    ClientEncoding("KOI8U", "koi8-u"),
    ClientEncoding("EUC_JP", "euc_jp", "euc"),
    ClientEncoding("EUC_CN", "gb2312", "euc"),
    ClientEncoding("EUC_KR", "euc_kr", "euc"),
    ClientEncoding("SJIS", "cp932", "sjis"),
    ClientEncoding("BIG5", "big5", "pairs"),
    ClientEncoding("GBK", "gbk", "pairs"),
    ClientEncoding("UHC", "cp949", "pairs"),
    ClientEncoding("GB18030", "gb18030", "gb18030"),
)
_OTHER_NAMES = {
    "abc": "WIN1258",
    "tcvn": "WIN1258",
    "tcvn5712": "WIN1258",
    "vscii": "WIN1258",
    "alt": "WIN866",
    "win": "WIN1251",
    "koi8": "KOI8R",
    "mskanji": "SJIS",
    "shiftjis": "SJIS",
    "win932": "SJIS",
    "win936": "GBK",
    "win949": "UHC",
    "win950": "BIG5",
    **{f"iso8859{part}": f"LATIN{number}" for number, part in _LATIN.items()},
}


def bare_name(name: str) -> str:
    """Returns an encoding's name as PostgreSQL compares it: in small letters and digits alone."""
    return "".join(filter(str.isalnum, name)).lower()


_BY_NAME: Mapping[str, ClientEncoding] = {bare_name(each.name): each for each in ENCODINGS}


def known_encoding(name: str) -> ClientEncoding | None:
    """Returns an encoding by any of PostgreSQL's names; None for UTF8, and for others that no codec has."""
    bare = bare_name(name)
    if bare.startswith("windows"):
        bare = "win" + bare.removeprefix("windows")
    return _BY_NAME.get(bare_name(_OTHER_NAMES.get(bare, bare)))
