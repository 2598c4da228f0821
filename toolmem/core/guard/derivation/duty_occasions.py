"""Occasions in sentences: what makes a demand due, and what it must precede."""

import re
from typing import NamedTuple

from toolmem.core.guard.derivation.duty_words import (
    CODE,
    Text,
    bare_command,
    is_command,
    place_at,
)


class Occasion(NamedTuple):
    """When something is demanded; None where a sentence does not say it.

    ``after`` has the patterns of the files whose change makes it due, empty for any.
    ``before`` has the commands that it must precede, empty for the end of a turn.
    ``at`` has the commands that it accompanies.
    """

    after: tuple[str, ...] | None = None
    before: tuple[str, ...] | None = None
    at: tuple[str, ...] | None = None

    def joined(self, other: "Occasion") -> "Occasion":
        """Return both as one: every file, and every command."""
        return Occasion(*map(_both, self, other))


def _both(
    first: tuple[str, ...] | None, second: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    if first is None or second is None:
        return second if first is None else first
    return (*first, *second) if first and second else ()


_EACH = r"(?:(?:a|an|the|your|each|every|any|all|this|that|no|our|new|single)\s+)*"
_WORK = (
    r"(?:task|turn|work|job|session|response|change|ticket|feature|issue|story|fix"
    r"|implementation|assignment|answer|reply|summary|message|piece of work)s?"
)
_TO_USER = (
    r"(?:\s+(?:(?:back|over|in|off|up|out)|(?:to|with) (?:me|us|the user|a human)))*"
)
_CLAIM = (
    r"(?:say|tell|claim|report|declar|announc|mark|consider|call|conclud|stat|assert"
    r"|present|pretend|think|believ|insist|promis|writ)(?:e|ing|s)?"
)
_DONE = (
    rf"(?:{_CLAIM}\s+[\w'’\s]{{0,40}}?(?:done|complete(?:d|ly)?|completion|finished"
    r"|success|successful|works?|working|fixed|solved|ready|over|through|passes)"
    r"|(?:finish|end|complet|stop|conclud|wrap|clos|hand|giv|pass|turn|deliver|return"
    r"|report|submit|sign|com|get|quit)(?:e|ing|p|ping|es|s|ting)?(?:\s+(?:up|off"
    rf"|over|back|in|out))*(?:\s+(?:it|anything|{_EACH}{_WORK}))?{_TO_USER}|(?:done"
    rf"|finished|through|ready)(?:\s+(?:with\s+)?{_EACH}{_WORK})?"
    rf"|{_EACH}{_WORK}\s+(?:is|are|counts as|was)\s+(?:done|complete|completed"
    r"|finished|over)|(?:the|your)\s+(?:very\s+)?(?:end|completion"
    rf"|hand-?over)(?:\s+of\s+{_EACH}{_WORK})?|(?:your|the|each|every|any)\s+(?:final"
    r"|last)\s+(?:answer|message|reply|response|summary|report))"
)
_BARE_END = re.compile(r"(?i)(?:hand|giv|pass|turn|return|report|submit|com|get)\w*")
"""Verbs that end a turn only with a further word: "report back", "hand it over"."""
_GONE = r"(?:\s+(?:up|in|out|through|off|live|anywhere|again|happens?|(?:goes|go)))*"
_OBJECT = (
    r"(?:\s+(?:anything|everything|code|(?:your |the |any )?(?:changes?|work|commits?"
    r"|branch(?:es)?|it|them|result)|upstream|to (?:the )?(?:remote|origin|github)"
    r"|a branch|a release|a version|(?:a|the|any|your) (?:pr|pull request|package)))*"
)
_ACTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (_DONE, ()),
    (rf"(?:mak(?:e|ing)\s+)?{_EACH}(?:git\s+)?commit(?:t?ing|s|t?ed)?"
     r"(?:\s+(?:is|are|be)(?:ing)?\s+(?:made|created|done))?", ("git commit",)),
    (rf"{_EACH}(?:git\s+)?push(?:ing|es|ed)?", ("git push",)),
    (r"(?:(?:open|creat|rais|submit|mak|fil|send|put)(?:ing|e|ting|s)?\s+(?:up\s+)?)?"
     rf"{_EACH}(?:prs?|pull[- ]requests?|merge[- ]requests?|mrs?)"
     r"(?:\s+(?:is|are|gets?)\s+(?:opened|created|raised|filed|submitted))?",
     ("gh pr create", "glab mr create")),
    (rf"{_EACH}merg(?:e|ing|es|ed)", ("git merge", "gh pr merge")),
    (rf"(?:(?:cut|mak|creat|ship|do)(?:ting|ing|e|ping)?\s+)?{_EACH}"
     r"(?:publish(?:ing|ed|es)?|releas(?:e|es|ing|ed))",
     ("npm publish", "pnpm publish", "yarn publish", "cargo publish", "twine upload",
      "uv publish", "poetry publish", "gh release create")),
    (rf"{_EACH}deploy(?:ing|ments?|s|ed)?",
     ("make deploy", "just deploy", "npm run deploy", "pnpm run deploy", "yarn deploy",
      "fly deploy", "vercel deploy", "netlify deploy", "firebase deploy",
      "wrangler deploy", "serverless deploy", "cdk deploy", "gcloud app deploy",
      "cap deploy", "./deploy.sh")),
    (rf"(?:(?:creat|mak|push)(?:e|ing)\s+)?{_EACH}tag(?:ging|s|ged)?", ("git tag",)),
)  # fmt: skip
"""Acts that a demand may precede, with their commands; the end of a turn has none."""
_ACTION_PATTERNS = tuple(
    (re.compile(rf"(?i){pattern}(?![\w-])"), commands) for pattern, commands in _ACTIONS
)
_OBJECT_PATTERN = re.compile(rf"(?i){_OBJECT}{_GONE}(?![\w-])")
_WHAT = re.compile(
    r"(?i)\s+(?:(?:(?:any|the|your)\s+)?(?:changes|edits|work|code)\s+(?:to|in"
    r"|under)\s+)?(?=\S)"
)
_BY = re.compile(rf"(?i)\s+(?:with|via|using|through)\s+(?P<by>{CODE}|[^,;:]+)")
_RUN = r"(?:re-?)?(?:run|execut|invok|call|us|launch|start|typ|do)(?:n?ing|e|s)?"
_DOER = re.compile(
    r"(?i)(?:(?:you|we|i|anyone|someone|anybody|the agent|anything|something"
    r"|everything|have|has|had|having|ever|also|actually|even|just|doing|making|is"
    r"|are|was|gets?|got|being|be|may|can|to|try(?:ing)?|want(?:ing)?|go(?:ing)?|on"
    r"|think(?:ing)? (?:about|of)|you['’](?:re|ve))\s+)*"
)
_LISTED = re.compile(r"(?i)\s*(?:,\s*)?(?:\b(?:and|or)\b|/)\s*(?:before\s+)?")


