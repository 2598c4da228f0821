"""Options that several commands take, with their completions."""

from typing import Annotated

from typer import Argument, Option

from toolmem.cli import offers

JsonFlag = Annotated[bool, Option("--json", help="Print JSON.")]
ScopeOption = Annotated[
    str,
    Option(
        "--scope",
        metavar="SCOPE",
        help="system, agent-type:NAME, project:NAME, project:NAME/TYPE or agent:NAME.",
        autocompletion=offers.scopes,
    ),
]
ProjectOption = Annotated[
    str,
    Option(
        "--project",
        metavar="NAME",
        help="Project name.",
        autocompletion=offers.projects,
    ),
]
AgentTypeOption = Annotated[
    str,
    Option(
        "--agent-type",
        metavar="NAME",
        help="Agent type, such as coding.",
        autocompletion=offers.agent_types,
    ),
]
AgentOption = Annotated[
    str,
    Option(
        "--agent",
        metavar="NAME",
        help="Agent name.",
        autocompletion=offers.agents,
    ),
]
ToolArgument = Annotated[
    str,
    Argument(
        metavar="TOOL",
        help="The tool's name; * for every tool.",
        autocompletion=offers.tools,
    ),
]
RuleIdArgument = Annotated[
    str,
    Argument(
        metavar="ID",
        help="Rule id or a unique prefix.",
        autocompletion=offers.rule_ids,
    ),
]
PriorityOption = Annotated[
    str,
    Option(
        "-p",
        "--priority",
        metavar="PRIORITY",
        help="critical, high or normal.",
        autocompletion=offers.priorities,
    ),
]
TagOption = Annotated[
    list[str],
    Option("--tag", metavar="TAG", help="A tag; may be given several times."),
]
AllowSecretFlag = Annotated[
    bool,
    Option("--allow-secret", help="Store it even if it looks like a credential."),
]
ReasonOption = Annotated[
    str,
    Option("--reason", metavar="TEXT", help="Reason; stored with the change."),
]
NamespaceOption = Annotated[
    str,
    Option(
        "--namespace",
        metavar="NAME",
        help="Namespace: the heading in facts.md.",
        autocompletion=offers.namespaces,
    ),
]
MemoryIdArgument = Annotated[
    str,
    Argument(
        metavar="ID",
        help="Memory id (file name without .md) or a unique prefix.",
        autocompletion=offers.memory_ids,
    ),
]
TopicOption = Annotated[
    str,
    Option(
        "--topic",
        metavar="TOPIC",
        help="Topic.",
        autocompletion=offers.topics,
    ),
]
KindOption = Annotated[
    str,
    Option(
        "--kind", metavar="KIND", help="insight, fact, skill, pattern, observation …"
    ),
]
SemanticOption = Annotated[
    str,
    Option(
        "--semantic",
        metavar="MODE",
        help="Compare meanings by: table, model (needs the extra "
        "semantic of the package) or off.",
        autocompletion=offers.semantic_modes,
    ),
]
