# What README.md says of MCP clients, as a client does it: `etna mcp --install` in the folder of one's scenes, then the
# server is started by what stands in the configuration, and a scene is opened, looked at, arranged and saved. What else is
# in a configuration keeps its bytes and its rights.
. "$(dirname "$0")/lib.sh"
home=$work/home
mkdir -p "$home" "$work/my scenes"
cp "$scenes/bottles.glb" "$scenes/kitchen.glb" "$work/my scenes/"
install() { (cd "$work/my scenes" && HOME=$home XDG_CONFIG_HOME='' "$etna" mcp --install "$@" >"$work/said" 2>"$work/err"); }

grep -q 'etna mcp --install claude-desktop' "$ETNA_SOURCE_DIR/README.md" || fail "README.md says it otherwise"
for row in "claude-desktop .config/Claude/claude_desktop_config.json mcpServers" "claude-code .claude.json mcpServers" \
    "cursor .cursor/mcp.json mcpServers" "vscode .config/Code/User/mcp.json servers"; do
    set -- $row
    install "$1" --print || fail "$1 --print: $(cat "$work/err")"
    [ -e "$home/$2" ] && fail "$1 --print wrote"
    cp "$work/said" "$work/printed"
    install "$1" || fail "$1: $(cat "$work/err")"
    grep -q "$2" "$work/said" || fail "$1 does not say where"
    cmp -s "$work/printed" "$home/$2" || fail "$1: what is printed is not what is written"
    expect "command of $1" "$(jq -r ".$3.etna.command" "$home/$2")" "$(realpath "$etna")"
    install "$1" && cmp -s "$work/printed" "$home/$2" || fail "$1 a second time"
done

# What is there already.
printf '{"theme": 0.10,\n "mcpServers": {"other": {"command": "x"}}, "key": "secret"}\n' >"$home/real.json"
chmod 600 "$home/real.json"
ln -sf real.json "$home/.claude.json"
install claude-code || fail "into a file that is there: $(cat "$work/err")"
[ -L "$home/.claude.json" ] || fail "the link is gone"
expect "rights" "$(stat -c %a "$home/real.json")" 600
expect "the others" "$(jq -r '.mcpServers.other.command + .key' "$home/real.json")" xsecret
grep -q '^{"theme": 0.10,$' "$home/real.json" || fail "other bytes were changed"
for broken in '{"a": 1, // remark
}' '[]' '{"mcpServers": []}' '{"a":1'; do
    printf '%s' "$broken" >"$home/real.json"
    install claude-code
    expect "exit code for $broken" $? 3
    expect "lines" "$(wc -l <"$work/err")" 1
    expect "left alone" "$(cat "$home/real.json")" "$broken"
done
install emacs
expect "exit code of another client" $? 2
install cursor --root "$work/none"
expect "exit code of a folder that is not there" $? 2

# The server as the client starts it.
mapfile -t command < <(jq -r '.mcpServers.etna | .command, .args[]' "$home/.config/Claude/claude_desktop_config.json")
coproc M { cd / && exec "${command[@]}" 2>"$work/err"; }
server=$M_PID
exec {to}>&"${M[1]}" {from}<&"${M[0]}"
eval "exec ${M[1]}>&- ${M[0]}<&-"
n=0
call() { # TOOL ARGUMENTS
    n=$((n + 1))
    printf '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$n" "$1" "$2" >&"$to"
    IFS= read -r -t 120 line <&"$from" || fail "the server is silent: $(cat "$work/err")"
    [ "$(jq -r .result.isError <<<"$line")" = false ] || fail "$1 $2: $(jq -c '.result.content[0].text // .error' <<<"$line")"
}
got() { jq -r ".result.structuredContent$1" <<<"$line"; }
printf '%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}' >&"$to"
IFS= read -r -t 120 line <&"$from"
call list_scenes '{}'
expect "scenes" "$(got '.files | join(" ")')" "bottles.glb kitchen.glb"
call open_scene '{"path":"bottles.glb"}'
call get_scene_info '{}'
expect "objects" "$(got .object_count)" 8
call render_view '{}'
expect "a picture" "$(jq -r '.result.content[1].type' <<<"$line")" image
call place_object '{"constraints":[["ObjectName","red bottle"],["CloseToPix","down",[0.645,0.42]],["Contact","down","yellow block_up"]]}'
expect "placed" "$(got '.stands_on[0]') $(got .edit) $(jq -r '.result.content[1].type' <<<"$line")" "Yellow Block e1 image"
call undo '{}'
call redo '{}'
call export_scene '{"file":"tidy.glb"}'
expect "saved" "$(got .path)" "$work/my scenes/etna-results/tidy.glb"
"$etna" check "$work/my scenes/etna-results/tidy.glb" --against "$work/my scenes/bottles.glb" >"$work/check" || fail "$(cat "$work/check")"
exec {to}>&-
wait "$server"
expect "exit code" $? 0
finish
