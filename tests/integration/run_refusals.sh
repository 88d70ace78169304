# What cannot be done is told once: one line for people, one JSON document with a schema for programs, and the exit code
# that goes with it. The reason of a refusal comes in parts from who planned, by whatever model.
. "$(dirname "$0")/lib.sh"
scene=$scenes/bottles.glb

# documented CODE WHAT NAME ARGS...: ends with CODE, one line on stderr, one document with an error on stdout: $work/NAME.json
documented() {
    local code=$1 what=$2 name=$3
    shift 3
    timeout 400 "$etna" "$@" --json >"$work/$name.json" 2>"$work/stderr.txt"
    expect "$what: exit code" $? "$code"
    expect "$what: lines on stderr" "$(grep -c . "$work/stderr.txt")" 1
    is "$name" '.schema == "etna.error/1" and (.error | .code != "" and .what != "" and has("where") and has("span") and has("do"))'
}
documented 3 "no such scene" none run "$work/none.glb" --goal "Put it there"
is none '.error.code == "input"'
documented 2 "no goal" goal run "$scene"
documented 2 "unknown flag" flag run "$scene" --goal x --frobnicate
documented 3 "no such steps" steps run "$scene" --steps "$work/none.txt"
documented 3 "check" check check "$work/none.glb"
documented 3 "scene info" info scene info "$work/none.glb"
documented 3 "solve" solve solve "$scene" --constraints "$work/none.txt"
documented 4 "resume" resume resume 00000000000000000000000000000000
documented 3 "an unread goal" unread run "$scene" --goal "Colourless green ideas sleep furiously" -o "$work/out"
is unread '.error.code == "unread" and (.run | length) == 32'
[ ! -e "$work/out/run.json" ] || fail "something is written for a goal that was not read"
for command in "scene info $scene" "check $scene" "runs" "store stats"; do
    "$etna" $command --json >"$work/whole.json"
    is whole '.schema | test("^etna\\.[a-z]+/1$")'
done

# answered NAME TEXT ARGS...: a run whose planner answers TEXT; leaves $work/NAME.json and $work/NAME.txt, sets `code`
answered() {
    local name=$1
    jq -n --arg text "$2" '{planner: [{text: $text}], executor: [{text: ""}], evaluator: [{text: ""}]}' >"$work/script.json"
    shift 2
    script_serve "$name"
    "$etna" run "$scene" --model scripted --models "$work/models.yaml" -o "$work/$name" --json "$@" >"$work/$name.json" 2>"$work/$name.txt"
    code=$?
    script_stop
}
refusal() { printf '%s\n\n[refusal]\n%s\n[end of refusal]\n%s\n' "$1" "$2" "$3"; }
answered vase "$(refusal "There is no vase." '{"code":"unknown","what":"there is no vase","where":"the table","do":"Name a thing of the scene.","span":[8,12]}' "<unreadable>")" \
    --goal "Put the vase down"
expect "a goal that a model refuses is a failed step" $code 1
is vase '.status == "failed" and .failure == {"code": "unknown", "what": "there is no vase", "where": "the table", "span": [8, 12], "do": "Name a thing of the scene."}'
grep -qi "there is no vase" "$work/vase.txt" || fail "the lines do not say what: $(cat "$work/vase.txt")"
answered full "$(refusal "It is full." '{"code":"no_place","what":"the block is full","where":"block","do":"","span":[4,700]}' "<impossible>")" \
    --goal "Put the bottle on the block"
expect "a goal without a place" $code 1
is full '.status == "failed" and .failure.code == "no_place" and .failure.what == "the block is full" and .failure.span == null and .failure.do != ""'
cmp -s "$work/full/run.json" "$work/full.json" || jq -e --slurpfile out "$work/full.json" '.failure == $out[0].failure' "$work/full/run.json" >/dev/null || fail "run.json says otherwise"
answered plain "$(printf 'It cannot be.\n<impossible>\n')" --goal "Put the bottle on the block"
is plain '.failure.code == "impossible" and .failure.what == "It cannot be."'
printf 'Put the bottle down\nPut the vase down\n' >"$work/lines"
answered list "$(refusal "" '{"code":"unknown","what":"there is no bottle","span":[8,14]}' "<unreadable>")" --steps "$work/lines"
is list '.failure.item == 1 and .failure.span == [8, 14]'
answered odd "$(refusal "What?" '{"code":"limit","what":7' "<unreadable>")" --goal "Put the vase down"
is odd '.failure.code == "unread" and .failure.what == "What?"'
finish
