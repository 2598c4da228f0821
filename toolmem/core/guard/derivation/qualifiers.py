"""Find the limits of a ban: a condition, an exception, or words not understood."""

import re

_FILLER = re.compile(
    r"(?i)(?:[\s*_]|,(?=\s*(?:ever|please|period|full stop|or any|or other|or similar"
    r"|or the like|etc|no matter|under any|not even|directly|at all|and never)\b)"
    r"|\b(?:again|please|ever|anymore|any more|here|at (?:all|any) costs?|at all"
    r"|directly|straight|whatsoever"
    r"|commands?|cli|binary|tool|in (?:the|any|every) (?:mono)?(?:repo|repository"
    r"|project|codebase|vault|workspace)|(?:in|on|at|inside|from) (?:this|these|our)"
    r" (?!(?:folder|directory|dir|branch|file|task|session|case|situation"
    r"|state)\b)[a-z-]+|around (?:here|these parts)|locally"
    r"|(?:from|on|for) (?:dev|your|any|every|this|the) (?:machines?|laptops?|part|own)"
    r"|anywhere\W+\w+ (?:this|the|our|my) [a-z-]+|not even[^.;:!?]*"
    r"|(?:for|by) (?:yourself|agents)|in shell (?:commands?|scripts?)"
    r"|(?:from|for|with) (?:me|us)|in my book|pls|plz|thx"
    r"|on my watch|from you|by you|for you"
    r"|in (?:the |a |any )?(?:shell|terminal|bash)|for any reason"
    r"|yourself|from (?:scripts?|shells?|agents?)(?: or (?:scripts?|shells?))?"
    r"|no matter what|under any circumstances?|anywhere|period|full stop"
    r"|in any (?:case|form|way)|by any means|on (?:this|the) (?:machine|computer|host)"
    r"|(?:from|on) your (?:side|end)|on your own|on (?:any|every)thing|as an agent"
    r"|for (?:agents?|an agent|the agent)|from an agent"
    r"|from agents|not even once|to any remote|to (?:the|a) remote|any(?:thing)?|etc"
    r"|(?:or|and|nor) (?:any|other|similar|the like|so on"
    r"|anything)\b[^.;:!?()\ue200-\ue5ff]*"
    r"|itself|by itself|on its own|bare|raw|by hand|manually|files?"
    r"|and (?:use|run|prefer|then|instead)\b[^.;:!?]*)(?![\w-]))+"
)
_LIMITS = (
    r"(?:if|when|whenever|while|during|before|after|today|tonight|tomorrow|yet|now|on"
    r"|in"
    r"|inside|outside|from|against|to|for|with|without|unless|except|until|till"
    r"|only(?= (?:if|when|after|before|with|without|on|in|for|from|once|as|by|at|inside"
    r"|during|while|via|through)\b)|at|between|over|across|within|by|via|through|under"
    r"|as|or|nor|and"
    r"|but)\b"
)
_TURN = re.compile(
    r"(?i)\s*(?:,?\s*(?:and|or|nor|but)?\s*\Z|[.:](?=\s|\Z)|[;!?)\]\n]"
    r"|,?\s*[-–—]{1,2}\s"
    rf"|,?\s*\(|,(?!\s*{_LIMITS})|,?\s*\b(?:(?:and|but) (?:use|always|rather|instead"
    r"|prefer|never|don|do not)|rather|instead|use|prefer|always|they|it\b|it['’]s"
    r"|this (?:is|will|can)|that (?:is|will|can)|which|please|e\.g|i\.e|ask|we|you"
    r"|let)\b)"
)
_EXCEPTION = re.compile(
    r"(?i)\b(?:unless|except(?:ion)?|apart from|other than|besides|anything but"
    r"|aside from|save for|until|till"
    r"|without|only (?:if|when|after|with|on|in|for|once|as)|but only|if (?:i"
    r"|the user|you)"
    r"|when (?:i|the user) (?:ask|tell|say|request)|before|outside(?: of)?"
    r"|as long as|provided|excluding)\b"
)
_CONDITION = re.compile(
    r"(?i)\b(?:if|when|whenever|while|during|before|after|today|tonight|tomorrow|yet"
    r"|now|on|in|inside|from|against|to|for|with|at|between|over|across|within|by|via"
    r"|through|under|as|blindly|manually|lightly|casually|prematurely|early|twice"
    r"|automatically|yourself|alone|unattended|silently|proactively)\b"
)


def after_fillers(text: str, at: int = 0) -> int:
    """Return the end of the words that add nothing to a ban."""
    match = _FILLER.match(text, at)
    return match.end() if match else at


def limit_of(text: str, at: int, after: str = "") -> str | None:
    """Return the words that limit a ban, whose object ends at ``at`` in the text.

    Empty if none do, None if the following words are not understood. ``after`` is the
    rest of the sentence, searched for an exception only.
    """
    at = after_fillers(text, at)
    condition = _CONDITION.match(text, at)
    exception = _EXCEPTION.search(text, at)
    if exception and (condition or _TURN.match(text, at) or exception.start() == at):
        return _cut(
            text[min(at, exception.start()) if condition else exception.start() :]
        )
    if exception:
        return None
    if condition:
        return _cut(text[at:])
    if not _TURN.match(text, at):
        return None
    later = _EXCEPTION.search(after)
    return _cut(after[later.start() :]) if later else ""


def exception_in(text: str) -> str:
    """Return the words of an exception anywhere in a text; empty without one."""
    match = _EXCEPTION.search(text)
    return _cut(text[match.start() :]) if match else ""


def _cut(text: str) -> str:
    end = re.search(r"[.;!?\n](?=\s|$)|\s[–—]\s", text)
    return " ".join(text[: end.start() if end else None].split()).rstrip(" ,)")
