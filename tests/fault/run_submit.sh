# A run that is submitted is nobody's errand: it is carried by a coordinator, or kept for the next one, and whoever asks stays
# with it, lets it rest, takes its result, also after the coordinator that carried it has gone.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put all three bottles on the yellow block"
socket=ipc://$work/c.sock
coordinate() { # NAME: a coordinator; sets `coordinator`
    "$etna" coordinator --listen "$socket" >"$work/$1.txt" 2>&1 &
    coordinator=$!
    await "the coordinator $1 does not listen" $coordinator grep -q "listening at" "$work/$1.txt"
}
"$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --json -o "$work/alone" >"$work/alone.json" 2>"$work/alone.txt"
expect "the run alone" "$?" 0
same() { # NAME: its document and its result are those of the run alone
    expect "$1: snapshot" "$(json "$work/$1.json" '.status + " " + .final_snapshot')" "$(json "$work/alone.json" '.status + " " + .final_snapshot')"
    cmp -s "$work/$1/result.glb" "$work/alone/result.glb" || fail "$1: another result.glb"
}

# Without a coordinator it is kept, and not begun.
kept=$("$etna" submit "$scene" --goal "$goal" --early-end ordered --no-images 2>"$work/kept.txt")
expect "submit without a coordinator" "$?" 0
grep -q "etna coordinator" "$work/kept.txt" || fail "it is not said what begins it: $(cat "$work/kept.txt")"
timeout 20 "$etna" fetch "$kept" -o "$work/early" >"$work/early.txt" 2>&1
expect "fetch of a run that has not ended" "$?" 4
refused 2 "submit with an output" submit "$scene" --goal "$goal" -o "$work/nowhere"

# A coordinator begins it; the worker comes only when another was submitted, too, and somebody stays with it.
coordinate first
grep -q "goes on: $kept" "$work/first.txt" || fail "the kept run is not begun: $(cat "$work/first.txt")"
by_url=$("$etna" submit "$scene" --goal "$goal" --early-end ordered --no-images --connect "$socket" --json | jq -r .run)
"$etna" attach "$by_url" --connect "$socket" -o "$work/attached" --json >"$work/attached.json" 2>"$work/attached.txt" &
attached=$!
by_store=$("$etna" submit "$scene" --goal "$goal" --early-end ordered --no-images)
expect "submit to the owner of the store" "$?" 0
"$etna" attach "$by_store" >"$work/leaving.txt" 2>&1 &
leaving=$!
state() { "$etna" runs --json 2>/dev/null | jq -r ".runs[] | select(.run == \"$1\") | .status"; }
expect "the run that is to be left" "$(state "$by_store")" running
"$worker" --connect "$socket" --cache "$work/cache" >"$work/worker.txt" 2>&1 &
hand=$!
wait $attached
expect "attach" "$?" 0
same attached
wait $leaving
expect "attach by the store" "$?" 0
# Who took no result is told the command that does, and by the same way.
"$etna" attach "$by_url" --connect "$socket" >"$work/told.txt" 2>&1
for name in told leaving; do
    told=$(sed -n 's/^to have it written: etna //p' "$work/$name.txt")
    case $name:$told in told:*" --connect $socket" | leaving:*" -o DIR") ;; *) fail "$name is told: $told" ;; esac
    "$etna" ${told/DIR/$work/$name} --json >"$work/$name.json" 2>"$work/$name.err"
    expect "what $name is told" "$?" 0
    same "$name"
done

# Results stay: by the wire, from the store, and after a coordinator's death from the next.
"$etna" fetch "$by_store" -o "$work/fetched" --json --connect "$socket" >"$work/fetched.json" 2>"$work/fetched.txt"
expect "fetch by --connect" "$?" 0
same fetched
# A run may be called as at home there, too.
for name in "${by_store:0:8}" last "$work/fetched"; do
    "$etna" show "$name" --connect "$socket" >"$work/shown.txt" 2>&1
    expect "show $name by --connect" "$?" 0
    grep -q "complete" "$work/shown.txt" || fail "show $name: $(cat "$work/shown.txt")"
    timeout 60 "$etna" cancel "$name" --connect "$socket" >"$work/shown.txt" 2>&1
    expect "cancel $name by --connect" "$?" 0
    timeout 60 "$etna" resume "$name" --connect "$socket" >"$work/shown.txt" 2>&1
    expect "resume $name by --connect" "$?" 0
