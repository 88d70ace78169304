# `etna probe ray|list|plane` by hand (METHODS.md 4): what is met, what shows, what a plane's name stands for; names that
# hold from every camera and after a move.
. "$(dirname "$0")/lib.sh"
desk=$scenes/desk.glb office=$scenes/office.glb

# probe OUT ARGS...: must end 0 with one JSON document and nothing else on stdout.
probe() {
    local out=$work/$1.json
    shift
    "$etna" probe "$@" --json >"$out" 2>"$work/err.txt" || fail "probe $*: exit $?: $(cat "$work/err.txt")"
    jq -e -s 'length == 1' "$out" >/dev/null || fail "probe $*: not one JSON document"
}
near='def near($a; $b; $by): ($a - $b) | fabs <= $by; '

# ---- ray ----
probe top ray "$desk" 0.6 0.6
is top '.hit and .object == "Desk" and .normal == [0, 0, 1] and .plane_normal == [0, 0, 1] and (.plane | startswith("Desk_"))'
is top "$near"'near(.location[2]; 0.74; 0.001) and .top.plane == "Desk_up" and .top.flat_share > 0.99 and .top.better == null'
probe miss ray "$office" 0.01 0.4
is miss '.hit == false and .object == null and .location == null and .normal == null and .plane == null'
probe lamp ray "$desk" 0.61 0.25 # a lamp's top is an opening: hardly flat
is lamp '.object == "Lamp" and .top.flat_share < 0.2'
"$etna" probe ray "$office" 0.01 0.4 >"$work/words.txt" || fail "a ray without a hit: exit $?"
grep -q "meets no object" "$work/words.txt" || fail "a ray without a hit is not told"

# ---- list: whole, in part, and down to one pixel ----
probe all list "$desk"
is all '.objects == ["Floor", "Wall", "Desk", "Box", "Mug", "Book", "Phone", "Pen", "Plant", "Lamp"]'
is all '[.seen[].name] == .objects and all(.seen[]; .pixels > 0 and .box[0] < .box[2] and .box[1] < .box[3])'
probe book list "$desk" --area 0.5,0.55,0.5,0.55
is book '.objects == ["Book"]'
jq -r '.seen[] | select(.name == "Mug") | .box | @csv' "$work/all.json" >"$work/mug.csv" # the corner of its box and one pixel more
IFS=, read -r x1 y1 x2 y2 <"$work/mug.csv"
probe touched list "$desk" --area "$x1,$y1,$x2,$y2"
is touched '.objects | index("Mug") and index("Box") and (index("Plant") | not)'
probe left list "$desk" --area "0,0,$x1,1"
is left '.objects | index("Mug") | not'
probe edge list "$desk" --area "0,0,$(jq -n "$x1 + 0.001"),1" # one column of its pixels is enough
is edge '.objects | index("Mug")'

# ---- plane ----
probe plane plane "$desk" Desk_up
is plane "$near"'.plane == "Desk_up" and .normal == [0, 0, 1] and near(.size[0]; 1.5; 0.001) and near(.size[1]; 0.8; 0.001) and near(.area; 1.2; 0.001)'
is plane '.flat_share > 0.99 and .vertices == 4 and (.hull | length) == 4 and .face == null and .better == null'
name=$(json "$work/top.json" .plane)
probe by_name plane "$desk" "$name"
is by_name '.normal == [0, 0, 1] and .area > 1.1 and .flat_share == 1 and .vertices >= 4'
probe by_ray plane "$desk" ray:0.6,0.6
expect "a ray as a plane's name" "$(json "$work/by_ray.json" .plane)" "$name"
probe barely plane "$desk" Plant_up
is barely '.flat_share < 0.2'
probe hidden plane "$desk" Lamp_up
is hidden '.flat_share < 0.2 and (.better == null or (.better | startswith("Lamp_")))'