def action_at(text: Text, words: str) -> tuple[Occasion, str] | None:
    """Return the act that words begin with, and the words after it.

    Its commands are in ``before``. It may be limited to files: "commit Ruby code".
    """
    match, commands = _longest(words)
    if match is None:
        return _command_at(text, words)
    rest = words[match.end() :]
    if commands and (by := _BY.match(rest)):
        named = named_command(text, by["by"])
        return (Occasion(None, (named,)), rest[by.end() :]) if named else None
    if commands and (generic := _OBJECT_PATTERN.match(rest)):
        rest = rest[generic.end() :]
    place = None
    if commands and (what := _WHAT.match(rest)):
        place = place_at(text, rest, what.end())
    if place:
        rest = rest[place.end :]
    occasion = Occasion(place.patterns if place else None, commands)
    listed = _LISTED.match(rest)
    more = _longest(rest[listed.end() :]) if listed else (None, ())
    if listed and more[0] and more[1] and commands:
        occasion = occasion.joined(Occasion(None, more[1]))
        rest = rest[listed.end() + more[0].end() :]
        generic = _OBJECT_PATTERN.match(rest)
        rest = rest[generic.end() :] if generic else rest
    return occasion, rest


def _longest(words: str) -> tuple[re.Match[str] | None, tuple[str, ...]]:
    start = _DOER.match(words).end()  # type: ignore[union-attr]
    best: tuple[re.Match[str] | None, tuple[str, ...]] = (None, ())
    for pattern, commands in _ACTION_PATTERNS:
        match = pattern.match(words, start)
        if match and not commands and _BARE_END.fullmatch(match[0]):
            continue
        if match and (best[0] is None or match.end() > best[0].end()):
            best = match, commands
    return best


_COMMAND = re.compile(
    rf"(?i)(?:(?:{_RUN}|each|every|any|a|the|git\s+(?=git))\s+)*(?P<command>{CODE}"
    r"|[^,;:]+)"
)


def _command_at(text: Text, words: str) -> tuple[Occasion, str] | None:
    start = _DOER.match(words).end()  # type: ignore[union-attr]
    match = _COMMAND.match(words, start)
    if not match:
        return None
    if re.fullmatch(CODE, match["command"]):
        named, end = named_command(text, match["command"]), match.end()
    else:
        named = bare_command(match["command"].split())
        end = match.start("command") + len(named)
    return (Occasion(None, (named,)), words[end:]) if named else None


