"""A clause of a demand: its words by their roles, and what they name."""

from typing import Any, NamedTuple

from toolmem.core.guard.derivation.files import pattern_of
from toolmem.core.guard.derivation.reading.demand_vocabulary import DEMAND_VERBS
from toolmem.core.guard.derivation.reading.vocabulary import PASSING


class DemandWord(NamedTuple):
    """A word or an object with its role in a demand.

    Roles of objects: a command ``K``, files ``F`` (in brackets ``P``), either of both
    ``A``, a name in capitals ``L``, a fact ``Q``, other code ``!``. ``values`` are the
    command lines or the patterns.
    """

    role: str
    text: str
    values: tuple[str, ...] = ()


class Clause(NamedTuple):
    """A clause: how it is joined to its sentence, and its words with a role.

    ``only``: the link comes after "only". ``again``: it demands what is named before
    it ("run it"). ``limits``: it has a word that may limit the others.
    """

    link: str
    tokens: tuple[DemandWord, ...]
    only: bool = False
    again: bool = False
    limits: bool = False

    @property
    def roles(self) -> str:
        """The roles of the words, one character each."""
        return "".join(token.role for token in self.tokens)

    def without(self, roles: str) -> "Clause":
        """Return the clause without the words of some roles."""
        rest = tuple(token for token in self.tokens if token.role not in roles)
        return self._replace(tokens=rest)

    def before_refusal(self) -> "Clause":
        """Return the clause up to a refusal: "X is forbidden"."""
        end = self.roles.find("N")
        return self.part(0, end if end > 0 else len(self.tokens))

    def part(self, first: int, last: int | None = None) -> "Clause":
        """Return some words of the clause."""
        return self._replace(tokens=self.tokens[first:last])

    def patterns(self) -> tuple[str, ...]:
        """Return the patterns of the files that the clause names; in brackets first."""
        for roles in ("P", "FA"):
            values = [t.values for t in self.tokens if t.role in roles]
            if values:
                return tuple(pattern_of(v) for several in values for v in several)
        return ()

    def files(self) -> list[str]:
        """Return the patterns of the files that the clause orders to change."""
        return [
            pattern_of(value)
            for token in self.tokens
            if token.role in "FPAL"
            for value in token.values
        ]

    def acts(self, *, by: bool) -> tuple[str, ...]:
        """Return the commands of the acts that the clause names; ``by`` one of them."""
        commands = [v for t in self.tokens if t.role in "KA" for v in t.values]
        acts = [t.values for t in self.tokens if t.role == "E"]
        return (*(acts[0] if acts and not by else ()), *commands)

    def facts(self) -> list[str]:
        """Return the facts that the clause names."""
        named = [t.values[0] for t in self.tokens if t.role == "Q"]
        return list(dict.fromkeys(named))

    def orders(self, *, named: bool) -> bool:
        """Return True for an order to change a file: "update X", "X must change"."""
        if not named:
            return any(t.role in "MnC" and t.text in _MUST for t in self.tokens)
        verb = next(t.text for t in self.tokens if t.role == "C")
        return verb in DEMAND_VERBS["C"] or verb in ("in sync", "up to date")

    def commands(self, *, choice: bool) -> list[dict[str, Any]]:
        """Return the commands that the clause orders to run."""
        lines = [v for t in self.tokens if t.role in "KA" for v in t.values]
        if choice and len(lines) > 1:
            return [{"run": lines}]
        parts = [part.strip() for line in lines for part in line.split("&&")]
        return [{"run": part} for part in parts if part and part[:3] != "cd "]


_MUST = PASSING | set(
    """must should shall gets get needs need requires deserves wants in-sync""".split()
) | {"has to", "have to", "is to", "are to", "needs to", "need to", "in sync",
     "up to date", "up-to-date", "ought to"}  # fmt: skip
