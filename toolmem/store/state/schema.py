"""Schema of the local state."""

_PROJECT = "project TEXT NOT NULL DEFAULT ''"
_PROJECT_OF_DOCUMENT = (
    "CASE WHEN json_valid(document)"
    " THEN coalesce(json_extract(document, '$.project'), '') ELSE '' END"
)

STEPS = (
    """
    CREATE TABLE frozen (
        session TEXT NOT NULL,
        flags TEXT NOT NULL,
        document TEXT NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (session, flags)
    ) WITHOUT ROWID
    """,
    # Results of a session's turns. ``mark``, ``calls`` and ``digest`` identify a turn
    # that is read again; ``heard`` if searched for decrees.
    """
    CREATE TABLE turns (
        session TEXT NOT NULL,
        turn INTEGER NOT NULL,
        mark TEXT NOT NULL,
        calls INTEGER NOT NULL,
        digest INTEGER NOT NULL,
        heard INTEGER NOT NULL,
        document TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (session, turn)
    ) WITHOUT ROWID
    """,
    # How far a session's transcript file was read.
    """
    CREATE TABLE transcripts (
        session TEXT PRIMARY KEY,
        path TEXT NOT NULL,
        document TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # The calls of one tool in one turn; reading a turn again replaces its row.
    """
    CREATE TABLE calls (
        tool TEXT NOT NULL,
        session TEXT NOT NULL,
        turn INTEGER NOT NULL,
        name TEXT NOT NULL,
        calls INTEGER NOT NULL,
        successes INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        timed INTEGER NOT NULL,
        total_ms INTEGER NOT NULL,
        errors TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (tool, session, turn)
    ) WITHOUT ROWID
    """,
    # Events of a rule (``kind``: said, failed), one per message or turn.
    """
    CREATE TABLE rule_events (
        rule TEXT NOT NULL,
        kind TEXT NOT NULL,
        place TEXT NOT NULL,
        count INTEGER NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (rule, kind, place)
    ) WITHOUT ROWID
    """,
    # Decrees that apply to one session only.
    """
    CREATE TABLE session_rules (
        session TEXT NOT NULL,
        id TEXT NOT NULL,
        tool TEXT NOT NULL,
        priority TEXT NOT NULL,
        rule TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (session, id)
    ) WITHOUT ROWID
    """,
    # Proposals that a person rejected.
    """
    CREATE TABLE rejected (
        id TEXT PRIMARY KEY,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Messages captured while nothing could be written.
    """
    CREATE TABLE spool (
        number INTEGER PRIMARY KEY,
        document TEXT NOT NULL,
        at TEXT NOT NULL
    )
    """,
    # The scratch pages of agents; ``document`` is the entry.
    """
    CREATE TABLE scratch (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        status TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        document TEXT NOT NULL
    )
    """,
    "CREATE INDEX scratch_pages ON scratch (agent, status)",
    # Working memory of agents; ``session`` is empty for values that outlive sessions.
    """
    CREATE TABLE working (
        number INTEGER PRIMARY KEY,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        name TEXT NOT NULL,
        at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        document TEXT NOT NULL,
        UNIQUE (agent, session, name)
    )
    """,
    # Messages; ``turn`` is set if the place in the session is known.
    """
    CREATE TABLE conversation (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        turn INTEGER,
        role TEXT NOT NULL,
        content TEXT NOT NULL,
        document TEXT NOT NULL,
        at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        UNIQUE (session, turn, role)
    )
    """,
    "CREATE INDEX conversations ON conversation (agent, at)",
    # Requests of tools and their answers; a number is never used twice.
    """
    CREATE TABLE trace (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        request_id TEXT NOT NULL,
        query_id TEXT NOT NULL,
        tool TEXT NOT NULL,
        agent TEXT NOT NULL,
        event TEXT NOT NULL,
        memory_type TEXT NOT NULL,
        status TEXT NOT NULL,
        reason TEXT NOT NULL,
        returned INTEGER NOT NULL,
        total INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        took_ms INTEGER NOT NULL
    )
    """,
    # Number of retrievals of each memory.
    """
    CREATE TABLE retrievals (
        memory TEXT PRIMARY KEY,
        count INTEGER NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Single values: start of counting, the last reflection.
    """
    CREATE TABLE notes (
        name TEXT PRIMARY KEY,
        document TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Candidates of capture until they are judged.
    """
    CREATE TABLE candidates (
        id TEXT PRIMARY KEY,
        session TEXT NOT NULL,
        kind TEXT NOT NULL,
        sentence TEXT NOT NULL,
        text TEXT NOT NULL,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        tools TEXT NOT NULL,
        rules TEXT NOT NULL,
        scope TEXT NOT NULL,
        place TEXT NOT NULL,
        agent TEXT NOT NULL,
        score REAL NOT NULL,
        exception INTEGER NOT NULL,
        status TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX candidate_sessions ON candidates (session)",
    "DROP TABLE IF EXISTS session_rules",
    # Repeated failures; ``sessions`` is the number of sessions they happened in.
    """
    CREATE TABLE failures (
        id TEXT PRIMARY KEY,
        scope TEXT NOT NULL,
        tool TEXT NOT NULL,
        text TEXT NOT NULL,
        worked TEXT NOT NULL,
        sessions INTEGER NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # The project of each row, empty for none.
    f"ALTER TABLE scratch ADD COLUMN {_PROJECT}",
    f"UPDATE scratch SET project = {_PROJECT_OF_DOCUMENT}",
    f"ALTER TABLE conversation ADD COLUMN {_PROJECT}",
    f"UPDATE conversation SET project = {_PROJECT_OF_DOCUMENT}",
    f"ALTER TABLE turns ADD COLUMN {_PROJECT}",
    f"ALTER TABLE trace ADD COLUMN {_PROJECT}",
    "ALTER TABLE working RENAME TO old_working",
    f"""
    CREATE TABLE working (
        number INTEGER PRIMARY KEY,
        agent TEXT NOT NULL,
        session TEXT NOT NULL,
        name TEXT NOT NULL,
        at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        document TEXT NOT NULL,
        {_PROJECT},
        UNIQUE (agent, project, session, name)
    )
    """,
    "INSERT INTO working SELECT number, agent, session, name, at, expires_at,"
    f" document, {_PROJECT_OF_DOCUMENT} FROM old_working",
    "DROP TABLE old_working",
    # Outcomes of decrees, for a review; ``rules`` are the ids of the rules written.
    """
    CREATE TABLE outcomes (
        id TEXT PRIMARY KEY,
        tier TEXT NOT NULL,
        outcome TEXT NOT NULL,
        rules TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Rule that decided about a call.
    "ALTER TABLE trace ADD COLUMN rule TEXT NOT NULL DEFAULT ''",
    # Errors had a line of the call's output: only the class and exit code are stored.
    """
    UPDATE calls SET errors = (
        SELECT json_group_array(json_array(
            json_extract(value, '$[0]'),
            CASE WHEN json_extract(value, '$[1]') GLOB 'exit code [0-9-]*'
            AND length(json_extract(value, '$[1]')) < 22
            THEN json_extract(value, '$[1]') ELSE '' END
        )) FROM json_each(calls.errors)
    ) WHERE json_valid(errors)
    """,
    # Changes and commands of a session that duties depend on.
    """
    CREATE TABLE steps (
        session TEXT PRIMARY KEY,
        document TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    # Rule files that a capture, an agent or a deletion changed, to undo that; "" is no
    # file.
    """
    CREATE TABLE undo_steps (
        number INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        action TEXT NOT NULL,
        rule TEXT NOT NULL,
        path TEXT NOT NULL,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        undone INTEGER NOT NULL
    )
    """,
)
"""Schema, one step per version: ``user_version`` counts the steps taken."""
SCHEMA_VERSION = len(STEPS)
"""Newest schema that this program knows."""
