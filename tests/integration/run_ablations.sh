# etna run --ablation: each takes its part of the method away, says so in the run, and is still itself after a resume
# and a replay.
. "$(dirname "$0")/lib.sh"
goal="Put the red bottle on the yellow block" two="Put the red bottle and the green bottle on the yellow block"

# ablated NAME SCENE ARGS...: runs it; leaves $work/NAME.json and its conversation of the first step. The exit code is
# the run's.
ablated() {
    local name=$1 scene=$2 code
    shift 2
    "$etna" run "$scenes/$scene.glb" "$@" --ablation "$name" --early-end ordered --no-images --json -o "$work/$name" >"$work/$name.json" 2>"$work/$name.err"
    code=$?
    expect "$name in run.json" "$(json "$work/$name.json" .ablation)" "$name"
    run=$(json "$work/$name.json" .run)
    "$etna" show "$run" >"$work/$name.show" || fail "show of $name"
    grep -q "ablation $name" "$work/$name.show" || fail "show does not tell of $name"
    "$etna" show "$run" --json >"$work/$name.shown" || fail "show --json of $name"
    expect "$name in show --json" "$(json "$work/$name.shown" .ablation)" "$name"
    "$etna" show "$run" --conversation 1 --json >"$work/$name.talk" || fail "the conversation of $name"
    expect "what $name was asked" "$(json "$work/$name.talk" '[.calls[].as_answered] | all')" true
    "$etna" replay "$run" >"$work/$name.replayed" || { fail "replay of $name"; cat "$work/$name.replayed" >&2; }
    return $code
}
roles() { json "$work/$1.talk" '[.calls[].role] | unique | join(" ")'; }
tools() { json "$work/$1.talk" '[.calls[] | select(.role == "executor") | .. | .tool? // empty] | unique | join(" ")'; }

"$etna" run "$scenes/bottles.glb" --goal "$two" --early-end ordered --no-images --json >"$work/whole.json" 2>/dev/null || fail "the whole method"
expect "the whole method" "$(json "$work/whole.json" .ablation)" none

# One agent: one conversation a step, nobody judges, far fewer tokens; solver and checks remain.
ablated single-agent bottles --goal "$two" || fail "single-agent: exit $?"
expect "who spoke alone" "$(roles single-agent)" executor
expect "branches of a single agent" "$(json "$work/single-agent.json" '[.steps[].branches] | max')" 1
expect "polls of a single agent" "$(json "$work/single-agent.json" '[.tree[].branches[].evaluations[]] | length')" 0
[ $((2 * $(json "$work/single-agent.json" .tokens.in))) -lt "$(json "$work/whole.json" .tokens.in)" ] || fail "a single agent reads as much as all of them"
"$etna" check "$work/single-agent/result.glb" --against "$scenes/bottles.glb" >/dev/null || fail "a single agent's result has faults"
printf '%s\n' "Red box onto the tray." "The blue box belongs on the tray, too." >"$work/two.steps"
"$etna" run "$scenes/crowded.glb" --steps "$work/two.steps" --ablation single-agent --no-images --json >"$work/two.json" 2>"$work/two.txt" || fail "a single agent's list: $(tail -1 "$work/two.txt")"
expect "which instruction an edit of a single agent serves" "$(json "$work/two.json" '[.steps[].item] | tojson')" "[1,2,2]"
"$etna" run "$scenes/bottles.glb" --goal "$goal" --ablation single-agent --branches 3 >/dev/null 2>&1
expect "a single agent with three branches" $? 2

# No coordinate: neither planner nor executor is told one.
ablated no-planner-coordinate bottles --goal "$goal" || fail "no-planner-coordinate: exit $?"
"$etna" show "$run" --conversation 1 >"$work/words.txt" || fail "its conversation"
grep -q '"coordinate_is"' "$work/words.txt" && fail "an executor is told a coordinate"
grep -q 'Where the object is to go: one coordinate' "$work/words.txt" && fail "a planner is asked for a coordinate"

# No solver and no visual tools; no tools at all.
ablated no-tool-library bottles --goal "$goal" || fail "no-tool-library: exit $?"
expect "what it writes" "$(json "$work/no-tool-library.json" '[.tree[].branches[] | select(.constraints != "") | .constraints | contains("Location")] | all')" true
expect "visual tools" "$(tools no-tool-library | grep -c ray_probe)" 0
ablated no-mcp-tools bottles --goal "$goal" || fail "no-mcp-tools: exit $?"
"$etna" show "$run" --conversation 1 >"$work/words.txt" || fail "its conversation"
grep -q 'bpy.data.objects\["Red Bottle"\].location = ' "$work/words.txt" || fail "no script was written"
grep -q 'get_scene_info' "$work/words.txt" && fail "tools were offered where there are none"

