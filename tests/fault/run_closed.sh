# A worker of somebody else's start is killed: nobody sees its exit, but its connection is closed, and its task goes to others
# for that, without 25 s of silence. Those that stand still with their connections open keep theirs.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
"$etna" coordinator --listen "ipc://$work/c.sock" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
hands=()
for i in 1 2 3; do
    "$worker" --no-supervisor --connect "ipc://$work/c.sock" --cache "$work/cache$i" >"$work/worker$i.txt" 2>&1 &
    hands+=($!)
done
gone() { grep -c "is gone: $1" "$work/coordinator.txt"; }

# Each waits for work when it is stopped; so the first task comes into the hands of one that does nothing.
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --no-images --connect "ipc://$work/c.sock" >"$work/warm.txt" 2>&1
expect "a run by three workers" "$?" 0
kill -STOP "${hands[@]}"
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --no-images --connect "ipc://$work/c.sock" --json >"$work/run.json" 2>"$work/run.txt" &
run=$!
submitted() { [ "$("$etna" runs --json | jq '.runs | length')" = 2 ]; }
await "the run is not there" $run submitted
kill -9 "${hands[0]}"
told() { [ "$(gone "")" -ge 1 ]; }
await "nothing is told of the worker's end" $coordinator told
expect "workers gone by their connection" "$(gone "its connection was closed")" 1
expect "workers gone at all" "$(gone "")" 1
kill -CONT "${hands[1]}" "${hands[2]}"
wait $run
expect "the run" "$?" 0
expect "its status" "$(json "$work/run.json" .status)" complete
expect "workers gone at its end" "$(gone "")" 1
"$etna" drain >/dev/null
wait "${hands[1]}"
expect "a worker's exit" "$?" 0
wait "${hands[2]}" $coordinator
expect "the coordinator's exit" "$?" 0
finish
