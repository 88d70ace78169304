#!/usr/bin/python3
"""The descent as batched PyTorch: 64 candidates, six constraints, torch.optim.AdamW with a linear schedule, one thread. All
that does not change is made into tensors once. Arguments: line, the problem that etna-bench wrote, repeats. It says the loss at
the start, so that both are seen to solve one problem."""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch  # noqa: E402

from peer import measure, say  # noqa: E402

LINE, PROBLEM, REPEATS = sys.argv[1:]
torch.set_num_threads(1)
P = json.load(open(PROBLEM))


def row(name):
    return torch.tensor(P[name], dtype=torch.float32)


START = torch.stack([row("x"), row("y"), row("z"), row("yaw")], dim=1)
EYE = row("eye") + torch.tensor([0, 0, P["drop"]])
VIEW = torch.stack([row("right"), row("up"), row("forward")], dim=1)
SCALE = row("scale") * torch.tensor([1.0, -1.0])
TARGET = row("target") + torch.stack([row("lane_x"), row("lane_y")], dim=1) - 0.5
NORMAL, HALF = row("normal"), row("half")
CORNERS = torch.tensor([[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]) * HALF[:2]
EDGES = torch.tensor(P["edges"], dtype=torch.float32)
OUTWARD, REACH = EDGES[:, :3].T.contiguous(), EDGES[:, 3]
POINT, FACE_TO = row("point"), row("face_to").reshape(1, 2, 2)


def loss_of(pose):
    at, yaw = pose[:, :3], pose[:, 3]
    c, s = torch.cos(yaw), torch.sin(yaw)
    seen = (at - EYE) @ VIEW
    off = seen[:, :2] / seen[:, 2:3].clamp(min=0.01) * SCALE - TARGET
    total = 0.5 * (off * off).sum(dim=1)
    x, y = CORNERS[:, 0], CORNERS[:, 1]
    bottom = torch.stack([c[:, None] * x - s[:, None] * y, s[:, None] * x + c[:, None] * y, (-HALF[2]).expand(len(pose), 4)], dim=2) + at[:, None, :]
    under = P["offset"] - bottom @ NORMAL
    total = total + 100 * (under.abs().amin(dim=1) + torch.relu(under).mean(dim=1))
    total = total + 20 * torch.relu(bottom @ OUTWARD - REACH).flatten(1).amax(dim=1)
    total = total + 0.3 * ((at - POINT).norm(dim=1) - P["distance"]) ** 2
    front = torch.stack([s, -c], dim=1)[:, None, :]
    cosine = torch.nn.functional.cosine_similarity(front, FACE_TO - at[:, None, :2], dim=2)
    return total + 0.5 * (1 - cosine).sum(dim=1)


def descend():
    pose = START.clone().requires_grad_()
    optimizer = torch.optim.AdamW([pose], lr=1e-1, weight_decay=0)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 1e-3, total_iters=P["iterations"])
    for _ in range(P["iterations"]):
        optimizer.zero_grad()
        loss_of(pose).sum().backward()
        optimizer.step()
        schedule.step()
    return loss_of(pose.detach()).sum().item()


say(LINE, "PyTorch " + torch.__version__ + ", batched AdamW", measure(descend, int(REPEATS)), 0, loss_of(START).sum().item())
print("loss at the end", descend(), file=sys.stderr)
