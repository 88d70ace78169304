# Scenes composed of furniture: those of tests/scenes/composed check clean, come out the same twice, say who made what,
# and take a goal; a spec of our own without any library puts things where it says; what is wrong gets its names, and no
# file.
. "$(dirname "$0")/lib.sh"
furniture=/usr/share/sweethome3d/furniture
composed=$ETNA_SOURCE_DIR/tests/scenes/composed

# wrong WHAT WORDS: the spec on stdin ends with exit code 3 and these words, without stdout or a file.
wrong() {
    local got
    cat >"$work/own/bad.json"
    timeout 100 "$etna" scene compose "$work/own/bad.json" -o "$work/bad.glb" >"$work/stdout.txt" 2>"$work/stderr.txt"
    got=$?
    expect "$1: exit code" "$got" 3
    grep -q -- "$2" "$work/stderr.txt" || fail "$1: \"$2\" is not said: $(head -2 "$work/stderr.txt")"
    [ ! -s "$work/stdout.txt" ] && [ ! -e "$work/bad.glb" ] || fail "$1: something is written"
}

# ---- without a library ----
mkdir "$work/own"
cat >"$work/own/cube.obj" <<'OBJ'
o cube
v .0 0 .0
v 100 0 .0
v 100 100 .0
v .0 100 .0
v .0 0 100
v 100 0 100
v 100 100 100
v .0 100 100
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 3 4 8 7
f 5 8 4 1
f 2 3 7 6
OBJ
echo '{"unit": 0.01}' >"$work/own/cube.etna.json"
room='"room": {"width": 4, "depth": 3, "walls": ["north"], "ceiling": true}'
cat >"$work/own/spec.json" <<JSON
{$room, "objects": [
 {"name": "table", "asset": "cube.obj", "at": [0.5, -0.5], "yaw": 90, "size": [1.2, 0.7, 0.6], "front": "+X"},
 {"name": "cup", "asset": "cube.obj", "on": "table", "at": [0.2, 0.1], "size": [0.1, 0.1, 0.1]},
 {"name": "board", "asset": "cube.obj", "hang": "north", "at": [-1, 1.2], "size": [0.5, 0.4, 0.05], "static": true},
 {"name": "bulb", "asset": "cube.obj", "hang": "ceiling", "at": [-1, 0.5], "size": [0.2, 0.1, 0.2]}],
 "cameras": [{"position": [0, 1.6, 4], "target": [0, 0.6, 0]}]}
JSON
"$etna" scene compose "$work/own/spec.json" -o "$work/own.glb" --json >"$work/own.json" 2>"$work/stderr.txt" || fail "the spec: $(cat "$work/stderr.txt")"
expect "no fault" "$(json "$work/own.json" '.faults | length')" 0
expect "what the spec says is not said" "$(json "$work/own.json" '.credits[0].licence')" "not said"
"$etna" check "$work/own.glb" >/dev/null || fail "the scene does not check clean"
"$etna" scene info "$work/own.glb" --json >"$work/info.json" 2>/dev/null
at() { json "$work/info.json" ".objects[] | select(.name == \"$1\") | [.min[], .max[]] | map((. * 1000 | round) + 0) | join(\" \")"; }
# The front is the asset's +X and looks to the right (yaw 90): the asset is as it was.
expect "the table" "$(at table)" "-100 200 0 1100 800 700"
# Relative to the table, whose front is to the right: its right hand is the room's back.
expect "the cup" "$(at cup)" "550 650 700 650 750 800"
expect "the board" "$(at board)" "-1250 1450 1200 -750 1500 1600"
expect "the bulb" "$(at bulb)" "-1100 -600 2400 -900 -400 2500"
expect "fronts" "$(json "$work/info.json" '[.objects[] | select(.front) | .name] | join(" ")')" "table"
expect "what is static" "$(json "$work/info.json" '[.objects[] | select(.static) | .name] | join(" ")')" "floor wall north ceiling board"

