#!/usr/bin/python3
"""Tasks that do nothing, by Celery with Redis, which is made durable as Etna's journal is: appended and synced before it answers, late
acknowledgements. Redis and the workers are children of this script, over loopback TCP. Arguments: line, tasks, processes, repeats."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


URL = os.environ.setdefault("ETNA_BENCH_REDIS", "redis://127.0.0.1:%d/0" % free_port())

from celery import Celery, group  # noqa: E402

app = Celery("celery_tasks", broker=URL, backend=URL)
app.conf.update(task_acks_late=True, worker_prefetch_multiplier=16, broker_connection_retry_on_startup=True)


@app.task(name="nothing")
def nothing():
    return None


def await_answer(work, patience=60):
    end = time.monotonic() + patience
    while True:
        try:
            return work()
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def main():
    from peer import measure, say

    line, tasks, processes, repeats = sys.argv[1], *map(int, sys.argv[2:])
    folder = tempfile.mkdtemp(prefix="etna-bench-redis.")
    children = []
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        port = URL.rsplit(":", 1)[1].split("/")[0]
        children.append(subprocess.Popen(
            ["redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--save", ""],
            stdout=subprocess.DEVNULL))
        await_answer(lambda: app.backend.client.ping())
        children.append(subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "celery_tasks", "worker", "--concurrency", str(processes), "--loglevel", "ERROR", "--without-gossip",
             "--without-mingle", "--without-heartbeat"], cwd=here, stdout=subprocess.DEVNULL))
        await_answer(lambda: nothing.delay().get(timeout=10))

        def work():
            group(nothing.s() for _ in range(tasks)).apply_async().get(timeout=600)

        taken = measure(work, repeats, clock=time.perf_counter)
        say(line, "Celery with Redis", [ms / tasks for ms in taken])
    finally:
        for child in reversed(children):
            child.terminate()
            try:
                child.wait(timeout=20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