# Basic functions alone: one conversation a step that writes poses; nobody judges, nothing is checked.
for name in basic basic-3; do
    ablated $name bottles --goal "$goal" || fail "$name: exit $?"
    expect "who spoke in $name" "$(roles $name)" executor
    expect "polls of $name" "$(json "$work/$name.json" '[.tree[].branches[].evaluations[]] | length')" 0
    expect "visual tools of $name" "$(tools $name | grep -c ray_probe)" 0
done
expect "what mending changes where all is well" "$(json "$work/basic.json" .final_snapshot)" "$(json "$work/basic-3.json" .final_snapshot)"
# basic-3 is shown what came of its placement, and mends it; what it breaks in mending does not count.
at() { jq -cn --argjson z "$1" '"[placement]\n" + ({object: "Red Bottle", location: [0.4, 0.3, $z]} | tojson) + "\n[end of placement]\n<completion>"'; }
plan='"[updated_instruction]\nLift the red bottle.\n[end of updated_instruction]\n"'
echo "Lift the red bottle" >"$work/lift"
# mended NAME ANSWERS Z REQUESTS: basic-3 by a model that says so ends with the bottle that high
mended() {
    jq -n "{executor: $2}" >"$work/script.json"
    script_serve "$1" "image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}"
    "$etna" run "$scenes/bottles.glb" --steps "$work/lift" --ablation basic-3 --model scripted --models "$work/models.yaml" --no-images --json >"$work/$1.json" 2>"$work/$1.err" || fail "$1: $(tail -2 "$work/$1.err")"
    script_stop
    expect "how high the bottle stands, $1" "$(json "$work/$1.json" '.steps[-1].position[2]')" "$3"
    expect "what is asked, $1" "$(jq -sc 'map([.answers, .images])' "$work/$1.ledger")" "$4"
    expect "answers that were wanted again, $1" "$(json "$work/$1.json" '.usage.by_role[0].asked_again')" "${5:-0}"
    "$etna" replay "$(json "$work/$1.json" .run)" >"$work/$1.replayed" 2>&1 || fail "replay of $1: $(tail -2 "$work/$1.replayed")"
}
mended better "[{text: ($plan + $(at 2.5))}, {text: $(at 1.5)}, {text: \"It is well there.\n<finished>\"}]" 1.5 '[[0,1],[1,2],[2,3]]'
mended thrice "[{text: ($plan + $(at 2.5))}, {text: $(at 1.5)}, {text: $(at 1.25)}, {text: $(at 1.125)}, {text: $(at 9)}]" 1.125 '[[0,1],[1,2],[2,3],[3,4]]'

# Without backtracking a dead end stays one: the whole method goes back there (run_backtrack.sh).
list_served
ablated no-backtracking crowded --steps "$scenes/crowded.steps" --model served --facts on
expect "backtracks" "$(json "$work/no-backtracking.json" .backtracks)" 0
expect "its end" "$(json "$work/no-backtracking.json" .status)" partial
json "$work/no-backtracking.json" .reason | grep -q "passed over: instruction 2: There is no free place" || fail "it does not say what was passed over"

"$etna" run "$scenes/bottles.glb" --goal "$goal" --ablation no-such-part >/dev/null 2>"$work/unknown.err"
expect "an unknown ablation" $? 2

# Suspended in the middle and resumed: it is still the same ablation and ends with the same scene.
"$etna" run "$scenes/bottles.glb" --goal "$two" --ablation single-agent --early-end ordered --no-images --json >"$work/cut.json" 2>"$work/cut.err" &
pid=$!
for i in $(seq 200); do
    grep -q "step 1 (node 1) edited" "$work/cut.err" && break
    sleep 0.05
done
kill -INT $pid 2>/dev/null
wait $pid
if [ $? = 130 ]; then
    "$etna" resume "$("$etna" runs --json | jq -r '.runs[0].run')" --json >"$work/cut.json" 2>"$work/resume.err" || fail "resume"
fi
expect "resumed: ablation" "$(json "$work/cut.json" .ablation)" single-agent
expect "resumed: final snapshot" "$(json "$work/cut.json" .final_snapshot)" "$(json "$work/single-agent.json" .final_snapshot)"
expect "resumed: tokens" "$(json "$work/cut.json" .tokens.in)" "$(json "$work/single-agent.json" .tokens.in)"
finish
