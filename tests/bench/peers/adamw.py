#!/usr/bin/python3
"""What PyTorch's AdamW does on the losses of METHODS.md 5, so that the solver's descent can be held against it.

Prints tests/unit/worker/solve/adamw_traces.h: a few problems and, for two starts each, the poses after the first twenty
steps and after every hundredth of 800, and the last loss. The losses are written out plainly over a batch in double and
differentiated by autograd. Needs Debian's python3-torch; the test reads only the stored numbers.

    /usr/bin/python3 tests/bench/peers/adamw.py > tests/unit/worker/solve/adamw_traces.h
"""
import math

import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
ITERATIONS = 800
STORED = list(range(1, 21)) + list(range(100, ITERATIONS + 1, 100))


def unit(v):
    length = math.sqrt(sum(x * x for x in v))
    return [x / length for x in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def camera(eye, look):
    forward = unit([l - e for l, e in zip(look, eye)])
    right = unit(cross(forward, [0, 0, 1]))
    return {"eye": eye, "forward": forward, "right": right, "up": cross(right, forward)}


def hull(normal, base, corners):
    """A polygon in a plane's frame as edges: unit outward normals in space, how far each reaches, and its middle."""
    u = unit(cross([0, 0, 1] if abs(normal[2]) < 0.9 else [0, 1, 0], normal))
    v = cross(normal, u)
    edges = []
    for i, a in enumerate(corners):
        b = corners[(i + 1) % len(corners)]
        length = math.hypot(b[0] - a[0], b[1] - a[1])
        x, y = (b[1] - a[1]) / length, -(b[0] - a[0]) / length
        outward = [x * u[k] + y * v[k] for k in range(3)]
        edges.append((outward, x * a[0] + y * a[1] + dot(outward, base)))
    middle = [sum(c[k] for c in corners) / len(corners) + dot(base, w) for k, w in ((0, u), (1, v))]
    return {"edges": edges, "u": u, "v": v, "middle": middle}


TILTED = unit([0.1, 0.05, -0.99])
WALL = unit([0.12, -0.99, 0.0])
PROBLEMS = [
    {   # a thing on a table, faced to a point
        "half": [0.05, 0.04, 0.1], "origin": [0, 0, 0], "perspective": 1, "scale": [0.65, 0.87], "decay": 0,
        **camera([0.1, -2, 1.5], [0.02, 0.01, 0.03]),
        "terms": [
            {"kind": "TERM_PIXEL", "weight": 0.5, "drop": 0.1, "target": [0.52, 0.47], "lane": [[0.013, -0.021], [-0.05, 0.04]]},
            {"kind": "TERM_CONTACT", "weight": 100, "normal": [0, 0, 1], "offset": 0.01, "face": "FACE_DOWN"},
            {"kind": "TERM_INSIDE", "weight": 20, **hull([0, 0, 1], [0.01, 0.02, 0], [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]])},
            {"kind": "TERM_FACING", "weight": 0.5, "point": [1.1, 0.9, 0], "lane": [[0, -1], [0, -1]]},
            {"kind": "TERM_DISTANCE", "weight": 0.3, "point": [1.1, 0.9, 0.1], "offset": 1.4},
        ],
        "start": [[0.07, 0.11, 0.31, 0.6], [-0.2, 0.05, 0.2, -1.3]],
    },
    {   # a picture at a wall over the middle of a small plane, its back to the wall
        "half": [0.3, 0.02, 0.2], "origin": [0, 0, 0], "perspective": 1, "scale": [0.5, 0.7], "decay": 0,
        **camera([0.3, -3, 1.2], [0.05, 0.5, 0.8]),
        "terms": [
            {"kind": "TERM_PIXEL", "weight": 0.5, "drop": 0, "target": [0.45, 0.4], "lane": [[0.02, 0.01], [-0.1, -0.06]]},
            {"kind": "TERM_CONTACT", "weight": 100, "normal": WALL, "offset": -0.7, "face": "FACE_SIDE", "lane": [[0, 1], [1, 0]]},
            {"kind": "TERM_FACING", "weight": 0.5, "normal": [-x for x in WALL], "lane": [[0, 1], [1, 0]]},
            {"kind": "TERM_MIDDLE", "weight": 20,
             **hull([0, 0, 1], [0.1, 0.6, 0.4], [[-0.2, -0.1], [0.1, -0.15], [0.25, 0.05], [0.05, 0.2], [-0.15, 0.15]])},
        ],
        "start": [[0.2, 0.3, 0.6, 0.3], [-0.15, 0.9, 0.9, -1.2]],
    },
    {   # under a sloping ceiling before an orthographic camera, its back to a direction; with the paper's weight decay
        "half": [0.1, 0.15, 0.25], "origin": [0.3, -0.2, 0.5], "perspective": 0, "scale": [0.25, 0.33], "decay": 0.01,
        **camera([1.5, -2.5, 1.1], [0.1, 0.1, 0.9]),
        "terms": [
            {"kind": "TERM_PIXEL", "weight": 0.5, "drop": 0, "target": [0.55, 0.42], "lane": [[0.03, 0.0], [-0.02, 0.05]]},
            {"kind": "TERM_CONTACT", "weight": 100, "normal": TILTED, "offset": -1.2, "face": "FACE_UP"},
            {"kind": "TERM_INSIDE", "weight": 20, **hull(TILTED, [0, 0.1, 1.2], [[-0.6, -0.5], [0.7, -0.4], [0.1, 0.8]])},
            {"kind": "TERM_FACING", "weight": 0.5, "normal": [-0.5, 0.83, 0.1], "lane": [[0, 1], [0, 1]]},
        ],
        "start": [[0.1, 0.2, 0.7, 2.5], [-0.4, -0.3, 1.0, -0.4]],
    },
]


