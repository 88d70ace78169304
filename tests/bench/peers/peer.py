"""What the peer scripts share: measuring, and saying it so that etna-bench can read it."""
import json
import time

SLOW, ENOUGH = 1500, 6000  # ms


def measure(work, repeats, before=None, clock=time.process_time):
    """Milliseconds of each of `repeats` calls, after one that warms up: this process's own time, as one core gives it (it has
    one thread), or time.perf_counter's, on the wall. A call of seconds is its own warm-up, and enough is enough."""
    taken = []
    for k in range(repeats + 1):
        if before:
            before()
        start = clock()
        work()
        took = (clock() - start) * 1e3
        if k > 0 or took > SLOW:
            taken.append(took)
        if sum(taken) > ENOUGH:
            break
    return taken[:repeats]


def say(line, peer, values, triangles=0, check=0.0):
    print("ETNA-PEER " + json.dumps({"line": line, "peer": peer, "values": values, "triangles": triangles, "check": check}), flush=True)
