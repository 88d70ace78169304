# A store is put in order while its owner runs: what was put within the hour stays, the file shrinks, and runs go on in it as if
# nothing had been. A compaction that was cut off leaves the store as it was.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
socket=ipc://$work/c.sock
run_it() { "$etna" run "$scene" --goal "Put the red bottle on the yellow block" --early-end ordered --json "$@" 2>>"$work/runs.txt"; }
size() { stat -c %s "$ETNA_STORE/journal/data.mdb"; }
for seed in 1 2 3; do run_it --seed $seed >"$work/run$seed.json" || fail "run $seed: exit $?"; done
"$etna" store rm --keep 1 >"$work/rm.txt" || fail "store rm"
mkdir -m 0700 "$ETNA_STORE/journal.fresh"
echo cut >"$ETNA_STORE/journal.fresh/data.mdb"
before=$(size)
"$etna" coordinator --listen "$socket" --workers 1 >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
"$etna" store gc --json >"$work/gc.json" || fail "gc of a store in use: exit $?"
expect "removed by an owner that has just begun" "$(json "$work/gc.json" .removed)" 0
"$etna" store compact --json >"$work/compact.json" || fail "compact of a store in use: exit $?"
expect "bytes before" "$(json "$work/compact.json" .before_bytes)" "$before"
[ "$(size)" -lt "$before" ] || fail "the file did not shrink: $before, then $(size)"
[ ! -e "$ETNA_STORE/journal.fresh" ] || fail "a compaction leaves $(ls "$ETNA_STORE")"
run_it --seed 2 --connect "$socket" >"$work/after.json" || fail "a run after it: exit $?"
expect "its snapshot" "$(json "$work/after.json" .final_snapshot)" "$(json "$work/run2.json" .final_snapshot)"
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "verify: $(cat "$work/verify.txt")"
kill -9 $coordinator
wait $coordinator 2>/dev/null
await_quiet 20
"$etna" store compact >"$work/alone.txt" || fail "compact of a store that nobody uses"
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "verify after it: $(cat "$work/verify.txt")"
expect "runs that are left" "$("$etna" runs --json | jq '.runs | length')" 2
finish
