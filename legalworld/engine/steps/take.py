"""A document that the case supplies: its form, filled from what its author's side may see."""

from __future__ import annotations

from ...model.steps.take import Take
from ...templates import lookups
from ..speech import authors, nobody
from ..state import holders
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Take) -> Play:
    """The form is found as prompts are; without one, or without an author, nothing is filed."""
    yield from ()
    scene, templates = walk.scene, walk.turns.prompter.templates
    document = scene.procedure.documents[step.document]
    writers = holders(scene.state, step.actor)
    home = templates.find(lookups.document(document.name))
    if not writers or home is None:
        return nobody(walk)
    for writer in authors(scene, document, writers):
        view = walk.turns.requests.view(scene.state.persons[writer], TurnSpec("draft", step.info, document=document))
        scene.drafted(writer, document, templates.render(home, view.variables).strip(), "case")
    return ""