def named_command(text: Text, words: str) -> str:
    """Return the command line that words are, in code style or bare; else empty."""
    if re.fullmatch(CODE, words):
        code = text.code(words)
        return code if is_command(code) else ""
    command = bare_command(words.split())
    return command if command == words.strip() else ""


_SUBJECT = re.compile(
    r"(?i)(?:(?:that\s+)?(?:you|we|i|anyone|someone|the agent)(?:['’]ve)?\s+)?(?:("
    r"?:have|has|had|ever|also|just|always|are|is|you|been)\s+)*"
)
_CHANGING = re.compile(
    r"(?i)(?:(?:chang|edit|touch|modif|updat|alter|add|adapt|refactor|writ|mak|creat"
    r"|delet|remov|renam|mov|tweak|introduc|extend|fiddl)(?:ing|ying|e?d|ied|es?|y|s"
    r"|t?ting)?|wrote|made|work(?:ing|ed|s)?(?=\s+(?:on|in)\b))(?![\w-])"
)
_NOUNS = (
    r"(?:chang(?:e|es)|edit(?:s|ing)?|modifications?|updates?|additions?"
    r"|touch(?:ing)?|adjustments?|alterations?|work|diffs?)"
)
_CHANGE_TO = re.compile(
    rf"(?i){_EACH}(?:(?:[\w-]+\s+)?{_NOUNS}\s+(?:made\s+)?(?:to|of|in|on|under|inside"
    r"|within|below|at)\s+|new\s+[\w-]+\s+(?:in|under|to)\s+|(?:touching|changing"
    r"|editing|modifying|updating|altering)\s+(?:in\s+|of\s+)?)"
)
_CHANGE_OF = re.compile(rf"(?i)\s*{_NOUNS}(?:\s+\((?P<aside>\S+)\))?(?![\w-])")
_ANY_CHANGE = re.compile(rf"(?i){_EACH}(?:code\s+|source\s+)?{_NOUNS}(?![\w-])")
_HAPPENED = re.compile(
    r"(?i)\s*(?:(?:has|have|had|is|are|was|were|gets?|got|been|be"
    r"|being)\s+)*(?:chang(?:e|es|ed|ing)|edited|modified|touched|updated|altered"
    r"|adapted|added|renamed|involved|affected)(?![\w-])"
)
_TO = re.compile(r"(?i)\s+(?:(?:to|on|in|at|with)\s+)?")


def change_at(text: Text, words: str) -> tuple[Occasion, str] | None:
    """Return the change of files that words begin with, and the words after it."""
    if noun := change_noun_at(text, words):
        return noun
    if changed := changed_files_at(text, words):
        return changed
    start = _SUBJECT.match(words).end()  # type: ignore[union-attr]
    verb = _CHANGING.match(words, start)
    to = _TO.match(words, verb.end()) if verb else None
    if verb and (not to or re.match(r"\s*(?:,|$)", words[verb.end() :])):
        return Occasion(()), words[verb.end() :]
    place = place_at(text, words, to.end()) if to else None
    return (Occasion(place.patterns), words[place.end :]) if place else None


def changed_files_at(text: Text, words: str) -> tuple[Occasion, str] | None:
    """Return the files that changed and that words begin with: "Y was edited"."""
    place = place_at(text, words)
    happened = _HAPPENED.match(words, place.end) if place else None
    if place and happened:
        return Occasion(place.patterns), words[happened.end() :]
    return None


def change_noun_at(text: Text, words: str) -> tuple[Occasion, str] | None:
    """Return the change that words begin with as a noun: "every edit to Y"."""
    if noun := _CHANGE_TO.match(words):
        place = place_at(text, words, noun.end())
        return (Occasion(place.patterns), words[place.end :]) if place else None
    place = place_at(text, words)
    if place and place.patterns and (of := _CHANGE_OF.match(words, place.end)):
        return Occasion(place.patterns), words[of.end() :]
    named = re.match(rf"(?i){_EACH}(?:[\w-]+\s+){{1,3}}?(?={_NOUNS}\s+\()", words)
    aside = _CHANGE_OF.match(words, named.end()) if named else None
    if aside and aside["aside"]:
        place = place_at(text, aside["aside"])
        return (Occasion(place.patterns), words[aside.end() :]) if place else None
    if bare := _ANY_CHANGE.match(words):
        return Occasion(()), words[bare.end() :]
    return None
