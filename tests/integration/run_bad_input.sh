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
{ printf '{"asset":{"version":"2.0"},"extras":'; head -c 100000 /dev/zero | tr '\0' '['; } >"$work/deep.gltf"; scene "100,000 deep JSON" deep.gltf
mkdir -p "$work/inside"; head -c 36 /dev/zero >"$work/secret.bin"
printf '%s' "{$head,\"buffers\":[{\"uri\":\"../secret.bin\",\"byteLength\":36}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],$accessor,$mesh,\"nodes\":[{\"mesh\":0}]}" >"$work/inside/outside.gltf"
scene "buffer outside the folder" inside/outside.gltf
# import's errors name the file, and every error names it once
gltf nothing.gltf '{}'; scene "no glTF" nothing.gltf
grep -q "nothing.gltf: this is no glTF" "$work/stderr.txt" || fail "no glTF: not so told"
grep -q "etna bench rooms" "$work/stderr.txt" || fail "no glTF: whoever has a house in JSON is not told what reads it"
scene "a folder" inside
[ "$(grep -o "$work/inside" "$work/stderr.txt" | wc -l)" = 1 ] || fail "a folder's name is told twice"
gltf nomesh.gltf "{$head,\"nodes\":[{\"name\":\"empty\"}]}"; scene "no meshes" nomesh.gltf

# what is no regular file is not waited for, and what a file's name holds does no harm to a terminal
mkfifo "$work/pipe.glb"; scene "a pipe" pipe.glb
ln -s /dev/zero "$work/endless.glb"; scene "a device" endless.glb
ln -s loop.glb "$work/loop.glb"; scene "a link to itself" loop.glb
printf 'glTF' >"$work/$(printf 'red\033[31m\nline.glb')"; scene "a name with an escape and a line's end" "$(printf 'red\033[31m\nline.glb')"
! grep -q "$(printf '\033')" "$work/stderr.txt" || fail "an escape of a file's name is told as it is"

# numbers that a run cannot compute with are told before it; what is merely squeezed to nothing is a scene
gltf reach.gltf "{$head,$triangle,$accessor,$mesh,\"nodes\":[{\"mesh\":0,\"name\":\"wide\",\"scale\":[1e10,1,1]}]}"
scene "10 million km" reach.gltf
grep -q '"wide" reaches beyond 1e9 m' "$work/stderr.txt" || fail "10 million km: not so told"
gltf speck.gltf "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1]}],$triangle,$accessor,$mesh,
    \"nodes\":[{\"mesh\":0},{\"mesh\":0,\"scale\":[1e-30,1e-30,1e-30],\"translation\":[0.2,0,0.2]}]}"
"$etna" check "$work/speck.gltf" >/dev/null 2>&1
[ $? -le 1 ] || fail "a speck ends the check"

# other makes, read in a child: none of these may take its time or its memory
printf 'v 1e308 0 0\nv 0 1e308 0\nv 0 0 1e308\nf 1 2 3\n' >"$work/far.obj"; scene "OBJ, 1e308" far.obj
{ head -c 80 /dev/zero; printf '\0\050\153\356'; head -c 100 /dev/zero; } >"$work/four.stl"; scene "STL, 4 billion triangles" four.stl
printf 'ply\nformat ascii 1.0\nelement vertex -5\nproperty float x\nelement face -1\nproperty list uchar int vertex_index\nend_header\n' >"$work/less.ply"
scene "PLY, counts below zero" less.ply
printf 'Kaydara FBX Binary  \0\032\0\350\034\0\0\377\377\377\0' >"$work/cut.fbx"; scene "FBX, cut off" cut.fbx
{
    printf '<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "aaaaaaaaaa">'
    for pair in ab bc cd de ef fg gh hi ij; do
        printf '<!ENTITY %s "%s">' "${pair#?}" "$(printf "&${pair%?};%.0s" 1 2 3 4 5 6 7 8 9 10)"
    done
    printf ']><COLLADA version="1.4.1"><asset><contributor><author>&j;</author></contributor></asset></COLLADA>'
} >"$work/bomb.dae"; scene "COLLADA, entities of entities" bomb.dae
printf 'PK\003\004' >"$work/cut.sh3f"; nothing 3 "a library cut off" run "$work/cut.sh3f#1" --goal "$goal" -o "$work/out"

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
# What is missing around the program is told with what to do.
mkdir "$work/alone" && cp "$etna" "$work/alone/etna"
whole=$etna etna=$work/alone/etna
nothing 4 "a program without its worker" run "$good" --goal "$goal" -o "$work/out"
grep -q "etna-worker: No such file or directory; it belongs beside the etna program" "$work/stderr.txt" || fail "a missing worker: not so told"
etna=$whole
rm -r "$work/alone"
mkdir "$work/linked" && ln -s nowhere "$work/linked/owner"
nothing 4 "a store that cannot be had" run "$good" --goal "$goal" -o "$work/out" --store "$work/linked"
grep -q "choose another store with --store" "$work/stderr.txt" || fail "a store that cannot be had: not so told"
finish
