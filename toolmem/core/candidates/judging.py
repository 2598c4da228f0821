"""Write candidates as lines for a judge, and read the judge's answers as JSON lines.

The judge is any program or person that understands the sentences. Models wrap their
answers in prose and fences, so lines that are not JSON objects are skipped.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from toolmem.core.text.safetext import one_line

INSTRUCTION = (
    "# Each line is a sentence that a user typed to a coding agent. Answer each with "
    'one line of JSON: {"id": "…", "keep": true or false, "tools": ["…"]}. keep is '
    "true only if the user wants this in all later sessions (kind back: lifts "
    "a rule that is in force), not for this task only, not as what the product "
    "should do, not as a quotation. tools names the tools that it is about; [] means "
    "every tool."
)
"""The question, above the lines."""
_TOOLS = 10
"""Maximum number of tools in one answer; more would be an unspecific list."""


class CandidateLine(NamedTuple):
    """A candidate as a judge sees it; ``tools`` are those that its text names."""

    id: str
    kind: str
    sentence: str
    before: str
    after: str
    tools: tuple[str, ...]


class JudgeAnswer(NamedTuple):
    """The answer about one candidate; ``judge`` names who gave it."""

    keep: bool
    tools: tuple[str, ...] = ()
    judge: str = ""


NO_ANSWERS: Mapping[str, JudgeAnswer] = MappingProxyType({})


class JudgeAnswers(NamedTuple):
    """Answers by candidate, and invalid lines with the reason."""

    answers: Mapping[str, JudgeAnswer]
    problems: tuple[str, ...] = ()


def candidate_lines(candidates: Iterable[CandidateLine]) -> Iterator[str]:
    """Yield the instruction, then a line of JSON for each candidate."""
    yield INSTRUCTION
    for candidate in candidates:
        yield json.dumps(candidate._asdict(), ensure_ascii=False)


def read_answers(text: str, known: Sequence[str], judge: str) -> JudgeAnswers:
    """Read answers about ``known`` candidates; the last one about an id counts."""
    ids = frozenset(known)
    answers: dict[str, JudgeAnswer] = {}
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip().rstrip(",")
        if not line.startswith("{"):
            continue
        try:
            candidate, answer = _read(line, judge)
        except ValueError as error:
            problems.append(f"line {number}: {error}")
            continue
        if candidate in ids:
            answers[candidate] = answer
        else:
            problems.append(f"line {number}: no candidate {one_line(candidate)!r:.40}")
    return JudgeAnswers(answers, tuple(problems))


def _read(line: str, judge: str) -> tuple[str, JudgeAnswer]:
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError("is not a JSON object") from error
    candidate, keep, tools = (answer.get(key) for key in ("id", "keep", "tools"))
    if not isinstance(candidate, str):
        raise ValueError("id is not a text")
    if not isinstance(keep, bool):
        raise ValueError("keep is not true or false")
    if isinstance(tools, str):
        tools = [tools]
    tools = [] if tools is None else tools
    if not isinstance(tools, list) or not all(isinstance(tool, str) for tool in tools):
        raise ValueError("tools is not a list of names")
    named = dict.fromkeys(name for tool in tools if (name := one_line(tool).strip()))
    return candidate, JudgeAnswer(keep, tuple(named)[:_TOOLS], judge)
