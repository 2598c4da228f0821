"""Options of common programs: their spellings, and which take a value.

One line per program or subcommand (a subcommand has its parent's as well):
``-f=--force`` two spellings, ``--repo:`` takes a value, ``-i=--in-place?`` may take one
in the same word, ``-D=--delete+--force`` means several, ``%i=install`` another name of
an operand (``%run-all=`` one that means nothing), ``+=--force`` the meaning of an
operand with a leading plus, ``:=--delete`` with a colon, ``-exec;`` takes words up to a
semicolon, ``@single`` long options have one dash, ``@any`` the operands have no order,
``@bundle`` the first word may be short options, ``@plus`` short ones may have a plus,
``!1`` after so many operands the rest belongs to another program.
"""

_SHELL = "@plus -c -o: -O: --rcfile: --init-file: -l=--login -i -s -x -e -u !1"

FLAGS: dict[str, str] = {
    # Version control
    "git": (
        "-C: -c: --git-dir: --work-tree: --namespace: --config-env: --exec-path?"
        " -p=--paginate -P=--no-pager --bare --no-replace-objects --literal-pathspecs"
        " %send-pack=push %subtree= %stage=add"
    ),
    "git add": "-f=--force -A=--all -u=--update -p=--patch -n=--dry-run -v=--verbose",
    "git branch": (
        "-d=--delete -D=--delete+--force -m=--move -M=--move+--force -c=--copy"
        " -C=--copy+--force -f=--force -a=--all -r=--remotes -u=--set-upstream-to:"
        " --unset-upstream -v=--verbose -q=--quiet --show-current --list"
    ),
    "git checkout": (
        "-b: -B: -f=--force -q=--quiet -t=--track -d=--detach -p=--patch --orphan:"
        " --ours --theirs -m=--merge"
    ),
    "git clean": (
        "-f=--force -d -x -X -n=--dry-run -q=--quiet -i=--interactive -e=--exclude:"
    ),
    "git commit": (
        "-n=--no-verify -m=--message: -F=--file: -C=--reuse-message:"
        " -c=--reedit-message: -a=--all -p=--patch -s=--signoff -v=--verbose"
        " -q=--quiet -e=--edit -S=--gpg-sign? -t=--template: --amend --no-edit"
        " --author: --date: --fixup: --squash: --allow-empty -i=--include -o=--only"
        " -u=--untracked-files? --no-gpg-sign --dry-run --reset-author --trailer:"
    ),
    "git diff": (
        "-w=--ignore-all-space -b=--ignore-space-change --cached --staged=--cached"
    ),
    "git fetch": (
        "-f=--force -p=--prune -a=--append -t=--tags --all --depth: -q=--quiet"
    ),
    "git filter-branch": (
        "--tree-filter: --index-filter: --env-filter: --msg-filter: --commit-filter:"
        " --tag-name-filter: --parent-filter: --subdirectory-filter: -f=--force -d:"
    ),
    "git grep": "-e: -f: -A: -B: -m=--max-count: --max-depth: -O? -l -n -i -w -z",
    "git ls-files": "-x=--exclude: -X=--exclude-from: --with-tree: --format: -d -m",
    "git merge": "-m: -s=--strategy: -X=--strategy-option: -n --no-ff --squash --abort",
    "git pull": (
        "-f=--force -r=--rebase? -s=--strategy: -X=--strategy-option: --no-rebase"
        " --ff-only --all -q=--quiet -v=--verbose"
    ),
    "git push": (
        "-f=--force -u=--set-upstream -n=--dry-run -d=--delete -q=--quiet -v=--verbose"
        " -o=--push-option: --repo: --receive-pack: --exec: --force-with-lease?"
        " --force-if-includes --no-verify --all --branches --tags --follow-tags"
        " --mirror=--mirror+--force --prune --atomic --porcelain --progress --thin"
        " --no-thin --signed? --recurse-submodules? -4=--ipv4 -6=--ipv6 +=--force"
        " :=--delete"
    ),
    "git rebase": (
        "-i=--interactive -x=--exec: --onto: -s=--strategy: -X=--strategy-option:"
        " -f=--force-rebase -q=--quiet --abort --continue --skip --root --no-verify"
    ),
    "git reset": "--hard --soft --mixed --merge --keep -q=--quiet -p=--patch",
    "git restore": "-s=--source: -S=--staged -W=--worktree -p=--patch -q=--quiet",
    "git rm": "-r -f=--force -n=--dry-run -q=--quiet --cached",
    "git stash": "-m=--message: -u=--include-untracked -a=--all -p=--patch -k",
    "git switch": (
        "-c=--create: -C=--force-create: -d=--detach -f=--discard-changes+--force"
        " --discard-changes"
        " --force=--discard-changes+--force --orphan: -t=--track -q=--quiet"
    ),
    "git tag": (
        "-d=--delete -f=--force -a=--annotate -m=--message: -F=--file: -l=--list"
    ),
    "git worktree": "-f=--force -b: -B: -d=--detach",
    "gh": "-R=--repo:",
    "gh pr": "",
    "gh pr merge": (
        "-s=--squash -m=--merge -r=--rebase -d=--delete-branch --admin --auto"
        " -b=--body: -t=--subject: -F=--body-file:"
    ),
    "gh api": (
        "-X=--method: -f=--raw-field: -F=--field: -H=--header: --input: -q=--jq:"
        " -t=--template: --paginate -i=--include --hostname: -p=--preview: --cache:"
        " --silent --slurp --verbose"
    ),
    "gh repo": "",
    "gh repo sync": "-b=--branch: -s=--source: --force",
    "gh repo delete": "--yes",
    # Files
    "rm": (
        "-r=--recursive -R=--recursive -f=--force -i -I --interactive? -d=--dir"
        " -v=--verbose --no-preserve-root --preserve-root? --one-file-system"
    ),
    "cp": (
        "-r=--recursive -R=--recursive -f=--force -a=--archive -i=--interactive"
        " -n=--no-clobber -p -u=--update -v=--verbose -t=--target-directory:"
    ),
    "mv": (
        "-f=--force -i=--interactive -n=--no-clobber -u=--update -v=--verbose"
        " -t=--target-directory:"
    ),
    "ln": "-s=--symbolic -f=--force -n=--no-dereference -t=--target-directory:",
    "install": (
        "-m=--mode: -o=--owner: -g=--group: -t=--target-directory: -d=--directory"
    ),
    "mkdir": "-p=--parents -m=--mode: -v=--verbose",
    "chmod": "-R=--recursive -v=--verbose -c=--changes -f=--silent --reference:",
    "chown": "-R=--recursive -v=--verbose -c=--changes -f=--silent --reference:",
    "sed": (
        "-i=--in-place? -e=--expression: -f=--file: -n=--quiet -E=--regexp-extended"
        " -r=--regexp-extended -s=--separate"
    ),
    "find": (
        "@single -delete -exec; -execdir; -ok; -okdir; -name: -iname: -type: -xtype:"
        " -path: -ipath: -wholename: -regex: -iregex: -maxdepth: -mindepth: -mtime:"
        " -mmin: -atime: -amin: -ctime: -cmin: -newer: -size: -user: -group: -perm:"
        " -uid: -gid: -inum: -links: -samefile: -fstype: -printf: -fprint: -fls:"
        " -lname: -used: -context: -regextype: -fprintf:"
    ),
    "rsync": (
        "-a=--archive -v=--verbose -r=--recursive -z=--compress -n=--dry-run"
        " --delete -e=--rsh: --exclude: --include: -q=--quiet -u=--update"
        " --del=--delete"
    ),
    "tar": (
        "@bundle -x=--extract -c=--create -f=--file: -C=--directory: -z=--gzip"
        " -v=--verbose"
        " --checkpoint-action: --to-command: -I=--use-compress-program:"
    ),
    "truncate": "-s=--size: -c=--no-create",
    "shred": "-u -z=--zero -f=--force -n=--iterations: -v=--verbose",
    "crontab": "-r -e -l -u:",
    # Containers and clusters
    "docker": (
        "-H=--host: -c=--context: -l=--log-level: -D=--debug --config: --tls"
        " --tlsverify %container= %buildx="
    ),
    "docker run": (
        "-v=--volume: -p=--publish: -e=--env: -u=--user: -w=--workdir: -i"
        " -t -d=--detach --rm --name: --network: --entrypoint: --env-file: --mount:"
        " -m=--memory: --cpus: --platform: --privileged --init -h=--hostname:"
        " -l=--label: --restart: --cap-add: --security-opt: --pull: --gpus: --net: !1"
    ),
    "docker exec": (
        "-e=--env: -u=--user: -w=--workdir: -i=--interactive -t=--tty -d=--detach"
        " --privileged --env-file: !1"
    ),
    "docker build": (
        "-f=--file: -t=--tag: --build-arg: --target: -q=--quiet --no-cache --pull"
        " --platform: --secret: --output:"
    ),
    "docker rm": "-f=--force -v=--volumes -l=--link",
    "docker rmi": "-f=--force --no-prune",
    "docker system": "",
    "docker system prune": "-a=--all -f=--force --volumes --filter:",
    "docker volume": "",
    "docker volume rm": "-f=--force",
    "docker push": "-a=--all-tags -q=--quiet",
    "docker compose": "-f=--file: -p=--project-name: --profile: --env-file:",
    "docker compose down": "-v=--volumes --remove-orphans --rmi: -t=--timeout:",
    "docker compose exec": "-e=--env: -u=--user: -w=--workdir: -T -d=--detach !1",
    "docker compose run": "-e=--env: -u=--user: -w=--workdir: -v=--volume: --rm -T !1",
    "kubectl": (
        "-n=--namespace: --context: --cluster: --kubeconfig: --user: --as: -s=--server:"
        " --token: -v: -f=--filename: -o=--output: -l=--selector: -A=--all-namespaces"
        " -k=--kustomize: -R=--recursive --all --force --grace-period: --dry-run?"
        " --wait? --now --cascade?"
    ),
    "kubectl exec": "-c=--container: -i=--stdin -t=--tty !2",
    "kubectl logs": "-f=--follow -c=--container: -p=--previous",
    "helm": (
        "-n=--namespace: --kube-context: --kubeconfig: %delete=uninstall"
        " %del=uninstall %un=uninstall"
    ),
    "vercel": "%rm=remove -y=--yes --scope: --token: -t=--token:",
    "gh secret": "%remove=delete -e=--env: -o=--org:",
    "gsutil": "-m -q -o: -h:",
    "gsutil rm": "-r=--recursive -R=--recursive -f -a -I",
    "terragrunt": "@single %run-all= %run= %stack= -auto-approve -destroy",
    "helm install": "-f=--values: --set: --version: --wait",
    "helm upgrade": "-f=--values: --set: --version: -i=--install --force --wait",
    "terraform": "@single -chdir: -auto-approve -var: -var-file: -target: -destroy",
    "tofu": "@single -chdir: -auto-approve -var: -var-file: -target: -destroy",
    "aws": "--profile: --region: --output: --endpoint-url: --query:",
    "gcloud": "--project: --account: -q=--quiet --format: --zone: --region:",
    # Packages
    "npm": (
        "-g=--global -f=--force -D=--save-dev -S=--save -E=--save-exact -C=--prefix:"
        " --prefix: -w=--workspace: --registry: --tag: -y=--yes"
        " %i=install %in=install %add=install %un=uninstall %remove=uninstall"
        " %rm=uninstall %r=uninstall %run-script=run %t=test %up=update %pub=publish"
        " %publ=publish %unpub=unpublish %inst=install %ins=install"
    ),
    "pnpm": (
        "-g=--global -f=--force -D=--save-dev -C=--dir: --filter: -r=--recursive"
        " %i=install %rm=remove %un=remove %uninstall=remove %run="
    ),
    "yarn": "-D=--dev --cwd: %run=",
    "toolmem": "--vault: -V=--version",
    "pip": (
        "-U=--upgrade -r=--requirement: -e=--editable: -c=--constraint: -q=--quiet"
        " -i=--index-url: --extra-index-url: -t=--target: -f=--find-links: --user"
        " --break-system-packages --force-reinstall -y=--yes --no-deps --pre"
    ),
    "uv": "--directory: --project: -p=--python: -q=--quiet",
    "uv run": "--with: --extra: --group: -p=--python: -m=--module !1",
    "cargo": "-Z: --config: --color: -C: --manifest-path: -p=--package: -q=--quiet",
    **dict.fromkeys(
        (
            f"cargo {name}"
            for name in (
                "build",
                "check",
                "test",
                "run",
                "bench",
                "clippy",
                "install",
                "doc",
                "fetch",
                "package",
                "tree",
                "rustc",
            )
        ),
        "--locked --frozen --offline -r=--release --features: --bin: --target:",
    ),
    "cargo publish": (
        "--locked --frozen --offline --token: --dry-run -n=--dry-run --allow-dirty"
        " --no-verify"
    ),
    "go": "@single -C:",
    "go test": "-run: -race -v -count: -timeout: -tags: -bench: -cover",
    "apt": "-y=--yes -q=--quiet -t=--target-release: -o=--option: --purge -f",
    "apt-get": "-y=--yes -q=--quiet -t=--target-release: -o=--option: --purge -f",
    "brew": "-f=--force -q=--quiet -v=--verbose --cask --zap",
    # Network
    "curl": (
        "-X=--request: -d=--data: --data-raw: --data-binary: --data-urlencode:"
        " -H=--header: -o=--output: -u=--user: -A=--user-agent: -e=--referer:"
        " -F=--form: -T=--upload-file: -x=--proxy: -b=--cookie: -c=--cookie-jar:"
        " -m=--max-time: --connect-timeout: --retry: -w=--write-out: --url: --json:"
        " -E=--cert: --cacert: --key: -K=--config: --resolve: -k=--insecure"
        " -L=--location -s=--silent -S=--show-error -f=--fail -I=--head -i=--include"
        " -v=--verbose -O=--remote-name -J=--remote-header-name -g=--globoff"
    ),
    "wget": (
        "-O=--output-document: -o=--output-file: -P=--directory-prefix:"
        " -U=--user-agent:"
        " --header: --post-data: --post-file: --method: -q=--quiet -r=--recursive"
        " --no-check-certificate -c=--continue -N=--timestamping -T=--timeout:"
    ),
    "ssh": (
        "-p: -i: -l: -o: -F: -J: -L: -R: -D: -b: -c: -e: -E: -I: -m: -O: -Q: -S: -w:"
        " -W: -B: -v -q -t -T -N -f -n -A -a -C -X -Y -4 -6 -k -K -G -g -M -s -V !2"
    ),
    "scp": "-P: -i: -o: -F: -J: -l: -c: -S: -r -p -q -C -v -3 -4 -6 -B -O -T",
    # Data
    "psql": (
        "-c=--command: -d=--dbname: -f=--file: -h=--host: -p=--port: -U=--username:"
        " -v=--set: -o=--output: -w=--no-password -W=--password -t=--tuples-only"
    ),
    "mysqladmin": "-h=--host: -P=--port: -u=--user: -p? -f=--force",
    "mysql": "-e=--execute: -h=--host: -P=--port: -u=--user: -D=--database: -p?",
    "sqlite3": "-cmd: -init: @single -readonly -json -csv",
    "dd": "",
    # System
    "systemctl": (
        "-H=--host: -M=--machine: -t=--type: -f=--force --now --user -q=--quiet"
    ),
    "kill": "-s=--signal: -l=--list",
    "pkill": "-f=--full -u=--euid: -9 -x=--exact -n=--newest -o=--oldest",
    **dict.fromkeys(
        ("just", "ninja", "rake", "task", "mvn", "gradle", "gradlew"), "@any"
    ),
    "make": (
        "@any -C=--directory: -f=--file: -j=--jobs? -B=--always-make -k=--keep-going"
    ),
    # Programs that run another program
    "sudo": (
        "-u=--user: -g=--group: -h=--host: -p=--prompt: -C=--close-from: -D=--chdir:"
        " -R=--chroot: -r=--role: -t=--type: -T=--command-timeout: -U=--other-user:"
        " -E=--preserve-env? -n=--non-interactive -H=--set-home -S=--stdin"
        " -b=--background"
        " -i=--login -s=--shell -k=--reset-timestamp -A=--askpass -P=--preserve-groups"
    ),
    "doas": "-u: -C: -n -s -L",
    "env": (
        "-u=--unset: -C=--chdir: -S=--split-string: -i=--ignore-environment -0=--null"
        " -v=--debug --block-signal? --default-signal? --ignore-signal?"
    ),
    "time": "-f=--format: -o=--output: -p=--portability -v=--verbose -a=--append",
    "nice": "-n=--adjustment:",
    "ionice": "-c=--class: -n=--classdata: -t=--ignore -p=--pid:",
    "chrt": "-p=--pid -f=--fifo -r=--rr -o=--other -b=--batch -i=--idle",
    "taskset": "-p=--pid -c=--cpu-list -a=--all-tasks",
    "nohup": "",
    "pkexec": "--user:",
    "unshare": "-R=--root: -w=--wd: -S=--setuid: -G=--setgid:",
    "fakeroot": "-l=--lib: -s: -i: -b:",
    "xvfb-run": (
        "-n=--server-num: -s=--server-args: -e=--error-file: -f=--auth-file:"
        " -p=--xauth-protocol: -w=--wait: -a=--auto-servernum"
    ),
    "mise": "-C=--cd: -E=--env:",
    "mise exec": "-c=--command:",
    "mise x": "-c=--command:",
    "at": "-f=--file: -q: -t: -m",
    "batch": "",
    "setsid": "-c=--ctty -f=--fork -w=--wait",
    "stdbuf": "-i=--input: -o=--output: -e=--error:",
    "timeout": (
        "-k=--kill-after: -s=--signal: -v=--verbose --preserve-status --foreground"
    ),
    "xargs": (
        "-I: -n=--max-args: -P=--max-procs: -L: -d=--delimiter: -a=--arg-file: -E:"
        " -s=--max-chars: -J: -R: -S: -i=--replace? -l? -e? -0=--null"
        " -r=--no-run-if-empty"
        " -t=--verbose -p=--interactive -x=--exit --process-slot-var: !1"
    ),
    "exec": "-a: -c -l",
    "watch": "-n=--interval: -d=--differences? -t=--no-title -x=--exec -e=--errexit",
    "flock": "-w=--timeout: -E=--conflict-exit-code: -c=--command: -n=--nonblock -x -s",
    "strace": "-e: -o: -p: -s: -u: -E: -P: -O: -S: -a: -f -c -t -tt -y",
    "chroot": "--userspec: --groups: --skip-chdir",
    "su": "-c=--command: -s=--shell: -g=--group: -G=--supp-group: -l=--login -m -p",
    "runuser": "-c=--command: -s=--shell: -u=--user: -g=--group: -l=--login",
    "script": "-c=--command: -E=--echo: -I=--log-in: -O=--log-out: -q=--quiet -a -f -e",
    "parallel": "-j=--jobs: -I: -a=--arg-file: -n=--max-args: -d=--delimiter: -S: -k",
    "npm exec": "-p=--package: -c=--call: -y=--yes -w=--workspace:",
    "npx": "-p=--package: -c=--call: -y=--yes -q=--quiet",
    "bunx": "",
    "pipx": "",
    "pipx run": "--spec: --python: !1",
    "uvx": "--from: --with: -p=--python:",
    "poetry": "-C=--directory: -P=--project:",
    "poetry run": "!1",
    "pipenv": "",
    "pipenv run": "!1",
    "bundle": "",
    "bundle exec": "!1",
    "conda": "",
    "conda run": "-n=--name: -p=--prefix: --cwd: --no-capture-output !1",
    "python": "-c: -m: -W: -X: -u -i -E -s -S -O -B -I -q -v !1",
    "perl": "-e: -E: -I: -M: -i? -n -p -w !1",
    "ruby": "-e: -I: -r: -n -p -w !1",
    "node": "-e=--eval: -p=--print -r=--require: --import: !1",
    "php": "-r: -d: -f: !1",
    "lua": "-e: -l: -i !1",
    "rscript": "-e: !1",
    "r": "-e: -f: --args !1",
    "julia": "-e=--eval: -E=--print: !1",
    "bun": "-e=--eval: -p=--print",
    "awk": "-f: -F: -v:",
    "osascript": "-e: -l:",
    **dict.fromkeys(
        (
            "bash",
            "sh",
            "zsh",
            "dash",
            "ksh",
            "ash",
            "fish",
            "csh",
            "tcsh",
            "mksh",
            "rbash",
        ),
        _SHELL,
    ),
}
_SAME = {
    "hub": "git",
    "gawk": "awk",
    "mawk": "awk",
    "nawk": "awk",
    "luajit": "lua",
    "vc": "vercel",
    "podman": "docker",
    "nerdctl": "docker",
    "docker-compose": "docker compose",
    "oc": "kubectl",
    "gtimeout": "timeout",
}
FLAGS |= {
    name + key.removeprefix(other): text
    for name, other in _SAME.items()
    for key, text in FLAGS.items()
    if key == other or key.startswith(other + " ")
}
