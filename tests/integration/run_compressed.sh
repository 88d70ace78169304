# Compressed geometry with the real programs: by Draco and meshopt, made here by the libraries' encoders, by gltfpack
# where Node is there, and a chess board of other people. What is seen is what the plain file shows; a goal ends in a
# file that is compressed as before; what is damaged or lies gets one clear line and exit code 3.
. "$(dirname "$0")/lib.sh"
press=$ETNA_BIN/scene-press

# near A B MM: the same objects and triangles, boxes within MM millimetres.
near() {
    jq -n --slurpfile a "$1" --slurpfile b "$2" --argjson mm "$3" '
        ($a[0].objects | map([.name, .triangles, .static])) == ($b[0].objects | map([.name, .triangles, .static])) and
        ([$a[0].objects, $b[0].objects] | transpose | all(
            [(.[0].min + .[0].max), (.[1].min + .[1].max)] | transpose | all((.[0] - .[1]) * 1000 | fabs <= $mm)))'
}
info() { "$etna" scene info "$1" --json >"$2" 2>"$work/err" || fail "etna scene info $1: $(head -2 "$work/err")"; }
bin_of() { tail -c +$((21 + $(od -An -tu4 -j12 -N4 "$1"))) "$1"; }

info "$scenes/bottles.glb" "$work/plain.json"
for how in draco draco-exact meshopt meshopt-triangles; do
    "$press" $how "$scenes/bottles.glb" "$work/$how.glb" || fail "scene-press $how"
    info "$work/$how.glb" "$work/$how.json"
    expect "$how against the plain scene" "$(near "$work/plain.json" "$work/$how.json" "$([ $how = draco ] && echo 1 || echo 0.001)")" true
    grep -q . "$work/err" && fail "$how: something is said: $(cat "$work/err")"
done
"$etna" scene info "$work/draco.glb" 2>&1 | grep -q '^Compressed geometry was decoded' || fail "scene info does not tell of the compression"

# A goal, and a move by hand: nothing new is wrong with the result, and its chunk is the input's to the byte.
kept() { cmp -s <(bin_of "$work/$1.glb") <(bin_of "$2") || fail "$1: the binary chunk changed"; }
run_ok "$work/run" "$work/draco.glb" --goal "Put the red bottle on the yellow block" --no-images && kept draco "$work/run/result.glb"
for how in draco meshopt; do
    "$etna" scene export "$work/$how.glb" --poses-out "$work/poses.json" >/dev/null 2>"$work/err" || fail "$how: no poses: $(cat "$work/err")"
    jq 'map_values({position: [.position[0] + 0.1, .position[1] - 0.2, .position[2]], yaw_deg: (.yaw_deg + 10)})' "$work/poses.json" >"$work/moved.json"
    "$etna" scene export "$work/$how.glb" --poses "$work/moved.json" -o "$work/$how-moved.glb" >/dev/null 2>"$work/err" || fail "$how: no export: $(cat "$work/err")"
    kept "$how" "$work/$how-moved.glb"
    "$etna" scene export "$work/$how-moved.glb" --poses-out "$work/again.json" >/dev/null 2>&1
    expect "where the bottle of $how stands" "$(jq -c '."Red Bottle".position | map(. * 10000 | round)' "$work/again.json")" \
        "$(jq -c '."Red Bottle".position | map(. * 10000 | round)' "$work/moved.json")"
done

# ---- hostile ----
# patch FILE TEXT SKIP HEX...: the bytes SKIP behind the first TEXT become HEX.
patch() {
    local file=$1 at
    at=$(($(grep -abo -m1 -- "$2" "$file" | head -1 | cut -d: -f1) + $3))
    shift 3
    printf "$(printf '\\x%s' "$@")" | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
}
cp "$work/draco.glb" "$work/lies.glb" && patch "$work/lies.glb" DRACO 12 7f ff ff ff 7f 01 01 01; faulty "268 million triangles" "Draco" check "$work/lies.glb"
cp "$work/draco.glb" "$work/broken.glb" && patch "$work/broken.glb" DRACO 24 ff ff ff ff ff ff ff ff ff ff ff ff; faulty "broken Draco data" "Draco" check "$work/broken.glb"
cp "$work/draco.glb" "$work/none.glb" && patch "$work/none.glb" DRACO 0 00; faulty "no Draco data" "no Draco mesh" check "$work/none.glb"
sed 's/"mode":"ATTRIBUTES"/"mode":"EVERYTHING"/' "$work/meshopt.glb" >"$work/mode.glb"; faulty "an unknown mode" "not known" check "$work/mode.glb"
sed 's/"count":24,"mode"/"count":99,"mode"/' "$work/meshopt.glb" >"$work/count.glb"; faulty "more elements than the view has" "more than the view's" check "$work/count.glb"

# ---- other people's ----
chess=$data/scenes/chess_board_draco
if [ -e "$chess/chess-board.glb" ]; then
    info "$chess/chess-board.glb" "$work/chess.json"
    info "$chess/chess-board-decoded.glb" "$work/decoded.json"
    expect "the chess board against its decoded twin" "$(near "$work/decoded.json" "$work/chess.json" 0.001)" true
    "$etna" probe ray "$chess/chess-board.glb" 0.5 0.6 --json >"$work/a.json" 2>/dev/null
    "$etna" probe ray "$chess/chess-board-decoded.glb" 0.5 0.6 --json >"$work/b.json" 2>/dev/null
    expect "a ray on both" "$(jq -c '[.object, .location]' "$work/a.json")" "$(jq -c '[.object, .location]' "$work/b.json")"
else
    echo "SKIPPED: the chess board is not in \$ETNA_TEST_DATA"
fi
if node_modules; then
    for how in draco meshopt; do no_new_errors "$work/$how.glb" "$work/$how-moved.glb"; done
    for flags in "-c -noq" "-cc"; do # as it is; quantised, with filters
        # shellcheck disable=SC2086
        node "$modules/node_modules/gltfpack/cli.js" -i "$scenes/bottles.glb" -o "$work/packed.glb" -kn -km $flags >/dev/null || fail "gltfpack $flags"
        info "$work/packed.glb" "$work/packed.json"
        expect "gltfpack $flags" "$(near "$work/plain.json" "$work/packed.json" 2)" true
    done
else
    echo "SKIPPED: Node.js is absent: gltfpack and the official validator were not run"
fi
finish
