"""Prompts in a journal: each line is written once, every text comes back, and no number means what is not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.model.events import Asked, Call, Ended, Message, Reply
from legalworld.runs import prompt_lines
from legalworld.runs.journal import AnswerLine, EventLine, Journal, events_in, load, summed
from legalworld.runs.prompt_lines import JOINT, PromptLines

WORDS = st.sampled_from(
    ["", "短", "原告请求返还借款本金一百元", "被告答辩称款项是分红", "第一条 第二条", "\\n12345678", '"quoted" 12345']
)
TEXTS = st.lists(WORDS | st.text(st.characters(codec="utf-8"), max_size=20), max_size=6).map("\n".join)
HOMES = st.sampled_from(["prompts/zh/heard.j2", "act", ""])
PARTS = st.lists(st.tuples(HOMES, TEXTS), max_size=4).map(tuple)


def joined(parts: tuple[tuple[str, str], ...]) -> str:
    return JOINT.join(text for _, text in parts)


MESSAGES = st.builds(
    lambda role, parts, other, calls: Message(
        role=role, content=other if other is not None else joined(parts), parts=parts, calls=calls
    ),
    st.sampled_from(["system", "user", "assistant", "tool"]),
    PARTS,
    st.none() | TEXTS,
    st.just(()) | st.just((Call(id="1", name="search", arguments="{}"),)),
)


def asked(number: int, added: tuple[Message, ...], **shown: int) -> Asked:
    values: dict[str, Any] = {name: name for name in ("place", "person", "role", "speaker", "act", "thread")}
    return Asked(id=f"r{number}", added=added, shown=shown, **values)


def said(*texts: str) -> tuple[Message, ...]:
    return tuple(Message(role="user", content=text, parts=(("act", text),)) for text in texts)


@given(st.lists(st.lists(MESSAGES, max_size=3).map(tuple), max_size=5))
def test_every_prompt_comes_back(tmp_path_factory: pytest.TempPathFactory, prompts: list[tuple[Message, ...]]) -> None:
    path = tmp_path_factory.getbasetemp() / "prompts.jsonl"
    path.unlink(missing_ok=True)
    events = [asked(number, added, **{'"added":[]': number}) for number, added in enumerate(prompts)]
    with Journal(path) as journal:
        for event in events:
            journal.write((event,), (event.id, Reply(text="好")))
    loaded = load(path)
    assert loaded.problem is None and list(events_in(loaded.lines)) == events
    brief = list(events_in(load(path, brief=True).lines))
    assert [event.model_copy(update={"added": (), "shown": {}}) for event in events] == brief


def test_a_line_is_written_once(tmp_path: Path) -> None:
    rule = "你是审判员，应当围绕争议焦点发问。"
    with Journal(tmp_path / "j") as journal:
        for number in range(50):
            journal.write((asked(number, said(f"{rule}\n这是第{number}次向你提问。")),))
    text = (tmp_path / "j").read_text("utf-8")
    assert text.count(rule) == 1 and text.count("这是第7次向你提问") == 1
    assert len(text) < 50 * 300


def test_a_journal_cut_anywhere_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """What a kill leaves is read, and what is written behind it means the same lines."""
    path = tmp_path / "j"
    prompts = ["规则一：不得打断他人发言。\n原告陈述事实和理由。", "规则一：不得打断他人发言。\n被告答辩，请法庭查明。"]
    prompts += ["原告陈述事实和理由。\n被告答辩，请法庭查明。\n规则一：不得打断他人发言。"]
    events = [asked(number, said(text)) for number, text in enumerate(prompts)]
    with Journal(path) as journal:
        for event in events:
            journal.write((event,))
    data = path.read_bytes()
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        loaded = load(path)
        assert loaded.problem is None and list(events_in(loaded.lines)) == events[: len(loaded.lines)]
        with Journal(path, after=loaded) as journal:
            for event in events[len(loaded.lines) :]:
                journal.write((event,))
        assert path.read_bytes() == data


def test_what_did_not_reach_the_disk_is_meant_by_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk between two requests with the same words: the second writes them itself."""
    words = "本院围绕争议焦点审理查明如下事实。"
    other, path = tmp_path / "other", tmp_path / "j"
    with Journal(path) as journal:
        journal.write((asked(1, said("第一次提问的全部内容。")),))
        with monkeypatch.context() as full:
            full.setattr("os.fsync", _full)
            with pytest.raises(OSError, match="space"):
                journal.write((asked(2, said(words)),))
        journal.prepared((asked(2, said(words)),))  # never brought to the disk
        journal.write((asked(3, said(words)),))
    with Journal(other) as journal:
        journal.write((asked(1, said("第一次提问的全部内容。")),))
        journal.write((asked(3, said(words)),))
    assert path.read_bytes() == other.read_bytes()


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")


# ---- what nobody wrote -----------------------------------------------------------------------------------------------

