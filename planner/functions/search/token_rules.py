"""The states of PostgreSQL's default parser of documents, and the rules of each, by which a text is cut into tokens.

A line names a state, then its rules, of which the first counts whose test holds for the character at hand:

    test>State       takes the character and goes on in the state; without a name the state stays
    test?State       takes it on trial: if the state fails, the text is read again from here, by the rules behind
    test!State       takes it, and the trial that led here has succeeded
    test<            fails
    test=token>State ends a token before the character; `!` for `>` ends the trial, `*` all trials
    test~State       goes on in the state without taking the character

A test is a class of characters or, behind an apostrophe, a character. A name behind `@` is an effect that the rule has
besides (tokens.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

TokenType = IntEnum(
    "TokenType",
    "ASCIIWORD WORD NUMWORD EMAIL URL HOST SFLOAT VERSION HWORD_NUMPART HWORD_PART HWORD_ASCIIPART BLANK TAG "
    "PROTOCOL NUMHWORD ASCIIHWORD HWORD URL_PATH FILE FLOAT INT UINT ENTITY",
)
"""The types of tokens, by PostgreSQL's numbers, from 1 on."""


@dataclass(frozen=True, slots=True)
class TokenRule:
    """A rule: its test, its sign as the module tells, the state that follows, the token it ends, its effect."""

    test: str
    sign: str
    state: str | None
    token: TokenType | None
    effect: str | None


