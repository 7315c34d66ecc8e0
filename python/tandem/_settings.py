# SPDX-License-Identifier: BSD-2-Clause
"""The settings of an encode: the table of `tandem encode`, and what users give of it."""

from __future__ import annotations

import contextlib
import fractions
import functools
import inspect
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple, Union

from . import _motion
from ._arrays import text

#: 25, 29.97, "30000/1001", fractions.Fraction(30000, 1001).
Rate = Union[int, float, str, fractions.Fraction]
#: A shape, width by height: "16:9", 1.5, fractions.Fraction(16, 9), (16, 9).
Aspect = Union[int, float, str, fractions.Fraction, Tuple[int, int]]
Ratio = Tuple[int, int]


class Setting(NamedTuple):
    """A setting of an encode, as `tandem encode --help all` tells it."""

    name: str  #: As an argument of tandem.Encoder: "b_adapt" for --b-adapt.
    type: str  #: "integer", "real", "toggle" or "choice".
    words: Tuple[str, ...]  #: That it may be: those of a choice, and a number's beside its range.
    least: float  #: Of a number; least and most are both 0 where there are words alone.
    most: float
    usual: str  #: The default; "" where it follows from other settings.
    help: str


Setting.__module__ = "tandem"


@functools.lru_cache(maxsize=None)
def _table() -> Dict[str, Tuple[Setting, Tuple[str, ...]]]:
    rows = {}
    for name, kind, words, least, most, usual, spellings, help_text in _motion.encode_settings():
        own = name.replace("-", "_")
        setting = Setting(own, kind, tuple(words.split("|")) if words else (), least, most, usual, help_text)
        rows[own] = setting, tuple(word.replace("-", "_") for word in spellings.split("|") if word)
    return rows


def encode_settings() -> List[Setting]:
    """The settings that tandem.Encoder takes as arguments, each with its words or limits, default and help."""
    return [setting for setting, _ in _table().values()]


@functools.lru_cache(maxsize=None)
def _own_names() -> Dict[str, str]:
    """Every spelling, and the name that it stands for."""
    names = {spelling: name for name, (_, spellings) in _table().items() for spelling in spellings}
    return {**names, **{name: name for name in _table()}}


def texts_of(given: Dict[str, Any]) -> Dict[str, str]:
    """Arguments in the words of the table; None is what is not given."""
    texts: Dict[str, str] = {}
    for name, value in given.items():
        own = _own_names().get(name)
        if own is None:
            raise TypeError(f"there is no setting '{name}'; tandem.encode_settings() lists them")
        if own in texts:
            raise TypeError(f"'{name}' and another name of the same setting are given")
        if value is not None:
            texts[own] = _text_of(name, value)
    return texts


def _text_of(name: str, value: Any) -> str:
    if isinstance(value, str):
        return text(name, value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name}: {value!r} is neither a number nor a text") from None
    return str(int(number)) if number == number // 1 else repr(number)


@contextlib.contextmanager
def in_python_s_words() -> Iterator[None]:
    """Messages speak of options; here they are arguments."""
    try:
        yield
    except (ValueError, RuntimeError) as error:
        words = re.sub(r"--([a-z][a-z0-9-]*)", lambda found: found[1].replace("-", "_"), str(error))
        raise (ValueError if isinstance(error, ValueError) else RuntimeError)(words) from None


def _fraction(name: str, value: Any) -> fractions.Fraction:
    try:
        if isinstance(value, tuple):
            return fractions.Fraction(*value)
        if isinstance(value, float):
            return fractions.Fraction(repr(value))
        return fractions.Fraction(value.replace(":", "/") if isinstance(value, str) else value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise ValueError(f"{name}: {value!r} is no ratio") from None


def rate_of(value: Rate) -> Ratio:
    """29.97 is 30000/1001, as for the command; a fraction is what it says."""
    rate = _fraction("fps", value)
    is_decimal = isinstance(value, float) or (isinstance(value, str) and "/" not in value)
    if not 0 < rate < 10**9 or rate.denominator > 10**9:
        raise ValueError(f"fps: {value!r}; a rate above 0 is wanted")
    parts = (rate.numerator, rate.denominator)
    return _motion.rate_meant(*parts) if is_decimal else parts


def aspect_of(name: str, value: Aspect) -> fractions.Fraction:
    aspect = _fraction(name, value)
    if not 0 < aspect or max(aspect.numerator, aspect.denominator) > 100000:
        raise ValueError(f"{name}: {value!r}; width by height in whole numbers to 100000 is wanted")
    return aspect


def colour_code(option: str, name: str) -> int:
    code = _motion.colour_code(option, name) if isinstance(name, str) else -1
    if code < 0:
        raise ValueError(f"{option}: {name!r} is no name that `tandem encode --{option}` has")
    return code


def with_settings(signature: inspect.Signature) -> inspect.Signature:
    """The signature, with every setting and its default in place of **settings."""
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    settings = [
        inspect.Parameter(setting.name, inspect.Parameter.KEYWORD_ONLY, default=_usual_value(setting))
        for setting in encode_settings()
    ]
    return signature.replace(parameters=[*own, *settings])


def _usual_value(setting: Setting) -> Any:
    if setting.usual == "":
        return None
    if setting.type == "toggle" and setting.usual in ("0", "1"):
        return setting.usual == "1"
    if setting.type in ("integer", "real") and setting.usual not in setting.words:
        return float(setting.usual) if setting.type == "real" else int(setting.usual)
    return setting.usual


def help_of_settings() -> str:
    """A line for each setting, for the end of a docstring."""
    return "\n".join(
        f"    {one.name} ({'|'.join(one.words) or one.type}; {one.usual or 'as others say'}): {one.help}"
        for one in encode_settings()
    )
