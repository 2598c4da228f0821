"""Which files a patch touches, in the form of Codex's ``apply_patch``."""

import re

_FILE = re.compile(
    r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE
)


def patch_paths(text: str) -> list[str]:
    """The files after ``*** Update File:`` and the like; none in other texts."""
    return _FILE.findall(text) if "*** " in text else []
