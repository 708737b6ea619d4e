"""The documents: every example in them is held against the language, every worked-out part is as it should be."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import doc_pages as pages
import make_docs as make
import pytest
from goldens import BLESS
from typed import lw

from legalworld.checking.check import check
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.files.project_files import Disk, init
from legalworld.language import yaml_keys
from legalworld.language.link.verbs import KNOWN_ACTS
from legalworld.language.schema import PersonaSurface
from legalworld.language.sentences import keywords
from legalworld.language.sentences.parser import Parser
from legalworld.language.surfaces import load
from legalworld.language.yaml.reader import read
from legalworld.model.procedure import Procedure, steps_of
from legalworld.model.source import MemorySources, Span
from legalworld.models.scripted import Offline
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.norm_bench import norm_bench
from legalworld.runs.project import Project, open_project
from legalworld.templates.shapes import Parts
from legalworld.templates.template_set import TemplateSet
from legalworld.templates.words import FILTERS, NAMESPACE
from legalworld.wording.diagnostics import catalogue

CHINESE, ENGLISH = make.blocks(make.LANGUAGE), make.blocks(make.ENGLISH)
PLAYS = tuple(map(make.blocks, make.PLAYS))
BLOCKS = (*CHINESE, *ENGLISH, *PLAYS[0], *PLAYS[1])
SHELVES = {found[0].file: pages.Shelf.of(found) for found in (CHINESE, ENGLISH, *PLAYS)}
SHELF = SHELVES[CHINESE[0].file]
PAGES = sorted([*make.ROOT.glob("*.md"), *make.DOCS.rglob("*.md"), make.ROOT / "prompts" / "README.md"])
KINDS = {
    "yaml": {"spec", "piece", "steps", "child", "case", "broken", "persona"},
    "lw": set(),
    "text": {"record", "said"},
    "jinja": {"form"},
    "replies": set(),
}


def of_kind(*kinds: str) -> list[object]:
    found = [block for block in BLOCKS if block.info[:1] == ("yaml",) and block.info[1] in kinds]
    return [pytest.param(block, id=block.place) for block in found]


# ---- docs/language.md, docs/en/language.md ---------------------------------------------------------------------------


def test_every_block_is_one_that_is_checked() -> None:
    for block in BLOCKS:
        assert block.info and block.info[0] in KINDS, f"{block.place}: what is ```{' '.join(block.info)}?"
        known = KINDS[block.info[0]]
        assert block.info[0] in ("lw", "replies") or block.info[1] in known, f"{block.place}: {block.info}"


def outline(page: Path) -> object:
    """Headings and rows of tables by their marks; examples by their fences, their lines, and what is recorded."""
    marks = re.findall(r"^(?:#+|\|)", pages.FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    found = [block for block in make.blocks(page) if block.info[-1] != "chinese"]
    return marks, [
        (block.info, [line.split()[0] if "record" in block.info else "" for line in block.body.splitlines()])
        for block in found
    ]


def test_the_pages_are_parallel() -> None:
    """But for the whole example in Chinese words, which the English page leaves out."""
    assert outline(make.ENGLISH) == outline(make.LANGUAGE)
    assert outline(make.PLAYS[1]) == outline(make.PLAYS[0])


@pytest.mark.parametrize("block", of_kind("spec", "piece", "steps", "child"))
def test_specs_link(block: pages.Block) -> None:
    found = SHELVES[block.file].linked(block)
    assert [pages.complaint(problem) for problem in found.problems] == [], block.place


@pytest.mark.parametrize("block", of_kind("spec"))
def test_whole_specs_pass_the_check(block: pages.Block) -> None:
    """With the prompts that the project comes with, and nothing to remark."""
    procedure = linked(block.body)
    templates = TemplateSet(Shared({pages.SPEC: block.body}), procedure=procedure.name)
    assert [pages.complaint(problem) for problem in check(procedure, templates)] == [], block.place


class Shared(MemorySources):
    """Texts of one's own before the files of the project."""

    def read(self, path: str) -> str | None:
        own = super().read(path)
        return PROJECT.read(path) if own is None else own

    def names(self, folder: str) -> tuple[str, ...]:
        return tuple(sorted({*super().names(folder), *PROJECT.names(folder)}))


