"""Occasions in sentences: what a demand follows, and what it must precede."""

import re

from toolmem.core.guard.derivation.duty_words import (
    CODE,
    PLACES,
    Text,
    bare_command,
    is_command,
    patterns_of,
)

_FINISHED = (
    r"(?:(?:a|the|your|each|every|any|this|that)\s+)?(?:task|turn|work|job|session"
    r"|response|change|ticket|feature|issue|implementation|assignment)s?"
)
_CLAIM = (
    r"(?:say(?:ing)?|tell(?:ing)?(?:\s+me)?|claim(?:ing)?|report(?:ing)?|declar(?:e"
    r"|ing)"
    r"|announc(?:e|ing)|mark(?:ing)?|consider(?:ing)?|call(?:ing)?|conclud(?:e|ing))"
)
_DONE = (
    rf"(?:{_CLAIM}\s+[\w'’\s]{{0,30}}?(?:done|complete(?:d|ly)?|completion|finished"
    r"|success|works?|working|fixed|ready|over)"
    rf"|(?:finish|end|complet|stop|conclud|wrapp?|clos|handing|hand)(?:ing|e|es)?"
    rf"(?:\s+(?:up|off|over|back|in))?(?:\s+{_FINISHED})?(?:\s+back|\s+over|\s+to me)?"
    r"|(?:(?:you(?:'re|’re| are)|being)\s+(?:through|ready)|(?:(?:you(?:'re|’re| are)"
    rf"|being)\s+)?(?:done|finished))(?:\s+with\s+{_FINISHED})?"
    rf"|{_FINISHED}\s+(?:is|are)\s+(?:done|complete|completed|finished|over))"
)
_COMMIT = (
    r"(?:(?:each|every|any|a|the|your|all)\s+)?(?:git\s+)?commit(?:t?ing|s|ted)?"
    r"(?:\s+(?:anything|code|changes|your changes|the changes|your work|work|it))?"
)
_PUSH = (
    r"(?:(?:each|every|any|a|the|your)\s+)?(?:git\s+)?push(?:ing|es|ed)?"
    r"(?:\s+(?:anything|code|changes|your changes|commits|your branch|a branch|it"
    r"|to (?:the )?(?:remote|origin|github)))?"
)
_PR = (
    r"(?:(?:open|creat|rais|submit|mak|fil|send)(?:ing|e|ting)?\s+)?"
    r"(?:(?:a|the|any|every|each|your)\s+)?(?:new\s+)?(?:prs?|pull[- ]requests?"
    r"|merge[- ]requests?|mrs?)"
)
_DEPLOY = r"(?:(?:each|every|any|a|the)\s+)?deploy(?:ing|ments?|s|ed)?(?:\s+anything)?"
_PUBLISH = (
    r"(?:(?:each|every|any|a|the)\s+)?(?:publish(?:ing|ed)?|releas(?:e|es|ing|ed))"
)
_MERGE = (
    r"(?:(?:each|every|any|a|the)\s+)?merg(?:e|ing|es|ed)(?:\s+(?:anything|it|a pr))?"
)
_TAG = r"(?:(?:creat|mak)(?:e|ing)\s+)?(?:(?:a|any|every)\s+)?tag(?:ging)?"
_ACTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (_DONE, ()),
    (_COMMIT, ("git commit",)),
    (_PUSH, ("git push",)),
    (_PR, ("gh pr create", "glab mr create")),
    (_MERGE, ("git merge", "gh pr merge")),
    (_PUBLISH, ("npm publish", "pnpm publish", "yarn publish", "cargo publish",
                "twine upload", "uv publish", "poetry publish", "gh release create")),
    (_DEPLOY, ("make deploy", "just deploy", "npm run deploy", "pnpm run deploy",
               "yarn deploy", "fly deploy", "vercel deploy", "netlify deploy",
               "firebase deploy", "wrangler deploy", "serverless deploy", "cdk deploy",
               "gcloud app deploy", "cap deploy", "./deploy.sh")),
    (_TAG, ("git tag",)),
)  # fmt: skip
"""What a demand may precede, with its commands; the end of a turn has none."""
RUN = r"(?:run|rerun|re-run|execut|invok|call|us)(?:n?ing|e)?"
_YOU = r"(?:you|we|i|anyone|someone|the agent)\s+(?:(?:have|has|had|ever|also)\s+)?"
_VERB = (
    r"(?:chang|edit|touch|modif|updat|alter|add|adapt|refactor|writ|mak|do|creat|work"
    r"|delet|remov)"
)
_GERUND = rf"(?:you(?:'ve|’ve| have)\s+)?{_VERB}(?:ing|ying|ed|d|ied|e|y|s|t?ting)?"
ON_CHANGES = (
    r"(?:chang(?:e|es)|edit(?:s|ing)?|modifications?|updates?|additions?|touch)"
)
TOUCHING = r"(?:chang|edit|touch|modify|updat|alter|writ)ing"
OF = r"(?:to|of|in|on|under|inside|within)"
_HAPPENED = (
    r"(?:(?:is|are|was|were|has been|have been|gets?|got)\s+)?"
    r"(?:chang(?:e|es|ed)|edited|modified|touched|updated|altered)"
)
_WHEN = (
    r"(?:(?:right|directly|immediately|straight|always)\s+)?"
    r"(?:after|when(?:ever)?|(?:every|each|any)\s*time|once|if|as soon as)"
)
_CHANGES = (
    rf"(?:{_WHEN}\s+(?:that\s+)?(?:{_YOU})?{_GERUND}\s+(?:(?:to|on|in)\s+)?{PLACES}"
    rf"|{_WHEN}\s+(?:(?:each|every|any|all|a)\s+)?(?:\w+\s+)?{ON_CHANGES}\s+{OF}\s+"
    + PLACES.replace("?P<", "?P<b_")
    + rf"|{_WHEN}\s+"
    + PLACES.replace("?P<", "?P<c_")
    + rf"\s+{_HAPPENED}"
    rf"|(?:with|on|for|at|upon)\s+(?:each|every|any|all)\s+{ON_CHANGES}\s+{OF}\s+"
    + PLACES.replace("?P<", "?P<d_")
    + r"|(?:(?:right|immediately)\s+)?(?:after|with|on|for)\s+(?:each|every|any|all)"
    rf"\s+(?P<bare>(?:code\s+)?(?:{ON_CHANGES}))" + r")"
)
_AT_END = (
    rf"(?:at|by|before)\s+the\s+(?:very\s+)?end(?:\s+of\s+{_FINISHED})?"
    rf"|(?:when(?:ever)?|once|after|as soon as)\s+{_DONE}"
    rf"|(?:after|for|with)\s+(?:each|every|any)\s+{_FINISHED}"
    r"|(?:as|is)\s+(?:your|the)\s+(?:last|final)\s+step"
)
_EDGE = r"(?=\s*(?:$|[,:;]|\b(?:and (?:before|also)|always|(?:re)?run|make sure)\b|\n))"
_ORDERS = (
    r"(?:re)?(?:run|generate|build|make|compile|create)|update|execute|call|invoke|use"
    r"|bump|check|verify|validate|format|lint|test|sync|adapt|adjust|refresh|do|add"
    r"|extend|regen"
)
"""Verbs with which a demand begins after an occasion without a comma."""
CHANGE_CLAUSE = re.compile(
    rf"(?i)(?<![\w-]){_CHANGES}"
    rf"(?=\s*(?:$|[,:;]|\band\b|\balso\b|\bthen\b|\balways\b|\bbefore\b|(?:please\s+)?"
    rf"(?:{_ORDERS})\b|{CODE}))"
)
_CLOSED_BY = (
    rf"(?:finish|end|conclude|complete|close|wrap up)\s+{_FINISHED}\s+(?:by|with)"
    r"|the\s+(?:very\s+)?(?:last|final)\s+(?:step|thing)"
    rf"(?:\s+(?:of|in)\s+{_FINISHED})?\s+(?:is|must be|should be)(?:\s+always)?"
    r"(?:\s+to)?"
)
END_CLAUSE = re.compile(
    rf"(?i)(?<![\w-])(?:(?:{_AT_END}){_EDGE}|(?:{_CLOSED_BY})(?=\s))"
)
_WHAT = (
    r"(?:\s+(?:any\s+|the\s+|your\s+)?(?:(?:changes|edits|work|code)\s+(?:to|in|under)"
    rf"\s+)?{PLACES})?(?:\s+(?:with|via|using|through)\s+(?P<by>{CODE}|[^,;:]+?))?"
)
ACTION_CLAUSES = tuple(
    (re.compile(rf"(?i){pattern}{_WHAT}{_EDGE}"), commands)
    for pattern, commands in _ACTIONS
)
"""What a demand may precede, with the files and the command that are named for it."""
COMMAND_CLAUSE = re.compile(
    rf"(?i)(?:(?:{RUN}|each|every|any|a|the)\s+)*(?P<command>{CODE}|[^,;:]+?){_EDGE}"
)


