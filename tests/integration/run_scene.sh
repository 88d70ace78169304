# Scenes by hand: split, group, export and check on files, with the real programs.
. "$ETNA_SOURCE_DIR/tests/integration/lib.sh"
cp "$scenes/bottles.glb" "$work/room.glb"
before=$(sha256sum <"$work/room.glb")

# scene WANTED_EXIT ARGS...: leaves $work/out and $work/err
scene() {
    local wanted=$1
    shift
    "$etna" scene "$@" >"$work/out" 2>"$work/err"
    local code=$?
    [ "$code" = "$wanted" ] || { fail "etna scene $*: exit $code, expected $wanted"; cat "$work/err" >&2; }
}

scene 0 info "$work/room.glb" --json
mapfile -t movable < <(json "$work/out" '.objects[] | select(.static | not) | .name')
[ "${#movable[@]}" -ge 2 ] || fail "the fixture has fewer than two movable objects"
a=${movable[0]} b=${movable[1]}

# poses out and in: what is not moved costs no byte, what is moved stands there
scene 0 export "$work/room.glb" --poses-out "$work/poses.json" --json
scene 0 export "$work/room.glb" --poses "$work/poses.json" -o "$work/same.glb" --json
expect "moved by the poses as they are" "$(json "$work/out" '.moved | length')" 0
cmp "$work/room.glb" "$work/same.glb" || fail "an export of nothing moved differs"
jq --arg a "$a" '{($a): {position: (.[$a].position | .[2] += 0.25), yaw_deg: 30}}' "$work/poses.json" >"$work/one.json"
scene 0 export "$work/room.glb" --poses "$work/one.json" -o "$work/moved.glb" --poses-out "$work/after.json" --json
expect "moved" "$(json "$work/out" '.moved | join(",")')" "$a"
scene 0 info "$work/moved.glb" --json
jq -e --arg a "$a" --slurpfile want "$work/one.json" '.objects[] | select(.name == $a) | . as $o |
    ((.yaw_deg - 30) | fabs) < 1e-6 and ([range(3) | ($o.position[.] - $want[0][$a].position[.]) | fabs] | max) < 1e-6' \
    "$work/out" >/dev/null || fail "$a does not stand where its pose says"

# refusals name what is wrong
scene 0 info "$work/room.glb" --json
static=$(json "$work/out" '[.objects[] | select(.static) | .name][0]')
jq -n --arg s "$static" '{($s): {position: [9, 9, 9]}}' >"$work/static.json"
scene 3 export "$work/room.glb" --poses "$work/static.json" -o "$work/never.glb"
grep -qF "\"$static\" is static" "$work/err" || fail "the static object is not named: $(cat "$work/err")"
echo '{"nobody": {"yaw_deg": 1}}' >"$work/nobody.json"
scene 3 export "$work/room.glb" --poses "$work/nobody.json" -o "$work/never.glb"
grep -qF '"nobody"' "$work/err" || fail "the unknown object is not named"
echo "{\"$a\": {\"yaw\": 1}}" >"$work/slip.json"
scene 3 export "$work/room.glb" --poses "$work/slip.json" -o "$work/never.glb"
grep -qF '"yaw"' "$work/err" || fail "the unknown member is not named"
scene 2 export "$work/room.glb" --poses "$work/one.json" -o "$work/room.glb"
scene 2 export "$work/room.glb"
[ ! -e "$work/never.glb" ] || fail "a refused export left a file"