PROJECT = Disk(make.ROOT)


def linked(text: str) -> Procedure:
    procedure = pages.linked(text).procedure
    assert procedure is not None
    return procedure


@pytest.mark.parametrize("block", of_kind("broken"))
def test_mistakes_are_the_ones_named(block: pages.Block) -> None:
    found = pages.linked(SHELVES[block.file].framed(block))
    assert [problem.code for problem in found.problems] == [block.info[2]], block.place


def test_personas() -> None:
    for block in (block for block in BLOCKS if block.info == ("yaml", "persona")):
        node, problems = read("personas/lcpf.yaml", block.body)
        assert node is not None and not problems, block.place
        assert load(PersonaSurface, node)[1] == (), block.place


def names_of(procedure: Procedure) -> list[str]:
    """All names a spec declares, in the order of its sections."""
    roles = [role.id for role in procedure.roles.values()]
    choices = [choice for option in procedure.options.values() for choice in option.choices]
    phases = [phase.id for stage in procedure.stages for phase in stage.phases if phase.id]
    stages = [stage.id for stage in procedure.stages]
    answers = list(procedure.answers)
    return [
        *(*procedure.fields, *procedure.kinds, *roles, *procedure.options, *choices, *procedure.documents),
        *(*stages, *phases, *answers),
    ]


@cache
def chinese_names() -> dict[str, str]:
    """Chinese name -> English name, from the two whole examples, and of what only the frame names."""
    english, chinese = linked(SHELF.spec("english")), linked(SHELF.spec("chinese"))
    pairs = dict(zip(names_of(chinese), names_of(english), strict=True))
    return {
        **pairs,
        "庭审": "hearing",
        "一份": "item",
        "价款": "price",
        "争点": "disputes",
        "理由": "reason",
        "主持的人": "leader",
        "不要": "struck",
        "已出示": "produced",
        "上诉名单 中列明的当事人": "parties named in appealing",
    }


def test_the_two_whole_examples_are_one_procedure() -> None:
    names = chinese_names()
    english, chinese = linked(SHELF.spec("english")), linked(SHELF.spec("chinese"))
    for part in ("title", "law", "kinds", "roles", "targets", "fields", "documents", "answers", "options", "grants"):
        assert pages.shape(getattr(chinese, part), names) == pages.shape(getattr(english, part), names), part
    assert pages.shape(chinese.stages, names) == pages.shape(english.stages, names)
    assert chinese.tokens == english.tokens


LINES = [
    pytest.param(block, line, id=f"{block.file}:{block.line + number}")
    for block in BLOCKS
    if block.info[:1] == ("lw",)
    for number, line in enumerate(block.body.splitlines())
]


@cache
def parser_of_the_page() -> Parser:
    names = chinese_names()
    return Parser({*names, *names.values(), "item", "demand", "party", "target", "opponent", "price", "reason"})


@pytest.mark.parametrize(("block", "line"), LINES)
def test_both_languages_say_the_same(block: pages.Block, line: str) -> None:
    """The English page has the English alone."""
    said = [words.strip() for words in line.split("|")]
    assert len(said) == (2 if block in CHINESE else 1), line
    names, parser = chinese_names(), parser_of_the_page()
    trees = []
    for words in said:
        node, problems = getattr(parser, block.info[1])(words, Span("doc", 1, 1))
        assert problems == (), f"{words}: {[pages.complaint(problem) for problem in problems]}"
        trees.append(pages.shape(node, names))
    assert trees[0] == trees[-1], line


