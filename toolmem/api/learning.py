"""What is learned from transcripts."""

from collections.abc import Sequence
from pathlib import Path

from toolmem.api.access import Access
from toolmem.api.turns import data_of
from toolmem.ops import capture as capturing
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
    return capturing.capture(vault, request)