# ---- what cannot be ----
thing='"asset": "cube.obj", "size": [0.5, 0.5, 0.5]'
wrong "an overlap" '"one" and "two" overlap by 0.020 m' <<<"{$room, \"objects\": [{\"name\": \"one\", $thing, \"at\": [0, 0]}, {\"name\": \"two\", $thing, \"at\": [0.48, 0]}]}"
wrong "beside the support" '"two" does not come to stand on "one" but meets "floor"' <<<"{$room, \"objects\": [{\"name\": \"one\", $thing, \"at\": [0, 0]}, {\"name\": \"two\", $thing, \"on\": \"one\", \"at\": [0.6, 0]}]}"
wrong "over the edge" '"two" would fall over' <<<"{$room, \"objects\": [{\"name\": \"one\", $thing, \"at\": [0, 0]}, {\"name\": \"two\", $thing, \"on\": \"one\", \"at\": [0.3, 0]}]}"
wrong "no such support" '"on" is not the name of an object' <<<"{$room, \"objects\": [{\"name\": \"one\", $thing, \"on\": \"two\", \"at\": [0, 0]}]}"
wrong "far away" '"at" is not a list of 2 numbers' <<<"{$room, \"objects\": [{\"name\": \"one\", $thing, \"at\": [0, 1e9]}]}"
wrong "outside the folder" 'leads out of its folder' <<<"{$room, \"objects\": [{\"name\": \"one\", \"asset\": \"../own/cube.obj\", \"at\": [0, 0]}]}"
wrong "an absolute path" 'leads out of its folder' <<<"{$room, \"objects\": [{\"name\": \"one\", \"asset\": \"/etc/passwd\", \"at\": [0, 0]}]}"
wrong "no such asset" '"none.glb" is not there' <<<"{$room, \"objects\": [{\"name\": \"one\", \"asset\": \"none.glb\", \"at\": [0, 0]}]}"
wrong "an unknown member" '"colour" is not known' <<<"{$room, \"objects\": [{\"name\": \"one\", $thing, \"at\": [0, 0], \"colour\": 1}]}"
wrong "a cut spec" 'the spec: line' <<<"{$room, \"objects\": [{\"name\""
"$etna" scene compose "$work/own/bad.json" >/dev/null 2>&1; expect "without -o" "$?" 2
echo "{$room, \"objects\": [{\"name\": \"one\", $thing, \"at\": [0, 0]}, {\"name\": \"two\", $thing, \"at\": [0.48, 0]}]}" >"$work/own/bad.json"
"$etna" scene compose "$work/own/bad.json" -o "$work/forced.glb" --force >/dev/null 2>"$work/stderr.txt"; expect "--force" "$?" 0
[ -s "$work/forced.glb" ] && grep -q '^warning: "one" and "two" overlap' "$work/stderr.txt" || fail "--force: $(cat "$work/stderr.txt")"

# ---- of furniture ----
if [ ! -e "$furniture/Scopia.sh3f" ]; then
    echo "SKIPPED: sweethome3d-furniture is not installed: the scenes of tests/scenes/composed are not built"
    finish
    exit
fi
for name in living_room kitchen office bedroom; do
    "$etna" scene compose "$composed/$name.json" -o "$work/$name.glb" --json >"$work/$name.json" 2>"$work/stderr.txt" || fail "$name: $(cat "$work/stderr.txt")"
    "$etna" check "$work/$name.glb" >"$work/check.txt" 2>&1 || fail "$name does not check clean: $(cat "$work/check.txt")"
    expect "models of $name without an author or a licence" "$(json "$work/$name.json" '[.credits[] | select(.author == "" or .licence == "" or .licence == "not said")] | length')" 0
    [ "$(json "$work/$name.json" '.objects | length')" -ge 15 ] || fail "$name: few objects"
done
"$etna" scene compose "$composed/office.json" -o "$work/again.glb" >"$work/office.txt" 2>/dev/null
cmp "$work/office.glb" "$work/again.glb" || fail "the same spec gives other bytes"
grep -q 'Laptop, Blend Swap CC-BY, by Mayollo: Creative Commons Attribution 3.0' "$work/office.txt" || fail "the list of models: $(head -3 "$work/office.txt")"
expect "meshes are shared" "$(tail -c +21 "$work/office.glb" | head -c "$(od -An -tu4 -j12 -N4 "$work/office.glb" | tr -d ' ')" | jq -r '[.nodes[].mesh // empty] | length == (unique | length)')" true
expect "chairs are one mesh" "$(tail -c +21 "$work/kitchen.glb" | head -c "$(od -An -tu4 -j12 -N4 "$work/kitchen.glb" | tr -d ' ')" | jq -r '[.nodes[] | select(.name | startswith("chair")) | .mesh] | unique | length')" 1

goal() { run_ok "$work/out_$1" "$work/$1.glb" --goal "$2" --no-images && expect "what moved in $1" "$(json "$work/out_$1/stdout.json" '[.steps[].object] | join(" ")')" "$3"; }
goal office "Put the laptop on the side table" laptop
if [ "${ETNA_FULL:-0}" = 1 ]; then
    goal living_room "Put the vase on the coffee table" vase
    goal kitchen "Put the bread on the dining table" bread
    goal bedroom "Put the teddy bear on the bed" "teddy bear"
fi
finish
