"""How a checked template runs: values are looked up by key alone, and every loop and long operation is paid for.

The check keeps a template from asking for what it should not have; nothing here relies on that. There are no globals
and no calls, a key of a record is the only thing that `a.b` can mean, and a template that works too long is stopped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from importlib import import_module
from types import CodeType
from typing import Any, Final

from jinja2 import StrictUndefined, Template, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.lexer import Lexer
from jinja2.runtime import Context, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ..figures.sums import Sum, read_money
from ..figures.tables import FigureTable
from ..language import diagnose
from ..language.amounts import writes_currency
from ..language.dates import in_words, read_day, written
from ..model.case import MISSING, Missing, Typed, as_written
from ..model.numbers import CODES, money, spelled
from .figure_filters import FIGURE_FILTERS, one_currency
from .metered_tree import metered
from .syntax import PlacedLexer
from .values import MAX_OUTPUT, PICK, SCAN, RefusedValue, charge, entries_of, exists, extent, part, text, uses

# ---- filters ---------------------------------------------------------------------------------------------------------


def _of_list(act: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose first argument is a list, paid for by its length, times that of a list it is compared with."""

    @pass_context
    def run(context: Context, value: Any, *arguments: Any, **named: Any) -> Any:
        entries = entries_of(value)
        charge(context, len(entries) * (1 + sum(map(extent, arguments))))
        return act(entries, *arguments, **named)

    return run


def _of_text(act: Callable[..., Any]) -> Callable[..., Any]:
    """A filter whose first argument is a text, paid for by its length."""

    @pass_context
    def run(context: Context, value: Any, *arguments: Any, **named: Any) -> Any:
        words = text(value)
        charge(context, extent(words))
        return act(words, *arguments, **named)

    return run


def _follow(entry: Any, attribute: str) -> Any:
    for key in attribute.split("."):
        entry = part(entry, key)
    return entry


@pass_context
def _join(context: Context, value: Any, separator: str = "", attribute: str | None = None) -> str:
    """Paid for by what comes of it too: a text joined to itself, and that again, could be named any number of times."""
    entries = entries_of(value)
    words = [text(entry if attribute is None else _follow(entry, attribute)) for entry in entries]
    length = sum(map(len, words)) + len(separator) * len(words)
    if length > MAX_OUTPUT:
        raise RefusedValue(lambda at, _: diagnose.template_limit_exceeded(at, limit=MAX_OUTPUT))
    charge(context, len(entries) + length // SCAN)
    return separator.join(words)


def _unique(entries: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(entry if isinstance(entry, (str, int)) else text(entry) for entry in entries))


def _holds(value: Any, test: str | None = None, *arguments: Any) -> bool:
    return bool(value) if test is None else TESTS[test](value, *arguments)


def _chosen(wanted: bool, *, by_attribute: bool = False) -> Callable[..., Any]:
    """A filter of the entries of which a test holds, or does not; of an attribute of theirs, named before the test."""

    @pass_context
    def choose(context: Context, value: Any, *arguments: Any) -> tuple[Any, ...]:
        entries, test = entries_of(value), arguments[by_attribute:]
        values = [_follow(entry, arguments[0]) for entry in entries] if by_attribute else entries
        searched = sum(map(extent, values)) if "contains" in test[:1] else 0
        charge(context, searched + len(entries) * (1 + sum(map(extent, test))))
        return tuple(entry for entry, one in zip(entries, values, strict=True) if _holds(one, *test) == wanted)

    return choose


def _map(entries: Sequence[Any], *, attribute: str) -> tuple[Any, ...]:
    return tuple(_follow(entry, attribute) for entry in entries)


@pass_context
def _pick(context: Context, value: Any) -> Any:
    entries = entries_of(value)
    choose = context.parent.get(PICK)
    if choose is None:
        raise RefusedValue(lambda at, _: diagnose.misplaced_template_name(at, name="pick"))
    return entries[choose(len(entries)) % len(entries)] if entries else MISSING


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str) else len(entries_of(value))


def _default(value: Any, instead: str, always: bool = True) -> Any:
    """`instead` of what is missing or empty. No is not empty."""
    return instead if isinstance(value, Undefined) or not (value or isinstance(value, (int, float))) else value


def _indent(words: str, width: int = 4, first: bool = False, blank: bool = False) -> str:
    """Every line but the `first` moved right; empty lines only when `blank`."""
    lines = words.split("\n")
    moved = [" " * width + line if line.strip() or blank else line for line in lines]
    return "\n".join(moved if first else [lines[0], *moved[1:]])


def _plain(words: str) -> str:
    """One line. Chinese lines are joined without a blank between them."""
    joined = ""
    parts: list[str] = []
    for line in filter(None, (" ".join(line.split()) for line in words.splitlines())):
        blank = joined and not (ord(joined) > 127 and ord(line[0]) > 127)
        parts.append(" " + line if blank else line)
        joined = line[-1]
    return "".join(parts)


def _drop(words: str, *unwanted: str) -> str:
    """Without these words where they stand at the beginning, one behind the other in any order."""
    start = 0
    while found := next((word for word in unwanted if words.startswith(word, start)), ""):
        if start + len(found) == len(words):
            break
        start += len(found)
    return words[start:]


