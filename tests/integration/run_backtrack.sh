# A crowded scene whose obvious first step makes the second impossible: solved by backtracking, and the narration shows
# the anchor moving (tests/scenes/README.md tells the trace). The built-in agent's own list is open: it moves the first
# thing once more instead, and our solver lets a box stand over an edge.
. "$(dirname "$0")/lib.sh"
list_served
for case in "crowded crowded" "crowded crowded_three" "crowded_strip crowded"; do
    set -- $case
    run_ok "$work/$1-$2-open" "$scenes/$1.glb" --steps "$scenes/$2.steps" --no-images
    run_ok "$work/$1-$2" "$scenes/$1.glb" --steps "$scenes/$2.steps" --model served --facts on --paper-solver --no-images
    back=$(json "$work/$1-$2/stdout.json" .backtracks)
    [ "$back" -ge 1 ] || fail "$1 with $2 was solved without backtracking"
    "$etna" show "$(json "$work/$1-$2/stdout.json" .run)" >"$work/show.txt" || fail "show"
    grep -qi anchor "$work/show.txt" || { fail "the narration of $1 does not show the anchor"; cat "$work/show.txt" >&2; }
done
finish