# ---- names hold: from another camera, and after the thing was moved ----
probe derived ray "$desk" 0.5 0.62 --camera auto
is derived '.camera == "derived"'
probe again plane "$desk" "$name" --camera auto
expect "the plane from another camera" "$(jq -c '[.plane, .area, .vertices, .normal]' "$work/again.json")" "$(jq -c '[.plane, .area, .vertices, .normal]' "$work/by_name.json")"
probe mug ray "$desk" 0.52 0.53
box=$(json "$work/mug.json" .plane)
expect "the book's top" "$(json "$work/mug.json" .object)" Book
echo '[["ObjectName", "Book"], ["CloseToPix", "down", [0.75, 0.6]], ["Contact", "down", "Desk_up"], ["Rotate", 90]]' >"$work/c.json"
"$etna" solve "$desk" --constraints "$work/c.json" -o "$work/moved.glb" >"$work/solve.txt" 2>&1 || fail "moving the book: $(cat "$work/solve.txt")"
probe before plane "$desk" "$box"
probe after plane "$work/moved.glb" "$box"
jq -e -n --slurpfile a "$work/before.json" --slurpfile b "$work/after.json" \
    "$near"'$a[0] as $a | $b[0] as $b | $a.plane == $b.plane and near($a.area; $b.area; 1e-5) and $a.vertices == $b.vertices
     and near($a.normal[2]; $b.normal[2]; 1e-6) and ([$a.origin, $b.origin] | transpose | map((.[0] - .[1]) * (.[0] - .[1])) | add) > 0.01' >/dev/null ||
    fail "the plane did not move along with its object: $(jq -c '[.plane, .area, .normal, .origin]' "$work/before.json" "$work/after.json")"

# ---- cutaway: what stands in the way is met by no ray ----
probe cut list "$office" --camera cutaway
is cut '.camera == "cutaway" and (.objects | index("Desk") and index("Mug") and index("Floor"))'

# ---- what is wrong ----
refused 2 "no kind" probe --json
refused 2 "unknown kind" probe sniff "$desk" --json
refused 2 "no coordinates" probe ray "$desk" --json
refused 2 "outside" probe ray "$desk" 0.5 1.5 --json
refused 2 "negative" probe ray "$desk" -0.5 0.5 --json
refused 2 "no number" probe ray "$desk" x 0.5 --json
refused 2 "NaN" probe ray "$desk" nan 0.5 --json
refused 2 "unknown flag" probe ray "$desk" 0.5 0.5 --frobnicate --json
refused 2 "unknown camera" probe ray "$desk" 0.5 0.5 --camera 7 --json
refused 2 "area of three" probe list "$desk" --area 0,0,1 --json
refused 2 "area turned round" probe list "$desk" --area 0.6,0,0.5,1 --json
refused 2 "area outside" probe list "$desk" --area 2,2,3,3 --json
refused 2 "area for a ray" probe ray "$desk" 0.5 0.5 --area 0,0,1,1 --json
refused 3 "no scene" probe ray "$work/none.glb" 0.5 0.5 --json
refused 3 "unknown object" probe plane "$desk" Violin_up --json
refused 3 "unknown face" probe plane "$desk" Mug_99999 --json
refused 3 "an object" probe plane "$desk" Mug --json
refused 3 "a ray into nothing" probe plane "$office" ray:0.01,0.4 --json
"$etna" probe ray "$desk" 0.5 0.5 --json >/dev/full 2>"$work/err.txt"
expect "results that cannot be written: exit code" $? 4
"$etna" probe --help | grep -q "usage: etna probe" || fail "no help"

# ---- real scenes: a sofa's top is its backrest ----
if [ -e "$data/assets/kaykit_furniture/couch.gltf" ]; then
    probe couch plane "$data/assets/kaykit_furniture/couch.gltf" couch_up
    is couch '.flat_share < 0.2 and (.better | startswith("couch_"))'
    probe seat plane "$data/assets/kaykit_furniture/couch.gltf" "$(json "$work/couch.json" .better)"
    is seat '.normal[2] > 0.98 and .area > 0.2'
else
    echo "SKIPPED: assets/kaykit_furniture is not in \$ETNA_TEST_DATA"
fi
finish
