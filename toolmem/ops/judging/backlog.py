"""Capture transcripts without an agent at work: answers or a judge decide candidates.

Every transcript is read twice where there is a judge: first to collect the candidates
of all of them, then to write what was decided. Without a judge it is read once. The
user's own command judges in batches: what it has no answer to is proposed.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from toolmem.core.candidates.judging import (
    JudgeAnswer,
    candidate_lines,
    read_answers,
)
from toolmem.core.candidates.limits import JUDGE_CANDIDATES
from toolmem.core.shown import counted
from toolmem.errors import Arg, Notice, ToolmemError, UsageError
from toolmem.ops.capture.capture import CaptureResult, capture
from toolmem.ops.capture.transcript import CaptureRequest
from toolmem.store.state.candidates import StoredCandidate
from toolmem.store.vault.model_command import ModelCommand, ask, judge_of
from toolmem.store.vault.vault import Vault


class _Judgment(NamedTuple):
    """Answers by candidate; ``failure`` says why some candidates have none.

    ``remarks`` are lines of the judge that are no answers.
    """

    answers: Mapping[str, JudgeAnswer]
    failure: str = ""
    remarks: tuple[str, ...] = ()


_NO_JUDGMENT = _Judgment({})


class _CaptureResults(NamedTuple):
    """The results of some transcripts, and the errors of the others."""

    results: tuple[CaptureResult, ...]
    errors: tuple[str, ...]


def capture_backlog(
    vault: Vault, requests: Sequence[CaptureRequest], answers: str
) -> CaptureResult:
    """Capture transcripts, one after the other; durable when it returns.

    Of several, one that cannot be read is reported in ``failure`` and the others are
    captured. Raises as ``capture`` does for a single one, and ``UsageError`` for
    ``answers`` without an answer.
    """
    judgment = _judgment(vault, requests, answers)
    judged = [request._replace(answers=judgment.answers) for request in requests]
    if len(judged) == 1:
        result = capture(vault.fresh(), judged[0])
        return _with(result, judgment, ())
    captured = _captured(vault, judged)
    return _with(_merged(captured.results), judgment, captured.errors)


def _judgment(
    vault: Vault, requests: Sequence[CaptureRequest], answers: str
) -> _Judgment:
    """Return the answers that are given, else those of the user's judge."""
    looks = any(request.dry_run for request in requests)
    judge = None if looks else judge_of(vault.settings)
    if not answers and judge is None:
        return _NO_JUDGMENT
    candidates = _candidates(vault, requests)
    if answers:
        reply = read_answers(
            answers, [candidate.id for candidate in candidates], "answers"
        )
        if not reply.answers and not reply.problems:
            raise UsageError(Arg("answers"), ": no JSON line with id and keep")
        remarks = tuple(
            Notice(Arg("answers"), f": {problem}") for problem in reply.problems
        )
        return _Judgment(reply.answers, remarks=remarks)
    if judge is None or not candidates:
        return _NO_JUDGMENT
    return _ask_judge(vault, judge, candidates)


def _candidates(
    vault: Vault, requests: Iterable[CaptureRequest]
) -> tuple[StoredCandidate, ...]:
    """Return what a judge is to be asked about, each once."""
    looks = [request._replace(dry_run=True) for request in requests]
    results = _captured(vault, looks).results
    unique = {
        candidate.id: candidate for result in results for candidate in result.candidates
    }
    return tuple(unique.values())


def _captured(vault: Vault, requests: Iterable[CaptureRequest]) -> _CaptureResults:
    results: list[CaptureResult] = []
    errors: list[str] = []
    for request in requests:
        try:
            results.append(capture(vault.fresh(), request))
        except ToolmemError as error:
            errors.append(str(error))
    return _CaptureResults(tuple(results), tuple(errors))


def _merged(results: Sequence[CaptureResult]) -> CaptureResult:
    """Return the results of several transcripts as one; a session only if it is one."""
    sessions = {part.session for part in results}
    formats = {part.format for part in results}
    skipped: dict[str, int] = {}
    for part in results:
        for reason, number in part.skipped.items():
            skipped[reason] = skipped.get(reason, 0) + number
    return CaptureResult(
        tuple(decree for part in results for decree in part.decrees),
        tuple(failure for part in results for failure in part.failures),
        tuple(turn for part in results for turn in part.turns),
        dict(sorted(skipped.items())),
        sessions.pop() if len(sessions) == 1 else "",
        formats.pop() if len(formats) == 1 else "",
        tuple(remark for part in results for remark in part.remarks),
        tuple(candidate for result in results for candidate in result.candidates),
    )


def _with(
    result: CaptureResult, judgment: _Judgment, errors: Sequence[str]
) -> CaptureResult:
    failures = (*errors, judgment.failure)
    return result._replace(
        remarks=(*judgment.remarks, *result.remarks),
        failure="; ".join(filter(None, failures)),
    )


def _ask_judge(
    vault: Vault, judge: ModelCommand, candidates: Sequence[StoredCandidate]
) -> _Judgment:
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
    return _Judgment(answers, failure, tuple(remarks))


def _lines(batch: Sequence[StoredCandidate]) -> str:
    return "\n".join(candidate_lines(request.line for request in batch)) + "\n"
