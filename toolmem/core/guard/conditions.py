"""Match the conditions of a guard with a call, or with one of its commands."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from toolmem.core.guard import contacts
from toolmem.core.guard.calls import (
    SHELL_KEYS,
    SQL_KEYS,
    ArgumentValue,
    FileUse,
    ToolCall,
)
from toolmem.core.patterns import hosts, paths
from toolmem.core.patterns.match import fit_contains, fit_glob, fit_regex
from toolmem.core.rules.guard_table import Guard
from toolmem.core.shell.words import Fit, fill_gaps, has_gap

_EXCERPT = 120
_SQL_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*", re.DOTALL)


class GuardMatch(NamedTuple):
    """Certainty of a match, and what in the call matched.

    ``as_text``: compared as text because it could not be parsed.
    """

    fit: Fit
    why: str = ""
    as_text: bool = False


NOTHING = GuardMatch(Fit.NO)


def _nowhere() -> None:
    """Return no folder: the one of the call is unknown."""


class MatchSubject(NamedTuple):
    """Texts to test, and the files and hosts in them, computed on demand.

    ``guess``: an unknown host may be the wanted one. ``branches`` are the git branches
    that may be checked out, each with certainty; ``pushed`` those that a push does not
    name. ``places`` are the files that the call certainly names, ``folder`` the one
    that it works in, empty if unknown.
    """

    values: Sequence[ArgumentValue]
    files: Callable[[], Sequence["paths.SeenPath"]]
    hosts: "Callable[[], Sequence[contacts.Contact]]"
    home: str
    guess: bool = False
    branches: Callable[[], Sequence[tuple[str, bool]]] = tuple
    pushed: Callable[[], Sequence[tuple[str, bool]]] = tuple
    places: Callable[[], Sequence["paths.SeenPath"]] = tuple
    folder: Callable[[], "paths.SeenPath | None"] = _nowhere
    recipients: Callable[[], Sequence[tuple[ArgumentValue, bool]]] = tuple


def seen_files(
    uses: Iterable[FileUse], call: ToolCall, *, guess: bool = False
) -> tuple["paths.SeenPath", ...]:
    """Return the files that texts may name, and the targets of their links."""
    files: dict[paths.SeenPath, None] = {}
    for use in uses:
        seen = paths.see_path(
            use.text, folder=use.folder, home=call.home, project=call.cwd, guess=guess
        )
        both = [seen]
        if seen and call.real and not has_gap(use.text):
            real = call.real(paths.resolve(use.text, cwd=use.folder, home=call.home))
            above = call.real(call.cwd) if call.cwd else ""
            both.append(paths.see_path(real, folder="", home="", project=above))
        for path in both:
            if path:
                _, _, operations, tree, unsure = use
                files[
                    path._replace(operations=operations, tree=tree, unsure=unsure)
                ] = None
    return tuple(files)


def fit_all(guard: Guard, part: MatchSubject) -> GuardMatch:
    """Match all conditions: the weakest of them, each at its best.

    A match is certain without conditions, and none if the guard's exception certainly
    applies.
    """
    best = GuardMatch(Fit.YES)
    if guard.unless and not guard.unless.command:
        best = GuardMatch(paths.OPPOSITE[_fit_exception(guard.unless, part)])
    for tried in _conditions(guard, part):
        if best.fit is Fit.NO:
            return NOTHING
        best = GuardMatch(min(best.fit, tried.fit), tried.why)
        if best.fit is Fit.NO:
            return NOTHING
    if not best.why:
        best = GuardMatch(
            best.fit, why(part.values[0]) if part.values else "every call"
        )
    return best


def _fit_exception(guard: Guard, part: MatchSubject) -> Fit:
    """Return whether an exception applies, to every file that is used."""
    fit = Fit.YES
    if guard.path or guard.outside:
        used = [path for path in part.files() if path.operations]
        fit = min((fit_file(guard, p, part.home) for p in used), default=Fit.NO)
    others = guard._replace(path=(), outside=(), operation=())
    return min(fit, *(found.fit for found in _conditions(others, part)), Fit.YES)


def _conditions(guard: Guard, part: MatchSubject) -> Iterator[GuardMatch]:
    if guard.contains:
        yield _best(guard.contains, part, lambda v, w: fit_contains(v.readings, w))
    if guard.recipient or guard.recipient_outside:
        yield _best_recipient(guard, part)
    if guard.glob:
        named = _best(guard.glob, part, lambda v, w: fit_glob(v.readings, w))
        yield named if named.fit else _best_branch(guard.glob, part.pushed())
    if guard.regex:
        yield _best(guard.regex, part, _fit_regex)
    if guard.path or guard.outside:
        yield _best_file(guard, part)
    if guard.host:
        yield _best_host(guard, part)
    if guard.branch:
        yield _best_branch(guard.branch, part.branches())
    if (guard.within or guard.without) and not (guard.path or guard.outside):
        yield GuardMatch(_fit_place(guard, part))


def _fit_place(guard: Guard, part: MatchSubject) -> Fit:
    """Return whether a call is in the places of a guard.

    A word that may name a file counts if it is in them. Without files, the folder that
    the call works in counts; it does not show that there is no file of a pattern.
    """
    folder, patterns = part.folder(), (*guard.within, *guard.without)
    files = [path for path in part.places() if _is_known(path, patterns)]
    named = [path for path in part.files() if _is_inside(guard, path, part.home)]
    places = [*files, *named] or ([folder] if folder else [])
    fit = max((fit_within(guard, place, part.home) for place in places), default=Fit.NO)
    if folder and guard.within:
        fit = max(fit, fit_within(guard, folder, part.home))
    of_files = any(map(paths.is_of_files, patterns))
    shown = len(files) == len(part.places()) and (files or (places and not of_files))
    return fit if shown or fit is Fit.YES else Fit.MAYBE


def _is_known(path: "paths.SeenPath", patterns: Sequence[str]) -> bool:
    """Return False for a folder that may have files of some patterns in it."""
    anywhere = any(pattern.startswith("*") for pattern in patterns)
    return not path.above and (paths.is_of_files(path.below) or not anywhere)


def _is_inside(guard: Guard, path: "paths.SeenPath", home: str) -> bool:
    inside = Guard(within=guard.within or guard.without)
    return fit_within(inside, path, home) is not Fit.NO


def fit_within(guard: Guard, path: "paths.SeenPath", home: str) -> Fit:
    """Return whether a file is in the places of a guard and not in its others."""
    fit = Fit.YES
    if guard.within:
        fit = max(paths.fit_path(path, wanted, home=home) for wanted in guard.within)
    if guard.without:
        fit = min(fit, paths.fit_outside(path, guard.without, home=home))
    return fit


def _fit_regex(value: ArgumentValue, wanted: str) -> Fit:
    fit = fit_regex(value.text, wanted)
    if fit is Fit.NO and value.key in SHELL_KEYS:
        bare = value.text.replace("'", "").replace('"', "")
        fit = fit_regex(bare, wanted) if bare != value.text else fit
    if fit is Fit.NO and value.key in SQL_KEYS and _SQL_COMMENT.search(value.text):
        fit = fit_regex(_SQL_COMMENT.sub(" ", value.text), wanted)
    return fit


def _best(
    alternatives: tuple[str, ...],
    part: MatchSubject,
    test: Callable[[ArgumentValue, str], Fit],
) -> GuardMatch:
    fit, best = Fit.NO, None
    for value in part.values:
        for wanted in alternatives:
            tried = test(value, wanted)
            if tried > fit:
                fit, best = tried, value
    return GuardMatch(fit, why(best)) if best else NOTHING


def _best_file(guard: Guard, part: MatchSubject) -> GuardMatch:
    best = NOTHING
    for path in part.files():
        fit = fit_file(guard, path, part.home)
        if fit > best.fit:
            best = GuardMatch(fit, f"the file {excerpt(path.absolute)}")
    return best


def fit_file(guard: Guard, path: "paths.SeenPath", home: str) -> Fit:
    """Return whether a file matches a guard's files and the use of them."""
    if guard.operation and path.operations.isdisjoint(guard.operation):
        return Fit.NO
    fit = Fit.MAYBE if path.unsure else Fit.YES
    if guard.path:
        fits = (paths.fit_path(path, wanted, home=home) for wanted in guard.path)
        fit = min(fit, max(fits))
    if guard.outside:
        used = Fit.YES if path.operations else Fit.NO
        fit = min(fit, used, paths.fit_outside(path, guard.outside, home=home))
    return min(fit, fit_within(guard, path, home))


