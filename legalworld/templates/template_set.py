"""Prompt and document templates: where each is found, what is wrong with it, what it reads, and its text.

A text is read once in a process, whichever sets have it. Check, reads and rendering share its syntax tree; only what
is rendered is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from types import CodeType, TracebackType
from typing import Final, Self

from jinja2 import Template, UndefinedError, nodes

from ..figures.tables import FigureTable, read_table
from ..language import diagnose
from ..language.spelling import nearest
from ..language.yaml.characters import visible, whole
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.punctuation import punctuation
from ..model.source import Sources, Span
from .kept import code_kept, findings_kept, keep_code, keep_findings
from .lookups import form_homes
from .reads import Findings, Included, PathRead, TableRead
from .runtime import Environment
from .subset import examine
from .syntax import Page, parse
from .values import MAX_OUTPUT, METER, Meter, RefusedValue
from .word_tests import WordTest, word_tests

MAX_INCLUDES: Final = 8
"""Templates that include one another: the longest chain."""

_DOCUMENTS: Final = "documents/"


class TemplateError(Exception):
    """A template that may not be rendered, or that asked its values for what they do not have.

    An author's error, which the check finds before a run, but for values of another type than the template expects.
    """

    def __init__(self, problems: Sequence[Diagnostic]) -> None:
        super().__init__(", ".join(f"{problem.span.file}:{problem.span.line} {problem.code}" for problem in problems))
        self.problems = tuple(problems)


@dataclass(slots=True)
class _ReadTemplate:
    """One template as read. Its tree is None when it could not be, was read before, and when it has become code."""

    page: Page
    tree: nodes.Template | None
    findings: Findings
    code: CodeType | None = None

    def template(self, environment: Environment) -> Template | None:
        if self.code is None:
            self.code, self.tree = self._compiled(environment), None
        return Template.from_code(environment, self.code, {}) if self.code else None

    def _compiled(self, environment: Environment) -> CodeType | None:
        home, text = self.page.home, self.page.text
        code = code_kept(home, text)
        if code is None:
            tree = self.tree or parse(_environment(), self.page)
            if not isinstance(tree, nodes.Template):
                return None
            code = environment.code(home, tree)
            keep_code(home, text, code)
        return code


@lru_cache(maxsize=2048)
def _read(home: str, text: str) -> _ReadTemplate:
    unreadable = whole(home, text)
    if unreadable is not None:
        return _ReadTemplate(Page(home, ""), None, Findings((unreadable,), ()))
    text, hidden = visible(home, text)
    page = Page(home, text.removesuffix("\n"))
    kept = findings_kept(home, page.text)
    if kept is not None:
        return _ReadTemplate(page, None, Findings(hidden, kept.uses))
    tree = parse(_environment(), page)
    if isinstance(tree, Diagnostic):
        return _ReadTemplate(page, None, Findings((*hidden, tree), ()))
    findings = examine(page, tree)
    keep_findings(home, page.text, findings)
    return _ReadTemplate(page, tree, Findings((*hidden, *findings.problems), findings.uses))


@lru_cache(maxsize=2048)
def _word_tests(home: str, text: str) -> tuple[WordTest, ...]:
    page = _read(home, text).page
    tree = parse(_environment(), page)
    return word_tests(page, tree) if isinstance(tree, nodes.Template) else ()


@cache
def _environment() -> Environment:
    """For what needs no templates beside its own."""
    return Environment(_nothing)


def _nothing(name: str) -> Template:
    raise LookupError(name)


@immutable
class Rendered:
    """A text, and the files that it comes of, as they were come to: its template, what that included, tables."""

    text: str
    files: tuple[str, ...]


class TemplateSet:
    """The templates of one procedure and locale; homes are paths of files.

    The folders of `prompts/LOCALE/` and `documents/LOCALE/` that bear the procedure's name, the names of those that it
    extends, and those that it names as `wording` are its own. What lies beside such folders is neutral, and of every
    procedure; so is `documents/` itself, where forms lay before they had locales.
    """

    def __init__(
        self, sources: Sources, *, locale: str = "zh", procedure: str = "", wording: Sequence[str] = ()
    ) -> None:
        self.sources = sources
        self.marks = punctuation(locale)
        self._locale = locale
        self._own = tuple(folder for folder in (procedure, *wording) if folder)
        self._environment = Environment(self._load, locale, self.table)
        self._tables: dict[str, FigureTable | tuple[Diagnostic, ...]] = {}
        self._pages: dict[str, _ReadTemplate] = {}
        self._checked: dict[str, tuple[Diagnostic, ...]] = {}
        self._templates: dict[str, Template] = {}
        self._homes: dict[tuple[str, ...], str | None] = {}

    @classmethod
    def of(cls, sources: Sources, procedure: Procedure) -> Self:
        """The templates of a linked procedure."""
        return cls(sources, locale=procedure.locale, procedure=procedure.name, wording=procedure.folders[1:])

    @cached_property
    def _folders(self) -> Mapping[str, str]:
        """Every template of the locale -> the wording folder in which it lies, "" for the neutral ones.

        A folder of prompts that has folders in it is one, and so is every folder of documents.
        """
        prompts, documents = f"prompts/{self._locale}/", f"documents/{self._locale}/"
        parts = {name: name.removeprefix(prompts).split("/") for name in self.sources.names(prompts)}
        deep = {above[0] for above in parts.values() if len(above) > 2}
        found = {name: above[0] if above[0] in deep else "" for name, above in parts.items()}
        for name in self.sources.names("documents"):
            if name.startswith(documents):
                found[name] = name.removeprefix(documents).rpartition("/")[0]
            elif name.count("/") == 1:
                found[name] = ""
        return {name: folder for name, folder in found.items() if name.endswith(".j2")}

    @cached_property
    def wording_folders(self) -> tuple[str, ...]:
        """The folders of the locale that hold wording, sorted."""
        return tuple(sorted({*self._folders.values()} - {""}))

    @cached_property
    def _existing(self) -> frozenset[str]:
        """Every template that this procedure may be given."""
        return frozenset(name for name, folder in self._folders.items() if not folder or folder in self._own)

    @cached_property
    def elsewhere(self) -> Mapping[str, frozenset[str]]:
        """Folder -> names of the prompts in it, for those that are not this procedure's."""
        prompts = f"prompts/{self._locale}/"
        found: dict[str, set[str]] = {}
        for home, folder in self._folders.items():
            if folder and folder not in self._own and home.startswith(prompts):
                found.setdefault(folder, set()).add(home.removeprefix(f"{prompts}{folder}/").removesuffix(".j2"))
        return {folder: frozenset(names) for folder, names in found.items()}

    @cached_property
    def homes(self) -> tuple[str, ...]:
        """Every template of this procedure, sorted: no other one is found, for a run keeps copies of these alone."""
        return tuple(sorted(self._existing))

    def find(self, candidates: Sequence[str]) -> str | None:
        """The home of the first candidate that has one: `act/ask.judge`, `documents/complaint`.

        Candidates go from special to general. That order counts before the order of the procedure's folders; the
        neutral ones are looked into last, when none of the candidates is in a folder of the procedure.
        """
        asked = tuple(candidates)
        if asked not in self._homes:
            homes = (self.home(candidate, folder) for candidate in asked for folder in self._own)
            found = next((home for home in homes if home in self._existing), None)
            self._homes[asked] = found or next(filter(None, map(self.neutral, asked)), None)
        return self._homes[asked]

    def neutral(self, candidate: str) -> str | None:
        """The neutral home of a candidate, if it has one."""
        homes = (candidate.removesuffix(".j2") + ".j2", self.home(candidate))  # without a locale lie a project's own
        return next((home for home in homes if home in self._existing), None)

    def home(self, candidate: str, folder: str = "") -> str:
        """Where a candidate would lie: in a wording folder, or in none."""
        name = candidate.removesuffix(".j2") + ".j2"
        below = name.removeprefix("documents/")
        room = "prompts" if below == name else "documents"
        return "/".join(part for part in (room, self._locale, folder, below) if part)

    def check(self, home: str) -> tuple[Diagnostic, ...]:
        """What is wrong with a template and with those it includes. A problem of an included one is the same object
        for all who include it."""
        found = self._checked.get(home)
        if found is None:
            problems: list[Diagnostic] = []
            self._includes(home, [], {}, problems)
            found = self._checked[home] = tuple(problems)
        return found

    def check_all(self, homes: Sequence[str]) -> tuple[Diagnostic, ...]:
        """What is wrong with several templates, each problem once."""
        return tuple({id(problem): problem for home in homes for problem in self.check(home)}.values())

    def reads(self, home: str) -> tuple[PathRead, ...]:
        """The paths that a template and those it includes read, in order, each once."""
        found: dict[tuple[str, ...], PathRead] = {}
        self._reads(home, found, set())
        return tuple(found.values())

    def included(self, home: str) -> tuple[str, ...]:
        """The homes of all that a template includes, each once, in order."""
        found: dict[str, None] = {}
        read = self._page(home)
        for use in read.findings.uses if read is not None else ():
            inner = self.find((use.name,)) if isinstance(use, Included) else None
            if inner is not None and inner not in found:
                found |= dict.fromkeys((inner, *self.included(inner)))
        return tuple(found)

    def word_tests(self, home: str) -> tuple[WordTest, ...]:
        """What a template and those it includes compare with words that they hold."""
        found: list[WordTest] = []
        for one in (home, *self.included(home)):
            text = self.sources.read(one)
            found += _word_tests(one, text) if text is not None else ()
        return tuple(found)

    def render(self, home: str, variables: Mapping[str, object]) -> str:
        """The text of a template. `variables` are those of the namespace, and `__pick__` for offline actors.

        Raises TemplateError.
        """
        return self.rendered(home, variables).text

    def rendered(self, home: str, variables: Mapping[str, object]) -> Rendered:
        """The text of a template, as `render` gives it, with the files that it comes of."""
        template = self._compiled(home)
        meter = Meter()
        context = template.new_context({**variables, METER: meter})
        parts: list[str] = []
        size = 0
        try:
            for text in template.root_render_func(context):
                parts.append(text)
                size += len(text)
                if size > MAX_OUTPUT:
                    raise RefusedValue(lambda at, _: diagnose.template_limit_exceeded(at, limit=MAX_OUTPUT))
        except RefusedValue as error:
            raise TemplateError([self._refused(error, home)]) from None
        except UndefinedError as error:
            name = re.search(r"'(\w+)' is undefined", str(error))
            refused = RefusedValue(lambda at, _: diagnose.unknown_template_name(at, name=name[1] if name else ""))
            raise TemplateError([self._refused(refused.with_traceback(error.__traceback__), home)]) from None
        return Rendered("".join(parts), tuple(meter.used))

    # ---- tables of figures

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """Every table that the templates of this procedure name, sorted: where each is found."""
        pages = map(self._page, self.homes)
        names = {use.name for page in pages if page for use in page.findings.uses if isinstance(use, TableRead)}
        return tuple(sorted(home for name in names if (home := self._table_home(name)) is not None))

    def table(self, name: str) -> FigureTable | None:
        """A table by its name: `lpr` is `lpr.yaml` in the folders of forms. None where there is none to be read."""
        home = self._table_home(name)
        if home is None:
            return None
        if home not in self._tables:
            self._tables[home] = read_table(self.sources, home)
        found = self._tables[home]
        return found if isinstance(found, FigureTable) else None

    def _table_home(self, name: str) -> str | None:
        homes = form_homes(self._locale, self._own, f"{name}.yaml")
        return next((home for home in homes if self.sources.read(home) is not None), None)

    def _table_problems(self, use: TableRead) -> tuple[Diagnostic, ...]:
        table = self.table(use.name)
        if table is not None:
            if not use.entry or use.entry in table.words:
                return ()
            near = nearest(use.entry, table.words)
            return (diagnose.unknown_list_of_words(use.span, table=use.name, name=use.entry, nearest=near),)
        found = self._tables.get(self._table_home(use.name) or "")
        return found if isinstance(found, tuple) else (diagnose.missing_figure_table(use.span, name=use.name),)

    # ---- reading

    def _page(self, home: str) -> _ReadTemplate | None:
        if home not in self._pages:
            text = self.sources.read(home)
            if text is None:
                return None
            self._pages[home] = _read(home, text)
        return self._pages[home]

    def _includes(self, home: str, above: list[str], heights: dict[str, int], problems: list[Diagnostic]) -> int:
        """Gather the problems of a template and all below it, each template once. Returns how deep its includes go."""
        read = self._page(home)
        if read is None:
            problems.append(diagnose.missing_template(Span(home, 1, 1), name=home))
            return 0
        problems.extend(read.findings.problems)
        height = 0
        for use in read.findings.uses:
            if isinstance(use, TableRead):
                problems.extend(self._table_problems(use))
            if isinstance(use, Included):
                height = max(height, 1 + self._included(use, [*above, home], heights, problems))
        heights[home] = height
        return height

    def _included(self, use: Included, above: list[str], heights: dict[str, int], problems: list[Diagnostic]) -> int:
        home = self.find((use.name,))
        if home is None:
            problems.append(diagnose.missing_template(use.span, name=use.name))
        elif home in above:
            chain = " → ".join([*above[above.index(home) :], home])
            problems.append(diagnose.circular_template_include(use.span, chain=chain))
        elif len(above) + heights.get(home, 0) > MAX_INCLUDES:
            problems.append(diagnose.template_too_complex(use.span, what="include", limit=MAX_INCLUDES))
        elif home in heights:
            return heights[home]
        else:
            return self._includes(home, above, heights, problems)
        return 0

    def _reads(self, home: str, found: dict[tuple[str, ...], PathRead], seen: set[str]) -> None:
        read = self._page(home)
        if read is None or home in seen:
            return
        seen.add(home)
        for use in read.findings.uses:
            if isinstance(use, Included):
                included = self.find((use.name,))
                if included is not None:
                    self._reads(included, found, seen)
            elif isinstance(use, PathRead):
                first = found.get(use.path)
                found[use.path] = use if first is None else first.also(use)

    # ---- rendering

    def _load(self, name: str) -> Template:
        """An included template; that it exists is checked before."""
        return self._compiled(self.find((name,)) or name)

    def _compiled(self, home: str) -> Template:
        template = self._templates.get(home)
        if template is None:
            errors = [problem for problem in self.check(home) if problem.severity == "error"]
            read = self._page(home)
            template = read.template(self._environment) if read is not None and not errors else None
            if template is None:
                raise TemplateError(errors)
            self._templates[home] = template
        return template

    def _refused(self, error: RefusedValue, home: str) -> Diagnostic:
        """The problem of a rendering, at the tag that was running."""
        running = _running(error.__traceback__)
        read = self._pages.get(running[0] if running else home)
        if running is None or read is None:
            return error.problem(Span(home, 1, 1), home)
        start = read.page.tag(running[1])
        words = read.page.rest(start)
        return error.problem(read.page.span(start, len(words)), words)


def _running(trace: TracebackType | None) -> tuple[str, int] | None:
    """The home of the innermost template of a traceback, and the offset that stands for the line in its code."""
    found: tuple[str, int] | None = None
    while trace is not None:
        template = trace.tb_frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template):
            found = (str(template.name), template.get_corresponding_lineno(trace.tb_lineno))
        trace = trace.tb_next
    return found
