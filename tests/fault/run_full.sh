# A disk that is full for a while in the middle of a batch, as a limit on file sizes that is lifted again: nothing ends, nothing
# is lost. By a batch that owns its store, and by a coordinator, whose workers keep what they hold; both say that they wait.
. "$(dirname "$0")/../integration/lib.sh"
trap '' XFSZ
command -v prlimit >/dev/null || skip "there is no prlimit"
goal="Put the red bottle on the yellow block"
for n in $(seq 6); do
    printf '{"name": "b%s", "scene": "%s", "goal": "%s", "seed": %s, "flags": ["--no-images", "--early-end", "ordered"]}\n' $n "$scenes/bottles.glb" "$goal" $n
done >"$work/list.jsonl"
tight() { prlimit --pid "$1" --fsize=$(($(stat -c %s "$ETNA_STORE/journal/data.mdb") + 8192)):unlimited; } # PID
wide() { prlimit --pid "$1" --fsize=unlimited:unlimited; }
one_is_done() { [ -e "$work/$1/b1/run.json" ]; }
fill() { # NAME PID FILE: the disk of PID is full for some seconds, which FILE tells
    local name=$1 pid=$2 file=$3
    await "$name: no line is done" $pid one_is_done $name
    tight $pid
    await "$name: the full disk is not told" $pid grep -q "disk is full" "$file"
    sleep 2 # it is tried again each second
    kill -0 $pid || fail "$name: it ended"
    [ ! -e "$work/$name/b6/run.json" ] || fail "$name: all was done before the disk was full"
    wide $pid
    await "$name: nothing is told of room" $pid grep -q "room on the disk again" "$file"
}
check() { # NAME CODE
    expect "$1: exit code" "$2" 0
    expect "$1: complete" "$(json "$work/$1.json" .complete)" 6
    "$etna" store verify >"$work/$1.verify" 2>&1 || fail "$1: verify: $(cat "$work/$1.verify")"
}

own() {
    "$etna" batch "$work/list.jsonl" -o "$work/own" --workers 1 --active 1 --json >"$work/own.json" 2>"$work/own.txt" &
    local batch=$!
    fill own $batch "$work/own.txt"
    wait $batch
    check own $?
}
theirs() {
    export ETNA_STORE=$work/store2
    "$etna" coordinator --listen "ipc://$work/c.sock" >"$work/coordinator.txt" 2>&1 &
    local coordinator=$! hand batch
    await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
    "$worker" --connect "ipc://$work/c.sock" --cpus 1 --cache "$work/cache" >"$work/worker.txt" 2>&1 &
    hand=$!
    "$etna" batch "$work/list.jsonl" -o "$work/theirs" --connect "ipc://$work/c.sock" --active 1 --json >"$work/theirs.json" 2>"$work/theirs.txt" &
    batch=$!
    fill theirs $coordinator "$work/coordinator.txt"
    wait $batch
    check theirs $?
    grep -q "is gone" "$work/coordinator.txt" && fail "a worker was lost over a full disk: $(grep "is gone" "$work/coordinator.txt")"
    kill -TERM $coordinator $hand
    wait $coordinator $hand
}
own & # side by side: both mostly wait
beside=$!
theirs
wait $beside
finish
