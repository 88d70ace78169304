# A crowded scene whose obvious first step makes the second impossible: solved by backtracking, and the narration shows
# the anchor moving (tests/scenes/README.md tells the trace).
. "$(dirname "$0")/lib.sh"
for case in "crowded crowded" "crowded crowded_three" "crowded_strip crowded"; do
    set -- $case
    run_ok "$work/$1-$2" "$scenes/$1.glb" --steps "$scenes/$2.steps"
    back=$(json "$work/$1-$2/stdout.json" .backtracks)
    [ "$back" -ge 1 ] || fail "$1 with $2 was solved without backtracking"
    "$etna" show "$(json "$work/$1-$2/stdout.json" .run)" >"$work/show.txt" || fail "show"
    grep -qi anchor "$work/show.txt" || { fail "the narration of $1 does not show the anchor"; cat "$work/show.txt" >&2; }
done
finish
