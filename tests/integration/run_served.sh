# The built-in agent over the network (etna serve-builtin) does what it does in-process: the same goals end in the same
# snapshots. ETNA_FULL=1 takes every goal that the tests run. Then: who asks for a model that is not there, that has no
# key, or that does not answer, is told so, and a run that no model answers goes on once one does.
. "$(dirname "$0")/lib.sh"

list() { # KEY...: the list of models, with further settings of the endpoint
    cat >"$work/models.yaml" <<END
endpoints:
  served: {wire: chat, url: "$url", attempts: 2, budget_ms: 2000$*}
models:
  served: {endpoint: served, id: builtin, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}, price: {in: 1, out: 2}}
END
}
export ETNA_MODELS=$work/models.yaml
export SERVED_KEY=a-key-of-the-test-6f1d2c SERVED_WRONG=another-key-91ce

serve_builtin --key-env SERVED_KEY
list ", key_env: SERVED_KEY"

# both NAME SCENE WHAT...
both() {
    local name=$1 scene=$scenes/$2.glb
    shift 2
    run_ok "$work/$name-here" "$scene" --no-images "$@" || return 1
    run_ok "$work/$name-there" "$scene" --no-images --model served --facts on "$@" || return 1
    for what in .final_snapshot .backtracks; do # tokens are counted by bytes, and numbers in tools' arguments are written anew on the way
        expect "$name: $what over the network" "$(json "$work/$name-there/stdout.json" "$what | tostring")" "$(json "$work/$name-here/stdout.json" "$what | tostring")"
    done
}
both list study --steps "$scenes/study.steps"
both crowded crowded --goal "Put the red box and the blue box on the tray" # of a list, one edit an instruction: run_backtrack.sh
printf 'Swap the red bottle and the green bottle\nPut the red bottle on the yellow block\n' >"$work/swap.steps"
both swapped bottles --steps "$work/swap.steps" --list-edits several
both front living --goal "Move the long table to the front of the shelf, where the chair and the plant are"
# A history that is too long for a model is shortened, the run says so, and it is in its journal.
echo "  narrow: {endpoint: served, id: builtin, images_max: 1, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}}" >>"$work/models.yaml"
run_ok "$work/narrow" "$scenes/study.glb" --steps "$scenes/study.steps" --no-images --model narrow --facts on
"$etna" show "$(json "$work/narrow/stdout.json" .run)" >"$work/narrow.txt" || fail "show of a shortened run"
grep -q "the planner's turn 1: too long for narrow, so 2 images and 0 tool results that came earlier were left out" "$work/narrow.txt" ||
    fail "show does not say what was left out: $(grep 'left out' "$work/narrow.txt")"
# And its conversation says which they were, and why.
"$etna" show "$(json "$work/narrow/stdout.json" .run)" --conversation 2 >"$work/narrow.talk" || fail "the conversation of a shortened run"
grep -q 'left out of this request: narrow takes 1 of the 3 images' "$work/narrow.talk" || fail "a conversation without what was left out of it"
"$etna" show "$(json "$work/narrow/stdout.json" .run)" --conversation 2 --json >"$work/narrow.told" || fail "that conversation as JSON"
expect "images left out, by the list and by the count" \
    "$(json "$work/narrow.told" '[.calls[] | select(.shortened) | .shortened | (.left_out | map(select(.kind == "image")) | length) == .images and (.images > 0)] | all')" true
first=$(json "$work/narrow.told" '[.calls[] | select(.role == "planner")][0] | [.messages[].parts[] | select(.kind == "image") | .image.snapshot][:2] | tostring')
expect "the oldest images" "$(json "$work/narrow.told" '[.calls[] | select(.role == "planner")][0].shortened.left_out | [.[].image.snapshot] | tostring')" "$first"
if [ -n "${ETNA_FULL:-}" ]; then
    # Every other goal of the tests, found where they stand: `goal NAME SCENE EDITS WHAT...` in run_goals.sh.
    full_goal() {
        local name=$1 scene=$2
        shift 3
        both "full-$name" "$scene" "$@"
    }
    sed -n 's/^goal /full_goal /p' "$(dirname "$0")/run_goals.sh" >"$work/goals.sh"
    . "$work/goals.sh"
    both three crowded --steps "$scenes/crowded_three.steps"
    both strip crowded_strip --steps "$scenes/crowded.steps"
fi

# told OUT EXIT WORDS WHAT...: a run that must end with EXIT and say WORDS
told() {
    local out=$1 exit=$2 words=$3 code
    shift 3
    "$etna" run "$scenes/study.glb" --steps "$scenes/study.steps" --no-images --early-end ordered --json "$@" >"$work/$out.json" 2>"$work/$out.txt"
    code=$?
    expect "exit of $out" "$code" "$exit"
    grep -q -- "$words" "$work/$out.txt" || { fail "$out does not say: $words"; tail -3 "$work/$out.txt" >&2; }
}
told unknown 2 "there are builtin, served" --model nobody
told nofile 2 "none.yaml" --model served --models "$work/none.yaml"
told nofacts 4 "asked without facts" --model served
list ", key_env: SERVED_WRONG"
told wrongkey 4 "answered 401" --model served --facts on
list ", key_env: SERVED_NONE"
told nokey 4 'SERVED_NONE is not set' --model served --facts on
printf '%s\n' "$SERVED_KEY" >"$work/key"
chmod 644 "$work/key"
list ", key_file: \"$work/key\""
told openkey 4 "chmod 600" --model served --facts on
chmod 600 "$work/key"
# While that run goes on: no key in a command line, no core from a worker that has called.
told filekey 0 "" --model served --facts on &
running=$!
limited=
while kill -0 $running 2>/dev/null; do
    for p in $(pgrep -f -- "$work"); do # leftovers() would take as long as the run on a busy machine
        line=$(cat "/proc/$p/cmdline" 2>/dev/null | tr '\0' ' ')
        echo "$line" | grep -F -e "$SERVED_KEY" -e "$SERVED_WRONG" && fail "a key stands in a command line"
        case $line in
        *--connect*) grep -q '^Max core file size *0 *0 ' "/proc/$p/limits" 2>/dev/null && limited=yes ;;
        esac
    done
    sleep 0.05
done
wait $running
expect "workers without cores" "$limited" yes
grep -q '"complete"' "$work/filekey.json" || { fail "the run with a key's file"; tail -3 "$work/filekey.txt" >&2; }

# No model answers: exit 4, the reason, and how to go on; which it does once the server is back.
list ", key_env: SERVED_KEY"
kill "$server" && wait "$server"
told away 4 "etna resume" --model served --facts on
run=$(sed -n '/etna resume/{s/.*etna resume \([0-9a-f]*\).*/\1/p;q}' "$work/away.txt")
address=${url#http://}
serve_builtin --key-env SERVED_KEY --listen "${address%/v1}"
"$etna" resume "$run" --json >"$work/resumed.json" 2>"$work/resumed.txt" || { fail "resume after an outage"; tail -3 "$work/resumed.txt" >&2; }
expect "the snapshot after an outage" "$(json "$work/resumed.json" .final_snapshot)" "$(json "$work/list-here/stdout.json" .final_snapshot)"
kill "$server" && wait "$server"

# Keys are nowhere: not in the store, not in what was printed or written.
for secret in "$SERVED_KEY" "$SERVED_WRONG"; do
    found=$(grep -rlF --exclude=key -- "$secret" "$work" | head -3)
    [ -z "$found" ] || fail "a key stands in $found"
done
finish
