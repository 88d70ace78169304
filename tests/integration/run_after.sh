# etna run --after: a run begins where another ended, in the same scene, and is told what that one did and where things
# stood before it. Its result is the original file with all that was moved since; it resumes and replays like any run.
. "$(dirname "$0")/lib.sh"
scene=$scenes/bottles.glb
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --early-end ordered --no-images --json >"$work/first.json" 2>"$work/err" || fail "the first run: $(tail -3 "$work/err")"
first=$(json "$work/first.json" .run)
go_on() { # NAME ARGS...
    local name=$1
    shift
    "$etna" run "$@" --early-end ordered --no-images --json >"$work/$name.json" 2>"$work/$name.txt" || fail "$name: exit $?: $(tail -3 "$work/$name.txt")"
}
go_on second --after "$first" --goal "Put the red bottle on the table" -o "$work/second"
is second ".status == \"complete\" and .after == \"$first\" and .scene == \"$scene\" and ([.steps[].object] | index(\"Red Bottle\") != null)"
second=$(json "$work/second.json" .run)
"$etna" check "$work/second/result.glb" --against "$scene" --json >"$work/check.json" || fail "the second result has something new"
is check '.moved == ["Red Bottle"]'

# What the planner is told: the scene as that run left it is the start; what was there before is beside it.
"$etna" show "$second" --conversation 1 --json >"$work/talk.json"
jq -r '[.calls[] | select(.role == "planner")][0].messages[1].parts[] | select(.kind == "text") | .text' "$work/talk.json" |
    sed -n '/^\[task\]/,/^\[end of task\]/p' | sed '1d;$d' >"$work/task.json"
is task '.before | .goal == "Put the red bottle on the yellow block" and .edits[0].object == "Red Bottle" and (.edits[0].position | length) == 3'
is task '.before.moved | length == 1 and (.[0] | .object == "Red Bottle" and (.position | length) == 3 and has("yaw_deg"))'
is task '.edits == []'
jq -r '[.calls[] | select(.role == "planner")][0].messages[1].parts[] | select(.kind == "facts") | .text' "$work/talk.json" >"$work/facts.json"
is facts '[.objects[] | select(has("start"))] == []'
jq -e --slurpfile task "$work/task.json" '.objects[] | select(.name == "Red Bottle") | .box.centre[2] > $task[0].before.moved[0].position[2] + 0.01' "$work/facts.json" >/dev/null ||
    fail "the bottle does not stand on the block at the start of the second run"

# Chains, replay, what is kept, and going on after being stopped.
# A run is named by the folder that it was written to, too.
go_on third --after "$work/second" --goal "Put the red bottle on the yellow block"
is third ".after == \"$second\" and .status == \"complete\""
"$etna" replay last >"$work/replay.txt" || fail "the third run replays otherwise: $(cat "$work/replay.txt")"
"$etna" store gc >/dev/null || fail "gc"
go_on fourth --after last --goal "Put the red bottle on the table"
is fourth '.status == "complete"'
timeout -s INT 0.35 "$etna" run --after "$(json "$work/third.json" .run)" --goal "Put the red bottle on the table" --early-end ordered --no-images --json >"$work/cut.json" 2>"$work/cut.txt"
"$etna" resume last --json >"$work/resumed.json" 2>>"$work/cut.txt" || fail "a stopped run does not go on: $(tail -3 "$work/cut.txt")"
expect "the end of a stopped run" "$(json "$work/resumed.json" .final_snapshot)" "$(json "$work/fourth.json" .final_snapshot)"

# Going on from it: more of the same, the same of another, and back.
go_on shifted "$scene" --goal "Move the red bottle 10 cm to the left"
shifted=$(json "$work/shifted.json" .run)
go_on more --after "$shifted" --goal "A bit more"
is more '.status == "complete" and ([.steps[].object] == ["Red Bottle"])'
go_on another --after "$shifted" --goal "the blue one too"
is another '.status == "complete" and ([.steps[].object] == ["Blue Bottle"])'
go_on back --after "$shifted" --goal "Undo that" -o "$work/back"
is back '.status == "complete" and ([.steps[].object] == ["Red Bottle"])'
"$etna" check "$work/back/result.glb" --against "$scene" --json >"$work/check.json" || fail "what is undone has something new"
is check '.moved == []'
go_on nowhere --after "$shifted" --goal "Put the red bottle back where it was"
is nowhere '[.steps[].object] == ["Red Bottle"]'
refused 3 "more of what has no way" run --after "$first" --goal "a bit more"

refused 2 "a scene beside it" run "$scene" --after "$first" --goal "Put it there"
refused 2 "elsewhere" run --after "$first" --goal "Put it there" --connect ipc:///nowhere
refused 4 "an unknown run" run --after 0000 --goal "Put it there"
refused 3 "a whole name that is none" run --after 00000000000000000000000000000000 --goal "Put it there"
ETNA_STORE=$work/elsewhere refused 4 "no such store" run --after "$first" --goal "Put it there"
"$etna" run "$scene" --goal "Colourless green ideas sleep furiously" 2>/dev/null
finish
