"""Edits of files: what shifts numbers is no change; a changed template is told with the roles that may be given it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from places import ROOT
from playing import project

from legalworld.authoring.difference import Delta, difference
from legalworld.authoring.difference_prompts import Prompts, prompt_changes
from legalworld.authoring.protocol_words import Phrases, stages_of
from legalworld.files.project_files import Disk
from legalworld.language.link.linker import link
from legalworld.model.immutable import immutable
from legalworld.model.procedure import Procedure
from legalworld.templates.template_set import TemplateSet
from legalworld.wording import sentences

CIVIL, TRIAL = "specs/civil.yaml", "specs/parts/civil-trial.yaml"
DISK = Disk(ROOT)


@immutable
class Overlaid:
    """The project's files with some texts laid over them."""

    texts: Mapping[str, str]

    def read(self, path: str) -> str | None:
        return self.texts.get(path) or DISK.read(path)

    def names(self, folder: str) -> tuple[str, ...]:
        return tuple(sorted({*DISK.names(folder), *(path for path in self.texts if path.startswith(folder + "/"))}))


def text_of(path: str) -> str:
    found = DISK.read(path)
    assert found is not None
    return found


def phrases(procedure: Procedure) -> Phrases:
    return Phrases(procedure, "en", sentences("protocol", "en"), stages_of(procedure))


def civil() -> Procedure:
    procedure = project("civil").procedure
    assert procedure is not None
    return procedure


def told(path: str, old: str, new: str) -> list[Delta]:
    text = text_of(path)
    assert text.count(old) >= 1
    linked = link(Overlaid({path: text.replace(old, new, 1)}), CIVIL)
    assert linked.usable and linked.procedure is not None, linked.problems
    return list(difference(phrases(civil()), phrases(linked.procedure)))


LEAD = "      - assign appellee: opposing parties of appellant\n"
NOTE = "      - plaintiff states: 说明收到判决的时间\n"


ROW = "| first_ruling                                             | -   | -   | -   | -                       | {} "
SHIELDED = "  mediation_shielded:\n    title: 调解中的陈述不进入裁判者制作判决时的视野\n    default: {}\n"
DEBATE = "            close: 【结束庭审辩论】\n            at most: {} turns\n"
IDENTITY = "          - bench asks first: 核对身份信息\n            id: identity_first\n            prompt: identity\n"
BYSTANDER = "      - assign bystander: remaining parties\n"
BASIS = "            basis: 民事诉讼法第一百条\n"


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (CIVIL, LEAD, NOTE + LEAD, [("order", "added")]),  # every step behind it has another number
        (CIVIL, LEAD + BYSTANDER, BYSTANDER + LEAD, [("order", "moved")]),
        (CIVIL, "lw: 1\n", "lw: 1\n# a remark\n", []),
        (CIVIL, ROW.format("J"), ROW.format("L J"), [("sight", "added")]),
        (CIVIL, "outcome: remanded", "outcome: sent_back", [("ends", "changed")]),
        (CIVIL, SHIELDED.format("yes"), SHIELDED.format("no"), [("choosing", "changed")]),
        (TRIAL, DEBATE.format(12), DEBATE.format(16), [("limits", "changed")]),
        (TRIAL, IDENTITY, "", [("order", "removed")]),
        (TRIAL, BASIS, BASIS.replace("百条", "百零一条"), [("basis", "changed")]),
    ],
)
def test_an_edit_of_a_file_is_told_once_wherever_the_part_is_used(
    path: str, old: str, new: str, expected: list[tuple[str, str]]
) -> None:
    assert [(one.group, one.kind) for one in told(path, old, new)] == expected


def test_a_limit_of_a_shared_part_names_both_instances() -> None:
    (change,) = told(TRIAL, DEBATE.format(12), DEBATE.format(16))
    assert change.where == ("FIT/debate/debate", "SIT/debate/debate")
    assert (change.old, change.new, change.span.file) == ("12", "16", TRIAL)


def test_a_changed_template_is_told_with_the_roles_that_may_be_given_it() -> None:
    path = "prompts/zh/civil/who/lawyer.FIT.j2"
    old, new = (
        Prompts(phrases(civil()), TemplateSet.of(sources, civil()), sources)
        for sources in (Overlaid({}), Overlaid({path: text_of(path) + "另外一句。\n"}))
    )
    (change,) = prompt_changes(old, new)
    assert (change.group, change.kind, change.label) == ("unrendered", "changed", path)
    assert change.where and all("代理律师" in one and " FIT" in one for one in change.where)
    assert "另外一句" in change.new and change.span.line == len(text_of(path).splitlines()) + 1
    assert list(prompt_changes(old, old)) == []


def test_what_offline_actors_say_is_no_prompt() -> None:
    path = next(home for home in TemplateSet.of(Overlaid({}), civil()).homes if "/offline/" in home)
    old, new = (
        Prompts(phrases(civil()), TemplateSet.of(sources, civil()), sources)
        for sources in (Overlaid({}), Overlaid({path: text_of(path) + "x"}))
    )
    assert list(prompt_changes(old, new)) == []