FIRST = '{"role":"user","parts":[[["act"],["第一行的内容在这里","第二行的内容在这里"]]]}'
HOSTILE: dict[str, tuple[str, str]] = {
    "a line to come": ('{"role":"user","content":[3]}', "LW194"),
    "far away": ('{"role":"user","content":[99999999999999999999]}', "LW194"),
    "before the first": ('{"role":"user","content":[-1]}', "LW194"),
    "backwards": ('{"role":"user","content":[[1,0]]}', "LW194"),
    "beyond": ('{"role":"user","content":[[0,2]]}', "LW194"),
    "a fraction": ('{"role":"user","content":[0.0]}', "LW141"),
    "a truth": ('{"role":"user","content":[true]}', "LW194"),
    "in a home": ('{"role":"user","parts":[[[7],["x"]]]}', "LW194"),
    "twice": ('{"role":"user","content":["第一行的内容在这里"]}', "LW141"),
    "three numbers": ('{"role":"user","content":[[0,1,1]]}', "LW141"),
    "nothing": ('{"role":"user","content":[]}', "LW141"),
    "no words": ('{"role":"user"}', "LW141"),
    "a text": ('{"role":"user","content":"x"}', "LW141"),
    "a table": ('{"role":"user","content":{"0":1}}', "LW141"),
    "null": ('{"role":"user","content":[null]}', "LW141"),
    "no message": ("7", "LW141"),
    "nested": ('{"role":"user","content":[' + "[" * 5000 + "]" * 5000 + "]}", "LW141"),
    "an unknown key": ('{"role":"user","content":["x"],"blob":"/etc/passwd"}', "LW141"),
    "a half pair": ('{"role":"user","content":["\\ud83d"]}', "LW141"),
}


def forged(path: Path, *messages: str) -> None:
    """A journal whose sums are right, and whose requests hold these messages."""
    chain, data = b"", b""
    head = asked(1, ()).model_dump_json().partition('"added":')[0]
    for n, message in enumerate(messages, 1):
        line, chain = summed(f'{{"n":{n},"event":{head}"added":[{message}],"shown":{{}}}}'.encode(), chain)
        data += line
    path.write_bytes(data)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_nobody_wrote_is_told_with_its_place(name: str, tmp_path: Path) -> None:
    message, code = HOSTILE[name]
    forged(tmp_path / "j", FIRST, message, FIRST.replace("第", "又"))
    loaded = load(tmp_path / "j")
    assert loaded.problem is not None
    assert (loaded.problem.code, loaded.problem.span.line, len(loaded.lines)) == (code, 2, 1)
    with pytest.raises(ValueError, match=code):
        Journal(tmp_path / "j", after=loaded)


def test_a_short_journal_cannot_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_lines, "ROOM", 1 << 16)
    many = ",".join(["[0,1]"] * 100_000)
    long = json.dumps(["很长的一行" * 10_000, "又长的一行" * 10_000], ensure_ascii=False)
    forged(tmp_path / "j", f'{{"role":"user","content":{long}}}', f'{{"role":"user","content":[{many}]}}')
    loaded = load(tmp_path / "j")
    assert loaded.problem is not None and (loaded.problem.code, loaded.problem.span.line) == ("LW141", 2)


def test_real_prompts_of_many_are_far_from_that_bound(tmp_path: Path) -> None:
    """A thousand persons who are told the same: a journal far shorter than what it means is read."""
    words = "\n".join(f"第{number}条证据，证明借款已经交付的事实。" for number in range(100))
    with Journal(tmp_path / "j") as journal:
        journal.write(tuple(asked(number, said(words)) for number in range(1000)))
    loaded = load(tmp_path / "j")
    assert loaded.problem is None and len(loaded.lines) == 1000
    assert isinstance(loaded.lines[-1], EventLine) and not isinstance(loaded.lines[-1].event, Ended)
    assert (tmp_path / "j").stat().st_size * 10 < len(words.encode()) * 1000


def test_reading_and_writing_number_alike() -> None:
    """What is read leaves the same numbers as what is written: a run that is gone on with is one run."""
    wrote, read = PromptLines(), PromptLines()
    for number, text in enumerate(
        ["甲方陈述如下事实。\n短\n乙方没有异议表示。", "乙方没有异议表示。\n短\n甲方陈述如下事实。"] * 2
    ):
        event = asked(number, said(text))
        line = wrote.written(event)
        assert read.read(json.loads(line), len(line)) == event
    assert wrote._lines == read._lines


def test_answers_between_are_no_prompts(tmp_path: Path) -> None:
    words = "同样的一句话，在回答里也说了一遍。"
    with Journal(tmp_path / "j") as journal:
        journal.write((asked(1, said(words)),), ("r1", Reply(text=words)))
        journal.write((asked(2, said(words)),), ("r2", Reply(text=words)))
    lines = load(tmp_path / "j").lines
    assert [line.reply.text for line in lines if isinstance(line, AnswerLine)] == [words, words]
