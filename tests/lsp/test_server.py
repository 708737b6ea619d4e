"""`lw lsp` driven over standard input and output by a client: what an editor is told, asks, and is given."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from editor import Editor, behind, position
from lsprotocol import types
from places import ROOT
from pygls.exceptions import JsonRpcException

from legalworld.authoring.completion import completion
from legalworld.authoring.edits import Cursor, Edit, Edits, Region
from legalworld.authoring.picture import Picture
from legalworld.authoring.told import diagnostics
from legalworld.files.project_files import Disk, Snapshot
from legalworld.lsp.answers import LEGEND, Refused, workspace_edit
from legalworld.lsp.open_project import OpenProject

MAIN, OTHER, PART = "specs/demo.yaml", "specs/other.yaml", "specs/parts/talk.yaml"
CIVIL, TRIAL = "specs/civil.yaml", "specs/parts/civil-trial.yaml"
DEMO = """lw: 1
procedure: demo
title: 示例😀
include: parts/talk.yaml
kinds: {P: person, H: host}
roles:
  ann: {title: 甲方, kind: person, side: left}
  bob: {title: 乙方, kind: person, side: right}
  presider: {title: 主席, kind: host}
stages:
  - stage: S
    steps:
      - presider asks ann: 😀说什么？
        id: first
      - 主席 询问 乙方: 还有吗？
        id: second
      - perform talk:
          one: ann