def _between(words: str, start: Any, *ends: Any) -> str:
    """What stands behind the first `start` and before the first of the `ends`: a part of a document, by its labels.

    Empty where there is no `start`; up to the end of the text where there is none of the `ends`.
    """
    _, found, rest = words.partition(text(start) or "\0")
    if not found:
        return ""
    places = (rest.find(label) for end in ends if (label := text(end)))
    return rest[: min((place for place in places if place >= 0), default=len(rest))].strip()


QUOTED: Final = re.compile("(“[^“”]*”)")
"""What stands in quotation marks: nobody takes it apart, or says it in other words."""


def _pieces(words: str, *marks: str) -> tuple[str, ...]:
    """A text taken apart at these marks, none of them within quotation marks; what is empty is left out."""
    cut = re.compile("|".join(map(re.escape, marks)))
    parted = "".join(bit if at % 2 else cut.sub("\0", bit) for at, bit in enumerate(QUOTED.split(words)))
    return tuple(filter(None, (piece.strip() for piece in parted.split("\0"))))


@pass_context
def _reworded(context: Context, value: Any, *pairs: str) -> str:
    """Each word of the pairs by the other, the first named first; not within quotation marks. See join."""
    words, others = text(value), dict(zip(pairs[::2], pairs[1::2], strict=True))
    found = re.compile("|".join(map(re.escape, others)))
    said = "".join(
        bit if at % 2 else found.sub(lambda match: others[match[0]], bit) for at, bit in enumerate(QUOTED.split(words))
    )
    charge(context, extent(words) + extent(said))
    if len(said) > MAX_OUTPUT:
        raise RefusedValue(lambda at, _: diagnose.template_limit_exceeded(at, limit=MAX_OUTPUT))
    return said


def _numeral(words: str) -> str:
    """12 -> the Chinese words for twelve, a day in figures -> as it stands under judgments; all else stays as it is."""
    words = str(words)  # a sum knows its currency, and is then no plain text to the library
    if words.isascii() and words.isdigit() and len(words) < 17:
        write = import_module("cn2an").an2cn  # only here: importing it takes longer than jinja2
        above, rest = divmod(int(words), 10**8)
        if above and 1000 <= rest < 10_000:  # it leaves out the nought in between, without which it is another number
            return f"{write(above * 10**8)}{write(0)}{write(rest)}"
        return str(write(str(words)))  # of a plain text: what it is given it asks for its very type
    day = read_day(words)
    return in_words(day) if day is not None and words.strip() in (written(day, "zh"), day.isoformat()) else words


@pass_context
def _json(context: Context, value: Any) -> str:
    """A value as JSON text, as the arguments of a tool call want it; what is missing is an empty text."""
    words = json.dumps(
        value, ensure_ascii=False, default=lambda inner: dict(inner) if isinstance(inner, Mapping) else ""
    )
    charge(context, extent(words))
    if len(words) > MAX_OUTPUT:  # a text in a text in a text: its quotation marks are marked anew each time
        raise RefusedValue(lambda at, _: diagnose.template_limit_exceeded(at, limit=MAX_OUTPUT))
    return words


@pass_context
def _money(context: Context, value: Any, currency: Any = "") -> str:
    """A sum as the language of the procedure writes it."""
    sign = text(currency)
    unit = value.unit if isinstance(value, Typed) and value.unit in CODES else ""
    own = "" if not sign or writes_currency(sign, unit) else unit
    return money(text(value), sign, context.environment.locale, own)  # type: ignore[attr-defined]


FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "join": _join,
    "length": _length,
    "first": _of_list(lambda entries: entries[0] if entries else MISSING),
    "last": _of_list(lambda entries: entries[-1] if entries else MISSING),
    "pick": _pick,
    "default": _default,
    "trim": _of_text(str.strip),
    "plain": _of_text(_plain),
    "drop": _of_text(_drop),
    "between": _of_text(_between),
    "pieces": _of_text(_pieces),
    "reworded": _reworded,
    "numeral": _of_text(_numeral),
    "money": _money,
    "as_written": _of_text(as_written),
    "json": _json,
    "indent": _of_text(_indent),
    "list": _of_list(tuple),
    "flat": _of_list(lambda entries: tuple(one for entry in entries for one in entries_of(entry))),
    "unique": _of_list(_unique),
    "select": _chosen(True),
    "reject": _chosen(False),
    "selectattr": _chosen(True, by_attribute=True),
    "rejectattr": _chosen(False, by_attribute=True),
    "map": _of_list(_map),
}

# ---- comparisons -----------------------------------------------------------------------------------------------------


def _number(value: Any) -> float | None:
    """A number, also one written as text (all values of a case are texts): 12, -3.5, 12,000; of a sum, none."""
    found = _sum(value)
    alone = isinstance(value, str) and not value.strip()[-1:].isdecimal()
    return float(found.value) if found is not None and not ((found.currency and not found.declared) or alone) else None


