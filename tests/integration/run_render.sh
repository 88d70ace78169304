# `etna render` by hand (METHODS.md 3): every kind of picture as a whole PNG of the asked size, nothing half-written, and
# a word on which colour is whose.
. "$(dirname "$0")/lib.sh"
desk=$scenes/desk.glb office=$scenes/office.glb

# size FILE: "WIDTHxHEIGHT" of a PNG that is whole (its last chunk is IEND).
size() {
    [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] && [ "$(tail -c 8 "$1" | head -c 4)" = IEND ] || { echo "no PNG"; return; }
    echo "$((16#$(tail -c +17 "$1" | head -c 4 | od -An -tx1 | tr -d ' \n')))x$((16#$(tail -c +21 "$1" | head -c 4 | od -An -tx1 | tr -d ' \n')))"
}
# render NAME SIZE ARGS...: must end 0, leave a PNG of that size and one JSON document that says so.
render() {
    local name=$1 size=$2
    shift 2
    "$etna" render "$@" -o "$work/$name.png" --json >"$work/$name.json" 2>"$work/err.txt" || { fail "render $*: exit $?: $(cat "$work/err.txt")"; return 1; }
    expect "$name: size" "$(size "$work/$name.png")" "$size"
    expect "$name: size as told" "$(json "$work/$name.json" '"\(.width)x\(.height)"')" "$size"
}
differ() { cmp -s "$work/$1.png" "$work/$2.png" && fail "$1 and $2 are the same picture"; return 0; }

render clean 1024x768 "$desk"
is clean '.camera == "Camera" and .margin == 0'
render small 320x240 "$desk" --size 320x240
render wide 640x240 "$desk" --size 640x240
render one 1x1 "$desk" --size 1x1
gridded() { # NAME WIDTH HEIGHT ARGS...: the margin comes on top, on all four sides
    local name=$1 width=$2 height=$3 margin
    shift 3
    "$etna" render "$@" --grid -o "$work/$name.png" --json >"$work/$name.json" 2>"$work/err.txt" || fail "render $*: $(cat "$work/err.txt")"
    margin=$(json "$work/$name.json" .margin)
    [ "$((margin * 1000))" -ge "$((22 * (width < height ? width : height)))" ] || fail "$name: a margin of $margin"
    expect "$name: size" "$(size "$work/$name.png")" "$((width + 2 * margin))x$((height + 2 * margin))"
}
gridded grid 1024 768 "$desk"
render marked 320x240 "$desk" --size 320x240 --highlight Mug,Book=blue,Pen=#ff8000
is marked '.highlight == {"Mug": "red", "Book": "blue", "Pen": "#ff8000"}'
# names with commas and equals signs: the longest that fits, or each by its own flag
sed 's/"Mug"/"M,g"/g; s/"Pen"/"M=n"/g; s/"Box"/"g,M"/g; s/"Lamp"/"M,gg"/g' "$desk" >"$work/commas.glb"
render commas 320x240 "$work/commas.glb" --size 320x240 --highlight "M,g" --highlight "M=n=blue,g,M" --highlight "M,gg=#010203"
is commas '.highlight == {"M,g": "red", "M=n": "blue", "g,M": "yellow", "M,gg": "#010203"}'
# what gets no colour of its own gets none that another has
render free 320x240 "$desk" --size 320x240 --highlight Mug,Book=red,Pen=yellow,Lamp,Plant
is free '.highlight == {"Mug": "blue", "Book": "red", "Pen": "yellow", "Lamp": "purple", "Plant": "cyan"}'
# the legend stands beneath the picture, which it leaves alone
"$etna" render "$desk" -o "$work/legend.png" --size 320x240 --highlight Mug,Book=blue --legend --json >"$work/legend.json" || fail "no legend"
is legend '.width == 320 and .height > 250 and .height < 340'
expect "the legend's picture" "$(size "$work/legend.png")" "$(json "$work/legend.json" '"\(.width)x\(.height)"')"
"$etna" help | awk 'length > 100 && !/^Each|XDG/ { print; bad = 1 } END { exit bad }' || fail "a command's line in \`etna help\` is too long"
render map 320x240 "$desk" --size 320x240 --instances
is map '(.instances | length) == 10 and ([.instances[].colour] | unique | length) == 10 and all(.instances[]; .pixels > 0)'
expect "the map's pixels" "$(json "$work/map.json" '[.instances[].pixels] | add')" "$(json "$work/map.json" '[.instances[].pixels] | add | if . <= 320 * 240 then . else "too many" end')"
gridded both 320 240 "$desk" --size 320x240 --highlight Mug
render derived 320x240 "$desk" --size 320x240 --camera auto
is derived '.camera == "derived"'
render cut 320x240 "$desk" --size 320x240 --camera cutaway
is cut '.camera == "cutaway"'
for other in marked map derived; do differ small "$other"; done

# --size keeps the vertical field of view: what is as high in the picture is as high in the wide one.
high() { "$etna" render "$desk" -o "$work/high.png" --size "$1" --instances --json 2>/dev/null | jq -r '.instances[] | select(.name == "Lamp") | .pixels'; }
a=$(high 400x300) b=$(high 800x300) c=$(high 800x600)
[ "$((a * 100))" -gt "$((b * 97))" ] && [ "$((a * 100))" -lt "$((b * 103))" ] || fail "twice as wide: the lamp has $b pixels instead of $a"
[ "$((c * 100))" -gt "$((a * 380))" ] && [ "$((c * 100))" -lt "$((a * 420))" ] || fail "twice as large: the lamp has $c pixels instead of 4 x $a"

