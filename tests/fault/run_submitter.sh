# Who has a submitter's token and asks for what nobody should get is refused by one line each, and costs the others nothing:
# what he begins to put and never ends, thousands of runs of a scene that is none, and what he says again.
. "$(dirname "$0")/../integration/lib.sh"
goal="Put the red bottle on the yellow block"
url=tcp://127.0.0.1:$(some_port)
submitter=$ETNA_BIN/submitter
go() { # NAME SCENE GOAL: a run by the coordinator
    "$etna" run "$scenes/$2.glb" --goal "$3" --no-images --early-end ordered --json --connect $url >"$work/$1.json" 2>"$work/$1.txt"
    expect "the exit of $1" "$?" 0
}
"$etna" run "$scenes/bottles.glb" --goal "$goal" --no-images --early-end ordered --json --store "$work/other" >"$work/alone.json" 2>"$work/alone.txt"

"$etna" coordinator --listen $url --join "$work/all.join" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
"$etna" join --role submitter -o "$work/submitter.join" || fail "no submitter's join file"
"$worker" --connect "@$work/all.join" --cache "$work/cache" >"$work/worker.txt" 2>&1 &
hand=$!

timeout 100 "$submitter" $url "$work/submitter.join" >"$work/tried.txt" 2>&1 || fail "the submitter: $(tail -1 "$work/tried.txt")"
cat >"$work/tried.wanted" <<END
a scene's name that writes on terminals: run_status
a goal that writes on terminals: run_status
a goal of 8 KiB: refused message field Config.goal: text is too long
a goal that is no UTF-8: refused message field Config.goal: text is not UTF-8
a million branches: refused message field Config.branches: must be 1 to 16
polls without an end: refused message field Config.polls: must be 1 to 9
steps without an end: refused message field Config.max_steps: must be 1 to 256
a priority of 10: refused run: the priority must be 0 to 9
a model of 8 KiB: refused message field Config.model: text is too long
models of half a megabyte of brackets: refused message field Config.models: text is too long
a scene that nobody put: refused a blob that this message names was not put before it
a scene of three bytes: refused message field Config.scene: has the wrong length
a beginning that nobody put: refused a blob that this message names was not put before it
bytes for a configuration: refused 64 bytes are not a well-formed Config
bytes under another's hash: refused a blob's bytes do not match its hash
a blob of 16 EiB: refused a chunk of 20 bytes at 0 of 18446744073709551615
the end of a run that is not there: refused cancel: no such run here; see \`etna runs\`
the state of a run that is not there: refused status: no such run here; see \`etna runs\`
a run, said once: run_status
a run, said again: run_status
its end: run_status
its beginning, said after its end: run_status
its beginning, as another request: run_status
END
diff "$work/tried.wanted" "$work/tried.txt" >"$work/tried.diff" || fail "the submitter got (>): $(cat "$work/tried.diff")"
expect "runs of what was tried" "$("$etna" runs --connect $url --json | jq '.runs | length')" 3
{ "$etna" runs --connect $url; "$etna" runs; "$etna" store ls; "$etna" top --once --connect $url; } >"$work/listed.txt" 2>&1
for run in $("$etna" runs --connect $url --json | jq -r '.runs[].run'); do
    "$etna" attach "$run" --connect $url >>"$work/listed.txt" 2>&1
    "$etna" show "$run" --connect $url >>"$work/listed.txt" 2>&1
done
grep -q owned "$work/listed.txt" || fail "nothing is listed of what was tried"
for text in "$work"/*.txt; do ! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f]' "$text" || fail "$text holds control characters"; done

# Uploads that are begun and never ended keep no scene of another's out.
"$submitter" $url "$work/submitter.join" halves >"$work/halves.txt" 2>&1 || fail "half uploads: $(tail -1 "$work/halves.txt")"
go after_halves study "Put the phone on the book."

# Thousands of runs that lead nowhere, and one that goes on beneath them.
"$submitter" $url "$work/submitter.join" many 2000 >"$work/many.txt" 2>&1 &
many=$!
await "the runs do not begin" $many has_line "$work/many.txt"
go beneath_many bottles "$goal"
expect "the snapshot of it" "$(json "$work/beneath_many.json" .final_snapshot)" "$(json "$work/alone.json" .final_snapshot)"
wait $many
expect "what became of the many" "$(tail -1 "$work/many.txt")" "runs: 2000 begun, 2000 ended"

# Lists that sixteen connections ask for without an end wait behind workers; a run goes on, and each of the sixteen is served.
"$submitter" $url "$work/submitter.join" flood 8 >"$work/flood.txt" 2>&1 &
flood=$!
go beneath_flood bottles "$goal"
expect "the snapshot beneath the flood" "$(json "$work/beneath_flood.json" .final_snapshot)" "$(json "$work/alone.json" .final_snapshot)"
wait $flood
await "the flood does not end" $coordinator sh -c "[ \$(grep -c '^flood: [1-9]' '$work/flood.txt') = 16 ]"
held=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$coordinator/status")
# Under a sanitizer ($ETNA_LOAD_MB = 0) the memory is not the coordinator's own.
[ "${ETNA_LOAD_MB:-}" = 0 ] || [ "$held" -le 100000 ] || fail "the coordinator held $held kB"
kill $hand $coordinator
wait $hand $coordinator
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "verify: $(cat "$work/verify.txt")"
finish
