"""Which words are names of programs."""

from toolmem.core.capture.smallwords import word_set

PROGRAMS = word_set(
    "ansible apt apt-get artisan awk aws brew bun cargo chmod choco chown clang cmake"
    " composer conda crontab curl deno docker dotnet eslint flutter gcc gcloud gh glab"
    " gpg gradle helm heroku ifconfig iptables javac jest jq killall kubectl lsof"
    " maven mkdir mkfs mongosh mvn mypy mysql netlify netstat nix nmap nohup nox npm"
    " npx openssl perl php pip pipx pkill pnpm podman poetry prettier psql pytest"
    " rails redis-cli rm rsync ruff rustup scp sed sqlite3 ssh sudo systemctl tar"
    " terraform tmux tox tsc ufw unzip uv vagrant vercel vitest wget winget xargs yarn"
)
"""First words of commands that only a shell runs."""
EVERYDAY_PROGRAMS = word_set(
    "az bash black bundle cat cp dart dd df du echo export fly git go history java"
    " just kill ln make mix mv node ps rake ruby screen service sh source swift top"
    " touch zsh"
)
"""Programs whose names are everyday words: they count in code only."""
