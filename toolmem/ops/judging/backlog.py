"""Capture transcripts without an agent at work: answers or a judge decide candidates.

Every transcript is read twice where there is a judge: first to collect the candidates
of all of them, then to write what was decided. Without a judge it is read once.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolmem.core.candidates.judging import read_answers
from toolmem.errors import Arg, Notice, ToolmemError, UsageError
from toolmem.ops.capture.capture import CaptureResult, capture
from toolmem.ops.capture.transcript import CaptureRequest
from toolmem.ops.judging.judge import NO_JUDGMENT, Judgment, ask_judge
from toolmem.store.state.candidates import StoredCandidate
from toolmem.store.vault.model_command import judge_of
from toolmem.store.vault.vault import Vault


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
) -> Judgment:
    """Return the answers that are given, else those of the user's judge."""
    looks = any(request.dry_run for request in requests)
    judge = None if looks else judge_of(vault.settings)
    if not answers and judge is None:
        return NO_JUDGMENT
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
        return Judgment(reply.answers, remarks=remarks)
    if judge is None or not candidates:
        return NO_JUDGMENT
    return ask_judge(vault, judge, candidates)


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
    result: CaptureResult, judgment: Judgment, errors: Sequence[str]
) -> CaptureResult:
    failures = (*errors, judgment.failure)
    return result._replace(
        remarks=(*judgment.remarks, *result.remarks),
        failure="; ".join(filter(None, failures)),
    )
