# A room closed on all sides, in which nobody put a camera: the derived one stands inside and shows what goals need.
. "$(dirname "$0")/lib.sh"
room=$scenes/closed.glb
"$etna" probe list "$room" --json >"$work/list.json" || fail "probe list"
expect "the camera" "$(json "$work/list.json" .camera)" derived
for name in Bed Chair Book Table; do
    jq -e --arg n $name '.seen[] | select(.name == $n and .pixels >= 200)' "$work/list.json" >"$work/seen.json" ||
        fail "$name is not seen"
done
run_ok "$work/book" "$room" --goal "Put the book on the table"
expect "edits" "$(json "$work/book/stdout.json" '[.steps[].object] | join(",")')" Book
run_ok "$work/chair" "$room" --goal "Move the chair next to the bed"
expect "edits" "$(json "$work/chair/stdout.json" '[.steps[].object] | join(",")')" Chair
finish
