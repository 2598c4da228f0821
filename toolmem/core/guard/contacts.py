"""Hosts that a call connects to, and addresses that it sends to.

A host counts where a connection is made, an address where something is sent: a search
for one or a file that mentions it is neither. A program of unknown kind may do both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from toolmem.core.guard.calls import ArgumentValue, is_prose, is_recipient
from toolmem.core.patterns import hosts
from toolmem.core.shell.argv import take_apart
from toolmem.core.shell.operations import REMOVERS
from toolmem.core.shell.programs import program_name
from toolmem.core.shell.words import GAP, ShellCommand, SimpleCommand

_CONNECTING = frozenset(
    """aria2c axel curl dig ftp git gh host http https httpie links lynx mosh mtr mysql
    nc ncat netcat nmap nslookup ping ping6 psql rsync scp sftp socat ssh telnet
    traceroute w3m wget whois xh""".split()
)
_MAILERS = frozenset(
    """aerc curl himalaya mail mailx msmtp mutt neomutt s-nail sendmail swaks""".split()
)
_QUIET = REMOVERS | frozenset(
    """[ [[ ag awk basename bat cat chmod chown cmp comm cp cut diff dirname echo egrep
    export fd fgrep file find fmt fold for gawk gh git grep gsed head history jq less ln
    local ls mkdir more mv nl paste printf read readonly rg sed sort stat tail tee test
    touch tr tree true type uniq wc which xargs yq""".split()
)
"""Programs that neither connect nor send, whatever is in their arguments."""
_REMOTE_VERBS = {
    "git": frozenset(("clone", "fetch", "pull", "push", "ls-remote", "submodule")),
    "gh": frozenset(("api", "browse", "repo")),
}
_LISTS = frozenset(("-K", "--config", "-i", "--input-file"))
"""Options of programs that read what they connect to from a list."""
_HOST_NAME = re.compile(r"HOST|SERVER|ADDR|URL|URI|DSN")
"""Part of the name of a variable that names a host."""
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/([^/]+)")
_HOSTS = re.compile(r"[\w.:-]*\w\.\w[\w.:-]*")
_PROMPTS = ("prompt", "query")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@((?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24})")


class Contact(NamedTuple):
    """A text that may name a host or an address; ``unsure``: it may only mention it."""

    text: str
    unsure: bool = False


def seen_hosts(texts: Iterable[Contact]) -> tuple[Contact, ...]:
    """Return the hosts that texts name, without duplicates."""
    contacts = (
        Contact(host, value.unsure)
        for value in texts
        for host in hosts.hosts_in(value.text)
    )
    return tuple(dict.fromkeys(contacts))


def argument_hosts(values: Sequence[ArgumentValue]) -> Iterator[Contact]:
    """Yield the arguments of a tool that may name a host; a prompt may ask for one."""
    for value in values:
        if value.key in _PROMPTS:
            yield Contact(value.text, unsure=True)
        elif not is_prose(value.key):
            yield Contact(value.text)


def command_hosts(
    command: SimpleCommand, remotes: Mapping[str, str] | None = None
) -> Iterator[Contact]:
    """Yield the words of a command that may name a host.

    ``remotes`` are the addresses of git's remotes by name, None if they are unknown.
    """
    name = program_name(command.argv[0].text) if command.argv else ""
    for redirect in command.redirects:
        yield from map(Contact, _SOCKET.findall(redirect.target.text))
    variables = command.settings if name in _CONNECTING else ()
    yield from (Contact(text) for key, text in variables if _HOST_NAME.search(key))
    call = take_apart(command.argv)
    operands = [operand.text for operand in call.operands]
    if name in _REMOTE_VERBS:
        if operands[:1] and operands[0] not in _REMOTE_VERBS[name]:
            return
        if name == "git" and operands:
            yield from _remote(operands, remotes)
    elif name in _QUIET:
        return
    for word in command.argv:
        for text in (word.text, *word.text.split("=", 1)[1:]):
            yield Contact(text, name not in _CONNECTING)
            if name in _CONNECTING and _HOSTS.fullmatch(text):
                yield from map(Contact, text.split(":"))
    if name in _CONNECTING and _LISTS.intersection(call.spelled):
        yield from map(Contact, command.stdin.split())


def _remote(
    operands: Sequence[str], remotes: Mapping[str, str] | None
) -> Iterator[Contact]:
    """Yield the address of the remote that a command of git names, or of every one."""
    named = operands[1] if len(operands) > 1 else "origin"
    if ":" in named or "/" in named:
        return  # an address, which is a word of the command
    if remotes is None:
        yield Contact(GAP, unsure=True)
    elif named in remotes:
        yield Contact(_as_url(remotes[named]))


def _as_url(address: str) -> str:
    """Return an address such as ``git@host:path`` as a URL."""
    return address if "://" in address else f"ssh://{address.replace(':', '/', 1)}"


def remotes_of(config: str) -> dict[str, str]:
    """Return the remotes in the text of git's ``config``: address by name."""
    remotes: dict[str, str] = {}
    name = ""
    for line in config.splitlines():
        section = re.match(r"\s*\[(?:remote \"([^\"]{1,100})\")?", line)
        name = (section[1] or "") if section else name
        key, equals, value = line.partition("=")
        if name and equals and key.strip() in ("url", "pushurl"):
            remotes[name] = value.strip()
    return remotes


def argument_recipients(values: Sequence[ArgumentValue]) -> list[ArgumentValue]:
    """Return the arguments that name who gets a message; all if none is known to."""
    recipients = [value for value in values if value.text and is_recipient(value.key)]
    return recipients or list(values)


def addresses_in(shell: ShellCommand) -> Iterator[tuple[str, bool]]:
    """Yield the texts to which a shell text may send messages, each with certainty."""
    for command in shell.commands:
        name = program_name(command.argv[0].text) if command.argv else ""
        if name in _MAILERS or name not in _QUIET | _CONNECTING:
            for text in (*(word.text for word in command.argv[1:]), command.stdin):
                yield text, name in _MAILERS
    for text in (*shell.code, *shell.inert):
        yield text, False
    if not shell.complete:
        yield shell.text, False


def is_outside(text: str, domains: Sequence[str]) -> bool:
    """Return True if a text has an address in none of some domains."""
    return any(
        not any(hosts.fit_host(match[1].lower(), domain) for domain in domains)
        for match in _ADDRESS.finditer(text)
    )
