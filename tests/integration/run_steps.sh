# A list of three moves of which each needs the one before.
. "$(dirname "$0")/lib.sh"
run_ok "$work/desk" "$scenes/desk.glb" --steps "$scenes/desk.steps"
expect "edits" "$(json "$work/desk/stdout.json" '.steps | length')" 3
expect "instructions" "$(json "$work/desk/stdout.json" '[.steps[].object] | unique | length')" 3
[ ! -e "$work/desk/step-01.glb" ] || fail "a scene of each step that nobody asked for"

# The scene after each of them, where it is asked for; the last one is the result, and only what moved differs.
"$etna" run "$scenes/desk.glb" --steps "$scenes/desk.steps" --step-scenes --no-images -o "$work/each" >/dev/null 2>&1 || fail "--step-scenes"
expect "scenes" "$(cd "$work/each" && echo step-*.glb)" "step-01.glb step-02.glb step-03.glb"
cmp "$work/each/step-03.glb" "$work/each/result.glb" || fail "the last scene is not the result"
"$etna" scene info "$work/each/step-01.glb" --json >"$work/first.json" 2>/dev/null
moved=$(jq -s '[.[0].objects, .[1].objects] | transpose | map(select(.[0].position != .[1].position)) | length' "$work/first.json" <("$etna" scene info "$scenes/desk.glb" --json 2>/dev/null))
expect "things that the first step moved" "$moved" 1
finish
