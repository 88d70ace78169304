# Beyond loopback a coordinator speaks TLS, and its peers believe the one certificate that their join file holds: whatever
# the host is called, over IPv4 and IPv6. Those who speak no TLS, or another's, get nothing and end nothing.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"
port=$(some_port)
coordinate() { # NAME URL ARGS...: sets `coordinator`
    local name=$1 address=$2
    shift 2
    "$etna" coordinator --listen "$address" --join "$work/$name.join" "$@" >"$work/$name.txt" 2>&1 &
    coordinator=$!
    await "the coordinator $name does not listen" $coordinator grep -q "listening at" "$work/$name.txt"
}
go() { # NAME ADDRESS
    "$etna" run "$scene" --goal "$goal" --no-images --early-end ordered --json --connect "$2" >"$work/$1.json" 2>"$work/$1.txt"
    expect "the exit of $1" "$?" 0
    expect "the snapshot of $1" "$(json "$work/$1.json" .final_snapshot)" "$alone"
}
"$etna" run "$scene" --goal "$goal" --no-images --early-end ordered --json --store "$work/other" >"$work/alone.json" 2>"$work/alone.txt"
alone=$(json "$work/alone.json" .final_snapshot)

# tcp:// beyond loopback means TLS; the file for other hosts says how they call this one.
coordinate first tcp://0.0.0.0:$port --host localhost
grep -q "listening at tls+tcp://0.0.0.0:$port" "$work/first.txt" || fail "it does not listen by TLS: $(cat "$work/first.txt")"
grep -q "^connect tls+tcp://localhost:$port" "$work/first.join" || fail "the file for other hosts: $(head -2 "$work/first.join")"
expect "modes" "$(stat -c %a "$ETNA_STORE/join" "$ETNA_STORE/certificate" "$work/first.join" | sort -u)" 600
! grep -q "PRIVATE" "$ETNA_STORE/join" "$work/first.join" || fail "the key is given away"
"$etna" join --role worker -o "$work/worker.join" || fail "no worker's join file"
grep -q "^connect tls+tcp://localhost:$port" "$work/worker.join" || fail "a file that is given away: $(head -2 "$work/worker.join")"
"$worker" --connect "@$work/worker.join" --cache "$work/cache" >"$work/worker.txt" 2>&1 &
hand=$!
go by_store tcp://127.0.0.1:$port
go by_file "@$work/first.join"

# Another certificate under the same name; and one who speaks no TLS at all.
"$etna" coordinator --listen tls+tcp://127.0.0.1:$((port + 1)) --store "$work/another" >/dev/null 2>"$work/another.txt" &
other=$!
await "the other coordinator does not listen" $other grep -q "listening at" "$work/another.txt"
kill $other
wait $other
{ sed '/^certificate/,$d' "$work/first.join"; sed -n '/^certificate/,$p' "$work/another/join"; } >"$work/wrong.join"
chmod 600 "$work/wrong.join"
refused 4 "another's certificate" runs --connect "@$work/wrong.join"
sed '/^certificate/,$d' "$work/first.join" >"$work/none.join" && chmod 600 "$work/none.join"
refused 2 "no certificate" runs --connect "@$work/none.join"
timeout 60 "$ETNA_BIN/stranger" flood tls+tcp://127.0.0.1:$port 200 0 >"$work/flood.txt" 2>&1
expect "strangers without TLS" "$(tail -1 "$work/flood.txt")" "cut off 200 of 200"
go after_the_flood tcp://127.0.0.1:$port

# Who takes the port has not the key of the certificate: not even a greeting comes.
kill -9 $coordinator
wait $coordinator 2>/dev/null
timeout 20 "$ETNA_BIN/stranger" thief $port 2 >"$work/thief.txt" 2>&1
expect "what the thief heard" "$(paste -sd' ' "$work/thief.txt")" "listening"
coordinate second tls+tcp://0.0.0.0:$port --host localhost
go after_the_thief tcp://127.0.0.1:$port
"$etna" drain >/dev/null
wait $hand
expect "the worker's exit" "$?" 0
wait $coordinator
expect "the coordinator's exit" "$?" 0

if [ -e /proc/net/if_inet6 ] && grep -q "^00000000000000000000000000000001" /proc/net/if_inet6; then
    coordinate six "tls+tcp://[::]:$port" --workers 1
    go by_six "tcp://[::1]:$port"
    kill $coordinator
    wait $coordinator
    expect "the exit over IPv6" "$?" 143
else
    echo "no IPv6 here: it was left out"
fi
finish
