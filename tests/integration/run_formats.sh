# Scenes of other makes with the real programs: each is told, rendered and checked; a goal on an OBJ ends in a
# result.glb; what is hostile gets one clear line and exit code 3, and leaves nothing behind.
. "$(dirname "$0")/lib.sh"
furniture=/usr/share/sweethome3d/furniture

# box NAME X0 Y0 Z0 X1 Y1 Z1: one more OBJ object on stdout; Y is up.
vertices=0
box() {
    echo "o $1"
    for z in "$4" "$7"; do printf 'v %s %s %s\nv %s %s %s\nv %s %s %s\nv %s %s %s\n' "$2" "$3" "$z" "$5" "$3" "$z" "$5" "$6" "$z" "$2" "$6" "$z"; done
    echo "usemtl $1"
    local f
    for f in "4 3 2 1" "5 6 7 8" "1 2 6 5" "3 4 8 7" "5 8 4 1" "2 3 7 6"; do
        # shellcheck disable=SC2086
        set -- $f
        echo "f $((vertices + $1)) $((vertices + $2)) $((vertices + $3)) $((vertices + $4))"
    done
    vertices=$((vertices + 8))
}

# ---- a goal on an OBJ ----
room=$work/room
mkdir "$room"
{
    echo "mtllib room.mtl"
    box floor -2 -0.1 -2 2 0 2
    box table -0.6 0 -0.4 0.6 0.7 0.4
    box red_box 1 0 0.9 1.2 0.2 1.1
    box blue_box -1.4 0 0.9 -1.2 0.15 1.1
} >"$room/room.obj"
printf 'newmtl %s\nKd %s\n' floor "0.6 0.6 0.6" table "0.5 0.3 0.1" red_box "0.8 0 0" blue_box "0 0 0.8" >"$room/room.mtl"
"$etna" scene info "$room/room.obj" --json >"$work/info.json" 2>"$work/info.txt" || fail "scene info of an OBJ: $(head -2 "$work/info.txt")"
expect "objects" "$(json "$work/info.json" '[.objects[].name] | join(" ")')" "floor table red_box blue_box"
expect "heights" "$(json "$work/info.json" '[.objects[] | .max[2] * 100 | round] | join(" ")')" "0 70 20 15"
run_ok "$work/goal" "$room/room.obj" --goal "Put the red box on the table" --no-images
expect "what moved" "$(json "$work/goal/stdout.json" '.steps[0].object')" red_box
expect "the source" "$(cd "$room" && ls | tr '\n' ' ')" "room.mtl room.obj "

# ---- a file's name that is no UTF-8 ----
cp "$scenes/bottles.glb" "$work/$(printf 'K\374che').glb"
run_ok "$work/odd" "$work/$(printf 'K\374che').glb" --goal "Put the red bottle on the yellow block" --no-images
expect "the scene's name" "$(json "$work/odd/stdout.json" '.scene | sub(".*/"; "")')" "Küche.glb"

# ---- units and axes ----
"$etna" scene info "$room/room.obj" --unit 0.01 --up Z --json >"$work/info.json" 2>/dev/null || fail "scene info with --unit and --up"
expect "a table in centimetres, Z up" "$(json "$work/info.json" '.objects[] | select(.name == "table") | [.max[], .min[]] | map(. * 10000 | round) | join(" ")')" \
    "60 70 40 -60 0 -40"

