# Every scene and model in $ETNA_TEST_DATA, and the furniture of Debian's package sweethome3d-furniture (a fixed sample
# of 39 of its 820 models, all with ETNA_FULL=1), is imported, checked and rendered: no crash, something to see, and no
# refusal or warning but the ones explained here.
. "$(dirname "$0")/lib.sh"
sweep=$ETNA_BIN/scene-sweep
furniture=/usr/share/sweethome3d/furniture

# What may be said, and why.
cat >"$work/explained" <<'TEXT'
^warning .*: Only 0 objects can be moved\.
^warning .*: Only 1 object can be moved\.
^warning .*(FloorB|HouseWallB|RoomCeiling|Wall|chess-board|geometry-camera-light|TeapotsGalore).*: The median object is [0-9.]+ m long
^warning .*/habitat_simple_room/simple_room\.glb: [0-9]+ of [0-9]+ objects rest against one plane across Y
^warning .*/ycb_objects/.*: 1 texture image cannot be read
^warning .*\.sh3f#[0-9]+: The median object is [0-9.]+ (m|mm) long
^warning .*\.sh3f#[0-9]+: Picture ".*" (is not there|lies outside the archive); the material's colour stands in\.$
TEXT
# In that order: a model alone is one object, and covers its own scene; rooms and vehicles are large, and two scenes are
# in other units; one scene is Z-up and says nothing of it; no library of the distribution reads KTX2 pictures; cars and
# cards of the furniture have the size that the catalogue gives them, and some of its models name pictures that their
# maker did not pack.

# sweep_list WHAT FILE: every line of FILE is a path.
sweep_list() {
    local wanted got
    wanted=$(wc -l <"$2")
    "$sweep" <"$2" >"$work/$1.out" 2>"$work/$1.err" || fail "$1: the sweep ended with code $?: $(tail -3 "$work/$1.err")"
    [ ! -s "$work/$1.err" ] || fail "$1: something on stderr: $(head -3 "$work/$1.err")"
    grep -v '^ok ' "$work/$1.out" | grep -vE -f "$work/explained" >"$work/$1.odd"
    [ ! -s "$work/$1.odd" ] || { fail "$1: unexplained:"; head -20 "$work/$1.odd" >&2; }
    got=$(grep -cE '^(ok|refused) ' "$work/$1.out")
    expect "$1: scenes" "$got" "$wanted"
    echo "$1: $(grep -c '^ok ' "$work/$1.out") of $wanted imported, checked and rendered"
}

if [ -e "$data/scenes" ]; then
    find "$data" -type f | grep -iE '\.(obj|fbx|ply|stl|dae|glb|gltf)$' | LC_ALL=C sort >"$work/data.txt"
    command -v blender >/dev/null && find "$data" -type f -name '*.blend' >>"$work/data.txt"
    if [ -z "${ETNA_FULL:-}" ]; then # every third, but all whole scenes; 1,900 teapots take their time in a debug build
        grep -v TeapotsGalore "$work/data.txt" | awk '/\/scenes\/[^\/]*\/[^\/]*$/ || /blend$/ || NR % 3 == 0' >"$work/some.txt"
        mv "$work/some.txt" "$work/data.txt"
    fi
    sweep_list data "$work/data.txt"
    grep -q 'chess-board.glb' "$work/data.out" || fail "the compressed chess board was not tried"
else
    echo "SKIPPED: \$ETNA_TEST_DATA is not there: its scenes are not swept"
fi
command -v blender >/dev/null || echo "SKIPPED: Blender is not installed: .blend files are not swept"

if [ -d "$furniture" ] && ls "$furniture"/*.sh3f >/dev/null 2>&1; then
    for library in "$furniture"/*.sh3f; do
        "$etna" scene info "$library" --json >"$work/list.json" || fail "$library cannot be listed"
        jq -r --arg l "$library" '.models[] | "\($l)#\(.index)"' "$work/list.json"
    done >"$work/models.txt"
    [ "$(wc -l <"$work/models.txt")" -ge 800 ] || fail "only $(wc -l <"$work/models.txt") models of furniture"
    [ -n "${ETNA_FULL:-}" ] || { awk 'NR % 21 == 7' "$work/models.txt" >"$work/some.txt"; mv "$work/some.txt" "$work/models.txt"; }
    sweep_list furniture "$work/models.txt"
else
    echo "SKIPPED: sweethome3d-furniture is not installed: its models are not swept"
fi
finish
