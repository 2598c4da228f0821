"""Names of programs that only a shell runs."""

from toolmem.core.capture.text.words import word_set

PROGRAMS = word_set(
    "ansible apt apt-get artisan awk aws brew bun cargo chmod choco chown clang cmake"
    " composer conda crontab curl deno docker dotnet eslint gcc gcloud gh glab"
    " gpg gradle helm heroku ifconfig iptables javac jest jq killall kubectl lsof"
    " maven mkdir mkfs mongosh mvn mypy mysql netlify netstat nmap nohup nox npm"
    " npx openssl perl pip pip3 pipx pixi pkill pnpm podman poetry psql pytest"
    " redis-cli rm rsync ruff rustup scp sed sqlite3 ssh sudo systemctl tar"
    " terraform tmux tox tsc ufw unzip uv vagrant vitest wget winget xargs yarn"
)
"""Words that name a program wherever they are written in lower case."""
PROGRAMS_IN_CODE = word_set(
    "az bash black bundle cat cp dd df du echo flutter fly git go grep java just kill"
    " ln ls make mix mv nix node php prettier ps python python3 rake rails redis ruby"
    " sh touch vercel zsh"
)
"""Everyday words that name a program only as the first word of code."""