# ---- an edit: the one object that was moved is found, a faint one gets a crop ----
echo '[["ObjectName", "Mug"], ["CloseToPix", "down", [0.32, 0.45]], ["Contact", "down", "Desk_up"], ["NoOverhang", "down", "Desk_up", "full_only"]]' >"$work/c.json"
"$etna" solve "$office" --constraints "$work/c.json" -o "$work/moved.glb" >/dev/null 2>&1 || fail "moving the mug"
"$etna" render "$work/moved.glb" --edit-from "$office" -o "$work/edit.png" --json >"$work/edit.json" 2>"$work/err.txt" || fail "the edit: $(cat "$work/err.txt")"
is edit '.edited == "Mug" and .cropped and .height > 768'
expect "the edit: size" "$(size "$work/edit.png")" "$(json "$work/edit.json" '"\(.width)x\(.height)"')"
# with coordinates: they are the scene's picture's, not those of the crop beneath it, and its margin is the same
"$etna" render "$work/moved.glb" --edit-from "$office" --grid -o "$work/edit.png" --json >"$work/gridded.json" 2>"$work/err.txt" || fail "the edit with a grid: $(cat "$work/err.txt")"
"$etna" render "$office" --grid -o "$work/plain.png" --json >"$work/plain.json" 2>"$work/err.txt" || fail "the office with a grid"
expect "the edit's margin" "$(json "$work/gridded.json" .margin)" "$(json "$work/plain.json" .margin)"

# ---- whole or not at all ----
undrawn() { # CODE WHAT ARGS...: refused, and no file is written
    local code=$1 what=$2
    shift 2
    refused "$code" "$what" render "$@"
    [ ! -e "$work/no.png" ] || { fail "$what: a file was written"; rm -f "$work/no.png"; }
}
undrawn 2 "nowhere to write" "$desk"
undrawn 2 "no scene" -o "$work/no.png"
undrawn 2 "size 0" "$desk" -o "$work/no.png" --size 0x100
undrawn 2 "size 10^5" "$desk" -o "$work/no.png" --size 100000x100
undrawn 2 "size of one number" "$desk" -o "$work/no.png" --size 100
undrawn 2 "unknown flag" "$desk" -o "$work/no.png" --frobnicate
undrawn 2 "unknown camera" "$desk" -o "$work/no.png" --camera nowhere
undrawn 2 "unknown colour" "$desk" -o "$work/no.png" --highlight Mug=mauve
undrawn 2 "eleven objects" "$desk" -o "$work/no.png" --highlight Mug,Mug,Mug,Mug,Mug,Mug,Mug,Mug,Mug,Mug,Mug
undrawn 2 "eleven flags" "$desk" -o "$work/no.png" $(printf -- '--highlight Mug %.0s' 1 2 3 4 5 6 7 8 9 10 11)
undrawn 2 "two pictures in one" "$desk" -o "$work/no.png" --instances --highlight Mug
undrawn 2 "a legend of nothing" "$desk" -o "$work/no.png" --legend
undrawn 2 "nothing moved" "$desk" -o "$work/no.png" --edit-from "$desk"
undrawn 3 "unknown object" "$desk" -o "$work/no.png" --highlight Mug,Violin
undrawn 3 "unknown object of an edit" "$work/moved.glb" -o "$work/no.png" --edit-from "$office" --object Violin
undrawn 3 "missing scene" "$work/none.glb" -o "$work/no.png"
undrawn 3 "an edit of another scene" "$desk" -o "$work/no.png" --edit-from "$office"
undrawn 2 "onto the scene" "$desk" -o "$desk"
undrawn 2 "onto a folder" "$desk" -o "$work"
undrawn 4 "into no folder" "$desk" -o "$work/none/no.png"
undrawn 4 "full disk" "$desk" -o /dev/full
cp "$work/small.png" "$work/kept.png" # a picture that was there stays when the new one cannot be made
"$etna" render "$desk" -o "$work/kept.png" --highlight Violin >/dev/null 2>&1
cmp -s "$work/small.png" "$work/kept.png" || fail "a failed render changed the file that was there"
"$etna" render "$desk" -o "$work/kept.png" --size 64x48 >/dev/null 2>&1
expect "replaced" "$(size "$work/kept.png")" 64x48
[ -z "$(find "$work" -name '.*.part')" ] || fail "half a file is left"
"$etna" render --help | grep -q "usage: etna render" || fail "no help"

# ---- scenes of others ----
for scene in scenes/aws_small_house/small_house.glb scenes/tea_set/tea_set_posed.gltf scenes/cornell_box/cornellBox.glb \
    scenes/habitat_simple_room/simple_room.glb scenes/playcanvas_small/glass-table.glb scenes/terrain_trees/terrain.glb \
    scenes/chess_board_draco/chess-board-decoded.glb assets/kaykit_furniture/couch_pillows.gltf; do
    [ -e "$data/$scene" ] || { echo "SKIPPED: $scene is not in \$ETNA_TEST_DATA"; continue; }
    name=$(basename "$scene")
    render "$name" 160x120 "$data/$scene" --size 160x120
    render "$name-cut" 160x120 "$data/$scene" --size 160x120 --camera cutaway
    render "$name-map" 160x120 "$data/$scene" --size 160x120 --instances
    is "$name-map" '(.instances | length) > 0'
done
finish
