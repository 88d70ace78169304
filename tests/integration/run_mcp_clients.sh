# The official clients list and call every tool of `etna mcp`, over stdio and HTTP, by the legacy handshake and the
# modern revision (run_mcp_conformance.sh has the official conformance suite). ETNA_FULL=1: every client over both.
. "$(dirname "$0")/lib.sh"
node_modules || skip "Node.js is absent: the official MCP clients were not run"
[ -d "$modules/node_modules/@modelcontextprotocol/client" ] || skip "the official MCP clients could not be fetched"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "Node.js is older than 20: the official MCP clients were not run"
cp "$ETNA_SOURCE_DIR/tests/integration/mcp_client.mjs" "$modules/mcp_client.$$.mjs"
client() { # MODE TARGET...
    (cd "$modules" && node "mcp_client.$$.mjs" "$@" >"$work/client.txt" 2>&1) || fail "client $*: $(cat "$work/client.txt")"
}

serve_mcp

client v1 "$etna" mcp "$scenes/bottles.glb" --folder "$work/out"
client auto "$url"
if [ -n "${ETNA_FULL:-}" ]; then
    for mode in legacy auto pin; do
        rm -f "$work"/out/*
        client "$mode" "$etna" mcp "$scenes/bottles.glb" --folder "$work/out"
    done
    for mode in v1 legacy pin; do
        rm -f "$work"/out/*
        client "$mode" "$url"
    done
fi

# What pages of others and names of others may not do, and what each status is.
status() { curl -s -o "$work/body" -w '%{http_code}' -H 'Content-Type: application/json' "$@" "$url"; }
list='{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
expect "a page of others" "$(status -H 'Origin: http://evil.example' -d "$list")" 403
expect "a name of others" "$(status -H 'Host: evil.example' -d "$list")" 403
expect "GET" "$(status)" 405
expect "no session" "$(status -d "$list")" 400
expect "an unknown session" "$(status -H 'Mcp-Session-Id: abc' -d "$list")" 404
expect "no JSON type" "$(curl -s -o "$work/body" -w '%{http_code}' -H 'Content-Type: text/plain' -d "$list" "$url")" 415
expect "a notification" "$(status -d '{"jsonrpc":"2.0","method":"notifications/initialized"}')" 202
head -c 5000000 /dev/zero | tr '\0' ' ' >"$work/big"
expect "an unknown revision" "$(status -H 'MCP-Protocol-Version: 1999-01-01' -d "${list/tools\/list/ping}") $(json "$work/body" .error.code)" "400 -32022"
expect "too much" "$(status --data-binary "@$work/big")" 413
modern='{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
expect "headers that are missing" "$(status -d "$modern") $(json "$work/body" .error.code)" "400 -32020"
expect "modern" "$(status -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/list' -H 'Origin: http://localhost:5173' -d "$modern")" 200
expect "an unknown modern method" "$(status -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: ping' -d "${modern/tools\/list/ping}")" 404

kill -TERM "$server"
wait "$server"
expect "exit code" $? 0
rm -f "$modules/mcp_client.$$.mjs"
finish
