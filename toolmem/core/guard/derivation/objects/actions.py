"""Derive guards from bans on actions on common objects: "don't create tags".

An object is what a program manages: a branch, a pull request, a volume. Tools of
services have the action and the object in their names: ``mcp__notion__delete_page``.
"""

import re
from collections.abc import Iterator
from typing import Any

from toolmem.core.guard.derivation.objects.phrases import Phrase
from toolmem.core.guard.derivation.reading.sentence import Ban

_ACTIONS = {
    "create": r"creat|add|open|cut|file|make",
    "delete": r"delet|remov|trash|wip|eras",
    "merge": r"merg",
    "close": r"clos",
    "reopen": r"re-?open",
    "comment": r"comment(?:ing)? on|comment",
    "edit": r"edit|updat|chang|modif|renam",
    "archive": r"archiv",
    "publish": r"publish",
    "run": r"run|trigger|start",
    "push": r"push",
    "clone": r"clon",
    "tag": r"tag",
    "prune": r"prun",
}
_TAGGED = r"\btag\s+(-[asfu]\S*\s+|--(annotate|sign|force)\s+)*[^-\s]"
_COMMANDS: dict[str, list[dict[str, Any]]] = {
    "create tag": [{"command": ["git", "tag"], "regex": _TAGGED}],
    "delete tag": [{"command": [["git", "tag", "-d"], ["git", "push", "--delete"]]}],
    "clone repo": [{"command": ["git", "clone"]}],
    "tag release": [{"command": ["git", "tag"], "regex": _TAGGED}],
    "push tag": [{"command": [["git", "push", ["--tags", "--follow-tags"]]]}],
    "create branch": [
        {"command": [["git", "checkout", ["-b", "-B"]], ["git", "switch", "-c"]]}
    ],
    "delete branch": [{"command": [["git", "branch", "-d"], ["git", "push", "-d"]]}],
    "delete stash": [{"command": [["git", "stash", ["drop", "clear"]]]}],
    "delete container": [{"command": [["docker", "rm"], ["docker", "container"]]}],
    "delete image": [{"command": [["docker", "rmi"], ["docker", "image", "rm"]]}],
    "delete volume": [{"command": [["docker", "volume", ["rm", "prune"]]]}],
    "prune volume": [{"command": ["docker", "volume", "prune"]}],
    "prune image": [{"command": ["docker", "image", "prune"]}],
    "prune container": [{"command": ["docker", "container", "prune"]}],
    "delete pod": [{"command": ["kubectl", "delete", ["pod", "pods", "po"]]}],
    "delete namespace": [
        {"command": ["kubectl", "delete", ["namespace", "namespaces", "ns"]]}
    ],
}
"""Action and object → the tests of the commands that do it."""
_HOSTED = {
    "pr": ("create", "merge", "close", "reopen", "comment", "edit"),
    "issue": ("create", "close", "delete", "reopen", "comment", "edit"),
    "release": ("create", "delete", "edit"),
    "repo": ("create", "delete", "edit", "archive"),
    "gist": ("create", "delete", "edit"),
    "workflow": ("run",),
    "secret": ("delete",),
}
"""Objects of ``gh`` → the actions that are its subcommands."""
_NAMES = {
    "pr": r"prs?|pull[ -]requests?|mrs?|merge requests?",
    "branch": r"branch(?:es)?",
    "stash": r"stash(?:es)?",
    "repo": r"repos?|repositor(?:y|ies)",
    "release": r"(?:github )?releases?",
    **{name: rf"(?:github |git |docker )?{name}s?" for name in (
        "tag", "issue", "gist", "workflow", "secret", "container", "image", "volume",
        "pod", "namespace", "page", "ticket", "event", "message", "channel", "record",
        "document", "comment", "task", "card", "project", "user", "email", "draft",
        "label", "milestone", "database", "invoice", "customer",
    )},
}  # fmt: skip
_TOOL_WORDS = {
    "create": ("create", "add"), "delete": ("delete", "remove", "trash"),
    "edit": ("update", "edit", "modify"), "pr": ("pull_request", "_pr"),
    "ticket": ("ticket", "issue"),
}  # fmt: skip
_SERVICE = (
    r"(?:\s+(?:in|on|from|at)\s+(?:the\s+|our\s+)?(?P<service>[A-Z][a-zA-Z]{2,20}))?"
)
_ACTION = re.compile(
    r"\s*(?i:(?:(?:ever|just|directly|please|even|also|again)\s+)*)"
    rf"(?i:{'|'.join(f'(?P<{name}>{verb})' for name, verb in _ACTIONS.items())})"
    r"(?i:e|es|d|ed|ing|s|t?ting|n?ning|ging|ged|ned|ted)?\s+"
    r"(?i:(?:(?:of|any|a|an|the|new|more|my|your|our|own|local|(?P<far>remote)|old|other"
    r"|existing"
    r"|git)\s+)*)(?:(?P<owner>[A-Z][a-z][a-zA-Z]{1,19})\s+)?"
    rf"(?i:{'|'.join(f'(?P<of_{name}>{noun})' for name, noun in _NAMES.items())})\b"
    + r"(?:\s+in\s+(?:the\s+)?(?i:project)\s+(?P<project>[A-Z][A-Z0-9]+)\b)?"
    + _SERVICE
    + r"(?P<remote>(?i:\s+(?:on|from)\s+(?:the|a|any|our)\s+remote\b))?"
    + r"(?i:\s*,?\s*(?:local(?:ly)?|remote(?:ly)?)(?:\s*(?:,|or|and)\s*"
    r"(?:local(?:ly)?|remote(?:ly)?))?)?"
)


