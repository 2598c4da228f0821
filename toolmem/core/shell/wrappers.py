"""Find the command lines that programs such as ``sudo`` and ``xargs`` run."""

import re
from collections.abc import Callable

from toolmem.core import limits
from toolmem.core.shell import github
from toolmem.core.shell.argv import Call, own_words, take_apart
from toolmem.core.shell.code import InnerCommand
from toolmem.core.shell.equals import equal_commands
from toolmem.core.shell.flags import FLAGS
from toolmem.core.shell.interpreters import (
    CODE_FLAGS,
    ESCAPES,
    read_docker,
    read_escapes,
    read_git,
    read_interpreter,
    read_make,
    read_sed,
    read_socat,
    read_tar,
    read_windows_shell,
    run_values,
)
from toolmem.core.shell.programs import (
    EXEC_FLAGS,
    JOINED,
    PASSES,
    SCRIPT_FLAGS,
    SHELLS,
    program_name,
)
from toolmem.core.shell.settings import given_words, is_run, normal
from toolmem.core.shell.words import (
    GAP,
    PLAIN_GAP,
    UNSEEN_PIPE,
    SimpleCommand,
    Word,
    before_gap,
    fill_gaps,
    has_gap,
)

_STANDARD_INPUT = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", UNSEEN_PIPE)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_WHOLE_FIND = frozenset(("-delete", "-depth", "-mindepth", "-type", "-xdev"))
"""Options with which ``find`` deletes whole folders."""
_OPERAND = re.compile(r'"?\$\{?([1-9@*])\}?"?')
_LOOP = re.compile(r"\bfor\s+(\w+)\s*(?:;|\n|(?=\bdo\b))")
"""A loop over the operands of a script."""
_SPLIT_STRING = re.compile(r"(?:-[iv0]*S|--split-string)(?:(?:=|(?<=S))(.+))?", re.S)


def inner_of(command: SimpleCommand) -> InnerCommand:
    """Return what else runs along with a command; empty for most."""
    inner = InnerCommand()
    words = command.argv
    if not words:
        return inner
    if words[0].many and len(words) > 1 and not before_gap(words[0].text):
        inner.commands.append(words[1:])  # `$SUDO git push`: it may be empty
    elif words[0].many and len(words) == 1 and not fill_gaps(words[0].text, ""):
        inner.opaque = "a command that only the shell knows"
    name = program_name(words[0].text)
    call = take_apart((*words, *given_words(command)))
    inner.equals += equal_commands(call, words[0].text)
    inner.code += run_values(call)
    read = _READERS.get(name)
    if read or name in _CALLED:
        for key in _keys(name, call):
            _run_inside(key, command, call, inner)
        if read:
            read(command, call, inner)
    return inner


def _run_inside(
    key: str, command: SimpleCommand, call: Call, inner: InnerCommand
) -> None:
    words = command.argv
    for text in call.flags.get(SCRIPT_FLAGS.get(key, ""), ()):
        inner.run_text(text)
    if key in JOINED:
        rest = words[own_words(words, JOINED[key]) :]
        inner.run_text(" ".join(word.text for word in rest))
    if key in PASSES:
        _pass_on(command, own_words(words, PASSES[key]), call, inner)


def _keys(name: str, call: Call) -> list[str]:
    keys = [name]
    for operand in call.operands[:2]:
        keys.append(f"{keys[-1]} {operand.text}")
    return keys


def _pass_on(command: SimpleCommand, at: int, call: Call, inner: InnerCommand) -> None:
    words = command.argv
    if call.program == "command" and {"-v", "-V"} & call.flags.keys():
        return
    if call.program in ("env", "sudo", "doas", "time", "coproc"):
        if at < len(words) and words[at].text == "-":
            at += 1
        while at < len(words) and _ASSIGNMENT.match(words[at].text):
            name, _, value = words[at].text.partition("=")
            inner.settings += normal([(name, value)])
            if is_run(name):
                inner.run_text(value)
            at += 1
    rest = words[at:]
    if call.program == "parallel":
        _parallel(rest, command.stdin, inner)
        return
    if call.program == "xargs":
        rest = _with_input(rest, call, command.stdin)
    if rest:
        inner.commands.append(rest)


