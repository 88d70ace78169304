#!/usr/bin/python3
"""Tasks that do nothing, by dask.distributed: a scheduler and workers in processes of their own, over loopback TCP. Nothing of it is
durable. Arguments: line, tasks, workers, threads of each, repeats."""
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from peer import measure, say  # noqa: E402

LINE = sys.argv[1]
TASKS, WORKERS, THREADS, REPEATS = map(int, sys.argv[2:])


def nothing(_):
    return None


def main():
    import dask
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.worker.daemon": False})
    with LocalCluster(n_workers=WORKERS, threads_per_worker=THREADS, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        rounds = iter(range(1000))

        def work():
            a_round = next(rounds)
            client.gather(client.map(nothing, range(a_round * TASKS, (a_round + 1) * TASKS), pure=False))

        taken = measure(work, REPEATS, clock=time.perf_counter)
        say(LINE, "dask.distributed", [ms / TASKS for ms in taken])


if __name__ == "__main__":
    main()
