# `etna check` by hand (METHODS.md 6): what collides and floats in a file, what is new against another, both pairs of
# rules, and the document as scripts read it.
. "$(dirname "$0")/lib.sh"
bottles=$scenes/bottles.glb desk=$scenes/desk.glb office=$scenes/office.glb

# chunk FILE JSON|BIN: of a GLB. glb JSON BIN OUT puts one together again.
chunk() {
    local length
    length=$(od -An -tu4 -j12 -N4 "$1" | tr -d ' ')
    if [ "$2" = JSON ]; then tail -c +21 "$1" | head -c "$length"; else tail -c +$((21 + length)) "$1"; fi
}
le32() { printf "\\$(printf %o $(($1 & 255)))\\$(printf %o $(($1 >> 8 & 255)))\\$(printf %o $(($1 >> 16 & 255)))\\$(printf %o $(($1 >> 24 & 255)))"; }
glb() {
    local json bin
    while [ $(($(stat -c %s "$1") % 4)) != 0 ]; do printf ' ' >>"$1"; done
    json=$(stat -c %s "$1") bin=$(stat -c %s "$2")
    { printf glTF; le32 2; le32 $((20 + json + bin)); le32 "$json"; printf JSON; cat "$1" "$2"; } >"$3"
}
# moved SCENE OUT FILTER: the scene with its JSON changed by a jq filter, in which shift("name"; x; y; z) moves a node
# (Y up).
moved() {
    chunk "$1" JSON | jq -c 'def shift($n; $x; $y; $z): (.nodes[] | select(.name == $n) | .translation) |= [.[0] + $x, .[1] + $y, .[2] + $z];
        '"$3" | tr -d '\n' >"$work/json.chunk"
    chunk "$1" BIN >"$work/bin.chunk"
    glb "$work/json.chunk" "$work/bin.chunk" "$2"
}
# check CODE OUT ARGS...
check() {
    local code=$1 out=$work/$2.json
    shift 2
    "$etna" check "$@" --json >"$out" 2>"$work/err.txt"
    expect "check $*: exit code" $? "$code"
    jq -e -s 'length == 1' "$out" >/dev/null || fail "check $*: not one JSON document: $(cat "$work/err.txt")"
}

check 0 clean "$bottles"
is clean '.collisions == [] and .floating == [] and .objects == 8 and (has("new_collisions") | not)'
check 0 same "$bottles" --against "$bottles"
is same '.new_collisions == [] and .new_floating == [] and .moved == []'

# ---- a bottle in the air ----
moved "$bottles" "$work/air.glb" 'shift("Red Bottle"; 0; 0.3; 0)'
check 1 air "$work/air.glb"
is air '.floating == ["Red Bottle"] and .collisions == []'
check 1 air_new "$work/air.glb" --against "$bottles"
is air_new '.new_floating == ["Red Bottle"] and .new_collisions == [] and .moved == ["Red Bottle"]'
check 0 air_same "$work/air.glb" --against "$work/air.glb" # what hovered at the start may stay as it is
is air_same '.floating == ["Red Bottle"] and .new_floating == []'
check 1 air_paper "$work/air.glb" --floating paper
is air_paper '.floating | index("Red Bottle")'
"$etna" check "$work/air.glb" --against "$bottles" >"$work/words.txt"
expect "in words: exit code" $? 1
grep -qx "floating: Red Bottle, 0.300 m above what is below" "$work/words.txt" || fail "in words: $(cat "$work/words.txt")"

# ---- out of bounds: a chair half over the floor's edge ----
moved "$office" "$work/out.glb" 'shift("Chair"; 0; 0; 1.7)'
check 1 out "$work/out.glb"
is out '.out_of_bounds == ["Chair"]'
check 1 out_new "$work/out.glb" --against "$office"
is out_new '.new_out_of_bounds == ["Chair"]'
check 0 out_then "$work/out.glb" --against "$work/out.glb" # it may stay where it was
is out_then '.out_of_bounds == ["Chair"] and .new_out_of_bounds == []'
"$etna" check "$work/out.glb" >"$work/words.txt"
grep -qx "out of bounds: Chair" "$work/words.txt" || fail "in words: $(cat "$work/words.txt")"

