#!/bin/sh
# A coordinator and @workers@ workers in the namespace that kubectl is set to. The image is made of Containerfile beside this.
# The workers' token goes from the coordinator into the secret etna-worker, and into no file here; run this again after
# `etna join --rotate`. Ends by kubernetes-stop.sh.
set -eu
kubectl apply -f '@directory@/kubernetes-coordinator.yaml'
kubectl rollout status statefulset/etna-coordinator --timeout=300s
kubectl exec etna-coordinator-0 -- sh -c \
    'umask 077 && etna join /var/lib/etna/join --role worker -o /tmp/worker >&2 && cat /tmp/worker && rm /tmp/worker' |
    kubectl create secret generic etna-worker --from-file=join=/dev/stdin --dry-run=client -o yaml | kubectl apply -f -
kubectl apply -f '@directory@/kubernetes-workers.yaml'
kubectl rollout restart deployment/etna-worker
echo "then, in a pod of the image that mounts a join file: etna batch LIST.jsonl -o OUT --connect @join"