# group: written once, then already so; what is not known stays; moved as one; taken out again
echo '{"note": {"mine": [1, 2]}}' >"$work/room.etna.json"
scene 0 group "$work/room.glb" --name pair "$a" "$b" --dry-run --json
expect "written by --dry-run" "$(json "$work/out" .written)" false
scene 0 group "$work/room.glb" --name pair "$a" "$b" --json
expect "written" "$(json "$work/out" .written)" true
expect "name of the group" "$(json "$work/out" .object.name)" pair
scene 0 group "$work/room.glb" --name pair "$a" "$b" --json
expect "written again" "$(json "$work/out" .written)" false
expect "an unknown member of the side file" "$(jq -c .note "$work/room.etna.json")" '{"mine":[1,2]}'
echo '{"pair": {"yaw_deg": 45}}' >"$work/pair.json"
scene 0 export "$work/room.glb" --poses "$work/pair.json" -o "$work/grouped.glb" --json
expect "moved" "$(json "$work/out" '.moved | join(",")')" pair
"$etna" check "$work/grouped.glb" --against "$work/room.glb" --json >"$work/check.json" 2>"$work/err"
[ $? -le 1 ] || fail "check --against of a moved group: $(cat "$work/err")"
scene 3 group "$work/room.glb" --name pair "$a" nobody
scene 2 group "$work/room.glb" --name pair "$a"
scene 0 group "$work/room.glb" --name pair --json
expect "groups left" "$(jq -c .groups "$work/room.etna.json")" null

# split: one mesh of a ground and two cubes falls apart; a cube that moves gets a node, and check knows both files
python=$(command -v python3) || skip "python3 is absent: splits were not tried"
"$python" - "$work/one.glb" <<'PY'
import json, struct, sys
pos, idx = [], []
def box(c, s):
    n = len(pos)
    for i in range(8): pos.append([c[k] + (s[k] / 2 if i >> k & 1 else -s[k] / 2) for k in range(3)])
    for q in ((0,4,6,2),(1,3,7,5),(0,1,5,4),(2,6,7,3),(0,2,3,1),(4,5,7,6)): idx.extend(n + q[k] for k in (0,1,2,0,2,3))
box((0, -.05, 0), (4, .1, 4)); box((-1, .25, 0), (.5, .5, .5)); box((1, .15, .5), (.3, .3, .3))
data = b''.join(struct.pack('<3f', *p) for p in pos) + struct.pack('<%dH' % len(idx), *idx)
data += b'\0' * (-len(data) % 4)
doc = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"name": "all", "mesh": 0}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "buffers": [{"byteLength": len(data)}],
  "bufferViews": [{"buffer": 0, "byteLength": 12 * len(pos)}, {"buffer": 0, "byteOffset": 12 * len(pos), "byteLength": 2 * len(idx)}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(pos), "type": "VEC3", "min": [min(p[k] for p in pos) for k in range(3)],
    "max": [max(p[k] for p in pos) for k in range(3)]}, {"bufferView": 1, "componentType": 5123, "count": len(idx), "type": "SCALAR"}]}
text = json.dumps(doc).encode(); text += b' ' * (-len(text) % 4)
open(sys.argv[1], 'wb').write(struct.pack('<4sIII4s', b'glTF', 2, 28 + len(text) + len(data), len(text), b'JSON') + text
  + struct.pack('<I4s', len(data), b'BIN\0') + data)
PY
scene 0 split "$work/one.glb" --dry-run --json
[ ! -e "$work/one.etna.json" ] || fail "--dry-run wrote a side file"
scene 0 split "$work/one.glb" --json
expect "loose parts" "$(json "$work/out" '.split[0].loose_parts')" 3
expect "things" "$(json "$work/out" '.split[0].things')" 2
expect "objects" "$(jq -c '[.objects[] | [.name, .static]]' "$work/out")" '[["all",true],["all part 1",false],["all part 2",false]]'
scene 0 split "$work/one.glb" all --json
expect "split again" "$(json "$work/out" .written)" false
echo '{"all part 1": {"position": [-1, 1, 0.25], "yaw_deg": 20}}' >"$work/cube.json"
scene 0 export "$work/one.glb" --poses "$work/cube.json" -o "$work/cube.glb" --json
"$etna" check "$work/cube.glb" --against "$work/one.glb" --json >"$work/check.json" 2>"$work/err" || fail "check of a moved part: $(cat "$work/check.json" "$work/err")"
scene 0 info "$work/cube.glb" --json
expect "triangles of the moved part by its node" "$(json "$work/out" '.objects[] | select(.name == "all part 1") | .triangles')" 12
scene 0 split "$work/one.glb" --undo --json
expect "side file after --undo" "$(jq -c . "$work/one.etna.json")" '{}'
expect "the input" "$(sha256sum <"$work/room.glb")" "$before"
finish
