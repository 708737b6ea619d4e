"""The traps that YAML sets for somebody who is no programmer: found line by line, named, and mended.

YAML's own parser stops at the first of them and describes it in its own terms. `mend` follows the block structure
loosely, reports what it knows, and repairs each place as the message advises, so that the rest of the file can still
be read and checked. It only runs on files that YAML, read strictly, does not take, and leaves alone what is well there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal, NamedTuple

from .. import diagnose
from .askew import Misplaced, out_of_place
from .repairs import Repairs, leave_out, lost_colon, shortened
from .values import BLANK, COMMENT, KEY_END, QUOTED, Values, indent_of, is_dash, lead

_DOTS = "\uff0d\u2013\u2014\u2022\u00b7\u25cf\u25aa\u25e6\u2023\u2043\u2219\u30fb"
_BULLET = re.compile(f"-(?=[^\\s\\d-])|[{_DOTS}]|\\*(?= )")
_MORE_PLACES = 5
_NEAR = 12  # lines: what was found so little above may be why a line fits nothing


class Level(NamedTuple):
    """A collection that is open: the 0-based column where its keys or dashes stand."""

    column: int
    kind: Literal["map", "list"]


def mend(path: str, lines: list[str]) -> Repairs:
    """Report and repair the traps in these lines. Never fails; what it does not know it leaves alone."""
    mender = _Mender(path, lines)
    at = 0
    while at < len(lines):
        at = mender.line(at)
    return mender


class _Mender(Values):
    """Walks the lines once. Methods take a line's index and 0-based columns; most return the next line to visit."""

    def __init__(self, path: str, lines: list[str]) -> None:
        super().__init__(path, lines)
        self.written = tuple(lines)
        self.levels: list[Level] = []
        self.moved: dict[int, int] = {}  # indentation as written -> as mended, while its block lasts
        self.tried = False
        self.loose: int | None = None  # index of the problem that lines of prose in a row share

    # ---- lines -------------------------------------------------------------------------------------------------------

    def line(self, at: int) -> int:
        text = self.lines[at]
        bare = text.lstrip(BLANK)
        if not bare or bare[0] == "#":
            if text[: lead(text)].strip(" "):
                self.lines[at] = bare  # invisible, or before a comment: harmless to everybody but the parser
            return at + 1
        if text.rstrip() in ("---", "..."):
            self.levels.clear()
            self.expects = "anything"
            return at + 1
        self.straighten(at)
        self.list_mark(at)
        text = self.lines[at]
        indent = len(text) - len(text.lstrip(" "))
        dash = is_dash(text, indent)
        fresh = self.expects != "sibling"
        if not fresh and self.plain and not dash and self.runs_on(text, indent):
            return at + 1  # reported where the value is read
        if not dash and self.intrudes(at, indent):
            return at + 1
        column = self.settle(at, indent, dash)
        if column is None:
            return self.drop(at)
        item = dash
        while is_dash(self.lines[at], column):
            self.open(Level(column, "list"))
            column = self.behind(at, column + 1)
            if self.ends(at, column):
                self.expects = "value"
                return at + 1
        return self.entry(at, column, item or (fresh and Level(column, "map") not in self.levels))

    def intrudes(self, at: int, indent: int) -> bool:
        """Report and blank a word where the dashes of a list stand: it has come between, and what is below belongs to
        the item above."""
        here = [level.kind for level in self.levels if level.column == indent]
        if here != ["list"] or KEY_END.search(self.lines[at]) or lost_colon(self.lines[at].strip()):
            return False
        text = self.lines[at]
        self.report(diagnose.neither_key_nor_item, at, (indent, len(text.rstrip())), text=shortened(text.strip()))
        self.lines[at] = ""
        return True

    def runs_on(self, text: str, indent: int) -> bool:
        return bool(self.levels) and indent > self.levels[-1].column and not KEY_END.search(text)

    def behind(self, at: int, column: int) -> int:
        """The column of what follows blanks at `column`; blanks that YAML does not know become spaces."""
        text = self.lines[at]
        end = column + len(text[column:]) - len(text[column:].lstrip(BLANK))
        if text[column:end].strip(" "):
            self.odd_blanks(at, column, end)
            self.replace(at, column, end, " " * (end - column))
        return end

    def straighten(self, at: int) -> None:
        """Turn tabs and full-width spaces before the line's text into the spaces that fit the lines above."""
        text = self.lines[at]
        end = lead(text)
        if not text[:end].strip(" "):
            return
        self.odd_blanks(at, 0, end)
        column = self.between(at, is_dash(text, end))
        for tab in (2, 4, 8) if column is None else ():
            column = indent_of(text, tab)
            if column in {level.column for level in self.levels} or (self.expects != "sibling" and tab == 2):
                break
        self.replace(at, 0, end, " " * (column or 0))

    def between(self, at: int, dash: bool) -> int | None:
        """Where a line with odd blanks stands, by its neighbours; None where they have odd blanks too."""
        above = next((self.written[n] for n in range(at - 1, -1, -1) if self.written[n].strip(BLANK)), "")
        below = self.next_line(at)
        if not self.levels or any(line[: lead(line)].strip(" ") for line in (above, below)):
            return None
        under, kind = indent_of(below), "list" if dash else "map"
        if dash and not is_dash(below, lead(below)):
            under -= 2  # what stands below belongs to the item that begins here
        if self.expects == "value" and under > self.levels[-1].column:
            return under  # the first of what belongs to the line above
        fitting = [level.column for level in self.levels if level.kind == kind]
        if dash and under in fitting:
            return under
        return fitting[-1] if fitting else None

    def list_mark(self, at: int) -> None:
        """`-item` and `• item` where the lines around say that a list is meant."""
        text = self.lines[at]
        indent = len(text) - len(text.lstrip(" "))
        match = _BULLET.match(text, indent)
        if match is None:
            return
        inside = Level(indent, "list") in self.levels
        begins = self.expects == "value" and bool(self.levels) and indent >= self.levels[-1].column
        if inside or begins:
            self.report(diagnose.neither_key_nor_item, at, (indent, match.end()), text=shortened(text.strip()))
            self.replace(at, indent, match.end(), "-" if text[match.end() : match.end() + 1] == " " else "- ")

    # ---- indentation -------------------------------------------------------------------------------------------------

    def open(self, level: Level) -> None:
        if not self.levels or self.levels[-1] != level:
            self.levels.append(level)

    def settle(self, at: int, indent: int, dash: bool) -> int | None:
        """The column at which the line stands, moved there if need be; None if it can stand nowhere."""
        column = self.drift(indent)
        closed: list[Level] = []
        while self.levels and self.levels[-1].column > column:
            closed.append(self.levels.pop())
        if not dash and self.levels[-2:] == [Level(column, "map"), Level(column, "list")]:
            self.levels.pop()
        if self.stands(column, dash, bool(closed)):
            if column != indent:
                self.replace(at, 0, indent, " " * column)
            return column
        known = sorted({level.column + 1 for level in (*self.levels, *closed)})
        target = self.home(closed, dash)
        if self.askew[0] != at:  # else the guess at the width of a tab was wrong
            right = self.right_place(at, known)
            odd = at if right is None else right.line
            columns = tuple(known) if right is None else tuple(column + 1 for column in right.columns)
            place = (indent_of(self.written[odd]), len(self.lines[odd].rstrip()))
            self.report(diagnose.invalid_indentation, odd, place, columns=columns)
        if target is None:
            return None
        self.moved[indent] = target
        self.replace(at, 0, indent, " " * target)
        return target

    def right_place(self, at: int, known: list[int]) -> Misplaced | None:
        """What is out of place, where the line at `at` fits nothing; asked of the first alone, as the others follow."""
        told = {problem.span.line - 1 for problem in self.problems}
        if self.tried or told.intersection(range(at - _NEAR, at + 1)):
            return None
        self.tried = True
        return out_of_place(self.lines, at, [column - 1 for column in known])

    def drift(self, indent: int) -> int:
        """Where a line with this indentation stands after the moves of the lines above it."""
        self.moved = {old: new for old, new in self.moved.items() if old <= indent}
        if indent not in self.moved and self.moved and self.expects == "value":
            last = max(self.moved)  # what belongs to a line that was moved moves along
            self.moved[indent] = indent + self.moved[last] - last
        return self.moved.get(indent, indent)

    def stands(self, column: int, dash: bool, dedented: bool) -> bool:
        if not self.levels:
            return not dedented
        top = self.levels[-1]
        if top.column < column:
            return not dedented and self.expects != "sibling"
        if dash:
            return top.kind == "list" or self.expects == "value"
        return top.kind == "map"

    def home(self, closed: list[Level], dash: bool) -> int | None:
        """The column that a line which stands nowhere was probably meant for; its levels are open again afterwards."""
        kind = "list" if dash else "map"
        fitting = [level for level in closed if level.kind == kind]
        if fitting:
            while closed and closed[-1].column <= fitting[-1].column:
                self.levels.append(closed.pop())
            return fitting[-1].column
        return self.levels[-1].column if self.levels and self.levels[-1].kind == kind else None

    def drop(self, at: int) -> int:
        """Blank a line that cannot be mended, and all that belongs to it."""
        self.expects, self.plain = ("sibling" if self.levels else "anything"), False
        return leave_out(self.lines, at).stop

    # ---- entries -----------------------------------------------------------------------------------------------------

    def entry(self, at: int, column: int, fresh: bool) -> int:
        """A line's text behind indentation and dashes: a key with or without value, or a value alone."""
        text = self.lines[at]
        colon = self.key_end(at, column)
        if colon is None:
            if not fresh or (text[column] not in "[{" and self.begins_map(at, column)):
                return self.broken(at, column)
            parent = self.levels[-1].column if self.levels else -1
            return self.value(at, column, parent)
        self.open(Level(column, "map"))
        self.loose = None
        if text[column] in "%@`*&!|>":
            self.report_quoting(
                diagnose.yaml_tag_or_anchor if text[column] in "*&!" else diagnose.unquoted_indicator,
                at,
                (column, colon),
            )
            colon = self.key_end(at, column) or colon
        start = self.behind(at, colon + 1)
        if self.ends(at, start):
            self.expects = "value"
            return self.table(at, column, colon) if self.next_line(at).lstrip(" ").startswith("|") else at + 1
        return self.value(at, start, column)

    def table(self, at: int, column: int, colon: int) -> int:
        """A table below a key that lacks the mark of a block: one problem, not one per row."""
        if indent_of(self.next_line(at)) <= column:
            return at + 1
        key = self.lines[at][column:colon]
        if not any(problem.span.line == at + 1 for problem in self.problems[-1:]):
            self.report(diagnose.table_without_mark, at, (column, colon + 1), key=key, repair=shortened(f"{key}: |"))
        self.replace(at, colon + 1, colon + 1, " |")
        return self.block(at, column)

    def key_end(self, at: int, column: int) -> int | None:
        """The column of the colon that ends the key at `column`, or None. Reports a key that YAML would cut short."""
        text = self.lines[at]
        quoted = QUOTED[text[column]].match(text, column) if text[column] in QUOTED else None
        match = KEY_END.search(text, quoted.end() if quoted else column)
        if match is None or text[column] in "[{" or (quoted and text[quoted.end() : match.start()].strip()):
            return None
        comment = COMMENT.search(text, max(column - 1, 0), match.start())
        if comment and not quoted:
            hash_at = comment.end() - 1
            if text[hash_at + 1] in " \t":
                return None
            self.report_quoting(diagnose.unquoted_hash, at, (column, match.start()), hash_at)
            return self.key_end(at, column)
        return match.start()

    def begins_map(self, at: int, column: int) -> bool:
        """Whether the next line shows that the text at `column` was meant as a key."""
        below = self.next_line(at)
        indent = indent_of(below)
        if not below or indent < column:
            return False
        if is_dash(below, lead(below)):
            return (indent - column) % 2 == 0  # else an item of this list that stands too far to the right
        return indent == column or KEY_END.search(below) is not None

    def broken(self, at: int, column: int) -> int:
        """A line where a key must stand, without the colon that makes one."""
        text = self.lines[at]
        comment = COMMENT.search(text, column)
        end = comment.start() if comment else len(text)
        end = column + len(text[column:end].rstrip())
        lost = lost_colon(text[column:end])
        if lost is not None:
            repaired = text[column : column + lost.start] + lost.instead + text[column + lost.end : end]
            place = (column, column + lost.end)
            self.report(lost.kind, at, place, key=text[column : column + lost.start], repair=shortened(repaired))
            self.replace(at, column + lost.start, column + lost.end, lost.instead)
            return self.entry(at, column, False)
        below = indent_of(self.next_line(at))
        if below < column or (below == column and not is_dash(text, lead(text))):
            self.prose(at, (column, end))
            return self.drop(at)
        self.report(diagnose.neither_key_nor_item, at, (column, end), text=shortened(text[column:end]))
        if self.expects == "value" and below > column and self.levels[-1:] == [Level(column, "map")]:
            self.lines[at] = ""  # what stands below belongs to the key above, and this word has come between
            return at + 1
        end = column + len(text[column:end].removesuffix("|").rstrip())  # `visibility |`: the mark of a block stays
        self.replace(at, end, end, ":")
        return self.entry(at, column, False) if self.key_end(at, column) is not None else self.drop(at)

    def prose(self, at: int, place: tuple[int, int]) -> None:
        """Report a line that is no entry; a text that is no YAML at all is one problem, not one per line."""
        if self.loose is None:
            self.report(diagnose.neither_key_nor_item, at, place, text=shortened(self.lines[at][slice(*place)]))
            self.loose = len(self.problems) - 1
            return
        first = self.problems[self.loose]
        if len(first.also) < _MORE_PLACES:
            also = (*first.also, self.span(at, *place))
            self.problems[self.loose] = replace(first, also=also)
