#!/bin/sh
# A coordinator here and a worker on each of: @hosts@. Each host needs etna-worker in its PATH, and gets the workers' token
# through ssh. Ends by ssh-stop.sh.
set -eu
umask 077
mkdir -p '@directory@/logs' '@local@'
setsid '@etna@' coordinator --listen '@listen@' --store '@local@' --join '@directory@/join' </dev/null >>'@directory@/logs/coordinator.log' 2>&1 &
pid=$!
until [ -s '@directory@/join' ]; do
    kill -0 $pid || { tail -1 '@directory@/logs/coordinator.log'; exit 4; }
    sleep 0.1
done
'@etna@' join '@directory@/join' --role worker -o '@directory@/join-worker'
for host in $(echo '@hosts@' | tr , ' '); do
    ssh -o BatchMode=yes "$host" "umask 077; mkdir -p .etna-@name@ && cat >.etna-@name@/join &&
        (setsid etna-worker --connect @.etna-@name@/join @cpus_flag@ </dev/null >>.etna-@name@/worker.log 2>&1 &)" <'@directory@/join-worker' ||
        echo "no worker on $host" >&2
done
echo "then: '@etna@' batch LIST.jsonl -o OUT --connect '@@directory@/join'"
