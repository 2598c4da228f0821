"""Options that several commands take, with their completions."""

from typing import Annotated

import typer

from toolmem.cli import complete

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ScopeOption = Annotated[
    str,
    typer.Option(
        "--scope",
        metavar="SCOPE",
        help="system, agent-type:NAME, project:NAME, project:NAME/TYPE or agent:NAME.",
        autocompletion=complete.scopes,
    ),
]
ProjectOption = Annotated[
    str,
    typer.Option(
        "--project",
        metavar="NAME",
        help="Project name.",
        autocompletion=complete.projects,
    ),
]
AgentTypeOption = Annotated[
    str,
    typer.Option(
        "--agent-type",
        metavar="NAME",
        help="Agent type, such as coding.",
        autocompletion=complete.agent_types,
    ),
]
AgentOption = Annotated[
    str,
    typer.Option(
        "--agent",
        metavar="NAME",
        help="Agent name.",
        autocompletion=complete.agents,
    ),
]
ToolArgument = Annotated[
    str,
    typer.Argument(
        metavar="TOOL",
        help="The tool's name; * for every tool.",
        autocompletion=complete.tools,
    ),
]
RuleIdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="Rule id or a unique prefix.",
        autocompletion=complete.rule_ids,
    ),
]
PriorityOption = Annotated[
    str,
    typer.Option(
        "-p",
        "--priority",
        metavar="PRIORITY",
        help="critical, high or normal.",
        autocompletion=complete.priorities,
    ),
]
TagOption = Annotated[
    list[str],
    typer.Option("--tag", metavar="TAG", help="A tag; may be given several times."),
]
AllowSecretFlag = Annotated[
    bool,
    typer.Option("--allow-secret", help="Store it even if it looks like a credential."),
]
ReasonOption = Annotated[
    str,
    typer.Option("--reason", metavar="TEXT", help="Reason; stored with the change."),
]
NamespaceOption = Annotated[
    str,
    typer.Option(
        "--namespace",
        metavar="NAME",
        help="Namespace: the heading in facts.md.",
        autocompletion=complete.namespaces,
    ),
]
MemoryIdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="Memory id (file name without .md) or a unique prefix.",
        autocompletion=complete.memory_ids,
    ),
]
TopicOption = Annotated[
    str,
    typer.Option(
        "--topic",
        metavar="TOPIC",
        help="Topic.",
        autocompletion=complete.topics,
    ),
]
KindOption = Annotated[
    str,
    typer.Option(
        "--kind", metavar="KIND", help="insight, fact, skill, pattern, observation …"
    ),
]
SemanticOption = Annotated[
    str,
    typer.Option(
        "--semantic",
        metavar="MODE",
        help="Compare meanings by: table, model (needs pip install "
        "'toolmem[semantic]') or off.",
        autocompletion=complete.semantic_modes,
    ),
]
