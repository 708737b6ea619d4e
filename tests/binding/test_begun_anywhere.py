"""A run begun at any stage, with what a record gives: it is played, or it is said before it what would be lacking."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest
from playing import ROOT
from test_mutants import BINDINGS, FOREIGN, opened

from legalworld.batch.cases import cases_in
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.model.case import Case
from legalworld.model.events import Event, Reply, Request
from legalworld.models.scripted import Offline
from legalworld.runs.case_file import OpenedCase
from legalworld.runs.later_start import lacking_documents, left_out
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.norm_bench import norm_bench
from legalworld.runs.plan import chosen_options
from legalworld.runs.read_parts import part_reader


def beginnings(binding: str) -> Iterator[tuple[Case, Settings, str]]:
    """The first record and the settings of a run from each stage; "told" where it is said why there is none."""
    procedure = opened(binding).project.procedure
    assert procedure is not None
    [file] = FOREIGN.glob(f"{binding}.json*")
    for stage in procedure.stages:
        one = next(iter(cases_in(opened(binding).project, (str(file),), binding, ROOT, start=stage.id)))
        assert isinstance(one.matter, OpenedCase), one.matter
        target, chosen = (procedure.targets or ("",))[0], chosen_options(procedure, {})[0]
        settings = Settings(target, 0, chosen, "", skip=left_out(procedure, stage.id))
        told = {problem.code for problem in lacking_documents(procedure, one.matter.case, settings)}
        assert told <= {"LW804"}
        yield one.matter.case, settings, "told" if told else stage.id


@pytest.mark.parametrize("binding", BINDINGS)
def test_a_run_from_a_stage_is_played_or_told(binding: str) -> None:
    """Of the stages from which nothing is lacking, one is drawn and played to its end."""
    project = opened(binding).project
    procedure = project.procedure
    assert procedure is not None
    playable = [(case, settings) for case, settings, told in beginnings(binding) if told != "told"]
    assert playable
    case, settings = random.Random(binding).choice(playable)
    actors = Offline(project.templates, 0, "plain", decide=norm_bench(procedure, case, project.templates))

    async def answer(request: Request) -> Reply:
        return actors.answer(request)

    def watch(event: Event | Request) -> None:
        pass

    playing = interpret(procedure, case, settings, project.templates, reader=part_reader(procedure, case))
    assert asyncio.run(play_through(playing, ReplayLog(), answer, watch, halting=True)).status == "ended"
