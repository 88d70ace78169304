#!/bin/bash
# Things come and go by a run's sentences: found in an index, placed, held against the input, and off again byte for byte.
. "$(dirname "$0")/lib.sh"
furniture=/usr/share/sweethome3d/furniture
[ -f $furniture/KatorLegaz.sh3f ] || skip "sweethome3d-furniture is not installed"
living=$scenes/living.glb

faulty "add before any index" "etna assets index" run "$living" --goal "Add a floor lamp beside the sofa"
mkdir "$work/mine"
"$etna" scene export "$furniture/KatorLegaz.sh3f#Fridge" -o "$work/mine/fridge.glb" >/dev/null || fail "no asset to index"
"$etna" assets index "$work/mine" >/dev/null || fail "the index fails"
faulty "add what there is none of" "no asset is" run "$living" --goal "Add a trombone beside the sofa"
faulty "remove what bears another" "Vase" run "$living" --goal "Remove the wooden table"

run() { # NAME GOAL
    timeout 400 "$etna" run "$living" --goal "$2" -o "$work/$1" --no-images --json >"$work/$1.json" 2>"$work/$1.txt"
    expect "$1: exit code" $? 0
    "$etna" check "$work/$1/result.glb" --against "$living" --json >"$work/$1_check.json"
    expect "$1: check" $? 0
}
run added "Add a fridge beside the shelf and remove the plant"
is added_check '.added == ["fridge"] and .removed == ["Plant"] and .gone == [] and .moved == ["fridge"]'
jq -e '.brought_in[0] and .taken_out == ["Plant"]' "$work/added/run.json" >/dev/null || fail "run.json does not tell what came and went"
grep -q "Brought in" "$work/added/report.html" || fail "the report does not tell what came"
# Of a list, what cannot be had is passed over with its reason; the rest is done.
printf 'Remove the plant\nAdd a trombone beside the sofa\nAdd a fridge beside the shelf\nRemove the wooden table\n' >"$work/list.txt"
timeout 400 "$etna" run "$living" --steps "$work/list.txt" -o "$work/list" --no-images --json >"$work/list.json" 2>"$work/list.txt.err"
expect "a list with what cannot be had" $? 1
jq -e '[.passed_over[].item] == [2, 4]' "$work/list/run.json" >/dev/null || fail "what cannot be had is not passed over: $(jq -c .passed_over "$work/list/run.json")"
jq -c '.passed_over' "$work/list/run.json" | grep -q "no asset is" || fail "the reason is not told: $(jq -c .passed_over "$work/list/run.json")"
"$etna" check "$work/list/result.glb" --against "$living" --json >"$work/list_check.json"
is list_check '.added == ["fridge"] and .removed == ["Plant"]'

# Two instructions that say the same bring in two.
printf 'Add a fridge beside the shelf\nAdd a fridge beside the sofa\n' >"$work/twice.txt"
timeout 400 "$etna" run "$living" --steps "$work/twice.txt" -o "$work/twice" --no-images >/dev/null 2>"$work/twice.err"
expect "two of one kind in a list" $? 0
"$etna" check "$work/twice/result.glb" --against "$living" --json >"$work/twice_check.json"
is twice_check '.added == ["fridge", "fridge 2"] and (.moved | index("fridge")) and (.moved | index("fridge 2")) and .new_collisions == []'

run replaced "Replace the cabinet with a fridge"
is replaced_check '.added == ["fridge"] and .removed == ["Cabinet"]'

# What is to be smaller than what it replaces is measured beside it, and nothing comes that is not.
box() { # NAME WIDTH HEIGHT DEPTH
    printf 'v 0 0 0\nv %s 0 0\nv %s %s 0\nv 0 %s 0\nv 0 0 %s\nv %s 0 %s\nv %s %s %s\nv 0 %s %s\n' \
        "$2" "$2" "$3" "$3" "$4" "$2" "$4" "$2" "$3" "$4" "$3" "$4" >"$work/cabinets/$1.obj"
    printf 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n' >>"$work/cabinets/$1.obj"
}
mkdir "$work/cabinets"
box "wide cabinet" 1.4 0.4 0.9
box "slim cabinet" 0.3 0.35 0.3
"$etna" assets index "$work/cabinets" >/dev/null || fail "the cabinets cannot be indexed"
run smaller "Replace the cabinet with a smaller one"
jq -e '.brought_in[0] | test("slim cabinet")' "$work/smaller/run.json" >/dev/null || fail "the other is not smaller: $(jq -c .brought_in "$work/smaller/run.json")"
faulty "replace by what is no taller" "none of the kind is taller" run "$living" --goal "Replace the cabinet with a taller one"

# What is added has the size that its name means, and finds room on what it is to stand on where another has none.
box "coffee table" 0.8 0.9 0.8
box "tray" 2.5 0.05 2.5
box "small tray" 0.2 0.05 0.2
"$etna" assets index "$work/cabinets" >/dev/null || fail "the tables cannot be indexed"
faulty "a coffee table that is too high" "a coffee table is 0.20 to 0.60 m high" run "$living" --goal "Add a coffee table beside the sofa"
run tray "Add a tray on the wooden table"
jq -e '.brought_in[0] | test("small tray")' "$work/tray/run.json" >/dev/null || fail "the tray does not fit: $(jq -c .brought_in "$work/tray/run.json")"

# What is appended stands behind bytes that are all the input's: its binary chunk is a beginning of the result's.
cat >"$work/chunk.py" <<'PY'
import struct, sys
def chunk(path):
    data = open(path, "rb").read()
    at = 20 + struct.unpack_from("<I", data, 12)[0]
    return data[at + 8:]
then, now = chunk(sys.argv[1]), chunk(sys.argv[2])
sys.exit(0 if now.startswith(then) and len(now) > len(then) else 1)
PY
python3 "$work/chunk.py" "$living" "$work/added/result.glb" || fail "the input's bytes are not all there"

# Added, then removed by another run: the input again.
timeout 400 "$etna" run "$living" --goal "Add a fridge beside the shelf" -o "$work/one" --no-images >/dev/null 2>&1
timeout 400 "$etna" run "$work/one/result.glb" --goal "Remove the fridge" -o "$work/two" --no-images >/dev/null 2>&1
cmp "$work/two/result.glb" "$living" || fail "what was added left a trace"

# A run that goes on from another's end brings in and takes out there; removed by it, the input again, too.
timeout 400 "$etna" run --after "$work/added" --goal "Add a fridge beside the sofa and remove the chair" -o "$work/after" --no-images >/dev/null 2>"$work/after.txt"
expect "going on with an add" $? 0
"$etna" check "$work/after/result.glb" --against "$living" --json >"$work/after_check.json"
is after_check '(.added | length) == 2 and .removed == ["Chair", "Plant"] and .new_collisions == []'
timeout 400 "$etna" run --after "$work/one" --goal "Remove the fridge" -o "$work/three" --no-images >/dev/null 2>&1
cmp "$work/three/result.glb" "$living" || fail "what was added and removed by the next run left a trace"

# Without the library: a replay computes the same.
rm -rf "$work/mine"
"$etna" replay "$(jq -r .run "$work/added.json")" >/dev/null || fail "a replay needs more than the store"
finish
