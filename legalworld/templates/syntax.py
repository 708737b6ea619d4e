"""From the text of a template to Jinja's syntax tree, with exact places and the author's mistakes explained.

The parser is Jinja's, and so are the tokens. Jinja counts lines only; here a token, and so every node, carries in
`lineno` its offset in the text, which `Page.span` turns into line and column.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NoReturn

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2 import _identifier as identifier
from jinja2 import lexer as jinja
from jinja2.lexer import Lexer, Token, TokenStream
from jinja2.parser import Parser

from ..language import diagnose
from ..language.spelling import nearest
from ..model.diagnostics import Diagnostic
from ..model.source import Span

MAX_LENGTH: Final = 64_000
MAX_DEPTH: Final = 50

_WORD = re.compile(r"\w+|\S|$")
_TAG_END = re.compile(r"[-+]?[%}]\}")
_LONGEST_REST: Final = 60
_TAG_SIGN = re.compile(r"\{[{%#]|[}%]\}")
_CLOSERS: Final = {"if": "endif", "for": "endfor"}
_TAGS: Final = ("if", "elif", "else", "endif", "for", "endfor", "set", "include", "raw", "endraw")
# Quotation marks and stops of a Chinese keyboard that Unicode does not call full-width forms of the ASCII ones.
_HALF_WIDTH: Final = {"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u3002": ".", "\u3001": ","}


@dataclass(frozen=True)
class Page:
    """The text of one template, line ends as `\\n`."""

    home: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def span(self, offset: int, length: int = 0) -> Span:
        """The place of a stretch; one that runs on to the next line ends with its first."""
        line = bisect_right(self._starts, offset)
        column = offset - self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return Span(self.home, line, column + 1, max(0, min(length, end - offset)))

    def word(self, offset: int) -> str:
        """The name, number or sign at an offset; "" at the end."""
        match = _WORD.search(self.text, offset)
        return match[0] if match else ""

    def skip(self, offset: int) -> int:
        """The offset of that word."""
        match = _WORD.search(self.text, offset)
        return match.start() if match else offset

    def rest(self, offset: int) -> str:
        """What a tag says from an offset on, at most 60 characters of it."""
        piece = self.text[offset : offset + _LONGEST_REST + 3]  # an end may begin with its last character
        end = _TAG_END.search(piece)
        return " ".join(piece[: end.start() if end else _LONGEST_REST][:_LONGEST_REST].split())

    def tag(self, offset: int) -> int:
        """Where the tag around an offset begins to say something."""
        opener = max(self.text.rfind("{{", 0, offset + 1), self.text.rfind("{%", 0, offset + 1))
        return self.skip(opener + 2 + (self.text[opener + 2 : opener + 3] in "+-"))

    def problem(
        self, kind: diagnose.Kind[diagnose.P], place: tuple[int, int], *told: diagnose.P.args, **more: diagnose.P.kwargs
    ) -> Diagnostic:
        """A problem at (offset, length)."""
        return kind(self.span(*place), *told, **more)


def half_width(character: str) -> str | None:
    """The ASCII sign that was meant by a full-width one."""
    plain = _HALF_WIDTH.get(character) or unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() and plain != character else None


class _Explained(TemplateSyntaxError):
    """A syntax error whose problem is known; carried through Jinja's parser."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.code, problem.span.line)
        self.problem = problem


# ---- tokens ----------------------------------------------------------------------------------------------------------

_OPENER = re.compile(r"\{[%{#][-+]?")
_RAW = re.compile(r"\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})")
_OPENED: Final = {"%": "block", "{": "variable"}
_END: Final = {
    "block": re.compile(r"\+%\}|-%\}\s*|%\}\n?"),
    "variable": re.compile(r"-\}\}\s*|\}\}"),
    "comment": re.compile(r"\+#\}|-#\}\s*|#\}\n?"),
    "raw": re.compile(r"\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}\s*|%\}\n?)"),
}
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_INSIDE = re.compile(
    rf"(?P<blank>\s+)|(?P<float>(?xi:{jinja.float_re.pattern}))|(?P<integer>(?xi:{jinja.integer_re.pattern}))"
    rf"|(?P<name>{identifier.pattern.pattern})|(?P<string>(?s:{jinja.string_re.pattern}))"
    rf"|(?P<operator>{jinja.operator_re.pattern})"
)


