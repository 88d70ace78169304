# What stands on a thing is cleared before the thing is moved.
. "$(dirname "$0")/lib.sh"
run_ok "$work/book" "$scenes/stacked.glb" --goal "Put the book on the yellow block"
expect "edits: mug, then book" "$(json "$work/book/stdout.json" '[.steps[].object] | join(",")')" "Mug,Book"
run_ok "$work/plain" "$scenes/bottles_plain.glb" --goal "Put the red bottle on the yellow block"
expect "edits by colour alone" "$(json "$work/plain/stdout.json" '.steps | length')" 1
# A closed room is seen without the walls in the way: by the run's agents and in its images alike.
run_ok "$work/cut" "$scenes/closed.glb" --goal "Put the mug on the nightstand" --camera cutaway
"$etna" render "$scenes/closed.glb" -o "$work/cut.png" --camera cutaway >/dev/null || fail "no picture of the closed room"
cmp -s "$work/cut.png" "$work/cut/step-00.png" || fail "the run's image is not what the camera cutaway sees"
finish
