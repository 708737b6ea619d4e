"""Prompts under snapshots: what each role is sent, kept as files, and held against what it would be sent now.

snapshots/civil/jiedai/ways.yaml                                              which ways of the case are played
snapshots/civil/jiedai/plaintiff_lawyer/FIT/judgment/judge.note.find.txt      one prompt

for ways in kept_ways(root):                          # every folder that holds such a file
    now = taken(ways, root.parent)                    # the prompts as they are now, or why they cannot be made
    changes(kept_prompts(root / ways.folder), now)    # how they differ
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from ..files import regular
from ..files.project_files import canonical, find_root, unreadable
from ..language import diagnose
from ..language.surface_reader import SurfaceReader, read_surface
from ..language.surfaces import Text
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.source import MemorySources, Sources, Span
from ..runs.plan import RunRequest, plan_run
from ..runs.project import Problems, Project, open_project
from ..templates.template_set import TemplateError
from ..templates.traced import TracedTemplates
from .kept_prompts import ANY, KeptPrompt, Matter, PromptBounds, Way, explored, prompts_of
from .ways import WaysSurface

FOLDER: Final = "snapshots"
WAYS: Final = "ways.yaml"
USUAL: Final = "usual"
SUFFIX: Final = ".txt"
MOST_FILES: Final = 5_000
_LIMIT: Final = r"[:\uff1a] *{number} *\w*\s*$|\b{number} +\w+:\s*$"  # at most: 6 turns; repeat 2 rounds:
_TELLING: Final = 4  # characters of a word that stands in several lines, the first of which is named
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_COMMENT: Final = "# Which ways of the case are played; lw snapshot --update --explore looks for them anew.\n"


@immutable
class Ways:
    """What a folder of snapshots was made of: a procedure, a case, options, fields that were set, ways by target.

    `unexplored`: the targets for which the search for ways ended before all were tried.
    """

    spec: str
    case: str
    options: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    by_target: tuple[tuple[str, tuple[Way, ...]], ...] = ()
    unexplored: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        """Where its prompts lie below `snapshots/`."""
        marked = "".join(f"+{name}={value}" for name, value in (*self.options, *self.fields))
        return "/".join(_UNSAFE.sub("-", word).strip("-.") for word in (_stem(self.spec), _stem(self.case) + marked))


@immutable
class PromptChange:
    """How one prompt differs from what is kept of it. `cause`: the line of an expert file that the difference comes
    of, where that can be told."""

    name: str
    kind: Literal["changed", "new", "gone"]
    lines: tuple[str, ...]
    cause: Span | None = None


@immutable
class Taken:
    """The prompts of some ways as they are now, and the project that they come of. `given_up`: the ways, with their
    targets, that went on too long to be played to their end."""

    ways: Ways
    project: Project
    prompts: Mapping[str, KeptPrompt]
    given_up: tuple[tuple[str, Way], ...] = ()


def _stem(word: str) -> str:
    """`specs/j1/kq.yaml` and `j1/kq` as `j1/kq`; a case file by its name alone."""
    plain = re.sub(r"\.(ya?ml|jsonl?)(?=#|$)", "", word)
    within = re.split(r"(?:^|/)(?:specs|cases)/", plain)[-1]
    return within.rpartition("/")[2] if within.startswith(("/", ".")) else within.replace("/", "-")


# ---- the file of ways ------------------------------------------------------------------------------------------------


def read_ways(sources: Sources, path: str) -> Ways | Problems:
    """The file of ways at a path; or what is wrong with it."""
    surface, problems, _ = read_surface(WaysSurface, sources, path)
    if surface is None:
        return problems
    reader = SurfaceReader(problems)
    reader.version(surface.lw)
    ways = []
    for target, several in surface.ways.items():
        found = tuple(_way(word.text) for word in several)
        for word, way in zip(several, found, strict=True):
            if way is None:
                reader.report(diagnose.unknown_way(word.span, word=word.text))
        ways.append(("" if target == ANY else target, tuple(way for way in found if way is not None)))
    if reader.failed:
        return tuple(reader.problems)
    options, fields = (_pairs(entries) for entries in (surface.options, surface.set))
    unexplored = tuple("" if word.text == ANY else word.text for word in surface.unexplored)
    return Ways(surface.snapshots.text, surface.case.text, options, fields, tuple(ways), unexplored)


def _pairs(entries: Mapping[str, Text] | None) -> tuple[tuple[str, str], ...]:
    return tuple((name, value.text) for name, value in (entries or {}).items())


def _way(word: str) -> Way | None:
    """`usual`, or `agreed=yes; willing=yes`; None where it is neither."""
    if word.strip() == USUAL:
        return ()
    pairs = [piece.partition("=") for piece in word.split(";")]
    if not all(equals and name.strip() for name, equals, _ in pairs):
        return None
    return tuple(sorted((name.strip(), value.strip()) for name, _, value in pairs))


def written_ways(ways: Ways) -> str:
    """The file of ways."""
    lines = [_COMMENT + "lw: 1", f"snapshots: {_quoted(ways.spec)}", f"case: {_quoted(ways.case)}"]
    for key, pairs in (("options", ways.options), ("set", ways.fields)):
        lines += [f"{key}:"] * bool(pairs) + [f"  {_quoted(name)}: {_quoted(value)}" for name, value in pairs]
    lines.append("ways:")
    for target, several in ways.by_target:
        lines.append(f"  {target or ANY}:")
        lines += [f"    - {_quoted('; '.join('='.join(pair) for pair in way) or USUAL)}" for way in several]
    if ways.unexplored:
        lines.append(f"unexplored: [{', '.join(target or ANY for target in ways.unexplored)}]")
    return "\n".join(lines) + "\n"


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w./=-]+", word) else '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


# ---- prompts as they are now -----------------------------------------------------------------------------------------


def taken(ways: Ways, cwd: Path, *, explore: bool = False) -> Taken | Problems:
    """The prompts of some ways; `explore`: of ways that are looked for first, for every target that is named."""
    opened = open_project(ways.spec, cwd)
    if isinstance(opened, Diagnostic):
        return (opened,)
    if opened.procedure is None:
        return opened.problems
    procedure = opened.procedure
    wanted = tuple(target for target, _ in ways.by_target) or procedure.targets or ("",)
    plans = [plan_run(opened, _asked(ways, target), cwd) for target in wanted]
    if wrong := next((plan for plan in plans if isinstance(plan, tuple)), ()):
        return wrong
    plan = next(plan for plan in plans if not isinstance(plan, tuple))
    matter = Matter(procedure, TracedTemplates.of(opened.sources, procedure), plan.matter.case, plan.options)
    bounds = PromptBounds()
    try:
        if explore or not any(several for _, several in ways.by_target):
            by_target = tuple((target, explored(matter, target, bounds)) for target in wanted)
            ways = replace(ways, by_target=by_target, unexplored=tuple(bounds.unexplored))
        prompts = prompts_of(matter, dict(ways.by_target), bounds)
        return Taken(ways, opened, prompts, tuple(bounds.given_up))
    except TemplateError as error:
        return error.problems


def _asked(ways: Ways, target: str) -> RunRequest:
    options, fields = (tuple(map("=".join, pairs)) for pairs in (ways.options, ways.fields))
    given = {"binding": "", "profile": "", "seed": 0, "options": options, "fields": fields}
    return RunRequest(spec=ways.spec, case=ways.case, target=target, **given)  # type: ignore[arg-type]


# ---- what is kept ----------------------------------------------------------------------------------------------------


def root_of(cwd: Path) -> Path:
    """The folder in which the snapshots of a project lie."""
    return (find_root(cwd) or cwd) / FOLDER


def kept_ways(root: Path) -> Iterator[Ways | Problems]:
    """Every file of ways below a folder of snapshots, sorted; or what is wrong with it."""
    for folder, inner, files in os.walk(root):
        inner.sort()
        if WAYS not in files:
            continue
        path = Path(folder, WAYS)
        try:
            text = regular.content(path).decode("utf-8", "replace")
        except OSError as error:
            yield (unreadable(str(path), error),)
            continue
        shown = os.path.relpath(path)
        ways = read_ways(MemorySources({shown: text}), shown)
        here = Path(folder).relative_to(root).as_posix()
        if isinstance(ways, Ways) and ways.folder != here:
            yield (diagnose.foreign_snapshots(Span(shown, 1, 1), spec=ways.spec, folder=here, wanted=ways.folder),)
        else:
            yield ways


def is_crowded(folder: Path) -> bool:
    """Whether a folder holds more prompts than are compared."""
    return len(list(islice(folder.rglob(f"*{SUFFIX}"), MOST_FILES + 1))) > MOST_FILES


def kept_prompts(folder: Path) -> dict[str, str]:
    """Name -> text of every prompt that is kept in a folder. Raises OSError."""
    found: dict[str, str] = {}
    for file in sorted(folder.rglob(f"*{SUFFIX}"))[:MOST_FILES]:
        name = file.relative_to(folder).as_posix()
        if canonical(name) and regular.is_file(file, folder):
            found[name] = regular.content(file).decode("utf-8", "surrogateescape").removesuffix("\n")
    return found


def keep(folder: Path, now: Taken, names: Iterable[str] | None = None) -> None:
    """Take over the prompts as they are now; `names`: these alone. What does not come up any more goes.

    Raises OSError.
    """
    prompts, kept = now.prompts, kept_prompts(folder) if folder.is_dir() else {}
    wanted = {*prompts, *kept} if names is None else set(names)
    for name in sorted(wanted):
        file = folder / name
        if name in prompts:
            file.parent.mkdir(parents=True, exist_ok=True)
            regular.write_whole(file, f"{prompts[name].text}\n".encode("utf-8", "surrogateescape"), folder)
        elif name in kept:
            file.unlink(missing_ok=True)
            _without_empty(file.parent, folder)
    if names is None:
        regular.write_whole(folder / WAYS, written_ways(now.ways).encode(), folder)


def _without_empty(folder: Path, root: Path) -> None:
    while folder != root and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


# ---- how they differ -------------------------------------------------------------------------------------------------


def changes(kept: Mapping[str, str], now: Taken) -> Iterator[PromptChange]:
    """How the prompts differ from what is kept of them, in the order of their names."""
    for name in sorted({*kept, *now.prompts}):
        old, new = kept.get(name), now.prompts.get(name)
        if new is None:
            yield PromptChange(name, "gone", ())
        elif old is None:
            yield PromptChange(name, "new", ())
        elif old != new.text:
            yield _changed(name, old, new, now)


def _changed(name: str, old: str, new: KeptPrompt, now: Taken) -> PromptChange:
    before, after = old.split("\n"), new.text.split("\n")
    lines: list[str] = []
    cause: Span | None = None
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        lines += [f"@@ {k + 1}", *(f"-{line}" for line in before[i:j]), *(f"+{line}" for line in after[k:m])]
        cause = cause or _cause(before[i:j], (k, m), new, now)
    return PromptChange(name, "changed", tuple(lines), cause)


def _cause(removed: Sequence[str], at: tuple[int, int], new: KeptPrompt, now: Taken) -> Span | None:
    """The line of an expert file that new lines come of: one that holds the new words, of the templates that wrote
    these lines first, then of the procedure's files; else the place that wrote the first of them."""
    lines = new.text.split("\n")
    places = [place for places in new.places[at[0] : at[1]] for place in places]
    near = places or [
        place for places in (*new.places[max(at[0] - 1, 0) : at[0]], *new.places[at[1] :]) for place in places
    ]
    words = _new_words("".join(removed), "".join(line.removesuffix("↩") for line in lines[at[0] : at[1]]))
    text_of = now.project.sources.read
    for place in places:
        if any(word in _line(text_of(place.file), place.line) for word in words):
            return place
    procedure = now.project.procedure
    files = procedure.files if procedure is not None else ()
    lines_of = [
        (Span(file, n, 1), line) for file in files for n, line in enumerate((text_of(file) or "").split("\n"), 1)
    ]
    for word in words:
        number = re.compile(_LIMIT.format(number=re.escape(word))) if word.isdecimal() else None
        held = [place for place, line in lines_of if (number.search(line) if number is not None else word in line)]
        if len(held) == 1 or (held and len(word) >= _TELLING):
            return held[0]
    return near[0] if near else None


def _new_words(old: str, new: str) -> list[str]:
    """The stretches of a text that an older one has not, the longest first; of one character only where no other is."""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    spans = [(k, m) for tag, _, _, k, m in matcher.get_opcodes() if tag in ("insert", "replace")]
    numbers = [one.span() for one in re.finditer(r"\d+", new)]  # of a number all is new, if a figure is
    found = [
        new[min([k, *(a for a, z in numbers if a < k < z)]) : max([m, *(z for a, z in numbers if a < m < z)])].strip()
        for k, m in spans
    ]
    longer = [word for word in found if len(word) > 1]
    return sorted(longer or filter(None, found), key=len, reverse=True)


def _line(text: str | None, n: int) -> str:
    lines = (text or "").split("\n")
    return lines[n - 1] if 0 < n <= len(lines) else ""
