"""Google's generateContent (ai.google.dev/api/generate-content, .../gemini-api/docs/thought-signatures)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from loopback import Answer, Call

from families.exchange import Asked, Family, Refusal, Said, Turn, body_of, pieces

SIGNATURE = "c2lnbmVkIGNhbGw="
USAGE = {"promptTokenCount": 7, "candidatesTokenCount": 3, "thoughtsTokenCount": 0, "totalTokenCount": 10}


def _either(part: Mapping[str, Any], name: str) -> Any:
    """A member as it is written either way: functionCall, function_call."""
    return part.get(name) or part.get("".join(f"_{c.lower()}" if c.isupper() else c for c in name))


def _order(contents: list[Mapping[str, Any]]) -> None:
    if not contents or contents[0]["role"] != "user":
        raise Refusal("Please ensure that the first content has the role 'user'.")
    for content in contents:
        if content["role"] not in ("user", "model"):
            raise Refusal("Please use a valid role: user, model.")
        if not content.get("parts"):
            raise Refusal("Unable to submit request because it must have at least one parts field.")
        if any(part.get("text") == "" for part in content["parts"]):
            raise Refusal("Unable to submit request because it has an empty text parameter.")
    for before, after in pairwise(contents):
        calls = [part for part in before["parts"] if _either(part, "functionCall")]
        results = [part for part in after["parts"] if _either(part, "functionResponse")]
        if len(calls) != len(results):
            said = "Please ensure that the number of function response parts is equal to the number of function call"
            raise Refusal(f"{said} parts of the function call turn.")
        if calls and _either(calls[0], "thoughtSignature") != SIGNATURE:  # of several at once, the first has it
            said = "Function call is missing a thought_signature in functionCall parts. This is required for tools to"
            raise Refusal(f"{said} work correctly, and missing thought_signature may lead to degraded performance.")


def _turns(body: Mapping[str, Any]) -> Iterator[Turn]:
    system = _either(body, "systemInstruction")
    if system:
        yield Turn("system", "".join(part["text"] for part in system["parts"]))
    for content in body["contents"]:
        parts = content["parts"]
        if any(_either(part, "functionResponse") for part in parts):
            yield Turn("tool", json.dumps(parts, ensure_ascii=False))
            continue
        calls = tuple(_either(part, "functionCall")["name"] for part in parts if _either(part, "functionCall"))
        text = "".join(part.get("text", "") for part in parts if not part.get("thought"))
        yield Turn("assistant" if content["role"] == "model" else "user", text, calls)


def read(call: Call) -> Asked:
    path = call.path.partition("?")[0]
    stream = path.endswith(":streamGenerateContent")
    if not stream and not path.endswith(":generateContent"):
        raise Refusal(f"no such path: {call.path}", 404)
    body = call.body
    _order(body["contents"])
    tools = tuple(
        declared["name"] for tool in body.get("tools") or () for declared in _either(tool, "functionDeclarations") or ()
    )
    return Asked(tuple(_turns(body)), tools, stream, path.rpartition("/")[2].partition(":")[0])


def _parts(said: Said) -> Iterator[dict[str, Any]]:
    if said.thought:
        yield {"text": said.thought, "thought": True}
    if said.text:
        yield {"text": said.text}
    for number, call in enumerate(said.calls):
        signed = {"thoughtSignature": SIGNATURE} if number == 0 else {}
        yield {"functionCall": {"name": call.name, "args": dict(call.arguments)}, **signed}


def write(said: Said, asked: Asked) -> Answer:
    def chunk(parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        candidate = {"index": 0, "content": {"role": "model", "parts": parts}, **more}
        return {"candidates": [candidate], "usageMetadata": USAGE, "modelVersion": asked.model, "responseId": "r"}

    if not asked.stream:
        return body_of(chunk(list(_parts(said)), finishReason="STOP"))
    cut = [
        {**part, "text": piece} if "text" in part else part
        for part in _parts(said)
        for piece in pieces(part.get("text", "-"))
    ]
    chunks = [*(chunk([part]) for part in cut[:-1]), chunk(cut[-1:], finishReason="STOP")]
    lines = "".join(f"data: {json.dumps(one)}\r\n\r\n" for one in chunks)
    return Answer(lines.encode(), 200, {"Content-Type": "text/event-stream"})


def error(refusal: Refusal) -> Answer:
    told = {"code": refusal.status, "message": refusal.message, "status": "INVALID_ARGUMENT", **refusal.fields}
    return body_of({"error": told}, refusal.status)


GEMINI = Family(
    "Gemini",
    "gemini/gemini-3-pro-preview",
    {"GEMINI_API_BASE": "{url}/v1beta", "GEMINI_API_KEY": "none"},
    read,
    write,
    error,
    thinks=True,
)
