"""Short readable names of files, made from a text of any script."""

from toolmem.core.secrets import detect
from toolmem.core.text.cut import cut_at_word
from toolmem.core.text.terms import runs


def slug(text: str, most: int, otherwise: str) -> str:
    """Return lower-case words joined by hyphens, of at most ``most`` characters.

    Accents are dropped and other scripts stay as they are: at most twice as many bytes,
    so that the name fits a file system. ``otherwise`` is for a text without words.
    Credentials are removed, because names are in listings, logs and messages.
    """
    name = "-".join(runs(detect.redact(text)))
    fitting = len(name.encode()[: 2 * most].decode(errors="ignore"))
    return cut_at_word(name, min(most, fitting), "-") or otherwise
