"""Completion scripts that make each shell query toolmem.

Those for bash and zsh are our own. The usual ones pass every answer to ``eval`` or
leave it unquoted, and answers are texts of a vault: pressing the tab key must not run a
rule. Bash also splits words at ``:``, as in a scope.
"""

from typer.completion import get_completion_script  # type: ignore[attr-defined]

_VARIABLE = "_TOOLMEM_COMPLETE"

_BASH = r"""# Completion of toolmem for bash: to be sourced.
_toolmem_completion() {
    local rest=$COMP_LINE word offer IFS=$'\n' words=()
    # Bash breaks words at : and =, toolmem does not: join what has no blank between.
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ ${#words[@]} == 0 || $rest == [[:blank:]]* ]]; then
            words+=("$word")
        else
            words[${#words[@]}-1]+=$word
        fi
        rest=${rest#"${rest%%[![:blank:]]*}"}
        rest=${rest#"$word"}
    done
    # What stands before the last break is not offered again.
    word=${words[${#words[@]}-1]}
    [[ $word == --*=* ]] && word=${word#*=}
    [[ $COMP_WORDBREAKS == *:* ]] && word=${word%"${word##*[:=]}"} || word=
    COMPREPLY=()
    while read -r offer; do
        [[ $offer ]] && printf -v offer %q "${offer#"$word"}" && COMPREPLY+=("$offer")
    done < <(env COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) \
        _TOOLMEM_COMPLETE=complete_bash "$1" 2>/dev/null)
}
complete -o default -F _toolmem_completion toolmem
"""

_ZSH = r"""#compdef toolmem
_toolmem() {
    local offer value
    local -a offers
    for offer in "${(@f)$(env _TOOLMEM_COMPLETE=complete_fish \
        _TYPER_COMPLETE_FISH_ACTION=get-args \
        _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" "${words[1]}" 2>/dev/null)}"; do
        [[ -n $offer ]] || continue
        value=${offer%%$'\t'*}
        # _describe wants value:help, with the colons of the value escaped.
        offers+=("${value//:/\\:}${${offer#$value}/$'\t'/:}")
    done
    if (( ${#offers} )); then
        _describe -V toolmem offers
    else
        _files
    fi
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
    _toolmem "$@"
else
    compdef _toolmem toolmem
fi
"""


def completion_scripts() -> dict[str, str]:
    """File name → script, for bash, zsh, fish and PowerShell."""
    return {
        "toolmem.bash": _BASH,
        "_toolmem": _ZSH,
        "toolmem.fish": _typer_script("fish"),
        "toolmem.ps1": _typer_script("powershell"),
    }


def _typer_script(shell: str) -> str:
    script: str = get_completion_script(
        prog_name="toolmem", complete_var=_VARIABLE, shell=shell
    )
    return script.strip() + "\n"