def _sum(value: Any, locale: str = "en") -> Sum | None:
    """A number with its currency, also one written as text; None where it could be read in two ways."""
    if type(value) in (int, float):
        return Sum(Decimal(str(value)))
    return read_money(value, locale) if isinstance(value, str) else None


def _equal(left: Any, right: Any) -> bool:
    """Equal as values; a number and a text are equal when the text is that number."""
    if type(left) is str is type(right):
        return bool(left == right)
    exists(left)
    exists(right)
    if isinstance(left, str) != isinstance(right, str) and {type(left), type(right)} & {int, float}:
        return _number(left) is not None and _number(left) == _number(right)
    return bool(left == right)


def _contains(whole: Any, value: Any) -> bool:
    """Whether a text is in a text, or a value an entry of a list. What is missing is in nothing and holds nothing."""
    exists(value)
    if isinstance(value, Missing):
        return False
    if isinstance(whole, str):
        return text(value) in whole
    return any(_equal(entry, value) for entry in entries_of(whole))


def _ordered(left: Any, right: Any, order: str, locale: str) -> bool:
    """As numbers; false when one of them is none. Sums of two currencies are refused in words."""
    exists(left)
    exists(right)
    one, other = _sum(left, locale), _sum(right, locale)
    if one is None or other is None:
        return False
    one_currency(one, other)
    first, second = one.value, other.value
    return {"lt": first < second, "lteq": first <= second, "gt": first > second, "gteq": first >= second}[order]


@pass_context
def _same(context: Context, left: Any, right: Any) -> bool:
    """`left == right`, which is most of what templates compare."""
    if work := extent(right):
        charge(context, work)
    return _equal(left, right)


@pass_context
def _compare(context: Context, operands: Sequence[Any], signs: Sequence[str]) -> bool:
    """`a < b in c`: each sign holds between its neighbours."""
    for left, sign, right in zip(operands, signs, operands[1:], strict=False):
        charge(context, extent(right))
        match sign:
            case "eq" | "ne":
                holds = _equal(left, right) is (sign == "eq")
            case "in" | "notin":
                holds = _contains(right, left) is (sign == "in")
            case _:
                holds = _ordered(left, right, sign, context.environment.locale)  # type: ignore[attr-defined]
        if not holds:
            return False
    return True


def _parity(value: Any, rest: int) -> bool:
    return (number := _number(value)) is not None and number % 2 == rest


TESTS: Final[Mapping[str, Callable[..., bool]]] = {
    "defined": lambda value: not isinstance(value, (Missing, Undefined)),
    "none": lambda value: isinstance(value, Missing),
    "string": lambda value: isinstance(value, str),
    "number": lambda value: type(value) in (int, float),
    "odd": lambda value: _parity(value, 1),
    "even": lambda value: _parity(value, 0),
    **dict.fromkeys(("eq", "equalto", "=="), _equal),
    **dict.fromkeys(("ne", "!="), lambda left, right: not _equal(left, right)),
    "in": lambda value, whole: _contains(whole, value),
    "contains": _contains,
}

# ---- what is paid for ------------------------------------------------------------------------------------------------


@pass_context
def _loop(context: Context, value: Any, work: int) -> Sequence[Any]:
    entries = entries_of(value)
    charge(context, len(entries) * work)
    return entries


@pass_context
def _entry(context: Context, work: int) -> str:
    """The first thing for each entry that fits the condition of its loop."""
    charge(context, work)
    return ""


@pass_context
def _work(context: Context, work: int) -> str:
    """The first thing in every template."""
    uses(context, str(context.name))
    charge(context, work)
    return ""


class Environment(ImmutableSandboxedEnvironment):
    """Jinja with nothing in it but the words of templates. `load` gives an included template by its home.

    `locale`: the language in which `numeral` and days are written; `tables` gives a table of figures by its name.
    """

    def __init__(
        self,
        load: Callable[[str], Template],
        locale: str = "zh",
        tables: Callable[[str], FigureTable | None] = lambda name: None,
    ) -> None:
        super().__init__(
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,  # the page has lost its last one already
            finalize=text,
            optimized=False,  # nothing in a template is constant, and looking for it is a fifth of compiling
            cache_size=0,
        )
        self.globals = {}
        self.tests = dict(TESTS)
        self.filters = {
            **FILTERS,
            **FIGURE_FILTERS,
            "numeral": FILTERS["numeral"] if locale == "zh" else _of_text(spelled),
            "__loop__": _loop,
            "__concat__": _join,
            "__compare__": _compare,
            "__same__": _same,
            "__work__": _work,
            "__entry__": _entry,
        }
        self.locale, self.tables = locale, tables
        self._load = load
        self._lexer = PlacedLexer(self)

    @property
    def lexer(self) -> Lexer:
        return self._lexer

    def getattr(self, obj: Any, attribute: str) -> Any:
        return part(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        return part(obj, argument)

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        raise SecurityError("templates call nothing")

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> Template:
        return self._load(name)

    def code(self, home: str, tree: nodes.Template) -> CodeType:
        """A template that passed the check, compiled for any environment of this kind. The tree is used up."""
        return self.compile(metered(tree), home, home)
