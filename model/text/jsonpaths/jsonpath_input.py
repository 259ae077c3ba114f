"""jsonpath from text: operators by precedence, || loosest, then && ! comparisons + * signs and accessors.

What may stand where depends on whether an operand is a predicate: comparisons take none, && and || take nothing else.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.json.jsonpath import (
    DEPTH_MAX,
    PREDICATES,
    Accessor,
    AnyDepth,
    AnyElement,
    AnyKey,
    Arithmetic,
    Both,
    Chain,
    Comparison,
    Current,
    Either,
    Expression,
    IsUnknown,
    JsonPath,
    Key,
    Last,
    LikeRegex,
    Method,
    Not,
    PathConstant,
    PathExists,
    PathFilter,
    PathVariable,
    Predicate,
    Root,
    Sign,
    StartsWith,
    Subscripts,
)
from model.text.jsonpaths.jsonpath_tokens import Kind, Token, syntax_error, tokens
from model.text.numerics import EXACT

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_METHODS = frozenset(("abs", "size", "type", "floor", "double", "ceiling", "keyvalue", "datetime"))
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_FLAGS = "ismxq"


@lru_cache(maxsize=1024)
def read_jsonpath(text: str) -> JsonPath:
    """Parses a jsonpath; raises 42601 for a wrong one, 22P02 for an empty text."""
    reader = _Reader(tokens(text))
    if reader.peek().kind is Kind.END:
        message = f'invalid input syntax for type jsonpath: "{text}"'
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, message)
    strict = reader.accept_word("strict")
    if not strict:
        reader.accept_word("lax")
    expression = reader.either()
    if reader.peek().kind is not Kind.END:
        raise syntax_error(reader.peek().text)
    return JsonPath(strict, expression)


class _Reader:
    """A parser by recursive descent; `filters` and `subscripts` count how deep inside of them it is."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._position = 0
        self._filters = 0
        self._subscripts = 0

    def peek(self) -> Token:
        return self._tokens[self._position]

    def _next(self) -> Token:
        token = self.peek()
        self._position += token.kind is not Kind.END
        return token

    def _accept(self, *operators: str) -> str | None:
        token = self.peek()
        if token.kind is Kind.OPERATOR and token.value in operators:
            self._position += 1
            return str(token.value)
        return None

    def _expect(self, operator: str) -> None:
        if self._accept(operator) is None:
            raise syntax_error(self.peek().text)

    def accept_word(self, word: str) -> bool:
        token = self.peek()
        if token.kind is Kind.WORD and token.text.lower() == word:
            self._position += 1
            return True
        return False

    def _expect_word(self, word: str) -> None:
        if not self.accept_word(word):
            raise syntax_error(self.peek().text)

    def either(self) -> Expression:
        left = self._both()
        while self._is("||"):
            predicate = self._predicate(left)
            self._next()
            left = Either(predicate, self._predicate(self._both()))
        return left

    def _both(self) -> Expression:
        left = self._comparison()
        while self._is("&&"):
            predicate = self._predicate(left)
            self._next()
            left = Both(predicate, self._predicate(self._comparison()))
        return left

    def _is(self, operator: str) -> bool:
        token = self.peek()
        return token.kind is Kind.OPERATOR and token.value == operator

    def _predicate(self, expression: Expression) -> Predicate:
        if isinstance(expression, PREDICATES):
            return expression
        raise syntax_error(self.peek().text)

    def _value(self, expression: Expression) -> Expression:
        if isinstance(expression, PREDICATES):
            raise syntax_error(self.peek().text)
        return expression

    def _comparison(self) -> Expression:
        if self._accept("!"):
            return Not(self._delimited())
        left = self._sum()
        symbol = self._accept(*_COMPARISONS)
        if symbol is not None:
            self._value(left)
            return Comparison(symbol, left, self._value(self._sum()))
        if self.accept_word("starts"):
            self._expect_word("with")
            return StartsWith(self._value(left), self._initial())
        if self.accept_word("like_regex"):
            return self._like_regex(self._value(left))
        return left

    def _delimited(self) -> Predicate:
        if self.accept_word("exists"):
            return self._exists()
        self._expect("(")
        predicate = self._predicate(self.either())
        self._expect(")")
        return predicate

    def _exists(self) -> PathExists:
        self._expect("(")
        operand = self._value(self.either())
        self._expect(")")
        return PathExists(operand)

    def _initial(self) -> PathConstant | PathVariable:
        token = self._next()
        if token.kind is Kind.STRING:
            return PathConstant(str(token.value))
        if token.kind is Kind.VARIABLE:
            return PathVariable(str(token.value))
        raise syntax_error(token.text)

    def _like_regex(self, operand: Expression) -> LikeRegex:
        pattern = self._string()
        flags = self._string() if self.accept_word("flag") else ""
        for flag in flags:
            if flag not in _FLAGS:
                raise SqlError(
                    Sqlstate.SYNTAX_ERROR,
                    "invalid input syntax for type jsonpath",
                    detail=f'Unrecognized flag character "{flag}" in LIKE_REGEX predicate.',
                )
        if "x" in flags and "q" not in flags:
            raise NotSupported('XQuery "x" flag (expanded regular expressions)')
        predicate = LikeRegex(operand, pattern, "".join(flag for flag in _FLAGS if flag in flags))
        predicate.compiled()
        return predicate

    def _string(self) -> str:
        token = self._next()
        if token.kind is not Kind.STRING:
            raise syntax_error(token.text)
        return str(token.value)

    def _sum(self) -> Expression:
        left = self._product()
        while self._is("+") or self._is("-"):
            self._value(left)
            left = Arithmetic(self._next().text, left, self._value(self._product()))
        return left

    def _product(self) -> Expression:
        left = self._signed()
        while self._is("*") or self._is("/") or self._is("%"):
            self._value(left)
            left = Arithmetic(self._next().text, left, self._value(self._signed()))
        return left

    def _signed(self) -> Expression:
        symbol = self._accept("+", "-")
        if symbol is None:
            return self._accessed()
        operand = self._value(self._signed())
        if isinstance(operand, PathConstant) and isinstance(operand.value, Decimal):
            return PathConstant(EXACT.minus(operand.value) if symbol == "-" else operand.value)
        return Sign(symbol, operand)

    def _accessed(self) -> Expression:
        head = self._primary()
        if isinstance(head, IsUnknown | PathExists):
            return head
        accessors: list[Accessor] = []
        while (symbol := self._accept(".", "[", "?")) is not None:
            accessors.append(self._accessor(symbol))
        return Chain(head, tuple(accessors)) if accessors else head

    def _primary(self) -> Expression:
        token = self._next()
        match token.kind:
            case Kind.STRING:
                return PathConstant(str(token.value))
            case Kind.NUMBER:
                assert isinstance(token.value, Decimal)
                return PathConstant(token.value)
            case Kind.VARIABLE:
                return PathVariable(str(token.value))
            case Kind.WORD:
                return self._word(token)
            case Kind.OPERATOR if token.value == "$":
                return Root()
            case Kind.OPERATOR if token.value == "@":
                if not self._filters:
                    raise SqlError(Sqlstate.SYNTAX_ERROR, "@ is not allowed in root expressions")
                return Current()
            case Kind.OPERATOR if token.value == "(":
                return self._parenthesized()
            case _:
                raise syntax_error(token.text)

    def _word(self, token: Token) -> Expression:
        if token.text in _CONSTANTS:
            return PathConstant(_CONSTANTS[token.text])
        if token.text.lower() == "exists":
            return self._exists()
        if token.text.lower() == "last":
            if not self._subscripts:
                raise SqlError(Sqlstate.SYNTAX_ERROR, "LAST is allowed only in array subscripts")
            return Last()
        # PostgreSQL's lexer has seen the end before its parser sees the last word.
        raise syntax_error("" if self.peek().kind is Kind.END else token.text)

    def _parenthesized(self) -> Expression:
        inner = self.either()
        self._expect(")")
        if isinstance(inner, PREDICATES) and self.accept_word("is"):
            self._expect_word("unknown")
            return IsUnknown(inner)
        return inner

    def _accessor(self, symbol: str) -> Accessor:
        if symbol == "[":
            return self._subscript()
        if symbol == "?":
            self._expect("(")
            self._filters += 1
            predicate = self._predicate(self.either())
            self._filters -= 1
            self._expect(")")
            return PathFilter(predicate)
        if self._accept("*"):
            return AnyKey()
        if self._accept("**"):
            return self._depth()
        token = self._next()
        if token.kind not in (Kind.WORD, Kind.STRING):
            raise syntax_error(token.text)
        if token.kind is Kind.WORD and token.text.lower() in _METHODS and self._accept("("):
            return self._method(token.text.lower())
        return Key(str(token.value))

    def _method(self, name: str) -> Method:
        argument = self._string() if name == "datetime" and self.peek().kind is Kind.STRING else None
        self._expect(")")
        return Method(name, argument)

    def _subscript(self) -> Accessor:
        if self._accept("*"):
            self._expect("]")
            return AnyElement()
        self._subscripts += 1
        ranges: list[tuple[Expression, Expression | None]] = []
        while True:
            start = self._value(self.either())
            ranges.append((start, self._value(self.either()) if self.accept_word("to") else None))
            if not self._accept(","):
                break
        self._subscripts -= 1
        self._expect("]")
        return Subscripts(tuple(ranges))

    def _depth(self) -> AnyDepth:
        if not self._accept("{"):
            return AnyDepth(0, DEPTH_MAX)
        first = self._level()
        last = self._level() if self.accept_word("to") else first
        self._expect("}")
        return AnyDepth(first, last)

    def _level(self) -> int:
        if self.accept_word("last"):
            return DEPTH_MAX
        token = self._next()
        if token.kind is not Kind.NUMBER or not token.text.isdigit():
            raise syntax_error(token.text)
        return int(token.text)