BEFORE = re.compile(
    r"(?i)(?:(?:right|immediately|shortly|always|and|,|comes?|goes|belongs)\s+)*"
    r"(?:before|prior to|ahead of)\s+(?:you\s+(?:ever\s+)?(?=\w)|we\s+|any\s+"
    r"|doing\s+(?:a|any)\s+|you(?=['’]))?"
)


def patterns_after(
    text: Text, found: re.Match[str], marks: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Return the patterns of the files that one of several ``PLACES`` matched.

    ``marks`` are the beginnings of the names of their groups.
    """
    groups = found.groupdict()
    for mark in marks:
        named = {
            name: groups.get(f"{mark}{name}")
            for name in ("kind", "where", "path", "inside", "aside", "any", "suffix")
        }
        if any(named.values()):
            return patterns_of(named, text)
    return None


def commands_of(text: Text, words: str) -> tuple[str, ...] | None:
    """Return the commands of what is to wait; None if it has none that are known."""
    words = re.sub(
        r"(?i)^(?:you\s+(?:may\s+|can\s+)?|we\s+|ever\s+)", "", words.strip()
    )
    for pattern, commands in _ACTIONS:
        if re.fullmatch(rf"(?i){pattern}", words):
            return commands
    found = re.fullmatch(rf"(?i)(?:{RUN}\s+)?(?P<command>.+)", words)
    command = named_command(text, found["command"]) if found else ""
    return (command,) if command else None


def named_command(text: Text, words: str) -> str:
    """Return the command line that words are, in code style or bare; else empty."""
    if re.fullmatch(CODE, words):
        code = text.code(words)
        return code if is_command(code) else ""
    command = bare_command(words.split())
    return command if command == words.strip() else ""
