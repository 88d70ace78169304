# Bad input gets one clear line, the right exit code, and nothing half-written (ARCHITECTURE.md, Exit codes and files).
. "$(dirname "$0")/lib.sh"
good=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"

# nothing CODE WHAT ARGS...: refused, and nothing is written.
nothing() {
    rm -rf "$work/out"
    refused "$@"
    [ -z "$(ls -A "$work/out" 2>/dev/null)" ] || fail "$2: something in the output folder: $(ls -A "$work/out")"
}
scene() { nothing 3 "$1" run "$work/$2" --goal "$goal" -o "$work/out"; nothing 3 "$1, check" check "$work/$2"; }

gltf() { # FILE JSON: a .gltf around one triangle
    printf '%s' "$2" >"$work/$1"
}
triangle='"buffers":[{"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}]'
accessor='"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}]'
mesh='"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]'
head='"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}]'

nothing 3 "missing file" run "$work/none.glb" --goal "$goal" -o "$work/out"
head -c 1000 "$good" >"$work/truncated.glb"; scene "truncated" truncated.glb
{ printf 'GLTF'; tail -c +5 "$good"; } >"$work/magic.glb"; scene "wrong magic" magic.glb
: >"$work/empty.glb"; scene "empty file" empty.glb
gltf range.gltf "{$head,$triangle,\"accessors\":[{\"bufferView\":0,\"byteOffset\":24,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],$mesh,\"nodes\":[{\"mesh\":0}]}"
scene "accessor out of range" range.gltf
gltf count.gltf "{$head,$triangle,\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1000000000,\"type\":\"VEC3\"}],$mesh,\"nodes\":[{\"mesh\":0}]}"
scene "10^9 vertices" count.gltf
gltf huge.gltf "{$head,$triangle,$accessor,$mesh,\"nodes\":[{\"mesh\":0,\"translation\":[1e39,0,0]}]}"
scene "1e39" huge.gltf
gltf nan.gltf "{$head,\"buffers\":[{\"uri\":\"data:application/octet-stream;base64,AADAfwAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\",\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],$accessor,$mesh,\"nodes\":[{\"mesh\":0}]}"
scene "NaN vertex" nan.gltf
gltf cycle.gltf "{$head,$triangle,$accessor,$mesh,\"nodes\":[{\"mesh\":0,\"children\":[1]},{\"children\":[0]}]}"
scene "cyclic nodes" cycle.gltf
{ head -c 100000 /dev/zero | tr '\0' '['; } >"$work/deep.gltf"; scene "100,000 deep JSON" deep.gltf
mkdir -p "$work/inside"; head -c 36 /dev/zero >"$work/secret.bin"
printf '%s' "{$head,\"buffers\":[{\"uri\":\"../secret.bin\",\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],$accessor,$mesh,\"nodes\":[{\"mesh\":0}]}" >"$work/inside/outside.gltf"
scene "buffer outside the folder" inside/outside.gltf
# import's errors name the file, and every error names it once
gltf nothing.gltf '{}'; scene "no glTF" nothing.gltf
grep -q "nothing.gltf: this is no glTF" "$work/stderr.txt" || fail "no glTF: not so told"
scene "a folder" inside
[ "$(grep -o "$work/inside" "$work/stderr.txt" | wc -l)" = 1 ] || fail "a folder's name is told twice"
gltf nomesh.gltf "{$head,\"nodes\":[{\"name\":\"empty\"}]}"; scene "no meshes" nomesh.gltf

nothing 3 "unknown object" run "$good" --goal "Put the violin on the yellow block" -o "$work/out"
nothing 3 "unreadable goal" run "$good" --goal "Colourless green ideas sleep furiously" -o "$work/out"
nothing 2 "unknown flag" run "$good" --goal "$goal" --frobnicate
nothing 2 "no goal" run "$good" -o "$work/out"
nothing 2 "unknown model" run "$good" --goal "$goal" --model no-such-model -o "$work/out"
nothing 2 "unknown camera" run "$good" --goal "$goal" --camera no-such-camera -o "$work/out"
nothing 2 "unknown command" frobnicate
nothing 4 "unknown run" resume 00000000000000000000000000000000
nothing 2 "no address" run "$good" --goal "$goal" --connect nonsense
nothing 4 "nowhere to write, told before the run" run "$good" --goal "$goal" -o "$good/out/deep"
nothing 4 "the same for a resume" resume 00000000000000000000000000000000 -o "$good/out"
nothing 3 "missing steps file" run "$good" --steps "$work/none.txt" -o "$work/out"
finish
