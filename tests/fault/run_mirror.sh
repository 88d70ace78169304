# A coordinator's host is lost with its disk, twice and at seeded moments, and once it is only cut off: another one goes on
# from the mirror, and every submitter gets the result that nothing would have changed.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put all three bottles on the yellow block"
socket=$work/c.sock
runs=4

"$etna" run "$scene" --goal "$goal" --no-images --early-end ordered --json >"$work/alone.json" 2>"$work/alone.txt" || fail "the run alone"
wanted=$(json "$work/alone.json" .final_snapshot)

# coordinate HOST FLAG: a coordinator with a disk of its own; sets `coordinator`.
coordinate() {
    "$etna" coordinator --listen "ipc://$socket" --workers 1 --store "$work/$1" "$2" "$work/mirror" 2>"$work/$1.txt" &
    coordinator=$!
    await "the coordinator of $1 does not listen: $(cat "$work/$1.txt")" $coordinator grep -q listening "$work/$1.txt"
}

coordinate first --mirror
for i in $(seq $runs); do
    "$etna" run "$scene" --goal "$goal" --no-images --early-end ordered --connect "ipc://$socket" --json -o "$work/out$i" >"$work/run$i.json" 2>"$work/run$i.txt" &
    eval "submitter$i=$!"
done
RANDOM=7
for host in second third; do
    sleep "0.$((RANDOM % 4 + 2))"
    kill -9 $coordinator
    wait $coordinator 2>/dev/null
    rm -rf "$work/first" "$work/second" "$socket"
    coordinate $host --from
done
grep -q "made the store anew" "$work/third.txt" || fail "the third host did not go on from the mirror"
for i in $(seq $runs); do
    eval "wait \$submitter$i"
    expect "run $i over two lost hosts: exit" "$?" 0
    expect "run $i: final snapshot" "$(json "$work/run$i.json" .final_snapshot)" "$wanted"
done
"$etna" store verify --store "$work/third" >"$work/verify.txt" 2>&1 || fail "verify: $(cat "$work/verify.txt")"

# One that is only cut off ends at its next commit and says why; who goes on has all that was done before.
fenced=$coordinator
"$etna" coordinator --listen "ipc://$work/d.sock" --store "$work/fourth" --from "$work/mirror" 2>"$work/fourth.txt" &
coordinator=$!
await "the fourth host does not listen" $coordinator grep -q listening "$work/fourth.txt"
expect "runs at the fourth host" "$("$etna" runs --store "$work/fourth" --json | jq '[.runs[] | select(.status == "complete")] | length')" $runs
"$etna" submit "$scene" --goal "$goal" --connect "ipc://$socket" >"$work/late.txt" 2>&1 &
late=$!
wait $fenced
expect "the host that was cut off: exit" "$?" 4
grep -q "taken over" "$work/third.txt" || fail "it is not said that the mirror was taken over: $(cat "$work/third.txt")"
kill $late 2>/dev/null
wait $late 2>/dev/null
sleep 1.1 # its epoch is the clock's: later than that of who fenced it
refused 4 "the store that was cut off, with its mirror" coordinator --listen "ipc://$work/e.sock" --store "$work/third" --mirror "$work/mirror"
kill -TERM $coordinator
wait $coordinator
await_quiet 5
finish
