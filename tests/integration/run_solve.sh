# `etna solve` by hand: what a person would put where, each checked against the scene it came from; and what cannot be,
# with a reason that names the constraint or the objects in the way.
. "$(dirname "$0")/lib.sh"
office=$scenes/office.glb

# solved WHAT SCENE CONSTRAINTS [FLAG...]: finds a place, writes it, and the check finds nothing new. Leaves
# $work/WHAT.json, .glb.
solved() {
    local what=$1 scene=$2 out=$work/$1
    printf '%s' "$3" >"$out.constraints"
    shift 3
    "$etna" solve "$scene" --constraints "$out.constraints" -o "$out.glb" --json "$@" >"$out.json" 2>"$out.err" || {
        fail "$what: exit $?: $(json "$out.json" .reason 2>/dev/null) $(cat "$out.err")"
        return 1
    }
    expect "$what: status" "$(json "$out.json" .status)" solved
    "$etna" check "$out.glb" --against "$scene" --json >"$out.check" 2>&1 || fail "$what: the check finds something new: $(cat "$out.check")"
    expect "$what: moved" "$(json "$out.check" '.moved|join(",")')" "$(json "$out.json" .object)"
    "$etna" scene info "$out.glb" --json >"$out.info" 2>/dev/null
}
# is WHAT EXPRESSION: a jq condition on $r (what solve said), $o (the object as info shows it in the result) and all
# objects.
is() {
    jq -e -n --slurpfile r "$work/$1.json" --slurpfile i "$work/$1.info" \
        '$r[0] as $r | $i[0].objects as $all | ($all[] | select(.name == $r.object)) as $o
         | def named($n): $all[] | select(.name == $n); def near($a; $b; $by): ($a - $b) | fabs <= $by;
           def apart($a; $b): [$a, $b] | transpose | map((.[0] - .[1]) * (.[0] - .[1])) | add | sqrt; '"$2" >/dev/null ||
        fail "$1: not so: $2: $(jq -c 'del(.reason)' "$work/$1.json")"
}
# unsolved WHAT SCENE CONSTRAINTS WORDS...: exit 1, no file, and a reason that holds each of the words.
unsolved() {
    local what=$1 out=$work/$1 word
    printf '%s' "$3" >"$out.constraints"
    "$etna" solve "$2" --constraints "$out.constraints" -o "$out.glb" --json >"$out.json" 2>"$out.err"
    expect "$what: exit code" $? 1
    expect "$what: status" "$(json "$out.json" .status)" failed
    [ ! -e "$out.glb" ] || fail "$what: a file was written"
    shift 3
    for word in "$@"; do
        json "$out.json" .reason | grep -qF -- "$word" || fail "$what: '$word' is not in: $(json "$out.json" .reason)"
    done
    echo "$what: $(json "$out.json" .reason)"
}
# unread CODE WHAT ARGS...: refused, and no file is written.
unread() {
    local code=$1 what=$2
    shift 2
    refused "$code" "$what" solve "$@" -o "$work/refused.glb"
    [ ! -e "$work/refused.glb" ] || fail "$what: a file was written"
}

