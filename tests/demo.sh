#!/bin/sh
# The main job from nothing: a vault, a rule, a denied call, the block and a commit.
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

run 'toolmem init --sample vault'
run 'cd vault'
run 'toolmem rule add send_email "never email Sarah at sarah@example.com" -p critical'
printf '\n$ %s\n' "toolmem guard send_email --input '{\"to\": \"sarah@example.com\"}'"
toolmem guard send_email --input '{"to": "sarah@example.com"}' && exit 1
run 'toolmem prompt --only rules --project mech-fighters --agent-type coding'
run 'toolmem diff'
run 'toolmem commit'
