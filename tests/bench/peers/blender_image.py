"""Cycles on the CPU: an instance map as one sample with an object index, an image as 16 samples and a sun with soft shadows,
written as PNG. Arguments: the map's line or -, the image's line or -, scene, camera (13 numbers), repeats, file."""
import math
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402
from mathutils import Matrix  # noqa: E402

import blender_common as common  # noqa: E402
from peer import measure, say  # noqa: E402

MAP, IMAGE, SCENE, CAMERA, REPEATS, FILE = common.ARGUMENTS


def aim():
    n = [float(x) for x in CAMERA.split()]
    place, right, up, forward = (n[3 * k:3 * k + 3] for k in range(4))
    data = bpy.data.cameras.new("bench")
    data.sensor_fit, data.angle = "VERTICAL", 2 * math.atan(n[12])
    camera = bpy.data.objects.new("bench", data)
    camera.matrix_world = Matrix([[right[k], up[k], -forward[k], place[k]] for k in range(3)] + [[0, 0, 0, 1]])
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera


def render(samples):
    scene = bpy.context.scene
    scene.cycles.samples = samples
    bpy.ops.render.render(write_still=True)


def main():
    count = common.load(SCENE)
    aim()
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.use_denoising = scene.cycles.use_adaptive_sampling = False
    scene.render.resolution_x = scene.render.resolution_y = 1024
    scene.render.resolution_percentage = 100
    scene.render.use_persistent_data = True
    scene.render.filepath = FILE
    if MAP != "-":
        bpy.context.view_layer.use_pass_object_index = True
        scene.cycles.max_bounces = 0
        say(MAP, common.NAME + " Cycles, 1 sample, 2 threads", measure(lambda: render(1), int(REPEATS), None, time.perf_counter), count)
    if IMAGE != "-":
        scene.cycles.max_bounces = 1
        sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
        sun.data.angle = 0.1
        bpy.context.collection.objects.link(sun)
        say(IMAGE, common.NAME + " Cycles, 16 samples, 2 threads", measure(lambda: render(16), int(REPEATS), None, time.perf_counter), count)


main()