# ---- a library ----
if [ -e "$furniture/KatorLegaz.sh3f" ]; then
    "$etna" scene info "$furniture/KatorLegaz.sh3f" >"$work/list.txt" 2>&1 || fail "the library cannot be listed"
    grep -q '^90 models of' "$work/list.txt" || fail "the list does not end with the number of models"
    "$etna" scene info "$furniture/KatorLegaz.sh3f#futon-couch" --json >"$work/info.json" 2>/dev/null || fail "a model of the library"
    "$etna" scene info "$furniture/KatorLegaz.sh3f" --json >"$work/list.json" 2>/dev/null
    expect "a model's size" "$(json "$work/info.json" '.objects[0] | [(.max[0] - .min[0]), (.max[1] - .min[1]), (.max[2] - .min[2])] | map(. * 1000 | round) | join(" ")')" \
        "$(json "$work/list.json" '.models[] | select(.name == "Futon couch") | .size | map(. * 1000 | round) | join(" ")')"
    expect "a model's name" "$(json "$work/info.json" '.objects[0].name')" "Futon couch"
    faulty "a whole library" "name one of them" check "$furniture/KatorLegaz.sh3f"
    faulty "an unknown model" "no model" check "$furniture/KatorLegaz.sh3f#no such thing"
else
    echo "SKIPPED: sweethome3d-furniture is not installed: no library is read"
fi

# ---- .blend ----
blend=$data/blend/cornell_box/cornellBox-PBR-gltf.blend
if [ ! -e "$blend" ]; then
    echo "SKIPPED: no .blend in \$ETNA_TEST_DATA"
elif command -v blender >/dev/null; then
    "$etna" scene info "$blend" --json >"$work/info.json" 2>"$work/info.txt" || fail "a .blend: $(head -2 "$work/info.txt")"
    [ "$(json "$work/info.json" '.objects | length')" -ge 3 ] || fail "too few objects of a .blend"
    cp "$blend" "$work/cut.blend" && truncate -s 1000 "$work/cut.blend"
    faulty "a damaged .blend" "cut.blend" check "$work/cut.blend"

    # The same room in every format that Blender writes: the table stands at the same place with the same size, and all
    # face the same way.
    cat >"$work/make.py" <<'PYTHON'
import bpy, numpy, sys
numpy.bool = bool
folder = sys.argv[sys.argv.index("--") + 1]
bpy.ops.wm.read_factory_settings(use_empty=True)
for name, at, size, turn in (("floor", (0, 0, -0.05), (4, 3, 0.1), 0), ("table", (0.5, 0, 0.35), (1, 0.6, 0.7), 0), ("stool", (-1, 1, 0.25), (0.4, 0.6, 0.5), 30)):
    bpy.ops.mesh.primitive_cube_add(size=1, location=at)
    bpy.context.object.name = bpy.context.object.data.name = name
    bpy.context.object.scale = size
    bpy.context.object.rotation_euler[2] = turn * 3.14159265358979 / 180
bpy.ops.wm.save_as_mainfile(filepath=folder + "/made.blend")
bpy.ops.export_scene.fbx(filepath=folder + "/made.fbx")
bpy.ops.export_scene.fbx(filepath=folder + "/made_baked.fbx", bake_space_transform=True)
bpy.ops.export_scene.fbx(filepath=folder + "/made_z.fbx", axis_up="Z", axis_forward="Y", apply_scale_options="FBX_SCALE_UNITS")
bpy.ops.wm.collada_export(filepath=folder + "/made.dae")
bpy.ops.export_scene.obj(filepath=folder + "/made.obj")
bpy.ops.object.select_all(action="DESELECT")
bpy.data.objects["table"].select_set(True)
bpy.ops.export_mesh.ply(filepath=folder + "/table.ply", use_selection=True)
bpy.ops.export_mesh.stl(filepath=folder + "/table.stl", use_selection=True)
PYTHON
    mkdir "$work/made"
    HOME=$work/made XDG_RUNTIME_DIR=$work/made blender --background -noaudio --factory-startup --python "$work/make.py" -- "$work/made" >"$work/blender.txt" 2>&1
    for file in made.blend made.fbx made_baked.fbx made_z.fbx made.dae made.obj "table.ply --up Z" "table.stl --up Z"; do
        # shellcheck disable=SC2086
        "$etna" scene info "$work/made/"$file --json >"$work/info.json" 2>"$work/info.txt" || fail "$file: $(head -2 "$work/info.txt")"
        expect "the table of $file" "$(json "$work/info.json" '.objects[] | select(.name | startswith("table")) | [.min[], .max[]] | map((. * 1000 | round) + 0) | join(" ")')" \
            "0 -300 0 1000 300 700"
        case $file in table*) continue ;; esac # alone
        expect "the headings of $file" "$(json "$work/info.json" '[.objects | sort_by(.name)[] | (.yaw_deg | round) + 0] | join(" ")')" "0 30 0"
    done
