"""Sheets that came back, found with their key; and what they are compared with: evaluations, or graders asked now.

returned = gather([Path("returned")], None, "en")       # sheets and key, found in files and folders
ratings, problems = compare_ratings(returned, [])       # with the stored evaluations of the rated runs
pairs, problems = compare_pairs(returned, [judge])      # with graders that are asked the same
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..evaluation.results import Evaluation
from ..evaluation.run_store import open_stored, runs_in
from ..evaluation.score_files import all_kept, read_evaluation
from ..files import regular
from ..files.project_files import unreadable
from ..files.spreadsheet import SUFFIXES, read
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.json_text import read_model
from ..runs.project import Problems
from .agreement import Pairs, Ratings, graded, pairs, ratings
from .export import KEY
from .filled_sheets import Filled, collect
from .judge import Judge, Judged, verdicts
from .pairwise import RunPair
from .plan import Key
from .sheets import heads


@immutable
class Returned:
    """What raters gave back. `home`: the folder of the key, from which its paths are told."""

    key: Key
    home: Path
    filled: Filled
    problems: Problems

    def path(self, run: str) -> Path:
        """Where a run of the key lies, seen from here."""
        return Path(os.path.normpath(self.home / run))


def gather(words: Sequence[Path], key_file: Path | None, locale: str, but: Path | None = None) -> Returned | Problems:
    """The sheets in files and folders, read against their key; `but` is to be written and no sheet."""
    sheets, problems = _files(words)
    file = key_file or next(_keys(words), None)
    if file is None:
        return (*problems, diagnose.missing_rating_key(str(words[0]) if words else "--key", name=KEY))
    key = read_key(file)
    if isinstance(key, Diagnostic):
        return (*problems, key)
    tables = [read(sheet) for sheet in sheets if but is None or sheet.absolute() != but.absolute()]
    problems += tuple(problem for table in tables for problem in table.problems)
    filled = collect(key, [table.grids for table in tables if table.grids], heads(key, locale))
    return Returned(key, file.parent, filled, (*problems, *filled.problems))


def _files(words: Sequence[Path]) -> tuple[list[Path], Problems]:
    """Sheets by name; in a folder all that may be one, but what a spreadsheet keeps for itself while it is open."""
    sheets: list[Path] = []
    problems = []
    for word in words:
        if word.is_dir():
            inside = sorted(file for file in word.rglob("*") if file.suffix.lower() in SUFFIXES and not file.is_dir())
            sheets += [file for file in inside if not file.name.startswith(("~$", ".~", "."))]
            if not inside:
                problems.append(diagnose.no_readable_file(str(word), path=str(word), known=SUFFIXES))
        elif os.path.lexists(word):
            sheets.append(word)
        else:
            problems.append(diagnose.missing_path(str(word)))
    return list(dict.fromkeys(sheets)), tuple(problems)


def _keys(words: Sequence[Path]) -> Iterator[Path]:
    """The keys beside the sheets, or up to two folders above them."""
    for word in words:
        for folder in (word, *word.absolute().parents[:2]):
            if os.path.lexists(folder / KEY):
                yield folder / KEY


def read_key(file: Path) -> Key | Diagnostic:
    try:
        return read_model(Key, regular.content(file))
    except OSError as error:
        return unreadable(str(file), error)
    except ValueError:
        return diagnose.unreadable_rating_key(str(file))


# ---- ratings ---------------------------------------------------------------------------------------------------------


def compare_ratings(returned: Returned, named: Sequence[Path]) -> tuple[Ratings, Problems]:
    """With the stored evaluations of the rated runs, or those that are named."""
    evaluations, problems = _evaluations(returned, named)
    return ratings(returned.key, returned.filled.values, graded(returned.key, evaluations)), problems


def _evaluations(returned: Returned, named: Sequence[Path]) -> tuple[list[Evaluation], Problems]:
    """Those of the key's rubric; one of another wording, or of a run that has gone on since, is told and left out."""
    key, usable, problems = returned.key, [], []
    digests = {digest for record in key.records for digest in record.digests}
    for path in named or [returned.path(run) for record in key.records for run in record.runs]:
        for evaluation in _stored(path, key.rubric):
            if isinstance(evaluation, Diagnostic):
                problems.append(evaluation)
            elif evaluation.rubric_digest == key.digest and evaluation.run_digest in digests:
                usable.append(evaluation)
            else:
                problems.append(_outdated(evaluation.run, key, evaluation.graded_by))
    return usable, tuple(problems)


def _stored(path: Path, rubric: str) -> Iterator[Evaluation | Diagnostic]:
    """The evaluation in a file, or those beside the runs that a folder is or holds."""
    if os.path.lexists(path) and not path.is_dir():
        yield read_evaluation(path)
        return
    for evaluation in (each for run in runs_in([path]) for each in all_kept(run)):
        if isinstance(evaluation, Diagnostic) or evaluation.rubric == rubric:
            yield evaluation


def _outdated(name: str, key: Key, grader: str) -> Diagnostic:
    """A warning that something is not as it was when the sheets were made."""
    return diagnose.changed_since_export(name, rubric=key.rubric, grader=grader)


# ---- pairs -----------------------------------------------------------------------------------------------------------


def compare_pairs(returned: Returned, judges: Sequence[Judge]) -> tuple[Pairs, Problems]:
    """With graders that are asked the same, each pair in an order of its own."""
    key = returned.key
    by_judge: dict[str, Judged] = {}
    problems: list[Diagnostic] = []
    for judge in judges:
        rubric, name = judge.opened.rubric, judge.settings.model
        if rubric.digest != key.digest:
            problems.append(_outdated(rubric.file, key, name))
        elif wrong := judge.grader().open():
            problems += wrong
        else:
            runs, unusable = _runs(returned)
            answers, failed = verdicts(key, runs, judge)
            problems += (*unusable, *failed)
            if answers.verdicts:
                by_judge[name] = answers
    found = {name: judged.verdicts for name, judged in by_judge.items()}
    positions = {name: judged.position for name, judged in by_judge.items() if judged.position is not None}
    return replace(pairs(key, returned.filled.preferences, found), positions=positions), tuple(problems)


def _runs(returned: Returned) -> tuple[Mapping[str, RunPair], Problems]:
    """Label -> the two runs of a pair, as they were when the sheets were made."""
    usable, problems = {}, []
    for record in returned.key.records:
        runs = [open_stored(returned.path(run)) for run in record.runs]
        bad = [problem for run in runs if isinstance(run, tuple) for problem in run]
        good = [run for run in runs if not isinstance(run, tuple)]
        if bad:
            problems += bad
        elif tuple(run.chain for run in good) != record.digests:
            problems.append(_outdated(record.runs[0], returned.key, ""))
        else:
            usable[record.label] = (good[0], good[1])
    return usable, tuple(problems)
