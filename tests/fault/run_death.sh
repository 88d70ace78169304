# A worker of somebody else's start is supervised: a task that fells it by a fault of its own is counted by what the supervisor
# saw, given out alone and at last refused, also over a coordinator's death; the worker is started again each time, by its
# supervisor alone. A kill from outside counts for nothing. Told to end, both do; a dead supervisor takes its worker along.
. "$(dirname "$0")/../integration/lib.sh"
ulimit -c 0
scene=$scenes/bottles.glb
socket=ipc://$work/c.sock
coordinate() {
    "$etna" coordinator --listen "$socket" >"$work/$1.txt" 2>&1 &
    coordinator=$!
    await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/$1.txt"
}
child_of() { cat "/proc/$1/task/$1/children" | tr -d ' '; }
has_child() { [ -n "$(child_of "$1")" ]; }
go() { # NAME GOAL
    "$etna" run "$scene" --goal "$2" --connect "$socket" --early-end ordered --no-images --branches 1 --polls 1 --json >"$work/$1.json" 2>"$work/$1.txt"
}
coordinate first
LD_PRELOAD=$ETNA_BIN/libdeadly.so ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0:handle_segv=0" TSAN_OPTIONS="${TSAN_OPTIONS:-}:handle_segv=0" \
    "$worker" --connect "$socket" --cpus 1 --cache "$work/cache" >"$work/worker.txt" 2>&1 &
hand=$!
await "the worker does not begin" $hand has_child $hand

# From outside: nothing is laid to the task, and it goes on at once.
kill -9 "$(child_of $hand)"
go good "Put the red bottle on the yellow block"
expect "a run after its worker was killed" "$?" 0
grep -q "death is laid" "$work/first.txt" && fail "a kill from outside was laid to a task"
grep -q "started again" "$work/worker.txt" || fail "the supervisor does not tell of it: $(cat "$work/worker.txt")"

# By its own fault, once; then the coordinator dies, and the next one goes on counting.
go bad "Put the DEADLY red bottle on the yellow block" &
bad=$!
await "no death is laid to the task" $bad grep -q "death is laid to it, 1 of 3: its process was ended by signal 11" "$work/first.txt"
kill -9 $coordinator
wait $coordinator 2>/dev/null
coordinate second
wait $bad
expect "the exit of a run that fells its worker" "$?" 4
grep -q "refused after 3 attempts" "$work/bad.txt" || fail "it is not said why: $(tail -3 "$work/bad.txt")"
cat "$work/first.txt" "$work/second.txt" >"$work/both.txt"
for n in 1 2; do expect "deaths counted as number $n" "$(grep -c "laid to it, $n of 3" "$work/both.txt")" 1; done
deaths=$(grep -c "ended by signal 11" "$work/worker.txt")
[ "$deaths" -ge 3 ] && [ "$deaths" -le 4 ] || fail "$deaths deaths: 3 count, and one may fall where no coordinator knows what was held"
kill -0 $hand || fail "the supervisor ended with its worker"

# Told to end, by its parent and as a group would be: both end well.
await "the worker does not come back" $hand has_child $hand
child=$(child_of $hand)
kill -TERM $hand "$child"
wait $hand
expect "the exit of a worker that is told to end" "$?" 0
"$worker" --connect "$socket" --cpus 1 --cache "$work/cache" >"$work/other.txt" 2>&1 &
hand=$!
await "the worker does not begin" $hand has_child $hand
kill -9 $hand
wait $hand 2>/dev/null
kill $coordinator && wait $coordinator
await_quiet 20
finish
