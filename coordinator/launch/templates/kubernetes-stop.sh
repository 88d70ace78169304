#!/bin/sh
# Lets the runs end, then the coordinator and its workers. The store's volume stays: kubectl delete pvc -l app=etna
set -eu
# A coordinator that has ended its runs begins again with none.
while live=$(kubectl exec etna-coordinator-0 -- etna drain --connect @/var/lib/etna/join | tail -1) && [ "${live%% *}" != 0 ]; do
    echo "live: $live"
    sleep 10
done
kubectl delete -f '@directory@/kubernetes-workers.yaml' -f '@directory@/kubernetes-coordinator.yaml'
kubectl delete secret etna-worker
