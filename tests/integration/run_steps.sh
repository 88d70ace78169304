# A list of three moves of which each needs the one before.
. "$(dirname "$0")/lib.sh"
run_ok "$work/desk" "$scenes/desk.glb" --steps "$scenes/desk.steps"
expect "edits" "$(json "$work/desk/stdout.json" '.steps | length')" 3
expect "instructions" "$(json "$work/desk/stdout.json" '[.steps[].object] | unique | length')" 3
finish