# ---- what can be ----
solved mug "$office" '[["ObjectName", "Mug"], ["CloseToPix", "down", [0.32, 0.45]], ["Contact", "down", "ray:0.32,0.45"],
    ["NoOverhang", "down", "ray:0.32,0.45", "full_only"]]' && {
    is mug '$r.plane | startswith("Desk_")'
    is mug 'near($o.min[2]; named("Desk").max[2]; 0.0005)' # it stands on the top
    is mug 'near($o.position[0]; $r.position[0]; 1e-6) and near($o.position[2]; $r.position[2]; 1e-6) and near($o.yaw_deg; $r.yaw_deg; 1e-4)'
    is mug '$r.candidates == 64 and $r.survivors >= 1 and $r.collision_checks >= 1 and $r.loss < 0.1'
}
solved picture "$office" '[["ObjectName", "Picture Frame"], ["CloseToPix", "center", [0.45, 0.2]], ["Contact", "side", "ray:0.45,0.2"],
    ["FaceTo", "ray:0.45,0.2"]]' && {
    is picture 'near($o.max[1]; named("Wall").min[1]; 0.0005)'      # its back is at the wall
    is picture 'near($o.max[1] - $o.min[1]; 0.026; 0.003)'          # and flat on it
    is picture 'near($o.yaw_deg; 0; 0.1) and near($o.max[2] - $o.min[2]; 0.48; 0.01)'
}
solved picture_alone "$office" '[["ObjectName", "Picture Frame"], ["CloseToPix", "center", [0.45, 0.2]], ["Contact", "side", "ray:0.45,0.2"]]' &&
    is picture_alone 'near($o.max[1]; named("Wall").min[1]; 0.0005) and near($o.max[1] - $o.min[1]; 0.026; 0.003)'
# 30 cm between the surfaces: half of the table's width and of the chair's depth are added, and the height between the
# centres.
solved chair "$office" '[["ObjectName", "Chair"], ["CloseToPix", "down", [0.5, 0.75]], ["Contact", "down", "Floor_up"],
    ["NoOverhang", "down", "Floor_up", "full_only"], ["Distance", "Table", 1.067], ["FaceTo", "Table"]]' && {
    is chair 'near(apart($o.position; named("Table").position); 1.067; 0.054)'
    is chair '(named("Table").position as $t | ($t[0] - $o.position[0]) as $x | ($t[1] - $o.position[1]) as $y
        | ($o.yaw_deg * 3.14159265358979 / 180) as $a | (($x * ($a | sin) - $y * ($a | cos)) / ($x * $x + $y * $y | sqrt)) > 0.985)'
    is chair '[named("Table").min[0] - $o.max[0], $o.min[0] - named("Table").max[0], named("Table").min[1] - $o.max[1], $o.min[1] - named("Table").max[1]]
        | max | near(.; 0.3; 0.1)'
}
solved book "$office" '[["ObjectName", "Red Book"], ["CloseToPix", "down", [0.81, 0.54]], ["Contact", "down", "Blue Book_up"],
    ["NoOverhang", "down", "Blue Book_up", "center"]]' && {
    is book 'near($o.min[2]; named("Blue Book").max[2]; 0.0005) and $r.centered == false'
    is book '$o.position[0] as $x | $o.position[1] as $y | named("Blue Book") | .min[0] < $x and $x < .max[0] and .min[1] < $y and $y < .max[1]'
}
solved large_book "$office" '[["ObjectName", "Blue Book"], ["CloseToPix", "down", [0.225, 0.44]], ["Contact", "down", "Red Book_up"],
    ["NoOverhang", "down", "Red Book_up", "center"]]' && {
    is large_book '$r.centered and near($o.min[2]; named("Red Book").max[2]; 0.0005)'
    is large_book 'named("Red Book").position as $b | near($o.position[0]; $b[0]; 0.02) and near($o.position[1]; $b[1]; 0.02)'
}
solved turned "$office" '[["ObjectName", "Lamp"], ["CloseToPix", "down", [0.4, 0.43]], ["Contact", "down", "Desk_up"], ["Rotate", 90]]' &&
    is turned 'near($r.yaw_deg; 90; 1e-4)'

# One seed, one pose; from stdin too; and the settings that drop our additions are taken.
"$etna" solve "$office" --constraints - --json <"$work/mug.constraints" 2>/dev/null >"$work/again.json"
expect "the same seed" "$(jq -c '[.position, .yaw_deg, .loss]' "$work/again.json")" "$(jq -c '[.position, .yaw_deg, .loss]' "$work/mug.json")"
"$etna" solve "$office" --constraints "$work/mug.constraints" --json --seed 7 2>/dev/null >"$work/seven.json"
[ "$(jq -c .position "$work/seven.json")" != "$(jq -c .position "$work/mug.json")" ] || fail "another seed gives the same pose"
"$etna" solve "$office" --constraints "$work/mug.constraints" --json --paper-solver --collision paper --floating paper 2>/dev/null >"$work/paper.json"
expect "the paper's solver" "$(json "$work/paper.json" .status)" solved
cmp -s "$office" "$ETNA_SCENES/office.glb" || fail "the scene was changed"

