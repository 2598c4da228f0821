"""Find the names and addresses of a rule in a call, as whole words.

Only specific terms count: an address, a host, a path, a name with a capital inside a
sentence, an identifier in quotes. Ordinary words of a rule match too many calls to be
significant.
"""

import re
from functools import lru_cache

from toolmem.core import limits
from toolmem.core.patterns.match import fold

_LITERAL = re.compile(
    r"(?P<mail>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})"
    r"|(?P<url>\bhttps?://[^\s<>\"'`]+)"
    r"|(?P<host>\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|dev|ai|app|edu|gov)\b)"
    r"|(?P<path>(?<![\w./])(?:~|\.{0,2})/[\w.@*-]+(?:/[\w.@*-]+)*)"
    r"|[`\"“'](?P<quoted>[\w.:@/-]{3,80})[`\"”']"
    r"|(?P<name>\b[A-Z][\w-]{1,40}\b)"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|[\"“'(*-]\s*)$")
_IDENTIFIER = re.compile(r"[\d_./:@-]|\w[A-Z]")
_NO_NAMES = frozenset(
    ("never", "always", "do", "don't", "dont", "avoid", "stop", "only", "please", "if",
     "when", "use", "i", "i'm", "ok", "english", "api", "url", "json", "yaml", "toml",
     "http", "https", "cli", "ci", "id", "ids", "pr", "prs", "ui")
)  # fmt: skip
_NAME = r"(?<!\w){}(?!\w)"
_ADDRESS = r"(?<![\w.+@-]){}(?![\w@-]|\.\w)"


@lru_cache(maxsize=2048)
def literals(rule: str) -> tuple[str, ...]:
    """Return the names and addresses in a rule's text, in order, without duplicates."""
    texts = []
    rule = rule[: 2 * limits.RULE_CHARS]
    for match in _LITERAL.finditer(rule):
        text = match[match.lastgroup or 0].rstrip(".,;:!?)")
        kind = match.lastgroup
        if kind == "quoted" and not _IDENTIFIER.search(text):
            continue
        if kind == "name" and (
            text.lower() in _NO_NAMES or _SENTENCE_START.search(rule[: match.start()])
        ):
            continue
        texts.append(text)
    return tuple(dict.fromkeys(texts))


def matching_words(rule: str, text: str) -> tuple[str, ...]:
    """Return those that a text (``fold``) contains as whole words, ignoring case."""
    shared = []
    for literal in literals(rule):
        wanted = fold(literal)
        whole = _ADDRESS if "." in wanted or "@" in wanted else _NAME
        if wanted in text and re.search(whole.format(re.escape(wanted)), text):
            shared.append(literal)
    return tuple(shared)
