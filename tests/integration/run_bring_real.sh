#!/bin/bash
# Something is added to files of others and removed by a second run: what was there is there byte for byte, and then nothing
# else is. A house, a file compressed by Draco, one with Z up, one in centimetres, one of instances.
. "$(dirname "$0")/lib.sh"
rules="$(dirname "$0")/gltf_rules.py"
furniture=/usr/share/sweethome3d/furniture
[ -f $furniture/KatorLegaz.sh3f ] || skip "sweethome3d-furniture is not installed"
need_data scenes/aws_small_house
mkdir "$work/mine"
"$etna" scene export "$furniture/KatorLegaz.sh3f#Fridge" -o "$work/mine/fridge.glb" >/dev/null || fail "no asset to index"
"$etna" assets index "$work/mine" >/dev/null || fail "the index fails"

# What the result has of the input: its binary chunk begins with the input's.
cat >"$work/chunk.py" <<'PY'
import struct, sys
def chunk(path):
    data = open(path, "rb").read()
    at = 20 + struct.unpack_from("<I", data, 12)[0]
    return data[at + 8:at + 8 + struct.unpack_from("<I", data, at)[0]] if at + 8 <= len(data) else b""
then, now = chunk(sys.argv[1]), chunk(sys.argv[2])
sys.exit(0 if now.startswith(then) and len(now) > len(then) else 1)
PY
# A hundred units to the metre, by a node above all others.
cat >"$work/larger.py" <<'PY'
import json, struct, sys
data = open(sys.argv[1], "rb").read()
size = struct.unpack_from("<I", data, 12)[0]
tree, rest = json.loads(data[20:20 + size]), data[20 + size:]
scene = tree["scenes"][tree.get("scene", 0)]
tree["nodes"].append({"name": "centimetres", "scale": [100, 100, 100], "children": scene["nodes"]})
scene["nodes"] = [len(tree["nodes"]) - 1]
text = json.dumps(tree).encode()
text += b" " * (-len(text) % 4)
open(sys.argv[2], "wb").write(struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest)) +
                              struct.pack("<I4s", len(text), b"JSON") + text + rest)
PY

both_ways() { # NAME SCENE FLAGS...
    local name=$1 scene=$2
    shift 2
    timeout 600 "$etna" run "$scene" "$@" --goal "Add a fridge" -o "$work/$name" --no-images >"$work/$name.txt" 2>&1
    expect "$name: something is added" $? 0
    python3 "$work/chunk.py" "$scene" "$work/$name/result.glb" || fail "$name: the input's bytes are not all there"
    python3 "$rules" "$work/$name/result.glb" "$scene" || fail "$name: what was added does not keep to the rules of glTF"
    "$etna" check "$work/$name/result.glb" "$@" --against "$scene" --json >"$work/${name}_check.json" || fail "$name: it does not stand"
    is "${name}_check" '(.added | length) == 1 and .removed == [] and .gone == []'
    timeout 600 "$etna" run "$work/$name/result.glb" "$@" --goal "Remove the fridge" -o "$work/${name}_back" --no-images >"$work/${name}_back.txt" 2>&1
    expect "$name: it is removed" $? 0
    cmp "$work/${name}_back/result.glb" "$scene" || fail "$name: what was added left a trace"
}

both_ways house "$data/scenes/aws_small_house/small_house.glb"
both_ways draco "$data/scenes/chess_board_draco/chess-board.glb"
both_ways z_up "$data/scenes/habitat_simple_room/simple_room.glb" --up Z
python3 "$work/larger.py" "$scenes/living.glb" "$work/centimetres.glb"
both_ways centimetres "$work/centimetres.glb" --unit 0.01
# A file of several is held as the one file that it is exported to.
"$etna" scene export "$data/scenes/teapots_instanced/TeapotsGalore.gltf" -o "$work/instances.glb" >/dev/null || fail "the instances are not exported"
both_ways instances "$work/instances.glb"
finish
