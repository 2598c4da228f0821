"""Remove credentials from a text, most of the time without loading their detector."""

import re

from toolmem.core.secrets import detect

_WORDS = (
    *"pass pw phrase secret token cred auth key bearer pin code login jwt wort".split(),
    *"wifi wi-fi wlan wpa network psk mdp clave identified contrase senha".split(),
    *"sqlplus sudo :// /p: -u -p -a -w -k -n @ _live_ net".split(),
    " / ",
)
_SUSPECT = re.compile(r"[A-Za-z0-9_+=/-]{16}")
_OTHER_SCRIPT = re.compile(r"[^\x00-\u02ff\u2000-\u2bff]")


def redacted(text: str) -> str:
    """Return the text without credentials."""
    return detect.redact(text) if _is_suspect(text) else text


def _is_suspect(text: str) -> bool:
    """Return True for every text that ``detect`` finds a credential in."""
    folded = text.casefold()
    return (
        any(word in folded for word in _WORDS)
        or _SUSPECT.search(text) is not None
        or (not text.isascii() and _OTHER_SCRIPT.search(text) is not None)
    )
