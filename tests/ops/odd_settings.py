"""Unusual settings files, in every way that JSON with comments allows.

Each is a text that an agent reads; ``{mine}`` is replaced by a stranger's hook.
"""

_THEIRS = '{"hooks": [{"type": "command", "command": "./lint.sh"}]}'
_NEAR_MISS = '{"hooks": [{"type": "command", "command": "echo toolmem hook claude"}]}'

ODD = {
    "an empty file": "",
    "white space alone": " \n\t\n",
    "an empty object": "{}",
    "an empty object and a newline": "{}\n",
    "an empty object over lines": "{\n}\n",
    "one key": '{"model": "opus"}\n',
    "no newline at the end": '{\n  "model": "opus"\n}',
    "several newlines at the end": '{\n  "model": "opus"\n}\n\n\n',
    "a byte order mark": '\ufeff{\n  "model": "opus"\n}\n',
    "CRLF": '{\r\n  "model": "opus"\r\n}\r\n',
    "CRLF and LF": '{\r\n  "model": "opus",\n  "a": 1\r\n}\n',
    "tabs": '{\n\t"model": "opus",\n\t"hooks": {\n\t}\n}\n',
    "four blanks": '{\n    "a": {\n        "b": [1, 2]\n    }\n}\n',
    "all on one line": '{"a":1,"hooks":{"PreToolUse":[]},"b":[{"c":null}]}',
    "an empty hooks table": '{"hooks": {}}\n',
    "hooks on lines of their own": '{\n  "hooks": {\n  }\n}\n',
    "a comment above": '// mine\n{\n  "model": "opus"\n}\n',
    "a comment below": '{\n  "model": "opus"\n}\n// the end\n',
    "a comment behind a value": '{\n  "model": "opus" // the large one\n}\n',
    "a comment behind a comma": '{\n  "a": 1, // one, two\n  "b": 2 /* , */\n}\n',
    "a comment alone in an object": "{\n  // nothing yet\n}\n",
    "a comment between the brackets": '{"hooks": {/* none */}}\n',
    "a block comment with braces": '{ /* } ] , */ "a": 1 }\n',
    "a trailing comma": '{\n  "a": 1,\n}\n',
    "trailing commas inside": '{"hooks": {"Stop": [' + _THEIRS + ",],},}\n",
    "a trailing comma and a comment": '{\n  "a": [\n    1, // one\n  ], // all\n}\n',
    "the same key twice": '{"hooks": {"Stop": []}, "hooks": {}}\n',
    "keys in another order": '{"z": 1, "hooks": {}, "a": 2}\n',
    "strangers' hooks": '{"hooks": {"PreToolUse": [' + _THEIRS + '], "Stop": []}}\n',
    "strangers' hooks over lines": (
        '{\n  "hooks": {\n    "PreToolUse": [\n      ' + _THEIRS + "\n    ]\n  }\n}\n"
    ),
    "a stranger who mentions us": '{"hooks": {"Stop": [' + _NEAR_MISS + "]}}\n",
    "escapes in texts": '{"a\\u0022\\\\": "\\ud83d\\ude00 \\/ \\n"}\n',
    "other scripts": '{"naïve": "日本語 😀"}\n',
    "numbers of every kind": '{"a": -0, "b": 1e400, "c": 0.10, "d": '
    + "9" * 5000
    + "}",
    "slashes in texts": '{"url": "https://example.org/*x*/", "b": "a // b"}\n',
    "deep nesting": '{"a": ' + "[" * 40 + "]" * 40 + "}\n",
    "many lines between": '{\n\n\n  "a": 1\n\n\n}\n',
    "commas first": '{ "a": 1\n, "b": 2\n}\n',
}
"""Name → text; what installing and uninstalling must leave as it was."""

REFUSED = {
    "no JSON": "model = opus\n",
    "a list": "[]\n",
    "cut off": '{"hooks": {',
    "two documents": "{}\n{}\n",
    "a comment alone": "// nothing\n",
    "a text where hooks belong": '{"hooks": "none"}\n',
    "a text where an event belongs": (
        '{"hooks": {"SessionStart": "none", "sessionStart": "none"}}\n'
    ),
    "single quotes": "{'a': 1}\n",
    "a number that is none": '{"a": 01}\n',
    "an escape that is none": '{"a": "\\q"}\n',
    "a conflict": "<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n",
    "nested too deeply": '{"a": ' + "[" * 4000 + "]" * 4000 + "}\n",
}
"""Name → text; what must be refused with path and line, and not be touched."""
