# kill -9 of a worker, of `etna run`, and of both, at seeded points (6; 20 with ETNA_FULL=1): one final snapshot, the same with 1, 2 and 6
# workers; when the workers of the killed run have ended (<= 2 s) and `etna resume` has finished, nothing is left.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put all three bottles on the yellow block"
points=${ETNA_KILL_POINTS:-$([ -n "${ETNA_FULL:-}" ] && echo 20 || echo 6)}

run() { # OUT WORKERS: in the foreground, prints nothing
    mkdir -p "$1"
    "$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --workers "$2" --json -o "$1" >"$1/stdout.json" 2>"$1/stderr.txt"
}
final() { json "$1/stdout.json" '.status + " " + .final_snapshot'; }

started=$(date +%s%N)
run "$work/w2" 2 || fail "the reference run failed: $(tail -3 "$work/w2/stderr.txt")"
length=$((($(date +%s%N) - started) / 1000000))
wanted=$(final "$work/w2")
used=$(json "$work/w2/stdout.json" '.tokens')
case $wanted in complete\ ????????*) ;; *) fail "the reference run ended '$wanted'" ;; esac
for n in 1 6; do
    run "$work/w$n" $n || fail "the run with $n workers failed"
    expect "final snapshot with $n workers" "$(final "$work/w$n")" "$wanted"
    expect "used with $n workers" "$(json "$work/w$n/stdout.json" '.tokens')" "$used"
done

workers() { local p; for p in $(leftovers); do [ "$(readlink "/proc/$p/exe")" = "$worker" ] && echo "$p"; done; }

# point SEED: what is killed and when are functions of the seed alone.
point() {
    local seed=$1 out=$work/kill-$1 target wait run pid code
    RANDOM=$((seed * 7919 % 32768))
    : $RANDOM
    wait=$((RANDOM * length / 32768))
    target=$((seed % 3))
    mkdir -p "$out"
    "$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --workers 2 --json -o "$out" >"$out/stdout.json" 2>"$out/stderr.txt" &
    pid=$!
    sleep "$(printf '%d.%03d' $((wait / 1000)) $((wait % 1000)))"
    if [ $target != 1 ]; then kill -9 $(workers | head -1) 2>/dev/null; fi
    if [ $target != 0 ]; then kill -9 $pid 2>/dev/null; fi
    wait $pid 2>/dev/null
    code=$?
    if [ $target = 0 ] || [ $code = 0 ]; then
        expect "point $seed (worker killed at $wait ms): exit" "$code" 0
        expect "point $seed: final snapshot" "$(final "$out")" "$wanted"
        return
    fi
    await_quiet "${ETNA_END_SECONDS:-2}" # sanitizers make everything slower
    run=$("$etna" runs --json | jq -r '[.runs[] | select(.status != "complete")][0].run // empty')
    if [ -z "$run" ]; then # killed before the run was durable: nothing is lost, so it is simply run
        "$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --workers 2 --json -o "$out" >"$out/stdout.json" 2>"$out/stderr.txt"
    else
        "$etna" resume "$run" -o "$out" --json >"$out/stdout.json" 2>"$out/stderr.txt"
    fi
    expect "point $seed (target $target at $wait ms): exit of resume" "$?" 0
    expect "point $seed (target $target at $wait ms): final snapshot" "$(final "$out")" "$wanted"
    expect "point $seed: used" "$(json "$out/stdout.json" '.tokens')" "$used"
    [ -s "$out/result.glb" ] || fail "point $seed: no result.glb after resume"
    cmp -s "$out/result.glb" "$work/w2/result.glb" || fail "point $seed: another result.glb"
}
for seed in $(seq 1 "$points"); do point "$seed"; done
"$etna" store verify >"$work/verify.txt" 2>&1 || { fail "store verify"; cat "$work/verify.txt" >&2; }
finish
