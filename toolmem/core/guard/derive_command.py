"""Which command a ban names for certain, in code style or as a common phrase."""

import re
from typing import Any

from toolmem.core.model import ANY_TOOL
from toolmem.core.shell.flags import FLAGS
from toolmem.core.shell.program import program_name

_ENGLISH = frozenset(
    ("time", "make", "find", "watch", "script", "go", "env", "exec", "kill", "nice",
     "parallel", "node", "bundle", "dd", "su", "flock", "apt", "fish", "ash", "dash")
)  # fmt: skip
"""Programs whose name is a word: only in code style are they certain."""
_SUBCOMMANDS = {
    "git": "push pull reset rebase commit merge clean stash checkout switch tag branch"
    " add restore revert cherry-pick filter-branch gc rm mv fetch worktree submodule",
    "gh": "pr repo release issue merge create delete close",
    "npm": "install publish run ci update uninstall audit",
    "pnpm": "install publish run update remove add",
    "yarn": "install publish run add remove upgrade",
    "pip": "install uninstall",
    "uv": "add remove sync pip",
    "cargo": "publish install run build",
    "docker": "rm rmi push run exec system prune volume compose down up build stop",
    "kubectl": "delete apply exec scale drain edit patch",
    "helm": "install uninstall upgrade rollback delete",
    "terraform": "apply destroy import taint",
    "brew": "install uninstall upgrade",
    "apt-get": "install remove purge upgrade",
    "systemctl": "stop restart disable start enable",
    "chmod": "777 666 000 a+rwx",
}
_PROGRAMS = frozenset(key for key in FLAGS if " " not in key) | {
    "grep", "rg", "jq", "tee", "pytest", "mypy", "ruff", "black", "jest", "eslint",
    "prettier", "tsc", "gradle", "mvn", "ansible-playbook", "reboot", "shutdown",
    "mkfs", "mongosh", "redis-cli", "telnet", "netcat", "vim", "nano", "eval",
}  # fmt: skip
_VERB = re.compile(
    r"(?:(?:ever|just|directly|again|please|to|do|the|any)\s+)*"
    r"(?:(?:run|use|us|call|execut|execute|invok|invoke|type|try)(?:n?ing)?"
    r"(?:\s+(?:the|any|command))*\s+)?",
    re.IGNORECASE,
)
_CODE = re.compile(r"[`\"]([^`\"\n]{2,120})[`\"]")
_TOKENS = re.compile(r"[\w./:@=+~*-]+(?:\s+[\w./:@=+~*-]+)*")
_WORD = re.compile(r"\s*([\w./:@=+~*-]*[\w/*~])")
_FILLER = re.compile(
    r"(?:[\s,.:!]|\b(?:again|please|ever|anymore|any more|here|at all|directly"
    r"|commands?|in this (?:repo|repository|project)|for any reason)\b)*",
    re.IGNORECASE,
)
_FORCE = re.compile(r"force[\s.-]*push(?:es|ing|ed)?\b", re.IGNORECASE)
_PUSH = re.compile(r"(?:git\s+)?push(?:ing)?\b", re.IGNORECASE)
_BRANCH = re.compile(
    r"\s*(?:(?:directly|straight|anything)\s+)?(?:to|on|onto)\s+(?:the\s+)?[`\"]?"
    r"(?:origin[/ ])?(main|master|develop|trunk|production|prod|staging|release"
    r"|[\w./-]+(?=[`\"]?\s+branch))[`\"]?(?:\s+branch)?",
    re.IGNORECASE,
)
_WITH_FLAG = re.compile(
    r"(push|commit|rebase|merge)(?:ing)?\s+(?:with|using)\s+[`\"]?(--?[\w-]+)"
)


def command_in(text: str, tool: str, *, shell: bool) -> dict[str, Any] | None:
    """The ``command`` (and further keys) of the guard for a forbidden clause, which
    begins right after the words that forbid; ``None`` if it is not certain."""
    if not (shell or tool == ANY_TOOL or program_name(tool) in _PROGRAMS):
        return None
    text = text.strip()
    return _push(text) or _in_code(text) or _flagged(text) or _in_words(text)


def _push(text: str) -> dict[str, Any] | None:
    forced = _FORCE.match(text)
    pushed = forced or _PUSH.match(text)
    if not pushed:
        return None
    table: dict[str, Any] = {"command": ["git", "push"]}
    if forced:
        table["command"] = ["git", "push", "--force"]
    branch = _BRANCH.match(text, pushed.end())
    end = branch.end() if branch else pushed.end()
    if not _FILLER.fullmatch(text, end):
        return None
    if branch:
        name = branch[1]
        ref = f"refs/heads/{name}"
        table["glob"] = [name, f"+{name}", f"*:{name}", ref, f"*:{ref}"]
    return table


def _in_code(text: str) -> dict[str, Any] | None:
    verb = _VERB.match(text)
    code = _CODE.match(text, verb.end() if verb else 0)
    if not code or not _FILLER.fullmatch(text, code.end()):
        return None
    words = code[1].split()
    known = words and program_name(words[0]) in _PROGRAMS
    if not known or not _TOKENS.fullmatch(code[1].strip()):
        return None
    return {"command": words}


def _flagged(text: str) -> dict[str, Any] | None:
    found = _WITH_FLAG.match(text)
    if not found or not _FILLER.fullmatch(text[found.end() :].lstrip('`"')):
        return None
    return {"command": ["git", found[1].lower(), found[2]]}


def _in_words(text: str) -> dict[str, Any] | None:
    verb = _VERB.match(text)
    at = verb.end() if verb else 0
    words: list[str] = []
    path = ""
    while token := _WORD.match(text, at):
        word = token[1]
        if not words and (word not in _PROGRAMS or word in _ENGLISH):
            return None
        if words and re.match(r"[~.]*/", word) and not path:
            path = word
        elif words and not _belongs(words, word):
            break
        else:
            words.append(word)
        at = token.end()
    if not words or not _FILLER.fullmatch(text, at):
        return None
    return {"command": words, "path": path} if path else {"command": words}


def _belongs(words: list[str], word: str) -> bool:
    return word.startswith("-") or word in _SUBCOMMANDS.get(words[0], "").split()