@pytest.mark.parametrize("page", [make.LANGUAGE, make.ENGLISH])
def test_every_key_and_keyword_is_explained(page: Path) -> None:
    """In the text itself, not only in the tables at the end."""
    text = page.read_text("utf-8").partition("<!-- made")[0]
    keys = {key.replace("_", " ") for *_, model in make.LEVELS for key in make.written(model)}
    keys -= {"top p"}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", text)] == []
    first = {words.en[0] for kind, words in keywords.KEYWORDS.items() if words.en and kind in keywords.VERBS}
    assert [word for word in sorted(first) if word not in text] == []


def test_the_chinese_beside_a_key_is_its_alias() -> None:
    text = make.LANGUAGE.read_text("utf-8").partition("## 附录一")[0]
    pairs = re.findall(r"`([a-z_ ]+)(?:: \w+)?`　`([^`:]+)(?:: [^`]+)?`", text)
    assert len(pairs) > 50
    spellings = {
        (en, zh.replace(" ", "")) for words in keywords.KEYWORDS.values() for en in words.en for zh in words.zh
    }
    known = {(en, zh) for zh, en in yaml_keys.YAML_KEYS.items()} | spellings | {("one of", "之一")}
    assert [pair for pair in pairs if pair not in known] == []


def test_steps_of_the_example_use_every_verb() -> None:
    kinds = {
        type(step).__name__
        for block in BLOCKS
        if block.info[:2] in (("yaml", "spec"), ("yaml", "steps"))
        for stage in linked(SHELVES[block.file].framed(block)).stages
        for step in steps_of(stage)
    }
    assert {"Speak", "Moderate", "Converse", "Draft", "Assign", "ForEach", "If", "End"} <= kinds


# ---- what is worked out ----------------------------------------------------------------------------------------------


def test_worked_out_parts_are_up_to_date() -> None:
    if BLESS:
        make.main()
    for path, made in make.outdated():
        assert path.read_text("utf-8") == made, f"{path}: run make bless"


def test_every_code_has_its_page() -> None:
    text = make.ERRORS.read_text("utf-8")
    assert [code for code in sorted(catalogue()) if f"\n### {code}\n" not in text] == []


# ---- pages whose commands are run: docs/commands.md, docs/how-to -----------------------------------------------------

READMES = {"zh": make.ROOT / "README.md", "en": make.ROOT / "README.en.md"}
COMMANDS = {"zh": make.DOCS / "commands.md", "en": make.DOCS / "en" / "commands.md"}
FOLDERS = {"zh": make.DOCS / "how-to", "en": make.DOCS / "en" / "how-to"}
HOW_TO = {  # both of a name together: they share procedures and copies that have been read
    f"{language}/{page.stem}": page
    for language, page in sorted(
        ((language, page) for language, folder in FOLDERS.items() for page in folder.glob("*.md")),
        key=lambda found: (found[1].stem, found[0]),
    )
}


