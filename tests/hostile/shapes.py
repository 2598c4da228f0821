"""Shapes of text that make a careless reader quadratic, in any size."""

from collections.abc import Callable

Shape = Callable[[int], str]


def _repeated(unit: str) -> Shape:
    return lambda size: (unit * (size // len(unit.encode()) + 1))[:size]


def _nested(opening: str, closing: str) -> Shape:
    def text(size: int) -> str:
        depth = size // (len(opening) + len(closing))
        return opening * depth + closing * depth

    return text


def _unclosed_key(size: int) -> str:
    dots = size // 20
    return 'rule = "' + "a" * (size - dots - 8) + "." * dots


SHAPES: dict[str, Shape] = {
    "one long word": _repeated("a"),
    "an unclosed text that ends in dots": _unclosed_key,
    "dotted words": _repeated("a."),
    "blanks and an end": lambda size: " \t" * (size // 2 - 1) + "x\n",
    "blanks between words": lambda size: "a" + " \t" * (size // 2 - 2) + "x\n",
    "empty lines": _repeated("\n"),
    "opening brackets": _repeated("[{("),
    "nested brackets": _nested("[", "]"),
    "quotation marks": _repeated("\"' `"),
    "backslashes and expansions": _repeated("\\$(${`"),
    "unclosed tags and comments": _repeated("<!-- <a "),
    "lines with unclosed comments": _repeated("<!-- x\n"),
    "lines that begin a conflict": _repeated("<!-- conflict: ours -->\n"),
    "keys": _repeated("key: a = 1\n"),
    "addresses that never end": _repeated("a@a-https://a/."),
    "marks that are sorted": _repeated("\u0300\u0316"),
    "a ban after a ban": _repeated("never use `a`, unless b. "),
}