_CREATED_OBJECT = re.compile(
    r"(?i)\s*(?:new\s+|git\s+)*(?:tags?|prs?|pull requests?|releases?|branch(?:es)?)\b"
)
"""Objects whose ban is one on making them: "no tags"."""
_MORE = re.compile(
    r"(?i)\s*(?:,\s*(?:or\s+|and\s+)?|or\s+|and\s+)"
    rf"(?:{'|'.join(f'(?P<of_{name}>{noun})' for name, noun in _NAMES.items())})\b"
)


def named_object(clause: str) -> str:
    """Return the object of a service that a clause begins with, such as "PRs"."""
    noun = re.match(rf"(?i)\s*(?:the\s+)?({'|'.join(_NAMES.values())})\b", clause)
    return noun[1] if noun else ""


def action_phrase(ban: Ban) -> Phrase | None:
    """Return the tests for a ban on an action on a known object."""
    match = _ACTION.match(ban.text)
    if ban.is_noun and not match and _CREATED_OBJECT.match(ban.text):
        ban = ban._replace(text=f"create {ban.text}")
        phrase = action_phrase(ban)
        return phrase and phrase._replace(end=phrase.end - len("create "))
    if not match:
        return None
    named = {key: value for key, value in match.groupdict().items() if value}
    action = next(key for key in named if key in _ACTIONS)
    thing = next(key for key in named if key.startswith("of_")).removeprefix("of_")
    service = named.get("service") or named.get("owner", "")
    tables = tuple(_tables(action, thing, service))
    end = match.end()
    while more := _MORE.match(ban.text, end):
        other = next(key for key, value in more.groupdict().items() if value)
        tables += tuple(_tables(action, other.removeprefix("of_"), service))
        end = more.end()
    if "project" in named:
        keys = ["project", "project_key", "projectkey", "project_id"]
        where = {"argument": keys, "glob": named["project"]}
        tables = tuple({**table, **where} for table in tables if "tool" in table)
    if {"far", "remote"} & named.keys() and f"{action} {thing}" == "delete branch":
        tables = ({"command": ["git", "push", "--delete"]}, *tables[1:])
    return Phrase(tables, end) if tables else None


def _tables(action: str, thing: str, service: str) -> Iterator[dict[str, Any]]:
    yield from _COMMANDS.get(f"{action} {thing}", ())
    if action in _HOSTED.get(thing, ()) and service in ("", "GitHub"):
        yield {"command": ["gh", thing, action]}
    elif not service and f"{action} {thing}" not in _COMMANDS:
        return
    prefix = f"*{service.lower()}*" if service else "*"
    verbs, things = (_TOOL_WORDS.get(one, (one,)) for one in (action, thing))
    names = [
        f"{prefix}{first}*{second}*"
        for verb in verbs
        for name in things
        for first, second in ((verb, name), (name, verb))
    ]
    yield {"tool": names}
    if action == "close":
        changed = [f"{prefix}{verb}*{name}*" for verb in _TOOL_WORDS["edit"]
                   for name in things]  # fmt: skip
        yield {"tool": changed, "argument": ["state", "status"], "glob": "clos*"}
