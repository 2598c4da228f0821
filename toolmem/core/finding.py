"""Finding of ``doctor``: one problem, its location and its fix."""

from typing import Any, NamedTuple

AREAS = ("installation", "vault", "index", "state", "hooks", "git", "clock", "files")


class Finding(NamedTuple):
    """A problem with its area, code, message and cure.

    ``severity`` is ``error``, ``warning`` or ``note`` (information, not a defect);
    ``path`` is the file concerned, if any; ``fixable``: an automatic fix exists.
    """

    area: str
    code: str
    message: str
    cure: str
    severity: str = "error"
    path: str = ""
    fixable: bool = False

    def document(self) -> dict[str, Any]:
        """Return the finding for JSON."""
        table = self._asdict()
        return table | {"path": self.path or None}
