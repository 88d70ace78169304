# etna read: what a sentence asks of a scene, without moving anything.
. "$(dirname "$0")/lib.sh"
scene=$scenes/bottles.glb
"$etna" read "Put the red bottle on the yellow block." "$scene" --json >"$work/on.json" || fail "a plain sentence: exit $?"
is on '.schema == "etna.read/1" and .unread == [] and (.predicates | length) == 1'
is on '.predicates[0] | .kind == "on" and .things[0] == ["Red Bottle"] and .roles == ["moved", "reference"] and .span == [0, 38]'
"$etna" read "Move the red bottle 10 cm to the left." "$scene" --json >"$work/left.json" || fail "a distance: exit $?"
is left '.predicates[0] | .kind == "moved_by" and .numbers.shift_m[0] == -0.1'
"$etna" read "Put the red bottle on the yellow block." "$scene" >"$work/words.txt" || fail "in words: exit $?"
grep -q "^Red Bottle: on Yellow Block" "$work/words.txt" || fail "the words: $(cat "$work/words.txt")"
"$etna" read "Colourless green ideas sleep furiously" "$scene" --json >"$work/unread.json" 2>"$work/err"
expect "an unread sentence" $? 3
is unread '.predicates == [] and .unread[0].text != "" and .error.code != ""'
refused 3 "the same in words" read "Colourless green ideas sleep furiously" "$scene"
refused 3 "no such scene" read "Put it there" "$work/none.glb"
"$etna" read "Remove the red bottle" "$scene" --json >"$work/gone.json" || fail "what is to go: exit $?"
is gone '.unread == [] and .changes == [{"kind": "remove", "said": "the red bottle", "query": "", "count": 0, "things": ["Red Bottle"]}]'
"$etna" read "Add a floor lamp beside the table" "$scene" >"$work/words.txt" || fail "what is to come: exit $?"
grep -q '^1 x "floor lamp": brought in' "$work/words.txt" || fail "the words: $(cat "$work/words.txt")"
refused 3 "what is to go, and what cannot be read" read "Remove the red bottle and frobnicate the table" "$scene"
"$etna" read "Put the red cup and the plate on the table, please." --json >"$work/alone.json" || fail "without a scene: exit $?"
is alone '.unread == [] and .predicates[0].kind == "on" and .predicates[0].things == [["the red cup", "the plate"], ["the table"]] and .predicates[0].span == [30, 42]'
refused 3 "nothing that is asked" read "Colourless green ideas sleep furiously"
refused 3 "no UTF-8" read "$(printf 'Put \377 there')"
refused 2 "unknown flag" read "Put it there" --frobnicate
refused 2 "unknown camera" read "Put the red bottle on the yellow block" "$scene" --camera no-such-camera
finish
