"""What a run does is what the protocol says may come next; of files with errors it says what can be read."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from places import ROOT
from playing import play, project

from legalworld.authoring.difference import difference
from legalworld.authoring.protocol import Protocol, protocol
from legalworld.authoring.protocol_course import ProtocolLine
from legalworld.authoring.protocol_page import page
from legalworld.authoring.protocol_words import Phrases, stages_of
from legalworld.files.project_files import Disk
from legalworld.language.link.linker import link
from legalworld.model.events import Entered, Interrupted
from legalworld.model.procedure import EVENT_MARK, Procedure
from legalworld.model.source import MemorySources
from legalworld.publication.page_files import markdown_page
from legalworld.runs.project import open_project
from legalworld.wording import sentences

REFERE = ROOT / "tests" / "authoring" / "refere"


def told(procedure: Procedure, language: str = "en") -> Protocol:
    return protocol(procedure, language, sentences("protocol", language))


# ---- held against runs -----------------------------------------------------------------------------------------------


class Way:
    """The lines of a protocol, by place and by number."""

    def __init__(self, found: Protocol) -> None:
        self.lines = found.lines
        self.by_number = {line.number: line for line in found.lines}
        self.by_place = {line.place: line for line in found.lines}

    def line(self, place: str) -> ProtocolLine:
        bare = place.partition("#")[0]
        event = bare.rpartition("/")[2]
        return self.by_place[event if event.startswith(EVENT_MARK) else bare]

    def next(self, line: ProtocolLine) -> set[str]:
        """The numbers that may come next, those behind a step included that may be passed over."""
        found: set[str] = set()
        left = [line]
        while left:
            for number in self.named(left.pop()):
                if number not in found:
                    found.add(number)
                    after = self.by_number[number]
                    left += [after] if after.step.info.when is not None else []
        return found

    def named(self, line: ProtocolLine) -> Iterator[str]:
        yield from re.findall(r"E?\d+\.\d+", line.next)
        for stage in re.findall(r"stage (\d+)", line.next):
            yield from (one.number for one in self.lines if one.number.startswith(f"{stage}."))
        if re.search(r"end C\d", line.next):  # a stage is closed all the same
            stage = line.number.partition(".")[0]
            yield from (
                one.number for one in self.lines if one.place.count("/") == 1 and one.number.startswith(f"{stage}.")
            )


CASES = [
    ("civil", "jiedai", "plaintiff_lawyer", {}),
    ("civil", "jiedai", "defendant_lawyer", {"appeal_by": "case"}),
    ("civil", "jiedai", "plaintiff_lawyer", {"memory": "no"}),
    ("criminal", "kuaijian", "judge", {}),
    ("bargain", "bargain", "", {}),
    ("smallclaims", "", "", {}),
    ("labour-arbitration", "", "", {}),
    ("administrative", "chachao", "", {}),
]


@pytest.mark.parametrize(("spec", "case", "target", "options"), CASES)
def test_what_a_run_does_next_is_what_the_protocol_says(
    spec: str, case: str, target: str, options: dict[str, str]
) -> None:
    opened = project(spec)
    procedure = opened.procedure
    assert procedure is not None
    way = Way(told(procedure))
    role = target or next(iter(procedure.targets), "")
    played = play(case or opened.example, role, options=options, spec=spec)
    last, resting, wrong, pairs = None, None, [], 0
    for event in played.events:
        if isinstance(event, Interrupted):
            resting = resting or last
            last = None
        if not isinstance(event, Entered) or event.level != "step":
            continue
        line = way.line(event.place)
        inside = line.number.startswith("E")
        before = last if inside or resting is None else resting
        if before is not None:
            pairs += 1
            allowed = way.next(before) | (way.next(last) if last is not None else set())
            wrong += [(before.number, before.next, line.number)] if line.number not in allowed else []
        resting = resting if inside else None
        last = line
    assert wrong == [] and pairs > 3


# ---- a procedure of neither law -------------------------------------------------------------------------------------


def test_a_procedure_of_another_country_is_told_in_both_languages() -> None:
    opened = open_project(str(REFERE / "specs" / "refere.yaml"), REFERE)
    procedure = getattr(opened, "procedure", None)
    assert isinstance(procedure, Procedure) and getattr(opened, "problems", ()) == ()
    for language in ("zh", "en"):
        text = markdown_page(page(told(procedure, language), "0"))
        for label in ("Juge des référés", "Exception soulevée", "Débats", "Ordonnance de référé"):
            assert label in text


def test_an_event_is_told_of_a_phase_only_where_somebody_may_raise_it() -> None:
    opened = open_project(str(REFERE / "specs" / "refere.yaml"), REFERE)
    procedure = getattr(opened, "procedure", None)
    assert isinstance(procedure, Procedure)
    made = page(told(procedure), "0")
    (hearing,) = [section for section in made.sections if section.title.startswith("Stage 2")]
    told_of = [block for block in hearing.blocks if any("E1" in text for text in getattr(block, "texts", ()))]
    titles = {getattr(block, "title", "") for block in told_of}
    assert titles == {"Exceptions de procédure", "Débats"}  # nowhere else does counsel of the claimant speak


# ---- files with errors -----------------------------------------------------------------------------------------------


def broken(text: str, draw: random.Random) -> str:
    """A text with one line that somebody has not finished, dropped, doubled, indented or filled with something else."""
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    line = lines[at]
    lines[at : at + 1] = draw.choice(
        (
            [line[: draw.randrange(len(line) + 1)]],
            [],
            [line, line],
            ["  " + line],
            [line.replace(":", "", 1)],
            [line + " : {["],
            [line.replace("judge", "nosuch").replace("seller", "nosuch")],
            ["\x00\ufffd" + line],
        )
    )
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("path", "spec"),
    [
        ("specs/bargain.yaml", "bargain"),
        ("specs/civil.yaml", "civil"),
        ("specs/parts/civil-trial.yaml", "civil"),
    ],
)
def test_a_file_with_errors_gives_what_can_be_read_and_never_a_traceback(path: str, spec: str) -> None:
    disk, main = Disk(ROOT), f"specs/{spec}.yaml"
    whole = project(spec).procedure
    assert whole is not None
    texts = {file: disk.read(file) or "" for file in whole.files}
    made = 0
    for seed in range(25):
        changed = {**texts, path: broken(texts[path], random.Random(f"{path} {seed}"))}
        procedure = link(MemorySources(changed), main, partial=True).procedure
        if procedure is None:
            continue
        made += 1
        markdown_page(page(told(procedure), "0", errors=1))
        word = sentences("protocol", "en")
        difference(*(Phrases(one, "en", word, stages_of(one)) for one in (whole, procedure)))
    assert made > 20
