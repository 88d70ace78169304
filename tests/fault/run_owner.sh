# A store has one owner, and that one runs what others bring: a second coordinator waits for it, a run on its store is handed to
# it, a `resume` of a living run is refused by name. SIGINT suspends durably, one's own run alone, and prints how to go on; SIGTERM
# of a coordinator ends it alone.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put all three bottles on the yellow block"

"$etna" coordinator --listen "ipc://$work/c.sock" >"$work/first.txt" 2>&1 &
first=$!
await "the coordinator does not listen" $first test -S "$work/c.sock"
"$etna" coordinator --listen "ipc://$work/c.sock" >"$work/second.txt" 2>&1 &
second=$!
await "the second coordinator does not wait for the process $first" $second grep -q "waiting.*process $first " "$work/second.txt"
ETNA_STORE=$work/other timeout 20 "$etna" coordinator --listen "ipc://$work/c.sock" >"$work/inuse.txt" 2>&1
expect "socket in use" "$?" 4

# The same coordinator serves a worker started by hand, a run submitted to it, and one that finds it on its store.
"$worker" --no-supervisor --connect "ipc://$work/c.sock" --cache "$work/cache" >"$work/worker.txt" 2>&1 &
hand=$!
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --connect "ipc://$work/c.sock" --early-end ordered --json \
    -o "$work/out" >"$work/run.json" 2>"$work/run.txt"
expect "run by --connect" "$?" 0
expect "status by --connect" "$(json "$work/run.json" .status)" complete
[ -s "$work/out/result.glb" ] || fail "no result.glb by --connect"
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --early-end ordered --json -o "$work/handed" >"$work/handed.json" 2>"$work/handed.txt"
expect "run on an owned store" "$?" 0
expect "its snapshot" "$(json "$work/handed.json" .final_snapshot)" "$(json "$work/run.json" .final_snapshot)"
cmp -s "$work/out/result.glb" "$work/handed/result.glb" || fail "another result.glb on an owned store"

# The coordinator leaves in the middle of a run; the one that waited takes over, the worker and both clients stay. Workers stand
# still while things are arranged, so that nothing ends too early.
kill -STOP $hand
"$etna" run "$scene" --goal "$goal" --connect "ipc://$work/c.sock" --early-end ordered --no-images --json >"$work/over.json" 2>"$work/over.txt" &
over=$!
listed $over
"$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --json >"$work/guest.json" 2>"$work/guest.txt" &
guest=$!
running() { [ "$("$etna" runs --json 2>/dev/null | jq '[.runs[] | select(.status == "running")] | length')" = "$1" ]; }
await "the second run is not taken" $guest running 2
kill -TERM $first
wait $first
expect "a coordinator's exit after SIGTERM" "$?" 143
await "the second coordinator does not take over" $second grep -q "listening at" "$work/second.txt"
expect "runs that it takes up by name" "$(grep -c "goes on: " "$work/second.txt")" 2
kill -CONT $hand
wait $over
expect "run by --connect over a coordinator's end" "$?" 0
wait $guest
expect "run on the store over a coordinator's end" "$?" 0
expect "its snapshot" "$(json "$work/guest.json" .final_snapshot)" "$(json "$work/over.json" .final_snapshot)"
kill -0 $hand || fail "the worker did not stay"

# A coordinator that dies leaves its run to coordinators: no other command takes it up or changes what is said of it.
kill -STOP $hand
"$etna" run "$scene" --goal "$goal" --connect "ipc://$work/c.sock" --early-end ordered --no-images --json >"$work/left.json" 2>"$work/left.txt" &
left=$!
listed $left
kept=$run
kill -9 $second
wait $second 2>/dev/null
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --early-end ordered --no-images --json >"$work/stray.json" 2>"$work/stray.txt"
expect "a run of its own on the store of a dead coordinator" "$?" 0
timeout 20 "$etna" resume "$kept" >"$work/notours.txt" 2>&1
expect "resume of a coordinator's run without one" "$?" 4
grep -q "etna coordinator" "$work/notours.txt" || fail "the refusal does not say what resumes it: $(cat "$work/notours.txt")"
"$etna" coordinator --listen "ipc://$work/c.sock" >"$work/third.txt" 2>&1 &
third=$!
kill -CONT $hand
wait $left
expect "a run over a coordinator's death and a stray run" "$?" 0

