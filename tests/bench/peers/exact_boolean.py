"""Is the intersection of two objects empty after a shift of the threshold? Asked of Blender's exact boolean.

Reads what tests/integration/pairs.c makes, prints a JSON document a pair and line: along which direction the intersection was
empty (`free`; null: along none), and where that is not our verdict, what could be the reason: pairs of triangles by which
either cuts itself, what the boolean says when it is told to look for that (`careful`), how many triangles cross where it found nothing, what it says
at our depth, and here.

    blender -b --factory-startup -P tests/bench/peers/exact_boolean.py -- PAIRS OUT
"""
import json
import sys

import bpy
from mathutils.bvhtree import BVHTree

LEAST = 2e-5  # metres: an intersection thinner than this is contact (METHODS.md 6: 10 micrometres from either side)


def add(name, data):
    vertex, index = data["vertex"], data["index"]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([vertex[i:i + 3] for i in range(0, len(vertex), 3)], [], [index[i:i + 3] for i in range(0, len(index), 3)])
    mesh.validate()
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def drop(thing):
    mesh = thing.data
    bpy.data.objects.remove(thing)
    bpy.data.meshes.remove(mesh)


def thickness(mesh):
    """The least extent of what is left over the axes, and its volume; 0 when nothing is."""
    if not mesh.polygons:
        return 0.0
    at = [v.co for v in mesh.vertices]
    return min(max(c[k] for c in at) - min(c[k] for c in at) for k in range(3))


def tree_of(data, shift=(0, 0, 0)):
    vertex, index = data["vertex"], data["index"]
    return BVHTree.FromPolygons([[vertex[i + k] + shift[k] for k in range(3)] for i in range(0, len(vertex), 3)],
                                [index[i:i + 3] for i in range(0, len(index), 3)], all_triangles=True)


def cuts_itself(data):
    """How many pairs of its triangles meet that share no corner: pieces within one another. A boolean takes such an object
    for what it is only when it is told (use_self)."""
    index = data["index"]
    faces = [tuple(index[i:i + 3]) for i in range(0, len(index), 3)]
    tree = tree_of(data)
    return sum(1 for i, k in tree.overlap(tree) if i < k and not set(faces[i]) & set(faces[k]))


class Pair:
    def __init__(self, pair):
        self.a, self.b = add("a", pair["a"]), add("b", pair["b"])
        self.modifier = self.a.modifiers.new("both", "BOOLEAN")
        self.modifier.operation, self.modifier.solver, self.modifier.object = "INTERSECT", "EXACT", self.b
        self.asked = 0

    def empty(self, direction, way, careful=False):
        self.modifier.use_self = self.modifier.use_hole_tolerant = careful
        self.a.location = [way * d for d in direction]
        self.asked += 1
        shape = self.a.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shape.to_mesh()
        thin = thickness(mesh) < LEAST
        shape.to_mesh_clear()
        return thin

    def free_along(self, directions, way, careful=False):
        for i, direction in enumerate(directions):
            if self.empty(direction, way, careful):
                return i
        return None

    def close(self):
        drop(self.a)
        drop(self.b)


def judge(pair):
    both = Pair(pair)
    directions, threshold, depth = pair["directions"], pair["threshold"], pair["depth"]
    free = both.free_along(directions, threshold)
    told = {"names": pair["names"], "closed": all(pair["closed"]), "threshold": threshold, "depth": depth, "deeper": pair["deeper"],
            "collides": pair["collides"], "free": free}
    if (free is None) != pair["collides"]:
        told["cuts_itself"] = [cuts_itself(pair["a"]), cuts_itself(pair["b"])]
        if free is not None:  # closed surfaces that cross hold something between them, whatever the boolean says
            told["crossing"] = len(tree_of(pair["a"], [threshold * d for d in directions[free]]).overlap(tree_of(pair["b"])))
        told["careful"] = both.free_along(directions, threshold, True)
        told["at_depth"] = both.free_along(directions, depth + 2e-4)
        told["here"] = both.empty([0, 0, 1], 0)
    told["asked"] = both.asked
    both.close()
    return told


def main():
    source, target = sys.argv[sys.argv.index("--") + 1:][:2]
    with open(source) as pairs, open(target, "w") as out:
        for line in pairs:
            print(json.dumps(judge(json.loads(line))), file=out, flush=True)


main()
