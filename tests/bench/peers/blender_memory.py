"""The most memory Blender held for a GLB imported, in MB. Arguments: line, scene."""
import os
import resource
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402

import blender_common as common  # noqa: E402
from peer import say  # noqa: E402

LINE, SCENE = common.ARGUMENTS
common.clear()
bpy.ops.import_scene.gltf(filepath=SCENE)
bpy.context.evaluated_depsgraph_get()
say(LINE, common.NAME + ", imported", [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024], common.triangles_fast())
