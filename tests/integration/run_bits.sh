# One hash for 1 to 8 threads, each instruction set of Embree's that this machine has, and each vector width of ours: over
# solves, snapshots, probes, planes, checks and instance maps. Two scenes with each set and width once; with ETNA_FULL=1 all
# scenes of the repository and the house of the data, with every number of threads.
. "$(dirname "$0")/lib.sh"
if [ -z "${ETNA_FULL:-}" ]; then
    "$ETNA_BIN/bits" quick "$scenes/kitchen.glb" "$scenes/desk.glb" >"$work/out.txt" || fail "not the same bits"
else
    house=$data/scenes/aws_small_house
    find -L "$house" -name '*.glb' -o -name '*.gltf' 2>/dev/null | head -1 >"$work/house.txt"
    [ -s "$work/house.txt" ] || echo "SKIPPED: the house is not in \$ETNA_TEST_DATA"
    ls "$scenes"/*.glb >>"$work/house.txt"
    xargs -d '\n' "$ETNA_BIN/bits" full <"$work/house.txt" >"$work/out.txt" || fail "not the same bits"
fi
cat "$work/out.txt"
[ "$(grep -c ' ways, ' "$work/out.txt")" -ge 2 ] || fail "fewer scenes than there are"
grep -q ' [2-9] ways, \| [1-9][0-9] ways, ' "$work/out.txt" || fail "nothing was compared"
grep -q ', [1-9][0-9]* of ' "$work/out.txt" || fail "no solve found a place"
finish