def _with_input(words: tuple[Word, ...], call: Call, stdin: str) -> tuple[Word, ...]:
    """Return the command that xargs builds, with its input if that is constant."""
    marks = (call.flags.get(name, ()) for name in ("-I", "-J", "--replace"))
    for mark in (mark for found in marks for mark in found):
        given = stdin.strip() or GAP
        return tuple(
            w._replace(text=w.text.replace(mark or "{}", given)) for w in words
        )
    if not words:
        return words
    if not stdin or has_gap(stdin):
        return (*words, Word(PLAIN_GAP, many=True))
    return (*words, *(Word(text) for text in stdin.split()))


def _parallel(words: tuple[Word, ...], stdin: str, inner: InnerCommand) -> None:
    """Run one shell text for each value after ``:::`` or each line of the input."""
    import shlex  # few commands need it, and it compiles a pattern

    texts = [word.text for word in words]
    end = next((i for i, text in enumerate(texts) if text.startswith(":::")), None)
    values = stdin.splitlines() if end is None else texts[end + 1 :]
    for text in dict.fromkeys((" ".join(texts[:end]), shlex.join(texts[:end]))):
        for value in values[: limits.BRACE_WORDS] or [""]:
            for given in dict.fromkeys((value, shlex.quote(value) if text else value)):
                filled = text.replace("{}", given)
                inner.run_text(filled if "{}" in text else f"{text} {given}".strip())


