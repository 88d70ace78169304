# etna run --all-cameras with a model that says what a script says: the executor lists, probes and looks through another
# camera of the scene, its coordinate carries that camera's name, and the object ends where that picture has it, not
# where the run's own has. The evaluators look at the edit through that camera, too, before they judge. Without
# --all-cameras there is nothing to ask for.
. "$(dirname "$0")/lib.sh"
x=0.5 y=0.58
cp "$scenes/bottles.glb" "$work/two.glb"
cat >"$work/two.etna.json" <<END
{"cameras": [{"name": "Side", "position": [2.4, -0.9, 1.9], "target": [0.2, -0.1, 0.74], "yfov_deg": 40, "aspect": 1.25}]}
END
"$etna" probe ray "$work/two.glb" $x $y --camera Side --json >"$work/there.json" || fail "nothing is seen there"
expect "what stands there in the side's picture" "$(json "$work/there.json" .object)" Table
"$etna" probe ray "$work/two.glb" $x $y --camera Camera --json >"$work/here.json"
"$etna" probe list "$work/two.glb" --area 0,0,1,1 --camera Side --json >"$work/list.json"

# script CAMERA: the executor's coordinate is in that camera's picture; "" is the run's own
script() {
    jq -n --arg camera "$1" --argjson x $x --argjson y $y '
        def named: if $camera == "" then [] else [$camera] end;
        def block: [["ObjectName", "Red Bottle"], ["CloseToPix", "down", [$x, $y]] + named, ["Contact", "down", "Table_up"]] | map(tojson) | join(",\n");
        {planner: [{text: "[updated_instruction]\nMove the red bottle.\n[end of updated_instruction]\n[coordinate]\nbottom [0.5, 0.5]\n[end of coordinate]"}],
         executor: [
            {text: "", calls: [
                {name: "list_all_object_in_view", arguments: {interested_area: [0, 0, 1, 1], camera: "Side"}},
                {name: "ray_probe_for_plane", arguments: {coord_list: [[$x, $y]], camera: "Side"}},
                {name: "render_view", arguments: {camera: "Side"}},
                {name: "render_with_highlighted_object", arguments: {object_name_list: ["Red Bottle"], camera: "Side"}},
                {name: "ray_probe", arguments: {coord_list: [[$x, $y]]}},
                {name: "render_view", arguments: {camera: "Above"}}]},
            {text: ("So:\n[constraints]\n" + block + "\n[end of constraints]\n<completion>")}],
         evaluator: [
            {text: "", calls: [{name: "render_view", arguments: {camera: "Side"}}]},
            {text: "[evaluation]\nvisual_exam: It stands on the table.\nverdict: excellent\n[end of evaluation]"}]}' >"$work/script.json"
}
# go NAME WHAT...: a run with that script; leaves $work/NAME/ and the ledger $work/NAME.ledger
go() {
    local name=$1 code
    shift
    script_serve "$name" "image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}"
    echo "Move the red bottle" >"$work/steps"
    mkdir -p "$work/$name"
    "$etna" run "$work/two.glb" --steps "$work/steps" --models "$work/models.yaml" --model scripted --camera Camera --early-end ordered --json -o "$work/$name" "$@" \
        >"$work/$name/stdout.json" 2>"$work/$name/stderr.txt"
    code=$?
    script_stop
    return $code
}
# told NAME ROLE ANSWERS FILTER: of the requests of that role after so many answers, what the filter says, each once
told() { jq -s -c "[.[] | select(.role == \"$2\" and .answers == $3) | $4] | unique" "$work/$1.ledger"; }
# place NAME: the middle of the bottle's bottom in its result
place() { "$etna" scene info "$work/$1/result.glb" --json | jq -c '.objects[] | select(.name == "Red Bottle") | [.position[0], .position[1], .min[2]]'; }
# apart A B: metres between two points
apart() { jq -n "[$1, $2] | transpose | map(.[0] - .[1] | . * .) | add | sqrt"; }
less() { [ "$(jq -n "$2 < $3")" = true ] || fail "$1: $2 is not under $3"; }

script Side
go side --all-cameras || { fail "the run: exit $?"; tail -20 "$work/side/stderr.txt" >&2; }
there=$(json "$work/there.json" '.location | tojson') here=$(json "$work/here.json" '.location | tojson')
less "the bottle's way from where the side's picture has it" "$(apart "$(place side)" "$there")" 0.01
less "0.1, the way from where the run's own picture has that coordinate" 0.1 "$(apart "$(place side)" "$here")"
# What the tools said of that camera is what the commands say of it.
expect "the executor's tools" "$(told side executor 0 '.tools | sort | join(" ")')" '["list_all_object_in_view ray_probe ray_probe_for_plane render_view render_with_highlighted_object"]'
expect "the list" "$(told side executor 1 '.results[0] | fromjson | .objects | map(.name) | sort')" "$(jq -c '[.objects | sort]' "$work/list.json")"
expect "the probe" "$(told side executor 1 '.results[1] | fromjson | .hits[0] | [.object, .location]')" "$(jq -c '[[.object, (.location | map(. * 10000 | round / 10000))]]' "$work/there.json")"
expect "the probe of the run's own camera" "$(told side executor 1 '.results[4] | fromjson | .hits[0].location')" "$(jq -c '[.location | map(. * 10000 | round / 10000)]' "$work/here.json")"
expect "the images" "$(told side executor 1 .images)" '[3]'
told side executor 1 '.results[5]' | grep -q "one of the task's cameras" || fail "a camera that is not there is not refused"
expect "the evaluator's tools" "$(told side evaluator 0 '.tools | join(" ")')" '["render_view"]'
expect "the evaluator's images" "$(told side evaluator 1 .images)" '[2]'
# The journal has it, and the same comes out of it again.
run=$(json "$work/side/stdout.json" .run)
"$etna" show "$run" --conversation 1 --json >"$work/talk.json" || fail "its conversation"
expect "the edit that evaluators saw from the side" \
    "$(json "$work/talk.json" '[.calls[] | select(.role == "evaluator") | .messages[].parts[] | select(.image.camera == "Side") | .image | .object == "Red Bottle" and .before != null] | length > 0 and all')" true
"$etna" replay "$run" >"$work/replayed" || { fail "replay"; cat "$work/replayed" >&2; }

# The same coordinate without the name: where the run's own picture has it.
script ""
go own --all-cameras || { fail "the run without a name: exit $?"; tail -20 "$work/own/stderr.txt" >&2; }
less "the bottle's way from where the run's own picture has it" "$(apart "$(place own)" "$here")" 0.01

# Without --all-cameras no tool takes a camera, no evaluator has one, and a coordinate with a name is sent back.
script Side
jq '.evaluator |= .[1:]' "$work/script.json" >"$work/script.new" && mv "$work/script.new" "$work/script.json"
go alone && fail "a coordinate of another camera was taken"
expect "the evaluators' part in it" "$(told alone evaluator 0 .role)" '[]'
expect "the tools there are" "$(told alone executor 0 '.tools | index("render_view")')" '[null]'
grep -q "there is one camera only" "$work/alone/stderr.txt" || fail "it does not say that there is one camera only"
finish
