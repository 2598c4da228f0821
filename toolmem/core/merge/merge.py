"""Choose the merge for each kind of file; no side is lost, no result is invalid."""

from toolmem.core.merge.facts_merge import merge_facts
from toolmem.core.merge.lines import GIT_MARKS, merge_text
from toolmem.core.merge.memory_merge import merge_memory
from toolmem.core.merge.result import MergeResult
from toolmem.core.merge.toml_merge import merge_toml
from toolmem.core.model import ANY_TOOL, SYSTEM
from toolmem.core.rules.rule_file import RuleFile, parse_rule_file
from toolmem.core.text.conflict_marks import conflict_line
from toolmem.errors import InvalidFileError

TOML = ("rule", "misplaced", "manifest", "settings")


def merge_file(kind: str, base: str, ours: str, theirs: str, path: str) -> MergeResult:
    """Merge a file of a kind (see ``store.walk``); a missing base is "".

    ``settings`` is ``toolmem.toml``; a file of no known kind gets git's own marks.
    Raises ``InvalidFileError`` for a side that cannot be read.
    """
    if ours == theirs or theirs == base:
        return MergeResult(ours)
    if ours == base:
        return MergeResult(theirs)
    for side, text in (("ours", ours), ("theirs", theirs)):
        line = conflict_line(text)
        if line and kind != "other":
            raise InvalidFileError(
                path, line, f"{side}: has an unresolved merge conflict"
            )
    if kind == "rule":
        _require_same(require_rule(ours, path), require_rule(theirs, path))
    if conflict_line(base):
        base = ""
    merge = _MERGES.get(kind, _plain)
    ends = {_line_ends(text) for text in (base, ours, theirs) if text}
    if kind == "other" or len(ends) == 1:
        return merge(base, ours, theirs, path)
    was, left, right = (text.replace("\r\n", "\n") for text in (base, ours, theirs))
    merged = merge(was, left, right, path)
    if not _is_crlf(base, ours, theirs):
        return merged
    return merged._replace(text=merged.text.replace("\n", "\r\n"))


def _line_ends(text: str) -> tuple[bool, bool]:
    """Return whether a text has lines that end with CR LF, and with LF alone."""
    both = text.count("\r\n")
    return both > 0, text.count("\n") > both


def _is_crlf(base: str, ours: str, theirs: str) -> bool:
    """Return whether merged lines end with CR LF: a change of one side is taken."""
    was, left, right = (
        2 * text.count("\r\n") > text.count("\n") for text in (base, ours, theirs)
    )
    return right if left == was else left


def _prose(base: str, ours: str, theirs: str, path: str) -> MergeResult:
    return merge_text(base, ours, theirs)


def _plain(base: str, ours: str, theirs: str, path: str) -> MergeResult:
    return merge_text(base, ours, theirs, GIT_MARKS)


_MERGES = {
    **dict.fromkeys(TOML, merge_toml),
    "memory": merge_memory,
    "facts": merge_facts,
    "prose": _prose,
}


def require_rule(text: str, path: str) -> RuleFile:
    """Read a rule file; raise ``InvalidFileError`` for a text that is not one."""
    return parse_rule_file(text, path=path, scope=SYSTEM, folder_tool=ANY_TOOL)


def _require_same(ours: RuleFile, theirs: RuleFile) -> None:
    """Raise ``InvalidFileError`` for a rule and an override in one place."""
    if ("tool" in ours.stated) != ("tool" in theirs.stated):
        message = "is a rule on one side and an override on the other"
        raise InvalidFileError(ours.path, 0, message)
