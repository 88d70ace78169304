# Workers that must leave, because they are told to or their time is up: they end in time, what they held goes on elsewhere at
# once, and nobody waits for it as for the lost.
. "$(dirname "$0")/../integration/lib.sh"
serve_builtin
upstream=${url##*:}
upstream=${upstream%/v1}
socket=ipc://$work/c.sock
export ETNA_MODELS=$work/models.yaml
# The model answers nobody until $work/gate is there.
"$ETNA_BIN/hostile-model" --upstream "$upstream" --faults ok:1 --hold 1 --gate "$work/gate" --ledger "$work/held.ledger" >"$work/held.port" 2>"$work/held.err" &
model=$!
await "the model does not serve" $model has_line "$work/held.port"
cat >"$ETNA_MODELS" <<END
endpoints:
  held: {wire: chat, url: "http://127.0.0.1:$line/v1"}
models:
  held: {endpoint: held, id: builtin, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}}
END
"$etna" coordinator --listen "$socket" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
start() { # NAME FLAGS...: sets `hand`
    local name=$1
    shift
    "$worker" --connect "$socket" --cpus 1 --cache "$work/cache" "$@" >"$work/$name.txt" 2>&1 &
    hand=$!
}
handed_back() { grep -q "hands back [1-9]" "$work/$1.txt" || fail "$1 handed nothing back: $(cat "$work/$1.txt")"; }
"$etna" run "$scenes/bottles.glb" --goal "Put the red bottle on the yellow block" --model held --facts on --no-images --early-end ordered --branches 2 --polls 1 --json \
    --connect "$socket" >"$work/run.json" 2>"$work/run.txt" &
run=$!

start told --grace 1
await "no call is made" $hand grep -q ^held "$work/held.ledger"
kill -TERM $hand
wait $hand
expect "the exit of one that was told to leave" "$?" 0
handed_back told

start timed --grace 1 --leave-by +8 # the model still answers nobody: only its time makes it go
wait $hand
expect "the exit of one whose time is up" "$?" 0
handed_back timed

: >"$work/gate"
start last --leave-by +3600
wait $run
expect "the exit of a run that two workers left" "$?" 0
expect "its status" "$(json "$work/run.json" .status)" complete
grep -q "[1-9][0-9]* tasks\? go" "$work/coordinator.txt" && fail "who left was taken for lost: $(grep "is gone" "$work/coordinator.txt")"
timeout 5 "$worker" --connect "$socket" --leave-by tomorrow >"$work/when.txt" 2>&1
expect "the exit of one with a time that is none" "$?" 2
kill -TERM $coordinator $hand $server $model
wait
await_quiet 20
finish
