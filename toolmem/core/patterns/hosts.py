"""Find the hosts that a value names: in URLs anywhere in it, or as the whole of it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from toolmem.core.patterns.match import fit_whole, fold, percent_decoded
from toolmem.core.shell.words import GAP, PLAIN_GAP, Fit, has_gap

_URL = re.compile(
    r"(?:\b(?:https?|wss?|ftp):[/\\]*|\b[a-z][a-z0-9+.-]{0,20}://|^//)"
    r"([^\s/?#\"'<>\\`]+)",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:mailto:)?([^\s/?#\"'<>\\`]+)(?:[/?#]\S*)?", re.IGNORECASE)
_NUMBER = re.compile(r"0x[0-9a-f]{0,16}|[0-9]{1,20}")
_DOTS = str.maketrans("\u3002\uff0e\uff61", "...")
_MAX_LABEL = 63
_UNKNOWN = "\ufffd"


def hosts_in(text: str) -> Iterator[str]:
    """Yield every host that a value names, in the form of ``host_form``."""
    if ":" in text or text.startswith("//"):
        for url in _URL.finditer(text):
            yield _authority(url[1])
    bare = _BARE.fullmatch(text.strip())
    if bare and "://" not in text:
        yield _authority(bare[1])


def host_form(host: str) -> str:
    """Normalise a host: lower case, no last dot, Unicode for punycode, and an IPv4
    address in any notation as four numbers."""
    name = fold(percent_decoded(host).translate(_DOTS)).strip("[]").rstrip(".")
    if "xn--" in name:
        name = ".".join(_label(label) for label in name.split("."))
    return _address(name) or name


def fit_host(host: str, wanted: str, *, guess: bool = False) -> Fit:
    """Match a host (``host_form``) with a guard's.

    ``example.com`` includes its subdomains, ``*.example.com`` only those. ``guess``: an
    unknown host may be any.
    """
    named = _wanted_form(wanted)
    if "*" not in named and not has_gap(host):
        return Fit.YES if f".{host}".endswith(f".{named}") else Fit.NO
    if has_gap(host) and not guess and not host.strip(GAP + PLAIN_GAP + "."):
        host = _UNKNOWN
    fit = fit_whole(host, named)
    if "*" in named:
        return fit
    return max(fit, fit_whole(host, "*." + named))


@lru_cache(maxsize=1024)
def _wanted_form(wanted: str) -> str:
    return next(hosts_in(wanted), "") if "//" in wanted else host_form(wanted)


def _authority(text: str) -> str:
    host = text.rpartition("@")[2]
    if host.startswith("["):
        return host_form(host.partition("]")[0])
    return host_form(host.partition(":")[0])


def _label(label: str) -> str:
    if not label.startswith("xn--") or len(label) > _MAX_LABEL:
        return label
    try:
        return fold(label[4:].encode("ascii").decode("punycode"))
    except UnicodeError:
        return label


def _address(name: str) -> str:
    """Parse an IPv4 address like ``inet_aton``: hexadecimal, octal, fewer parts."""
    if not name[:1].isdecimal():
        return ""
    labels = name.split(".")
    if len(labels) > 4 or not all(_NUMBER.fullmatch(label) for label in labels):
        return ""
    try:
        *high, low = map(_number, labels)
    except ValueError:
        return ""
    if any(number > 255 for number in high) or low >= 256 ** (4 - len(high)):
        return ""
    parts = [*high, *low.to_bytes(4 - len(high), "big")]
    return ".".join(str(part) for part in parts)


def _number(label: str) -> int:
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8) if label.startswith("0") and len(label) > 1 else int(label)
