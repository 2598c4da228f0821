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
    judged = [one._replace(answers=judgment.answers) for one in requests]
    if len(judged) == 1:
        found = capture(vault.fresh(), judged[0])
        return _with(found, judgment, ())
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
        found = read_answers(answers, [one.id for one in candidates], "answers")
        if not found.answers and not found.problems:
            raise UsageError(Arg("answers"), ": no JSON line with id and keep")
        remarks = tuple(Notice(Arg("answers"), f": {one}") for one in found.problems)
        return Judgment(found.answers, remarks=remarks)
    if judge is None or not candidates:
        return NO_JUDGMENT
    return ask_judge(vault, judge, candidates)


def _candidates(
    vault: Vault, requests: Iterable[CaptureRequest]
) -> tuple[StoredCandidate, ...]:
    """Return what a judge is to be asked about, each once."""
    looks = [request._replace(dry_run=True) for request in requests]
    found = _captured(vault, looks).results
    unique = {one.id: one for result in found for one in result.candidates}
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
    sessions = {one.session for one in results}
    formats = {one.format for one in results}
    skipped: dict[str, int] = {}
    for one in results:
        for reason, number in one.skipped.items():
            skipped[reason] = skipped.get(reason, 0) + number
    return CaptureResult(
        tuple(decree for one in results for decree in one.decrees),
        tuple(failure for one in results for failure in one.failures),
        tuple(turn for one in results for turn in one.turns),
        dict(sorted(skipped.items())),
        sessions.pop() if len(sessions) == 1 else "",
        formats.pop() if len(formats) == 1 else "",
        tuple(remark for one in results for remark in one.remarks),
        tuple(one for result in results for one in result.candidates),
    )


def _with(
    found: CaptureResult, judgment: Judgment, errors: Sequence[str]
) -> CaptureResult:
    failures = (*errors, judgment.failure)
    return found._replace(
        remarks=(*judgment.remarks, *found.remarks),
        failure="; ".join(filter(None, failures)),
    )
