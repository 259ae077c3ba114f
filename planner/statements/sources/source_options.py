"""Values of options, as the types that they are to have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.scope.analysis import Analysis
from planner.statements.times import interval_ms
from planner.syntax.options import Option, SecretName
from planner.syntax.own_statements import Place

_WHOLE = re.compile("-?[0-9]{1,19}")
"""More digits than any option's number has are no whole number."""


class ClauseOptions:
    """The options of one clause, by name; each is asked for at most once."""

    def __init__(self, analysis: Analysis, options: Sequence[Option]) -> None:
        self._analysis = analysis
        self._options = {option.name: option for option in options}

    def __contains__(self, name: str) -> bool:
        return name in self._options

    def text(self, name: str) -> str | None:
        """Reads a word or a string; numbers as they are written."""
        option = self._options.get(name)
        match None if option is None else option.value:
            case None:
                return None
            case str() as text:
                return text
            case int() | Decimal() as number:
                return str(number)
            case Place(parts=(word,)):
                return word
            case _:
                raise self.invalid(name)

    def name(self, name: str) -> tuple[str, ...] | None:
        """Reads a name in parts, as a word or within a string: `t`, `s.t`, `'s.t'`."""
        option = self._options.get(name)
        match None if option is None else option.value:
            case None:
                return None
            case Place(parts=parts):
                return parts
            case str() as text:
                parts = tuple(text.split("."))
                if all(parts):
                    return parts
        raise self.invalid(name)

    def truth(self, name: str) -> bool | None:
        """Reads TRUE or FALSE; the name alone is TRUE."""
        if name not in self._options:
            return None
        word = "true" if self._options[name].value is None else (self.text(name) or "").lower()
        if word not in ("true", "false"):
            raise self.invalid(name)
        return word == "true"

    def number(self, name: str, least: int = 0, most: int | None = None) -> int | None:
        """Reads a whole number."""
        option = self._options.get(name)
        if option is None:
            return None
        value = option.value
        if isinstance(value, str) and _WHOLE.fullmatch(value):
            value = int(value)
        if not isinstance(value, int) or value < least or (most is not None and value > most):
            raise self.invalid(name)
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        """Reads a list of whole numbers, or one."""
        option = self._options.get(name)
        if option is None:
            return ()
        values = option.value if isinstance(option.value, tuple) else (option.value,)
        numbers = tuple(value for value in values if isinstance(value, int) and value >= 0)
        if len(numbers) != len(values):
            raise self.invalid(name)
        return numbers

    def texts(self, name: str) -> tuple[str, ...]:
        """Reads a list of strings, or one."""
        option = self._options.get(name)
        if option is None:
            return ()
        values = option.value if isinstance(option.value, tuple) else (option.value,)
        texts = tuple(value for value in values if isinstance(value, str))
        if len(texts) != len(values):
            raise self.invalid(name)
        return texts

    def places(self, name: str) -> tuple[tuple[str, ...], ...]:
        """Reads a list of names, or one, each by its parts."""
        option = self._options.get(name)
        if option is None:
            return ()
        values = option.value if isinstance(option.value, tuple) else (option.value,)
        places = tuple(value.parts for value in values if isinstance(value, Place))
        if len(places) != len(values):
            raise self.invalid(name)
        return places

    def interval_ms(self, name: str) -> int | None:
        """Reads an interval, in milliseconds."""
        text = self.text(name)
        return None if text is None else interval_ms(text.removeprefix("FOR "), name)

    def word_as(self, name: str) -> tuple[str, str | None] | None:
        """Reads a word, and the name that it gives with AS: `w`, `(w)` or `(w AS n)`."""
        option = self._options.get(name)
        match None if option is None else option.value:
            case (Place(parts=(word,)),):
                return word, None
            case (Option(name=words, value=Place(parts=(given,))),) if words.endswith(" AS"):
                return words.removesuffix(" AS").lower(), given
        text = self.text(name)
        return None if text is None else (text, None)

    def options(self, name: str) -> tuple[Option, ...] | None:
        """Reads a list of options."""
        option = self._options.get(name)
        if option is None:
            return None
        values = option.value if isinstance(option.value, tuple) else ()
        found = tuple(value for value in values if isinstance(value, Option))
        if not found or len(found) != len(values):
            raise self.invalid(name)
        return found

    def refuse(self, *names: str) -> None:
        """Raises 0A000 for options that are given, and not supported yet."""
        for name in names:
            if name in self._options:
                raise self._analysis.unsupported(f"the option {name}", self._options[name].location)

    def invalid(self, name: str) -> SqlError:
        option = self._options[name]
        match option.value:
            case str() as text:
                shown = f'"{text}"'
            case int() | Decimal() as number:
                shown = str(number)
            case Place(parts=parts):
                shown = ".".join(parts)
            case None:
                shown = "missing"
            case SecretName():
                shown = "a secret"
            case _:
                shown = "a list"
        message = f"invalid value for option {name}"
        return self._analysis.error(
            Sqlstate.INVALID_PARAMETER_VALUE, message, option.location, detail=f"The value is {shown}."
        )
