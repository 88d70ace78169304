# A whole arrangement by MCP over stdio, with nothing but a shell and jq: look, probe, place, check, undo, redo, export.
# What is pinged or cancelled while a search runs is heard, nothing but protocol is on stdout, and the end of stdin is
# the end of the process.
. "$(dirname "$0")/lib.sh"
mkdir "$work/out"
ln -s /etc "$work/out/link"
coproc M { exec "$etna" mcp "$scenes/bottles.glb" --folder "$work/out" 2>"$work/err"; }
server=$M_PID
exec {to}>&"${M[1]}" {from}<&"${M[0]}"
eval "exec ${M[1]}>&- ${M[0]}<&-"
n=0
say() { printf '%s\n' "$1" >&"$to"; }
hear() { IFS= read -r -t 120 line <&"$from" || { fail "the server is silent: $(cat "$work/err")"; line='{}'; }; }
# call TOOL ARGUMENTS: sets `line` to the answer; what is told of progress meanwhile is counted.
call() {
    n=$((n + 1))
    say "{\"jsonrpc\":\"2.0\",\"id\":$n,\"method\":\"tools/call\",\"params\":{\"name\":\"$1\",\"arguments\":$2,\"_meta\":{\"progressToken\":\"p\"}}}"
    hear
    while [ "$(jq -r '.method // ""' <<<"$line")" = notifications/progress ]; do hear; done
    expect "id of $1" "$(jq .id <<<"$line")" "$n"
}
got() { jq -r ".result.structuredContent$1" <<<"$line"; }
refused() { # WHAT WORDS
    expect "$1 is refused" "$(jq -r .result.isError <<<"$line")" true
    jq -r '.result.content[0].text' <<<"$line" | grep -q "$2" || fail "$1: $(jq -r '.result.content[0].text' <<<"$line")"
}

say '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"sh","version":"1"}}}'
hear
expect "revision" "$(jq -r .result.protocolVersion <<<"$line")" 2025-11-25
expect "id" "$(jq .id <<<"$line")" '"i"'
say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
say 'nonsense'
hear
expect "no JSON" "$(jq .error.code <<<"$line")" -32700
say '   '
say $'\xEF\xBB\xBF{"jsonrpc":"2.0","id":"marked","method":"ping"} \r'
hear
expect "behind a blank line and .NET's mark" "$(jq -c '[.id, .result]' <<<"$line")" '["marked",{}]'
say '{"jsonrpc":"2.0","id":"nan","method":"tools/call","params":{"name":"undo","arguments":{"count":NaN}}}'
hear
expect "NaN is refused to who sent it" "$(jq -c '[.id, .error.code]' <<<"$line")" '["nan",-32700]'

