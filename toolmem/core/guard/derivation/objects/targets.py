"""Derive guards from bans on what a command works on: a branch, a remote, a cluster."""

import re
from collections.abc import Iterator
from typing import Any

from toolmem.core.guard.derivation.objects.addresses import SENDS
from toolmem.core.guard.derivation.objects.phrases import Phrase
from toolmem.core.guard.derivation.programs import is_program
from toolmem.core.guard.derivation.sentence import Ban, is_code

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
_DELETED = re.compile(
    rf"{_ADVERBS}(?:delet|remov)\w*\s+{_THE}(?:remote\s+|local\s+)?"
    rf"(?!(?:remote|local|old|existing|own)\s+branch){_WORD}\s+branch(?:es)?\b"
)
_PUSHED = re.compile(
    rf"{_ADVERBS}(?P<force>force[\s-]*)?push(?:es|ing)?\s+(?P<tags>(?:any\s+)?tags?\s+)?"
    r"(?:(?!to\b|from\b)\w+\s+){0,2}?(?:directly\s+|straight\s+)?to\s+(?:the\s+)?"
    rf"(?P<name>{_REMOTES})\b(?:\s+remote)?(?!/|\s+(?!for|unless|without|if|when|until)[a-z])"
)
_ENTERED = re.compile(
    rf"{_ADVERBS}(?:(?P<shell>ssh|scp|sftp)\w*|(?:log ?in|connect|tunnel)\w*"
    r"(?:\s+(?P<client>\w+))?)\s+(?:(?:in)?to|on(?:to)?)\s+(?:the\s+host\s+)?"
    rf"{_THE}{_WORD}"
    r"(?=$|[\s,.;:!?)])(?:\s+(?:host|server|machine|box)\b)?"
)
_CLUSTER = re.compile(
    rf"{_ADVERBS}(?:touch|us|chang|modif|access|target|deploy to|connect to|run\w*"
    rf" (?:\w+ )?(?:on|against|in))\w*\s+{_THE}{_WORD}\s+(?:k8s\s+|kube\w*\s+)?"
    r"(?:clusters?|contexts?)\b"
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
_POSTED = re.compile(
    rf"{_ADVERBS}(?:post|writ|send|messag|announc|shar|repl|ping)\w*\s+"
    rf"(?:(?:(?!in\b|to\b|on\b)\w+\s+){{0,3}}?(?:in|to|on|into)\s+)?{_THE}{_WORD}"
    r"(?:\s+channel)?(?:\s+(?:on|in)\s+(?:the\s+)?(?:slack|discord|teams|mattermost|irc))?"
)
_SENT_OUTSIDE = re.compile(
    rf"{SENDS}\w*\s+(?:(?!outside)\S+\s+){{0,5}}?outside\s+(?:of\s+)?@?"
    r"(?P<name>(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24})\b"
)


def target_phrase(ban: Ban) -> Phrase | None:
    """Return the tests for a ban on a target at the beginning of a ban."""
    for pattern, read in _FORMS:
        found = pattern.match(ban.text)
        if not found:
            continue
        name = found["name"]
        name = ban.code(name) if is_code(name) else name
        tables = tuple(read(found, name))
        if tables:
            return Phrase(tables, found.end())
    return None


def _deleted(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    refs = [name, f":{name}", f"refs/heads/{name}", f":refs/heads/{name}"]
    yield {"command": ["git", "branch", "--delete"], "glob": name}
    yield {"command": ["git", "push", "--delete"], "glob": refs}


def _pushed(found: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    words = ["git", "push"]
    words += ["--force"] if found["force"] else []
    words += ["--tags"] if found["tags"] else []
    host = _HOSTED.get(name.lower())
    if host:
        yield {"command": words, "host": host}
    else:
        yield {"command": [*words, name]}


def _entered(found: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    if not re.search(r"[\d.-]", name):
        return  # not "the server"
    if found["shell"]:
        yield {"command": _REMOTE_SHELLS, "host": name}
    elif found["client"] and is_program(found["client"]):
        yield {"command": [found["client"]], "host": name}
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


def _posted(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    if name.startswith("#"):
        names = [name, name.removeprefix("#")]
        yield {"tool": _POSTING, "argument": _CHANNELS, "glob": names}


def _sent_outside(_: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    yield {"recipient": {"outside": name}}


def _restarted(found: re.Match[str], name: str) -> Iterator[dict[str, Any]]:
    verb, base = (
        found["verb"].lower(),
        found["verb"].lower().replace("reload", "restart"),
    )
    if not (found["noun"] or is_code(found["name"]) or name.lower() in _SERVICES):
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


_FORMS = (
    (_RESTARTED, _restarted),
    (_SENT_OUTSIDE, _sent_outside),
    (_DELETED, _deleted),
    (_PUSHED, _pushed),
    (_ENTERED, _entered),
    (_CLUSTER, _cluster),
    (_POSTED, _posted),
)
