# The boards of one shelf are places of their own: what is asked beside a thing ends on its board, and a trade of places
# over one, too.
. "$(dirname "$0")/lib.sh"

# height OUT NAME: of its bottom in the result, in centimetres.
height() { "$etna" scene info "$work/$1/result.glb" --json 2>/dev/null | jq --arg name "$2" '.objects[] | select(.name == $name) | .min[2] * 100 | round'; }

run_ok "$work/between" "$scenes/shelf.glb" --goal "Put the tallest candle between the toy car and the green box" &&
    expect "the candle is on the board of the toy car" "$(height between Candle)" 45
run_ok "$work/swap" "$scenes/shelf.glb" --goal "Swap the teddy bear and the globe" &&
    expect "both on their board" "$(height swap "Teddy Bear"),$(height swap Globe)" 45,45
run_ok "$work/row" "$scenes/shelf.glb" --goal "Put the mug and the globe side by side on the top board of the shelf" &&
    expect "a row is on the board that is said, though all stand on the shelf" "$(height row Mug),$(height row Globe)" 111,111
"$etna" run "$scenes/shelf.glb" --goal "Put the toy car between the mug and the clock" --json -o "$work/narrow" >"$work/narrow.json" 2>"$work/narrow.txt"
expect "what does not fit fails" "$?,$(json "$work/narrow.json" '.status,.backtracks' | tr '\n' ' ')" "1,failed 1 "
grep -q '[0-9] cm between them, and it takes [0-9]' "$work/narrow.txt" || { fail "it does not say how wide the gap is"; cat "$work/narrow.txt" >&2; }
finish
