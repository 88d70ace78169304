# A host's workers share what was fetched: two that want the same scene at the same moment, from a coordinator far away, fetch it
# once; and when the one that fetches is killed, the other does.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"
told=$work/c.sock
stands() { [ "$(tail -n 1 "$work/relay.txt")" = "now $1 $2" ]; }
line() { # STATE DELAY: the relay has taken it
    echo "$1 $2 0 0" >"$work/line.new" && mv "$work/line.new" "$work/line"
    await "the relay does not stand at $1 $2" $relay stands "$1" "$2"
}
echo "on 0 0 0" >"$work/line"
"$etna" coordinator --listen "ipc://$work/behind.sock" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
"$ETNA_BIN/link-proxy" "$told" "$work/behind.sock" - "$work/line" >"$work/relay.txt" &
relay=$!
await "the relay does not relay" $relay grep -q relaying "$work/relay.txt"
submit() { "$etna" submit "$scene" --goal "$goal" --seed "$1" --no-images --early-end ordered >>"$work/runs.txt" 2>"$work/submit.txt" || fail "no run: $(cat "$work/submit.txt")"; }
sent() { "$etna" top --raw | sed -n 's/^etna_blob_bytes_total{direction="out"} //p'; }
ended() { [ "$("$etna" runs --json 2>/dev/null | jq '[.runs[] | select(.status == "complete")] | length')" = "$1" ]; }
work_at() { # NAME CACHE
    "$worker" --no-supervisor --connect "ipc://$told" --cpus 1 --slots 1 --cache "$work/$2" >"$work/$1.txt" 2>&1 &
}
scene_bytes=$(stat -c %s "$scene")

fetching() { [ -n "$(ls "$work/$1/fetching" 2>/dev/null)" ]; }
fetched() { ! fetching "$1"; }

submit 1
submit 2
line on 400
work_at one cache
one=$!
work_at two cache
two=$!
await "nobody fetches" $one fetching cache
await "nobody has fetched" $one fetched cache
line on 0
await "the runs do not end" $coordinator ended 2
bytes=$(sent)
echo "a scene of $scene_bytes bytes for two workers of one cache: $bytes bytes sent"
[ "$bytes" -ge "$scene_bytes" ] || fail "the scene was not sent: $bytes"
[ "$bytes" -lt $((scene_bytes * 3 / 2)) ] || fail "a scene of $scene_bytes bytes for two workers of one cache: $bytes bytes were sent"
kill $one $two
wait $one $two 2>/dev/null

# The one that fetches is killed: the other does.
submit 3
submit 4
line on 400
work_at three cache2
three=$!
await "nobody fetches" $three fetching cache2
work_at four cache2
four=$!
kill -9 $three
wait $three 2>/dev/null
line on 0
await "the runs do not end" $coordinator ended 4
[ -z "$(ls "$work"/cache*/fetching/* 2>/dev/null)" ] || fail "left behind: $(ls "$work"/cache*/fetching)"
kill $four $coordinator $relay
wait 2>/dev/null
rm -f "$told"
finish