call get_scene_info '{"limit":2,"user_prompt":"is passed over"}'
expect "objects" "$(got .object_count)" 8
expect "next page" "$(got .next_offset)" 2
call get_scene_info '{"offset":6}'
expect "last page" "$(got '.objects | length') $(got .next_offset)" "2 null"
call ray_probe_for_plane '{"coord_list":[[0.645,0.42]]}'
expect "hit" "$(got '.hits[0].object')" "Yellow Block"
plane=$(got '.hits[0].plane')
call render_view '{"grid":true}'
jq -r '.result.content[1].data' <<<"$line" | base64 -d >"$work/view.jpg"
expect "JPEG" "$(head -c2 "$work/view.jpg" | od -An -tx1 | tr -d ' ')" ffd8
[ ${#line} -lt 1000000 ] || fail "an image of ${#line} bytes"
call place_object "{\"constraints\":[[\"ObjectName\",\"Red Bottle\"],[\"CloseToPix\",\"down\",[0.645,0.42]],[\"Contact\",\"down\",\"$plane\"]]}"
expect "placed" "$(got .object) $(got .edit)" "Red Bottle e1"
expect "picture" "$(jq -r '.result.content[1].mimeType' <<<"$line")" image/jpeg
call place_object '{"constraints":[["ObjectName","Red Bottle"],["CloseToPix","down",[0.645,0.42]],["Contact","down","Nothing_7"]]}'
refused "an unknown plane" Nothing_7
call move_object '{"object_name":"Green Bottle","position":[0.2935,0.0713,0.9627]}'
refused "a collision" "collide with"
call move_object '{"object_name":"Red Bottle"}'
refused "a move that says nothing" "give position, yaw_deg or both"
call check_physics '{}'
expect "valid" "$(got .valid)" true
call get_object_info '{"object_name":"Red Bottle"}'
expect "stands on" "$(got '.supported_by[0]')" "Yellow Block"
call undo '{"to":"e0"}'
expect "undone" "$(got .edits)" 0
call redo '{}'
expect "redone" "$(got .edits)" 1
call undo '{"count":2}'
refused "one too many" "only 1"

# What leads outside of the folder, or is no scene, is not written.
for file in ../a.glb /tmp/a.glb link/a.glb sub/a.glb a.sh .glb 'a/../../b.glb'; do
    call export_scene "{\"file\":\"$file\"}"
    refused "$file" .
done
call export_scene '{"file":"a.glb"}'
expect "written" "$(got .file) $(got .bytes)" "a.glb $(stat -c %s "$work/out/a.glb")"
call export_scene '{"file":"a.glb"}'
refused "a second time" exists
expect "files" "$(ls "$work/out" | tr '\n' ' ')" "a.glb link "
"$etna" check "$work/out/a.glb" --against "$scenes/bottles.glb" --json >"$work/check.json" || fail "etna check finds something new in a.glb"
expect "moved" "$(json "$work/check.json" '.moved[0]')" "Red Bottle"

# While a search runs a ping is answered, and its cancellation is the last that is heard of it.
say '{"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"run_goal","arguments":{"goal":"Put the blue bottle on the yellow block"},"_meta":{"progressToken":1}}}'
hear
expect "progress" "$(jq -r .method <<<"$line")" notifications/progress
say '{"jsonrpc":"2.0","id":"ping","method":"ping"}'
say '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"long"}}'
say '{"jsonrpc":"2.0","id":"after","method":"tools/call","params":{"name":"history","arguments":{}}}'
answers=
while hear; do
    id=$(jq -r '.id // ""' <<<"$line")
    answers="$answers $id"
    if [ "$id" = after ] || [ "$line" = '{}' ]; then break; fi
done
expect "answers" "$(tr -s ' ' <<<"$answers")" " ping after"
expect "edits after a cancelled search" "$(got .edits)" 1

# A search is one edit.
call run_goal '{"goal":"Put the green bottle on the blue block"}'
expect "search" "$(got .status) $(got .moved[0]) $(got .edits)" "complete Green Bottle 2"
expect "its picture" "$(jq -r '.result.content[1].mimeType' <<<"$line")" image/jpeg
call run_goal '{"goal":"Sing a song"}'
refused "a goal that can't be read" "nothing was changed"

# The modern revision, on the same process and the same arrangement.
meta='"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
say "{\"jsonrpc\":\"2.0\",\"id\":\"m\",\"method\":\"tools/call\",\"params\":{\"name\":\"history\",$meta}}"
hear
expect "modern" "$(jq -r '.result.resultType' <<<"$line") $(got .edits)" "complete 2"

# The end of stdin ends the process, also while a search runs, and nothing of it is left.
say '{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"run_goal","arguments":{"goal":"Put the blue bottle on the blue block"},"_meta":{"progressToken":1}}}'
hear
exec {to}>&-
cat <&"$from" | grep '"id"' && fail "an answer after the end"
wait "$server"
expect "exit code" $? 0
[ -s "$work/err" ] && fail "on stderr: $(cat "$work/err")"

# Without a scene: files beneath the roots, those of --root and those that the client tells, are opened by name; a folder
# that is not there is an error of who needs it.
mkdir "$work/root" "$work/own roots"
cp "$scenes/bottles.glb" "$work/root/a.glb"
cp "$scenes/bottles.glb" "$work/own roots/b.glb"
printf 'no scene' >"$work/root/broken.glb"
mkdir "$work/root/deep" && cp "$scenes/bottles.glb" "$work/root/deep/c.glb" && touch "$work/root/z.obj" "$work/root/.d.glb" # scenes before parts
coproc M { exec "$etna" mcp --root "$work/root" --root "$work/nowhere" --folder "$work/none/deeper" 2>"$work/err"; }
server=$M_PID
exec {to}>&"${M[1]}" {from}<&"${M[0]}"
eval "exec ${M[1]}>&- ${M[0]}<&-"
say '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"sh","version":"1"}}}'
hear
say '{"jsonrpc":"2.0","method":"notifications/initialized"}'
hear
expect "a question" "$(jq -r .method <<<"$line")" roots/list
say "{\"jsonrpc\":\"2.0\",\"id\":$(jq .id <<<"$line"),\"result\":{\"roots\":[{\"uri\":\"file://${work// /%20}/own%20roots\"}]}}"
call get_scene_info '{}'
refused "no scene" list_scenes
call list_scenes '{}'
expect "files" "$(got '.files | join(" ")')" "$work/own roots/b.glb a.glb broken.glb deep/c.glb z.obj"
expect "a root that is not there" "$(got '.unreadable | length')" 1
call open_scene '{"path":"b.glb"}'
expect "opened" "$(got .scene_id) $(got .object_count)" "scene-1 8"
call get_scene_info '{}'
expect "the only one" "$(got .name)" b.glb
call open_scene '{"path":"a.glb"}'
expect "a second one" "$(got .scene_id)" scene-2
call open_scene '{"path":"broken.glb"}'
refused "no scene in a file" "can't be read"
call open_scene '{"path":"../root/a.glb"}'
refused "a way outside" outside
call history '{}'
refused "no handle" 'scene-1 (b.glb), scene-2 (a.glb)'
call export_scene '{"file":"a.glb","scene_id":"scene-1"}'
refused "a folder that is not there" "none/deeper"
call close_scene '{"scene_id":"scene-1"}'
call check_physics '{}'
expect "valid" "$(got .valid) $(got .scene_id)" "true scene-2"
exec {to}>&-
wait "$server"
expect "exit code" $? 0
[ -s "$work/err" ] && fail "on stderr: $(cat "$work/err")"

# A scene that is none is told at once.
"$etna" mcp "$work/none.glb" </dev/null >"$work/stdout" 2>"$work/err"
expect "exit code without a scene" $? 3
expect "stdout without a scene" "$(cat "$work/stdout")" ""
"$etna" mcp "$scenes/bottles.glb" --http 0.0.0.0:0 </dev/null 2>"$work/err"
expect "exit code without a token" $? 2
"$etna" mcp --http 127.0.0.1:0 </dev/null 2>"$work/err2"
expect "exit code with nothing to serve" $? 2
grep -q ETNA_MCP_TOKEN "$work/err" || fail "the token is not told of"

# A client that reads none of its answers is not read for ever, and its SIGTERM is heard.
mkfifo "$work/asked" "$work/unread"
exec {asked}<>"$work/asked" {unread}<>"$work/unread"
"$etna" mcp "$scenes/bottles.glb" <"$work/asked" >"$work/unread" 2>"$work/err" &
server=$!
printf '%s\n' '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}' >&"$asked"
timeout 5 sh -c 'yes "$1" | head -n 20000 >"$2"' sh '{"jsonrpc":"2.0","id":1,"method":"ping"}' "$work/asked" 2>"$work/cut"
expect "who does not read is heard out" $? 124
kill -TERM "$server"
timeout 20 tail --pid "$server" -f /dev/null
expect "the end by SIGTERM, unread" $? 0
kill -KILL "$server" 2>"$work/gone" && fail "it had to be killed"
wait "$server"
exec {asked}>&- {unread}>&-

# Over HTTP a session goes on in a revision that is known, or is refused.
serve_mcp
status() { curl -s -o "$work/body" -D "$work/head" -w '%{http_code}' -H 'Content-Type: application/json' "$@" "$url"; }
expect "a session" "$(status -d '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}')" 200
id=$(sed -n 's/^mcp-session-id: *\([0-9a-zA-Z]*\).*/\1/Ip' "$work/head")
ping='{"jsonrpc":"2.0","id":2,"method":"ping"}'
expect "a known revision" "$(status -H "Mcp-Session-Id: $id" -H 'MCP-Protocol-Version: 2025-06-18' -d "$ping")" 200
expect "no revision" "$(status -H "Mcp-Session-Id: $id" -d "$ping")" 200
expect "an unknown revision" "$(status -H "Mcp-Session-Id: $id" -H 'MCP-Protocol-Version: 1999-01-01' -d "$ping")" 400
grep -q MCP-Protocol-Version "$work/body" || fail "it is not told what is wrong: $(cat "$work/body")"
kill -TERM "$server"
wait "$server"
expect "exit code over HTTP" $? 0
finish