# ---- what cannot ----
unsolved too_wide "$office" '[["ObjectName", "Desk"], ["CloseToPix", "down", [0.8, 0.6]], ["Contact", "down", "Table_up"],
    ["NoOverhang", "down", "Table_up", "full_only"]]' NoOverhang '"Desk"' '"Table_up"' 'of width are missing' 'larger plane'
unsolved occupied "$scenes/desk.glb" '[["ObjectName", "Book"], ["CloseToPix", "down", [0.3, 0.42]], ["Contact", "down", "Box_up"],
    ["NoOverhang", "down", "Box_up", "full_only"]]' '"Book"' collide '"Mug"' 'move what is in the way first'
unsolved contradictory "$office" '[["ObjectName", "Mug"], ["CloseToPix", "down", [0.3, 0.45]], ["Contact", "down", "Desk_up"],
    ["Distance", "Table", 0.2]]' '"Mug"' '"Table"'
unsolved both_ways "$office" '[["ObjectName", "Chair"], ["CloseToPix", "down", [0.5, 0.8]], ["Contact", "down", "Floor_up"],
    ["FaceTo", "Table"], ["BackTo", "Table"]]' '"Chair"' '"Table"' 'drop one'

# ---- what is wrong with what was asked ----
c() { printf '%s' "$1" >"$work/c.json"; }
base='["ObjectName", "Mug"], ["CloseToPix", "down", [0.3, 0.45]]'
c "[$base, [\"Contact\", \"down\", \"Desk_up\"]]"; cp "$work/c.json" "$work/good.json"
unread 2 "no constraints" "$office"
unread 2 "unknown flag" "$office" --constraints "$work/good.json" --frobnicate
unread 2 "unknown camera" "$office" --constraints "$work/good.json" --camera nowhere
unread 2 "no seed" "$office" --constraints "$work/good.json" --seed x
unread 3 "no file" "$office" --constraints "$work/none.json"
unread 3 "no scene" "$work/none.glb" --constraints "$work/good.json"
c 'not json'; unread 3 "not JSON" "$office" --constraints "$work/c.json"
c '[]'; unread 3 "empty" "$office" --constraints "$work/c.json"
c '[["ObjectName", "Violin"], ["CloseToPix", "down", [0.3, 0.45]]]'; unread 3 "unknown object" "$office" --constraints "$work/c.json"
c '[["ObjectName", "Wall"], ["CloseToPix", "down", [0.3, 0.45]]]'; unread 3 "static object" "$office" --constraints "$work/c.json"
c "[$base, [\"Contact\", \"down\", \"Desk_9999\"]]"; unread 3 "unknown plane" "$office" --constraints "$work/c.json"
c "[$base, [\"Contact\", \"down\", \"Desk\"]]"; unread 3 "an object as a plane" "$office" --constraints "$work/c.json"
c "[$base, [\"Contact\", \"down\", \"ray:0.01,0.3\"]]"; unread 3 "a ray into nothing" "$office" --constraints "$work/c.json"
c '[["ObjectName", "Mug"], ["CloseToPix", "down", [3, 0.45]]]'; unread 3 "coordinate outside" "$office" --constraints "$work/c.json"
c "[$base, [\"Distance\", \"Table\", -1]]"; unread 3 "negative distance" "$office" --constraints "$work/c.json"
c "[$base, [\"Levitate\", \"Table\"]]"; unread 3 "unknown constraint" "$office" --constraints "$work/c.json"
head -c 2000000 /dev/zero >"$work/c.json"; unread 3 "2 MB of constraints" "$office" --constraints "$work/c.json"
"$etna" solve "$office" --constraints "$work/good.json" -o "$office" >/dev/null 2>&1; expect "onto the scene itself: exit code" $? 2
"$etna" solve "$office" --constraints "$work/good.json" -o "$work" >/dev/null 2>&1; expect "onto a folder: exit code" $? 2
"$etna" solve "$office" --constraints "$work/good.json" -o "$work/none/x.glb" >/dev/null 2>&1; expect "into no folder: exit code" $? 4
"$etna" solve "$office" --constraints "$work/good.json" -o /dev/full >/dev/null 2>&1; expect "full disk: exit code" $? 4
[ -z "$(find "$work" -name '.*.part')" ] || fail "half a file is left"
rm -rf "$work/none"

