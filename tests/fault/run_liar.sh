# A worker with its token, its leases and their tickets that lies: results at the ends of all numbers and texts, snapshots that
# are none, the same result many times in a message, calls without end that cost all money there is. What it says of a run may
# spoil that run. Nothing else: every run ends, of those that it never touched with the bits that they always have, other
# workers go on, each run is shown and replayed, and the store is whole.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"
url=tcp://127.0.0.1:$(some_port)
submit() { # NAME SEED
    "$etna" submit "$scene" --goal "$goal" --seed "$2" --no-images --polls 1 --connect $url >"$work/$1.name" 2>"$work/$1.txt" || fail "no run $1: $(cat "$work/$1.txt")"
}
"$etna" run "$scene" --goal "$goal" --no-images --polls 1 --json --store "$work/other" >"$work/alone.json" 2>"$work/alone.txt"
"$etna" coordinator --listen $url --join "$work/all.join" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
"$etna" join --role worker -o "$work/worker.join" || fail "no worker's join file"
"$worker" --connect "@$work/worker.join" --cache "$work/cache" --slots 1 >"$work/worker.txt" 2>&1 &
hand=$!
for seed in 1 2 3; do
    for i in 1 2 3 4 5 6 7 8; do submit "lied$seed$i" $i; done
    timeout 120 "$ETNA_BIN/liar" $url "$work/worker.join" 20 $seed >"$work/liar$seed.txt" 2>&1
    expect "the liar $seed ends" "$?" 0
    grep -q "^tasks [1-9]" "$work/liar$seed.txt" || fail "the liar $seed got no task: $(cat "$work/liar$seed.txt")"
done
submit called 9
timeout 120 "$ETNA_BIN/liar" $url "$work/worker.join" calls 2000 >"$work/calls.txt" 2>&1
expect "the liar that calls ends" "$?" 0
kill -0 $coordinator || fail "the coordinator ended: $(tail -3 "$work/coordinator.txt")"
# What it said stands in journals, which the next coordinator decides anew.
kill -9 $coordinator
wait $coordinator 2>/dev/null
"$etna" coordinator --listen $url --join "$work/all.join" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the next coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
! grep -i "cannot be read\|differs\|damaged" "$work/coordinator.txt" || fail "a journal is not taken"
submit honest 0
"$etna" attach "$(cat "$work/honest.name")" --connect $url >"$work/honest.attach" 2>&1
expect "the run that it never touched" "$?" 0
for file in "$work"/lied*.name; do
    i=$(basename "$file" .name | tr -d a-z)
    name=$(cat "$file")
    timeout 120 "$etna" attach "$name" --connect $url >"$work/lied$i.attach" 2>&1
    code=$?
    [ $code -le 4 ] || fail "the run lied$i ends with $code: $(tail -2 "$work/lied$i.attach")"
    "$etna" show "$name" --connect $url --json >"$work/lied$i.json" 2>"$work/lied$i.err" || fail "lied$i is not shown: $(cat "$work/lied$i.err")"
done
"$etna" show "$(cat "$work/honest.name")" --connect $url --json >"$work/honest.json" || fail "the honest one is not shown"
expect "its snapshot" "$(json "$work/honest.json" .final_snapshot)" "$(json "$work/alone.json" .final_snapshot)"
kill -0 $hand || fail "the honest worker ended: $(tail -3 "$work/worker.txt")"
memory=$(awk '/RssAnon/ {print int($2 / 1024)}' /proc/$coordinator/status)
[ "$memory" -lt 100 ] || fail "the coordinator holds $memory MB"
echo "liars: $(cat "$work"/liar?.txt "$work/calls.txt" | paste -sd';'); $memory MB"
"$etna" drain --connect $url >/dev/null || fail "it does not drain"
wait $coordinator
expect "the coordinator's exit" "$?" 0
wait $hand
expect "the worker's exit" "$?" 0
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "the store: $(tail -2 "$work/verify.txt")"
finish
