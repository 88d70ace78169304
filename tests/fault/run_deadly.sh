# A task that ends every worker which does it, by a fault of the worker's own (tests/fault/deadly.c): it is tried with
# others, then alone, then refused with the reason. Its run ends, the others of the same coordinator go on, and the
# coordinator stays.
. "$(dirname "$0")/../integration/lib.sh"
ulimit -c 0
scene=$scenes/bottles.glb
mkdir "$work/bin"
cp "$etna" "$work/bin/etna" # it looks for its workers beside itself
cat >"$work/bin/etna-worker" <<END
#!/bin/sh
case " \$* " in *" --connect "*) export LD_PRELOAD="$ETNA_BIN/libdeadly.so" ASAN_OPTIONS="\${ASAN_OPTIONS:-}:verify_asan_link_order=0:handle_segv=0" TSAN_OPTIONS="\${TSAN_OPTIONS:-}:handle_segv=0" ;; esac
exec "$worker" "\$@"
END
chmod +x "$work/bin/etna-worker"
told() { # FILE
    grep -q "refused after 3 attempts" "$1" && grep -q "was ended by signal 11" "$1" || { fail "$1 does not say what happened"; tail -5 "$1" >&2; }
}
go() { # ETNA NAME GOAL ARGS...
    local program=$1 name=$2 goal=$3
    shift 3
    "$program" run "$scene" --goal "$goal" --early-end ordered --no-images --branches 2 --polls 1 --json "$@" >"$work/$name.json" 2>"$work/$name.txt"
}
good="Put all three bottles on the yellow block"
bad="Put the DEADLY bottles on the yellow block"

"$work/bin/etna" coordinator --listen "ipc://$work/c.sock" --workers 2 >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
go "$etna" bad1 "$bad" --connect "ipc://$work/c.sock" --seed 1 &
one=$!
go "$etna" bad2 "$bad" --connect "ipc://$work/c.sock" --seed 2 &
two=$!
go "$etna" good "$good" --connect "ipc://$work/c.sock" &
three=$!
wait $three
expect "the exit of the run beside deadly ones" "$?" 0
for pid in $one $two; do
    wait $pid
    expect "the exit of a deadly run" "$?" 4
done
expect "the status of the run beside deadly ones" "$(json "$work/good.json" .status)" complete
told "$work/coordinator.txt"
told "$work/bad1.txt"
told "$work/bad2.txt"
kill -0 $coordinator 2>/dev/null || fail "the coordinator ended with the deadly runs"
go "$etna" after "$good" --connect "ipc://$work/c.sock" --seed 2
expect "the exit of a run after the deadly ones" "$?" 0
kill $coordinator && wait $coordinator
expect "the coordinator's exit" "$?" 143
export ETNA_STORE=$work/store2 # this test's processes are known by it: see lib.sh
go "$work/bin/etna" alone "$bad" --workers 1
expect "the exit of a deadly run in the foreground" "$?" 4
told "$work/alone.txt"
finish
