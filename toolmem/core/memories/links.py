"""Check the links between the memories of a whole vault."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from toolmem.core.model import Problem


def link_problems(rivals: Mapping[str, Sequence[str]]) -> Iterator[Problem]:
    """Report duplicate ids and contradictions with missing memories.

    ``rivals`` has the path of every memory, with the ids of those that it is contested
    with.
    """
    # There may be a million, and a call of a function for each takes most of the time.
    ids = {path.rpartition("/")[2].removesuffix(".md") for path in rivals}
    if len(ids) < len(rivals):
        yield from _duplicates(rivals)
    for path, named in rivals.items():
        for rival in named:
            if rival not in ids:
                message = (
                    f"contested with {rival}, which does not exist: `toolmem memory "
                    "edit "
                    f"{_id(path)} --uncontested` removes the link"
                )
                yield Problem(path, 0, "dangling-link", message, "warning")


def _duplicates(paths: Iterable[str]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for path in sorted(paths, key=by_folder):
        name = _id(path)
        known = first.setdefault(name, path)
        if known != path:
            message = f"{name} is also the id of {known}: rename one of the files"
            yield Problem(path, 0, "duplicate-id", message)


def by_folder(path: str) -> list[str]:
    """Return a key that sorts paths as a walk through their folders meets them."""
    return path.split("/")


def _id(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