class PlacedLexer(Lexer):
    """The tokens of Jinja's lexer with `trim_blocks` and `lstrip_blocks`, each numbered by its offset in the text of a
    `Page`. One expression finds whatever stands inside a tag: Jinja's own tries six, and finds no places."""

    def tokenize(
        self, source: str, name: str | None = None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        return TokenStream(_tokens(Page(name or "", source)), name, filename)


def placed_words(text: str) -> Iterator[tuple[int, str, str]]:
    """What stands inside the tags of a text, as (offset, kind, as written), to the first place that cannot be read.

    Kinds are `name`, `string`, `integer`, `float`, and `operator` for all signs, those around a tag among them.
    """
    page = Page("", text)
    try:
        for token in _tokens(page):
            if token.type.endswith(("_begin", "_end")):
                yield token.lineno, "operator", str(token.value).strip()
            elif token.type != "data":
                found = _INSIDE.match(text, token.lineno)
                if found is not None:
                    yield token.lineno, found.lastgroup or "operator", found[0]
    except _Explained:
        return


def _tokens(page: Page) -> Iterator[Token]:
    """Raises `_Explained`."""
    text, at = page.text, 0
    while opener := _OPENER.search(text, at):
        if data := _trimmed(text, at, opener.start(), opener[0]):
            yield Token(at, "data", data)
        raw = _RAW.match(text, opener.start())
        if raw is not None or opener[0][1] == "#":
            kind, body = ("raw", raw.end()) if raw is not None else ("comment", opener.end())
            end = _END[kind].search(text, body)
            if end is None:
                tag, wanted = ("raw", "endraw") if raw is not None else ("{#", "#}")
                raise _Explained(page.problem(diagnose.unpaired_tag, (opener.start(), 2), tag=tag, wanted=wanted))
            if raw is not None and (data := _trimmed(text, body, end.start(), f"{{%{end[1]}")):
                yield Token(body, "data", data)
            at = end.end()
        else:
            kind = _OPENED[opener[0][1]]
            yield Token(opener.start(), f"{kind}_begin", opener[0])
            at = yield from _inside(page, kind, opener.end())
    if at < len(text):
        yield Token(at, "data", text[at:])


def _trimmed(text: str, start: int, end: int, opener: str) -> str:
    """What stands before a tag: without the blanks that `-` takes away, or those before a block that begins a line."""
    data = text[start:end]
    if opener.endswith("-"):
        return data.rstrip()
    line = data.rfind("\n") + 1
    begins = line > 0 or start == 0 or text[start - 1] == "\n"
    if begins and opener[1] != "{" and not opener.endswith("+") and not data[line:].strip():
        return data[:line]
    return data


def _inside(page: Page, kind: str, at: int) -> Generator[Token, None, int]:
    """The tokens of a tag and its end. Returns where that is; where there is none, the parser tells what is missing."""
    text, opened = page.text, ""
    while at < len(text):
        if not opened and text[at] in "-+%}" and (end := _END[kind].match(text, at)):
            yield Token(at, f"{kind}_end", end[0])
            return end.end()
        found = _INSIDE.match(text, at)
        if found is None:
            raise _Explained(_unexpected(page, at))
        if found.lastgroup != "blank":
            word = found[0]
            if word in _PAIRS:
                opened += _PAIRS[word]
            elif word in (")", "]", "}"):
                if not opened.endswith(word):
                    raise _Explained(_unexpected(page, at))
                opened = opened[:-1]
            yield _token(page, at, found.lastgroup, word)
        at = found.end()
    return at


def _token(page: Page, at: int, kind: str | None, word: str) -> Token:
    """With its value, which not all have: an escape may be none, and Python reads numbers of some 4,000 digits."""
    value: Any = word
    try:
        match kind:
            case "operator":
                kind = jinja.operators[word]
            case "string":
                value = word[1:-1]
                if "\\" in word:
                    value = value.encode("ascii", "backslashreplace").decode("unicode-escape")
            case "integer":
                value = int(word.replace("_", ""), 0)
            case "float" if word.isascii():
                value = float(word)
            case "name" if word.isidentifier():
                pass
            case _:
                raise ValueError
    except ValueError:
        raise _Explained(page.problem(diagnose.unreadable_template, (at, len(word)), found=word[:20])) from None
    return Token(at, kind, value)


# ---- tags ------------------------------------------------------------------------------------------------------------


class _Tags(Parser):
    """Jinja's parser, keeping where each open tag began."""

    def __init__(self, environment: Environment, page: Page) -> None:
        self.open: list[Token] = []
        self.page = page
        super().__init__(environment, page.text, page.home)

    def parse_statement(self) -> nodes.Node | list[nodes.Node]:
        self.open.append(self.stream.current)
        found = super().parse_statement()
        self.open.pop()  # not after an error: `fail_eof` names the innermost open tag
        return found

    def fail_eof(self, end_tokens: tuple[str, ...] | None = None, lineno: int | None = None) -> NoReturn:
        tag = self.open[-1]
        wanted = _CLOSERS.get(tag.value, f"end{tag.value}")
        raise _Explained(self._unpaired(tag.value, tag.lineno, wanted))

    def fail_unknown_tag(self, name: str, lineno: int | None = None) -> NoReturn:
        offset = lineno or 0
        opened = self.open[-2] if len(self.open) > 1 else None  # the last is the unknown tag itself
        if name in ("elif", "else") or name in _CLOSERS.values():
            if opened is not None:
                wanted = _CLOSERS.get(opened.value, f"end{opened.value}")
                raise _Explained(self._unpaired(opened.value, opened.lineno, wanted))
            raise _Explained(self._unpaired(name, offset, name.removeprefix("end") if name[:3] == "end" else "if"))
        raise _Explained(
            self.page.problem(diagnose.unknown_tag, (offset, len(name)), tag=name, nearest=nearest(name, _TAGS))
        )

    def parse_set(self) -> nodes.Assign | nodes.AssignBlock:
        """`set NAME = EXPRESSION`; a block, several names or a part of a name are none."""
        tag = next(self.stream)
        target = self.parse_assign_target(with_namespace=True)
        if not isinstance(target, nodes.Name) or not self.stream.skip_if("assign"):
            raise _Explained(self.page.problem(diagnose.forbidden_assignment, (tag.lineno, len("set")), tag="set"))
        return nodes.Assign(target, self.parse_expression(), lineno=tag.lineno)

    def parse_print(self) -> NoReturn:
        self.fail_unknown_tag("print", self.stream.current.lineno)

    def _unpaired(self, tag: str, offset: int, wanted: str) -> Diagnostic:
        return self.page.problem(diagnose.unpaired_tag, (offset, len(tag)), tag=tag, wanted=wanted)


def parse(environment: Environment, page: Page) -> nodes.Template | Diagnostic:
    """The syntax tree, or the first thing that cannot be read. Never raises."""
    if len(page.text) > MAX_LENGTH:
        return page.problem(diagnose.template_too_complex, (0, 0), what=page.home, limit=MAX_LENGTH)
    try:
        return nodes.Template(_Tags(environment, page).subparse(), lineno=0)
    except _Explained as error:
        return error.problem
    except TemplateSyntaxError as error:
        return _unexpected(page, error.lineno)
    except RecursionError:
        return page.problem(diagnose.template_too_complex, (0, 0), what="( )", limit=MAX_DEPTH)


def _unexpected(page: Page, offset: int) -> Diagnostic:
    """What cannot be read: a tag that nobody closed, a sign that is none, or a word that does not belong there."""
    text, start = page.text, page.skip(offset)
    opener = max(text.rfind("{{", 0, start + 1), text.rfind("{%", 0, start + 1))
    following = _TAG_SIGN.search(text, start)
    if opener >= 0 and (following is None or following[0][0] == "{"):
        tag, wanted = ("{{", "}}") if text[opener + 1] == "{" else ("{%", "%}")
        return page.problem(diagnose.unpaired_tag, (opener, 2), tag=tag, wanted=wanted)
    word = page.word(start)
    if word in ("'", '"'):
        return page.problem(diagnose.unpaired_tag, (start, 1), tag=word, wanted=word)
    if len(word) == 1 and not word.isascii() and not word.isalnum():
        return page.problem(diagnose.unexpected_template_sign, (start, 1), character=word, nearest=half_width(word))
    return page.problem(diagnose.unreadable_template, (start, len(word)), found=word)


# ---- parts of the tree -----------------------------------------------------------------------------------------------

NO_CONSTANT: Final = object()


def constant(node: nodes.Node) -> object:
    """The value of a constant, or of a list of constants as a tuple; `NO_CONSTANT` for anything else."""
    match node:
        case nodes.Const():
            return node.value
        case nodes.List():
            values = tuple(item.value if isinstance(item, nodes.Const) else NO_CONSTANT for item in node.items)
            return NO_CONSTANT if NO_CONSTANT in values else values
        case _:
            return NO_CONSTANT


def start_of(node: nodes.Node) -> int:
    """The offset where an expression begins; Jinja numbers some by a sign in their middle, or by what follows."""
    while True:
        match node:
            case nodes.Getattr() | nodes.Getitem() | nodes.Call() | nodes.Test():
                node = node.node
            case nodes.Filter() if node.node is not None:
                node = node.node
            case nodes.Not() if isinstance(node.node, nodes.Test):
                node = node.node
            case nodes.BinExpr():
                node = node.left
            case nodes.Compare():
                node = node.expr
            case nodes.CondExpr():
                node = node.expr1
            case _:
                return int(node.lineno or 0)