@pytest.mark.slow
@pytest.mark.parametrize("language", COMMANDS)
def test_the_page_of_commands_shows_what_really_comes(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init(tmp_path)  # its reader is in a checkout
    shows_what_really_comes(COMMANDS[language], language, tmp_path, monkeypatch)


@pytest.mark.parametrize("language", READMES)
def test_the_readme_is_a_screen_with_two_commands_and_a_picture(language: str) -> None:
    text = READMES[language].read_text("utf-8")
    (block,) = pages.blocks(READMES[language])
    assert len(block.body.strip().splitlines()) == 2 and "make -C" in block.body
    (picture,) = re.findall(r'<img src="([^"]+)"', text)
    assert (make.ROOT / picture).is_file() and len(text.splitlines()) <= 50


@pytest.mark.slow
@pytest.mark.parametrize("name", HOW_TO)
def test_a_how_to_page_shows_what_really_comes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shows_what_really_comes(HOW_TO[name], name.partition("/")[0], tmp_path, monkeypatch)


def shows_what_really_comes(page: Path, language: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of a page in order, in one folder outside the checkout, with the files that it has written before;
    its excerpts from what they wrote."""
    monkeypatch.setenv("LW_LANG", language)
    monkeypatch.chdir(folder)
    wrong = [difference for block in pages.blocks(page) for difference in pages.differences(block, folder)]
    assert not wrong, "\n\n".join(wrong)


def shown(page: Path) -> list[list[str]]:
    """The commands of a page, and the files that it writes."""
    found = []
    for block in pages.blocks(page):
        if block.info == ("console",):
            found.append([command for command, _ in pages.commands(block)])
        elif len(block.info) == 2:
            found.append(list(block.info))
    return found


def test_both_pages_of_commands_show_the_same() -> None:
    commands = [[block for block in shown(page) if block[0] not in ("text",)] for page in COMMANDS.values()]
    assert len(commands[0]) > 10 and commands[0] == commands[1]


def test_the_how_to_pages_are_parallel() -> None:
    names = {name.partition("/")[2] for name in HOW_TO}
    assert {f"{language}/{name}" for language in ("zh", "en") for name in names} == HOW_TO.keys()
    for name in names:
        assert shown(HOW_TO[f"zh/{name}"]) == shown(HOW_TO[f"en/{name}"]), name


# ---- prompts/README.md -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [make.ROOT / "prompts" / "README.md", make.DOCS / "en" / "prompts.md"])
def test_all_that_templates_and_acts_can_name_is_explained(page: Path) -> None:
    spans = " ".join(re.findall(r"`([^`]+)`", page.read_text("utf-8")))
    parts = {name for shape in NAMESPACE.values() if isinstance(shape, Parts) for name in shape.named}
    parts -= {name for whole in ("grading", "study", "reflection") for name in NAMESPACE[whole].named}
    told = set(re.findall(r"\w+", spans))
    assert sorted({*NAMESPACE, *parts, *FILTERS, *KNOWN_ACTS} - told) == []


# ---- docs/tour.md, docs/new-procedure.md -----------------------------------------------------------------------------

FOLLOWED = {
    "zh/tour": make.DOCS / "tour.md",
    "en/tour": make.DOCS / "en" / "tour.md",
    "en/tutorial": make.DOCS / "en" / "new-procedure.md",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLLOWED)
def test_the_tour_and_the_tutorial_show_what_really_comes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shows_what_really_comes(FOLLOWED[name], name.partition("/")[0], tmp_path, monkeypatch)


def test_both_tours_are_one_procedure(tmp_path: Path) -> None:
    """They write the same files and type the same commands; the procedure has the same steps, roles and endings."""
    assert shown(FOLLOWED["zh/tour"]) == shown(FOLLOWED["en/tour"])
    specs = [linked(pages.blocks(FOLLOWED[f"{language}/tour"])[0].body) for language in ("zh", "en")]
    steps = [[type(step).__name__ for stage in one.stages for step in steps_of(stage)] for one in specs]
    assert steps[0] == steps[1]
    for part in ("roles", "kinds", "documents", "fields"):
        assert list(getattr(specs[0], part)) == list(getattr(specs[1], part)), part
    assert [(one.stage, one.what, one.kind, one.whose) for one in specs[0].grants] == [
        (one.stage, one.what, one.kind, one.whose) for one in specs[1].grants
    ]


def test_a_new_procedure_begins_as_its_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first spec passes the check and plays; every line of its excerpts stands in the finished spec."""
    first, *excerpts = pages.blocks(make.DOCS / "new-procedure.md")
    assert first.info == ("yaml", "first") and {block.info for block in excerpts} == {("yaml", "excerpt")}
    monkeypatch.chdir(tmp_path)
    Path("specs").mkdir()
    Path("specs/my_administrative.yaml").write_text(first.body, encoding="utf-8")
    assert lw("check", "my_administrative").code == 0
    run = lw("run", "my_administrative", "--case", "chachao", "--json")
    assert (run.code, run.object()["status"]) == (0, "ended")
    finished = (make.ROOT / "specs" / "administrative.yaml").read_text("utf-8")
    lines = {" ".join(line.split()) for line in finished.splitlines()}
    assert not {" ".join(line.split()) for block in excerpts for line in block.body.splitlines()} - lines


# ---- pages that stand in both languages ------------------------------------------------------------------------------

TWINS = {
    name: (make.DOCS / f"{name}.md", make.DOCS / "en" / f"{name}.md")
    for name in ("interventions", "law-library", "ratings", "studies")
}


def skeleton(page: Path) -> list[object]:
    """What a page has, in order: headings, rows with the keys of their first cell, items, fences, commands with their
    options. What a person calls files and folders is his language's, and so are names that stand for others (NAME)."""
    found: list[object] = []
    fenced = False
    for line in page.read_text("utf-8").splitlines():
        if line.startswith("```"):
            fenced = not fenced
            found.append(line)
        elif fenced:
            continue
        elif typed := re.match(r"    (?:\$ )?(lw [a-z-]+.*)", line):
            words = typed[1].partition("  #")[0].split()
            found.append([words[0], words[1], *(word for word in words if word.startswith("--"))])
        elif line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)
            keys = [key for key in re.findall(r"`([^`]+)`", cells[1]) if key.isascii() and not re.search("[A-Z]", key)]
            found.append((len(cells), keys))
        elif mark := re.match(r"#+ |- |\d+\. ", line):
            found.append(mark[0])
    return found


@pytest.mark.parametrize("name", TWINS)
def test_a_page_has_the_same_parts_in_both_languages(name: str) -> None:
    chinese, english = map(skeleton, TWINS[name])
    assert len(chinese) > 20 and english == chinese
    shown_in_both = [[commands for commands in shown(page) if commands[0] != "text"] for page in TWINS[name]]
    assert shown_in_both[0] == shown_in_both[1]


@pytest.mark.parametrize("name", TWINS)
def test_a_page_leads_to_itself_in_the_other_language(name: str) -> None:
    chinese, english = (page.read_text("utf-8").splitlines()[:4] for page in TWINS[name])
    assert any(f"[English](en/{name}.md)" in line for line in chinese)
    assert any(f"[中文](../{name}.md)" in line for line in english)


# ---- GLOSSARY.md -----------------------------------------------------------------------------------------------------


def test_the_glossary_is_in_order_and_says_each_term_once() -> None:
    for section in (make.ROOT / "GLOSSARY.md").read_text("utf-8").split("\n## ")[1:]:
        head, _, *rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("|")]
        terms = [row[0].strip().casefold() for row in rows]
        assert terms == sorted(set(terms)) and len(terms) > 30
        assert all(len(row) == len(head) and all(cell.strip() for cell in row) for row in rows)


# ---- ARCHITECTURE.md -------------------------------------------------------------------------------------------------


def test_the_driver_in_ten_lines_works(tmp_path: Path) -> None:
    project = open_project("bargain", tmp_path)
    assert isinstance(project, Project) and project.procedure is not None
    matter = open_case(project, project.example, "", {}, tmp_path)
    assert isinstance(matter, OpenedCase)
    told_events: list[object] = []
    decide = norm_bench(project.procedure, matter.case, project.templates)
    names: dict[str, Any] = {
        "interpret": interpret,
        "procedure": project.procedure,
        "case": matter.case,
        "settings": Settings("", 0, {}),
        "templates": project.templates,
        "tell": told_events.extend,
        "answer": Offline(project.templates, 0, decide=decide).answer,
    }
    (block,) = pages.blocks(make.ARCHITECTURE)
    exec(block.body, names)
    assert names["outcome"].status == "ended"
    assert [type(event).__name__ for event in told_events][:2] == ["Started", "Entered"]


# ---- links -----------------------------------------------------------------------------------------------------------


@cache
def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(make.ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        if file.startswith(("http:", "https:")):
            continue
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name}: {target}"
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{page.name}: {target}"
