# A store has one owner and a run one process: a second coordinator and a `resume` of a living run are refused by name; SIGINT
# suspends durably and prints how to go on.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb

"$etna" coordinator --listen "ipc://$work/c.sock" >"$work/first.txt" 2>&1 &
first=$!
for _ in $(seq 100); do [ -S "$work/c.sock" ] && break; sleep 0.05; done
[ -S "$work/c.sock" ] || fail "the coordinator does not listen: $(cat "$work/first.txt")"
timeout 20 "$etna" coordinator --listen "ipc://$work/d.sock" >"$work/second.txt" 2>&1
expect "second coordinator on the store" "$?" 4
grep -q "$first" "$work/second.txt" || fail "the refusal does not name the owner's pid $first: $(cat "$work/second.txt")"
timeout 20 "$etna" run "$scene" --goal "Put the red bottle on the yellow block" >"$work/third.txt" 2>&1
expect "run on an owned store" "$?" 4
ETNA_STORE=$work/other timeout 20 "$etna" coordinator --listen "ipc://$work/c.sock" >"$work/inuse.txt" 2>&1
expect "socket in use" "$?" 4

# The same coordinator serves a worker started by hand and a run submitted to it.
"$worker" --connect "ipc://$work/c.sock" --cache "$work/cache" >"$work/worker.txt" 2>&1 &
hand=$!
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --connect "ipc://$work/c.sock" --early-end ordered --json \
    -o "$work/out" >"$work/run.json" 2>"$work/run.txt"
expect "run by --connect" "$?" 0
expect "status by --connect" "$(json "$work/run.json" .status)" complete
[ -s "$work/out/result.glb" ] || fail "no result.glb by --connect"
kill -TERM $hand $first
wait $hand; wait $first
await_quiet 5

# Suspend, refuse to resume what lives, resume.
"$etna" run "$scene" --goal "Put all three bottles on the yellow block" --early-end ordered --json -o "$work/s" >"$work/s.json" 2>"$work/s.txt" &
pid=$!
run=
for _ in $(seq 200); do
    run=$("$etna" runs --json 2>/dev/null | jq -r '[.runs[] | select(.status == "running")][0].run // empty')
    [ -n "$run" ] && break
    sleep 0.02
done
if [ -n "$run" ]; then
    timeout 20 "$etna" resume "$run" >"$work/living.txt" 2>&1
    expect "resume of a living run" "$?" 4
    grep -q "$pid" "$work/living.txt" || fail "the refusal does not name the owner $pid: $(cat "$work/living.txt")"
    kill -INT $pid
    wait $pid
    code=$?
    if [ $code != 0 ]; then # it may have been done already
        expect "suspended" "$code" 130
        grep -q "etna resume $run" "$work/s.txt" || fail "the resume command is not printed: $(tail -2 "$work/s.txt")"
        await_quiet 2
        "$etna" resume "$run" -o "$work/s" --json >"$work/s.json" 2>"$work/s2.txt"
        expect "resume after a suspend" "$?" 0
    fi
    expect "status after the suspend" "$(json "$work/s.json" .status)" complete
else
    fail "no running run was ever listed"
    wait $pid
fi
finish
