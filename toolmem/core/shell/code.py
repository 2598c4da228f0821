"""What a program in another language may run, and how it may use files."""

import re

from toolmem.core.lazy_pattern import lazy_pattern
from toolmem.core.shell.operations import CHANGE, DELETE, READ

_RUNS = lazy_pattern(
    r"system|exec|popen|spawn|process|command|`|qx|!|shell|\brun\b|\bcall\b|check_"
    r"|eval|\bsh\b|plumbum|fabric|invoke|pty|\|",
    re.IGNORECASE,
)
_TREES = lazy_pattern(r"rmtree|rm_rf|rimraf|recursive|remove_dir_all|\brm -\w*r")
_JOINS = lazy_pattern(r"(['\"])\s*[+.]\s*\1")
_CHANGES_CODE = lazy_pattern(
    r"open\s*\([^)]*,\s*['\"]?(?:mode\s*=\s*['\"])?[wax+r]*[wax+]|>|\bwrite|\bdump\b"
    r"|\btruncate|\bcopy|\bsave|appendFile|createWriteStream|-i\b|\.put\b|touch\("
)
_DELETES_CODE = lazy_pattern(
    r"unlink|rmtree|rmdir|\bremove|\brm\b|rmSync|\bdelete|\bmove\b|\brename|\breplace\("
)


def code_operations(code: str) -> frozenset[str]:
    """How a program in another language may use the files that it names."""
    found = READ
    if _DELETES_CODE.search(code):
        found |= DELETE
    return found | CHANGE if _CHANGES_CODE.search(code) else found


def runs_programs(code: str) -> bool:
    """Whether a program may run another one; what is no program at all may."""
    return _RUNS.search(code) is not None or not re.search(r"[(=;{\n]", code)


def joined(code: str) -> str:
    """The program with the texts joined that it puts together itself."""
    return _JOINS.sub("", code).replace("!", " ")


def uses_trees(code: str) -> bool:
    """Whether a program may use whole folders."""
    return _TREES.search(code) is not None
