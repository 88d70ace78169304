# The bound on what is made of a scene's meshes: every command takes it, as a flag and from the environment, and prints
# the same with next to none; a run does, too, to the same snapshot. What is no number of MiB is told.
. "$(dirname "$0")/lib.sh"
scene=$scenes/kitchen.glb
cat >"$work/place.json" <<'EOF'
[["ObjectName","Red Cup"],["CloseToPix","down",[0.5,0.55]],["Contact","down","ray:0.5,0.55"],["NoOverhang","down","ray:0.5,0.55","full_only"]]
EOF
all() { # all OUT FLAG...: what the commands say, without what says how long they took
    local out=$1
    shift
    {
        "$etna" check "$scene" --json "$@"
        "$etna" probe list "$scene" --json "$@"
        for at in "0.3 0.5" "0.5 0.6" "0.7 0.7"; do "$etna" probe ray "$scene" $at --json "$@"; done
        "$etna" solve "$scene" --constraints "$work/place.json" --seed 3 --json "$@" | jq 'del(.solve_ms, .check_ms)'
        "$etna" render "$scene" --instances --size 320x240 -o "$work/map.png" "$@" && b2sum <"$work/map.png"
    } >"$out" 2>&1
}
all "$work/roomy"
all "$work/tight" --mesh-memory 1
ETNA_MESH_MEMORY=1 all "$work/named"
cmp "$work/roomy" "$work/tight" || fail "not the same under a bound"
cmp "$work/roomy" "$work/named" || fail "not the same under a bound of the environment"
[ "$(grep -c '"hit": true' "$work/roomy")" = 3 ] && grep -q '"status"' "$work/roomy" || { fail "nothing was said"; cat "$work/roomy"; }
run_ok "$work/one" "$scene" --goal "put the red cup on the table" --branches 2 --no-images
run_ok "$work/two" "$scene" --goal "put the red cup on the table" --branches 2 --no-images --mesh-memory 1
expect "the snapshot under a bound" "$(json "$work/two/stdout.json" .final_snapshot)" "$(json "$work/one/stdout.json" .final_snapshot)"
for wrong in 0 -1 4g "" 99999999; do
    "$etna" check "$scene" --mesh-memory "$wrong" >"$work/out" 2>"$work/err"
    expect "exit code of --mesh-memory $wrong" $? 2
    grep -q 'mesh-memory' "$work/err" || fail "--mesh-memory $wrong is not told"
done
ETNA_MESH_MEMORY=much "$etna" probe list "$scene" >"$work/out" 2>"$work/err"
expect "exit code of a wrong variable" $? 2
grep -q 'ETNA_MESH_MEMORY wants' "$work/err" || fail "a wrong variable is not told"
"$etna" run "$scene" --goal "put the mug on the table" --connect ipc://nowhere --mesh-memory 9 >"$work/out" 2>"$work/err"
expect "exit code where workers are others'" $? 2
finish
