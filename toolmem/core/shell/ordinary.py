"""Programs that do not run other programs named in their arguments."""

from toolmem.core.shell.flags import FLAGS
from toolmem.core.shell.interpreters import ESCAPES
from toolmem.core.shell.wrappers import runs_others

_PLAIN = frozenset(
    """
    7z adb agy alias ag ansible ant apk apropos apt apt-cache apt-get arch base32
    base64 basename bat bazel bc biome black brew bump bunzip2 bzip2 cal cargo cat
    cd chattr chgrp choco cksum claude clang clear cmake cmp codex column comm compgen
    complete convert cp cpio csplit ctags curl cut date dd declare defaults df diff
    dig dir dirname dirs dmesg dnf dos2unix dotnet dpkg du echo egrep eslint eza exa
    exit export expand expr factor false fallocate fc ffmpeg fgrep file flake8 fmt
    fold for free fzf gcc gemini getent getfacl getopts gh git glab gofmt go gpg
    gradle grep groups gunzip gzip head help helm hexdump host hostname htop http
    iconv id ifconfig import install ip isort jest jj-vcs join jobs jq journalctl
    kind ktlint launchctl less let ll ln local locate logger login look ls lsof lua
    luac lynx make man md5 md5sum mdls mkdir mkfifo mktemp mmdc mongo more mount mv
    mvn mypy nano nc ncdu nl nm nmap node nproc nslookup ntpq objdump od open openssl
    opencode pacman paste patch pbcopy pbpaste pgrep php ping pip pip3 pipenv playwright
    pnpm popd port prettier printenv printf ps psql pushd pwd pylint pyright pytest
    python read readarray readelf readlink realpath redis-cli rename return rg rm
    rmdir ruff rsync rustc say sc scp scutil sed seq set shasum sha256sum shellcheck
    shfmt shift sleep snap softwareupdate sort split sponge sqlite3 sqlfluff ss stat
    strings sum supervisorctl swift sw_vers sync sysctl systemctl tac tail tar tee
    telnet terraform test tldr toolmem top touch tr traceroute tree true truncate
    tsc tty type typeset udevadm ulimit umask uname unalias uniq unset unzip update
    uptime vercel virtualenv vitest vmstat vulture w wait wc wget whatis
    whereis which who whoami write xcodebuild xdg-open xxd yamllint yarn yq yum zcat
    zip zipinfo zstd zypper
    """.split()
)


def is_ordinary(name: str) -> bool:
    """Return True if it is known which programs a program runs, if any."""
    if name in ESCAPES:
        return False
    return name in _PLAIN or name in FLAGS or runs_others(name)