"""
TALK = """lw: 1
parts:
  talk:
    needs: [one]
    steps:
      - one states: 结束语
      - bob states: 谢谢
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of two procedures that share a part; in one of them nobody is called bob."""
    for path, text in {
        MAIN: DEMO,
        OTHER: DEMO.replace("procedure: demo", "procedure: other").replace("bob:", "ben:"),
        PART: TALK,
        "prompts/zh/act/states.j2": "说{% if step.cue %}：{{ step.cue }}{% endif %}{# 注 #}\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    return tmp_path


def driven(root: Path, act: Callable[[Editor], Awaitable[None]], language: str = "en") -> Editor:
    """A session with an editor, to its end; nothing may have been logged, and nothing written beside the messages."""

    async def session() -> Editor:
        async with Editor(root, language) as editor:
            await act(editor)
        return editor

    editor = asyncio.run(session())
    assert editor.said == []
    return editor


def none(told: list[types.Diagnostic]) -> bool:
    return not told


# ---- problems --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh-cn"])
def test_civil_is_sound_and_a_typing_mistake_is_told_and_mended(language: str) -> None:
    async def act(editor: Editor) -> None:
        text = editor.open(CIVIL)
        await editor.problems(CIVIL, none)
        wrong = text.replace("client of target converse", "clinet of target converse", 1)
        editor.write(CIVIL, wrong)
        (one,) = await editor.problems(CIVIL, bool)
        assert one.code == "LW061"
        assert ("类别" if language == "zh-cn" else "kind") in one.message
        start = wrong.index("clinet")
        assert one.range == types.Range(position(wrong, start), position(wrong, start + 6))
        context = types.CodeActionContext([one])
        ask = types.CodeActionParams(editor.document(CIVIL), one.range, context)
        (action,) = await editor.ask(editor.client.text_document_code_action_async, ask)
        (change,) = action.edit.document_changes
        assert [(edit.range, edit.new_text) for edit in change.edits] == [(one.range, "client")]
        editor.edit(CIVIL, one.range, "client")
        await editor.problems(CIVIL, none)

    driven(ROOT, act, language)


def test_what_is_not_saved_counts_and_what_is_closed_does_not(root: Path) -> None:
    async def act(editor: Editor) -> None:
        text = editor.open(MAIN)
        await editor.problems(MAIN, none)
        part = editor.open(PART, TALK.replace("bob states", "bub states"))
        assert part != TALK
        assert await editor.problems(PART, bool)
        editor.close(PART)
        while editor.told[editor.uri(PART)].diagnostics:
            await asyncio.sleep(0.01)
        assert text == DEMO

    driven(root, act)


def test_a_problem_of_some_procedures_names_them(root: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open(PART)
        told = await editor.problems(PART, bool)
        unknown = [one for one in told if one.code == "LW060"]
        assert len(unknown) == 1
        assert OTHER in unknown[0].message and MAIN not in unknown[0].message
        editor.write(PART, TALK.replace("bob states", "zoe states"))
        told = await editor.problems(PART, lambda found: "zoe" in str(found) and OTHER not in str(found))
        assert any(one.code == "LW060" for one in told)

    driven(root, act)


def test_another_program_that_writes_a_file_is_seen(root: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open(MAIN)
        await editor.problems(MAIN, none)
        (root / PART).write_text(TALK.replace("talk:", "speech:"), "utf-8")
        changed = types.DidChangeWatchedFilesParams([types.FileEvent(editor.uri(PART), types.FileChangeType.Changed)])
        editor.client.workspace_did_change_watched_files(changed)
        told = await editor.problems(MAIN, bool)
        assert "talk" in told[0].message

    driven(root, act)


@pytest.mark.parametrize("where", ["outside", "no project", "scheme", "link", "other folder", "relative", "parent"])
def test_files_that_are_nobodys_are_left_alone(
    root: Path, tmp_path_factory: pytest.TempPathFactory, where: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "secret.yaml"
    elsewhere.write_text("lw: 1\nprocedure: secret\n", "utf-8")
    (root / "specs/link.yaml").symlink_to(elsewhere)
    (root / "notes").mkdir()
    uri = {
        "outside": elsewhere.as_uri(),
        "no project": "file:///etc/passwd",
        "scheme": "untitled:Untitled-1",
        "link": (root / "specs/link.yaml").as_uri(),
        "other folder": (root / "notes/x.yaml").as_uri(),
        "relative": "file:specs/demo.yaml",
        "parent": (root / "specs").as_uri() + "/../../x.yaml",
    }[where]

    async def act(editor: Editor) -> None:
        document = types.TextDocumentItem(uri, "yaml", 1, DEMO.replace("presider asks", "nobody asks"))
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(6, 3))
        assert await editor.ask(editor.client.text_document_hover_async, params) is None
        editor.open(MAIN)
        await editor.problems(MAIN, none)
        assert uri not in editor.told

    driven(root, act)


# ---- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_are_right_behind_an_emoji_a_mark_and_any_line_end(root: Path, end: str, mark: str) -> None:
    async def act(editor: Editor) -> None:
        text = mark + DEMO.replace("说什么？", "说什么？ # 一").replace("\n", end)
        editor.open(MAIN, text)
        name = text.index("乙方: 还有吗")
        params = types.HoverParams(editor.document(MAIN), position(text, name + 1))
        card = await editor.ask(editor.client.text_document_hover_async, params)
        assert "bob" in card.contents.value
        assert card.range == types.Range(position(text, name), position(text, name + 2))
        place = types.DefinitionParams(editor.document(MAIN), position(text, name + 1))
        (found,) = await editor.ask(editor.client.text_document_definition_async, place)
        assert found.range.start == position(text, text.index("bob:"))

    driven(root, act)


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        ("      - presider as", "asks", "paper"),
        ("      - 主席 询", "询问", "asks"),
        ("      - 主席 询问 乙", "乙方", "询问"),
        ("      - presider asks a", "ann", "asks"),
        ("        ba", "basis", "asks"),
        ("        依", "依据", "basis"),
    ],
)
def test_a_half_typed_line_is_completed(root: Path, typed: str, offered: str, not_offered: str) -> None:
    async def act(editor: Editor) -> None:
        line = "      - presider asks ann: 😀说什么？" if typed.startswith("      -") else "        id: first"
        text = DEMO.replace(line, typed)
        editor.open(MAIN, text)
        end = position(text, text.index(f"\n{typed}\n") + 1 + len(typed))
        items = await editor.completion(MAIN, end)
        labels = [item.label for item in items]
        assert offered in labels and not_offered not in labels
        item = next(item for item in items if item.label == offered)
        assert item.text_edit.range.end == end

    driven(root, act)


@pytest.mark.parametrize(("language", "word"), [("en", "evaluation"), ("zh", "评测")])
def test_a_key_says_what_it_means(root: Path, language: str, word: str) -> None:
    async def act(editor: Editor) -> None:
        for key in ("evaluation only", "仅供评测"):
            text = DEMO.replace("stages:", f"case:\n  truth: {{path: $.truth, {key}: yes}}\nstages:")
            editor.open(MAIN, text)
            params = types.HoverParams(editor.document(MAIN), position(text, text.index(key) + 1))
            card = await editor.ask(editor.client.text_document_hover_async, params)
            assert word in card.contents.value

    driven(root, act, language)


def test_people_are_offered_where_people_speak() -> None:
    """In civil, behind `asks`: roles and parameters, no field, document or stage."""
    picture = Picture(Snapshot(Disk(ROOT)))
    procedure = picture.linked(CIVIL).procedure
    assert procedure is not None
    text = picture.read(TRIAL) or ""
    line = next(n for n, line in enumerate(text.split("\n")) if " asks " in line and line.lstrip().startswith("- "))
    lines = text.split("\n")
    lines[line] = lines[line][: lines[line].index(" asks ") + 6]
    typed = picture.replaced(TRIAL, "\n".join(lines))
    offered = {one.text for one in completion(typed, Cursor(TRIAL, line + 1, len(lines[line]) + 1))}
    assert {"judge", "plaintiff", "审判长"} & offered
    assert not offered & {*procedure.fields, *procedure.documents, *procedure.answers} - {*procedure.kinds}
    assert not offered & {stage.id for stage in procedure.stages}


def test_names_are_found_in_all_files_and_renamed_in_all_or_in_none(root: Path) -> None:
    async def act(editor: Editor) -> None:
        editor.open(MAIN)
        editor.open(PART, TALK.replace("bob", "presider"))
        here = types.RenameParams(editor.document(MAIN), behind(DEMO, "\n  presi"), "head")
        edit = await editor.ask(editor.client.text_document_rename_async, here)
        files = {change.text_document.uri: len(change.edits) for change in edit.document_changes}
        assert files == {editor.uri(MAIN): 2, editor.uri(PART): 1, editor.uri(OTHER): 2}, "every home of the part"
        with pytest.raises(JsonRpcException) as refused:
            again = types.RenameParams(editor.document(MAIN), behind(DEMO, "\n  presi"), "bob")
            await editor.ask(editor.client.text_document_rename_async, again)
        assert "bob" in refused.value.message and "Traceback" not in str(refused.value.data)

    driven(root, act)


def test_an_edit_of_a_shipped_file_is_refused_and_one_of_a_copy_is_not(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    project, path = OpenProject.at(tmp_path), "specs/bargain.yaml"
    edits = Edits((Edit(Region(path, (1, 1), (1, 2)), "L"),))
    with pytest.raises(Refused) as refused:
        workspace_edit(project, edits, "utf-16")
    assert refused.value.why.code == "LW464"
    project.put(path, (tmp_path / path).as_uri(), "lw: 1\n", 3)
    (tmp_path / path).write_text("lw: 1\n", "utf-8")
    (change,) = workspace_edit(project, edits, "utf-16").document_changes or ()
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 3


# ---- the whole of a file ---------------------------------------------------------------------------------------------


def test_a_file_is_laid_out_and_one_with_errors_is_not(root: Path) -> None:
    async def act(editor: Editor) -> None:
        options = types.FormattingOptions(2, True)
        text = (
            DEMO.replace("\n  ann:", "\n    ann:")
            .replace("\n  bob:", "\n    bob:")
            .replace("\n  presider:", "\n    presider:")
        )
        editor.open(MAIN, text)
        params = types.DocumentFormattingParams(editor.document(MAIN), options)
        (edit,) = await editor.ask(editor.client.text_document_formatting_async, params)
        assert edit.range.start.line >= 6, "what is in order is not touched"
        editor.edit(MAIN, edit.range, edit.new_text)
        assert await editor.ask(editor.client.text_document_formatting_async, params) == ()
        editor.write(MAIN, DEMO.replace("title: 示例", "title：示例"))
        with pytest.raises(JsonRpcException) as refused:
            await editor.ask(editor.client.text_document_formatting_async, params)
        assert "LW007" in refused.value.message

    driven(root, act)


def test_the_outline_holds_every_entry_within_its_parent(root: Path) -> None:
    async def act(editor: Editor) -> None:
        path = CIVIL if editor.root == ROOT else MAIN
        editor.open(path)
        params = types.DocumentSymbolParams(editor.document(path))
        found = await editor.ask(editor.client.text_document_document_symbol_async, params)
        assert [one.name for one in found][:3] == ["lw", "procedure", "title"]
        for one in found:
            nested(one)

    def ends(place: types.Range) -> tuple[int, int, int, int]:
        return place.start.line, place.start.character, place.end.line, place.end.character

    def nested(one: types.DocumentSymbol) -> None:
        assert ends(one.range)[:2] <= ends(one.selection_range)[:2]
        assert ends(one.selection_range)[2:] <= ends(one.range)[2:]
        for child in one.children or ():
            assert ends(one.range)[:2] <= ends(child.range)[:2]
            assert ends(child.range)[2:] <= ends(one.range)[2:]
            nested(child)

    driven(root, act)
    driven(ROOT, act)


def test_words_are_marked_in_sentences_and_templates(root: Path) -> None:
    async def act(editor: Editor) -> None:
        for path, wanted in (
            (
                MAIN,
                {
                    ("presider", "class"),
                    ("asks", "keyword"),
                    ("询问", "keyword"),
                    ("乙方", "class"),
                    ("id", "property"),
                },
            ),
            ("prompts/zh/act/states.j2", {("if", "keyword"), ("cue", "parameter"), ("{# 注 #}", "comment")}),
        ):
            text = editor.open(path)
            params = types.SemanticTokensParams(editor.document(path))
            data = (await editor.ask(editor.client.text_document_semantic_tokens_full_async, params)).data
            assert wanted <= set(words(text, data))

    def words(text: str, data: list[int]) -> list[tuple[str, str]]:
        lines, line, character, found = text.split("\n"), 0, 0, []
        for at in range(0, len(data), 5):
            down, ahead, length, kind, _ = data[at : at + 5]
            line, character = line + down, (0 if down else character) + ahead
            units = lines[line].encode("utf-16-le")[2 * character : 2 * (character + length)]
            found.append((units.decode("utf-16-le"), LEGEND.token_types[kind]))
        return found

    driven(root, act)


# ---- whatever is typed -----------------------------------------------------------------------------------------------

EDITS = int(os.environ.get("LW_EDITS", "60"))


def test_any_edits_leave_a_server_that_answers(root: Path) -> None:
    """Drawn edits, with questions among them; in the end the text is what the editor has, so a repair of it is told."""
    draw = random.Random(EDITS)
    pieces = [
        "",
        "\n",
        "\r\n",
        "：",
        ": ",
        "- ",
        "【",
        "{",
        "}",
        "😀",
        "\t",
        "审判长",
        "ann",
        "\0",
        "\u2028",
        "|",
        '"',
        "#",
    ]

    async def act(editor: Editor) -> None:
        text = editor.open(MAIN)
        pending: list[asyncio.Task[object]] = []
        for number in range(EDITS):
            if number % 50 == 49:
                text = DEMO
                editor.write(MAIN, text)
            start = draw.randrange(len(text) + 1)
            end = min(len(text), start + draw.choice((0, 0, 0, 1, 2, 9)))
            start, end = (at - (text[at - 1 : at + 1] == "\r\n" and at > 0) for at in (start, end))
            new = "".join(draw.choice(pieces) for _ in range(draw.randrange(4)))
            editor.edit(MAIN, types.Range(position(text, start), position(text, end)), new)
            text = text[:start] + new + text[end:]
            if number % 7 == 0:
                pending.append(asyncio.ensure_future(question(editor, position(text, start + len(new)), draw)))
            if number % 20 == 0:
                await asyncio.sleep(0)
        for answer in await asyncio.gather(*pending, return_exceptions=True):
            assert not isinstance(answer, BaseException) or getattr(answer, "code", 0) == -32801, answer
        editor.write(MAIN, text)
        editor.edit(MAIN, types.Range(types.Position(0, 0), types.Position(1 << 20, 0)), DEMO)
        await editor.problems(MAIN, none)

    async def question(editor: Editor, place: types.Position, draw: random.Random) -> object:
        document, client = editor.document(MAIN), editor.client
        match draw.randrange(4):
            case 0:
                return await client.text_document_completion_async(types.CompletionParams(document, place))
            case 1:
                return await client.text_document_hover_async(types.HoverParams(document, place))
            case 2:
                return await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        return await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))

    driven(root, act)


def test_what_is_offered_for_half_typed_lines_of_civil_adds_no_error() -> None:
    """A sample of sentences cut before a word, or behind its first character: no candidate makes errors that were not
    there."""
    picture = Picture(Snapshot(Disk(ROOT)))
    draw = random.Random(45)
    text = picture.read(TRIAL) or ""
    whole = text.split("\n")
    words = [
        word.span
        for sentence, parser in picture.read_names(CIVIL)[1].sentences.items()
        for word in parser.words(sentence)
        if word.span.file == TRIAL
    ]
    worse, tried = [], 0

    async def act(editor: Editor) -> None:
        nonlocal tried
        editor.open(TRIAL)
        for span in draw.sample(words, 20):
            line = whole[span.line - 1][: span.column - draw.choice((0, 1))]
            half = "\n".join([*whole[: span.line - 1], line, *whole[span.line :]])
            editor.write(TRIAL, half)
            items = await editor.completion(TRIAL, position(half, len("\n".join([*whole[: span.line - 1], line]))))
            before = errors(half)
            for item in draw.sample(items, min(6, len(items))):
                start = item.text_edit.range.start.character
                made = [*whole[: span.line - 1], line[:start] + item.label, *whole[span.line :]]
                tried += 1
                if errors("\n".join(made)) > before:
                    worse.append((span.line, line, item.label))

    def errors(text: str) -> int:
        found = diagnostics(picture.replaced(TRIAL, text), CIVIL, proved=False).problems
        return sum(one.severity == "error" for one in found)

    driven(ROOT, act)
    assert worse == [] and tried > 20
