"""Blender's scene.ray_cast: object, point and normal of each ray of a list. Arguments: scene, rays, repeats."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

import blender_common as common  # noqa: E402
from peer import measure, say  # noqa: E402

SCENE, RAYS, REPEATS = common.ARGUMENTS


def main():
    count = common.load(SCENE)
    rows = [[float(x) for x in line.split()] for line in open(RAYS)]
    rays = [(Vector(r[:3]), Vector(r[3:]).normalized()) for r in rows[:20000]]
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()

    def cast():
        for origin, direction in rays:
            scene.ray_cast(graph, origin, direction)
    say("rays", common.NAME + " scene.ray_cast", [len(rays) / ms / 1e3 for ms in measure(cast, int(REPEATS))], count)


main()