_STATES = """
base: end> '<?tag_first ignored>space asc>asciiword alpha>word digit>uint '-?int_first '+?int_first '&?entity_first
 '~?file_twiddle '/?file_first '.?path_first_first any>space
numword: end=numword>base alnum>numword mark>numword '@?email '/?file_first '.?file_next '-?hnumword_first
 any=numword>base
asciiword: end=asciiword>base asc> '.?host_first_domain '.?file_next '-?host_first '-?hasciiword_first '_?host_first
 '@?email ':?protocol_first '/?file_first digit?host digit>numword alpha>word mark>word any=asciiword>base
word: end=word>base alpha> mark> digit>numword '-?hword_first any=word>base
uint: end=uint>base digit> '.?host_first_domain '.?udecimal_first 'e?mantissa_first 'E?mantissa_first '-?host_first
 '_?host_first '@?email asc?host alpha>numword mark>numword '/?file_first any=uint>base
int_first: end< digit!int any<
int: end=int>base digit> '.?decimal_first 'e?mantissa_first 'E?mantissa_first any=int>base
space: end=blank>base '<=blank>base ignored> '-=blank>base '+=blank>base '&=blank>base '/=blank>base notalnum>space
 any=blank>base
udecimal_first: end< digit!udecimal any<
udecimal: end=float>base digit>udecimal '.?version_first 'e?mantissa_first 'E?mantissa_first any=float>base
decimal_first: end< digit!decimal any<
decimal: end=float>base digit>decimal '.?sign_of_version 'e?mantissa_first 'E?mantissa_first any=float>base
sign_of_version: end< digit~signed_version@again any<
signed_version: end< digit=blank*uint any>
version_first: end< digit!version any<
version: end=version>base digit>version '.?version_first any=version>base
mantissa_first: end< digit!mantissa '+>mantissa_sign '->mantissa_sign any<
mantissa_sign: end< digit!mantissa any<
mantissa: end=sfloat>base digit>mantissa any=sfloat>base
entity_first: end< '#>entity_number_first asc>entity ':>entity '_>entity any<
entity: end< alnum>entity ':>entity '_>entity '.>entity '->entity ';>entity_end any<
entity_number_first: end< 'x>entity_hex_first 'X>entity_hex_first digit>entity_number any<
entity_hex_first: end< hex>entity_hex any<
entity_number: end< digit>entity_number ';>entity_end any<
entity_hex: end< hex>entity_hex ';>entity_end any<
entity_end: any=entity!base
tag_first: end< '/?tag_close_first '!?comment_first '??xml_begin asc?tag_name ':?tag_name '_?tag_name any<
xml_begin: end< 'x>tag any<
tag_close_first: end< asc>tag_name any<
tag_name: end< '/>tag_begin_end '>>tag_end@tags space>tag@tags alnum> ':> '_> '.> '-> any<
tag_begin_end: end< '>>tag_end any<
tag: end< '>>tag_end@tags ''>tag_quoted '">tag_double_quoted asc> digit> '=> '-> '_> '#> '/> ':> '.> '&> '?> '%> '~>
 space>@tags any<
tag_quoted: end< '\\?tag_escaped ''>tag any>tag_quoted
tag_double_quoted: end< '\\?tag_escaped '">tag any>tag_double_quoted
tag_escaped: end< any^
tag_end: any=tag*base
comment_first: end< '->comment_last 'D>tag 'd>tag any<
comment_last: end< '->comment any<
comment: end< '->close_comment_first any>
close_comment_first: end< '->close_comment_last any>comment
close_comment_last: end< '-> '>>comment_end any>comment
comment_end: any=tag*base
host_first_domain: end< asc>host_domain_second digit>host any<
host_domain_second: end< asc>host_domain digit?host '-?host_first '_?host_first '.?host_first_domain '@?email any<
host_domain: end=host*base asc>host_domain digit?host ':?port_first '-?host_first '_?host_first '.?host_first_domain
 '@?email digit< stop=host*url_path_start '/?full_url any=host*base
port_first: end< digit>port any<
port: end=host*base digit>port stop=host*url_path_start '/?full_url any=host*base
host_first: end< digit>host asc>host any<
host: end< digit>host asc>host '@?email '.?host_first_domain '-?host_first '_?host_first any<
email: stop< host=email*base any<
file_first: end< asc>file digit>file '.>path_first '_>file '~?file_twiddle any<
file_twiddle: end< asc>file digit>file '_>file '/>file_first any<
path_first: end< asc>file digit>file '_>file '.>path_second '/>file_first any<
path_first_first: end< '.>path_second '/>file_first any<
path_second: end=file!base '/?file_first '/=file!base space=file!base any<
file: end=file>base asc>file digit>file '.?file_next '_>file '->file '/?file_first any=file>base
file_next: end< asc!file digit!file '_!file any<
url_path_first: end< url>url_path any<
url_path_start: any>url_path
url_path: end=url_path>base url>url_path any=url_path>base
full_url: end< path=url*base@url any<
protocol_first: end< '/>protocol_second any<
protocol_second: end< '/>protocol_end any<
protocol_end: any=protocol*base
hasciiword_first: end< asc>hasciiword alpha>hword digit>hdigits any<
hasciiword: end=asciihword*parts@back asc>hasciiword alpha>hword mark>hword digit>hnumword '-?hasciiword_first
 any=asciihword*parts@back
hword_first: end< alpha>hword digit>hdigits any<
hword: end=hword*parts@back alpha>hword mark>hword digit>hnumword '-?hword_first any=hword*parts@back
hnumword_first: end< alpha>hnumword digit>hdigits any<
hnumword: end=numhword*parts@back alnum>hnumword mark>hnumword '-?hnumword_first any=numhword*parts@back
hdigits: end< digit>hdigits alpha>hnumword mark>hnumword any<
parts: end~base asc>asciipart alpha>part digit?part_digits '-?hyphen any~base
hyphen: end< alnum=blank!parts mark=blank!parts any<
part: end=hword_part>base alpha>part mark>part digit>numpart any=hword_part>parts
asciipart: end=hword_asciipart>base asc>asciipart alpha>part mark>part digit>numpart any=hword_asciipart>parts
numpart: end=hword_numpart>base alnum>numpart mark>numpart any=hword_numpart>parts
part_digits: end< digit> alpha!numpart mark!numpart any<
"""


def _rule(text: str) -> TokenRule:
    start = 2 if text[0] == "'" else 0
    at = next(at for at in range(start, len(text)) if not text[at].isalnum())
    test, sign, rest = text[:at], text[at], text[at + 1 :]
    rest, _, effect = rest.partition("@")
    token = None
    if sign == "=":
        end = next(at for at, letter in enumerate(rest) if letter in ">!*")
        token, sign, rest = TokenType[rest[:end].upper()], rest[end], rest[end + 1 :]
    return TokenRule(test, sign, rest or None, token, effect or None)


def _read(lines: str) -> dict[str, tuple[TokenRule, ...]]:
    states: dict[str, tuple[TokenRule, ...]] = {}
    for line in lines.replace("\n ", " ").strip().splitlines():
        name, _, rules = line.partition(": ")
        states[name] = tuple(_rule(text) for text in rules.split())
    return states


STATES = _read(_STATES)
