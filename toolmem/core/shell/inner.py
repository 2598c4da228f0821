"""Code that a command runs in addition to itself."""

from toolmem.core.shell.code import runs_programs
from toolmem.core.shell.words import Word, fill_gaps

_UNKNOWN = "${_unknown}"


class InnerCommand:
    """Code that a command runs in addition to itself.

    ``texts`` are shell texts, each with words that follow its last command; ``code`` is
    in another language, ``inert`` such code that runs no program; ``opaque`` describes
    code that cannot be seen.
    """

    __slots__ = ("code", "commands", "inert", "opaque", "texts")

    def __init__(self) -> None:
        self.commands: list[tuple[Word, ...]] = []
        self.texts: list[tuple[str, tuple[Word, ...]]] = []
        self.code: list[str] = []
        self.inert: list[str] = []
        self.opaque = ""

    def add_code(self, programs: list[str]) -> None:
        """Add programs in another language."""
        for code in programs:
            (self.code if runs_programs(code) else self.inert).append(code)

    def run_text(self, text: str, tail: tuple[Word, ...] = ()) -> None:
        """Add a shell text; one that is completely unknown is opaque."""
        bare = fill_gaps(text, "")
        if not bare.strip() and bare != text:
            self.opaque = "a shell text that only the shell knows"
            return
        if not text:
            return
        self.texts.append((fill_gaps(text, _UNKNOWN), tail))