# Only a drain ends the fleet: no new run is taken, the live one ends, then workers and coordinator do.
kill -STOP $hand
"$etna" run "$scene" --goal "$goal" --connect "ipc://$work/c.sock" --wait 60 --early-end ordered --no-images --json -o "$work/last" >"$work/last.json" 2>"$work/last.txt" &
last=$!
listed $last
expect "live runs at a drain" "$("$etna" drain)" 1
timeout 20 "$etna" run "$scene" --goal "$goal" --connect "ipc://$work/c.sock" >"$work/late.txt" 2>&1
expect "a run after the drain" "$?" 4
kill -CONT $hand
wait $last
expect "the live run at a drain" "$?" 0
wait $hand
expect "the worker's exit" "$?" 0
wait $third
expect "the coordinator's exit" "$?" 0
await_quiet 20

# A guest's terminal closes, then Ctrl-C of the owner: each suspends its own run alone. The owner's workers stand still meanwhile.
# pgrep is quick: what looks at one process after the other may find that the run has ended meanwhile.
stand_still() { # PID: the owner's workers are stopped, its run is listed
    stopped=
    until [ "$(wc -w <<<"$stopped")" -ge 2 ]; do
        kill -0 "$1" || { fail "no workers"; finish; }
        stopped=$(pgrep -P "$1" -f -- "^$worker --connect ") # no child that reads a scene
        sleep 0.02
    done
    kill -STOP $stopped
    listed "$1"
    own=$run
}
start() { # NAME: in the background
    "$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --branches 8 --polls 9 --json -o "$work/$1" --workers 2 >"$work/$1.json" 2>"$work/$1.txt" &
}
start owner
owner=$!
stand_still $owner
start one
one=$!
await "a guest is not taken" $one running 2
start two
two=$!
await "a second guest is not taken" $two running 3
kill -HUP $one
wait $one
expect "a guest's exit after SIGHUP" "$?" 129
await "the guest's run is not suspended alone" $owner running 2
one=$(sed -n 's/.*etna resume \([0-9a-f]*\).*/\1/p' "$work/one.txt")
[ -n "$one" ] || fail "the guest is not told how to go on: $(cat "$work/one.txt")"
timeout 20 "$etna" resume "$own" >"$work/living.txt" 2>&1
expect "resume of a living run" "$?" 4
grep -q "$owner" "$work/living.txt" || fail "the refusal does not name the owner $owner: $(cat "$work/living.txt")"
kill -INT $owner
wait $owner
expect "the owner's exit after SIGINT" "$?" 130
grep -q "etna resume $own" "$work/owner.txt" || fail "the owner is not told how to go on: $(cat "$work/owner.txt")"
wait $two
expect "a guest over its owner's SIGINT" "$?" 0
for run in "$own" "$one"; do
    "$etna" resume "$run" -o "$work/resumed" --json >"$work/resumed.json" 2>"$work/resumed.txt"
    expect "resume after a SIGINT" "$?" 0
    expect "its snapshot" "$(json "$work/resumed.json" .final_snapshot)" "$(json "$work/two.json" .final_snapshot)"
    cmp -s "$work/resumed/result.glb" "$work/two/result.glb" || fail "another result.glb after a SIGINT"
done

# The owner is killed: a guest takes the store, and what that one ran goes on, its own run, too.
start owner
owner=$!
stand_still $owner
start one
one=$!
await "a guest is not taken" $one running 2
start two
two=$!
await "a second guest is not taken" $two running 3
kill -9 $owner
wait $owner 2>/dev/null
kill -CONT $stopped
wait $one
expect "a guest over its owner's death" "$?" 0
wait $two
expect "the other guest" "$?" 0
for name in one two; do
    expect "$name's snapshot" "$(json "$work/$name.json" .final_snapshot)" "$(json "$work/resumed.json" .final_snapshot)"
    cmp -s "$work/resumed/result.glb" "$work/$name/result.glb" || fail "$name has another result.glb"
done
expect "the killed owner's own run" "$("$etna" runs --json | jq -r ".runs[] | select(.run == \"$own\") | .status")" complete
await_quiet 20

# One run that cannot be read back keeps nobody else waiting: it is named, the coordinator serves, and says the same again when
# it is asked for that run.
quick="--branches 1 --polls 1 --no-images --json"
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" $quick >"$work/quick.json" 2>"$work/quick.txt" || fail "a quick run"
set -- $("$ETNA_BIN/misremember" "$ETNA_STORE" "$(json "$work/quick.json" .run)" --running) # its only branch is the one decided on
"$etna" coordinator --listen "ipc://$work/c.sock" --workers 1 >"$work/spoilt.txt" 2>&1 &
first=$!
await "one spoilt run ended the coordinator" $first grep -q "listening at" "$work/spoilt.txt"
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
