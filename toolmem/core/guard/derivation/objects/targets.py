"""Derive guards from bans on what a command works on: a branch, a remote, a cluster."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from toolmem.core.guard.derivation.objects.addresses import SENDS
from toolmem.core.guard.derivation.objects.phrases import Phrase, refs_of
from toolmem.core.guard.derivation.programs import is_program
from toolmem.core.guard.derivation.reading.sentence import SPAN, Ban, is_code

_ADVERBS = r"(?i)\s*(?:(?:ever|just|directly|please|even|also|accidentally)\s+)*"
_WORD = r"(?P<name>[\ue200-\ue5ff]|#?[\w*][\w./*-]*[\w*])"
_THE = r"(?:(?:the|a|an|any|our|my|your)\s+)*"
_HOSTED = {
    "github": "github.com",
    "gitlab": "gitlab.com",
    "bitbucket": "bitbucket.org",
}
_REMOTE_SHELLS = [
    [name] for name in "ssh scp sftp mosh rsync sshfs autossh ansible".split()
]
_SAME = {"prod": "production", "production": "prod", "dev": "development"}
_CHANNELS = ["channel", "channel_id", "channel_name", "channels", "room", "room_id"]
_POSTING = [f"*{word}*" for word in "post send reply write share announce".split()]
_REMOTES = r"origin|upstream|fork|mirror|github|gitlab|bitbucket"
_BRANCH = re.compile(
    rf"(?i){_THE}(?:remote\s+|local\s+)?(?!(?:remote|local|old|existing|own|new|a|this"
    rf"|that"
    r"|feature|every|each|any|one|same|other|shared|wrong|protected|default|current)\s"
    rf"){_WORD}\s+branch(?:es)?\b|\bbranch\s+(?P<named>[\ue200-\ue5ff]"
    rf"|[\w.]+[/.-][\w./-]*\w)"
)
_ANY_REMOTE = r"(?:the|a|an|any|every|each|other|no|this|that|our|your|my)\b"
_REMOTE = re.compile(
    rf"(?i)(?:the\s+)?(?!{_ANY_REMOTE}){_WORD}\s+remote\b(?!\s+[a-z]+\b(?<!for)(?<!in))"
)
_BRANCH_VERB = re.compile(
    r"(?i)\b(?:(?P<delete>delet|remov|drop|prun)|(?P<push>push|publish|upload)"
    r"|(?P<other>touch|us|mess|chang|modif|break|rewrit|meddl|writ))\w*"
)
_PUSHED = re.compile(
    rf"{_ADVERBS}(?P<force>force[\s-]*)?push(?:es|ed"
    rf"|ing)?\s+(?P<tags>(?:any\s+)?tags?\s+)?"
    r"(?:(?!to\b|from\b)\w+\s+){0,2}?(?:directly\s+|straight\s+)?to\s+(?:the\s+)?"
    r"(?:remote\s+(?P<called>[\ue200-\ue5ff])"
    rf"|(?P<name>{_REMOTES})\b(?:\s+remote)?(?!/|\s+(?!for|unless|without|if|when"
    rf"|until)[a-z])"
    rf"|(?!{_ANY_REMOTE})(?P<named>[\ue200-\ue5ff]|[\w-]+)\s+remote\b)"
)
_HOST_NOUN = r"(?:host|server|machine|box|replica|node|vm|instance|database|db)"
_ENTERED = re.compile(
    rf"{_ADVERBS}(?:(?P<shell>ssh|scp|sftp|rsync|mosh)\w*|(?:log ?in|connect|tunnel"
    rf"|talk"
    r"|requests?|calls?|traffic|hook(?:ing)? up|logins?|sign in)(?:ing|ions?)?"
    rf"(?:\s+(?P<client>\w+))?)\s+(?:(?:in)?to|on(?:to)?"
    rf"|with)\s+(?:the\s+{_HOST_NOUN}\s+)?"
    rf"{_THE}{_WORD}(?=$|[\s,.;:!?)])(?:\s+{_HOST_NOUN}\b)?"
)
_CLUSTER = re.compile(
    rf"(?i){_THE}(?:(?:k8s\s+|kube\w*\s+)?(?:cluster|context)\s+(?P<called>{SPAN})"
    rf"|{_WORD}\s+(?:k8s\s+|kube\w*\s+)?(?:clusters?|contexts?)\b)"
)
_SERVICES = frozenset(
    """apache2 caddy cron docker elasticsearch grafana haproxy httpd jenkins kafka
    mariadb memcached mongod mysql nginx postgres postgresql prometheus rabbitmq redis
    sshd traefik""".split()
)
_RESTARTED = re.compile(
    rf"{_ADVERBS}(?P<verb>restart|reload|stop|start|disable)(?:ing)?"
    rf"(?:\s*(?:,|\bor\b|\bnor\b|/)+\s*\w+){{0,2}}\s+{_THE}{_WORD}"
    r"(?P<noun>\s+(?:services?|daemon|container|unit))?(?=\s*(?:$|[,.;:!?)]|on\b|in\b"
    r"|without\b|unless\b|if\b|when\b|while\b|during\b))"
)
_CHANNEL = re.compile(
    r"(?i)(?:channel\s+)?(?P<name>#[a-z][\w-]*\w|[\ue200-\ue5ff])(?:\s+channel)?"
    r"(?:\s+(?:on|in)\s+(?:the\s+)?(?:slack|discord|teams|mattermost|irc))?"
)
_READING = re.compile(r"(?i)\b(?:read|search|list|summari[sz]e)\w*\b")
_BEFORE_OBJECT = re.compile(
    r"(?i)(?:\s|,|\b(?:ever|just|directly|please|even|also|again|accidentally|anything"
    r"|something|any|a|an|the|our|your|my|changes?|commits?|work|stuff|code|it"
    r"|requests?"
    r"|messages?|in|on|to|onto|into|with|at|against|near|go|out|for|from|of|about"
    r"|touch|us|chang|modif|access|target|deploy|connect|run|mess|meddl|break|rewrit"
    r"|tamper"
    r"|delet|remov|drop|prun|push|publish|writ|post|send|messag|announc|shar|repl|ping"
    r"|talk"
    r"|speak|upload|work|do|operat|appl|point|switch)(?:e|es|s|ed|ing|ting|ping|ning|y"
    r"|ies"
    r"|ying|ly)?\b)*"
)
"""Verbs and words that may come before an object and leave it as it is."""
_SENT_OUTSIDE = re.compile(
    rf"{SENDS}\w*\s+(?:(?!outside)\S+\s+){{0,5}}?outside\s+(?:of\s+)?@?"
    r"(?P<name>(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24})\b"
)


_MOST_WORDS = 12


def target_phrase(ban: Ban) -> Phrase | None:
    """Return the tests for a target that a ban names after its verbs."""
    for pattern, read in _FORMS:
        match = pattern.match(ban.text)
        phrase = _phrase(ban, match, match["name"], read) if match else None
        if phrase:
            return phrase
    lead = _BEFORE_OBJECT.match(ban.text)
    for at in _starts(ban.text, lead.end() if lead else 0):
        for pattern, read in _OBJECTS:
            match = pattern.match(ban.text, at)
            phrase = _phrase(ban, match, match["name"], read) if match else None
            if phrase:
                return phrase
    return None


def _starts(text: str, end: int) -> Iterator[int]:
    """Yield the starts of the words up to a position."""
    words = re.finditer(r"(?<!\S)\S", text[: end + 1])
    yield from (word.start() for word in islice(words, _MOST_WORDS))


def _phrase(
    ban: Ban, match: re.Match[str], name: str | None, read: "_Read"
) -> Phrase | None:
    groups = match.groupdict()
    name = name or groups.get("called") or groups["named"]
    name = ban.code(name) if is_code(name) else name
    tables = tuple(read(match, name))
    return Phrase(tables, match.end()) if tables else None


def _branch(match: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    verb = _BRANCH_VERB.search(match.string, 0, match.start())
    kind = verb.lastgroup if verb else ""
    if kind in ("delete", "other"):
        yield from _deleted(match, name)
    if kind == "other":
        yield {"command": ["git", "push"], "glob": list(refs_of(name))}
        yield {"command": ["git", "commit"], "branch": name}


def _deleted(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    refs = [name, f":{name}", f"refs/heads/{name}", f":refs/heads/{name}"]
    yield {"command": ["git", "branch", "--delete"], "glob": name}
    yield {"command": ["git", "push", "--delete"], "glob": refs}


def _pushed(match: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    name = name.lower() if name.lower() in _HOSTED else name
    words = ["git", "push"]
    words += ["--force"] if match["force"] else []
    words += ["--tags"] if match["tags"] else []
    host = _HOSTED.get(name)
    if host:
        yield {"command": words, "host": host}
    else:
        yield {"command": [*words, name]}


def _remote(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    yield {"command": ["git", "push", name]}


def _entered(match: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    if not re.search(r"[\d.-]", name):
        return  # not "the server"
    if match["shell"]:
        yield {"command": _REMOTE_SHELLS, "host": name}
    elif match["client"] and is_program(match["client"]):
        yield {"command": [match["client"]], "host": name}
    else:
        yield {"host": name}


def _cluster(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    names = [name, *filter(None, [_SAME.get(name.lower())])]
    yield {
        "command": [
            line
            for one in names
            for line in (
                ["kubectl", "--context", one],
                ["kubectl", "--cluster", one],
                ["kubectl", "config", "use-context", one],
                ["kubectx", one],
                ["helm", "--kube-context", one],
                ["k9s", "--context", one],
                ["flux", "--context", one],
                ["aws", "eks", "update-kubeconfig", "--name", one],
                ["gcloud", "container", "clusters", "get-credentials", one],
            )
        ]
    }


def _posted(match: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    if name.startswith("#") and not _READING.search(match.string, 0, match.start()):
        names = [name, name.removeprefix("#")]
        yield {"tool": _POSTING, "argument": _CHANNELS, "glob": names}


def _sent_outside(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    yield {"recipient": {"outside": name}}


def _restarted(match: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    verb, base = (
        match["verb"].lower(),
        match["verb"].lower().replace("reload", "restart"),
    )
    if not (match["noun"] or is_code(match["name"]) or name.lower() in _SERVICES):
        return
    starts = (
        "systemctl",
        "docker",
        "docker compose",
        "brew services",
        "supervisorctl",
        "pm2",
    )
    lines = [
        [*start.split(), each, name] for start in starts for each in {verb: 0, base: 0}
    ]
    swapped = [
        [start, name, verb]
        for start in ("service", "rc-service", "/etc/init.d/" + name)
    ]
    yield {"command": [*lines, *swapped[:2]]}


_Read = Callable[[re.Match[str], str], Iterator[dict[str, Any]]]
_FORMS = (
    (_RESTARTED, _restarted),
    (_SENT_OUTSIDE, _sent_outside),
    (_PUSHED, _pushed),
    (_ENTERED, _entered),
)
_NUMBERED = re.compile(r"(?<=touch )(?P<name>[a-z]+\d*(?:-[a-z0-9]+)*-\d+)(?![\w./-])")


def _numbered(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    yield {"host": name}


_OBJECTS = (
    (_NUMBERED, _numbered),
    (_BRANCH, _branch),
    (_CLUSTER, _cluster),
    (_REMOTE, _remote),
    (_CHANNEL, _posted),
)
