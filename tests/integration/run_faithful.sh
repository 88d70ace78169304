# The result is the input but for the moved nodes' transforms: byte comparison, and the official validator finds no new
# error.
. "$(dirname "$0")/lib.sh"

# faithful IN OUT MAX_NODES: GLB against GLB. The BIN chunk is identical; the JSON with the transforms of at most
# MAX_NODES nodes removed on both sides is identical as text but for those members.
faithful() {
    local in=$1 out=$2 nodes=$3
    chunk() { # FILE JSON|BIN
        local length
        length=$(od -An -tu4 -j12 -N4 "$1" | tr -d ' ')
        if [ "$2" = JSON ]; then tail -c +21 "$1" | head -c "$length"; else tail -c +$((21 + length)) "$1"; fi
    }
    cmp -s <(chunk "$in" BIN) <(chunk "$out" BIN) || fail "the binary chunk of $out differs"
    local changed
    changed=$(jq -n --argjson a "$(chunk "$in" JSON)" --argjson b "$(chunk "$out" JSON)" \
        '[range($a.nodes|length) | select($a.nodes[.] != $b.nodes[.])] | length')
    expect "changed nodes in $out" "$changed" "$nodes"
    local strip='del(.nodes[].translation, .nodes[].rotation, .nodes[].scale, .nodes[].matrix)'
    expect "the rest of the JSON of $out" "$(chunk "$in" JSON | jq -c "$strip" | md5sum)" "$(chunk "$out" JSON | jq -c "$strip" | md5sum)"
    # As bytes: outside the transforms' numbers not a character differs.
    local plain='s/"(translation|rotation|scale|matrix)" *: *\[[^]]*\] *,? *//g; s/, *}/}/g; s/ +$//'
    cmp -s <(chunk "$in" JSON | tr -d '\n' | sed -E "$plain") <(chunk "$out" JSON | tr -d '\n' | sed -E "$plain") ||
        fail "bytes of the JSON chunk beside the transforms differ in $out"
}

run_ok "$work/one" "$scenes/bottles.glb" --goal "Put the red bottle on the yellow block" &&
    faithful "$scenes/bottles.glb" "$work/one/result.glb" 1
house=scenes/aws_small_house/small_house.glb
[ -e "$data/$house" ] || skip "$house is not in \$ETNA_TEST_DATA"

node_modules || skip "Node.js is absent: the official validator was not run"
no_new_errors "$scenes/bottles.glb" "$work/one/result.glb"

# Every file of the shared data with everything movable moved and turned; and one whose split parts move. Slow:
# ETNA_FULL=1.
if [ -n "${ETNA_FULL:-}" ]; then
    move='map_values({position: [.position[0] + 0.1, .position[1] - 0.2, .position[2] + 0.05], yaw_deg: (.yaw_deg + 10)})'
    exported() { # SCENE
        "$etna" scene export "$1" --poses-out "$work/poses.json" >/dev/null 2>"$work/err" || { fail "etna scene export $1: $(cat "$work/err")"; return 1; }
        jq "$move" "$work/poses.json" >"$work/moved.json"
        "$etna" scene export "$1" --poses "$work/moved.json" -o "$work/all.glb" >/dev/null 2>"$work/err" || { fail "etna scene export $1 with poses: $(cat "$work/err")"; return 1; }
    }
    while IFS= read -r file; do
        exported "$file" && no_new_errors "$file" "$work/all.glb"
    done < <(find "$data" -name '*.glb' -o -name '*.gltf' | sort)
    for chess in "$data"/scenes/chess_board_draco/chess-board{,-decoded}.glb; do # as Draco has it, and plain
        [ -e "$chess" ] || continue
        cp "$chess" "$work/chess.glb"
        rm -f "$work/chess.etna.json"
        "$etna" scene split "$work/chess.glb" Object_4 Object_5 --unit 0.002 >/dev/null || fail "the chess pieces do not split"
        # In its own unit of 1 m the board is 337 m wide, and pieces that touch it cut deeper than a centimetre: static.
        jq '.unit = 0.002' "$work/chess.etna.json" >"$work/side" && mv "$work/side" "$work/chess.etna.json"
        exported "$work/chess.glb" && no_new_errors "$chess" "$work/all.glb" &&
            expect "node count of the split export" "$("$etna" scene info "$work/all.glb" --json | jq '[.objects[] | select(.name | startswith("Object_5 part"))] | length')" 13
    done
fi
finish