def along(points, v):
    return points @ torch.tensor([float(x) for x in v])


def corners(problem, pose, lane, face):
    """The four corners of a face, turned by yaw about the box's centre: (batch, 4, 3)."""
    hx, hy, hz = problem["half"]
    local = []
    for b, side in enumerate(lane):
        rows = []
        for x in (-1, 1):
            for y in (-1, 1):
                for z in (-1, 1):
                    on = {"FACE_UP": z > 0, "FACE_DOWN": z < 0, "FACE_SIDE": x == side[0] if side[0] else y == side[1]}[face]
                    if on:
                        rows.append([x * hx, y * hy, z * hz])
        local.append(rows)
    local = torch.tensor(local)
    c, s = torch.cos(pose[:, 3:4]), torch.sin(pose[:, 3:4])
    turned = [c * local[:, :, 0] - s * local[:, :, 1], s * local[:, :, 0] + c * local[:, :, 1], local[:, :, 2]]
    return torch.stack([t + pose[:, k:k + 1] for k, t in enumerate(turned)], dim=2)


def outside(points, term):
    worst = [torch.relu(along(points, outward) - reach) for outward, reach in term["edges"]]
    return torch.stack(worst, dim=-1).flatten(1).max(dim=1).values


def loss_of(problem, term, pose):
    lane = term.get("lane", [[0, 0]] * len(pose))
    at, kind = pose[:, :3], term["kind"]
    if kind == "TERM_PIXEL":
        d = at - torch.tensor([0, 0, float(term["drop"])]) - torch.tensor([float(x) for x in problem["eye"]])
        depth = along(d, problem["forward"]) if problem["perspective"] else 1.0
        x = 0.5 + along(d, problem["right"]) / depth * problem["scale"][0]
        y = 0.5 - along(d, problem["up"]) / depth * problem["scale"][1]
        target = torch.tensor([[t + p for t, p in zip(term["target"], perturbed)] for perturbed in lane])
        return term["weight"] * ((x - target[:, 0]) ** 2 + (y - target[:, 1]) ** 2)
    if kind == "TERM_CONTACT":
        under = term["offset"] - along(corners(problem, pose, lane, term["face"]), term["normal"])
        return term["weight"] * (under.abs().min(dim=1).values + torch.relu(under).mean(dim=1))
    if kind == "TERM_INSIDE":
        return term["weight"] * outside(corners(problem, pose, lane, "FACE_DOWN"), term)
    if kind == "TERM_MIDDLE":
        bottom = at - torch.tensor([0, 0, problem["half"][2]])
        off = torch.stack([along(bottom, term[w]) - m for w, m in zip("uv", term["middle"])], dim=1)
        return term["weight"] * outside(bottom.unsqueeze(1), term) + off.norm(dim=1)
    if kind == "TERM_DISTANCE":
        away = (at - torch.tensor([float(x) for x in term["point"]])).norm(dim=1)
        return term["weight"] * (away - term["offset"]) ** 2
    face = torch.tensor([[float(x) for x in side] for side in lane])
    c, s = torch.cos(pose[:, 3]), torch.sin(pose[:, 3])
    front = torch.stack([c * face[:, 0] - s * face[:, 1], s * face[:, 0] + c * face[:, 1]], dim=1)
    to = torch.tensor(term["point"][:2]) - at[:, :2] if "point" in term else torch.tensor(term["normal"][:2]).expand(len(pose), 2)
    return term["weight"] * (1 - torch.nn.functional.cosine_similarity(front, to, dim=1))


