"""Keywords of files in one language: the procedure stays, a second time changes nothing, there and back is the same."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from drawn_layouts import _plain as plain
from drawn_layouts import shipped
from places import ROOT
from typed import lw

from legalworld.authoring import keywords
from legalworld.authoring.keywords import YES_OR_NO, Language, Rewritten, rewritten
from legalworld.language.link.linker import link
from legalworld.language.schema import SpecSurface
from legalworld.language.surfaces import written_keys
from legalworld.language.yaml.reader import read
from legalworld.language.yaml_keys import YAML_KEYS
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources

FILES = {path: text for path, text in shipped().items() if path.split("/")[0] in ("specs", "personas", "skills")}
MAIN = [path for path in FILES if path.startswith("specs/") and path.count("/") == 1 and ".test." not in path]
CONSTRUCTS = {
    file.relative_to(ROOT).as_posix(): file.read_text("utf-8")
    for file in sorted((ROOT / "tests/engine/constructs").glob("*/spec.yaml"))
}
EN = """lw: 1  # title: yes
procedure: demo
title: yes
roles:
  title: {title: 甲, assigned: yes}  # kept
case: {steps: {title: stages, path: $.one, types: {title: {many: true}}}}
stages:
  - stage: S
    steps:
      - title states: 你好
        id: "no"
"""


@cache
def made(path: str, text: str, language: Language) -> Rewritten:
    found = rewritten(path, text, language)
    assert isinstance(found, Rewritten), (path, found)
    return found


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_key_of_the_other_language_is_left(language: Language) -> None:
    keys = changed = 0
    for path, text in (FILES | CONSTRUCTS).items():
        if isinstance(found := rewritten(path, text, language), Diagnostic):
            assert path in CONSTRUCTS, path  # some of them hold errors on purpose
            continue
        keys, changed = keys + found.keys, changed + found.changed
        assert made(path, found.text, language) == Rewritten(found.text, found.keys, 0, found.free), path
        node, _ = read(path, found.text)
        other = {key.key.text for key in written_keys(SpecSurface, node) if node}
        assert not {key for key in other if (key in YAML_KEYS) is (language == "en")}, path
    assert keys > 5000
    assert changed > 1000


def test_there_and_back_is_the_same() -> None:
    for path, text in FILES.items():
        there = made(path, made(path, text, "zh").text, "en")
        assert there.text == made(path, text, "en").text
        assert made(path, there.text, "zh").text == made(path, text, "zh").text
        notes = [re.findall(r"(?<= )#.*|^#.*", each, re.M) for each in (text, there.text)]
        assert notes[0] == notes[1], path


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("path", MAIN)
def test_a_shipped_procedure_is_the_same(path: str, language: Language) -> None:
    """With all its parts, personas and cards rewritten too."""
    texts = {name: made(name, text, language).text for name, text in FILES.items()}
    before, after = link(MemorySources(FILES), path), link(MemorySources(texts), path)
    assert before.procedure is not None
    assert plain(before.procedure) == plain(after.procedure)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_procedures_of_the_constructs_are_the_same(language: Language) -> None:
    linked = 0
    for path, text in CONSTRUCTS.items():
        found = rewritten(path, text, language)
        before = link(MemorySources({path: text}), path).procedure
        if isinstance(found, Rewritten) and before is not None:
            linked += 1
            assert plain(before) == plain(link(MemorySources({path: found.text}), path).procedure), path
    assert linked > 100


def test_names_texts_and_remarks_stay() -> None:
    text = made("specs/demo.yaml", EN, "zh").text
    zh = {key: word for word, key in reversed(YAML_KEYS.items())}
    assert f"{zh['title']}: yes\n" in text
    assert f"  title: {{{zh['title']}: 甲, {zh['assigned']}: 是}}  # kept" in text
    assert f"steps: {{{zh['title']}: stages" in text
    assert f"title: {{{zh['many']}: 是}}" in text
    assert 'id: "no"' in text or f'{zh["id"]}: "no"' in text
    assert "- title states: 你好" in text
    assert ": 1  # title: yes\n" in text


def test_what_is_yes_or_no_is_read_as_nothing_else() -> None:
    """Each attribute whose word is rewritten is given to the reader of yes and no."""
    code = "".join(file.read_text("utf-8") for file in (ROOT / "legalworld/language/link").glob("*.py"))
    for name in YES_OR_NO:
        assert f"truth(surface.{name}" in code, name


@pytest.mark.parametrize("words", [("甲", "乙"), ("many", "unique"), ("assigned: yes", "assigned: no")])
def test_a_rewriting_that_says_something_else_is_refused(
    words: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keywords, "_replaced", lambda text, _: text.replace(*words))
    found = rewritten("specs/demo.yaml", EN, "zh")
    assert isinstance(found, Diagnostic)
    assert found.code == "LW897"


@pytest.mark.parametrize(("text", "code"), [("a: [1\n", "LW729"), ("a: 1\n", "LW896"), ("- 1\n", "LW896")])
def test_what_is_no_spec_is_refused(text: str, code: str) -> None:
    found = rewritten("specs/x.yaml", text, "en")
    assert isinstance(found, Diagnostic)
    assert found.code == code


def test_the_command_writes_and_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo.yaml").write_text(EN, "utf-8")
    assert lw("fmt", "demo.yaml", "--keywords", "zh", "--check").code == 1
    assert (tmp_path / "demo.yaml").read_text("utf-8") == EN
    done = lw("fmt", "demo.yaml", "--keywords", "zh")
    assert done.code == 0
    assert (tmp_path / "demo.yaml").read_text("utf-8") == made("demo.yaml", EN, "zh").text
    assert lw("fmt", "demo.yaml", "--keywords", "zh", "--check").code == 0
