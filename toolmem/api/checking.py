"""Whether a vault is in order, credentials included."""

from toolmem.api.access import Access
from toolmem.errors import UsageError
from toolmem.ops.doctor import secret_scan
from toolmem.ops.doctor.check import Report, check_vault


def check(access: Access, *, secrets: bool, history: bool) -> Report:
    """See ``Vault.check``."""
    if history and not secrets:
        raise UsageError("--history goes with --secrets")
    vault = access.read(tolerant=True)
    report = check_vault(vault)
    if secrets:
        report = report.with_more(secret_scan.scan_files(vault))
    if history:
        report = report.with_more(secret_scan.scan_history(vault))
    return report