def _best_recipient(guard: Guard, part: MatchSubject) -> GuardMatch:
    best = NOTHING
    for value, sure in part.recipients():
        fits = [fit_contains(value.readings, wanted) for wanted in guard.recipient]
        if guard.recipient_outside and contacts.is_outside(
            value.text, guard.recipient_outside
        ):
            fits.append(Fit.YES)
        fit = min(max(fits, default=Fit.NO), Fit.YES if sure else Fit.MAYBE)
        if fit > best.fit:
            best = GuardMatch(fit, why(value))
    return best


def _best_branch(
    alternatives: tuple[str, ...], branches: Iterable[tuple[str, bool]]
) -> GuardMatch:
    best = NOTHING
    for branch, sure in branches:
        for wanted in alternatives:
            fit = fit_glob((branch.casefold(),), wanted)
            fit = fit if sure else min(fit, Fit.MAYBE)
            if fit > best.fit:
                best = GuardMatch(fit, f"the branch {excerpt(branch)}")
    return best


def _best_host(guard: Guard, part: MatchSubject) -> GuardMatch:
    best = NOTHING
    for host in part.hosts():
        for wanted in guard.host:
            fit = hosts.fit_host(host.text, wanted, guess=part.guess)
            fit = min(fit, Fit.MAYBE) if host.unsure else fit
            if fit > best.fit:
                best = GuardMatch(fit, f"the host {excerpt(host.text)}")
    return best


def why(value: ArgumentValue) -> str:
    """Describe an argument in a message."""
    return f"{value.key}: {excerpt(value.text)}"


def excerpt(text: str) -> str:
    """Return a short piece of a call for a message: one line, no control characters."""
    text = fill_gaps(text[: 4 * _EXCERPT], "…")
    line = "".join(c if c.isprintable() else " " for c in text)
    line = " ".join(line.split())
    return line if len(line) <= _EXCERPT else line[: _EXCERPT - 1] + "…"