done
"$etna" fetch "${by_url:0:6}" -o "$work/shortly" --json --connect "$socket" >"$work/shortly.json" 2>"$work/shortly.txt"
expect "fetch of a short name by --connect" "$?" 0
same shortly
timeout 20 "$etna" fetch 0000 -o "$work/none" --connect "$socket" >"$work/none.txt" 2>&1
expect "fetch of a name that is none" "$? $(cat "$work/none.txt")" "4 etna: no run's name begins with 0000; see \`etna runs\`"
timeout 20 "$etna" fetch zz -o "$work/none" --connect "$socket" >"$work/none.txt" 2>&1
expect "fetch of what is no name" "$?" 2
kill -9 $coordinator
wait $coordinator 2>/dev/null
"$etna" fetch "$kept" -o "$work/stored" --json >"$work/stored.json" 2>"$work/stored.txt"
expect "fetch without a coordinator" "$?" 0
same stored
"$etna" fetch "$by_url" -o "$work/later" --json --connect "$socket" --wait 60 >"$work/later.json" 2>"$work/later.txt" &
later=$!
await "nobody is waited for" $later grep -q "waiting for one" "$work/later.txt"
coordinate second
wait $later
expect "fetch over a coordinator's restart" "$?" 0
same later

# Who has only the address sees the same runs, and how each stands.
"$etna" runs --json >"$work/here.json"
"$etna" runs --json --connect "$socket" >"$work/there.json" 2>"$work/there.txt"
expect "runs by --connect" "$?" 0
cmp -s "$work/here.json" "$work/there.json" || fail "other runs by --connect: $(cat "$work/there.json" "$work/there.txt")"
"$etna" show "$by_url" >"$work/here.txt"
"$etna" show "$by_url" --connect "$socket" >"$work/there.txt" 2>&1
expect "show by --connect" "$?" 0
cmp "$work/here.txt" "$work/there.txt" || fail "another narration or tree by --connect"
"$etna" show "$by_url" --html "$work/here.html" && "$etna" show "$by_url" --html "$work/there.html" --connect "$socket" || fail "a page by --connect"
cmp "$work/here.html" "$work/there.html" || fail "another page by --connect"
refused 4 "show of no run" show ffffffffffffffffffffffffffffffff --connect "$socket"

# Ctrl-C leaves what one is attached to.
hands() { echo "$hand" $(cat "/proc/$hand/task/$hand/children"); } # who watches, and the child that computes
kill -STOP $(hands)
left=$("$etna" submit "$scene" --goal "$goal" --early-end ordered --no-images --connect "$socket")
"$etna" attach "$left" --connect "$socket" >"$work/interrupted.txt" 2>&1 &
interrupted=$!
caught() { [ -n "$(awk '$1 == "SigCgt:" && $2 ~ /[2367abef]$/' "/proc/$interrupted/status")" ]; } # bit 2: SIGINT
await "attach does not come to catch SIGINT" $interrupted caught
kill -INT $interrupted
wait $interrupted
expect "attach after SIGINT" "$?" 130
expect "the run that was left" "$(state "$left")" running
"$etna" show "$left" --connect "$socket" --json >"$work/left.json" 2>"$work/left.txt"
is left ".run == \"$left\" and .status == \"running\" and (.narration | length) >= 1"
kill -CONT $(hands)
"$etna" attach "$left" -o "$work/back" --json >"$work/back.json" 2>"$work/back.txt"
expect "attach again" "$?" 0
same back
timeout 20 "$etna" attach ffffffffffffffffffffffffffffffff --connect "$socket" >"$work/unknown.txt" 2>&1
expect "attach to no run" "$?" 4
"$etna" drain >/dev/null
wait $hand
expect "the worker's exit" "$?" 0
wait $coordinator
expect "the coordinator's exit" "$?" 0

# Drained while it is between two starts, as one that its scheduler has queued again: the drain waits for it.
refused 4 "a drain of nobody" drain --connect "$socket"
refused 2 "a drain that waits for a store" drain --wait 9
timeout 60 "$etna" drain --connect "$socket" --wait 50 >"$work/drained.txt" 2>"$work/drain.txt" &
drain=$!
await "the drain does not say that it waits" $drain grep -q "waiting for one up to 50 s" "$work/drain.txt"
"$etna" coordinator --listen "$socket" >"$work/next.txt" 2>&1 &
next=$!
wait $drain
expect "the drain's exit" "$?" 0
expect "the runs that it told" "$(cat "$work/drained.txt")" 0
wait $next
expect "the exit of who was drained at its start" "$?" 0
await_quiet 20
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "store verify: $(cat "$work/verify.txt")"
finish
