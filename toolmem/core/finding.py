"""What a doctor finds: one trouble, where it is, and what helps."""

from typing import Any, NamedTuple

AREAS = ("installation", "vault", "index", "state", "hooks", "git", "clock", "files")


class Finding(NamedTuple):
    """A trouble: in which area, its code, what is wrong, and the cure.

    ``severity`` is ``error``, ``warning`` or ``note`` (worth knowing, no defect);
    ``path`` is the file, if one is meant; ``fixable`` says that a fix is known.
    """

    area: str
    code: str
    message: str
    cure: str
    severity: str = "error"
    path: str = ""
    fixable: bool = False

    def document(self) -> dict[str, Any]:
        """The finding as JSON shows it."""
        table = self._asdict()
        return table | {"path": self.path or None}
