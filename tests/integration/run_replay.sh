# etna replay: a run is decided and computed again from its journal and the stored replies alone, to the same hashes;
# what was changed is named by its record.
. "$(dirname "$0")/lib.sh"

# A run that went back, and one whose order of results was left to chance.
list_served
run_ok "$work/back" "$scenes/crowded.glb" --steps "$scenes/crowded.steps" --model served --facts on --paper-solver --no-images
back=$(json "$work/back/run.json" .run)
"$etna" replay "$back" --json >"$work/back.json" 2>"$work/back.err"
expect "replay: exit code" $? 0
expect "replay: status" "$(json "$work/back.json" .status)" same
expect "replay: final snapshot" "$(json "$work/back.json" .final_snapshot)" "$(json "$work/back/run.json" .final_snapshot)"
[ "$(json "$work/back.json" .tasks)" -gt 10 ] || fail "replay computed only $(json "$work/back.json" .tasks) tasks again"
"$etna" run "$scenes/bottles.glb" --goal "Put all three bottles on the yellow block" --early-end first --no-images -o "$work/first" >"$work/first.txt" 2>&1 || fail "a run"
first=$(json "$work/first/run.json" .run)
"$etna" replay "$first" >"$work/first.replayed" || { fail "replay of a run without a fixed order"; cat "$work/first.replayed" >&2; }
grep -q "^the same: .* $(json "$work/first/run.json" .final_snapshot)$" "$work/first.replayed" || fail "replay says: $(cat "$work/first.replayed")"

# Unless something else is said, the built-in agent's runs do not depend on who is done first; a network model is not waited for.
for workers in 1 3; do
    "$etna" run "$scenes/bottles.glb" --goal "Put the red bottle on the yellow block" --seed 3 --workers $workers --no-images --json >"$work/said$workers.json" 2>"$work/said$workers.txt" || fail "a run of $workers workers"
    grep -q "early end ordered" "$work/said$workers.txt" || fail "the built-in agent ends early otherwise: $(head -1 "$work/said$workers.txt")"
done
expect "final snapshot of three workers" "$(json "$work/said3.json" .final_snapshot)" "$(json "$work/said1.json" .final_snapshot)"
"$etna" run "$scenes/bottles.glb" --goal "Put the red bottle on the yellow block" --model served --facts on --no-images >"$work/network.txt" 2>&1 || fail "a run with a network model"
grep -q "early end first" "$work/network.txt" || fail "a network model is waited for: $(head -1 "$work/network.txt")"

# One bit of one snapshot changed in the journal, with checksums that are right.
set -- $("$ETNA_BIN/misremember" "$ETNA_STORE" "$back")
[ "${2:-0}" -gt 0 ] || fail "no snapshot to change"
"$etna" store verify >/dev/null || fail "the changed journal was meant to verify"
"$etna" replay "$1" --json >"$work/changed.json" 2>"$work/changed.err"
expect "changed journal: exit code" $? 1
expect "changed journal: status" "$(json "$work/changed.json" .status)" different
expect "changed journal: the first difference" "$(json "$work/changed.json" '.differences[0].record')" "$2"
json "$work/changed.json" '.differences[0].what' | grep -q "^the snapshot differs: " || fail "the difference is not told: $(cat "$work/changed.json")"
"$etna" replay "$1" >"$work/changed.txt"
grep -q "^record $2: branch .* of node .*: the snapshot differs: " "$work/changed.txt" || fail "not told: $(cat "$work/changed.txt")"

# What the models of a step were asked and answered, rebuilt; the stored hashes say that it is what was asked then.
"$etna" show "$back" --conversation 1 --json >"$work/talk.json" || fail "show --conversation --json"
expect "every request is the one that was answered" "$(json "$work/talk.json" '[.calls[].as_answered] | all')" true
expect "who spoke" "$(json "$work/talk.json" '[.calls[].role] | unique | join(" ")')" "evaluator executor planner"
expect "branches in order" "$(json "$work/talk.json" '[.calls[] | select(.role == "executor").branch] | . == sort and .[0] == 0')" true
"$etna" show "$back" --conversation 1.0 >"$work/talk.txt" || fail "show --conversation"
expect "heads" "$(grep '^== ' "$work/talk.txt" | head -2 | tr '\n' ' ')" "== node 1, branch 0, planner == == node 1, branch 0, executor == "
for part in '^    calls ray_probe_for_plane ' '^    \[image of snapshot ' '^    \[facts: ' '^  served answers' '\["ObjectName",'; do
    grep -q "$part" "$work/talk.txt" || fail "a conversation without $part"
done
LC_ALL=C grep -q '[[:cntrl:]]' <(tr -d '\n' <"$work/talk.txt") && fail "a conversation with control characters"
"$etna" show "$back" --conversation 1.x >/dev/null 2>&1; expect "no place" $? 2
"$etna" show "$back" --conversation 99 >/dev/null 2>"$work/none.err"; [ $? != 0 ] && grep -q "no conversation 99" "$work/none.err" || fail "a step that is not there"

# What is no run.
"$etna" replay 0123x 2>/dev/null; expect "no id" $? 2
"$etna" replay 012 2>/dev/null; expect "too little of an id" $? 2
"$etna" replay 00000000000000000000000000000000 2>"$work/none.err"; none=$?
[ $none != 0 ] && grep -q "there is none of this id" "$work/none.err" || fail "a run that is not there: exit $none, $(cat "$work/none.err")"

# A run may be named by the beginning of its name, and the newest as "last"; what begins several is refused.
newest=$("$etna" runs --json | jq -r '.runs[0].run')
"$etna" show "$newest" >"$work/whole.txt"
for short in last "$(echo "$newest" | cut -c1-8)"; do
    "$etna" show "$short" >"$work/short.txt" || fail "show $short"
    cmp -s "$work/whole.txt" "$work/short.txt" || fail "show $short tells of another run"
done
"$etna" replay fffffffffffffffffffffffffffffff 2>"$work/none.err"; expect "no run begins so" $? 4
"$etna" runs --store "$work/nowhere" | grep -q "no runs yet" || fail "a store that is not there has runs"
"$etna" show last --store "$work/nowhere" 2>/dev/null; expect "the last of none" $? 4
finish