else
    echo "SKIPPED: Blender is not installed: no .blend is read"
fi
: >"$work/some.blend"
PATH=$work/no-tools "$etna" check "$work/some.blend" >/dev/null 2>"$work/stderr.txt"
expect "no Blender: exit code" "$?" 3
grep -q 'Export > glTF' "$work/stderr.txt" || fail "without Blender no advice: $(cat "$work/stderr.txt")"

# ---- hostile ----
hostile() { faulty "$1" "$2" check "$work/bad/$3"; }
mkdir "$work/bad"
triangle='v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
printf "mtllib ../room/room.mtl\n$triangle" >"$work/bad/out.obj"; hostile "a file outside the folder" "outside" out.obj
printf "mtllib /etc/passwd\n$triangle" >"$work/bad/root.obj"; hostile "an absolute file" "outside" root.obj
printf "newmtl m\nmap_Kd ../../../../etc/passwd\n" >"$work/bad/m.mtl"
printf "mtllib m.mtl\nusemtl m\n$triangle" >"$work/bad/picture.obj" # it is not opened, and not needed
"$etna" scene info "$work/bad/picture.obj" >/dev/null 2>"$work/stderr.txt" || fail "a picture outside the folder: $(cat "$work/stderr.txt")"
grep -q "passwd.*colour stands in" "$work/stderr.txt" || fail "a picture outside the folder costs no warning"
printf 'v 1e39 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/bad/nan.obj"; hostile "no numbers" "not finite" nan.obj
{ printf 'Kaydara FBX Binary  \0\032\0\350\034\0\0'; head -c 4096 /dev/zero | tr '\0' '\377'; } >"$work/bad/bad.fbx"; hostile "a bad FBX" "bad.fbx" bad.fbx
{ head -c 80 /dev/zero; printf '\377\377\377\377'; head -c 200 /dev/zero; } >"$work/bad/many.stl"; hostile "4 billion facets" "many.stl" many.stl
printf 'ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\nxxxx' >"$work/bad/many.ply"
hostile "2 billion vertices" "promises" many.ply
{ printf '<?xml version="1.0"?><COLLADA version="1.4.1"><library_visual_scenes><visual_scene id="s">'
  awk 'BEGIN { for (i = 0; i < 200000; i++) printf "<node id=\"n%d\">", i }'; } >"$work/bad/deep.dae"; hostile "200,000 deep nodes" "deep.dae" deep.dae
printf '<?xml version="1.0"?><COLLADA version="1.4.1"><library_nodes><node id="a"><instance_node url="#a"/></node></library_nodes><library_visual_scenes><visual_scene id="s"><node id="n"><instance_node url="#a"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>' >"$work/bad/cycle.dae"
hostile "nodes in a cycle" "cycle.dae" cycle.dae
: >"$work/bad/empty.fbx"; hostile "an empty file" "empty.fbx" empty.fbx
hostile "no file" "none.obj" none.obj
printf 'PK\003\004 nothing' >"$work/bad/lib.sh3f"; hostile "a broken library" "ZIP" "lib.sh3f#1"
faulty "a broken library, listed" "ZIP" scene info "$work/bad/lib.sh3f"
faulty "a run on a bad scene" "outside" run "$work/bad/out.obj" --goal "Put the box on the table" -o "$work/out"
[ -z "$(ls -A "$work/out" 2>/dev/null)" ] || fail "a run on a bad scene: something in the output folder"
finish
