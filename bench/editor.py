"""What an editor waits for from `lw lsp` in a file of 1,500 lines of civil: wall time over the standard streams."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PART = "specs/parts/civil-trial.yaml"
LINES, TIMES = 1_500, 11
MOST = {"problems": 1.0, "completion": 0.2, "marked": 0.5}  # seconds; problems wait for a pause of a quarter of one


def long_text() -> str:
    """The part as it is, with copies of what it holds behind it under other names, to 1,500 lines."""
    head, _, body = (ROOT / PART).read_text("utf-8").partition("\nparts:\n")
    text, number = f"{head}\nparts:\n{body}", 0
    while text.count("\n") < LINES:
        number += 1
        text = text.rstrip("\n") + "\n" + re.sub(r"(?m)^  (?=[a-z])", f"  copy{number}_", body)
    return "\n".join(text.split("\n")[:LINES]) + "\n"


async def measured() -> dict[str, float]:
    """Medians in seconds."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from time import perf_counter as now

    from editor import Editor, position
    from lsprotocol import types

    times: dict[str, list[float]] = {"problems": [], "completion": [], "marked": []}
    async with Editor(ROOT) as editor:
        text = editor.open(PART, long_text())
        line = next(line for line in text.split("\n") if " asks " in line and line.lstrip().startswith("- "))
        half = line[: line.index(" asks ") + 3]
        for number in range(TIMES):
            typed = text.replace(line, f"{half}{'x' * number}", 1)
            begun = now()
            editor.write(PART, typed)
            await editor.problems(PART, bool)
            times["problems"].append(now() - begun)
            begun = now()
            await editor.completion(PART, position(typed, typed.index(half) + len(half)))
            times["completion"].append(now() - begun)
            begun = now()
            params = types.SemanticTokensParams(editor.document(PART))
            await editor.ask(editor.client.text_document_semantic_tokens_full_async, params)
            times["marked"].append(now() - begun)
    return {what: median(found) for what, found in times.items()}


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    code = "import asyncio, json; from bench.editor import measured; print(json.dumps(asyncio.run(measured())))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    for what, seconds in json.loads(done.stdout).items():
        most = MOST[what]
        told = f"{seconds * 1000:.0f} ms"
        yield f"lw lsp, 1,500 lines: {what} after an edit", told, f"<= {most * 1000:.0f} ms", seconds <= most


if __name__ == "__main__":
    print(asyncio.run(measured()))
