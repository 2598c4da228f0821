"""What is learned from transcripts."""

from collections.abc import Sequence
from pathlib import Path

from toolmem.api.access import Access
from toolmem.api.turns import data_of
from toolmem.ops.capture import capture as capturing
from toolmem.ops.capture.live import Late, capture_waiting
from toolmem.ops.capture.transcript import CaptureRequest


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
) -> capturing.CaptureResult:
    """See ``Vault.capture``."""
    vault = (access.read() if dry_run else access.write()).session_vault
    if not dry_run:
        vault.require_writable()
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
    late = Late() if dry_run else capture_waiting(vault)
    found = capturing.capture(vault, request)
    return found._replace(
        decrees=(*late.decrees, *found.decrees),
        remarks=(*map(str, late.errors), *found.remarks),
    )
