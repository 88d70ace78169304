"""Blender's way back to a state: the .blend opened again. Arguments: line, scene, file, repeats."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bpy  # noqa: E402

import blender_common as common  # noqa: E402
from peer import measure, say  # noqa: E402

LINE, SCENE, FILE, REPEATS = common.ARGUMENTS


def main():
    common.load(SCENE)
    bpy.ops.wm.save_as_mainfile(filepath=FILE)
    taken = measure(lambda: bpy.ops.wm.open_mainfile(filepath=FILE), int(REPEATS))
    say(LINE, common.NAME + ", .blend reopened", taken, common.triangles_fast())


main()
