"""Making a vault: files that were not there, in a repository that may be new."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from toolmem.core.formats.toml_edit import edit_toml
from toolmem.errors import ExistsError, StorageError, ToolmemError
from toolmem.ops.setup import trust
from toolmem.ops.setup.schemas import editor_files
from toolmem.store.files import files, outside
from toolmem.store.files.layout import SETTINGS, WORKFLOW
from toolmem.store.files.settings import data_folder, user_file
from toolmem.store.git import repo as gitrepo
from toolmem.store.git import run as gitrun
from toolmem.store.git.health import is_ignored
from toolmem.store.git.repo import Repo
from toolmem.store.journal import message_queue
from toolmem.store.origin import template_files
from toolmem.store.vault.pointer import POINTER_FILE, named_folder, project_name

# What a folder may well have already, and keeps.
_MAY_STAY = ("README.md", ".gitignore")
_SAMPLES = ("system", "agent-types", "projects", "agents", "archive")
_PLACE = 'TOOLMEM_VAULT: "."'
_FIRST_COMMIT = "Begin the vault"


@dataclass(frozen=True, slots=True)
class InitResult:
    """A new vault: ``git`` is ``created``, ``inside`` (a repository) or ``missing``.

    ``committed`` says whether its files are, ``remark`` why they are not. ``config`` is
    the user's settings file, where it was written; ``default`` is another vault that is
    the user's default one. ``workflow`` is the workflow at the top of a repository that
    the vault is a folder of, and ``pointer`` the file there that names the vault.
    """

    root: Path
    created: tuple[str, ...]
    kept: tuple[str, ...]
    git: str
    committed: bool = False
    remark: str = ""
    config: Path | None = None
    default: str = ""
    workflow: Path | None = None
    pointer: Path | None = None

    @property
    def place(self) -> Path:
        """Return the folder in and below which this vault is found."""
        return self.pointer.parent if self.pointer else self.root


def init_vault(path: Path, *, sample: bool = False, shared: bool = True) -> InitResult:
    """Make a vault in a folder, which is made too if it is missing.

    It has settings, a README, a workflow and tool manifests; ``sample`` adds a project
    and an agent type as examples. In a new repository the files are committed;
    in a folder of a repository that is ``shared`` with it the workflow goes to that
    repository's top, for GitHub reads no other, and a pointer that names the vault and
    the project, so that the vault is found from every folder.
    Never overwrites: raises ``ExistsError`` where there is a vault or a file
    in the way, before anything is written, and ``NotAllowedError`` for an agent: a
    vault is in force before those above it.
    """
    trust.settings_of_person("create a vault")
    if (path / SETTINGS).exists():
        raise ExistsError(f"{path} is a vault already ({SETTINGS} is there)")
    wanted = dict(template_files() if sample else _empty_files())
    wanted |= editor_files()
    there = _kept(path, wanted)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}") from error
    root = path.resolve()
    # The marker comes last: without it a half-made folder is no vault.
    names = sorted(set(wanted) - set(there), key=lambda n: (n == SETTINGS, n))
    git = _repository(root)
    if git == "inside":
        names = [name for name in names if name != WORKFLOW]
    for name in names:
        files.create(root, name, wanted[name])
    message_queue.prepare_reserve(root)
    default = trust.default_vault()
    result = InitResult(root, tuple(names), tuple(there), git, default=default)
    if git == "inside" and shared:
        return _in_repository(result, wanted[WORKFLOW].decode())
    return _committed(result) if git == "created" else result


def _kept(path: Path, wanted: Iterable[str]) -> list[str]:
    """Return the files that are there and stay. Raises ``ExistsError`` for others."""
    there = [name for name in wanted if (path / name).exists()]
    in_the_way = [name for name in there if name not in _MAY_STAY]
    if in_the_way:
        raise ExistsError(
            f"{path} already has {', '.join(in_the_way[:3])}: nothing was written; "
            "choose another folder"
        )
    return there


def _in_repository(made: InitResult, workflow: str) -> InitResult:
    """Write the pointer and the workflow of a vault that is a folder of a repository.

    A vault that git ignores is in no other clone and no pull request: it gets neither.
    """
    repo = Repo.find(made.root)
    if repo is None or is_ignored(repo, SETTINGS):
        return made
    place = made.root.relative_to(repo.top.resolve()).as_posix()
    if place != ".":
        made = _with_pointer(made, repo.top, place)
    return _with_workflow(made, repo.top, place, workflow)


def _with_pointer(made: InitResult, top: Path, place: str) -> InitResult:
    path = top / POINTER_FILE
    text = edit_toml("", {"vault": place, "project": project_name(top)}, POINTER_FILE)
    if path.exists():
        wanted = f"vault = {json.dumps(place)}"
        remark = f"{path} exists and was not changed: {wanted} in it names this vault"
        return replace(made, remark=remark)
    files.create(top, POINTER_FILE, text.encode())
    return replace(made, pointer=path)


def _with_workflow(made: InitResult, top: Path, place: str, text: str) -> InitResult:
    path = top / WORKFLOW
    if path.exists():
        remark = (
            f"{path} exists and was not changed: a run of "
            f"`toolmem check --vault {place}` in it validates this vault"
        )
        return replace(made, remark="; ".join(filter(None, (made.remark, remark))))
    named = text.replace(_PLACE, f"TOOLMEM_VAULT: {json.dumps(place)}", 1)
    files.create(top, WORKFLOW, named.encode())
    return replace(made, workflow=path)


def init_user_vault(path: Path | None, *, sample: bool = False) -> InitResult:
    """Make the user's default vault, or take one that is there, and say so in the
    user's settings.

    Raises ``ExistsError`` where these name another one, ``NotAllowedError`` for an
    agent, and as ``init_vault`` does.
    """
    user = trust.settings_of_person()
    root = (path or data_folder() / "vault").resolve()
    named = user.values.get("vault")
    if named and named_folder(root.parent, user) != root:
        raise ExistsError(
            f"{user_file()} names {named} as your default vault: "
            "change `vault` in that file"
        )
    made = InitResult(root, (), (), "inside")
    if not (root / SETTINGS).is_file():
        made = init_vault(root, sample=sample, shared=False)
    text = outside.read_text(user_file()) or ""
    if not named:
        changed = edit_toml(text, {"vault": str(root)}, str(user_file()))
        outside.write_text(user_file(), changed)
    return replace(made, config=user_file())


def _committed(made: InitResult) -> InitResult:
    """The vault with its first commit, where git can make one."""
    repo = Repo.find(made.root)
    if repo is None:
        return made
    try:
        repo.commit_paths(made.created, _FIRST_COMMIT)
        return replace(made, committed=True)
    except ToolmemError as error:
        return replace(made, remark=f"not committed: {error}")


def fresh_files() -> dict[str, bytes]:
    """Return the content of each file of a new vault, by path."""
    return dict(template_files()) | dict(editor_files())


def _repository(root: Path) -> str:
    if Repo.find(root) is not None:
        return "inside"
    if not gitrun.is_installed():
        return "missing"
    gitrepo.init(root)
    return "created"


def _empty_files() -> Iterator[tuple[str, bytes]]:
    for name, data in template_files():
        if name.partition("/")[0] not in _SAMPLES:
            yield name, data
