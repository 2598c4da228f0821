"""Choose the topic and the file name of an imported text."""

from toolmem.core import limits
from toolmem.core.text.cut import cut_at_word
from toolmem.core.text.terms import normal_topic

_AGENT_FOLDERS = (
    ".claude", ".cursor", ".github", ".windsurf", ".clinerules", ".rulesync",
    "rules", "instructions",
)  # fmt: skip
_WHOLE = frozenset(
    "claude claude.local agents agents.override agent gemini copilot-instructions"
    " cursorrules windsurfrules clinerules goosehints index readme".split()
)
"""Files whose names indicate the program that reads them, not their subject."""


def stem_of_path(name: str) -> str:
    """Return the name of a file without its folders, its suffixes and a leading dot."""
    last = name.rpartition("/")[2].lstrip(".")
    for suffix in (".instructions.md", ".local.md", ".override.md"):
        if last.lower().endswith(suffix) and suffix == ".instructions.md":
            return last[: -len(suffix)]
    return last.rpartition(".")[0] or last


def project_of(name: str) -> str:
    """Return the words that name what a whole file is about: project, program.

    ``name`` begins with the project's identity. A file that is named after a subject
    ("kubernetes.mdc") is about that subject only, so its name is not one of the words.
    """
    *folders, last = name.split("/")
    hidden = (at for at, folder in enumerate(folders) if folder.startswith("."))
    above = folders[: next(hidden, len(folders))]
    on_host = len(above) > 2 and "." in above[0]
    words = [folder.partition("@")[0] for folder in above[on_host:]]
    stem = stem_of_path(last)
    return " ".join([*words, stem] if stem.lower() in _WHOLE else words)


def topic_of(name: str, program: str, place: str, stated: str) -> str:
    """Return the topic of a text: the stated one, else its path, else its heading.

    ``name`` is that of its file, ``program`` the one whose instructions it is (empty
    for notes, whose topic is their folder).
    """
    if stated:
        return _short(stated)
    folders = [folder for folder in name.split("/")[:-1] if folder not in (".", "..")]
    names = [folder for folder in folders if folder not in _AGENT_FOLDERS]
    stem = stem_of_path(name)
    if program and stem.lower() not in _WHOLE:
        names.append(stem)
    if not names and program and place:
        names = [place.rpartition(" / ")[2]]
    return _short(" ".join(names))


def _short(text: str) -> str:
    return cut_at_word(normal_topic(text), limits.TOPIC_CHARS, "-")
