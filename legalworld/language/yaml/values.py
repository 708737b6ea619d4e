"""Values that YAML reads otherwise than they were meant: found, named, and mended on their line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from .. import diagnose
from .parser import reads_well
from .repairs import Repairs, shortened

BLANK = " \t\u00a0\u2002\u2003\u3000"
_WIDTH = {"\u3000": 2}
KEY_END = re.compile(r":(?=[ \t]|$)")
COMMENT = re.compile(r"[ \t]#")
_NOTHING_MORE = re.compile(r"[ \t]*(?:[ \t]#.*)?$")
_BLOCK_HEADER = re.compile(r"[|>](?:[+-]?[1-9]?|[1-9][+-])[ \t]*(?:[ \t]#.*)?$")
QUOTED = {'"': re.compile(r'"(?:[^"\\]|\\.)*"'), "'": re.compile(r"'(?:[^']|'')*'")}
_ESCAPES = r'[0abt\tnvfre "/\\N_LP]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}'
_BAD_ESCAPE = re.compile(rf"(?<!\\)(?:\\\\)*\\(?!{_ESCAPES})")
# In brackets: quotations, plain text (in which a quotation mark is nothing special), brackets, comments.
_FLOW_PLAIN = r"""[^\s"'\[\]{},:#*&%@`!](?:[^\[\]{},:# \t]|[ \t]+(?!#)|(?<=[^ \t])#)*"""
_FLOW_TOKEN = re.compile(rf""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|{_FLOW_PLAIN}|["'\[\]{{}}]|(?<=[ \t])#.*""")
_FLOW_TRAP = re.compile(r"[\[{,]\s*([*&%@`!])")
_NAME = "[^\\s'{}\\[\\],:\uff1a][^{}\\[\\],:\uff1a]*"
_BRACE_COLON = re.compile(f"[{{,] *({_NAME})(\uff1a|:(?=[^\\s,}}\\]]))")
_REMARK = re.compile("[}\uff5d]([ \t]+#.*)$")
_WIDE = str.maketrans("｛｝", "{}")
_LED = r"(?:(?<=:[ \t])|(?<=：))[^{}\[\],]*?([，、][ \t\u3000]*)"  # behind a value
_LATIN, _SHORT = r"[A-Za-z_]\w{0,30}", r"[^{}\[\],:：，、。；\s]{1,6}"  # keys, not how somebody's words begin
_PLAIN_NAME = r"[^\s'{}\[\],:：，、][^{}\[\],:：，、]*"
_LATIN_KEY = re.compile(r"[{｛][ \t]*[A-Za-z_]")


def _wide_commas(group: str) -> tuple[re.Pattern[str], ...]:
    """Commas between entries of a group: first where only a key can follow, one in the letters of its first key."""
    name = _LATIN if _LATIN_KEY.match(group) else _SHORT
    return tuple(re.compile(rf"{_LED}(?={key})") for key in (rf"{_PLAIN_NAME}:[ \t]|{name}：", rf"{_NAME}[:：]"))


_TIGHT = re.compile(r"(?<=:[ \t])([^\s\"'\[\]{},:][^\[\]{},:]*:[^\s\[\]{},][^\[\]{},]*?)(?=[ \t]*[,}])")
_NO_COMMA = re.compile(r"(?<=:[ \t])([^\s\[\]{},:][^\[\]{},:]*?)([ \t]+)(?=([^\s\[\]{},:\"']+):[ \t])")
_CURLED = re.compile(r"(?<=:[ \t])([“”](?=[^“”]*[{}\[\]])([^“”\"\\]*)[“”])(?=[ \t]*(?:[,，}\]]|$))")
_INDICATORS = "%@`,]}"
_MOST_REPAIRS = 50  # on one line: each costs a pass over it


class Values(Repairs):
    """Repairs of what stands behind a key or a dash. Lines and columns are 0-based.

    Methods given a line and a column most often return the next line to visit.
    """

    def __init__(self, path: str, lines: Iterable[str]) -> None:
        super().__init__(path, lines)
        self.expects: Literal["anything", "value", "sibling"] = "anything"
        self.plain = False  # the last value was plain text, which YAML lets run on
        self.budget = 8 * len(self.lines) + 400  # lines to look ahead at, in all: not n*n for open brackets on each
        self.askew = (-2, -1, 0)  # last line with odd blanks, index of its problem, lines so far

    # ---- what every repair needs -------------------------------------------------------------------------------------

    def report_quoting(self, kind: diagnose.AnyKind, at: int, place: tuple[int, int], guilty: int = -1) -> int:
        """Report text that must stand in quotation marks, put it there, and go on behind the line.

        What is shown begins at column `guilty`, by default with the text itself. A `kind` tells its mark,
        what is shown, or the repair.
        """
        start, end = place
        first = max(start, guilty)
        text, shown = self.lines[at][start:end], self.lines[at][first:end]
        repair = f"'{text}'" if '"' in text or "\\" in text else f'"{text}"'
        self.report(kind, at, (first, end), mark=text[:1], text=shortened(shown), repair=shortened(repair))
        self.quote(at, start, end)
        return self.done(at)

    def done(self, at: int, plain: bool = False) -> int:
        self.expects, self.plain = "sibling", plain
        return at + 1

    def odd_blanks(self, at: int, start: int, end: int) -> None:
        """Report blanks that YAML does not count as spaces; lines that follow each other share one problem."""
        last, index, count = self.askew
        if last == at - 1:
            problem = self.problems[index]
            self.problems[index] = replace(problem, values={**problem.values, "count": count + 1})
            self.askew = (at, index, count + 1)
        elif last != at:
            kinds = sorted({blank for blank in self.lines[at][start:end] if blank != " "})
            names = tuple("Tab" if blank == "\t" else f"U+{ord(blank):04X}" for blank in kinds)
            self.report(diagnose.unusual_whitespace, at, (start, end), character=names, count=1)
            self.askew = (at, len(self.problems) - 1, 1)

    def next_line(self, at: int) -> str:
        """The next line with something on it, "" at the end."""
        for below in range(at + 1, len(self.lines)):
            bare = self.lines[below].lstrip(BLANK)
            if bare and bare[0] != "#":
                return self.lines[below]
        return ""

    def ends(self, at: int, column: int) -> bool:
        """Whether nothing but a comment stands at `column`."""
        return column == len(self.lines[at]) or (self.lines[at][column] == "#" and self.is_comment(at, column))

    def is_comment(self, at: int, column: int) -> bool:
        text = self.lines[at]
        return column + 1 >= len(text) or text[column + 1] in " \t"

    # ---- values ------------------------------------------------------------------------------------------------------

    def value(self, at: int, column: int, parent: int) -> int:
        self.wide_signs(at, column)
        text = self.lines[at]
        mark = text[column]
        if mark in QUOTED:
            return self.quoted(at, column)
        if mark in "[{":
            return self.flow(at, column, parent)
        if mark in "|>" and _BLOCK_HEADER.match(text, column):
            return self.block(at, parent)
        comment = COMMENT.search(text, column - 1) if column else None
        if comment and not self.is_comment(at, comment.end() - 1):
            return self.report_quoting(diagnose.unquoted_hash, at, (column, len(text.rstrip())), comment.end() - 1)
        end = column + len(text[column : comment.start() if comment else len(text)].rstrip())
        if mark in "&*!":
            return self.marked(at, (column, end), parent)
        if mark in _INDICATORS or mark in "|>" or text[column:end] in "-?" or text[column : column + 2] in ("- ", "? "):
            return self.report_quoting(diagnose.unquoted_indicator, at, (column, end))
        if KEY_END.search(text[:end], column):
            return self.report_quoting(diagnose.second_colon, at, (column, end))
        return self.done(at, plain=True)

    def wide_signs(self, at: int, column: int) -> None:
        """Braces, commas and quotation marks as they are typed in Chinese, in a group on one line, which has its own.

        What YAML takes as it stands (`［甲］`, `{甲，乙: 1}`) is left alone.
        """
        text = self.lines[at]
        remark = _REMARK.search(text)
        end = remark.start(1) if remark else len(text.rstrip())
        blind = _FLOW_TOKEN.sub(lambda token: _hidden(token) if token[0][0] in "\"'" else token[0], text[:end])
        if text[column].translate(_WIDE) + text[end - 1].translate(_WIDE) != "{}" or not KEY_END.search(blind, column):
            return
        if text[column] == "{" and reads_well(text[column:end]):
            return
        repaired, found = text, list[tuple[int, int, str]]()
        for commas in _wide_commas(text[column:end]):
            found = [(place, place + 1, text[place].translate(_WIDE)) for place in (column, end - 1)]
            found += [(*one.span(1), ", ") for one in commas.finditer(blind, column)]
            found += [(*one.span(1), f'"{one[2]}"') for one in _CURLED.finditer(text, column, end)]
            found = sorted(one for one in found if text[one[0] : one[1]] != one[2])[:_MOST_REPAIRS]
            repaired = text
            for start, stop, new in reversed(found):
                repaired = repaired[:start] + new + repaired[stop:]
            if reads_well(_BRACE_COLON.sub(lambda colon: f"{colon[0][:-1]}: ", repaired[column:].rstrip())):
                break
        if found:  # one mistake of one keyboard: the first place is told, the others are named
            (start, stop, new), *others = found
            also = tuple(self.span(at, *one[:2]) for one in others)
            sign, right, repair = text[start], new[0], shortened(repaired.strip())
            place = (start, stop)
            self.report(diagnose.fullwidth_sign, at, place, sign=sign, right=right, repair=repair, also=also)
        for start, stop, new in reversed(found):
            self.replace(at, start, stop, new)

    def marked(self, at: int, place: tuple[int, int], parent: int) -> int:
        """A tag, anchor or alias: text in its own right, or a mark before a collection that is left away."""
        below = self.next_line(at)
        inside = lead(below) > parent or (lead(below) == parent and is_dash(below, parent))
        if not below or not inside:
            return self.report_quoting(diagnose.yaml_tag_or_anchor, at, place)
        text = self.lines[at][slice(*place)]
        self.report(diagnose.yaml_tag_or_anchor, at, place, mark=text[:1], repair=shortened(f'"{text}"'))
        self.lines[at] = self.lines[at][: place[0]].rstrip()
        self.expects = "value"
        return at + 1

    def block(self, at: int, parent: int) -> int:
        """Skip a block of text, whose lines YAML takes as they are; only tabs before its left edge are no use to it."""
        edge = parent + 3
        for below in range(at + 1, len(self.lines)):
            text = self.lines[below]
            blanks = len(text) - len(text.lstrip(" \t"))
            spaces = len(text) - len(text.lstrip(" "))
            if not text.strip():
                continue
            if "\t" in text[:blanks] and spaces < edge:
                self.odd_blanks(below, 0, blanks)
                self.replace(below, 0, blanks, " " * edge)
            elif spaces <= parent:
                self.done(at)
                return below
            elif edge == parent + 3:
                edge = spaces
        return self.done(len(self.lines) - 1)

    def quoted(self, at: int, column: int) -> int:
        text = self.lines[at]
        mark = text[column]
        whole = QUOTED[mark].match(text, column)
        if whole is None:
            return self.report_quoting(diagnose.malformed_quotes, at, (column, len(text.rstrip())))
        escaped = mark == "'" or not _BAD_ESCAPE.search(whole[0])
        if escaped and _NOTHING_MORE.match(text, whole.end()):
            return self.done(at)
        comment = COMMENT.search(text, whole.end())
        end = comment.start() if comment and self.is_comment(at, comment.end() - 1) else len(text)
        return self.report_quoting(diagnose.malformed_quotes, at, (column, column + len(text[column:end].rstrip())))

    def flow(self, at: int, column: int, parent: int) -> int:
        text = self.lines[at]
        last, end = self.closing_bracket(at, column, parent)
        if last > at:
            return self.done(last)
        if last != at:
            return self.unclosed(at, column, parent)
        bare = _FLOW_TOKEN.sub(lambda token: token[0] if token[0] in "[]{}" else "x", text[column:end])
        if not _NOTHING_MORE.match(text, end) or _FLOW_TRAP.search(bare):
            comment = COMMENT.search(text, end)
            stop = comment.start() if comment and self.is_comment(at, comment.end() - 1) else len(text)
            return self.report_quoting(
                diagnose.unquoted_indicator, at, (column, column + len(text[column:stop].rstrip()))
            )
        if not reads_well(text[column:end]):
            self.colons_in_braces(at, column, end)
            self.parts_in_braces(at, column)
        return self.done(at)

    def unclosed(self, at: int, column: int, parent: int) -> int:
        """Report a group whose last bracket is missing, and close it behind the last line that belongs to it."""
        last = at
        while last + 1 < len(self.lines) and self.lines[last].rstrip()[-1:] in ",[{":
            below = self.lines[last + 1]
            if not below.strip() or lead(below) <= parent or is_dash(below, lead(below)):
                break
            last += 1
        first, end = self.lines[at], len(self.lines[last].rstrip())
        closing = _closing("\n".join((first[column:], *self.lines[at + 1 : last + 1])))
        place = (column, len(first.rstrip()))
        if not closing:
            return self.report_quoting(diagnose.unquoted_indicator, at, place)
        text = first[slice(*place)] if last == at else self.lines[last].strip()
        repair = shortened(text.removesuffix(",") + closing)
        self.report(diagnose.unclosed_bracket, at, place, mark=first[column], right=closing, repair=repair)
        if first[column] == "[" and "," not in text:
            self.quote(at, *place)  # as likely a text as a list of one
        else:
            self.replace(last, end, end, closing)
        return self.done(last)

    def colons_in_braces(self, at: int, column: int, end: int) -> None:
        """`{path：x, per:side}`: entries whose colon YAML does not see. In braces around lists they are left alone."""
        text = self.lines[at]
        blind = _FLOW_TOKEN.sub(_hidden, text[column:end])
        found = [] if "[" in blind else list(_BRACE_COLON.finditer(blind))[:_MOST_REPAIRS]
        for match in found:
            start, stop = column + match.start(1), column + match.end()
            key, rest = text[start : column + match.start(2)], re.split(r"[,}]", text[stop:])[0].strip()
            kind = diagnose.missing_space_after_colon if match[2] == ":" else diagnose.fullwidth_colon
            self.report(kind, at, (start, stop), key=shortened(key), repair=shortened(f"{key}: {rest}"))
        for match in reversed(found):
            self.replace(at, column + match.start(2), column + match.end(), ": ")

    def parts_in_braces(self, at: int, column: int) -> None:
        """`{at: 10:30}`, whose second colon YAML takes for one, and `{a: 1 b: 2}`, where a comma is missing."""
        for _ in range(_MOST_REPAIRS):
            text = self.lines[at]
            blind = text[:column] + _FLOW_TOKEN.sub(_whole, text[column:])
            tight, open_ = _TIGHT.search(blind, column), _NO_COMMA.search(blind, column)
            if reads_well(text[column:].rstrip()) or (tight is None and open_ is None):
                return
            if open_ is not None and (tight is None or open_.start() < tight.start()):
                before, key = text[slice(*open_.span(1))], text[slice(*open_.span(3))]
                self.report(diagnose.missing_comma, at, open_.span(3), before=shortened(before), key=shortened(key))
                self.replace(at, *open_.span(2), ", ")
            elif tight is not None:
                told = text[slice(*tight.span(1))]
                self.report(
                    diagnose.second_colon, at, tight.span(1), text=shortened(told), repair=shortened(f'"{told}"')
                )
                self.quote(at, *tight.span(1))

    def closing_bracket(self, at: int, column: int, parent: int) -> tuple[int, int]:
        """Line and column behind the bracket that closes the one at `column`; line -1 where none does."""
        depth = 0
        for below in range(at, len(self.lines)):
            text = self.lines[below]
            self.budget -= 1
            if self.budget < 0 or (
                below > at and text.strip() and lead(text) <= parent and text.strip()[0] not in "]}"
            ):
                return -1, 0
            for token in _FLOW_TOKEN.finditer(text, column if below == at else 0):
                if token[0] in "[{":
                    depth += 1
                elif token[0] in "]}":
                    depth -= 1
                    if depth == 0:
                        return below, token.end()
        return -1, 0


def _closing(text: str) -> str:
    """The brackets that are missing at the end of a group; "" where a quotation is open, or brackets cross."""
    blind = _FLOW_TOKEN.sub(_hidden, text)
    if '"' in blind or "'" in blind:
        return ""
    open_ = ""
    for sign in re.findall(r"[][{}]", blind):
        if sign in "]}" and sign != open_[-1:]:
            return ""
        open_ = open_[:-1] if sign in "]}" else open_ + ("}" if sign == "{" else "]")
    return open_[::-1]


def _whole(token: re.Match[str]) -> str:
    """A quotation as so many harmless characters."""
    return "x" * len(token[0]) if token[0][0] in "\"'" else token[0]


def _hidden(token: re.Match[str]) -> str:
    """A quotation or comment as so many harmless characters."""
    return "x" * len(token[0]) if token[0][0] in "\"'#" else token[0]


def lead(text: str) -> int:
    return len(text) - len(text.lstrip(BLANK))


def indent_of(text: str, tab: int = 2) -> int:
    """Indentation in columns."""
    return sum(tab if blank == "\t" else _WIDTH.get(blank, 1) for blank in text[: lead(text)])


def is_dash(text: str, column: int) -> bool:
    return text[column : column + 1] == "-" and text[column + 1 : column + 2] in ("", " ", "\t", "\u3000", "\u00a0")
