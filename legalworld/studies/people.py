"""Scores that people gave: sheets that came back, made evaluations of the runs of a study as a grader's are.

Of several people who rated an item, the mean counts. Sheets are found with their key by `ratings`; a run is that of the
key where its journal is the very one that was rated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from ..evaluation.figures import figures
from ..evaluation.metrics.values import mean_of, number
from ..evaluation.results import Evaluation, Score
from ..evaluation.rubric.definition import Rubric
from ..evaluation.run_store import open_stored
from ..evaluation.stored_run import Stored
from ..language import diagnose
from ..language.yaml.nodes import Scalar
from ..ratings.collect import Returned, gather
from ..runs.project import Problems

PEOPLE: Final = "people"


def rated(
    word: Scalar, sheets: Iterable[Path], rubric: Rubric, folders: Iterable[Path]
) -> tuple[Mapping[Path, Evaluation], Problems]:
    """Return folder -> what people scored there, and what is wrong with their sheets. `word`: the sheets as the study
    names them."""
    returned = gather(tuple(sheets), None, "en")
    if not isinstance(returned, Returned):
        return {}, returned
    key = returned.key
    if key.kind != "ratings" or key.digest != rubric.digest:
        return {}, (diagnose.sheets_of_other_rubric(word.span, path=word.text, found=key.rubric, rubric=rubric.name),)
    labels = {record.digests[0]: record.label for record in key.records}
    found: dict[Path, Evaluation] = {}
    for folder in folders:
        stored = open_stored(folder)
        if isinstance(stored, Stored) and stored.chain in labels:
            scores = tuple(_scores(returned, labels[stored.chain]))
            if scores:
                found[folder] = _evaluation(stored, rubric, scores)
    return found, returned.problems


def _scores(returned: Returned, label: str) -> Iterator[Score]:
    """The scores of one record: of each thing that anybody rated, the mean."""
    for thing in returned.key.things:
        given = [mine[thing.id] for mine in returned.filled.values.values() if thing.id in mine]
        if thing.record == label and given:
            value = number(mean_of(given))
            yield Score(item=thing.item, key=thing.key, title=thing.title, value=value, by=PEOPLE)


def _evaluation(stored: Stored, rubric: Rubric, scores: tuple[Score, ...]) -> Evaluation:
    told, passes = figures(rubric, scores)
    return Evaluation(
        run=stored.name,
        procedure=stored.procedure.name,
        case=stored.case.id,
        target=stored.target,
        model=stored.models.get(stored.target, ""),
        outcome=stored.outcome,
        finished=stored.finished,
        rubric=rubric.name,
        rubric_digest=rubric.digest,
        run_digest=stored.chain,
        grader={"model": PEOPLE},
        figures=told,
        passes=dict(passes),
        scores=scores,
        made=dict(stored.condition.shared),
        own=dict(stored.condition.own),
        case_text=stored.condition.case_text,
        run_id=stored.condition.run_id,
        seed=stored.condition.seed,
    )