# ---- a bottle in the block: 3 mm deep is a collision by our rule, and none by the paper's centimetre ----
moved "$bottles" "$work/deep.glb" '(.nodes[] | select(.name == "Red Bottle") | .translation) = (.nodes[] | select(.name == "Yellow Block") | .translation) '
check 1 deep "$work/deep.glb" --against "$bottles"
is deep '.new_collisions | any(.[]; ([.a, .b] | sort) == ["Red Bottle", "Yellow Block"] and .depth_m >= 0.0499)'
# ---- what lies wholly within a solid: of the file alone it is a hollow, against the original it was swallowed ----
inside='.new_collisions | map(select(has("inside"))) | map([.a, .b, .inside]) | tojson'
moved "$desk" "$work/swallowed.glb" 'shift("Pen"; -0.2; 0.055; -0.36)'
check 1 swallowed_alone "$work/swallowed.glb"
is swallowed_alone '.collisions == []'
check 1 swallowed "$work/swallowed.glb" --against "$desk"
expect "the pen in the box" "$(json "$work/swallowed.json" "$inside")" '[["Box","Pen","Box"]]'
"$etna" check "$work/swallowed.glb" --against "$desk" >"$work/words.txt"
grep -qx "collision: Box and Pen, one wholly inside the other" "$work/words.txt" || fail "in words: $(cat "$work/words.txt")"
# The solid may be what came, too, with all that lies on it.
moved "$desk" "$work/over.glb" 'shift("Box"; 0.2; -0.02; 0.36)'
check 1 over "$work/over.glb" --against "$desk"
expect "the box over the pen" "$(json "$work/over.json" "$inside")" '[["Box","Pen","Box"]]'
# What held something at the start is a hollow, and may hold more.
moved "$work/swallowed.glb" "$work/more.glb" 'shift("Phone"; -0.7; 0.086; -0.34)'
check 1 more "$work/more.glb" --against "$work/swallowed.glb"
expect "the phone in a box that held the pen" "$(json "$work/more.json" "$inside")" '[]'
check 1 more_new "$work/more.glb" --against "$desk"
expect "both in a box that was empty" "$(json "$work/more_new.json" "$inside")" '[["Box","Phone","Box"],["Box","Pen","Box"]]'

moved "$desk" "$work/shallow.glb" 'shift("Phone"; 0; -0.003; 0)' # a thin thing: a quarter of it counts
check 1 shallow "$work/shallow.glb" --against "$desk"
is shallow '.new_collisions | length == 1 and ([.[0].a, .[0].b] | sort) == ["Desk", "Phone"] and .[0].depth_m > 0.0026 and .[0].depth_m < 0.0032'
check 0 shallow_paper "$work/shallow.glb" --against "$desk" --collision paper
is shallow_paper '.new_collisions == []'
check 0 shallow_same "$work/shallow.glb" --against "$work/shallow.glb" # and what collided before, unmoved, is not new
is shallow_same '(.collisions | length) == 1 and .new_collisions == []'

# ---- the table is taken away from under what stands on it ----
moved "$office" "$work/gone.glb" 'shift("Table"; 0; 0; 1.2)'
check 1 gone "$work/gone.glb" --against "$office"
is gone '(.new_floating | sort) == ["Blue Book", "Mug"] and .moved == ["Table"]'

# ---- what hangs: flat on the wall it holds, a hand before it it does not ----
moved "$office" "$work/hung.glb" 'shift("Picture Frame"; -0.5; 0.1; 0)'
check 0 hung "$work/hung.glb" --against "$office"
moved "$office" "$work/off.glb" 'shift("Picture Frame"; 0; 0; 0.08)'
check 1 off "$work/off.glb" --against "$office"
is off '.new_floating == ["Picture Frame"]'

# ---- where no hand could put it: on the roof, in a closed wardrobe; and in a solid that was empty ----
closed=$scenes/closed.glb shelf=$scenes/shelf.glb
moved "$closed" "$work/roof.glb" 'shift("Mug"; 0; 1.809; 0)'
check 1 roof "$work/roof.glb" --against "$closed"
is roof '.new_unreachable == ["Mug"] and .new_floating == [] and .new_collisions == []'
check 0 roof_off "$work/roof.glb" --against "$closed" --reach off
moved "$closed" "$work/wardrobe.glb" 'shift("Mug"; -0.267; 0.3; -1.829)'
check 1 wardrobe "$work/wardrobe.glb" --against "$closed"
is wardrobe '.new_unreachable == ["Mug"]'
moved "$shelf" "$work/inside.glb" 'shift("Green Tin"; -0.68; 0.006; -0.04)'
check 1 inside "$work/inside.glb" --against "$shelf"
is inside '.new_collisions == [{a: "Blue Box", b: "Green Tin", depth_m: 0.05, deeper: true, inside: "Blue Box"}]'

# ---- what is wrong ----
refused 2 "no scene named" check --json
refused 2 "unknown flag" check "$office" --frobnicate --json
refused 2 "unknown rule" check "$office" --collision pencil --json
refused 3 "no such scene" check "$work/none.glb" --json
refused 3 "no such original" check "$office" --against "$work/none.glb" --json
refused 3 "another scene" check "$office" --against "$bottles" --json
"$etna" check "$office" --json >/dev/full 2>"$work/err.txt"
expect "results that cannot be written: exit code" $? 4
"$etna" check --help | grep -q "usage: etna check" || fail "no help"

# ---- a real house: what its makers left is listed, and nothing of it is new ----
house=$data/scenes/aws_small_house/small_house.glb
if [ -e "$house" ]; then
    check 0 house "$house" --against "$house"
    is house ".objects == 85 and (.collisions | length) > 0 and .new_collisions == [] and .new_floating == []"
else
    echo "SKIPPED: scenes/aws_small_house is not in \$ETNA_TEST_DATA"
fi
finish
