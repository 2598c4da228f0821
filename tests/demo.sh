#!/bin/sh
# The main job from nothing: agents set up, a rule, a denied call, the block, a commit.
# $1 is the time at which the clone was begun to be set up, in seconds.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
unset TOOLMEM_VAULT TOOLMEM_PROJECT TOOLMEM_AGENT_TYPE TOOLMEM_AGENT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com
export GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com

run() {
    printf '\n$ %s\n' "$1"
    eval "$1"
}

export HOME="$folder/home" XDG_CONFIG_HOME="" XDG_DATA_HOME="" XDG_STATE_HOME=""
mkdir home
call='{"hook_event_name": "PreToolUse", "session_id": "s1", "tool_name": "Bash",
"tool_input": {"command": "git push --force"}}'
run 'toolmem setup --yes --agents claude,codex,gemini'
run 'toolmem rule add shell "never force-push" -p critical'
printf '\nclaude: git push --force\n'
answer=$(echo "$call" | toolmem hook claude)
# On a busy machine a call may not be judged in time: then its guards are compiled for
# the next one.
tries=30
while echo "$answer" | grep -q 'not checked in time' && [ $((tries -= 1)) -gt 0 ]; do
    answer=$(echo "$call" | toolmem hook claude)
done
echo "$answer" | grep '"permissionDecision": *"deny"'
echo "a denied call after $(($(date +%s) - ${1:-$(date +%s)})) s"

run 'toolmem init --sample vault'
run 'cd vault'
run 'toolmem rule add send_email "never email Sarah at sarah@example.com" -p critical'
printf '\n$ %s\n' "toolmem guard send_email --input '{\"to\": \"sarah@example.com\"}'"
toolmem guard send_email --input '{"to": "sarah@example.com"}' && exit 1
run 'toolmem prompt --only rules --project mech-fighters --agent-type coding'
run 'toolmem diff'
run 'toolmem commit'
