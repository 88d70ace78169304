# One worker holds 500 calls (100 without ETNA_FULL=1) open against a server that answers none before
# (tests/fault/hostile.c --hold), but the verdict by which each run knows that its evaluators can be read. As many
# conversations as there are tasks wait at once, however few CPUs there are, and the worker stays small meanwhile. (No
# early end: for one a branch is judged alone at first.) When the server answers, all runs end as they do in-process.
. "$(dirname "$0")/../integration/lib.sh"
open=100 runs=1
[ -z "${ETNA_FULL:-}" ] || { open=500 runs=4; }
memory_mb=${ETNA_LOAD_MB:-200} # with facts, which a real model is asked without; 0: do not look (sanitizers)
serve_builtin
upstream=${url##*:}
"$ETNA_BIN/hostile-model" --upstream "${upstream%/v1}" --faults ok:1 --pass $runs --hold $open --gate "$work/gate" --ledger "$work/ledger" >"$work/port" &
slow=$!
await "hostile-model does not serve" $slow has_line "$work/port"
small="image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}"
cat >"$work/models.yaml" <<END
endpoints:
  quick: {wire: chat, url: "$url"}
  slow: {wire: chat, url: "http://127.0.0.1:$line/v1"}
models:
  quick: {endpoint: quick, id: builtin, ${ETNA_LOAD_IMAGES:-$small}}
  slow: {endpoint: slow, id: builtin, ${ETNA_LOAD_IMAGES:-$small}}
roles: {evaluator: slow}
END
export ETNA_MODELS=$work/models.yaml

"$etna" coordinator --listen "ipc://$work/c.sock" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
"$worker" --no-supervisor --connect "ipc://$work/c.sock" --cpus 2 --cache "$work/cache" >"$work/worker.txt" 2>&1 &
one=$!
pids=
for i in $(seq $runs); do # 16 branches of 9 polls each: 144 conversations of a run wait at once
    "$etna" run "$scenes/study.glb" --goal "Put the phone on the book." --connect "ipc://$work/c.sock" --seed $i --model quick --facts on \
        --branches 16 --polls 9 --early-end off --no-images --json >"$work/run$i.json" 2>"$work/run$i.txt" &
    pids="$pids $!"
done
end=$((SECONDS + 240))
until grep -q ^held "$work/ledger" 2>/dev/null; do
    [ $SECONDS -lt $end ] && kill -0 $one 2>/dev/null || { fail "$open calls were never open at once"; tail -n 3 "$work"/run1.txt "$work/worker.txt" >&2; break; }
    sleep 0.05
done
[ ! -e "$work/.failed" ] || { kill -9 $pids $one $coordinator $slow $server 2>/dev/null; wait; finish; } # nobody is left to end the runs
expect "calls open at once" "$(awk '$1 == "held" { print $3 }' "$work/ledger")" $open
now=$(awk '/^VmRSS/ { print int($2 / 1024) }' /proc/$one/status) peak=$(awk '/^VmHWM/ { print int($2 / 1024) }' /proc/$one/status)
echo "$open calls are open in one worker: $now MB, $peak MB at most"
[ "$memory_mb" = 0 ] || [ "$peak" -lt "$memory_mb" ] || fail "the worker with $open calls open has taken $peak MB, not under $memory_mb"
: >"$work/gate"
i=0
for pid in $pids; do
    i=$((i + 1))
    wait $pid
    expect "the exit of run $i" "$?" 0
    expect "run $i" "$(json "$work/run$i.json" .status)" complete
done
[ "$(awk '$2 == "paid"' "$work/ledger" | wc -l)" -ge $open ] || fail "only $(awk '$2 == "paid"' "$work/ledger" | wc -l) calls were answered"
kill $one && wait $one
expect "the worker's exit" "$?" 0
kill $coordinator && wait $coordinator
"$etna" run "$scenes/study.glb" --goal "Put the phone on the book." --seed 1 --branches 16 --polls 9 --early-end off --no-images --json >"$work/here.json" 2>"$work/here.txt"
expect "the snapshot of run 1" "$(json "$work/run1.json" .final_snapshot)" "$(json "$work/here.json" .final_snapshot)"
kill $slow $server
wait $slow $server 2>/dev/null
finish
