# A store has one owner and a run one process: a second coordinator and a `resume` of a living run are refused by name;
# SIGINT suspends durably and prints how to go on.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb

"$etna" coordinator --listen "ipc://$work/c.sock" >"$work/first.txt" 2>&1 &
first=$!
await "the coordinator does not listen" $first test -S "$work/c.sock"
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
listed $pid
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

# One run that cannot be read back keeps nobody else waiting: it is named, the coordinator serves, and says the same again when
# it is asked for that run.
quick="--branches 1 --polls 1 --no-images --json"
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" $quick >"$work/quick.json" 2>"$work/quick.txt" || fail "a quick run"
set -- $("$ETNA_BIN/misremember" "$ETNA_STORE" "$(json "$work/quick.json" .run)" --running) # its only branch is the one decided on
"$etna" coordinator --listen "ipc://$work/c.sock" --workers 1 >"$work/spoilt.txt" 2>&1 &
first=$!
for _ in $(seq 100); do grep -q "listening at" "$work/spoilt.txt" && break; kill -0 $first 2>/dev/null || break; sleep 0.05; done
kill -0 $first 2>/dev/null || fail "one spoilt run ended the coordinator: $(cat "$work/spoilt.txt")"
grep -q "run $1, record .*decided differently" "$work/spoilt.txt" || fail "the spoilt run is not named: $(cat "$work/spoilt.txt")"
for n in 1 2; do
    timeout 20 "$etna" cancel "$1" --connect "ipc://$work/c.sock" >"$work/cancel.txt" 2>&1 && fail "a run that cannot be read was cancelled"
    grep -q "decided differently" "$work/cancel.txt" || fail "cancelling the spoilt run, time $n: $(cat "$work/cancel.txt")"
done
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --connect "ipc://$work/c.sock" $quick \
    >"$work/beside.json" 2>"$work/beside.txt"
expect "a run beside a spoilt one" "$?" 0
kill -TERM $first
wait $first
finish
