"""Let the user's own command judge candidates, in batches.

Answers of batches that succeeded count although a later one fails: what has no answer
is proposed, so nothing is lost.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from toolmem.core.candidates.judging import (
    JudgeAnswer,
    candidate_lines,
    read_answers,
)
from toolmem.core.candidates.limits import JUDGE_CANDIDATES
from toolmem.core.shown import counted
from toolmem.store.state.candidates import StoredCandidate
from toolmem.store.vault.model_command import ModelCommand, ask
from toolmem.store.vault.vault import Vault


class Judgment(NamedTuple):
    """Answers by candidate; ``failure`` says why some candidates have none.

    ``remarks`` are lines of the judge that are no answers.
    """

    answers: Mapping[str, JudgeAnswer]
    failure: str = ""
    remarks: tuple[str, ...] = ()


NO_JUDGMENT = Judgment({})


def ask_judge(
    vault: Vault, judge: ModelCommand, candidates: Sequence[StoredCandidate]
) -> Judgment:
    """Ask the judge about candidates; stop at the first batch that fails."""
    answers: dict[str, JudgeAnswer] = {}
    remarks: list[str] = []
    failure = ""
    name = PurePath(judge.command[0]).name
    for start in range(0, len(candidates), JUDGE_CANDIDATES):
        batch = candidates[start : start + JUDGE_CANDIDATES]
        answered = ask(judge, _lines(batch))
        failure = answered.failure
        if failure:
            break
        reply = read_answers(answered.text, [request.id for request in batch], name)
        answers |= reply.answers
        remarks += (f"capture.judge: {problem}" for problem in reply.problems)
        if vault.progress is not None:
            done = min(start + JUDGE_CANDIDATES, len(candidates))
            vault.progress("judging candidates", done, len(candidates))
    missing = len(candidates) - len(answers)
    if missing and not failure:
        failure = f"answered {len(answers)} of {counted(len(candidates), 'candidate')}"
    if failure:
        rest = f"{counted(missing, 'candidate')} not judged: proposed for review"
        failure = f"capture.judge: `{name}` {failure}; {rest}"
    return Judgment(answers, failure, tuple(remarks))


def _lines(batch: Sequence[StoredCandidate]) -> str:
    return "\n".join(candidate_lines(request.line for request in batch)) + "\n"
