/* The parts of `etna bench` that look at assets and at others' rooms, one
 * file each. */
#ifndef ETNA_WORKER_CLI_BENCH_H
#define ETNA_WORKER_CLI_BENCH_H

/* Each gets argv from its own name on, prints, and returns the exit code. */
int bench_cmd_retrieval(int argc, char **argv);
int bench_cmd_furnish(int argc, char **argv);
int bench_cmd_rooms(int argc, char **argv);

#endif