# ---- real things, put together by hand ----
# compose OUT NAME FILE X Y Z DEGREES ...: a room of single-mesh .gltf files of one folder (Y up), with a floor of 6 x 6
# m and a wall behind it at z = -1.
compose() {
    local out=$1 first
    shift
    first='{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "buffers": [{"byteLength": 60, "uri": "data:application/octet-stream;base64,AAAAvwAAAAAAAAC/AAAAPwAAAAAAAAC/AAAAPwAAAAAAAAA/AAAAvwAAAAAAAAA/AAACAAEAAAADAAIA"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [-0.5, 0, -0.5], "max": [0.5, 0, 0.5]},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
        "materials": [{"name": "plain", "pbrMetallicRoughness": {"baseColorFactor": [0.4, 0.38, 0.35, 1]}}], "textures": [], "images": [], "samplers": [],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "nodes": [{"name": "Floor", "mesh": 0, "scale": [6, 1, 6]},
            {"name": "Wall", "mesh": 0, "scale": [6, 1, 3], "translation": [0, 1.5, -1], "rotation": [0.7071067811865476, 0, 0, 0.7071067811865476]}]}'
    printf '%s' "$first" >"$work/sum.json"
    while [ $# -ge 6 ]; do
        cp "$(dirname "$2")/$(basename "$2" .gltf).bin" "$(dirname "$2")"/*.png "$work/" 2>/dev/null
        jq -c --slurpfile more "$2" --arg name "$1" --argjson at "[$3, $4, $5]" --argjson turn "$6" '$more[0] as $m | . as $s
            | ($s.buffers | length) as $b | ($s.bufferViews | length) as $v | ($s.accessors | length) as $a | ($s.materials | length) as $k
            | ($s.textures | length) as $t | ($s.images | length) as $i | ($s.samplers | length) as $p | ($s.meshes | length) as $g
            | .scenes[0].nodes += [$s.nodes | length] | .buffers += $m.buffers
            | .bufferViews += [$m.bufferViews[] | .buffer += $b] | .accessors += [$m.accessors[] | .bufferView += $v]
            | .images += $m.images | .samplers += $m.samplers | .textures += [$m.textures[] | .source += $i | .sampler += $p]
            | .materials += [$m.materials[] | .pbrMetallicRoughness.baseColorTexture.index += $t]
            | .meshes += [$m.meshes[] | .primitives[] |= (.attributes |= map_values(. + $a) | .indices += $a | .material += $k)]
            | .nodes += [{"name": $name, "mesh": ($m.nodes[0].mesh + $g), "translation": $at,
                "rotation": [0, ($turn * 3.141592653589793 / 360 | sin), 0, ($turn * 3.141592653589793 / 360 | cos)]}]' "$work/sum.json" >"$work/next.json" ||
            fail "composing $2"
        mv "$work/next.json" "$work/sum.json"
        shift 6
    done
    mv "$work/sum.json" "$out"
}
kit=$data/assets/kaykit_furniture room=$work/room.gltf
if [ -e "$kit/table_medium.gltf" ]; then
    compose "$room" Table "$kit/table_medium.gltf" 0 0 0.4 0 Chair "$kit/chair_A.gltf" -2.2 0 0.9 30 \
        "Book A" "$kit/book_single.gltf" -1.6 0.25 0 0 "Book B" "$kit/book_single.gltf" 1.5 0.25 1 20 Picture "$kit/pictureframe_large_A.gltf" 1.7 0.6 -0.4 0
    solved kit_chair "$room" '[["ObjectName", "Chair"], ["CloseToPix", "down", [0.3, 0.6]], ["Contact", "down", "Floor_up"],
        ["NoOverhang", "down", "Floor_up", "full_only"], ["Distance", "Table", 1.7275], ["FaceTo", "Table"]]' &&
        is kit_chair 'near(named("Table").min[0] - $o.max[0]; 0.3; 0.1)'
    # The frame stood on the floor: what was never attached may hang too, where a Contact side put it.
    solved kit_picture "$room" '[["ObjectName", "Picture"], ["CloseToPix", "center", [0.45, 0.2]], ["Contact", "side", "ray:0.45,0.2"]]' &&
        is kit_picture 'near($o.max[1]; named("Wall").min[1]; 0.0005) and near($o.max[1] - $o.min[1]; 0.2; 0.001) and $o.min[2] > 0.5'
    solved kit_book "$room" '[["ObjectName", "Book A"], ["CloseToPix", "down", [0.65, 0.45]], ["Contact", "down", "Table_up"],
        ["NoOverhang", "down", "Table_up", "full_only"]]' && is kit_book 'near($o.min[2]; named("Table").max[2]; 0.0005)'
    solved kit_second "$work/kit_book.glb" '[["ObjectName", "Book B"], ["CloseToPix", "down", [0.65, 0.35]], ["Contact", "down", "Book A_up"],
        ["NoOverhang", "down", "Book A_up", "center"]]' && is kit_second '$r.centered and near($o.min[2]; named("Book A").max[2]; 0.0005)'
else
    echo "SKIPPED: assets/kaykit_furniture is not in \$ETNA_TEST_DATA: nothing was put in a room of real furniture"
fi

# ---- real things: a house that others made ----
house=$data/scenes/aws_small_house/small_house.glb
if [ ! -e "$house" ]; then
    echo "SKIPPED: scenes/aws_small_house is not in \$ETNA_TEST_DATA: nothing was put in a real house"
    finish
    exit 0
fi
solved house_plates "$house" '[["ObjectName", "Tableware_01_001"], ["CloseToPix", "down", [0.7, 0.565]], ["Contact", "down", "KitchenTable_01_001_up"],
    ["NoOverhang", "down", "KitchenTable_01_001_up", "full_only"]]' && is house_plates '$r.position[0] < 7.6'
solved house_picture "$house" '[["ObjectName", "PortraitD_02"], ["CloseToPix", "center", [0.3, 0.5]], ["Contact", "side", "ray:0.3,0.5"]]' &&
    is house_picture 'near($o.max[0]; 9.3; 0.003) and near($o.max[0] - $o.min[0]; 0.044; 0.005)'
# The chair's maker thought of another front than the file's axis; a person says so in the side file.
cp "$house" "$work/home.glb"
echo '{"fronts": {"ChairA_01_004": "+X"}}' >"$work/home.etna.json"
solved house_chair "$work/home.glb" '[["ObjectName", "ChairA_01_004"], ["CloseToPix", "down", [0.38, 0.74]], ["Contact", "down", "FloorB_01_001_up"],
    ["NoOverhang", "down", "FloorB_01_001_up", "full_only"], ["Distance", "KitchenTable_01_001", 1.435], ["FaceTo", "KitchenTable_01_001"]]' && {
    is house_chair '$r.front == "side file" and near(apart($o.position; named("KitchenTable_01_001").position); 1.435; 0.072)'
}
finish
