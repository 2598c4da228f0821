"""Recognise names of programs in sentences, and their commands."""

import re
from collections.abc import Sequence

from toolmem.core.shell.flags import FLAGS
from toolmem.core.shell.programs import PASSES, RENAMED, TASK_RUNNERS, program_name
from toolmem.core.shell.wrappers import is_ordinary, runs_others

ENGLISH = frozenset(
    """time make find watch script go env exec kill nice parallel node bundle dd su
    flock apt fish ash dash cd cat cut date diff file fold for fly head host id import
    install join less link ll look man more nl open paste patch read set shift sort
    split stat strings sum sync tail tar test top touch type w wait which who write
    yes true false at batch command r hatch mise just import lua convert column export
    help history login op return local expand factor groups last mount port say screen
    script swift""".split()
)
"""Programs whose name is a common word: recognised in code style only."""
_SUBCOMMANDS = {
    "git": "push pull reset rebase commit merge clean stash checkout switch tag branch"
    " add restore revert cherry-pick filter-branch filter-repo gc rm mv fetch worktree"
    " submodule drop clear pop amend reflog expire delete prune remove"
    " update-ref config"
    " bisect am apply archive",
    "gh": "pr repo release issue merge create delete close secret workflow run"
    " api edit",
    "npm": "install publish run ci update uninstall audit unpublish deprecate exec link"
    " test start version fix",
    "pnpm": "install publish run update remove add unpublish dlx exec",
    "yarn": "install publish run add remove upgrade dlx",
    "bun": "install add remove run publish",
    "pip": "install uninstall freeze",
    "uv": "add remove sync pip run install uninstall",
    "poetry": "add remove install update publish run",
    "cargo": "publish install run build update clean test fmt",
    "docker": "rm rmi push run exec system prune volume compose down up build stop kill"
    " restart start image container network pull login",
    "go": "test build run get install mod generate vet",
    "docker-compose": "up down rm build stop restart run exec",
    "podman": "rm rmi push run exec system prune volume build stop kill",
    "kubectl": "delete apply exec scale drain edit patch create replace rollout cordon"
    " port-forward",
    "helm": "install uninstall upgrade rollback delete",
    "terraform": "apply destroy import taint state rm plan init",
    "tofu": "apply destroy import taint state rm",
    "brew": "install uninstall upgrade",
    "apt-get": "install remove purge upgrade autoremove",
    "systemctl": "stop restart disable start enable mask reboot poweroff kill",
    "chmod": "777 666 000 a+rwx",
    "vercel": "deploy remove rm --prod",
    "netlify": "deploy sites:delete",
    "fly": "deploy destroy apps",
    "heroku": "apps:destroy pg:reset",
    "prisma": "migrate reset db push deploy",
    "alembic": "upgrade downgrade",
    "redis-cli": "flushall flushdb",
    "aws": "s3 rm rb ec2 terminate-instances",
    "supabase": "db reset push",
    "firebase": "deploy",
    "wrangler": "deploy publish",
    "launchctl": "unload load bootout",
}
_MORE = frozenset(
    """grep rg jq tee pytest mypy ruff black jest eslint prettier tsc gradle mvn
    ansible-playbook reboot shutdown mkfs mongosh redis-cli telnet netcat vim nano
    eval killall pkill shred wipefs fdisk iptables poweroff halt gsutil az netlify
    vercel fly flyctl vault heroku firebase wrangler prisma alembic supabase
    docker-compose launchctl diskutil crontab chattr useradd usermod passwd visudo
    apt dnf yum pacman snap nc socat nmap rclone restic bq claude codex gemini aider
    deno ts-node tsx vite webpack next nx turbo lerna composer artisan rails rake
    rspec flask django-admin manage.py tox nox pre-commit twine hatch gem mix sbt
    xcodebuild fastlane pod swift flutter dart adb dropdb createdb dropuser
    createuser pg_dump pg_restore pg_ctl mysqldump mysqladmin mongodump mongorestore
    k6 locust ab wrk hey http https xh fd bat sops age gpg op bw terragrunt packer
    vagrant virsh kind minikube k3d k9s kubectx kubens flux argocd istioctl eksctl
    skaffold tilt nerdctl crictl ctr buildah skopeo doctl linode-cli hcloud ibmcloud
    oci databricks snowsql dbt airflow spark-submit liquibase flyway goose sqitch
    knex sequelize typeorm drizzle-kit hasura pscale clang-format gofmt goimports
    golangci-lint rustfmt clippy-driver isort autopep8 yapf pylint flake8 bandit
    pyright poe invoke fab pipx pdm rye conda mamba pyenv nvm fnm volta asdf mise
    rbenv rvm sdk jenv swiftlint swiftformat ktlint scalafmt stylua shfmt shellcheck
    hadolint biome oxlint dprint stylelint standard xo rimraf nodemon pm2 forever
    parcel rollup esbuild swc babel gulp grunt bower storybook cypress playwright
    vitest mocha karma ava rubocop brakeman capistrano cap puma rackup sidekiq
    phpunit phpstan psalm pint wp drush magento symfony ng nest expo eas pod-install
    cordova ionic tauri electron-builder cmake ninja bazel buck2 pants ant sccache
    ccache scons meson wscat websocat iperf3 tcpdump wireshark tshark hydra sqlmap
    nikto masscan john hashcat mdadm lvremove vgremove pvremove parted mkswap
    swapoff umount fsck zpool zfs btrfs apt-key dpkg rpm zypper apk flatpak port nix
    nix-env nix-collect-garbage guix supervisorctl rc-service certbot nginx caddy
    haproxy varnishadm consul nomad etcdctl ffmpeg svn hg kafka-topics rabbitmqctl
    redis-server memcached influx cqlsh mongo pulumi serverless sls cdk sam eb
    amplify railway render doppler infisical ngrok cloudflared tailscale wg wg-quick
    nft ufw firewall-cmd setfacl lsof strace gdb lldb valgrind ldapmodify kcat
    kafkacat temporal dagger earthly nix-shell devbox kustomize helmfile argo tkn
    velero kubeadm kops crane regctl trivy grype syft semgrep codeql sonar-scanner
    snyk newman hurl grpcurl mitmproxy ssh-keygen ssh-add ssh-copy-id gpg-agent pass
    mkcert step cosign jf jfrog artifactory fossil jj git-lfs dvc changeset
    release-it semantic-release standard-version np cargo-release goreleaser
    bumpversion bump-my-version commitizen cz electron-forge gsed gawk rename mmv
    srm secure-delete at atq chsh groupmod gpasswd vipw loginctl hostnamectl
    timedatectl nmcli ip ifconfig route arp dig nslookup whois traceroute ping
    iwconfig modprobe insmod rmmod dkms grub-install efibootmgr""".split()
)
_RUNNING = {key.partition(" ")[0] for key in PASSES if " " in key}
PROGRAMS = (
    frozenset(key for key in FLAGS if " " not in key)
    | _MORE | _RUNNING | RENAMED.keys()
)  # fmt: skip
_NAMED = {
    "ripgrep": "rg",
    "node.js": "node",
    "nodejs": "node",
    "terraform": "terraform",
}
_PLAIN = re.compile(r"[a-z][a-z0-9._+-]{1,40}")
_SOURCE_WORDS = frozenset(
    """as any const let var function class return new async await def from import export
    type interface public private static void if else try catch throw yield with lambda
    print select insert update delete create drop alter where true false null none nil
    undefined this self super default enum struct impl fn pub use mod match loop while
    do switch case break continue todo fixme""".split()
)


