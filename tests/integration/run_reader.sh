# etna run --reader: a text model reads the sentence once, before the first plan; what it answers is checked, journaled, and
# told to the planner; a run that is resumed or replayed asks nobody again.
. "$(dirname "$0")/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"

# start NAME ANSWER...: a model whose reader says these answers, one after another
start() {
    local name=$1
    shift
    jq -n '{reader: [$ARGS.positional[] | {text: .}]}' --args "$@" >"$work/script.json"
    script_serve "$name"
    echo "roles: {planner: scripted}" >>"$work/models.yaml"
}
go() { # NAME
    "$etna" run "$scene" --goal "$goal" --reader scripted --models "$work/models.yaml" --early-end ordered --no-images --json >"$work/$1.json" 2>"$work/$1.txt"
}
task_of() { # RUN NAME: the planner's task
    "$etna" show "$1" --conversation 1 --json >"$work/talk.json"
    jq -r '[.calls[] | select(.role == "planner")][0].messages[1].parts[] | select(.kind == "text") | .text' "$work/talk.json" |
        sed -n '/^\[task\]/,/^\[end of task\]/p' | sed '1d;$d' >"$work/$2.json"
}
meaning='{"predicates": [{"kind": "on", "things": [["Red Bottle"], ["Yellow Block"]], "roles": ["moved", "reference"], "numbers": {"gap_m": null}, "span": [0, 38], "goes": true, "more": "x"}], "unread": []}'

start good "So: $meaning"
go good || fail "a run with a reader: exit $?: $(tail -3 "$work/good.txt")"
script_stop
is good '.status == "complete" and .reader == "scripted" and .model == "builtin"'
expect "requests" "$(grep -c . "$work/good.ledger")" 1
expect "pictures and roles" "$(jq -c '[.role, .images]' "$work/good.ledger")" '["reader",0]'
is good '[.usage.by_role[] | select(.role == "reader") | .used.calls] == [1]'
grep -q "reader: read" "$work/good.txt" || fail "the narration does not tell of the reader"
run=$(json "$work/good.json" .run)
task_of "$run" task
is task '.meaning.predicates == [{"kind": "on", "things": [["Red Bottle"], ["Yellow Block"]], "roles": ["moved", "reference"], "numbers": {}, "span": [0, 38], "goes": true}]'
"$etna" replay "$run" >"$work/replay.txt" || fail "it replays otherwise: $(cat "$work/replay.txt")" # nobody serves any more

# An answer that cannot be used is sent back once; then the planner reads by itself, and the run says so.
start mended '{"predicates": [{"kind": "on", "things": [["Violin"], ["Yellow Block"]], "roles": ["moved", "reference"]}]}' "$meaning"
go mended || fail "a mended answer: exit $?"
script_stop
expect "requests" "$(grep -c . "$work/mended.ledger")" 2
task_of last task
is task '.meaning.predicates | length == 1'
# A sentence of another language whose reader says nothing of use is refused without the advice to ask a reader.
start mute "I like it." "I like it."
"$etna" run "$scene" --goal "Stelle die rote Flasche auf den gelben Block" --reader scripted --models "$work/models.yaml" --no-images --json >"$work/mute.json" 2>"$work/mute.txt"
expect "a sentence that neither reads" $? 3
script_stop
is mute '.error.code == "unread" and (.error.do | test("text model that was to read it")) and (.error.do | test("--reader") | not)'
# Thoughts with brackets, a fence and a comma too many are no reason to ask again; half an answer is none.
start loose "I think of {red, yellow} first.
\`\`\`json
${meaning/%\}/,\}}
\`\`\`"
go loose || fail "a loose answer: exit $?"
script_stop
expect "requests" "$(grep -c . "$work/loose.ledger")" 1
task_of last task
is task '.meaning.predicates | length == 1'
half="{\"predicates\": [$(jq -c '.predicates[0]' <<<"$meaning"), {\"kind\": \"on\", \"things\": [[\"Blue"
start half "$half" "$half"
go half || fail "half an answer: exit $?"
script_stop
task_of last task
is task 'has("meaning") | not'
start bad "I would rather not." "Really."
go bad || fail "without an answer: exit $?"
script_stop
grep -q "reader: its answer is not used" "$work/bad.txt" || fail "the narration does not say that the planner reads"
task_of last task
is task 'has("meaning") | not'
refused 2 "no such reader" run "$scene" --goal "$goal" --reader nobody --models "$work/models.yaml"
finish
