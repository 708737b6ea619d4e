"""A name changed wherever it stands, or not at all: all is linked again and compared before the edits are given out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ..language import diagnose
from ..language.schema_of_tests import TEST_FILES
from ..language.sentences.keywords import is_keyword
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from .edits import LINE_END, Cursor, Edit, Edits, Region
from .lookup import described
from .occurrences import Occurrence, names_of
from .picture import Picture
from .rename_files import FOLDERS, MODELS, in_file, in_tests_of, procedures_of
from .rename_proof import new_problems, problems_of, same
from .rename_templates import TEMPLATE, Elsewhere, NewName, in_template

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[^\W\dA-Za-z_]+")
_SPECS, _SNAPSHOTS, _WORDING = "specs", "snapshots", ("prompts", "documents")
_YAML: Final = (".yaml", ".yml")
_PARAMETER: Final = "@"
_ROUNDS: Final = 4
_MANY: Final = frozenset({"answers"})  # may be declared by several steps


def renamed(picture: Picture, cursor: Cursor, new: str) -> Edits:
    """The edits by which the name under a cursor becomes another one in all files of the project.

    Refused, with the reason: no name stands there, the new one is none or is taken, one word names several things, the
    old one stands where nobody can tell what it means, or something would be wrong or otherwise afterwards.
    """
    at = Span(cursor.path, cursor.line, cursor.column)
    homes = picture.homes(cursor.path)
    found = ((main, names_of(picture, main).at(cursor)) for main in homes)
    main, here = next(((main, one) for main, one in found if one is not None), ("", None))
    if here is None:
        return Edits(why=diagnose.nothing_to_rename(at))
    if not _NAME.fullmatch(new) or is_keyword(new):
        return Edits(why=diagnose.unfit_name(at, name=new))
    several = any(one.kind for home in homes for one in names_of(picture, home).of(here.name))
    wanted = NewName(_bare(here.name), new, _section(picture, main, here.name), several)
    change = _change(picture, homes, here, wanted)
    why = _hindered(picture, change, here, wanted)
    return Edits(why=why) if why is not None else _proved(picture, change, here, wanted)


def declaration(picture: Picture, main: str, name: str) -> Cursor | None:
    """Where a procedure declares a name, which may be given by its title; None where it does not."""
    names = names_of(picture, main)
    procedure = picture.linked(main).procedure
    called: set[str] = set()
    if procedure is not None:
        called |= {role.id for role in procedure.roles.values() if role.title == name}
        called |= {stage.id for stage in procedure.stages if stage.title == name}
    for word in (name, *(called if len(called) == 1 else ())):
        if (found := next((one for one in names.of(word) if one.declares), None)) is not None:
            return Cursor(found.span.file, found.span.line, found.span.column)
    return None


# ---- how far it reaches ----------------------------------------------------------------------------------------------


@immutable
class NameChange:
    """What becomes of each file. `mains`: the procedures that are renamed in; `near`: others that use such a file;
    `elsewhere`: path -> what becomes of it."""

    mains: tuple[str, ...]
    near: tuple[str, ...]
    elsewhere: Mapping[str, Elsewhere]

    @property
    def moved(self) -> Mapping[str, str]:
        return {path: one.move for path, one in self.elsewhere.items() if one.move}


def _change(picture: Picture, homes: tuple[str, ...], here: Occurrence, wanted: NewName) -> NameChange:
    """A change of a name in all procedures that share a file in which it stands, and in all files beside them."""
    words = {} if _PARAMETER in here.name else dict(_in_wording(picture, wanted))
    mains: dict[str, None] = {}
    near: dict[str, None] = {}
    asked = [*homes]
    while asked:
        if (main := asked.pop()) in mains:
            continue
        mains[main] = None
        files = {one.span.file for one in names_of(picture, main).of(here.name)}
        asked += [other for file in sorted(files) for other in picture.homes(file)]
        for path in words:
            owners = picture.homes(path)
            if main in owners:
                asked += [other for other in owners if _section(picture, other, here.name) == wanted.section]
                near |= dict.fromkeys(owners)
    elsewhere = {path: one for path, one in words.items() if not mains.keys().isdisjoint(picture.homes(path))}
    if _PARAMETER not in here.name:
        elsewhere |= dict(_beside(picture, tuple(mains), wanted))
    others = tuple(sorted(near.keys() - mains.keys()))
    return NameChange(tuple(sorted(mains)), others, elsewhere)


def _in_wording(picture: Picture, wanted: NewName) -> Iterator[tuple[str, Elsewhere]]:
    """Templates in which the name stands, or may."""
    for folder in _WORDING:
        for path in picture.names(folder):
            text = picture.read(path) or ""
            stands = path.endswith(TEMPLATE) and (wanted.stands_in(path) or wanted.stands_in(text))
            if stands and (found := in_template(path, text, wanted)):
                yield path, found


def _beside(picture: Picture, mains: tuple[str, ...], wanted: NewName) -> Iterator[tuple[str, Elsewhere]]:
    """Other files that are for the procedures, and tests that stand in them."""
    for path in sorted({span.file for main in mains for span in _files(picture, main)}):
        if found := in_tests_of(picture, path, wanted):
            yield path, found
    files = [path for folder in FOLDERS for path in picture.names(folder)]
    files += [path for path in picture.names(_SPECS) if path.endswith(TEST_FILES)]
    kept = {name for main in mains for name in _names(picture, main)}
    for path in (*files, MODELS):
        if not path.endswith(_YAML) or not wanted.stands_in(picture.read(path) or ""):
            continue
        named = procedures_of(picture, path)
        if path.startswith("skills/") and picture.homes(path):
            continue  # the procedures that have the card read its names
        if named is not None and kept.isdisjoint(named):
            continue
        found = in_file(picture, path, wanted)
        if found and (named is None or _others_know(picture, named, mains, wanted)):
            places = tuple(Span(path, *edit.region.first) for edit in found.edits)
            found = Elsewhere(unsure=(*found.unsure, *places))
        if found:
            yield path, found
    yield from _moved_prompts(picture, kept, wanted)


def _files(picture: Picture, main: str) -> Iterator[Span]:
    procedure = picture.linked(main).procedure
    for path in procedure.files if procedure is not None else (main,):
        yield Span(path, 1, 1)


def _names(picture: Picture, main: str) -> tuple[str, ...]:
    """What a procedure is called by files that are for it."""
    procedure = picture.linked(main).procedure
    path = main.removeprefix(f"{_SPECS}/").rpartition(".")[0]
    return (path, *((procedure.name,) if procedure is not None else ()))


def _others_know(picture: Picture, named: tuple[str, ...], mains: tuple[str, ...], wanted: NewName) -> bool:
    """Whether a file is also for a procedure that has such a name of its own, which stays."""
    others = (main for main in picture.procedures() if main not in mains and set(_names(picture, main)) & set(named))
    return any(_section(picture, main, wanted.old) for main in others)


def _moved_prompts(picture: Picture, kept: set[str], wanted: NewName) -> Iterator[tuple[str, Elsewhere]]:
    """Kept prompts lie in folders that bear the names of roles and stages; what they say is made anew."""
    slots = ("roles", "stages", "phases")
    for path in picture.names(_SNAPSHOTS):
        parts = path.split("/")
        if wanted.old not in re.split(r"[/.]", path) or len(parts) < 5 or path.endswith(_YAML):
            continue
        if kept.isdisjoint(procedures_of(picture, "/".join((*parts[:3], "ways.yaml"))) or ()):
            continue
        below = [
            wanted.new if part == wanted.old and slot == wanted.section else part
            for part, slot in zip(parts[3:-1], slots, strict=False)
        ]
        speaker, mark, rest = parts[-1].partition(".")
        speaker = wanted.new if speaker == wanted.old and wanted.section == "roles" else speaker
        moved = "/".join((*parts[:3], *below, *parts[3 + len(below) : -1], f"{speaker}{mark}{rest}"))
        if moved != path:
            yield path, Elsewhere(move=moved)


# ---- what stands against it ------------------------------------------------------------------------------------------


def _hindered(picture: Picture, change: NameChange, here: Occurrence, wanted: NewName) -> Diagnostic | None:
    for main in change.mains:  # each may declare it for a part that they share
        declared = [one for one in names_of(picture, main).of(here.name) if one.declares and not _is_other(one, wanted)]
        if len(declared) == 1 or (declared and wanted.section in _MANY):
            continue
        if not declared and not _section(picture, main, here.name):
            continue  # a child that left out the stage in which it stands
        places = tuple(one.span for one in declared)
        return diagnose.rename_is_ambiguous(here.span, name=wanted.old, count=len(declared), also=places)
    for main in change.mains:
        taken = next((one for one in names_of(picture, main).occurrences if one.name == wanted.new), None)
        if taken is not None or _section(picture, main, wanted.new):
            return diagnose.duplicate_name(here.span, name=wanted.new, also=(taken.span,) if taken else ())
    unsure = next((span for one in change.elsewhere.values() for span in one.unsure), None)
    if unsure is not None:
        return _reaches(here, wanted, unsure)
    path = next((path for path in change.moved.values() if picture.read(path) is not None), None)
    return _reaches(here, wanted, Span(path, 1, 1)) if path is not None else None


def _reaches(here: Occurrence, wanted: NewName, place: Span) -> Diagnostic:
    return diagnose.rename_reaches_elsewhere(
        here.span, name=wanted.old, file=place.file, line=place.line, also=(place,)
    )


# ---- what is changed, and the proof ----------------------------------------------------------------------------------


def _proved(picture: Picture, change: NameChange, here: Occurrence, wanted: NewName) -> Edits:
    """The edits, if the project is the same with them up to the name. A name that stands where only its reader knows
    that it is one shows by being unknown then: it is changed too."""
    names = (one for main in change.mains for one in names_of(picture, main).of(here.name))
    found = {one.span for one in names if not _is_other(one, wanted)}
    edits = {Region.of(span): wanted.new for span in found if _says(picture, span) == wanted.old}
    edits |= {edit.region: edit.text for one in change.elsewhere.values() for edit in one.edits}
    every, dropped = (*change.mains, *change.near), set[Region]()
    before = {main: problems_of(picture, main) for main in every}
    for _ in range(_ROUNDS):
        made = Edits(tuple(Edit(region, text) for region, text in edits.items()), tuple(change.moved.items()))
        after = applied(picture, made)
        wrong = [one for main in every for one in new_problems(before[main], problems_of(after, main))]
        if not wrong:
            whole = all(same(picture, after, main, wanted, change.moved) for main in every)
            return made if whole else Edits(why=diagnose.unfit_name(here.span, name=wanted.new))
        places = [_before(problem.span, made, change.moved) for problem in wrong]
        at = {region for span in places for region in _first(picture, span, wanted)}
        more, over = at - edits.keys(), at & edits.keys()
        if not at or (over and not more and over & dropped):
            return Edits(why=_because(picture, places, here, wanted))
        edits |= dict.fromkeys(more - dropped, wanted.new)
        if not more:  # the same word is something else there: a phase, say
            dropped |= over
            edits = {region: text for region, text in edits.items() if region not in over}
    return Edits(why=diagnose.unfit_name(here.span, name=wanted.new))


def _because(picture: Picture, places: Iterable[Span], here: Occurrence, wanted: NewName) -> Diagnostic:
    told = next((span for span in places if wanted.stands_in(_line(picture, span))), None)
    return _reaches(here, wanted, told) if told is not None else diagnose.unfit_name(here.span, name=wanted.new)


def applied(picture: Picture, edits: Edits) -> Picture:
    """A picture with some edits made, and files moved."""
    texts = {path: picture.read(path) or "" for path in edits.files}
    made = edits.applied(texts)
    for path, text in made.items():
        picture = picture.replaced(path, text)
    for old, new in edits.renames:
        picture = picture.replaced(new, picture.read(old)).replaced(old, None)
    return picture


def _before(span: Span, edits: Edits, moved: Mapping[str, str]) -> Span:
    """Where a place was before some edits."""
    path = next((old for old, new in moved.items() if new == span.file), span.file)
    column = span.column
    for edit in sorted(_on(edits.texts, path, span.line), key=lambda one: one.region.first):
        grown = len(edit.text) - (edit.region.last[1] - edit.region.first[1])
        if edit.region.first[1] + len(edit.text) <= column:
            column -= grown
    return Span(path, span.line, column, span.length)


def _on(edits: Iterable[Edit], path: str, line: int) -> Iterator[Edit]:
    return (edit for edit in edits if edit.region.path == path and edit.region.first[0] == line)


def _first(picture: Picture, span: Span, wanted: NewName) -> Iterator[Region]:
    """The first place on a line at which the name stands, from the column of a problem on."""
    line = _line(picture, span)
    if (found := wanted.word.search(line, span.column - 1)) is not None:
        yield Region.of(Span(span.file, span.line, found.start() + 1, len(wanted.old)))


def _says(picture: Picture, span: Span) -> str:
    """What stands at a span; a title is left as it is."""
    return _line(picture, span)[span.column - 1 : span.column - 1 + span.length]


def _line(picture: Picture, span: Span) -> str:
    lines = LINE_END.split((picture.read(span.file) or "").removeprefix("\ufeff"))
    return lines[span.line - 1] if span.line <= len(lines) else ""


def _section(picture: Picture, main: str, name: str) -> str:
    procedure = picture.linked(main).procedure
    return described(procedure, _bare(name))[0] if procedure is not None and _PARAMETER not in name else ""


def _is_other(one: Occurrence, wanted: NewName) -> bool:
    """Whether a word declares a kind of roles that is called as a role is."""
    return one.kind and wanted.section == "roles"


def _bare(name: str) -> str:
    return name.partition(_PARAMETER)[0]