def spelled(word: str) -> str:
    """Return a program's name for its spelling in prose: ``Node.js`` is ``node``."""
    name = word.casefold()
    known = name in PROGRAMS and name not in ENGLISH
    return _NAMED.get(name, name if known else word)


def is_program(word: str) -> bool:
    """Return True if a word in code style is certainly a program's name."""
    name = program_name(word)
    return name in PROGRAMS or is_ordinary(name) or runs_others(name)


def is_name(word: str) -> bool:
    """Return True for a program that is not a word of programs in other languages."""
    return word not in _SOURCE_WORDS


def runs(words: Sequence[str]) -> bool:
    """Return True if another command line follows these words: ``uv run``."""
    return PASSES.get(" ".join(words)) == len(words) - 1 or tuple(words) in TASK_RUNNERS


def may_be_program(word: str) -> bool:
    """Return True if a word in no table can be a program's name."""
    if not _PLAIN.fullmatch(word) or word in _SOURCE_WORDS:
        return False
    suffix = word.rpartition(".")[2] if "." in word else ""
    return suffix not in ("yml", "yaml", "json", "md", "toml", "txt", "lock", "env")


def is_subcommand(words: list[str], word: str) -> bool:
    """Return True if a bare word belongs to the command before it."""
    if word.startswith("-"):
        return True
    key = " ".join([*words, word])
    return key in FLAGS or word in _SUBCOMMANDS.get(words[0], "").split()
