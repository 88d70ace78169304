#!/usr/bin/env python3
"""The rules of glTF 2.0 that a file's reader cannot do without, by code that is not Etna's.

usage: gltf_rules.py FILE.glb [INPUT.glb]

Prints a line a fault and exits 1 where there is one; with INPUT, only faults that INPUT has not. Looked at are: the container; what
refers to what; accessors within their views, aligned, with the bounds and index values that their data have; nodes as a forest with
sound transforms; images that are what they say; texture coordinates that are there; extensions that are named; no empty lists.
"""
import array
import json
import math
import struct
import sys

SIZE = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
CODE = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
LISTS = ["accessors", "animations", "buffers", "bufferViews", "cameras", "images", "materials", "meshes", "nodes", "samplers", "scenes",
         "skins", "textures", "extensionsUsed", "extensionsRequired"]
COMPRESSED = "KHR_draco_mesh_compression"


class Rules:
    def __init__(self, path):
        self.faults, self.tree, self.data = [], {}, b""
        self.container(open(path, "rb").read())

    def say(self, where, what):
        self.faults.append(f"{where}: {what}")

    def container(self, raw):
        magic, version, length = struct.unpack_from("<4sII", raw)
        if magic != b"glTF" or version != 2 or length != len(raw) or length % 4:
            self.say("file", "the header does not tell its length, in fours")
        size, kind = struct.unpack_from("<I4s", raw, 12)
        if kind != b"JSON" or size % 4:
            self.say("file", "the first chunk is no JSON of a length in fours")
        text = raw[20:20 + size]
        self.tree = json.loads(text.decode("utf-8"))
        at = 20 + size
        while at < len(raw):
            size, kind = struct.unpack_from("<I4s", raw, at)
            if size % 4 or at + 8 + size > len(raw):
                self.say("file", "a chunk goes beyond the file or is no length in fours")
            if kind == b"BIN\0" and not self.data:
                self.data = raw[at + 8:at + 8 + size]
            at += 8 + size

    def list(self, name):
        return self.tree.get(name, [])

    def refers(self, where, index, name):
        good = isinstance(index, int) and 0 <= index < len(self.list(name))
        if not good:
            self.say(where, f"{name}[{index}] is not there")
        return good

    def view(self, i):
        v = self.list("bufferViews")[i]
        begin = v.get("byteOffset", 0)
        return v, self.data[begin:begin + v["byteLength"]]

    # Rows of an accessor; None where its bytes are not here to read.
    def rows(self, i):
        a = self.list("accessors")[i]
        if "bufferView" not in a or "sparse" in a or not a["count"]:
            return None
        v, data = self.view(a["bufferView"])
        if v.get("buffer", 0) or "extensions" in v or "uri" in self.list("buffers")[0]:
            return None
        width, size = WIDTH[a["type"]], SIZE[a["componentType"]]
        stride = v.get("byteStride", width * size)
        begin = a.get("byteOffset", 0)
        if begin + stride * (a["count"] - 1) + width * size > len(data):
            return None
        if stride == width * size:
            values = array.array(CODE[a["componentType"]], data[begin:begin + stride * a["count"]])
            return [values[k:k + width] for k in range(0, len(values), width)]
        form = "<" + str(width) + CODE[a["componentType"]]
        return [struct.unpack_from(form, data, begin + stride * k) for k in range(a["count"])]

    def buffers(self):
        for i, b in enumerate(self.list("buffers")):
            here = i == 0 and "uri" not in b and "extensions" not in b
            if here and not b["byteLength"] <= len(self.data) <= b["byteLength"] + 3:
                self.say(f"buffers[{i}]", f"{b['byteLength']} bytes told, {len(self.data)} there")
        for i, v in enumerate(self.list("bufferViews")):
            where = f"bufferViews[{i}]"
            if not self.refers(where, v.get("buffer"), "buffers"):
                continue
            if v["byteLength"] < 1 or v.get("byteOffset", 0) + v["byteLength"] > self.list("buffers")[v["buffer"]]["byteLength"]:
                self.say(where, "it goes beyond its buffer")
            stride = v.get("byteStride")
            if stride is not None and (stride % 4 or not 4 <= stride <= 252):
                self.say(where, f"a stride of {stride}")

    def accessors(self):
        for i, a in enumerate(self.list("accessors")):
            where = f"accessors[{i}]"
            if a.get("componentType") not in SIZE or a.get("type") not in WIDTH or a.get("count", 0) < 1:
                self.say(where, "no such component, type or count")
                continue
            width, size = WIDTH[a["type"]], SIZE[a["componentType"]]
            for bound in ("min", "max"):
                if bound in a and len(a[bound]) != width:
                    self.say(where, f"{bound} has {len(a[bound])} numbers")
            if "bufferView" not in a or not self.refers(where, a["bufferView"], "bufferViews"):
                continue
            v = self.list("bufferViews")[a["bufferView"]]
            stride = v.get("byteStride", width * size)
            begin = a.get("byteOffset", 0)
            if begin % size or (begin + v.get("byteOffset", 0)) % size or stride < width * size:
                self.say(where, "it is not aligned to its component")
            if begin + stride * (a["count"] - 1) + width * size > v["byteLength"]:
                self.say(where, "it goes beyond its view")
                continue
            self.bounds(where, i, a)

    def bounds(self, where, i, a):
        rows = self.rows(i) if "min" in a or "max" in a or a["componentType"] == 5126 else None
        if rows is None:
            return
        if a["componentType"] == 5126 and not all(math.isfinite(x) for r in rows for x in r):
            self.say(where, "a number is not finite")
        if a.get("normalized"):
            return
        for bound, of in (("min", min), ("max", max)):
            for k, told in enumerate(a.get(bound, [])):
                true = of(r[k] for r in rows)
                if struct.pack("<f", told) != struct.pack("<f", true) and told != true:
                    self.say(where, f"{bound}[{k}] is {told}, of its data {true}")

    def meshes(self):
        for i, m in enumerate(self.list("meshes")):
            if not m.get("primitives"):
                self.say(f"meshes[{i}]", "it has no primitive")
            for k, p in enumerate(m.get("primitives", [])):
                self.primitive(f"meshes[{i}].primitives[{k}]", p)

    def primitive(self, where, p):
        attributes = p.get("attributes", {})
        counts = set()
        for name, i in attributes.items():
            if not self.refers(where, i, "accessors"):
                return
            a = self.list("accessors")[i]
            counts.add(a["count"])
            if name == "POSITION" and ("min" not in a or "max" not in a or a["type"] != "VEC3"):
                self.say(where, "POSITION without bounds")
            if name == "NORMAL" and a["componentType"] == 5126:
                rows = self.rows(i) or []
                if any(abs(math.sqrt(sum(x * x for x in r)) - 1) > 0.00675 for r in rows):
                    self.say(where, "a NORMAL that is no unit vector")
        if len(counts) > 1:
            self.say(where, "attributes of different counts")
        if not attributes:
            self.say(where, "it has no attributes")
        if not 0 <= p.get("mode", 4) <= 6:
            self.say(where, f"mode {p['mode']}")
        if "indices" in p and self.refers(where, p["indices"], "accessors"):
            a = self.list("accessors")[p["indices"]]
            if a["type"] != "SCALAR" or a["componentType"] not in (5121, 5123, 5125):
                self.say(where, "its indices are no whole numbers")
            rows = self.rows(p["indices"])
            if rows and counts and max(r[0] for r in rows) >= max(counts):
                self.say(where, "an index beyond its vertices")
            if p.get("mode", 4) == 4 and a["count"] % 3:
                self.say(where, "indices that make no triangles")
        if "material" in p and self.refers(where, p["material"], "materials"):
            for n in coordinates(self.list("materials")[p["material"]]):
                if f"TEXCOORD_{n}" not in attributes:
                    self.say(where, f"its material wants TEXCOORD_{n}")

    def nodes(self):
        parents = {}
        for i, n in enumerate(self.list("nodes")):
            where = f"nodes[{i}]"
            for name, of in (("mesh", "meshes"), ("camera", "cameras"), ("skin", "skins")):
                if name in n:
                    self.refers(where, n[name], of)
            if "matrix" in n and any(k in n for k in ("translation", "rotation", "scale")):
                self.say(where, "a matrix and parts of one")
            if "matrix" in n and len(n["matrix"]) != 16:
                self.say(where, "a matrix of another size")
            turn = n.get("rotation", [0, 0, 0, 1])
            if len(turn) != 4 or abs(math.sqrt(sum(x * x for x in turn)) - 1) > 0.00005:
                self.say(where, f"a rotation that is no unit quaternion: {turn}")
            if "children" in n and not n["children"]:
                self.say(where, "an empty list of children")
            for c in n.get("children", []):
                if not self.refers(where, c, "nodes"):
                    continue
                if c in parents:
                    self.say(where, f"nodes[{c}] has two parents")
                parents[c] = i
        for i in range(len(self.list("nodes"))):
            at, steps = i, 0
            while at in parents and steps <= len(parents):
                at, steps = parents[at], steps + 1
            if steps > len(parents):
                self.say(f"nodes[{i}]", "it is its own ancestor")
        for i, s in enumerate(self.list("scenes")):
            where = f"scenes[{i}]"
            roots = s.get("nodes", [])
            if "nodes" in s and (not roots or len(set(roots)) != len(roots)):
                self.say(where, "its nodes are none, or one twice")
            for n in roots:
                if self.refers(where, n, "nodes") and n in parents:
                    self.say(where, f"nodes[{n}] is no root")
        if "scene" in self.tree:
            self.refers("file", self.tree["scene"], "scenes")

    def images(self):
        magic = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp", b"\xabKTX": "image/ktx2"}
        for i, m in enumerate(self.list("images")):
            where = f"images[{i}]"
            if ("uri" in m) == ("bufferView" in m):
                self.say(where, "a uri and a view, or neither")
            if "bufferView" not in m or not self.refers(where, m["bufferView"], "bufferViews"):
                continue
            v, data = self.view(m["bufferView"])
            true = next((t for begin, t in magic.items() if data.startswith(begin)), None)
            if true and m.get("mimeType") != true:
                self.say(where, f"it says {m.get('mimeType')} and is {true}")
            if not m.get("mimeType"):
                self.say(where, "a view without a type")
            if any(k in v for k in ("target", "byteStride")):
                self.say(where, "its view is one of vertices")
        for i, t in enumerate(self.list("textures")):
            for name, of in (("source", "images"), ("sampler", "samplers")):
                if name in t:
                    self.refers(f"textures[{i}]", t[name], of)
        for i, m in enumerate(self.list("materials")):
            for t in textures(m):
                self.refers(f"materials[{i}]", t.get("index"), "textures")
            if m.get("alphaMode", "OPAQUE") not in ("OPAQUE", "MASK", "BLEND"):
                self.say(f"materials[{i}]", f"alphaMode {m['alphaMode']}")
            base = m.get("pbrMetallicRoughness", {})
            numbers = base.get("baseColorFactor", []) + [base.get("metallicFactor", 0), base.get("roughnessFactor", 0)]
            if any(not 0 <= x <= 1 for x in numbers + m.get("emissiveFactor", [])):
                self.say(f"materials[{i}]", "a factor beyond 0 to 1")
        for i, s in enumerate(self.list("samplers")):
            good = s.get("magFilter", 9728) in (9728, 9729) and s.get("minFilter", 9728) in (9728, 9729, 9984, 9985, 9986, 9987)
            wraps = all(s.get(w, 10497) in (33071, 33648, 10497) for w in ("wrapS", "wrapT"))
            if not good or not wraps:
                self.say(f"samplers[{i}]", "a filter or a wrap that is none")

    def whole(self):
        if self.tree.get("asset", {}).get("version") != "2.0":
            self.say("file", "asset.version is not 2.0")
        used, required = self.list("extensionsUsed"), self.list("extensionsRequired")
        for name in extensions(self.tree) - set(used):
            self.say("file", f"extension {name} is not named in extensionsUsed")
        for name in set(required) - set(used):
            self.say("file", f"extension {name} is required and not used")
        for names in (used, required):
            if len(set(names)) != len(names):
                self.say("file", "an extension is named twice")
        for name in LISTS:
            if name in self.tree and not self.tree[name]:
                self.say("file", f"an empty list of {name}")

    def all(self):
        for part in (self.whole, self.buffers, self.accessors, self.meshes, self.nodes, self.images):
            part()
        return self.faults


def extensions(tree):
    found = set()
    if isinstance(tree, dict):
        for key, value in tree.items():
            if key == "extensions" and isinstance(value, dict):
                found |= set(value)
            if key != "extras":
                found |= extensions(value)
    elif isinstance(tree, list):
        for value in tree:
            found |= extensions(value)
    return found


def textures(material):
    found = []
    for key, value in material.items():
        if key.endswith("Texture"):
            found.append(value)
        elif isinstance(value, dict) and key != "extras":
            found += textures(value)
    return found


def coordinates(material):
    return {t.get("extensions", {}).get("KHR_texture_transform", {}).get("texCoord", t.get("texCoord", 0)) for t in textures(material)}


def main(arguments):
    faults = Rules(arguments[0]).all()
    known = set(Rules(arguments[1]).all()) if len(arguments) > 1 else set()
    new = [f for f in faults if f not in known]
    for f in new:
        print(f)
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
