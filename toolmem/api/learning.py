"""What is learned from transcripts, and what a person makes of it."""

from collections.abc import Sequence
from pathlib import Path

from toolmem.api.access import Access
from toolmem.api.turns import data_of
from toolmem.errors import UsageError
from toolmem.ops import capture as capturing
from toolmem.ops import review as reviewing
from toolmem.ops.reading import CaptureRequest


def capture(
    access: Access,
    file: str,
    text: str | bytes,
    *,
    format: str,
    tool: Sequence[str],
    scope: str,
    session: str,
    since_last: bool,
    dry_run: bool,
) -> capturing.Captured:
    """See ``Vault.capture``."""
    vault = access.read() if dry_run else access.write()
    request = CaptureRequest(
        scope=access.target(vault, scope),
        new_run=access.new_id,
        path=access.cwd / Path(file).expanduser() if file else None,
        lines=data_of(text),
        format=format,
        tools=tuple(tool),
        session=session,
        cwd=str(access.cwd),
        since_last=since_last,
        dry_run=dry_run,
    )
    return capturing.capture(vault, request)


def review(
    access: Access, *, accept: str, reject: str, text: str, rule: str
) -> reviewing.Agenda | reviewing.Reviewed:
    """See ``Vault.review``."""
    if accept and reject:
        raise UsageError("--accept and --reject at once")
    if (text or rule) and not accept:
        raise UsageError("--text and --rule go with --accept")
    if accept:
        return reviewing.accept_proposal(
            access.write(), accept, text=text or None, rule=rule or None
        )
    if reject:
        return reviewing.reject_proposal(access.write(), reject)
    return reviewing.list_proposals(access.read())
