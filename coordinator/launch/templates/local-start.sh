#!/bin/sh
# A coordinator and @workers@ workers on this machine; logs and process numbers in @directory@. Ends by local-stop.sh.
set -eu
umask 077
mkdir -p '@directory@/logs' '@local@'
start() { # NAME COMMAND...
    name=$1
    shift
    setsid "$@" </dev/null >>"@directory@/logs/$name.log" 2>&1 &
    echo $! >"@directory@/$name.pid"
}
start coordinator '@etna@' coordinator --listen '@listen@' --store '@local@' --join '@directory@/join'
until [ -s '@directory@/join' ]; do
    kill -0 "$(cat '@directory@/coordinator.pid')" || { tail -1 '@directory@/logs/coordinator.log'; exit 4; }
    sleep 0.1
done
for i in $(seq @workers@); do
    start "worker-$i" '@worker@' --connect '@@directory@/join' @cpus_flag@
done
echo "then: '@etna@' batch LIST.jsonl -o OUT --connect '@@directory@/join'"
