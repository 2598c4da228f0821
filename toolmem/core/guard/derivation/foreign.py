"""Bans of quoted commands in German, French, Spanish, Portuguese, Chinese and Japanese.

Such a sentence is put as an English one about the same command. With a word that may
limit the ban it asks, as its limit is not understood.
"""

import re

_COMMAND = re.compile(r"`([^`\n]{2,200})`")
_FORBIDS = re.compile(
    r"(?i)\b(?:niemals|nie|keine?n?|verboten|tabu|untersagt|finger weg|vermeide"
    r"|jamais|plus (?:de|jamais)|interdit|proscrit|évite[rz]?|arrête[rz]?"
    r"|(?:ne|n['’])\s?\w+ (?:pas|plus)"
    r"|nunca|jamás|jamais|nada de|prohibido|proibido|evita|evite|deja de|pare de"
    r"|no (?:hagas|uses|ejecutes|lances|corras)|não (?:use|rode|execute|faça|suba)"
    r"|de jeito nenhum)\b"
    r"|不要|不许|不准|不得|禁止|别用|别跑|绝不|严禁|请勿|切勿"
    r"|ないで|しない(?:こと|で)|使わない|禁止|てはいけない|ではいけない|はNG|がNG|ダメ|だめ"
)
_LIMITS = re.compile(
    r"(?i)\b(?:ohne|außer|ausser|wenn|falls|bevor|vor|nur|auf|in|im|bei|mit|für|solange"
    r"|sans|sauf|quand|si|avant|hors|sur|dans|avec|pour"
    r"|sin|salvo|excepto|cuando|antes|en|con|para"
    r"|sem|exceto|quando|se|em|no|na|nos|nas|com)\b"
    r"|除非|之前|如果|时候?|在.{1,12}(?:里|中|上)|なしに|前に|後に|以外|場合|では|なら"
)
_ASKS = re.compile(r"[?？]\s*$|か[。\s]*$")


def in_english(text: str) -> str:
    """Return a ban of a quoted command as an English sentence; empty for none."""
    command = _COMMAND.search(text)
    if not command:
        return ""
    rest = _COMMAND.sub(" ", text)
    if not _FORBIDS.search(rest) or _ASKS.search(rest):
        return ""
    asks = " without asking me" if _LIMITS.search(rest) else ""
    return f"Never run `{command[1]}`{asks}"
