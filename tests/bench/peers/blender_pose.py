"""Does an object collide where it stands, and how deep? As people ask Blender: the moved object solidified and remeshed, then
the exact boolean's intersection with every other whose box meets its own; a collision is an overlap that reaches more than
1 cm into the moved object's box. Arguments: scene, poses as JSON, repeats."""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

import blender_common as common  # noqa: E402
from peer import measure, say  # noqa: E402

SCENE, POSES, REPEATS = common.ARGUMENTS
THRESHOLD = 0.01


def box(o):
    corners = [o.matrix_world @ Vector(c) for c in o.bound_box]
    return [min(c[k] for c in corners) for k in range(3)], [max(c[k] for c in corners) for k in range(3)]


def meets(a, b):
    return all(a[0][k] <= b[1][k] and b[0][k] <= a[1][k] for k in range(3))


def reach(overlap, whole):
    """How far the overlap's vertices reach into the moved object's box from its nearest side."""
    return max((min(min(p[k] - whole[0][k], whole[1][k] - p[k]) for k in range(3)) for p in overlap), default=0.0)


def overlap(moved, other):
    cut = moved.modifiers.new("cut", "BOOLEAN")
    cut.operation, cut.solver, cut.object = "INTERSECT", "EXACT", other
    evaluated = moved.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = [evaluated.matrix_world @ v.co for v in evaluated.data.vertices]
    moved.modifiers.remove(cut)
    return points


def verdict(moved, others, at, every):
    """Everything is computed anew, as it is for one pose in a fresh evaluation."""
    moved.location = at
    thick = moved.modifiers.new("solidify", "SOLIDIFY")
    thick.thickness = 0.001
    mesh = moved.modifiers.new("remesh", "REMESH")
    mesh.mode, mesh.voxel_size = "VOXEL", 0.004
    bpy.context.view_layer.update()
    whole, depths = box(moved), []
    for other in others:
        if not meets(whole, box(other)):
            continue
        depths.append(reach(overlap(moved, other), whole))
        if depths[-1] > THRESHOLD and not every:
            break
    moved.modifiers.clear()
    return depths


def main():
    count = common.load(SCENE)
    objects = bpy.context.scene.objects
    others = [o for o in objects if o.name.startswith("ball_")]
    for pose in json.load(open(POSES)):
        moved = objects[pose["object"]]
        home = moved.location.copy()
        at = home + Vector(pose["by"])
        every = pose["line"].endswith("depths")
        say(pose["line"], common.NAME + ", solidify + remesh + boolean", measure(lambda: verdict(moved, others, at, every), int(REPEATS)), count)
        moved.location = home


main()
