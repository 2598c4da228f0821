# Completion of toolmem for bash: to be sourced.
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
