# The official inspector looks, places, undoes and exports by its command line, over HTTP, where its calls share a server.
# 150 MB to fetch, so it is labelled "full" and no part of the plain suite.
. "$(dirname "$0")/lib.sh"
command -v node >/dev/null && command -v npm >/dev/null || skip "Node.js is absent: the inspector was not run"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "Node.js is older than 20: the inspector was not run"
package=@modelcontextprotocol/inspector@2.12.0 place=$ETNA_BIN/../inspector
mkdir -p "$place"
(
    flock 9
    [ "$(cat "$place/installed" 2>/dev/null)" = "$package" ] && exit 0
    cd "$place" && rm -f installed && { [ -e package.json ] || echo '{ "private": true }' >package.json; }
    npm install --no-save --no-audit --no-fund --no-package-lock "$package" >npm.log 2>&1 && echo "$package" >installed
) 9>"$place/lock" || skip "the inspector could not be fetched ($place/npm.log)"

serve_mcp
# inspect METHOD [OPTION...]: its answer goes to $work/answer
inspect() {
    timeout 120 "$place/node_modules/.bin/mcp-inspector" --cli "$url" --transport http --method "$@" >"$work/answer" 2>"$work/inspector.err" ||
        fail "$*: $(head -c 600 "$work/inspector.err" "$work/answer")"
}
call() { # TOOL [KEY=VALUE...]
    local tool=$1 given=()
    shift
    for argument in "$@"; do given+=(--tool-arg "$argument"); done
    inspect tools/call --tool-name "$tool" "${given[@]}"
    expect "$tool" "$(json "$work/answer" '.isError // false')" false
}
inspect tools/list
expect "tools" "$(json "$work/answer" '.tools | length')" 21
inspect resources/read --uri etna://guide
json "$work/answer" '.contents[0].text' | grep -q place_object || fail "the guide: $(head -c 300 "$work/answer")"
inspect prompts/get --prompt-name arrange --prompt-args 'goal=a bottle on the block'
json "$work/answer" '.messages[0].content.text' | grep -q 'a bottle on the block' || fail "the prompt: $(head -c 300 "$work/answer")"
call render_view camera=cutaway
expect "look" "$(json "$work/answer" '.content[1].type')" image
call place_object 'constraints=[["ObjectName","red bottle"],["CloseToPix","down",[0.645,0.42]],["Contact","down","yellow block_up"]]'
expect "place" "$(json "$work/answer" '.structuredContent | .stands_on[0] + " " + .edit')" "Yellow Block e1"
call undo to=e0
expect "undo" "$(json "$work/answer" .structuredContent.edit)" e0
call redo
call export_scene file=a.glb
[ -s "$work/out/a.glb" ] || fail "nothing was written"
kill -TERM "$server"
wait "$server"
expect "exit code" $? 0
finish
