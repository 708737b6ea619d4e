"""A name in the files beside a procedure: changed where it is sure what it means, left where it is another's; else all
is refused with the place."""

from __future__ import annotations

import pytest
from test_editor import DEMO, MAIN, at, picture

from legalworld.authoring.picture import Picture
from legalworld.authoring.rename import applied, renamed
from legalworld.language.yaml_keys import YAML_KEYS

__all__ = ["picture"]

CHANGED = {  # NAME becomes the new name
    "specs/demo.test.yaml": "lw: 1\ntests of: demo\ntarget: NAME\ntests:\n  - test: of ann\n    replies:\n"
    "      - {who: [NAME, bob], reply: ann}\n    expect:\n"
    "      sees:\n        - {who: NAME, field: paper, at: S/first}\n",
    "snapshots/demo/x/ways.yaml": "lw: 1\nsnapshots: demo\ncase: x\n"
    "ways:\n  NAME: [usual, ann=yes]\nunexplored: [NAME]\n",
    "snapshots/demo/x/NAME/S/NAME.ask.first.txt": "ann says something\n",
    "rubrics/r.yaml": "lw: 1\nrubric: r\ntitle: ann\nfor: [demo]\nasks:\n  ann:\n"
    "    title: ann\n    from: turns by NAME in S\n"
    "    against: field paper of NAME\n    metrics:\n      one: {scale: 0 to 1, asks: ann}\n",
    "studies/s.yaml": "lw: 1\nstudy: s\ntitle: ann\n"
    "conditions:\n  one: {procedure: demo, target: NAME, models: {NAME: ann}}\n",
    "prompts/zh/act/ask.NAME.j2": "{% if me.role == 'NAME' %}ann{% endif %}\n",
    "prompts/zh/who/NAME.S.j2": "{% if 'NAME' not in me.roles and me.side == 'ann' %}x{% endif %}\n",
    "prompts/zh/act/state.j2": "{% include 'act/ask.NAME.j2' %}\n",
}
REFUSED = {  # nobody can tell what NAME means
    "models.yaml": "lw: 1\nsets:\n  usual: {NAME: judge}\n",
    "prompts/zh/act/state.j2": "{{ {'NAME': 1} }}\n",
    "prompts/zh/act/asked.j2": "{% for e in own.paper if e.by == 'NAME' %}x{% endfor %}\n",
    "specs/demo.test.yaml": "lw: 1\ntests of: demo\ntests:\n  - test: a\n    surprise: NAME\n",
    "rubrics/r.yaml": "lw: 1\nrubric: r\ntitle: r\nfor: demo\nmeasures:\n  m: {title: m, rule: x, with: {of: NAME}}\n",
    "bindings/b.yaml": "lw: 1\nbinding: b\nprocedure: demo\njoin: {NAME: {file: x}}\nfields: {paper: $.x}\n",
}
LEFT = {  # it is none, or another's
    "norms/zh/loan.yaml": "lw: 1\nnorm: loan\nfacts: [NAME]\n",
    "specs/sub/other.test.yml": "lw: 1\ntests:\n  - test: a\n    target: NAME\n",
    "bindings/b.yaml": "lw: 1\nbinding: b\nprocedure: other\nfields: {NAME: $.x}\n",
    "bindings/c.yaml": "lw: 1\nbinding: c\nprocedure: demo\ntitle: NAME\nfields: {paper: {path: $.NAME}}\n",
    "prompts/en/act/state.j2": "NAME says NAME {# NAME #}\n",
    "prompts/zh/grade/ask/NAME.j2": "text\n",
    "cases/x.yaml": "NAME: 1\n",
}


def written(texts: dict[str, str], path: str, name: str) -> tuple[str, str]:
    return path.replace("NAME", name), texts[path].replace("NAME", name)


@pytest.mark.parametrize("path", CHANGED)
def test_a_name_is_changed_where_it_is_sure_what_it_means(picture: Picture, path: str) -> None:
    place, text = written(CHANGED, path, "ann")
    held = picture.replaced(place, text)
    beside = {"prompts/zh/act/ask.ann.j2": "text\n", "snapshots/demo/x/ways.yaml": "lw: 1\nsnapshots: demo\n"}
    for other, said in beside.items():
        held = held if other == place else held.replaced(other, said)
    edits = renamed(held, at(DEMO, "chair asks ann", "ann"), "anna")
    assert edits.why is None
    after = applied(held, edits)
    new, wanted = written(CHANGED, path, "anna")
    assert after.read(new) == wanted
    assert new == place or after.read(place) is None
    back = renamed(after, at(after.read(MAIN) or "", "chair asks anna", "anna"), "ann")
    assert applied(after, back).read(place) == text


@pytest.mark.parametrize("path", REFUSED)
def test_a_name_of_which_nobody_is_sure_refuses_all(picture: Picture, path: str) -> None:
    place, text = written(REFUSED, path, "ann")
    edits = renamed(picture.replaced(place, text), at(DEMO, "chair asks ann", "ann"), "anna")
    assert edits.texts == edits.renames == ()
    assert edits.why is not None
    assert edits.why.code == "LW735"
    assert edits.why.values["file"] == place
    (span,) = edits.why.also
    assert "ann" in text.split("\n")[span.line - 1]


@pytest.mark.parametrize("path", LEFT)
def test_what_is_another_name_stays(picture: Picture, path: str) -> None:
    place, text = written(LEFT, path, "ann")
    edits = renamed(picture.replaced(place, text), at(DEMO, "chair asks ann", "ann"), "anna")
    assert edits.why is None
    assert set(edits.files) == {MAIN}


@pytest.mark.parametrize("word", ["annex", "joann", "ann_b", "other"])
@pytest.mark.parametrize(("texts", "path"), [(each, path) for each in (CHANGED, REFUSED, LEFT) for path in each])
def test_a_longer_name_there_is_another(picture: Picture, texts: dict[str, str], path: str, word: str) -> None:
    place, text = written({path: texts[path].replace("ann", "person")}, path, word)
    edits = renamed(picture.replaced(place, text), at(DEMO, "chair asks ann", "ann"), "anna")
    assert edits.why is None
    assert set(edits.files) == {MAIN}
    assert edits.renames == ()


def test_keys_may_be_chinese(picture: Picture) -> None:
    words = {"tests of": "tests_of", "target": "target", "who": "who"}
    text = CHANGED["specs/demo.test.yaml"]
    for english in words:
        text = text.replace(f"{english}:", f"{YAML_KEYS.get(english.replace(' ', '_'), english)}:")
    held = picture.replaced("specs/demo.test.yaml", text.replace("NAME", "ann"))
    after = applied(held, renamed(held, at(DEMO, "chair asks ann", "ann"), "anna"))
    assert after.read("specs/demo.test.yaml") == text.replace("NAME", "anna")