def descend(problem):
    """Decay pulls toward the world's origin, so what AdamW is given stands in the world."""
    origin = torch.tensor([float(x) for x in problem["origin"]] + [0.0])
    world = (torch.tensor(problem["start"]) + origin).requires_grad_()
    optimizer = torch.optim.AdamW([world], lr=1e-1, weight_decay=problem["decay"])
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 1e-3, total_iters=ITERATIONS)
    stored = []
    for step in range(1, ITERATIONS + 1):
        optimizer.zero_grad()
        sum(loss_of(problem, t, world - origin) for t in problem["terms"]).sum().backward()
        optimizer.step()
        schedule.step()
        if step in STORED:
            stored.append((world - origin).tolist())
    last = sum(loss_of(problem, t, world.detach() - origin) for t in problem["terms"])
    return stored, last.tolist()


def numbers(values):
    return "{" + ", ".join("%.17g" % v for v in values) + "}"


def print_term(term, name):
    fields = [f".kind = {term['kind']}", f".weight = {term['weight']}"]
    for key in ("drop", "offset", "face"):
        if key in term:
            fields.append(f".{key} = {term[key]}")
    for key in ("target", "normal", "point", "u", "v", "middle"):
        if key in term:
            fields.append(f".{key} = {numbers(term[key])}")
    if "point" in term:
        fields.append(".by_point = true")
    if "edges" in term:
        fields += [f".edge_count = {len(term['edges'])}", f".outward = {name}_outward", f".reach = {name}_reach"]
    if "lane" in term:
        fields += [f".lane_{axis} = {{{', '.join(f'{float(l[k])}f' for l in term['lane'])}}}" for k, axis in enumerate("xy")]
    print("         {" + ",\n          ".join(fields) + "},")


def main():
    # The lanes are stored in single precision: take what it keeps.
    for problem in PROBLEMS:
        for term in problem["terms"]:
            if "lane" in term:
                term["lane"] = torch.tensor(term["lane"], dtype=torch.float32).double().tolist()
    print("/* Made by tests/bench/peers/adamw.py with PyTorch %s; not written by hand. */" % torch.__version__)
    print("#ifndef ETNA_TESTS_UNIT_WORKER_SOLVE_ADAMW_TRACES_H\n#define ETNA_TESTS_UNIT_WORKER_SOLVE_ADAMW_TRACES_H\n")
    print('#include "worker/solve/problem.h"\n')
    print("enum { ADAMW_PROBLEMS = %d, ADAMW_LANES = 2, ADAMW_STORED = %d };" % (len(PROBLEMS), len(STORED)))
    print("static const uint32_t adamw_steps[ADAMW_STORED] = {%s};" % ", ".join(map(str, STORED)))
    for i, problem in enumerate(PROBLEMS):
        for k, term in enumerate(problem["terms"]):
            if "edges" in term:
                rows = ", ".join(numbers(outward) for outward, _ in term["edges"])
                print(f"static const vec3 adamw_{i}_{k}_outward[] = {{{rows}}};")
                print(f"static const double adamw_{i}_{k}_reach[] = {numbers([reach for _, reach in term['edges']])};")
    print("static const solve_problem adamw_problems[ADAMW_PROBLEMS] = {")
    for i, problem in enumerate(PROBLEMS):
        print(f"    {{.origin = {numbers(problem['origin'])}, .half = {numbers(problem['half'])}, .decay = {problem['decay']},")
        for key in ("eye", "right", "up", "forward"):
            print(f"     .{key} = {numbers(problem[key])},")
        print(f"     .perspective = {problem['perspective']}, .scale_x = {problem['scale'][0]}, .scale_y = {problem['scale'][1]},")
        print(f"     .term_count = {len(problem['terms'])}, .terms = {{")
        for k, term in enumerate(problem["terms"]):
            print_term(term, f"adamw_{i}_{k}")
        print("     }},")
    print("};")
    traces = [descend(problem) for problem in PROBLEMS]
    print("static const double adamw_starts[ADAMW_PROBLEMS][ADAMW_LANES][4] = {")
    for problem in PROBLEMS:
        print("    {" + ", ".join(numbers(start) for start in problem["start"]) + "},")
    print("};\nstatic const double adamw_poses[ADAMW_PROBLEMS][ADAMW_STORED][ADAMW_LANES][4] = {")
    for stored, _ in traces:
        print("    {")
        for lanes in stored:
            print("        {" + ", ".join(numbers(pose) for pose in lanes) + "},")
        print("    },")
    print("};\nstatic const double adamw_losses[ADAMW_PROBLEMS][ADAMW_LANES] = {")
    print(",\n".join("    " + numbers(last) for _, last in traces))
    print("};\n\n#endif")


main()
