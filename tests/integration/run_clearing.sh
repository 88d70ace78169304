# What stands on a thing is cleared before the thing is moved.
. "$(dirname "$0")/lib.sh"
run_ok "$work/book" "$scenes/stacked.glb" --goal "Put the book on the yellow block"
expect "edits: mug, then book" "$(json "$work/book/stdout.json" '[.steps[].object] | join(",")')" "Mug,Book"
run_ok "$work/plain" "$scenes/bottles_plain.glb" --goal "Put the red bottle on the yellow block"
expect "edits by colour alone" "$(json "$work/plain/stdout.json" '.steps | length')" 1
finish
