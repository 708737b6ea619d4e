"""How protocols and differences speak of roles: each is told from every other, and by no id where it has a name."""

from __future__ import annotations

import re
from itertools import product

import pytest
from test_protocol import SPECS, page_of, procedure_of

from legalworld.authoring.difference import difference
from legalworld.authoring.protocol_words import Phrases, stages_of
from legalworld.language.link.linker import link
from legalworld.model.procedure import Procedure, all_steps
from legalworld.model.source import MemorySources
from legalworld.model.steps.assign import Assign
from legalworld.publication.page_files import markdown_page
from legalworld.wording import sentences

TEXT = """lw: 1
procedure: demo
title: Demo
kinds: {{P: person}}
roles:
  q1: {{kind: person, side: left, title: Elder{one}}}
  q2: {{kind: person, side: right, title: {two}}}
  q3: {{assigned: yes{third}}}
  q4: {{assigned: yes{fourth}}}
stages:
  - stage: S
    title: Talk
    steps:
      - assign q3: {given}
      - assign q4: remaining parties
      - q1 states: speaks
      - q3, q4 states: speaks
"""


def phrases_of(procedure: Procedure, language: str = "en", stage: str = "") -> Phrases:
    return Phrases(procedure, language, sentences("protocol", language), stages_of(procedure), stage)


def procedure(**holes: str) -> Procedure:
    found = link(MemorySources({"specs/demo.yaml": TEXT.format(**holes)}), "specs/demo.yaml").procedure
    assert found is not None
    return found


WORDS = {  # label of a role, title of another, labels of those that are assigned, to whom the third is
    "one": ("", ", label: the elder one", ", label: Elder"),
    "two": ("Elder", "Younger"),
    "third": ("", ", label: who begins", ", label: Elder", ", label: Younger", ", title: First"),
    "fourth": ("", ", label: who begins", ", formerly: then"),
    "given": ("q1", "remaining parties"),
}
NEIGHBOURS = [dict(zip(WORDS, values, strict=True)) for values in product(*WORDS.values())]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_role_is_told_from_every_other(language: str) -> None:
    """By its title or label where no other has it; by its id only where nothing else tells it apart."""
    for holes in NEIGHBOURS:
        found = procedure(**holes)
        for stage in ("", "S"):
            phrases = phrases_of(found, language, stage)
            told = {role: phrases.role(role) for role in found.roles}
            here = [role for role in told if not stage or stage in phrases.stages_of.get(role, ())]
            assert len({told[role] for role in here}) == len(here), (holes, stage, told)
            for role in here:
                titles = [found.roles[other].title for other in here]
                labels = [found.roles[other].label for other in here]
                own = found.roles[role]
                if own.label and (titles + labels).count(own.label) == 1:
                    assert role not in told[role], (holes, stage, told)
                if own.title and (titles + labels).count(own.title) == 1:
                    assert told[role] == own.title


def test_a_role_that_is_always_given_to_the_same_is_told_by_them() -> None:
    told = phrases_of(procedure(one="", two="Younger", third=", label: who begins", fourth="", given="q1"))
    assert told.role("q4") == "all other parties"
    both = phrases_of(procedure(one="", two="Younger", third="", fourth="", given="remaining parties"))
    assert {both.role("q3"), both.role("q4")} == {"all other parties (q3)", "all other parties (q4)"}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("spec", SPECS)
def test_no_shipped_procedure_speaks_of_a_role_by_its_id(spec: str, language: str) -> None:
    found = procedure_of(spec)
    phrases = phrases_of(found, language)
    assert [role for role in found.roles if role == phrases.role(role) or f"{role}）" in phrases.role(role)] == []
    words = set(re.findall(r"[A-Za-z_]+", markdown_page(page_of(spec, "zh")).replace("\\_", "_")))
    assigned = {role for step in all_steps(found) if isinstance(step, Assign) for role in step.roles}
    assert assigned & words == set()


def test_a_difference_speaks_of_roles_as_a_protocol_does() -> None:
    before = procedure(one="", two="Younger", third=", label: who begins", fourth="", given="q1")
    after = procedure(one="", two="Younger", third=", label: who opens", fourth="", given="q1")
    (change,) = difference(phrases_of(before), phrases_of(after))
    assert (change.group, change.label, change.old, change.new) == ("wording", "who opens", "who begins", "who opens")
    titled = procedure(one="", two="Elder", third=", label: who begins", fourth="", given="q1")
    told = difference(phrases_of(before), phrases_of(titled))
    assert [one.label for one in told if one.group == "wording"] == ["Elder (q2)"]
