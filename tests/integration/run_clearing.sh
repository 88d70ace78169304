# What stands on a thing goes along when it is moved, and makes way when it is to be left.
. "$(dirname "$0")/lib.sh"
run_ok "$work/book" "$scenes/stacked.glb" --goal "Put the book on the yellow block"
expect "the mug goes with the book" "$(json "$work/book/stdout.json" '[.steps[].object] | join(",")')" "Book"
"$etna" check "$work/book/result.glb" --against "$scenes/stacked.glb" >/dev/null || fail "the book's load is not where it should be"
expect "the mug is on the book" "$("$etna" scene info "$work/book/result.glb" --json | jq '[.objects[] | select(.name == "Mug" or .name == "Book")] | sort_by(.name) | .[1].min[2] - .[0].max[2] | . * . < 1e-5')" true
run_ok "$work/alone" "$scenes/stacked.glb" --goal "Put the mug on the table and the book on the yellow block"
expect "edits: mug, then book" "$(json "$work/alone/stdout.json" '[.steps[].object] | join(",")')" "Mug,Book"
run_ok "$work/plain" "$scenes/bottles_plain.glb" --goal "Put the red bottle on the yellow block"
expect "edits by colour alone" "$(json "$work/plain/stdout.json" '.steps | length')" 1
# A closed room is seen without the walls in the way: by the run's agents and in its images alike.
run_ok "$work/cut" "$scenes/closed.glb" --goal "Put the mug on the nightstand" --camera cutaway
"$etna" render "$scenes/closed.glb" -o "$work/cut.png" --camera cutaway >/dev/null || fail "no picture of the closed room"
cmp -s "$work/cut.png" "$work/cut/step-00.png" || fail "the run's image is not what the camera cutaway sees"
finish
