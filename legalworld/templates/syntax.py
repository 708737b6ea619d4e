"""From the text of a template to Jinja's syntax tree, with exact places and the author's mistakes explained.

Lexer and parser are Jinja's, with `trim_blocks` and `lstrip_blocks`. Jinja counts lines only; here a token, and so
every node, carries in `lineno` its offset in the text, which `Page.span` turns into line and column.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NoReturn

from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.lexer import Lexer, Token
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
_UNTIL: Final = {"comment_begin": ("{#", "#}"), "raw_begin": ("raw", "endraw")}
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


class PlacedLexer(Lexer):
    """Jinja's lexer, its tokens numbered by offset. Takes the text of a `Page`."""

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        page, kind, start, end = Page(name or "", source), "", 0, 0
        try:
            for _, kind, text in super().tokeniter(source, name, filename, state):
                start = source.index(text, end)  # only blanks are left out between two tokens
                end = start + len(text)
                if not _readable(kind, text):
                    raise _Explained(page.problem(diagnose.unreadable_template, (start, len(text)), found=text[:20]))
                yield start, kind, text
        except _Explained:
            raise
        except TemplateSyntaxError:
            if kind not in _UNTIL:
                raise _Explained(_unexpected(page, end)) from None
        if kind in _UNTIL:
            tag, wanted = _UNTIL[kind]
            raise _Explained(page.problem(diagnose.unpaired_tag, (start, 2), tag=tag, wanted=wanted))


def _readable(kind: str, text: str) -> bool:
    """Whether a token has a value: an escape may be none, and Python reads numbers of some 4,000 digits."""
    try:
        match kind:
            case "name":
                return text.isidentifier()
            case "float":
                return text.isascii()
            case "string":
                text.encode("ascii", "backslashreplace").decode("unicode-escape")
            case "integer":
                int(text.replace("_", ""), 0)
    except ValueError:
        return False
    return True


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
