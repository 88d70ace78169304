# One hash for 1 to 8 threads, each instruction set of Embree's that this machine has, each vector width of ours, and
# little memory: over solves, snapshots, probes, planes, checks and instance maps. Two scenes with each set and width
# once; with ETNA_FULL=1 these two with every number of threads, too, and all other scenes of the repository and the
# house of the data as the two before.
. "$(dirname "$0")/lib.sh"
bits() { "$ETNA_BIN/bits" "$@" >>"$work/out.txt" || fail "not the same bits"; }
bits quick "$scenes/kitchen.glb" "$scenes/desk.glb"
if [ -n "${ETNA_FULL:-}" ]; then
    house=$data/scenes/aws_small_house
    find -L "$house" -name '*.glb' -o -name '*.gltf' 2>/dev/null | head -1 >"$work/others.txt"
    [ -s "$work/others.txt" ] || echo "SKIPPED: the house is not in \$ETNA_TEST_DATA"
    ls "$scenes"/*.glb | grep -v -e /kitchen.glb -e /desk.glb >>"$work/others.txt"
    mapfile -t others <"$work/others.txt"
    bits quick "${others[@]}"
    bits full "$scenes/kitchen.glb" "$scenes/desk.glb"
fi
cat "$work/out.txt"
[ "$(grep -c ' ways, ' "$work/out.txt")" -ge 2 ] || fail "fewer scenes than there are"
grep -q ' [2-9] ways, \| [1-9][0-9] ways, ' "$work/out.txt" || fail "nothing was compared"
grep -q ', [1-9][0-9]* of ' "$work/out.txt" || fail "no solve found a place"
finish
