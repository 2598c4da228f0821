"""Commands of equal effect: other ways to do what a command does."""

import re
from collections.abc import Iterator
from functools import cache

from toolmem.core.shell.argv import Call, fit_call, take_apart
from toolmem.core.shell.words import Fit, Word

_TABLE = r"""
git update-ref -d | refs/heads/(\S+).* | git branch --delete --force {0}
git update-ref -d | refs/tags/(\S+).* | git tag --delete {0}
git update-ref -d | refs/stash.* | git stash clear
git update-ref | refs/heads/(\S+).* | git branch --force {0}
git read-tree --reset | .* | git reset --hard
git checkout-index -a | .* | git checkout .
git commit-tree | .* | git commit --no-verify
terraform apply -destroy | .* | terraform destroy
dropdb | .*?(\S+) | psql DROP~DATABASE~{0}
mysqladmin drop | (\S+).* | psql DROP~DATABASE~{0}
service | (\S+) (\S+).* | systemctl {1} {0}
rc-service | (\S+) (\S+).* | systemctl {1} {0}
systemctl try-restart | (.+) | systemctl restart {0}
systemctl reload-or-restart | (.+) | systemctl restart {0}
systemctl reboot | .* | reboot
systemctl poweroff | .* | shutdown
systemctl halt | .* | shutdown
poweroff | .* | shutdown
halt | .* | shutdown
telinit | .* | shutdown
pnpm publish | .* | npm publish
yarn publish | .* | npm publish
yarn npm publish | .* | npm publish
bun publish | .* | npm publish
lerna publish | .* | npm publish
pkill -9 | (.*) | kill -9 {0}
killall -9 | (.*) | kill -9 {0}
pkill -KILL | (.*) | kill -9 {0}
killall -KILL | (.*) | kill -9 {0}
install -m=777 | .*?(\S+) | chmod 777 {0}
install --mode=777 | .*?(\S+) | chmod 777 {0}
docker image rm | (.*) | docker rmi {0}
docker image push | (.*) | docker push {0}
docker image pull | (.*) | docker pull {0}
rimraf | (.*) | rm -r -f {0}
npm exec | (.*) | npx {0}
npm x | (.*) | npx {0}
git config | remote\.(\S+)\.push (\S+) | git push {0} {1}
git update-ref | refs/tags/(\S+).* | git tag {0}
npm install --location=global | (.*) | npm install --global {0}
git push | (\S+) \+?: | git push --all {0}
"""
"""The words of a command; a pattern for its further operands; an equal command,
with ``~`` for blanks inside a word."""
_INIT = re.compile(r"(?:/\S*)?/init\.d/([\w@.-]+)")


@cache
def _rows() -> dict[str, list[tuple[Call, str, str]]]:
    rows: dict[str, list[tuple[Call, str, str]]] = {}
    for line in _TABLE.strip().splitlines():
        left, operands, right = line.split(" | ")
        call = take_apart([Word(word) for word in left.split()])
        rows.setdefault(call.program, []).append((call, operands, right))
    return rows


def equal_commands(call: Call, name: str) -> Iterator[tuple[Word, ...]]:
    """Yield commands that do what a call of a program (``name`` as written) does."""
    script = _INIT.fullmatch(name)
    if script:
        verbs = [operand.text for operand in call.operands[:1]]
        yield tuple(map(Word, ("systemctl", *verbs, script[1])))
    for wanted, pattern, right in _rows().get(call.program, ()):
        if fit_call(wanted, call) is not Fit.YES:
            continue
        rest = call.operands[len(wanted.operands) :]
        named = re.fullmatch(pattern, " ".join(operand.text for operand in rest))
        if named:
            words = (word.format(*named.groups()) for word in right.split())
            yield tuple(
                Word(part.replace("~", " "))
                for word in words
                for part in ([word] if "~" in word else word.split())
            )


def equal_programs() -> tuple[tuple[str, str], ...]:
    """Return the programs of the table, each with one that has commands of equal
    effect."""
    pairs = (
        (right.split()[0], program)
        for program, rows in _rows().items()
        for _, _, right in rows
    )
    return tuple(sorted({pair for pair in pairs if pair[0] != pair[1]}))