def _shell(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    operands = [operand.text for operand in call.operands]
    if "-n" in call.flags:
        return  # checks the syntax only
    started = (*call.flags.get("--rcfile", ()), *call.flags.get("--init-file", ()))
    if UNSEEN_PIPE in started:
        inner.run_text(command.stdin or GAP)
    if "-c" in call.flags:
        if operands:
            inner.run_text(_filled(operands[0], operands[2:]))
    elif not operands or "-s" in call.flags or operands[0] in _STANDARD_INPUT:
        unseen = GAP if operands[:1] == [UNSEEN_PIPE] else ""
        given = operands if "-s" in call.flags else operands[1:]
        inner.run_text(_filled(command.stdin or unseen, given))


def _login(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    """Read a shell that ``ssh host`` or ``sudo -i`` starts, which runs its input."""
    if call.program in ("sudo", "doas") and not {"--login", "--shell", "-s"} & set(
        call.flags
    ):
        return
    if command.stdin and not inner.commands and not inner.texts:
        inner.run_text(command.stdin)


def _filled(text: str, operands: list[str]) -> str:
    """Return a shell text with its operands in place of ``$1`` and ``$@``."""
    import shlex  # few commands need it, and it compiles a pattern

    if not operands:
        return text
    quoted = list(map(shlex.quote, operands))
    text = _LOOP.sub(lambda m: f"for {m[1]} in {' '.join(quoted)};", text)

    def value(match: re.Match[str]) -> str:
        at = match[1]
        return (
            " ".join(quoted) if at in "@*" else "".join(quoted[int(at) - 1 : int(at)])
        )

    return _OPERAND.sub(value, text)


def _source(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    target = call.operands[0].text if call.operands else ""
    if target in _STANDARD_INPUT:
        inner.run_text(command.stdin or (GAP if target == UNSEEN_PIPE else ""))


def _trap(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    if len(call.operands) > 1:
        inner.run_text(call.operands[0].text)


def _exec_flags(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    words = command.argv
    if "-delete" in call.flags and _WHOLE_FIND.issuperset(call.flags):
        folders = (Word(operand.text) for operand in call.operands)
        inner.equals.append((Word("rm"), Word("-rf"), *folders))
    starts = EXEC_FLAGS[call.program]
    at = 1
    while at < len(words):
        at += 1
        if words[at - 1].text in starts:
            end = at
            while end < len(words) and words[end].text not in (";", "+"):
                end += 1
            if end > at:
                inner.commands.append(tuple(words[at:end]))
            at = end


def _env(command: SimpleCommand, call: Call, inner: InnerCommand) -> None:
    if "--split-string" not in call.flags:
        return
    words = command.argv
    for at, word in enumerate(words, 1):
        split = _SPLIT_STRING.fullmatch(word.text)
        if split and split[1]:
            inner.run_text(split[1], words[at:])
        elif split:
            inner.run_text("".join(w.text for w in words[at : at + 1]), words[at + 1 :])
        if split:
            return


_READERS: dict[str, Callable[[SimpleCommand, Call, InnerCommand], None]] = {
    **dict.fromkeys(SHELLS, _shell),
    **dict.fromkeys(CODE_FLAGS, read_interpreter),
    **dict.fromkeys(EXEC_FLAGS, _exec_flags),
    **dict.fromkeys(("ssh", "sudo", "doas", "su", "at", "batch"), _login),
    **dict.fromkeys(ESCAPES, read_escapes),
    **dict.fromkeys(("powershell", "pwsh", "cmd"), read_windows_shell),
    "source": _source,
    ".": _source,
    "trap": _trap,
    "env": _env,
    "git": read_git,
    "sed": read_sed,
    "gsed": read_sed,
    "tar": read_tar,
    "make": read_make,
    "docker": read_docker,
    "podman": read_docker,
    "socat": read_socat,
    "gh": github.read_github,
    **dict.fromkeys(("curl", "wget"), github.read_request),
}
_CALLED = {key.split()[0] for key in (*PASSES, *JOINED, *SCRIPT_FLAGS)}


def runs_others(name: str) -> bool:
    """Return True if it is known how a program runs another one."""
    return name in _READERS or name in _CALLED


_PLAIN = frozenset(
    """
    cProfile compileall http.server json.tool pdb timeit unittest venv zipfile
    7z adb ag agy ajv alias ansible ant apk apropos apt apt-cache apt-get ar arch
    asciidoctor b2sum bandit base32 base64 basename bat batcat bats bazel bc biome black
    brew buf bump bunzip2 bzcat bzip2 c++ cal cargo cat cc cd chattr chgrp choco cksum
    clang clang++ claude clear cloc cmake cmark cmp codespell codex column comm compgen
    complete convert coverage cp cppcheck csplit ctags ctest curl curlie cut cypress
    date dd declare defaults delta df diff dig dir dirname dirs dmesg dnf dos2unix
    dotnet dpkg du duf dust dvc echo egrep elixir eslint exa exit expand export expr eza
    factor fallocate false fc ffmpeg ffprobe fgrep file flake8 flit fmt fold for free
    fzf g++ gcc gemini getent getfacl getopts gfortran gh ghc git glab glow go gofmt
    golangci-lint gotestsum gpg gradle grep groups gunzip gzip hadolint hatch head helm
    help hexdump host hostname htop http hugo iconv id identify ifconfig
    import install ip isort java javac jest jj-vcs jobs join journalctl jq jshint
    jsonlint k9s karma kind kotlinc ktlint launchctl ld less let ll ln local locate
    logger login look ls lsof lua luac luacheck lynx make man markdownlint md5 md5sum
    mdcat mdls meson mix mkdir mkfifo mktemp mmdc mocha mongo more mount mv mvn mypy
    nano nc ncdu ninja nl nm nmap node nox nproc nslookup ntpq nyc objdump ocaml od
    opencode openssl pacman pandoc paste patch pbcopy pbpaste pdftotext pg_dump pgrep
    php phpstan phpunit ping pip pip3 pipenv playwright pnpm popd port pre-commit
    prettier printenv printf proselint protoc ps psql pushd pwd pycodestyle pydocstyle
    pyflakes pylint pyright pytest python read readarray readelf readlink realpath
    rebar3 redis-cli rename return rg rm rmdir rspec rsync rubocop ruff rustc say sc scp
    scutil sed semgrep seq set sha1sum sha256sum shasum shellcheck shfmt shift sleep
    snap softwareupdate sort split sponge sqlfluff sqlite3 ss stat staticcheck strings
    strip stylelint stylua sum supervisorctl sw_vers swift swiftc swiftlint sync sysctl
    systemctl tac tail tar tee telnet terraform test tflint tldr tokei toolmem top touch
    tox tr traceroute tree true truncate tsc tsx tty twine ty type typeset udevadm
    ulimit umask unalias uname uniq unset unxz unzip update uptime vale vercel
    virtualenv vitest vmstat vulture w wait wc wget whatis whereis which who whoami
    write xcodebuild xmllint xxd xz xzcat yamllint yarn yq yum zcat zgrep zip zipinfo
    zizmor zless zstd zypper
    """.split()
)


def is_ordinary(name: str) -> bool:
    """Return True if it is known which programs a program runs, if any."""
    if name in ESCAPES:
        return False
    return name in _PLAIN or name in FLAGS or runs_others(name)
