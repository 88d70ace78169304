"""What the Blender scripts share: the arguments after --, a GLB in an empty file, and its triangles counted."""
import os
import sys

import bpy
import numpy

if "bool" not in vars(numpy):  # Blender 3.4's glTF importer is older than the numpy beside it
    numpy.bool = bool

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import peer  # noqa: E402

NAME = "Blender " + bpy.app.version_string
ARGUMENTS = sys.argv[sys.argv.index("--") + 1:]


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.preferences.edit.use_global_undo = False


def load(path):
    clear()
    bpy.ops.import_scene.gltf(filepath=path)
    return triangles()


def triangles():
    """All that stand in the scene, every instance counted, as polygons are cut into triangles."""
    return sum(len(p.vertices) - 2 for o in bpy.context.scene.objects if o.type == "MESH" for p in o.data.polygons)


def triangles_fast():
    """The same by numpy, for scenes of millions."""
    known, total = {}, 0
    for o in bpy.context.scene.objects:
        if o.type != "MESH":
            continue
        if o.data.name not in known:
            sizes = numpy.empty(len(o.data.polygons), dtype=numpy.int32)
            o.data.polygons.foreach_get("loop_total", sizes)
            known[o.data.name] = int((sizes - 2).sum())
        total += known[o.data.name]
    return total
