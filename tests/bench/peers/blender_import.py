"""Blender's import of a GLB, to the first ray. Arguments: line, scene, repeats."""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

import blender_common as common  # noqa: E402
from peer import measure, say  # noqa: E402

LINE, SCENE, REPEATS = common.ARGUMENTS


def work():
    bpy.ops.import_scene.gltf(filepath=SCENE)
    graph = bpy.context.evaluated_depsgraph_get()
    bpy.context.scene.ray_cast(graph, Vector((0, 0, 10)), Vector((0, 0, -1)))


say(LINE, common.NAME + " import_scene.gltf", measure(work, int(REPEATS), common.clear, time.perf_counter), common.triangles_fast())
