"""Options of our own statements: words, and a value with or without `=`.

    (BROKERS ('a:9092', 'b:9092'), SECURITY PROTOCOL = SASL_SSL, SASL PASSWORD SECRET s, START OFFSET (0, 10))

Of words alone the last one is the value. Doubled options, and those that the statement's table has not, are 42601.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal, InvalidOperation

from sqlglot import Token, TokenType

from planner.syntax.dialect.parser import NUMBERS_DIGITS_MAX, StatementParser, folded
from planner.syntax.options import Option, OptionValue, SecretName, require_known, require_single
from planner.syntax.own_statements import Place


def options_in_parentheses(parser: StatementParser, of: str, known: Collection[str] | None) -> tuple[Option, ...]:
    """Reads `(option, …)`; `known` are the names that there are, None for all."""
    parser.expect("(")
    options = parser.items(lambda: option(parser))
    parser.expect(")")
    return checked(parser, options, of, known)


def checked(
    parser: StatementParser, options: tuple[Option, ...], of: str, known: Collection[str] | None
) -> tuple[Option, ...]:
    """Reads the options, each of which is known and stands there once."""
    if known is not None:
        require_known(options, known, of, parser.written.position)
    require_single(options, parser.written.position)
    return options


def option(parser: StatementParser) -> Option:
    """Reads one option; it ends at a comma, a parenthesis, or the end."""
    words = _words(parser)
    name = [word.text.upper() for word in words]
    location = int(words[0].start)
    if parser.take("="):
        # RETAIN HISTORY = FOR '1h'
        if name[-1] == "HISTORY":
            parser.take("FOR")
        return Option(" ".join(name), value(parser), location)
    if parser.done or parser.sees(",") or parser.sees(")"):
        return _of_words(words, name, location)
    if parser.sees("."):
        parser.back_to(parser.at - 1)
        words.pop(), name.pop()
    if name[-1:] == ["SECRET"] and len(name) > 1:
        return Option(" ".join(name[:-1]), SecretName(parser.place()), location)
    if name[-1:] == ["FOR"] and len(name) > 1:
        name.pop()
    if not name:
        parser.refuse()
    return Option(" ".join(name), value(parser), location)


def value(parser: StatementParser) -> OptionValue:
    """Reads SECRET s, a name, a string, a number, or a list in parentheses."""
    if parser.sees("SECRET") and _name_at(parser, parser.at + 1):
        parser.skip()
        return SecretName(parser.place())
    if parser.take("("):
        found = parser.items(lambda: _member(parser))
        parser.expect(")")
        return found
    text = take_text(parser)
    if text is not None:
        return text
    sign = -1 if parser.take("-") else 1
    if sign == 1 and parser.next.token_type in (TokenType.VAR, TokenType.IDENTIFIER):
        return parser.place()
    return sign * _number(parser)


def take_text(parser: StatementParser) -> str | None:
    """Reads a string constant, if the next token is one, of any of PostgreSQL's forms: 'a', E'a', U&'a', $$a$$."""
    if parser.next.token_type is not TokenType.HEREDOC_STRING:
        return parser.take_string()
    token = parser.next
    constant = parser.expression_at(token.start, token.end + 1).a_const
    if constant.WhichOneof("val") != "sval":
        parser.refuse()
    parser.skip()
    return str(constant.sval.sval)


def text(parser: StatementParser) -> str:
    """Reads a string constant of any form."""
    found = take_text(parser)
    if found is None:
        parser.refuse()
    return found


def _words(parser: StatementParser) -> list[Token]:
    words = []
    while parser.next.token_type is TokenType.VAR:
        words.append(parser.next)
        parser.skip()
    if not words:
        parser.refuse()
    return words


def _of_words(words: list[Token], name: list[str], location: int) -> Option:
    """Reads an option whose value is its last word, or that has none."""
    if len(words) == 1:
        return Option(name[0], None, location)
    last = Place((folded(words[-1]),), int(words[-1].start))
    if len(words) > 2 and name[-2] == "SECRET":
        return Option(" ".join(name[:-2]), SecretName(last), location)
    return Option(" ".join(name[:-1]), last, location)


def _member(parser: StatementParser) -> OptionValue | Option:
    """Reads a value, or an option with one, of a list: `COLLECTION 'a'` is one, and `'a'`, `a` and `s.a` are values."""
    if parser.next.token_type is not TokenType.VAR:
        return value(parser)
    begin = parser.at
    if _name_at(parser, begin):
        place = parser.place()
        if parser.sees(",") or parser.sees(")"):
            return place
        parser.back_to(begin)
    return option(parser)


def _number(parser: StatementParser) -> int | Decimal:
    token = parser.next
    if token.token_type is not TokenType.NUMBER or len(token.text) > NUMBERS_DIGITS_MAX:
        parser.refuse()
    plain = token.text.replace("_", "")
    parser.skip()
    if plain.isdigit():
        return int(plain)
    if plain[:2].lower() in ("0x", "0o", "0b"):
        return int(plain, 0)
    try:
        return Decimal(plain)
    except InvalidOperation:
        parser.back_to(parser.at - 1)
        parser.refuse()


def _name_at(parser: StatementParser, at: int) -> bool:
    tokens = parser.tokens
    return at < len(tokens) and tokens[at].token_type in (TokenType.VAR, TokenType.IDENTIFIER)
