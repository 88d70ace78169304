#!/bin/sh
# Submits a coordinator and @workers@ workers. All they share is in @directory@; `scancel` ends them, so does
# `etna drain --connect @@directory@/join --wait 600` when the runs are done.
set -eu
umask 077
mkdir -p '@directory@/logs' '@directory@/mirror'
coordinator=$(sbatch --parsable '@directory@/slurm-coordinator.sbatch')
echo "${coordinator%%;*}" >'@directory@/coordinator.job'
workers=$(sbatch --parsable --dependency="after:${coordinator%%;*}" '@directory@/slurm-workers.sbatch')
echo "${workers%%;*}" >'@directory@/workers.job'
echo "coordinator: job ${coordinator%%;*}; workers: array ${workers%%;*}; logs in @directory@/logs"
echo "then: '@etna@' batch LIST.jsonl -o OUT --connect '@@directory@/join'"
